#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: replays whole flights
#
# The verb `replay` as a built program: what is played and what is live, verdicts, refusals.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

low=$work/low.h5
high=$work/high.h5
again=$work/again.h5
expect 1 out '^  digest ' run iris --t-end 5s --record "$low"
expect 1 out '^  digest ' run iris --t-end 5s --record "$high" --tier 1
same='^It reproduces the recording bit by bit\.$'

# All modes of an unchanged flight.
expect 0 out '^It reproduces the recording bit by bit, as far as tier 0 holds it\.$' replay "$low"
expect 0 out '^Note: the recording does not hold the autopilot' replay "$low"
expect 0 out '^  flight digest +[0-9a-f]{32}, equal$' replay "$high"
expect 0 out '^  live +plant$' replay "$high"
expect 0 out '^  live +plant; estimator$' replay "$high" --plant
expect 0 out '^  live +plant; wind; builtin$' replay "$high" --live wind,autopilot
for part in battery propulsion estimator wind scenario autopilot land; do
  expect 0 out "$same" replay "$high" --component "$part"
done
expect 0 out '"reproduces": true' replay "$high" --json

# A replay is a flight that can be recorded and replayed.
expect 0 out "$same" replay "$high" --record "$again"
expect 0 out "^  recorded to +$work/third.h5\$" replay "$high" --record "$work/third.h5"
expect 0 out "$same" replay "$again"

# Another one is told, with what differs first.
expect 6 out '^It does not reproduce the recording, first at t = .*: .* ulp apart' \
  replay "$high" --plant --set solver.method=rk23
expect 6 out '^  wind +251  replayed 251, differ 251, first at t = 0s: wind\.' \
  replay "$high" --component wind --set seed=2
expect 6 out '^It does not reproduce the recording: [0-9]+ of [0-9]+ numbers differ' \
  replay "$high" --component battery --set pack.main.r0_ohm=0.02
expect 6 out '"reproduces": false' replay "$low" --plant --set body.mass_kg=1.6 --json

# A fixed method in place of an adaptive one gets a step.
expect 6 out '^Note: the recording has no step for rk4: it takes solver\.step_us = 1000\.$' \
  replay "$high" --plant --set solver.method=rk4

# What comes from the file cannot be changed: keys without effect are refused, with what has one.
none='has no effect in this replay: '
while IFS='|' read -r options key why; do
  # shellcheck disable=SC2086  # options
  expect 2 err "$none${key%%=*} \\($why.*branch FILE --at" replay "$high" $options --set "$key"
done <<'END'
|seed=3|all that draws random numbers
--plant|time.end_s=200|the recording ends at t = 5s
|name=other|a replay neither names nor judges
|expect.land.by_s=3|a replay neither names nor judges
--plant|wind.mean_ned_m_s=[9.0,0.0,0.0]|wind: as recorded
--live wind|estimator.delay_s=0.02|estimator: as recorded
|autopilot.cruise_speed_m_s=3|autopilot: as recorded
|event.start.at_s=3|scenario: as recorded
|time.wind_s=0.04|wind: as recorded
|time.autopilot_s=0.008|autopilot: as recorded
--live estimator|time.sensors_s=0.008|land detector: as recorded
--component wind|body.mass_kg=2|rigid body: as recorded
|sensors.imu.count=1|instruments: as recorded
--component wind|solver.method=rk4|nothing is integrated
--component battery|body.mass_kg=2|rigid body: as recorded
--component battery|seed=3|all that draws random numbers
--component propulsion|pack.main.r0_ohm=0.02|battery: as recorded
END
expect 2 err "${none}seed .*, name " replay "$high" --set seed=3 --set body.mass_kg=1.6 --set name=x
"$tactus" run rover_square --t-end 3s --tier 1 --record "$work/rover.h5" --quiet 2>/dev/null || true
expect 2 err "${none}seed " replay "$work/rover.h5" --set seed=4
expect 2 err 'has no wind, so there is none to run live' replay "$work/rover.h5" --live wind
# What is live can be; without a difference that is told.
expect 6 out '^It does not' replay "$low" --set seed=3
expect 6 out '^It does not' replay "$high" --set time.end_s=3
expect 6 out '^It does not' replay "$high" --component autopilot --set body.mass_kg=1.9
expect 0 out '^It reproduces .*, so pack\.main\.soc0=1.0 makes no difference here' \
  replay "$high" --component battery --set pack.main.soc0=1.0
expect 0 out '"pack.main.soc0=1.0"' \
  replay "$high" --component battery --set pack.main.soc0=1.0 --json

# Ctrl-C: what was recorded of the replay is closed.
code=0
"$tactus" run hover_24h --t-end 30min --quiet --record "$work/long.h5" 2>/dev/null || true
"$tactus" replay "$work/long.h5" --record "$work/part.h5" >"$work/out" 2>"$work/err" </dev/null &
replay=$!
wait_for "$work/part.h5"
kill -INT "$replay"
wait "$replay" || code=$?
if [[ $code != 130 ]] || ! grep -q '^Interrupted at t = ' "$work/out"; then
  echo "Ctrl-C: exit code $code, expected 130"
  failures=$((failures + 1))
fi
expect 0 out 'INCOMPLETE: the run was stopped' inspect "$work/part.h5"

# A writer that was killed before its first block leaves nothing to fly.
"$tactus" run hover_24h --speed 1 --record "$work/killed.h5" >/dev/null 2>&1 </dev/null &
writer=$!
wait_for "$work/killed.h5"
kill -KILL "$writer"
wait "$writer" 2>/dev/null || true
for verb in replay compare 'diff --rerun'; do
  # shellcheck disable=SC2086  # a verb and its option
  expect 2 err 'killed\.h5 holds no rows: its run ended' $verb "$work/killed.h5"
done

# Refusals say why.
expect 2 err 'record it at tier 1' replay "$low" --component wind
"$tactus" run free_fall --quiet --tier 1 --record "$work/fall.h5"
expect 2 err 'has no autopilot' replay "$work/fall.h5" --component autopilot
expect 2 err 'has no instruments, so there is none to run live' replay "$high" --live instruments
expect 2 err 'there is no part "engine"' replay "$high" --live engine
expect 2 err 'excludes' replay "$high" --plant --live wind
expect 2 err 'body\.mass' replay "$high" --set body.mass=1
expect 3 err 'exists' replay "$low" --record "$again"
expect 3 err 'no_such' replay "$work/no_such.h5"

((failures == 0))
