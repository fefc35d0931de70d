#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verb `spec` as a built program, from a folder that holds nothing else.
set -euo pipefail
tactus=$(readlink -f "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
missions=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../missions" && pwd)
cd "$work"

# What `new` suggests works anywhere, with the comment on its first suggestion taken away too.
"$tactus" spec new >new.toml
sed 's/^# extends/extends/; s/^# mission/mission/' new.toml >suggested.toml
"$tactus" spec new --kind rover >rover.toml
expect 0 out '^suggested.toml: ok \(multirotor' spec check new.toml suggested.toml rover.toml
"$tactus" spec show new.toml >shown.toml
expect 0 out '^shown.toml: ok' spec check shown.toml
expect 0 out ', 3 events, 1 expectation, ' spec check iris_motor_off

# All mistakes of all files; a right one among them is still checked.
printf '%s\n' 'extends = "iris"' '[body]' 'mas_kg = 1' 'mass_kg = -2' >bad.toml
echo 'extends = "irs.toml"' >lost.toml
expect 2 out '^new.toml: ok' spec check bad.toml new.toml lost.toml
for text in '^tactus: bad.toml:3:1: body.mas_kg = 1: unknown key' \
  '^tactus: bad.toml:4:1: body.mass_kg = -2: must be greater' \
  '^tactus: lost.toml:1:1: extends = "irs.toml": .*did you mean iris.toml'; do
  grep -Eq "$text" err || {
    echo "missing: $text"
    failures=$((failures + 1))
  }
done
expect 3 err 'lost.toml:1:1' spec check lost.toml
expect 2 err '--set body.mass_kg = abc: must be a number, in kg' spec check iris \
  --set body.mass_kg=abc

# What the start of a run would refuse is refused here, with its place, and in the same words.
printf '%s\n' 'extends = "iris"' '[gear]' 'positions_body_m = []' >legless.toml
legless='^tactus: legless.toml:3:1: gear.positions_body_m = \[\]: there is no gear'
expect 2 err "$legless" spec check legless.toml
expect 2 err "$legless" run legless.toml
expect 2 err '^tactus: --set body.mass_kg = 1e-300: out of range; .* from 0.001 to 100000 kg' \
  spec check iris --set body.mass_kg=1e-300
sed 's/"version": 1$/"version": 99/' "$missions/square.plan" >new.plan
printf '%s\n' 'extends = "iris"' '[autopilot]' 'mission = "new.plan"' >newer.toml
expect 2 err 'newer.toml:3:1: autopilot.mission = "new.plan": .*new.plan:1: version = "99"' \
  spec check newer.toml
printf '%s\n' 'QGC WPL 110' '0 1 0 16 0 0 0 0 47.397742 8.545594 488 1' \
  '1 0 3 22 0 0 0 0 47.397742 8.545594 1e300 1' >high.waypoints
expect 2 err '--mission high.waypoints: .*high.waypoints:3: altitude|parameter 7 = 1e\+300' \
  run iris --mission high.waypoints

# The spec that README.md shows, in any folder.
sed -n '/^```toml$/,/^```$/{/^```/d;p}' "$missions/../README.md" >shown_by_readme.toml
expect 0 out '^shown_by_readme.toml: ok \(multirotor, 3 events' spec check shown_by_readme.toml

# What the vehicle needs to hover; not of a rover.
figures='^  hovers at [0-9.]+ % command, thrust-to-weight [0-9.]+, at most [0-9.]+ min on [0-9.]+'
expect 0 out "$figures" spec check iris
expect 0 out '^rover_square: ok' spec check rover_square
! grep -q hovers "$work/out" || { echo 'failed: a rover hovers'; failures=$((failures + 1)); }

# Warnings: said, and with --strict a failure.
printf '%s\n' 'extends = "iris"' '[[event]]' 'id = "late"' 'at_s = 80.0' 'do = "hold"' >late.toml
expect 0 err '^tactus: late.toml:4:1: warning: event.late.at_s = 80.0: never happens' \
  spec check late.toml
expect 1 err '^tactus: late.toml:4:1: warning: event.late.at_s' spec check --strict late.toml
expect 0 out '^iris: ok' spec check --strict iris

# Signals, with those that are found inside an interval.
expect 0 out '^\* truth.height_m +m ' spec signals
expect 0 out '^  battery\[0\].voltage_v +V ' spec signals new.toml
expect 0 out '^\* truth.speed_m_s ' spec signals rover.toml

expect 2 err 'this is a Tactus spec already' spec import new.toml

# Keys and signals of one part.
expect 0 out '^\| `body.mass_kg` \| real \| kg ' spec keys body
! grep -q motor "$work/out" || { echo 'failed: keys of body'; failures=$((failures + 1)); }
expect 0 out '^\| `rotor.ID.motor.kv_rpm_per_v` ' spec keys rotor.ID.motor.
expect 0 out '^\| `extends` ' spec keys ext
expect 0 out '^\| `seed` \| integer from 0 to 9223372036854775807 ' spec keys seed
expect 2 err 'no key begins with "body.mas_g"; did you mean body.mass_kg\?' spec keys body.mas_g
expect 2 err 'no key begins with "wings"' spec keys wings
expect 0 out 'truth.height_m' spec signals default truth.
! grep -q battery "$work/out" || { echo 'failed: signals of truth'; failures=$((failures + 1)); }
expect 2 err 'no signal begins with "hight"' spec signals default hight

# Suggestions only where there is something near.
expect 2 err 'body.nosuch = 1: unknown key .nosuch.; one of ' spec check default --set body.nosuch=1
expect 2 err 'unknown key "mas_kg"; did you mean mass_kg\?' spec check default --set body.mas_kg=1

expect 2 err 'autopilot.nosuch = 1: unknown key .nosuch.$' \
  spec check default --set autopilot.nosuch=1

# Inputs that hurt: files that are none, text without end.
mkfifo pipe.toml
ln -s /dev/zero zero.toml
expect 3 err 'pipe.toml: ' spec check ./pipe.toml
expect 3 err 'zero.toml: ' spec check ./zero.toml
expect 3 err 'pipe.toml: .*not a regular file' bridge ./pipe.toml
expect 3 err 'pipe.toml: .*not a regular file' spec import ./pipe.toml
expect 2 err 'no such file|neither a file|regular' run default --mission ./pipe.toml
deep=$(printf 'a.%.0s' {1..40000})a
echo "$deep = 1" >deep.toml
echo "[$deep]" >table.toml
for file in deep.toml table.toml; do
  expect 2 err "^tactus: $file:1:[0-9]+: nested more than 64 deep" spec check $file
  expect 2 err "^tactus: .*$file:1:[0-9]+: nested more than 64 deep" run ./$file
  expect 2 err "$file:1:[0-9]+: nested more than 64 deep" bridge ./$file
  expect 2 err "$file:1:[0-9]+: nested more than 64 deep" spec import $file
done
expect 2 err 'unknown key "a"' spec check default --set "$deep=1"
expect 2 err 'body.mass_kg = .*must be a number' spec check default --set "body.mass_kg=$deep"
{
  echo 'extends = "default"'
  seq -f 'unknown%.0f = 1' 1 40000
} >unknown.toml
expect 2 err '^tactus: and 39900 more$' spec check unknown.toml

((failures == 0))
