#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# `tactus run --record` as a built program: tiers, the same bytes again, files that cannot be
# written, Ctrl-C, full disks.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

# What cannot be recorded is said before anything is flown.
expect 2 err '--record' run free_fall --tier 1
expect 2 err '--record' run free_fall --snapshots 1s
expect 2 err '--tier' run free_fall --record "$work/x.h5" --tier 3
expect 2 err '--snapshots 0s: must be greater than zero' \
  run free_fall --record "$work/x.h5" --snapshots 0s
expect 2 err '--snapshots 100h: must be at most 2s: the run ends there' \
  run free_fall --t-end 2s --record "$work/x.h5" --snapshots 100h
check 'nothing is recorded' test ! -e "$work/x.h5"
expect 2 err '--snapshots.*"5"' run free_fall --record "$work/x.h5" --snapshots 5
expect 2 err '--seeds' run free_fall --seeds 0..1 --record "$work/x.h5"
expect 2 err '--record: must not be empty' run free_fall --record ''
expect 2 err '--record: must be the name of a file' run free_fall --record -
check 'nothing was written' test ! -e "$work/x.h5"
expect 3 err 'no_such_folder/x\.h5' run free_fall --record "$work/no_such_folder/x.h5"
expect 3 err "$work" run free_fall --record "$work"
echo precious >"$work/precious.h5"
expect 3 err 'precious\.h5.*exists' run free_fall --record "$work/precious.h5"
check 'nothing was flown' test ! -s "$work/out"
check 'a file that exists is left alone' grep -qx precious "$work/precious.h5"
if ((EUID != 0)); then # root may write anywhere
  mkdir "$work/locked" && chmod a-w "$work/locked"
  expect 3 err 'locked/x\.h5.*denied' run free_fall --record "$work/locked/x.h5"
fi

# Logs and reports do not replace recordings, and no two files are the same.
expect 0 out 'recording' run free_fall --record "$work/kept.h5"
cp "$work/kept.h5" "$work/kept_copy.h5"
for option in --log --junit; do
  expect 3 err "$option .*kept\\.h5: is an HDF5 file.*not replaced" \
    run free_fall $option "$work/kept.h5"
  expect 2 err 'name the same file' run free_fall --record "$work/one.h5" $option "$work/./one.h5"
done
expect 3 err 'not replaced' run free_fall --seeds 0..1 --junit "$work/kept.h5"
expect 2 err 'name the same file' run free_fall --log "$work/one" --junit "$work/one"
check 'the recording is as it was' cmp "$work/kept.h5" "$work/kept_copy.h5"
check 'nothing was created' test ! -e "$work/one.h5" -a ! -e "$work/one"
expect 0 out 'passed' run free_fall --log /dev/null --junit /dev/null
echo old >"$work/old.csv"
expect 0 out 'passed' run free_fall --log "$work/old.csv" --junit "$work/old.xml"
check 'a log is replaced' grep -q '^# tactus' "$work/old.csv"

# A file that may not grow is told like a full disk, and what fits can be read.
code=0
(ulimit -f 600 && "$tactus" run hover_24h --t-end 30min --record "$work/limit.h5" --quiet) \
  >"$work/out" 2>"$work/err" || code=$?
check 'a limit of the size is exit code 3' test "$code" = 3
check 'it is told' grep -q 'limit\.h5.*File too large' "$work/err"
expect 0 out 'INCOMPLETE: readable up to' inspect "$work/limit.h5"

# Recording at any tier changes no bit of the flight; the same flight gives the same bytes.
expect 0 out '^  chain +5 links, the last [0-9a-f]{32} at 4\.000 s$' run free_fall
digest=$(sed -n 's/^  digest *//p' "$work/out")
check 'the last link is the flight digest' grep -q "^  chain .* $digest at" "$work/out"
size=0
for tier in 0 1 2; do
  file=$work/tier$tier.h5
  expect 0 out "^  digest +$digest\$" run free_fall --record "$file" --tier $tier
  check "the summary has tier $tier" grep -Eq \
    "^  recording +tier $tier, [0-9]+ kB, [0-9]+ kB per simulated minute\$" "$work/out"
  check 'the file is named' grep -q "^  files  *$file\$" "$work/out"
  expect 0 out "^  digest +$digest\$" \
    run free_fall --record "$work/again$tier.h5" --tier $tier --log "$work/log.csv" --validate
  check "tier $tier: the same bytes again" cmp "$file" "$work/again$tier.h5"
  check "tier $tier has more than the one below" test "$(stat -c %s "$file")" -gt "$size"
  size=$(stat -c %s "$file")
done
check 'the log carries the digest' grep -q "digest=$digest" <(head -1 "$work/log.csv")

# JSON: the chain is there with a recording and without, and it is the same.
expect 0 out '"chain"' run free_fall --json
cp "$work/out" "$work/plain.json"
expect 0 out '"chain"' run free_fall --json --record "$work/json.h5" --tier 1
check 'JSON says what it should' python3 - "$work/plain.json" "$work/out" "$work/json.h5" <<'PYTHON'
import json, os, sys
plain, recorded = (json.load(open(path)) for path in sys.argv[1:3])
assert plain["chain"] == recorded["chain"] and len(plain["chain"]) == 5
assert plain["chain"][-1] == {"t_us": 4000000, "digest": plain["flight_digest"]}
assert plain["recording"] is None
recording = recorded["recording"]
assert recording["file"] == sys.argv[3] and recording["file"] in recorded["files"]
assert recording["tier"] == 1 and recording["bytes"] == os.path.getsize(sys.argv[3])
assert abs(recording["kb_per_minute"] - recording["bytes"] * 15 / 1000) < 1e-6
PYTHON

# Ctrl-C: the file is closed and says that the flight is not complete.
code=0
timeout --preserve-status -s INT 2 "$tactus" run hover_24h --speed 8 --record "$work/day.h5" \
  >"$work/out" 2>"$work/err" </dev/null || code=$?
check 'exit code of Ctrl-C' test "$code" = 130
check 'Ctrl-C is told' grep -q '^hover_24h: interrupted at ' "$work/out"
expect 0 out 'INCOMPLETE: the run was stopped' inspect "$work/day.h5"

# A run that stops with an error leaves what was recorded: here it leaves the atmosphere.
expect 5 err 'altitude outside' run free_fall --record "$work/stops.h5" --t-end 60s \
  --set 'initial.position_ned_m=[0.0, 0.0, -80000.0]' \
  --set 'initial.velocity_ned_m_s=[0.0, 0.0, -400.0]'
expect 0 out 'INCOMPLETE: the run was stopped at 17\.' inspect "$work/stops.h5"

# A full disk: exit code 3, one line, and what fits can be read.
if command -v unshare >/dev/null && unshare -rm true 2>/dev/null; then
  mkdir "$work/small"
  code=0
  unshare -rm bash -c "mount -t tmpfs -o size=1m none '$work/small' &&
    { '$tactus' run hover_24h --t-end 30min --record '$work/small/full.h5'
    echo \$? >'$work/code'
    '$tactus' inspect '$work/small/full.h5' >'$work/inspect' 2>&1; echo \$? >>'$work/code'; }" \
    >"$work/out" 2>"$work/err" </dev/null || code=$?
  check 'the disk could be mounted' test "$code" = 0
  check 'a full disk is told' grep -Eq 'full\.h5.*(full|space)' "$work/err"
  check 'a full disk is exit code 3' test "$(head -1 "$work/code")" = 3
  check 'what fits can be read' test "$(tail -1 "$work/code")" = 0
fi

((failures == 0))
