#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: tactus tactus_sweep tactus_cli
#
# Installs the library into a prefix inside the build folder and builds a user's project against
# it, with flags that would contract a*b+c into a fused multiply-add if the exported flags did not
# forbid it: the program checks its own arithmetic with require_same_bits(). It also embeds the
# simulation alone into a shared library.
set -euo pipefail
source_dir=$2 build_dir=$3
work=$build_dir/consumer
rm -rf "$work"
cmake --install "$build_dir" --prefix "$work/prefix" >"$work.install.log"

# Native instructions only where the compiler's own default is not already enough to contract.
flags="-O2 -ffp-contract=fast"
[[ $(uname -m) != x86_64 ]] || ! grep -qw fma /proc/cpuinfo || flags+=" -mfma"

configure_and_build() { # FOLDER CMAKE_ARGS...
  cmake -G Ninja -S "$source_dir/tests/consumer" -B "$work/$1" -D CMAKE_BUILD_TYPE=Release \
    -D CMAKE_PREFIX_PATH="$work/prefix" -D CMAKE_EXPORT_COMPILE_COMMANDS=ON "${@:2}"
  cmake --build "$work/$1"
}

configure_and_build good -D CMAKE_CXX_FLAGS="$flags"
"$work/good/consumer"

# The simulation alone, inside a shared library, flies the same bits from texts in memory and adds
# no name to those that the program sees.
digest=$(awk '$1 == "default" {print $2}' "$source_dir/tests/same_bits/expected_flights.txt")
flown=$("$work/good/host" "$source_dir" default)
[[ $flown == "passed $digest" ]] || { echo "default: $flown, not passed $digest"; exit 1; }
for library in embedded whole; do
  if nm -D --defined-only -C "$work/good/lib$library.so" | grep -E ' [TBDR] .*tactus::'; then
    echo "lib$library.so exports the names above"
    exit 1
  fi
done
# It has no way to files, sockets, threads or libraries of others.
forbidden='open|open64|fopen|fopen64|socket|connect|pthread_create|dlopen|fork|execve|H5[A-Z].*'
if nm -u "$work/prefix/lib/libtactus_simulation.a" | awk '{print $2}' | grep -xE "$forbidden"; then
  echo "tactus::simulation uses the functions above"
  exit 1
fi
grep -q -- '-ffp-contract=off' "$work/good/compile_commands.json"

# Fast-math would set flush-to-zero when the program is linked.
for bad in -ffast-math -Ofast -funsafe-math-optimizations; do
  if configure_and_build bad -D CMAKE_CXX_FLAGS="$bad" >"$work.bad.log" 2>&1 ||
    ! grep -q -- "$bad breaks the same-bits contract" "$work.bad.log"; then
    echo "find_package does not refuse $bad:" && cat "$work.bad.log"
    exit 1
  fi
  rm -rf "$work/bad"
done

# Links of the installed README lead somewhere.
doc=$work/prefix/share/doc/tactus
grep -oE '\]\([A-Za-z][A-Za-z0-9_./-]*\)' "$doc/README.md" | tr -d '])(' | while read -r link; do
  test -e "$doc/$link" || { echo "README.md links to $link, which is not installed"; exit 1; }
done

"$work/prefix/bin/tactus" --version
test -f "$work/prefix/include/tactus/core/version.h"
