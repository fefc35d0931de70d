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

((failures == 0))
