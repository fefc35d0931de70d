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

# Nothing changed: the digest of the parent, from a snapshot and from the start.
expect 1 out "^  digest +$digest\$" branch "$a" --at 9.5s
expect 1 out '^the flight digest is that of the parent$' branch "$a" --at 9.5s --from-start
expect 1 out '^branched from .* at 9\.504s \(the first boundary at or after 9\.501s\), nothing' \
  branch "$a" --at 9.501s

# A fault: another flight, which knows its parent and can be branched again.
expect 1 out '^  event branch_1$' branch "$a" --at 9.5s --event 'motor_off rotor=front_left' \
  --record "$b" --snapshots 1s
expect 1 out '"same_flight": true' branch "$b" --at 11s --json
expect 1 out '^  body.mass_kg=1.7$' branch "$a" --at 9.5s --set body.mass_kg=1.7

# Refusals say why.
expect 2 err 'no unit' branch "$a" --at 9
expect 2 err 'ends at 12s' branch "$a" --at 13s
expect 2 err 'lies before the branch at 9s' branch "$a" --at 9s --event 'at=8s do=marker'
expect 2 err 'at the start of a flight only' branch "$a" --at 9s --set initial.on_ground=false
expect 2 err 'the number of rotors was 4' branch "$a" --at 9s --set rotor.front_left.remove=true
expect 3 err 'exists already' branch "$a" --at 9s --record "$b"
expect 3 err 'no_such' branch "$work/no_such.h5" --at 9s

((failures == 0))
