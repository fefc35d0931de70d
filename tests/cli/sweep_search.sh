#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: some hundred flights
#
# `sweep search` on the shipped example. What it has to find is known from a grid of 216 flights, of
# speeds to the north from -9 to 9 m/s and of starts from 6 to 16 s: of its failures the nearest to
# the middle, 1.31 standard deviations away, is 5 m/s from the north from 9.0 s on; 4 m/s from there
# never fail, and from the south 7 m/s never do.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
campaign=$(dirname "${BASH_SOURCE[0]}")/../../examples/campaigns/gust_by_the_fence.toml

# is LOW VALUE HIGH
is() { awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(low < value && value < high) }'; }

expect 0 out '^gust_by_the_fence: smallest failure of fence, 199 flights' sweep search "$campaign" \
  --margin fence --flights 199 --jobs 1 --output "$work/one.db"
digest=$(tail -n 1 "$work/out")
smallest=$(sed -n '/^smallest failure/,/^worst margin/p' "$work/out")
value_of() { sed -n "s/^  key .*$1 *\\([-0-9.e+]*\\).*/\\1/p" <<<"$smallest"; }
sample=$(sed -n 's/^smallest failure: sample \([0-9]*\),.*/\1/p' <<<"$smallest")
distance=$(sed -n 's/^smallest failure.*distance \([0-9.]*\) .*/\1/p' <<<"$smallest")
check 'it comes from the north' is -5.0 "$(value_of 'm_s\[0\]')" -4.0
check 'and hardly from the side' is -0.7 "$(value_of 'm_s\[1\]')" 0.7
check 'as it arrives' is 8.5 "$(value_of at_s)" 9.7
check 'nearer than all of the grid' is 0.8 "$distance" 1.31

# One answer for any number of threads, and for a search that goes on.
expect 0 out '^content digest ' sweep search "$campaign" --margin fence --flights 40 --jobs 1 \
  --quiet --output "$work/two.db"
expect 0 out "^$digest\$" sweep search "$campaign" --margin fence --flights 199 --jobs 2 --quiet \
  --output "$work/two.db" --resume

# Its samples are samples of a campaign.
expect 0 out '^the same as in the table$' sweep fly "$work/one.db" --sample "$sample"
expect 0 out '^ *[0-9]+ failed ' sweep worst "$work/one.db" -k 1
expect 0 out 'chosen and not drawn' sweep stats "$work/one.db"
expect 0 out 'margin   fence' sweep show "$work/one.db" --sample "$sample"

expect 0 out '"goal": "worst margin of any expectation"' sweep search "$campaign" --worst \
  --flights 10 --json --output "$work/worst.db"
expect 2 err 'holds a search: worst margin of any expectation and not a search: smallest failure' \
  sweep search "$campaign" --flights 10 --output "$work/worst.db" --resume
expect 2 err 'and not samples of a design' sweep "$campaign" --samples 10 --resume \
  --output "$work/worst.db"
expect 2 err 'no such expectation; did you mean fence' sweep search "$campaign" --margin fense
expect 2 err 'nothing to search in; give \[\[vary\]\]' sweep search \
  "$(dirname "$campaign")/../../scenarios/calm.toml" --output "$work/none.db"

if command -v mpirun >/dev/null; then
  timeout -s KILL 300 mpirun --allow-run-as-root --oversubscribe -n 2 "$tactus" sweep search \
    "$campaign" --output "$work/none.db" >"$work/out" 2>&1 || true
  check 'mpirun is refused' grep -Eq 'start it without mpirun|built without MPI' "$work/out"
  check 'and nothing was written' test ! -e "$work/none.db"
fi

exit "$((failures > 0))"
