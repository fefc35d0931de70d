#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# slow: many campaigns, ten kills
# needs: double_px4_library
#
# The verb `sweep` as a built program: one answer for any number of threads, shards and kills; its
# verbs on results; what is wrong with files is said, and nothing is lost.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

cat >"$work/drop.toml" <<'END'
extends = "ball_drop"

[design]
samples = 60

[[vary]]
key = "ball.mass_kg"
distribution = "uniform"
low = 1.0
high = 3.0

[[vary]]
key = "wind.mean_ned_m_s[1]"
distribution = "normal"
mean = 4.0
standard_deviation = 2.0

[[vary]]
key = "wind.turbulence"
distribution = "choice"
values = ["none", "dryden"]

[[measure]]
id = "fastest"
signal = "truth.speed_m_s"
kind = "max"
END
campaign=$work/drop.toml

digest_of() { sed -n 's/^content digest //p' "$work/out"; }

expect 0 out '^drop: 60 of 60 samples' sweep "$campaign" --output "$work/one.db" --jobs 1
digest=$(digest_of)
check 'the digest is the last line' test "content digest $digest" = "$(tail -n 1 "$work/out")"
for jobs in 2 8; do
  expect 0 out "^content digest $digest\$" sweep "$campaign" --output "$work/$jobs.db" \
    --jobs "$jobs"
done

# The first samples of a longer campaign are those of a shorter one, and a campaign goes on.
expect 0 out '^drop: 20 of 20' sweep "$campaign" --output "$work/grows.db" --samples 20
expect 0 out "^content digest $digest\$" sweep "$campaign" --output "$work/grows.db" --resume
expect 2 err 'give at least as many' sweep "$campaign" --output "$work/grows.db" --resume \
  --samples 20

# Shards, merged in any order, by their number or by that of a task of Slurm.
for k in 1 2 3; do
  expect 0 out "of shard $k/4" sweep "$campaign" --output "$work/$k-of-4.db" --shard "$k/4"
done
SLURM_ARRAY_TASK_ID=13 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=1 \
  expect 0 out 'of shard 4/4' sweep "$campaign" --output "$work/4-of-4.db" --shard 4
expect 2 err 'SLURM_ARRAY_TASK_ID is not set' sweep "$campaign" --shard 4
expect 2 err 'must be K/N with K from 1 to N' sweep "$campaign" --shard 5/4
expect 0 out "^content digest $digest\$" sweep merge "$work/3-of-4.db" "$work/1-of-4.db" \
  "$work/4-of-4.db" "$work/2-of-4.db" --output "$work/merged.db"
expect 2 err 'shard 2/4 is missing' sweep merge "$work/1-of-4.db" "$work/3-of-4.db" \
  "$work/4-of-4.db" --output "$work/lacks.db"
expect 2 err 'cut into another number of shards' sweep merge "$work/1-of-4.db" \
  "$work/one.db" --output "$work/lacks.db"
expect 2 err 'holds shard 1/4 and not 2/4' sweep "$campaign" --output "$work/1-of-4.db" \
  --shard 2/4 --resume
expect 2 err 'exclude each other' sweep "$campaign" --shard 1/4 --until 'fail_rate width < 0.1'

# Kills at any moment lose nothing that was committed.
for ((i = 0; i < 10; ++i)); do
  "$tactus" sweep "$campaign" --output "$work/killed.db" --resume --jobs 2 --quiet \
    >/dev/null 2>&1 &
  pid=$!
  sleep "0.$((RANDOM % 40 + 10))"
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
done
expect 0 out "^content digest $digest\$" sweep "$campaign" --output "$work/killed.db" --resume

# One sample alone.
expect 0 out '^the same as in the table$' sweep fly "$work/one.db" --sample 17
expect 0 out '^recorded ' sweep fly "$work/one.db" --sample 3 --record "$work/3.h5"
flown=$(sed -n 's/^  digest  *//p' "$work/out")
expect 0 out "$flown" replay "$work/3.h5"
expect 2 err 'has no sample 60; it has 60 of 60' sweep fly "$work/one.db" --sample 60

# What it says.
expect 0 out '^content digest ' sweep stats "$work/one.db"
expect 0 out 'rank correlation with ball.mass_kg' sweep stats "$work/one.db"
expect 0 out '"method": "95 %, Clopper and Pearson"' sweep stats "$work/one.db" --json
expect 0 out '^column,count,missing,min,' sweep stats "$work/one.db" --csv
expect 0 out 'fail rate' sweep stats "$work/one.db" --junit "$work/junit.xml"
check 'a case per sample' grep -q 'name="sample 59"' "$work/junit.xml"
expect 0 out '"sample": ' sweep worst "$work/one.db" --by measure.fastest -k 3 --json
expect 2 err 'there is no such column; did you mean measure.fastest' sweep worst "$work/one.db" \
  --by measure.fast
expect 0 out '^key ' sweep show "$work/one.db"
expect 0 out 'wind.turbulence' sweep show "$work/one.db" --sample 5
expect 0 out '^59,' sweep show "$work/one.db" --csv

# A search: one answer, and its samples fly again.
search=(sweep search "$campaign" --set time.end_s=3.0 --set expect.terminal.limit=23.0
  --margin terminal --flights 40)
expect 0 out '^smallest failure: sample ' "${search[@]}" --output "$work/search.db" --jobs 1
searched=$(digest_of)
expect 0 out "^content digest $searched\$" "${search[@]}" --output "$work/search2.db" --jobs 2
expect 0 out '^the same as in the table$' sweep fly "$work/search.db" --sample 30
expect 0 out 'no interval: these samples were chosen' sweep stats "$work/search.db"
expect 2 err 'holds a search: .* and not a search: worst margin' "${search[@]}" \
  --output "$work/search.db" --resume --worst

# A PX4 library flies in worker processes, which are renewed on the way.
cat >"$work/px4.toml" <<END
extends = "iris"
time = { end_s = 2.0 }
[autopilot]
kind = "px4-lib"
px4 = { library = "$(realpath "$(dirname "$tactus")")/doubles/double_px4_library.so" }
[[vary]]
key = "body.mass_kg"
distribution = "uniform"
low = 1.4
high = 1.6
END
library=(sweep "$work/px4.toml" --samples 25)
expect 0 out '^px4: 25 of 25 samples' "${library[@]}" --output "$work/lib1.db" --jobs 1
of_library=$(digest_of)
expect 0 out "^content digest $of_library\$" "${library[@]}" --output "$work/lib3.db" --jobs 3

# Wrong files.
expect 3 err 'exists; go on with it by --resume' sweep "$campaign" --output "$work/one.db"
sed 's/high = 3.0/high = 3.5/' "$campaign" >"$work/changed.toml"
expect 2 err 'begun with another campaign: the campaign file has changed' \
  sweep "$work/changed.toml" --output "$work/one.db" --resume
expect 2 err 'its spec has changed' sweep "$campaign" --set time.end_s=11.0 \
  --output "$work/one.db" --resume
echo 'this is no database, but long enough to be read as the head of one: ......................' \
  >"$work/text.db"
expect 2 err 'is no SQLite database' sweep "$campaign" --output "$work/text.db" --resume
expect 2 err 'is no SQLite database' sweep stats "$work/text.db"
expect 3 err 'sweep|open|no such file|cannot be' sweep stats "$work/none.db"
cp "$work/one.db" "$work/damaged.db"
dd if=/dev/zero of="$work/damaged.db" bs=1024 seek=6 count=10 conv=notrunc 2>/dev/null
expect 3 err 'is damaged' sweep stats "$work/damaged.db"
if command -v python3 >/dev/null; then
  cp "$work/one.db" "$work/other.db"
  python3 - "$work/other.db" <<'END'
import sqlite3
import sys
with sqlite3.connect(sys.argv[1]) as file:
    file.execute("UPDATE campaign SET value = '0.0.1' WHERE key = 'tactus_version'")
END
  expect 2 err 'was begun by Tactus 0.0.1' sweep "$campaign" --output "$work/other.db" --resume
  expect 2 err 'was flown by Tactus 0.0.1' sweep fly "$work/other.db" --sample 1
  python3 - "$work/one.db" >"$work/python" <<'END'
import sqlite3
import sys
file = sqlite3.connect(sys.argv[1])
print(file.execute('SELECT count(*), max("measure.fastest") FROM sample').fetchone()[0])
END
  check 'any client reads it' grep -qx 60 "$work/python"
  # In use: one that holds the lock of a writer.
  cp "$work/one.db" "$work/locked.db"
  python3 - "$work/locked.db" "$work/held" <<'END' &
import sqlite3
import sys
import time
file = sqlite3.connect(sys.argv[1], isolation_level=None)
file.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close()
time.sleep(600)
END
  holder=$!
  wait_for "$work/held"
  expect 3 err 'another program is using it' sweep "$campaign" --output "$work/locked.db" --resume
  kill "$holder"
  wait "$holder" 2>/dev/null || true
fi
if [[ $(id -u) != 0 ]]; then
  mkdir "$work/closed"
  chmod 500 "$work/closed"
  expect 3 err 'cannot be written' sweep "$campaign" --output "$work/closed/a.db"
fi
expect 3 err 'cannot be written' sweep "$campaign" --output "$work/there/is/no/folder.db"
# A disk that is full, as far as this process can tell.
short=(sweep "$campaign" --samples 1000 --set time.end_s=0.5)
expect 0 out '^content digest' "${short[@]}" --output "$work/whole.db"
whole=$(digest_of)
(
  ulimit -f 150
  expect 3 err 'what was committed is kept' "${short[@]}" --output "$work/full.db"
  exit "$((failures > 0))"
) || failures=$((failures + 1))
expect 0 out "^content digest $whole\$" "${short[@]}" --output "$work/full.db" --resume

# What is wrong with a campaign.
expect 2 err '^tactus: give a campaign file' sweep
mkdir "$work/wrong"
sed 's/uniform/unifrom/' "$campaign" >"$work/wrong/drop.toml"
expect 2 err 'drop.toml:[0-9]+:[0-9]+: vary.distribution = "unifrom": must be one of' \
  sweep "$work/wrong/drop.toml"
expect 2 err 'belongs to a campaign' run "$campaign"

exit "$((failures > 0))"
