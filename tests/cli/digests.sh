#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A few flights of the built program have the committed digests, so that a change of bits shows at
# once; tests/same_bits flies all of them, from several compilers.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
expected=$(dirname "${BASH_SOURCE[0]}")/../same_bits/expected_flights.txt

for scenario in default rover_square instruments motor_faults free_fall battery_failsafe; do
  digest=$(awk -v name="$scenario" '$1 == name { print $2 }' "$expected")
  expect 0 out "^  digest +${digest:?is not in expected_flights.txt}\$" run "$scenario"
done
((failures == 0))
