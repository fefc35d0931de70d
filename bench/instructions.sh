#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions per right-hand side of the Iris, counted by callgrind: the same on a busy machine.
# usage: bench/instructions.sh [PROGRAM]   (default: build/release/bench_plant)

set -eu
program=${1:-build/release/bench_plant}
if [ ! -x "$program" ]; then
  echo "$program is missing: cmake --preset release && ninja -C build/release bench_plant"
  exit 3
fi
if ! command -v valgrind >/dev/null; then
  echo "valgrind is missing: apt-get install valgrind"
  exit 3
fi

instructions() { # PROPELLER COUNT
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
    awk '/Collected/ {print $4}'
}

# The difference of two runs leaves start and end of the program out.
for propeller in quadratic blade_element; do
  short=$(instructions $propeller 1000)
  long=$(instructions $propeller 3000)
  printf '%-14s %d instructions per right-hand side\n' $propeller $(((long - short) / 2000))
done
