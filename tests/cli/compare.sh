#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: integrates a flight with every method
#
# `tactus compare` as a built program: table, CSV, JSON, diagram, what it refuses.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

"$tactus" run iris_prior_art --t-end 4s --record "$work/flight.h5" --quiet || true
check 'a flight was recorded' test -s "$work/flight.h5"

expect 0 out '^rk4 1ms +[0-9.]+ +[0-9]+ ' compare "$work/flight.h5"
check 'the columns of the table' grep -q 'pos_max_m .*battI_max_a' "$work/out"
check 'the recorded method' grep -q '^rk45 (as recorded)' "$work/out"
check 'Euler by default' grep -q '^euler 250us' "$work/out"

# A step that does not resolve the vehicle is a line, the others fly.
expect 0 out 'rk4 4ms: not flown: .*at most' compare "$work/flight.h5" --solvers rk4,rk45 \
  --steps 4ms,1ms --tolerances 1e-6,1e-8 --t-end 2s --csv "$work/table.csv" --svg "$work/wp.svg"
check 'the head of the CSV' grep -q '^solver,wall_s,pos_max_m,vel_max_mps,' "$work/table.csv"
check 'a row per flight' test "$(wc -l <"$work/table.csv")" = 5
check 'the diagram is drawn' grep -q '</svg>' "$work/wp.svg"
check 'a curve per method' test "$(grep -c '<polyline' "$work/wp.svg")" = 2
if command -v python3 >/dev/null; then
  check 'the diagram is XML' python3 -c \
    'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$work/wp.svg"
fi

# SUNDIALS agrees with a tight RK45 as long as the vehicle stands.
expect 0 out '"solver": "sundials 1e-12"' compare "$work/flight.h5" --solvers rk45 \
  --tolerances 1e-9 --reference sundials --t-end 2s --json
check 'errors are numbers' grep -Eq '"pos_max_m": [0-9.e-]+' "$work/out"

# In segments: each begins from the recorded state, so that the open-loop fall of a whole flight
# does not hide the integrator (in one piece RK4 ends 100 m off on the default flight).
"$tactus" run default --record "$work/default.h5" --quiet
expect 0 out ' segments of 1s from the recorded states, ' \
  compare "$work/default.h5" --segments 1s --solvers rk4,rk45 --csv "$work/segments.csv"
check 'the worst segment is named' grep -Eq '^rk4 1ms .* [0-9.]+s - [0-9.]+s$' "$work/out"
check 'the ground is told' grep -q '^Note: .*segments with one' "$work/out"
check 'RK4 is millimetres off' awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
  $1 ~ /rk4 1ms/ { seen = 1; good = $column["pos_max_m"] < 0.01 &&
                   $column["segment_to_us"] - $column["segment_from_us"] <= 1100000 }
  END { exit !(seen && good) }' "$work/segments.csv"
expect 0 out '"length_us": 500000' compare "$work/flight.h5" --segments 500ms --solvers rk4 --json
check 'eight segments of half a second' grep -q '"count": 8' "$work/out"
check 'the segment as JSON' grep -Eq '"segment_to_us": [0-9]+' "$work/out"
expect 0 out '^rk4' compare "$work/flight.h5" --segments 4s --solvers rk4 --csv "$work/whole.csv"
expect 0 out '^rk4' compare "$work/flight.h5" --solvers rk4 --csv "$work/plain.csv"
check 'a segment as long as the flight is the plain comparison' \
  diff <(cut -d, -f 1,3- "$work/whole.csv") <(cut -d, -f 1,3- "$work/plain.csv")
expect 0 out '^rk4' compare "$work/flight.h5" --solvers rk4 --steps 1ms,500us --segments 1s \
  --svg "$work/segments.svg"
check 'the diagram names the segments' grep -q 'in segments of 1s' "$work/segments.svg"
# Longer than what is compared, or shorter than what lies between two boundaries: no such segments.
expect 2 err '--segments 100h: must be at most 4s, which is all that is compared' \
  compare "$work/flight.h5" --segments 100h
expect 2 err '--segments 3s: must be at most 2s, which is all that is compared' \
  compare "$work/flight.h5" --segments 3s --t-end 2s
expect 2 err '--segments 1us: must be at least 4ms: .*boundaries' \
  compare "$work/flight.h5" --segments 1us
expect 0 out '"count": 25' \
  compare "$work/flight.h5" --segments 4ms --t-end 100ms --solvers rk4 --json
for bad in 0s 0us -1s 1 1e300s 0.1us 1.5us nan inf ''; do
  expect 2 err 'segments' compare "$work/flight.h5" --segments "$bad"
done

# Outputs are checked before anything is flown.
cp "$work/flight.h5" "$work/copy.h5"
for option in --csv --svg; do
  expect 2 err 'name the same file' compare "$work/flight.h5" $option "$work/flight.h5" --force
  expect 3 err 'exists already; .*--force' compare "$work/flight.h5" $option "$work/table.csv"
done
check 'the recording is as it was' cmp "$work/flight.h5" "$work/copy.h5"
expect 0 out '^rk45' compare "$work/flight.h5" --solvers rk45 --t-end 0.1s \
  --csv "$work/table.csv" --force
expect 2 err '--force: replaces the files' compare "$work/flight.h5" --force
expect 2 err '--svg .* and --csv .* name the same file' \
  compare "$work/flight.h5" --csv "$work/one" --svg "$work/one"

# Nothing flown, options without effect, the ground.
expect 5 err 'none of the 1 flights could start.*at most' \
  compare "$work/flight.h5" --solvers rk4 --steps 4ms --t-end 1s
check 'the reason is told' grep -q '^rk4 4ms: not flown: ' "$work/out"
expect 2 err '--t-end 0s: must be greater' compare "$work/flight.h5" --t-end 0s
expect 0 out '^Note: --tolerances has no effect' \
  compare "$work/flight.h5" --solvers rk4 --tolerances 1e-6 --steps 1ms --t-end 0.1s
expect 0 out '^Note: --steps has no effect' \
  compare "$work/flight.h5" --solvers rk45 --steps 1ms --tolerances 1e-6 --t-end 0.1s
for bad in 9s 100h 4000001us; do
  expect 2 err "--t-end $bad: must be at most 4s: the recording ends there" \
    compare "$work/flight.h5" --solvers rk45 --t-end "$bad"
done
expect 2 err '--steps 1h: must be at most 4ms: .*no step crosses one' \
  compare "$work/flight.h5" --solvers rk4 --steps 1h
expect 2 err '--steps 5ms: must be at most 4ms' compare "$work/flight.h5" --steps 1ms,5ms
expect 0 out '^rk45' compare "$work/flight.h5" --solvers rk45 --t-end 4s
check 'the ground is told' grep -q '^Note: the vehicle touches the ground' "$work/out"

expect 2 err 'there is no "rk5"; there are euler' compare "$work/flight.h5" --solvers rk5
expect 2 err '--tolerances: 2 must be from' compare "$work/flight.h5" --tolerances 2
expect 2 err '--steps' compare "$work/flight.h5" --steps 1
expect 2 err '--reference' compare "$work/flight.h5" --reference exact
expect 3 err 'no_such_folder' compare "$work/flight.h5" --solvers rk45 --t-end 0.1s \
  --csv "$work/no_such_folder/x.csv"
expect 3 err 'no_such' compare "$work/no_such.h5"

"$tactus" run rover_square --t-end 1s --record "$work/rover.h5" --quiet || true
expect 2 err 'only multirotors' compare "$work/rover.h5" --reference sundials
expect 0 out '^rk4 1ms' compare "$work/rover.h5"

((failures == 0))
