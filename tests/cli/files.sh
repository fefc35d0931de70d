#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: a flight per file that is in the way
#
# Files of the built program: links and files that are in the way, outputs that are inputs, what is
# no recording, names that are no UTF-8, signals, closed pipes and full disks.
set -euo pipefail
tactus=$(realpath "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
cd "$work"
python=python3
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3

is_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"; }
is_xml() { python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"; }
no_parts() { ! compgen -G '*.part' >/dev/null; }

# Nothing that is there is written to, under whatever name.
echo precious >victim
ln -s victim new.h5.part
ln -s victim link.csv
ln -s nowhere dangling.h5
echo precious >taken.h5.part
expect 0 out passed run free_fall --record new.h5
expect 0 out passed run free_fall --record taken.h5
expect 3 err '--log link.csv is a symbolic link' run free_fall --log link.csv
expect 3 err '--junit link.csv is a symbolic link' run free_fall --junit link.csv
expect 3 err '--record dangling.h5 is a symbolic link that leads nowhere' \
  run free_fall --record dangling.h5
expect 3 err 'link.csv is a symbolic link' export new.h5 --csv link.csv --force
expect 3 err 'dangling.h5 is a symbolic link' repair new.h5 --out dangling.h5
mkfifo pipe
mkdir folder
for option in --record --log; do
  expect 3 err 'pipe exists and is no plain file' run free_fall $option pipe
  expect 3 err 'folder is a folder' run free_fall $option folder
done
expect 3 err '/dev/null exists and is no plain file' run free_fall --record /dev/null
# What the shell has opened is written on as it stands.
echo first >both
"$tactus" export new.h5 --csv /dev/stdout --plain >>both
check 'the file is appended to' grep -qx first both
check 'the table begins with its head' test "$(sed -n 2p both | cut -c 1-8)" = time_us,
shared=$(mktemp -p /dev/shm tactus_link.XXXXXX) # a folder for all below /dev
ln -sf "$PWD/victim" "$shared"
expect 3 err 'is a symbolic link' run free_fall --log "$shared"
rm -f "$shared"
check 'the victim is as it was' test "$(cat victim)" = precious
check 'a file beside it is as it was' test "$(cat taken.h5.part)" = precious
check 'no link was followed' test ! -e nowhere
name=$(printf 'x%.0s' {1..252}).h5
expect 0 out passed run free_fall --record "$name"
rm -f "$name" new.h5.part taken.h5.part

# An output is none of the inputs and no other output, by inode.
cp "$(dirname "$tactus")/../../scenarios/default.toml" . 2>/dev/null ||
  "$tactus" spec show default >default.toml
cat >mission.waypoints <<'END'
QGC WPL 110
0 1 0 16 0 0 0 0 47.397742 8.545594 488 1
1 0 3 22 0 0 0 0 47.397742 8.545594 10 1
2 0 3 21 0 0 0 0 47.397742 8.545594 0 1
END
printf 'extends = "default"\n' >base.toml
printf '%s\n' 'extends = "base.toml"' 'autopilot.mission = "mission.waypoints"' 'time.end_s = 1.0' \
  >own.toml
sha256sum own.toml base.toml mission.waypoints >sums
ln own.toml hard.toml
ln -s own.toml soft.toml
for option in --log --junit; do
  for output in own.toml ./own.toml "$work/own.toml" hard.toml soft.toml; do
    expect 2 err "^tactus: $option .*own.toml name the same file|hard.toml and SPEC own.toml" \
      run own.toml $option "$output"
  done
  expect 2 err "$option base.toml and extends base.toml name the same file" \
    run own.toml $option base.toml
  expect 2 err "$option .* and autopilot.mission .*mission.waypoints name the same file" \
    run own.toml $option mission.waypoints
  expect 2 err "$option .*waypoints name the same file" \
    run default --mission mission.waypoints $option mission.waypoints
  expect 2 err '--record.*--log.*name the same file|--junit.*--record.*name the same file' \
    run own.toml --record "out$option" $option "./out$option"
done
expect 2 err '--junit .*own.toml name the same file' run own.toml --seeds 0..1 --junit own.toml
expect 2 err '--record own.toml and SPEC own.toml name the same file' run own.toml --record own.toml
expect 2 err '--log new.h5 and RECORDING new.h5' branch new.h5 --at 1s --log new.h5
expect 2 err '--csv ./new.h5 and FILE new.h5' export new.h5 --csv ./new.h5 --force
expect 2 err '--svg new.h5 and FILE new.h5' compare new.h5 --svg new.h5 --force
expect 2 err '--svg x and --csv x name the same file' compare new.h5 --csv x --svg x
expect 2 err '--record new.h5 and FILE new.h5' replay new.h5 --record new.h5
check 'all inputs are as they were' sha256sum --quiet -c sums
check 'nothing was created' test ! -e x -a ! -e out--log -a ! -e out--junit

# An older log or report stays until the new one is whole.
echo old >old.csv
ln old.csv older.csv
expect 5 err 'altitude' run free_fall --log old.csv --t-end 60s \
  --set 'initial.position_ned_m=[0.0, 0.0, -80000.0]' \
  --set 'initial.velocity_ned_m_s=[0.0, 0.0, -400.0]'
check 'a run that stopped has its log' grep -q 'digest=incomplete' old.csv
check 'another name keeps what it had' grep -qx old older.csv
for option in --log --junit; do
  echo old >kept
  code=0
  (ulimit -f 0 && exec "$tactus" run free_fall --quiet $option kept 2>&1) | cat >err || code=$?
  check "$option without room: exit code 3" test "$code" = 3
  check "$option without room: one message" test "$(grep -c 'kept.*File too large' err)" = 1
  check "$option without room: the older file stays" grep -qx old kept
done
expect 3 err '/dev/full: cannot be written: No space' export new.h5 --csv /dev/full --table wind
check 'pipes and devices are written as they are' \
  test "$("$tactus" run free_fall --quiet --junit /dev/stdout | grep -c '<testsuite ')" = 1
check 'no unfinished file is left' no_parts

# A file that another program truncates while it is written is told, and nothing waits for ever.
"$tactus" run standby --speed 20 --t-end 60s --quiet --record cut.h5 2>cut.err &
pid=$!
wait_for cut.h5
: >cut.h5
code=0
wait "$pid" || code=$?
check 'truncated: exit code 3' test "$code" = 3
check 'truncated: told' grep -q 'cut.h5: .*another program has truncated it' cut.err

# What is no recording is said at once.
expect 2 err 'pipe is no plain file and not a recording' inspect pipe
expect 2 err 'folder is a folder and not a recording' inspect folder
expect 2 err '/dev/zero is no plain file' replay /dev/zero
expect 2 err 'pipe is no plain file' diff new.h5 pipe

# Recordings that reach out of themselves, or claim more than they hold.
"$python" - <<'PYTHON'
import shutil

import h5py
import numpy as np

WIND = "/signals/wind/velocity_ned_m_s"

def changed(name):
    shutil.copy("new.h5", name)
    return h5py.File(name, "r+")

with changed("external.h5") as f:
    del f[WIND]
    f[WIND] = h5py.ExternalLink("/etc/passwd", WIND)
with changed("external_group.h5") as f:
    del f["/signals"]
    f["/signals"] = h5py.ExternalLink("new.h5", "/signals")
with changed("soft.h5") as f:
    f.move(WIND, "/elsewhere")
    f[WIND] = h5py.SoftLink("/elsewhere")
with changed("loop.h5") as f:
    del f["/signals"]
    f["/signals"] = h5py.SoftLink("/signals")
with changed("cycle.h5") as f:
    f["/signals/again"] = f["/signals"]  # ignored, as every object that is not known
with changed("storage.h5") as f:
    shape, kind = f[WIND].shape, f[WIND].dtype
    del f[WIND]
    f.create_dataset(WIND, shape, kind, external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])
with changed("virtual.h5") as f:
    shape, kind = f[WIND].shape, f[WIND].dtype
    del f[WIND]
    layout = h5py.VirtualLayout(shape, kind)
    layout[:] = h5py.VirtualSource("new.h5", WIND, shape)
    f.create_virtual_dataset(WIND, layout)
with changed("filter.h5") as f:
    data = f[WIND][:]
    del f[WIND]
    f.create_dataset(WIND, data=data, chunks=(64, 3), compression="lzf")
with changed("rows.h5") as f:
    f[WIND].resize(1 << 60, axis=0)
with changed("bomb.h5") as f:
    del f["/meta/spec"]
    f.create_dataset("/meta/spec", data=np.zeros(1 << 14, "S65536"), chunks=(1 << 10,),
                     shuffle=True, compression=9, fletcher32=True)
with changed("many.h5") as f:
    for i in range(3000):
        f["/signals"].attrs[f"a{i}"] = i
    group = f
    for i in range(3000):
        group = group.create_group("g")
PYTHON
expect 2 err 'external.h5: /signals/wind/velocity_ned_m_s is a link to somewhere else' \
  inspect external.h5
expect 2 err 'external_group.h5: /signals is a link' replay external_group.h5
expect 2 err 'soft.h5: .*is a link' inspect soft.h5
expect 2 err 'loop.h5: /signals is a link' inspect loop.h5
expect 0 out complete inspect cycle.h5
expect 2 err 'storage.h5: .*is not stored as recordings are' inspect storage.h5
expect 2 err 'virtual.h5: .*is not stored as recordings are' inspect virtual.h5
expect 2 err 'filter.h5: .*(not stored as recordings are|attribute)' inspect filter.h5
expect 2 err 'rows.h5: .*claims more rows than the file has room for' inspect rows.h5
expect 2 err 'bomb.h5' inspect bomb.h5
expect 0 out complete inspect many.h5

# Names that are no UTF-8, control characters, XML's own characters: valid documents, and a
# recording that replays.
bad=$'b\xff\x1b[2J<&">\n\xef\xbf\xbe'
mkdir "$bad" && cp own.toml base.toml mission.waypoints "$bad" && cp own.toml "$bad/$bad.toml"
for mode in "" --json; do
  # shellcheck disable=SC2086
  "$tactus" run "$bad/$bad.toml" $mode --record "$bad/$bad.h5" --log "$bad/$bad.csv" \
    --junit "$bad/$bad.xml" >out 2>err && code=0 || code=$?
  check "a bad name flies (exit code $code)" test "$code" -le 1
  check 'no escape sequence on the terminal' test -z "$(tr -cd '\001-\010\013-\037' <out)"
  [[ -z $mode ]] || check 'its summary is JSON' is_json out
  check 'its report is XML' is_xml "$bad/$bad.xml"
  check 'its log is UTF-8 with two lines of comment' \
    test "$(iconv -f utf-8 -t utf-8 "$bad/$bad.csv" | grep -c '^#')" = 2
  for verb in inspect replay "compare --t-end 0.5s"; do
    # shellcheck disable=SC2086
    expect 0 out . $verb "$bad/$bad.h5" --json
    check "$verb: JSON" is_json out
  done
  expect 0 out 'b\\xff\\x1b\[2J' inspect "$bad/$bad.h5"
  check 'inspect: no escape sequence' test -z "$(tr -cd '\033' <out)"
  expect 0 out . diff "$bad/$bad.h5" "$bad/$bad.h5" --json
  check 'diff: JSON' is_json out
  rm "$bad/$bad.h5"
done
expect 3 err 'b\\xff\\x1b' run "$bad/none.toml"
check 'a message has no escape sequence' test -z "$(tr -cd '\033' <err)"
expect 2 err '\\xff' "$bad"
printf 'name = "a\\u0000"\nextends = "own.toml"\n' >odd.toml
expect 2 err 'odd.toml:1:.*cannot hold the character U.0000' run odd.toml
printf 'name = "a\\u001b[31m\\u009b\\ufffe<&"\nextends = "own.toml"\n' >odd.toml
"$tactus" run odd.toml --json --junit odd.xml --record odd.h5 >out 2>err || true
check 'odd characters in a spec: JSON' is_json out
check 'odd characters in a spec: XML' is_xml odd.xml
expect 0 out . replay odd.h5
"$tactus" branch odd.h5 --at 0.5s --record odd_branch.h5 --json >out 2>err || true
check 'a branch of it: JSON' is_json out
expect 0 out . replay odd_branch.h5
"$tactus" run odd.toml >out 2>&1 || true
check 'odd characters in a spec: no escape sequence' test -z "$(tr -cd '\033' <out)"
"$tactus" run "$bad/$bad.toml" --seeds 0..1 --json --junit seeds.xml >out 2>err || true
check 'seeds: JSON' is_json out
check 'seeds: XML' is_xml seeds.xml
cp mission.waypoints $'m\xff.waypoints'
expect 2 err 'a spec names files in UTF-8' run own.toml --mission $'m\xff.waypoints'
(cd "$bad" && "$tactus" run --t-end 1s --mission mission.waypoints --record m.h5) >out || true
expect 0 out . replay "$bad/m.h5"
printf 'name = "\xff"\n' >bytes.toml
expect 2 err '^tactus: bytes.toml:' spec check bytes.toml

# A closed terminal, Ctrl-C, kill: the file is closed. Under nohup a terminal may close.
for signal in HUP INT TERM; do
  code=0
  timeout --preserve-status -s $signal 1 "$tactus" run hover_24h --speed 8 \
    --record "day$signal.h5" --log "day$signal.csv" --junit day.xml >out 2>err </dev/null || code=$?
  check "SIG$signal: exit code 130, not $code" test "$code" = 130
  expect 0 out 'INCOMPLETE: the run was stopped' inspect "day$signal.h5"
  check "SIG$signal: log and report" test -s "day$signal.csv" -a -s day.xml
done
(trap '' HUP && exec "$tactus" run free_fall --speed 3 --record nohup.h5) >out 2>err </dev/null &
sleep 0.5
kill -HUP $!
wait $! || true
expect 0 out 'state +complete' inspect nohup.h5

code=0
timeout --preserve-status -s HUP 2 "$tactus" run hover_24h --seeds 0..9 --jobs 2 --junit day.xml \
  >out 2>err </dev/null || code=$?
check "seeds: SIGHUP is exit code 130, not $code" test "$code" = 130
check 'seeds: the report is whole' is_xml day.xml

# The reader of stdout may leave: every file is there, and nothing is said.
{
  "$tactus" run free_fall --json --record piped.h5 --junit piped.xml 2>err || echo $? >code
} | true
check 'a closed pipe is quiet' test ! -s err
check 'a closed pipe is SIGPIPE' test "$(cat code)" = 141
expect 0 out 'complete' inspect piped.h5
check 'a closed pipe: the report is whole' is_xml piped.xml
code=0
"$tactus" run free_fall --record fulldev.h5 --junit fulldev.xml >/dev/full 2>err || code=$?
check 'stdout without room: exit code 3' test "$code" = 3
check 'stdout without room: one line' test "$(wc -l <err)" = 1
check 'stdout without room: files' is_xml fulldev.xml
expect 0 out 'complete' inspect fulldev.h5
check 'no unfinished file is left' no_parts

((failures == 0))
