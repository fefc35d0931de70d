#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: tactus_without_extras
#
# A campaign by mpirun: the digest of one process for one to four ranks, and what goes wrong ends.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
command -v mpirun >/dev/null || { echo "mpirun is not installed (openmpi-bin)"; exit 77; }

cat >"$work/drop.toml" <<'END'
extends = "ball_drop"
[design]
samples = 40
[[vary]]
key = "ball.mass_kg"
distribution = "uniform"
low = 1.0
high = 3.0
END
ranks() { # COUNT PROGRAM ARGS...
  local count=$1
  shift
  timeout -s KILL 300 mpirun --allow-run-as-root --oversubscribe -n "$count" "$@"
}

"$tactus" sweep "$work/drop.toml" --output "$work/alone.db" --quiet >"$work/alone"
if ! ranks 2 "$tactus" sweep "$work/drop.toml" --output "$work/2.db" --quiet >"$work/out" \
  2>"$work/err"; then
  grep -q 'built without MPI' "$work/err" || { cat "$work/err"; exit 1; }
  echo "this program is built without MPI (libopenmpi-dev)"
  exit 77
fi
check 'two ranks' diff "$work/alone" "$work/out"
for count in 1 3 4; do
  ranks "$count" "$tactus" sweep "$work/drop.toml" --output "$work/$count.db" --quiet >"$work/out"
  check "$count ranks" diff "$work/alone" "$work/out"
done

# An error of rank 0, and one of all, end.
got=0
ranks 3 "$tactus" sweep "$work/drop.toml" --output "$work/4.db" >"$work/out" 2>"$work/err" || got=$?
check 'the results exist' test "$got" = 3
check 'it says so once' test "$(grep -c 'exists; go on' "$work/err")" = 1
got=0
ranks 3 "$tactus" sweep "$work/none.toml" >"$work/out" 2>"$work/err" || got=$?
check 'no such campaign' test "$got" = 3

# Without MPI every process would fly the whole campaign.
got=0
ranks 2 "$(dirname "$tactus")/tactus_without_extras" sweep "$work/drop.toml" \
  --output "$work/none.db" >"$work/out" 2>"$work/err" || got=$?
check 'without MPI' grep -q 'built without MPI; install libopenmpi-dev' "$work/err"

exit "$((failures > 0))"
