#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: tactus_without_extras
#
# The program as ./run builds it where no extra is found (cmake/extras.cmake): what it lacks it
# says, with the way to get it, and the rest works. It stands beside the program that has all.
set -euo pipefail
complete=$1
tactus=$(dirname "$complete")/tactus_without_extras
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
[[ -x $tactus ]] || { echo "there is no $tactus; build the target tactus_without_extras"; exit 1; }

reason='built without SUNDIALS; install libsundials-dev and run ./run again'

# verify: skipped cases are in every list and fail nothing, unless they are asked for.
expect 0 out "^ +skipped: $reason\$" verify --list
check 'two cases are skipped' test "$(grep -c 'skipped: ' "$work/out")" = 2
expect 0 out "^  sundials_iris +skipped: $reason\$" verify
check 'the rest was compared' grep -Eq 'all within their limits, 2 skipped$' "$work/out"
check 'no line is wider than 120 columns' test -z "$(grep -E '^.{121}' "$work/out")"
expect 3 err "case \"sundials_iris\" cannot run: $reason" verify --case kepler --case sundials_iris
check 'nothing was run' test ! -s "$work/out"
expect 0 out '"skipped": null' verify --case kepler --json
expect 0 out "\"skipped\": \"$reason\"" verify --list --json
expect 0 out '1 case, [0-9]+ comparisons?: all within their limits$' verify --case kepler

# compare: the default reference is our own; the one that is lacking is refused before it flies.
"$tactus" run iris_prior_art --t-end 1s --record "$work/flight.h5" --quiet || true
expect 0 out '^reference: rk45 1e-10, ' compare "$work/flight.h5" --solvers rk45
expect 3 err "reference sundials: $reason; or use --reference rk45" \
  compare "$work/flight.h5" --reference sundials --csv "$work/table.csv"
check 'nothing was written' test ! -e "$work/table.csv"
expect 0 out 'sundials: not in this program' compare --help

# Both are one program but for the extras: the same flight, bit for bit.
"$tactus" run default --t-end 5s --json >"$work/without" || true
"$complete" run default --t-end 5s --json >"$work/with" || true
digest() { grep -m 1 '"flight_digest"' "$1"; }
check 'the same flight' diff <(digest "$work/without") <(digest "$work/with")

((failures == 0))
