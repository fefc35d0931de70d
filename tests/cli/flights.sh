#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: flies every shipped scenario
#
# Same bits, as a user sees them: the flight and its log do not depend on who looks on, how fast it
# is flown, on which thread or from which folder; and every scenario is the one of
# tests/same_bits/expected_flights.txt.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
expected=$root/tests/same_bits/expected_flights.txt

digest_of() { # ARGS...: of a flight, also of one that does not pass
  { "$tactus" run "$@" --json 2>/dev/null || true; } |
    sed -n 's/^ *"flight_digest": "\([0-9a-f]*\)".*/\1/p'
}

# same DIGEST TEXT ARGS...: the flight must have that digest.
same() {
  local digest=$1 text=$2 got
  shift 2
  got=$(digest_of "$@")
  check "$text: digest ${got:-none} is not $digest: tactus run $*" test "$got" = "$digest"
}

# Every scenario is the committed one.
while read -r name digest _; do
  same "$digest" 'not the committed flight' "$name"
done <"$expected"
default=$(awk '$1 == "default" {print $2}' "$expected")
check 'the default flight is committed' test -n "$default"

# Two flights, byte for byte; also with copies of all files in another folder.
expect 0 out "^  digest +$default\$" run --log "$work/a.csv"
expect 0 out "^  digest +$default\$" run --log "$work/b.csv"
check 'the same bytes again' cmp "$work/a.csv" "$work/b.csv"
check 'the log has its rows' test "$(wc -l <"$work/a.csv")" -gt 3000
mkdir "$work/elsewhere"
cp -r "$root/aircraft" "$root/missions" "$root/scenarios" "$work/elsewhere"
(cd "$work/elsewhere" &&
  "$tactus" run scenarios/default.toml --quiet --log "$work/c.csv")
check 'the same bytes from another folder' cmp "$work/a.csv" "$work/c.csv"

# Observing is free.
same "$default" 'checked by a saved copy at every boundary' --validate
same "$default" 'rows at 250 Hz' --log "$work/log.csv" --log-period 4ms
same "$default" 'rows at 50 Hz' --log "$work/log.csv" --log-period 20ms
same "$default" 'no rows' --set log.period_s=0
same "$default" 'interpolated rows at 333 Hz' \
  --log "$work/log.csv" --log-period 3003us --set log.mode=interpolate
check 'they were written' test "$(wc -l <"$work/log.csv")" -gt 24900
same "$default" 'interpolated rows, checked by a saved copy' \
  --validate --log "$work/log.csv" --log-period 3003us --set log.mode=interpolate

# The clock on the wall does not matter.
short=$(digest_of --t-end 6s)
check 'a shorter flight is another one' test "${short:-$default}" != "$default"
same "$short" 'flown at four times real time' --t-end 6s --speed 4
same "$short" 'flown at a thousand times real time' --t-end 6s --speed 1000

# Neither does the thread; every seed is a flight of its own.
expect 0 out '^default: seeds 0\.\.3: 4 passed' run --seeds 0..3 --jobs 1
cp "$work/out" "$work/one_job"
expect 0 out '^default: seeds 0\.\.3: 4 passed' run --seeds 0..3 --jobs 4
check 'the same output from four threads' cmp "$work/one_job" "$work/out"
"$tactus" run --seeds 0..3 --jobs 4 --json >"$work/seeds.json"
mapfile -t digests < <(sed -n 's/^ *"flight_digest": "\([0-9a-f]*\)".*/\1/p' "$work/seeds.json")
check 'four seeds, four flights' test "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" = 4
for seed in 0 1 2 3; do
  same "${digests[seed]}" "seed $seed alone" --seed "$seed"
done

((failures == 0))
