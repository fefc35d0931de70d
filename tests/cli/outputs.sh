#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: flies once per output
#
# Outputs of the built program that others disturb: two programs with the same ones, signals of
# every kind, files that are removed or replaced in flight. Inputs that may not be read, and those
# of the wrong kind.
set -euo pipefail
tactus=$(realpath "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
cd "$work"

no_parts() { ! compgen -G '*.part' >/dev/null; }
# wait_for COMMAND...: until it succeeds, 20 s at most.
wait_for() {
  for ((i = 0; i < 2000; ++i)); do
    if "$@" 2>/dev/null; then return 0; fi
    sleep 0.01
  done
  return 1
}
reserved() { compgen -G "${1:-.}/*.part" >/dev/null; }

# race NAME COUNT ARGS...: that many programs at once, of which exactly one may get through.
race() {
  local name=$1 count=$2 i code won=0 refused=0 pids=()
  shift 2
  for ((i = 0; i < count; ++i)); do
    "$tactus" "$@" >"told.$i" 2>&1 </dev/null &
    pids+=($!)
  done
  for ((i = 0; i < count; ++i)); do
    code=0
    wait "${pids[i]}" || code=$?
    if ((code <= 1)); then won=$((won + 1)); fi # flown; some of the flights fail
    if ((code == 3)) && grep -Eq 'another program is writing|exists already' "told.$i"; then
      refused=$((refused + 1))
    fi
  done
  if ((won != 1 || won + refused != count)); then
    echo "failed: $name: $won of $count got through, $refused were refused:"
    tail -n 2 told.*
    failures=$((failures + 1))
  fi
  check "$name: no unfinished file is left" no_parts
}
for round in 1 2 3; do
  rm -f race.h5 race.xml race.csv
  race "round $round" 4 run free_fall --quiet --record race.h5 --junit race.xml --log race.csv
  check "round $round: one report, that of the flight" grep -q 'errors="0"' race.xml
  race "bridge, round $round" 3 \
    bridge fleet_twins --set time.end_s=0.2 --quiet --record "fleet$round"
  expect 0 out 'state +complete' inspect "fleet$round/vehicle_0.h5"
  check "bridge, round $round: nothing unfinished" test -z "$(find "fleet$round" -name '*.part')"
done
# The second one says at once that the first is at work, whatever it has named already.
"$tactus" run hover_24h --speed 4 --record first.h5 --junit first.xml --log first.csv --quiet \
  >first 2>&1 </dev/null &
first=$!
check 'the first one has begun' wait_for test -e first.h5 -a -e first.csv
for option in --record\ first.h5 --junit\ first.xml --log\ first.csv; do
  # shellcheck disable=SC2086
  expect 3 err 'another program is writing this file' run free_fall $option
done
expect 3 err '--junit first.xml: another program' \
  run free_fall --junit first.xml --record second.h5 --log second.csv
check 'the second has created nothing' test ! -e second.h5 -a ! -e second.csv
kill -INT $first
code=0
wait $first || code=$?
check "the first one is not disturbed (exit code $code)" test "$code" = 130 -a -s first.xml
expect 0 out 'INCOMPLETE: the run was stopped' inspect first.h5

# Two repairs of one file at once: one repairs it, and nothing else is left.
"$tactus" run hover_24h --speed 200 --record cut.h5 --quiet >cut.out 2>&1 </dev/null &
cut=$!
has_block() { "$tactus" inspect cut.h5 | grep -Eq 'incomplete|INCOMPLETE.*[1-9]s'; }
check 'it records' wait_for has_block
kill -KILL $cut
wait $cut 2>/dev/null || true
cp cut.h5 whole_cut.h5
pids=()
for i in 1 2 3 4; do
  "$tactus" repair cut.h5 >"repair.$i" 2>&1 &
  pids+=($!)
done
repaired=0
for i in 1 2 3 4; do
  code=0
  wait "${pids[i - 1]}" || code=$?
  if ((code == 0)) && grep -q 'repaired; ' "repair.$i"; then repaired=$((repaired + 1)); fi
  check "repair $i ends with 0 or 3, not $code" test "$code" = 0 -o "$code" = 3
done
check 'one of four repairs it' test "$repaired" = 1
check 'no repair leaves a file' test -z "$(compgen -G '*.repaired' || compgen -G '*.part' || true)"
expect 0 out 'nothing to repair' repair cut.h5
ln -s whole_cut.h5 link.h5
cp whole_cut.h5 before.h5
expect 3 err 'link.h5 is a symbolic link' repair link.h5
check 'what the link leads to is as it was' cmp whole_cut.h5 before.h5

# Every signal that can be handled leaves nothing unfinished behind.
for signal in QUIT USR1 USR2 ALRM VTALRM PROF IO PWR XCPU ABRT SEGV BUS FPE ILL SYS TRAP 40; do
  mkdir "on_$signal"
  (ulimit -c 0 && cd "on_$signal" &&
    exec "$tactus" run hover_24h --speed 4 --quiet --junit a.xml) >out 2>err </dev/null &
  pid=$!
  check "SIG$signal: it has begun" wait_for reserved "on_$signal"
  kill -s "$signal" $pid
  code=0
  wait $pid 2>/dev/null || code=$?
  check "SIG$signal ends it, as a signal (exit code $code)" test "$code" -gt 128
  check "SIG$signal leaves nothing" test -z "$(ls "on_$signal")"
done
# Verbs that do not fly.
"$tactus" run default --t-end 30s --tier 1 --record long.h5 --quiet 2>err || true
for verb in 'export long.h5 --csv out.csv' 'repair long.h5 --out out.h5' \
  'compare long.h5 --svg out.svg --csv out.csv' 'replay long.h5 --record out.h5'; do
  for signal in INT TERM HUP QUIT; do
    rm -f out.csv out.h5 out.svg
    # shellcheck disable=SC2086
    "$tactus" $verb >out 2>err </dev/null &
    pid=$!
    sleep 0.05
    kill -s $signal $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    check "$verb on SIG$signal leaves nothing unfinished" no_parts
  done
done

# A file that is not there any more, or is another one, is told, and where the data are.
disturbed() { # DISTURBANCE PATTERN OPTION FILE
  local code=0
  rm -rf there && mkdir there
  "$tactus" run hover_24h --speed 4 "$3" "there/$4" >out 2>err </dev/null &
  local pid=$!
  check "$3: it has begun" wait_for test -n "$(wait_for compgen -G 'there/*' || true)"
  [[ $3 == --junit ]] || wait_for test -e "there/$4"
  (cd there && eval "$1")
  kill -INT $pid
  wait $pid || code=$?
  check "$3, '$1': exit code 3, not $code" test "$code" = 3
  check "$3, '$1': $2" grep -Eq "$2" err
}
for output in '--record a.h5' '--log a.csv'; do
  # shellcheck disable=SC2086
  disturbed 'rm a.*' 'there/a\..*: another program has removed or replaced .* is lost' $output
  # shellcheck disable=SC2086
  disturbed 'rm a.*; echo else >a.h5; echo else >a.csv' 'removed or replaced' $output
  # shellcheck disable=SC2086
  disturbed 'mv a.* b' 'moved this file .* is in .*there/b' $output
done
# A branch tells what it has flown, too.
code=0
(ulimit -f 40 && exec "$tactus" branch long.h5 --at 5s --log branch.csv) >out 2>err || code=$?
check "branch without room: exit code 3, not $code" test "$code" = 3
"$tactus" branch long.h5 --at 5s --record branch.h5 >out 2>err </dev/null &
pid=$!
check 'the branch has begun' wait_for test -e branch.h5
rm branch.h5
code=0
wait $pid || code=$?
check "a branch whose recording was removed: exit code 3, not $code" test "$code" = 3
check 'and its outcome' grep -q '^branched from long.h5' out
disturbed 'rm *.part' 'removed or replaced' --junit a.xml
disturbed 'rm -r ../there' 'is lost' --record a.h5

# Why a file cannot be read.
mkdir closed open
"$tactus" spec show free_fall >closed/a.toml
cp closed/a.toml open/a.toml
cp before.h5 closed/a.h5
cp before.h5 open/a.h5
printf 'QGC WPL 110\n' | tee closed/a.waypoints >open/a.waypoints
as_other=()
if ((EUID == 0)); then
  chmod 711 "$work"
  chown 65534 .
  as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
chmod 000 closed open/a.*
denied() { # PATTERN ARGS...
  local pattern=$1 code=0
  shift
  "${as_other[@]}" "$tactus" "$@" >out 2>err </dev/null || code=$?
  if ((code != 3)) || ! grep -Eq "$pattern" err || grep -q 'no such file' err; then
    echo "tactus $*: exit code $code, expected 3 and '$pattern':"
    cat err
    failures=$((failures + 1))
  fi
}
if ((EUID == 0)) && ! "${as_other[@]}" "$tactus" --version >out 2>err; then
  echo 'SKIPPED: files that may not be read: another user cannot start the program'
else
  for folder in closed open; do
    denied 'Permission denied' run $folder/a.toml
    denied 'Permission denied' spec check $folder/a.toml
    denied 'Permission denied' bridge $folder/a.toml
    denied 'Permission denied' inspect $folder/a.h5
    denied 'Permission denied' replay $folder/a.h5
    denied 'Permission denied' run free_fall --mission $folder/a.waypoints
  done
  denied 'Permission denied' run default --autopilot ardupilot --ardupilot-bin closed/a.toml
fi
chmod 755 closed
chmod 644 closed/a.* open/a.*
expect 3 err 'closed: is a folder' run closed
expect 3 err './closed: is a folder' spec check ./closed
expect 3 err 'closed: .*is a folder' bridge closed
expect 2 err '--mission closed: is a folder' run default --mission closed
expect 3 err 'there is no such file' run ./missing.toml

# A file of the wrong kind is called by its name, and so is the verb that takes it.
"$tactus" run free_fall --record f.h5 --log f.csv --quiet
"$tactus" run free_fall --log plain.csv --log-plain --quiet
printf 'ULog\001\022\065\001rest' >f.ulg
printf '{\n    "fileType": "Plan",\n    "version": 1\n}\n' >f.plan
printf 'QGC WPL 110\n' >f.waypoints
printf '<?xml version="1.0"?>\n' >f.xml
printf 'name = "two"\n\n[[simulator]]\nname = "a"\n' >fleet.toml
"$tactus" spec show free_fall >spec.toml
for verb in run 'spec check' 'spec show' bridge; do
  # shellcheck disable=SC2086
  for case in 'f.h5 .*recordings are; `tactus inspect`' 'f.csv .*a table of Tactus' \
    'plain.csv .*a table of Tactus' 'f.ulg .*a ULog, the log of PX4' 'f.plan .*--mission' \
    'f.waypoints .*--mission' 'f.xml .*XML'; do
    expect 2 err "${case#* }" $verb "${case%% *}"
    check "$verb ${case%% *}: one line" test "$(wc -l <err)" = 1
  done
done
for verb in run 'spec check' 'spec show'; do
  # shellcheck disable=SC2086
  expect 2 err 'this is a fleet.*`tactus bridge` flies it' $verb ./fleet.toml
done
expect 2 err 'this is no fleet.*`tactus run`' bridge spec.toml
printf 'extends = "f.ulg"\n' >extends.toml
expect 2 err 'f.ulg.*a ULog' run extends.toml
for verb in inspect replay compare repair 'diff f.h5' 'branch --at 1s'; do
  # shellcheck disable=SC2086
  {
    expect 2 err 'is not a recording: .*`tactus run` flies specs' $verb spec.toml
    expect 2 err 'is not a recording: .*`tactus bridge` flies fleets' $verb fleet.toml
    expect 2 err 'is not a recording: .*`tactus run --mission`' $verb f.plan
    expect 2 err 'is not a recording: .*a table of Tactus' $verb f.csv
  }
done
expect 2 err 'not a mission.*`tactus inspect`' run default --mission f.h5
expect 2 err 'not a mission.*a ULog' run default --mission f.ulg

# Hidden characters of a name do not reach the terminal.
hidden=$'\u202e\u2066\u061c\u2028\u200f\u0085'
hides() { ! grep -qF -e $'\u202e' -e $'\u2066' -e $'\u061c' -e $'\u2028' -e $'\u0085' "$1"; }
expect 3 err '\\xe2\\x80\\xae' run "./$hidden.toml"
check 'a message has nothing hidden' hides err
expect 2 err '\\xe2\\x80\\xae' run free_fall --set "$hidden=1"
check 'a message about a key has nothing hidden' hides err
printf 'extends = "free_fall"\nname = "a\\u202e\\u2066\\u061c\\u2028"\n' >hidden.toml
"$tactus" run hidden.toml --record hidden.h5 --junit hidden.xml --log hidden.csv >out
check 'a summary has nothing hidden' hides out
"$tactus" run hidden.toml --json >out
check 'a summary as JSON has nothing hidden, and says the same' python3 - out <<'PYTHON'
import json
import sys

text = open(sys.argv[1], encoding="utf-8").read()
assert "\u202e" not in text and "\u2028" not in text
assert "a\u202e\u2066\u061c\u2028" in json.dumps(json.loads(text), ensure_ascii=False)
PYTHON
"$tactus" spec show hidden.toml >shown.toml
check 'a spec that is shown has nothing hidden' hides shown.toml
expect 0 out 'ok' spec check shown.toml
for verb in inspect replay 'diff hidden.h5'; do
  # shellcheck disable=SC2086
  "$tactus" $verb hidden.h5 >out
  check "$verb has nothing hidden" hides out
done
check 'files have nothing hidden' hides hidden.xml
check 'nor have logs' hides hidden.csv

((failures == 0))
