#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: records whole flights
#
# The verbs `inspect`, `export` and `repair` as a built program: what they tell, the log byte for
# byte, files that were cut off by a kill, and files that are no recordings.
set -euo pipefail
tactus=$(readlink -f "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
cd "$work"

# One that has h5py: another than Debian's may come first in the path.
python=python3
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3

# The log comes out of a recording as the run wrote it, whatever the tier.
"$tactus" run default --t-end 12s --tier 1 --record flight.h5 --log flight.csv >run.txt || true
expect 0 out '^flight.h5: recording of "default"' inspect flight.h5
for text in 'state +complete, 12s of flight' 'flight digest [0-9a-f]{32}$' 'tier +1 ' 'seed +1$' \
  'per simulated minute' '^  log +[0-9]+ .*/time/log_us' '^  autopilot .*sample_and_hold' \
  '^ +1\.000000 s  autopilot +[0-9-]+  armed'; do
  check "inspect says $text" grep -Eq "$text" out
done
digest=$(sed -n '1s/.*digest=\([0-9a-f]\{32\}\).*/\1/p' flight.csv)
check 'inspect and the log tell the same digest' grep -q "$digest" out
"$tactus" inspect flight.h5 --json >flight.json
check 'JSON tells the same' python3 - "$digest" flight.json <<'PYTHON'
import json
import os
import sys

told = json.load(open(sys.argv[2]))
assert told["schema"] == "tactus.inspect/1" and told["complete"] and told["end_t_us"] == 12_000_000
assert told["flight_digest"] == sys.argv[1] and told["tier"] == 1 and told["chain_links"] == 13
tables = {table["name"]: table for table in told["tables"]}
assert tables["log"]["rows"] > 100 and tables["boundary"]["file_bytes"] > 0
assert sum(table["file_bytes"] for table in told["tables"]) < told["file_bytes"]
assert told["file_bytes"] == os.path.getsize("flight.h5")
assert [event["t_us"] for event in told["events"]] == sorted(e["t_us"] for e in told["events"])
PYTHON

expect 0 out '^exported.csv: [0-9]+ rows of log$' export flight.h5 --csv exported.csv
check 'the log, byte for byte' cmp flight.csv exported.csv
expect 3 err 'exported.csv exists already; .*--force' export flight.h5 --csv exported.csv
echo changed >exported.csv
expect 0 out 'rows of log' export flight.h5 --csv exported.csv --force
check 'the log again' cmp flight.csv exported.csv
expect 2 err 'name the same file' export flight.h5 --csv flight.h5 --force
expect 3 err 'no_folder/a.csv' export flight.h5 --csv no_folder/a.csv
expect 3 err 'no_folder/a.csv' export flight.h5 --csv no_folder/a.csv --table wind
expect 2 err 'no such table; it has .*wind.*log' export flight.h5 --csv a.csv --table winds

# Any table has one column per number, and its rows.
for table in wind boundary events chain start; do
  expect 0 out "rows? of $table\$" export flight.h5 --csv "$table.csv" --table "$table"
done
check 'columns of the wind' grep -q '^time_us,wind.velocity_ned_m_s.x,' wind.csv
check 'rows of every table' python3 - flight.json wind boundary events chain start <<'PYTHON'
import csv
import json
import sys

rows = {table["name"]: table["rows"] for table in json.load(open(sys.argv[1]))["tables"]}
for name in sys.argv[2:]:
    lines = list(csv.reader(open(name + ".csv")))[1:]
    assert len(lines) == rows[name] + 1, name
    assert all(len(line) == len(lines[0]) for line in lines), name
PYTHON

# One number that is changed with a proper tool, checksums and all, is still found.
cp flight.h5 altered.h5
"$python" - <<'PYTHON'
import shutil

import h5py
import numpy as np

with h5py.File("altered.h5", "r+") as file:
    wind = file["/signals/wind/velocity_ned_m_s"]
    row = wind[7]
    row[1] += 1e-9
    wind[7] = row
for name in "unit", "meaning", "frame", "labels", "kind", "rule", "axis", "table":
    shutil.copy("flight.h5", f"{name}.h5")
    with h5py.File(f"{name}.h5", "r+") as file:
        attributes = file["/signals/wind/velocity_ned_m_s"].attrs
        text = attributes[name].decode()
        attributes[name] = np.bytes_(text[:-1] + "?" if text else "?")
shutil.copy("flight.h5", "digest.h5")
with h5py.File("digest.h5", "r+") as file:
    file["/meta/parameters/digest"][3] += 1
with h5py.File("flight.h5", "r") as file, h5py.File("shorter.h5", "w", libver="v110") as out:
    for name in file:
        file.copy(name, out)
    del out["/signals/wind/velocity_ned_m_s"]
PYTHON
expect 2 err 'altered.h5: table wind has another digest' inspect altered.h5
for name in unit meaning frame labels kind rule axis table; do
  expect 2 err "$name.h5: /signals/wind/velocity_ned_m_s has the attribute $name .*altered" \
    inspect "$name.h5"
done
expect 2 err 'digest.h5: /meta/parameters/digest of .* is another.*altered' inspect digest.h5
expect 2 err 'shorter.h5: /signals/wind/velocity_ned_m_s is missing' inspect shorter.h5
expect 2 err 'altered.h5' export altered.h5 --csv altered.csv
check 'nothing was exported' test ! -e altered.csv

# What was closed needs no repair.
cp flight.h5 closed.h5
expect 0 out 'closed.h5: nothing to repair' repair closed.h5
check 'it is as it was' cmp flight.h5 closed.h5
expect 0 out '^copy.h5: a copy' repair closed.h5 --out copy.h5
check 'the copy is the same' cmp flight.h5 copy.h5
expect 3 err 'copy.h5.* exists' repair closed.h5 --out copy.h5
expect 2 err '--out: must not be empty' repair closed.h5 --out ''
expect 2 err 'FILE: must not be empty' inspect ''

# A branch tells what it changed.
"$tactus" branch flight.h5 --at 5s --set body.mass_kg=1.6 --record branch.h5 >run.txt || true
expect 0 out '^  branched from flight.h5 .* with$' inspect branch.h5
check 'inspect says what changed' grep -Eq '^ +body.mass_kg *= *1.6' out

# An export that cannot be finished leaves nothing behind, and nothing is lost.
echo old >full.csv
for table in log boundary; do
  code=0
  (ulimit -f 8 && "$tactus" export flight.h5 --csv full.csv --force --table $table >out 2>err) ||
    code=$?
  check "no room for $table: exit code 3" test "$code" = 3
  check "no room for $table: told" grep -q 'full.csv.*File too large' err
  check "no room for $table: what was there stays" grep -qx old full.csv
done
check 'no part is left' test -z "$(compgen -G '*.part')"
"$tactus" export flight.h5 --csv /dev/stdout --table start | cat >out
check 'a pipe is written as it is' grep -q '^time_us,' out

# A kill leaves all closed blocks.
"$tactus" run default --t-end 10min --speed 100 --record killed.h5 >run.txt 2>&1 &
process=$!
rows=0
for ((i = 0; i < 600 && rows < 1000; i++)); do
  sleep 0.1
  rows=$("$tactus" inspect killed.h5 2>/dev/null | awk '$1 == "boundary" { print $2 }') || true
  rows=${rows:-0}
done
expect 2 err 'killed.h5: is being recorded' repair killed.h5
kill -KILL "$process"
wait "$process" 2>/dev/null || true
expect 0 out 'INCOMPLETE: readable up to .*tactus repair killed.h5' inspect killed.h5
"$tactus" export killed.h5 --csv killed.csv >/dev/null
check 'the log says that it is incomplete' grep -q '^# .* digest=incomplete' killed.csv
cp killed.h5 original.h5
expect 0 out '^mended.h5: repaired; incomplete' repair killed.h5 --out mended.h5
check 'a repair into a new file leaves the old one' cmp original.h5 killed.h5
expect 0 out '^killed.h5: repaired; incomplete, [0-9.]+s of flight' repair killed.h5
check 'both repairs are the same' cmp killed.h5 mended.h5
check 'other programs open it' "$python" -c \
  'import h5py; assert h5py.File("killed.h5", "r")["/complete"][0] == 0'
expect 0 out 'INCOMPLETE: readable up to .*killed; repaired$' inspect killed.h5
expect 0 out 'nothing to repair; its writer was killed, and it was repaired' repair killed.h5
"$tactus" export killed.h5 --csv mended.csv >/dev/null
check 'nothing was lost' cmp killed.csv mended.csv
expect 3 err 'mended.h5.* exists' repair original.h5 --out mended.h5

# Killed before its first block: there is nothing in it, and that is said.
"$tactus" run default --t-end 10min --speed 1 --record none.h5 >run.txt 2>&1 &
process=$!
wait_for none.h5
kill -KILL "$process"
wait "$process" 2>/dev/null || true
expect 0 out 'INCOMPLETE: holds no rows: its run ended, or was killed, before the first block' \
  inspect none.h5
check 'no rate without time' grep -Eq '^  size +[0-9.]+ k?B$' out
expect 2 err 'none.h5: holds no rows' export none.h5 --csv x.csv
expect 0 out '^none.h5: repaired; holds no rows' repair none.h5
expect 2 err 'none.h5: holds no rows' export none.h5 --csv x.csv --table wind

# What is no recording.
mkdir folder
: >empty.h5
cp flight.csv log.h5
head -c 30000 flight.h5 >short.h5
printf 'ULog\001\022\065\001' >px4.ulg
expect 2 err '^tactus: px4.ulg is a ULog of PX4, flight.h5 is none' diff flight.h5 px4.ulg
for verb in 'inspect' 'export --csv x.csv' 'repair' 'replay' 'compare' \
  'branch --at 1s --record x.h5'; do
  read -ra words <<<"$verb"
  expect 2 err '^tactus: px4.ulg is not a recording: it is a ULog, the log of PX4' \
    "${words[@]}" px4.ulg
done
for verb in 'inspect' 'export --csv x.csv' 'repair'; do
  read -ra words <<<"$verb"
  expect 3 err 'lost.h5: No such file' "${words[@]}" lost.h5
  expect 2 err 'folder' "${words[@]}" folder
  expect 2 err 'empty.h5 is not a recording' "${words[@]}" empty.h5
  expect 2 err 'log.h5 is not a recording: it is a table of Tactus as CSV' "${words[@]}" log.h5
  expect 2 err 'short.h5 is cut off: 30000 of [0-9]+ bytes are there' "${words[@]}" short.h5
  expect 2 err 'FILE is required' "${words[@]}"
done
check 'nothing was written' test ! -e x.csv
expect 0 out ' rows of log' export flight.h5 --csv plain.csv --plain
check 'only the comments are gone' cmp <(grep -v '^#' flight.csv) plain.csv
expect 0 out ' rows of wind' export flight.h5 --csv plain_wind.csv --plain --table wind
check 'the first line names the columns' grep -q '^time_us,' <(head -1 plain_wind.csv)
expect 2 err '--csv is required' export flight.h5

((failures == 0))
