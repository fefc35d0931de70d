#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The program as a stranger meets it: help, version, mistakes, exit codes, pipes.
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

((failures == 0))
