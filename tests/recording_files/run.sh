#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: kills many flights while they write
# needs: tactus_cli
#
# Recordings as a stranger sees them: h5py reads them as they are (check.py); the same run gives the
# same bytes; and a writer that is killed, at random instants, leaves every set that was closed.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR
# With TACTUS_TEST_ALL=1 it is killed 50 times, otherwise 10 times.
set -euo pipefail
source_dir=$2 tactus=$3/tactus
work=$3/recording_files
export TACTUS_DATA=$source_dir
rm -rf "$work"
mkdir -p "$work"

python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import h5py' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [[ -z $python ]]; then
  echo "skipped: h5py is missing (package python3-h5py)"
  exit 77
fi
check() { "$python" "$source_dir/tests/recording_files/check.py" "$@"; }
fail() { echo "FAILED: $*"; exit 1; }

record=("$tactus" run default --quiet --record) # FILE ARGS...

for tier in 0 1 2; do
  "${record[@]}" "$work/tier$tier.h5" --tier "$tier" --log "$work/log.csv"
  check whole "$work/tier$tier.h5" "$work/log.csv"
  "${record[@]}" "$work/again.h5" --tier "$tier"
  cmp "$work/tier$tier.h5" "$work/again.h5" || fail "tier $tier: another file from the same run"
  echo "tier $tier: $(stat -c %s "$work/tier$tier.h5") bytes, read by h5py, the same bytes twice"
  rm "$work/again.h5" "$work/log.csv"
done

# As long as a run takes here, in milliseconds, and a little more.
whole=$work/tier1.h5
begin=$(date +%s%3N)
"${record[@]}" "$work/timed.h5" --tier 1
longest=$((($(date +%s%3N) - begin) * 11 / 10 + 1))

kills=10
[[ ${TACTUS_TEST_ALL:-0} != 1 ]] || kills=50
RANDOM=${TACTUS_TEST_SEED:-1}
files=0 cut=0
for ((i = 1; i <= kills; ++i)); do
  file=$work/killed$i.h5
  wait_ms=$(((RANDOM * 32768 + RANDOM) % longest))
  "${record[@]}" "$file" --tier 1 2>/dev/null &
  pid=$!
  sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  # A file that cannot be opened yet does not have its name yet.
  [[ -e $file ]] || continue
  files=$((files + 1))
  state=$(check part "$file" "$whole") || fail "killed after $wait_ms ms: $state"
  "$tactus" inspect "$file" >/dev/null || fail "inspect after $wait_ms ms"
  if [[ $state == *"left open" ]]; then
    cut=$((cut + 1))
    "$tactus" repair "$file" >/dev/null || fail "repair after $wait_ms ms"
    repaired=$(check part "$file" "$whole")
    [[ $repaired == "${state% left open} closed" ]] || fail "repaired: $repaired, it was: $state"
  fi
  echo "killed after $wait_ms ms: $state"
done
echo "$kills killed: $files had a file, $cut were cut off, all of them open"
((cut > 0)) || fail "none was killed while it wrote"
