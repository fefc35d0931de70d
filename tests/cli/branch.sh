#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verb `branch` as a built program: the same flight without a change, another one with, from a
# snapshot or from the start, refusals.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

a=$work/a.h5
b=$work/b.h5
expect 1 out '^  digest ' run iris --t-end 12s --record "$a" --snapshots 4s
digest=$(sed -n 's/^  digest *//p' "$work/out")

# Nothing changed: the digest and the verdict of the parent. From a snapshot nothing is judged.
expect 1 out "^  digest +$digest\$" branch "$a" --at 9.5s
expect 1 out '^the flight digest is that of the parent$' branch "$a" --at 9.5s
expect 0 out "^  digest +$digest\$" branch "$a" --at 9.5s --quick
expect 0 out '^  expected +not judged: only the flight since 8\.004 s was seen$' \
  branch "$a" --at 9.5s --quick
expect 0 out '"expectations": null' branch "$a" --at 9.5s --quick --json
expect 2 err '.' branch "$a" --at 9.5s --quick --log "$work/log.csv"
expect 1 out '^branched from .* at 9\.504s \(the first boundary at or after 9\.501s\), nothing' \
  branch "$a" --at 9.501s

expect 1 out 'flown from the start: the recording holds no snapshot before 2s' \
  branch "$a" --at 2s --quick

# A fault: another flight, which knows its parent and can be branched again.
expect 1 out '^  event branch_1$' branch "$a" --at 9.5s --event 'motor_off rotor=front_left' \
  --record "$b" --snapshots 1s
expect 2 err '--snapshots 1h: must be at most 12s: the run ends there' \
  branch "$a" --at 4s --record "$work/none.h5" --snapshots 1h
expect 1 out '"same_flight": true' branch "$b" --at 11s --json
c=$work/c.h5
expect 1 out '^  body.mass_kg=1.7$' branch "$a" --at 9.5s --set body.mass_kg=1.7 --record "$c"
grep -Eq '^first difference from the parent at 9\.5s; .* m apart at the end$' "$work/out" ||
  failures=$((failures + 1))
expect 1 out '^equal to the parent as far as the parent goes$' branch "$a" --at 12s \
  --set time.end_s=13.0

# Other parameters: it goes on from the snapshot at its branch.
expect 0 out 'checked from the snapshot at 9\.5s on' branch "$c" --at 11s
expect 0 out ': flown: mission aborted by mode land at 11\.000 s, ' \
  branch "$c" --at 11s --event 'land'
expect 2 err 'its first snapshot is at 9\.5s' branch "$c" --at 9s
expect 2 err '^tactus: --log: .* is flown on from its snapshot at 9\.5s' \
  branch "$c" --at 11s --log "$work/log.csv"
expect 2 err 'two specs' replay "$c"

# A stop before the branch does not claim one.
"$tactus" branch "$a" --at 11.9s --set body.mass_kg=1.7 --tier 2 --record "$work/stopped.h5" \
  --json >"$work/out" 2>"$work/err" &
pid=$!
sleep 0.1
kill -TERM "$pid" 2>/dev/null || true
got=0
wait "$pid" || got=$?
if [[ $got == 130 ]] && grep -q '"same_flight"' "$work/out" &&
  grep -q '"branched": false' "$work/out"; then
  echo "an interrupted branch tells how it compares"
  failures=$((failures + 1))
fi

# What never acts is told, once and by the text of the event.
expect 1 out '^  warnings +new event "at=20s do=marker": warning: event.branch_1.at_s = 20.*12 s$' \
  branch "$a" --at 9s --event 'at=20s do=marker'
check 'it is told once' test "$(grep -c branch_1.at_s "$work/out")" = 1

# Refusals say why.
expect 2 err '^tactus: new event "motor_off rotor=nose": ' branch "$a" --at 9s \
  --event 'motor_off rotor=nose'
expect 2 err 'initial.on_ground: acts at the start of a flight only' branch "$a" --at 9s \
  --set initial.on_ground=false
expect 2 err 'no unit' branch "$a" --at 9
expect 2 err 'ends at 12s' branch "$a" --at 13s
expect 2 err 'lies before the branch at 9s' branch "$a" --at 9s --event 'at=8s do=marker'
expect 2 err 'at the start of a flight only' branch "$a" --at 9s --set initial.on_ground=false \
  --set 'initial.position_ned_m=[0.0, 0.0, -5.0]'
expect 2 err 'the number of rotors was 4' branch "$a" --at 9s --set rotor.front_left.remove=true
expect 3 err 'exists already' branch "$a" --at 9s --record "$b"
expect 3 err 'no_such' branch "$work/no_such.h5" --at 9s

((failures == 0))
