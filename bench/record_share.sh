#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# What recording costs the stepping thread on the default mission, in instructions counted by
# callgrind: the same on a busy machine. The difference of two lengths leaves start and end out.
# usage: bench/record_share.sh [PROGRAM]   (default: build/release/bench_record)

set -eu
program=${1:-build/release/bench_record}
if ! command -v valgrind >/dev/null; then
  echo "valgrind is missing: apt-get install valgrind"
  exit 3
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

instructions() { # TIER SECONDS: of the first thread
  valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$out/count" "$program" \
    "$1" "time.end_s=$2" >/dev/null 2>&1
  awk '/^(totals|summary):/ {print $2; exit}' "$out/count-01"
}

flight() { # TIER
  local short long
  short=$(instructions "$1" 10)
  long=$(instructions "$1" 40)
  echo $((long - short))
}

without=$(flight none)
for tier in 0 1 2; do
  awk -v tier=$tier -v with="$(flight $tier)" -v without="$without" 'BEGIN {
    printf "tier %d: %.1f %% more instructions on the stepping thread\n", tier,
           100 * (with - without) / without }'
done
