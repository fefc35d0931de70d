# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by the tests of the built program: $tactus is set, $work is a scratch folder, `failures`
# counts.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect CODE STREAM PATTERN ARGS...: exit code, and a pattern on out or err.
expect() {
  local code=$1 stream=$2 pattern=$3 got=0
  shift 3
  "$tactus" "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
  if [[ $got != "$code" ]] || ! grep -Eq -- "$pattern" "$work/$stream"; then
    echo "tactus $*: exit code $got, expected $code and '$pattern' on std$stream:"
    cat "$work/out" "$work/err"
    failures=$((failures + 1))
  fi
}

# check TEXT COMMAND...: the command must succeed.
check() {
  local text=$1
  shift
  "$@" || {
    echo "failed: $text"
    failures=$((failures + 1))
  }
}

# wait_for FILE: until another process has made it, half a minute at most.
wait_for() {
  local i
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e $1 ]] || return 0
    sleep 0.05
  done
}
