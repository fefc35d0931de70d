#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The program as a new user meets it: help, version, mistakes, exit codes, pipes.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

expect 0 out '^tactus [0-9]+\.[0-9]+\.[0-9]+ \(commit ' --version
expect 0 out 'verify' --help
expect 0 out '--seeds' run --help
expect 0 out '--json' verify --help
expect 2 err 'no verb "fly_to_the_moon"' fly_to_the_moon
expect 2 err 'no verb "fly_to_the_moon"' fly_to_the_moon --help
expect 0 out 'Usage: tactus diff .*FILE \[FILE\]$' diff --help
expect 2 err '--no-such-option' verify --no-such-option
expect 2 err 'see .tactus verify --help' verify --no-such-option
expect 2 err 'no_such_case' verify --case no_such_case
expect 2 err 'see .tactus --help' ''

# An unknown word is named, also if something else is missing because of it.
expect 2 err 'no option --cvs; did you mean --csv\?.*see .tactus export --help' \
  export a.h5 --cvs a.csv
expect 2 err 'no option --tabel; did you mean --table\?' export --tabel=log
expect 2 err 'no option -x' repair -x
expect 2 err 'no option --sede; did you mean --seed\?' run default --sede 3
expect 2 err 'no option --sett; did you mean --set\?.*see .tactus spec check --help' \
  spec check default --sett a=1
expect 2 err 'no verb "rnu"; did you mean run\?' rnu
expect 2 err 'no verb "spec chek"; did you mean check\?' spec chek
expect 2 err 'no verb "spec wonder".*see .tactus spec --help' spec wonder
for verb in run bridge inspect export repair replay compare diff branch autopilots params verify \
  'spec check' 'spec show' 'spec new' 'spec keys' 'spec signals' 'spec import'; do
  # shellcheck disable=SC2086
  expect 2 err "no option --no-such-thing.*see .tactus $verb --help" $verb --no-such-thing
done

# A stack that is too small is told before it ends the program.
small_stack() {
  (
    ulimit -s 64
    "$tactus" run default 2>&1 || true
  ) | grep -q 'stack is limited to 64 KiB'
}
check 'a small stack is named' small_stack

# A trace is that of a program of others.
expect 2 err '--trace-autopilot: is for --autopilot px4-sitl and ardupilot' \
  run default --trace-autopilot "$work/a.trace"
expect 2 err '--trace-autopilot: only a program under the conductor' \
  run default --autopilot px4-sitl --free --trace-autopilot "$work/a.trace"

# Numbers that make no sense are refused with what is allowed.
for speed in 0 -1 nan inf 1e-16 1e300 1x ''; do
  expect 2 err '^tactus: --speed' run default --speed "$speed"
  expect 2 err '^tactus: --speed' bridge fleet_mixed --speed "$speed"
done
expect 2 err '--speed: "1e-16" must be max or from 0.001 to 1000000 times real time' \
  run --speed 1e-16
for seed in -1 9223372036854775808 18446744073709551615 1e3 1.0; do
  expect 2 err 'from 0 to 9223372036854775807' run --seed "$seed"
  expect 2 err 'from 0 to 9223372036854775807' run --seeds "0..$seed"
  expect 2 err '9223372036854775807|integer' spec check default --set "seed=$seed"
done
expect 2 err 'must count upwards, at most 1000000 seeds' run --seeds 5..4
expect 2 err 'must count upwards, at most 1000000 seeds' run --seeds 0..9223372036854775807
for time in 0 -1s nan inf 1e9s 99999999999999999999h 5 0.0000001s; do
  expect 2 err '--t-end' run --t-end "$time"
  expect 2 err '--log-period' run --log-period "$time"
done
expect 2 err 'time.end_s|--t-end' run --t-end 0s
for jobs in 0 -1 1e9 99999999999 x; do
  expect 2 err '--jobs' run --seeds 0..1 --jobs "$jobs"
  expect 2 err '--threads' bridge fleet_mixed --threads "$jobs"
done

# A reader that goes away ends the program without a complaint.
set +o pipefail
noise=$({ "$tactus" --help | true; } 2>&1)
[[ -z $noise ]] || { echo "closed pipe: $noise"; failures=$((failures + 1)); }

# Output that cannot be written is an error of the environment.
code=0
"$tactus" --help >/dev/full 2>"$work/err" || code=$?
[[ $code == 3 ]] || { echo "full disk: exit code $code, expected 3"; failures=$((failures + 1)); }
code=0
"$tactus" verify --list --json >/dev/full 2>"$work/err" || code=$?
[[ $code == 3 ]] || { echo "full disk, list: exit code $code, not 3"; failures=$((failures + 1)); }

# A message that cannot be written changes nothing about the exit code.
code=0
"$tactus" verify --case no_such_case 2>/dev/full || code=$?
[[ $code == 2 ]] || { echo "stderr full: exit code $code, expected 2"; failures=$((failures + 1)); }

expect 2 err '^tactus: --log is given more than once' run free_fall --log a.csv --log b.csv

# An option where a value is missing.
expect 2 err '^tactus: --log: needs a value, and --json is an option' run free_fall --log --json
check 'no file of that name' test ! -e --json

((failures == 0))
