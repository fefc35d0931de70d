#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verb `spec` as a built program, from a folder that holds nothing else.
set -euo pipefail
tactus=$(readlink -f "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
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

# Signals, with those that are found inside an interval.
expect 0 out '^\* truth.height_m +m ' spec signals
expect 0 out '^  battery\[0\].voltage_v +V ' spec signals new.toml
expect 0 out '^\* truth.speed_m_s ' spec signals rover.toml

expect 2 err 'this is a Tactus spec already' spec import new.toml

((failures == 0))
