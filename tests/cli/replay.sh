#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
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
expect 0 out "$same" replay "$low"
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
expect 0 out "$same" replay "$again"

# Another one is told, with what differs first.
expect 6 out '^It does not reproduce the recording, first at t = .*: .* ulp apart' \
  replay "$high" --plant --set solver.method=rk23
expect 6 out '^  wind +251  251 differ, first at t = 0s: wind\.' \
  replay "$high" --component wind --set seed=2
expect 6 out '^It does not reproduce the recording: [0-9]+ of [0-9]+ numbers differ' \
  replay "$high" --component battery --set pack.main.r0_ohm=0.02
expect 6 out '"reproduces": false' replay "$low" --plant --set body.mass_kg=1.6 --json

# Refusals say why.
expect 2 err 'record it with --tier 1' replay "$low" --component wind
expect 2 err 'there is no part "engine"' replay "$high" --live engine
expect 2 err 'excludes' replay "$high" --plant --live wind
expect 2 err 'body\.mass' replay "$high" --set body.mass=1
expect 3 err 'exists' replay "$low" --record "$again"
expect 3 err 'no_such' replay "$work/no_such.h5"

((failures == 0))
