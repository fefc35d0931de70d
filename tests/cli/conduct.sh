#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: doubles
#
# The verb `conduct` as a built program, with a stand-in of PX4: with a simulator of the user's, for
# a flight that waits, and for what cannot be conducted.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
px4=${TACTUS_DOUBLES:-}/double_px4_hil_client
simulator=${TACTUS_DOUBLES:-}/double_hil_simulator
[[ -x $px4 && -x $simulator ]] || { echo 'TACTUS_DOUBLES: no stand-ins there'; exit 77; }
nm -D "$px4" | grep -Eq '__(asan|tsan|msan)_init' && exit 77 # cannot be conducted

# ---- what cannot be conducted

printf 'int main() { return 0; }\n' | c++ -x c++ -static -o "$work/static" - 2>"$work/err" &&
  expect 3 err 'static: it is linked statically' conduct -- "$work/static"
expect 2 err 'PROGRAM is required' conduct
expect 2 err 'PROGRAM is required' conduct --
expect 3 err '^tactus: /nowhere/px4: there is no such file' conduct -- /nowhere/px4
expect 3 err '^tactus: no-such-program: ' conduct -- no-such-program
expect 3 err '^tactus: /tmp: ' conduct -- /tmp
expect 3 err '^tactus: /bin/sh: it uses sigsuspend\(\)' conduct -- /bin/sh -c true
expect 2 err '^tactus: --speed: 0 must be max or from' conduct --speed 0 -- true
expect 2 err '^tactus: --join excludes --speed' conduct --join /tmp --speed 2 -- true
expect 2 err 'no flight waits for a program at /nowhere' conduct --join /nowhere -- true
expect 2 err "no flight waits for a program at $work" conduct --join "$work" -- true

# Its exit code and its output are the program's.
expect 0 out '^hello there$' conduct -- echo hello there
expect 0 out '^TZ=UTC0$' conduct -- env
expect 1 err 'no-such-file' conduct -- cat no-such-file

# ---- with a simulator of the user's

# The ports of the instance are real ones, so it has to be one that nothing else has.
instance=$((100 + $$ % 80))
# with_simulator NAME OPTION...: a flight; how it went is in NAME.trace, decision by decision.
with_simulator() {
  local name=$1 got=0
  shift
  "$simulator" --patient --port $((4560 + instance)) --close-at 400 "$@" >"$work/simulator" &
  PX4_HIL_CLIENT='--boot-steps 0' TACTUS_CONDUCTOR_TRACE=$work/$name.trace \
    "$tactus" conduct -- "$px4" -i "$instance" >"$work/$name.out" 2>&1 || got=$?
  wait $! || true
  check "$name ends as the program does" test "$got" = 0
}
with_simulator first
with_simulator second --cut # its bytes one by one
check 'it has connected' grep -q '^connected$' "$work/first.out"
check 'it has flown' test "$(grep -c ' in ' "$work/first.trace")" -gt 400
check 'the same decisions again, however the bytes come' \
  cmp "$work/first.trace" "$work/second.trace"
with_simulator other --step-us 8000
check 'with another simulator others' test "$(cmp "$work/first.trace" "$work/other.trace")"

# ---- for a flight that waits

# waiting NAME: a flight of a program that the user starts; its `folder` and `digest`.
waiting() {
  local name=$1
  "$tactus" run iris --autopilot px4-sitl --wait --t-end 4s >"$work/$name.out" \
    2>"$work/$name.err" &
  local flight=$!
  for ((i = 0; i < 600; ++i)); do
    folder=$(sed -n 's/.*--join \([^ ]*\) -- .*/\1/p' "$work/$name.err" 2>/dev/null || true)
    [[ -z $folder ]] || break
    sleep 0.05
  done
  "$tactus" conduct --join "$folder" -- "$px4" >"$work/$name.px4" 2>&1 || true
  wait $flight || true
  digest=$(sed -n 's/^  digest  *//p' "$work/$name.out")
}
waiting first
check 'it was flown' test ${#digest} = 32
check 'it was armed' grep -q 'armed 1' "$work/first.px4"
once=$digest
waiting second
check 'the same flight again' test "$digest" = "$once"
check 'its folder is gone' test ! -e "$folder"
expect 2 err "no flight waits for a program at $folder" conduct --join "$folder" -- "$px4"

# ---- the end

# ends_with SIGNAL COMMAND...: a program that would stay for a minute ends when `tactus` gets this.
ends_with() {
  local signal=$1 child
  shift
  rm -f "$work/stays"
  PX4_HIL_CLIENT=--no-connect "$tactus" conduct -- "$@" >"$work/stays" 2>&1 &
  for ((i = 0; i < 600; ++i)); do
    grep -qs no-connect "$work/stays" && break
    sleep 0.05
  done
  child=$(pgrep -P $!)
  kill "-$signal" $!
  wait $! 2>/dev/null || true
  for ((i = 0; i < 200; ++i)); do
    [[ -e /proc/$child && $(sed 's/.*) //' "/proc/$child/stat") != Z* ]] || return 0
    sleep 0.05
  done
  return 1
}
check 'SIGINT ends both' ends_with INT "$px4"
check 'SIGTERM ends both' ends_with TERM "$px4"
check 'SIGTERM ends one that ignores it' ends_with TERM env --ignore-signal=TERM "$px4"
check 'SIGKILL ends both' ends_with KILL "$px4"

((failures == 0))
