#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# What the bridge costs over ten single flights, in instructions counted by callgrind: the same on a
# busy machine. The difference of two lengths leaves start and end out.
# usage: bench/bridge_share.sh [PROGRAM]   (default: build/release/bench_bridge)

set -eu
program=${1:-build/release/bench_bridge}
if ! command -v valgrind >/dev/null; then
  echo "valgrind is missing: apt-get install valgrind"
  exit 3
fi

instructions() { # alone|bridged SECONDS
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
    awk '/Collected/ {print $4}'
}

flights() { # alone|bridged
  local short long
  short=$(instructions "$1" 4.0)
  long=$(instructions "$1" 8.0)
  echo $((long - short))
}

awk -v bridged="$(flights bridged)" -v alone="$(flights alone)" 'BEGIN {
  printf "ten vehicles, one thread: bridge %.1f %% more instructions than the flights alone\n",
         100 * (bridged - alone) / alone }'
