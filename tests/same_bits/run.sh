#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# One probe program from every compiler, at every optimisation, on two processors: its output must
# be expected.txt to the letter. Then two builds with one constant altered, which must be noticed.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR   (COMPILERS: one argument, separated by spaces)
#        run.sh --accept SOURCE_DIR BUILD_DIR    writes expected.txt from g++ -O2
#
# Objects are kept between calls and rebuilt when any source, the flags or a compiler changed.

set -u
compilers=$1
source_dir=$2
work_dir=$3/same_bits
expected=$source_dir/tests/same_bits/expected.txt
accept=0
if [ "$compilers" = --accept ]; then
  accept=1
  compilers=g++
fi
mkdir -p "$work_dir/include"
failures=0
checked=0
skipped=0

# Header-only libraries, because a cross compiler has no library of the target, in a folder of their
# own, because it must not see the other headers of this machine.
ln -sfn /usr/include/fmt "$work_dir/include/fmt"
ln -sfn /usr/include/xxhash.h "$work_dir/include/xxhash.h"

# shellcheck source=tests/support/contract_flags.bash
source "$source_dir/tests/support/contract_flags.bash"
common_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS) || exit 1
gnu_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS_GNU) || exit 1

report() { # VERDICT CASE DETAIL
  printf '%-7s %-40s %s\n' "$1" "$2" "$3"
  case $1 in
    ok) checked=$((checked + 1)) ;;
    SKIPPED) skipped=$((skipped + 1)) ;;
    *) failures=$((failures + 1)) ;;
  esac
}

# Everything the probe is made of.
inputs() { # TREE
  find "$1/tactus/core" "$1/tactus/solver" "$1/tactus/plant" "$1/tests/same_bits" \
    -name '*.h' -o -name '*.cpp' | LC_ALL=C sort
}

# Compiles what is stale, two files at a time, and links DIR/probe.
build() { # DIR TREE CXX FLAGS...
  local dir=$1 tree=$2 cxx=$3
  shift 3
  local flags="-std=c++20 $* $common_flags"
  case $cxx in *clang*) ;; *) flags+=" $gnu_flags" ;; esac
  local stamp
  stamp=$({ "$cxx" --version && echo "$flags" && inputs "$tree" | xargs cat; } | sha256sum)
  if [ -x "$dir/probe" ] && [ "$stamp" = "$(cat "$dir/stamp" 2>/dev/null)" ]; then return 0; fi
  rm -rf "$dir"
  mkdir -p "$dir"
  inputs "$tree" | grep '\.cpp$' | while read -r file; do
    printf '%s\0%s\0' "$file" "$dir/$(echo "${file#"$tree/"}" | tr / _).o"
  done | xargs -0 -n 2 -P 2 sh -c "exec $cxx $flags -DFMT_HEADER_ONLY -I'$tree' \
    -I'$work_dir/include' -c \"\$1\" -o \"\$2\"" sh 2>"$dir/log" || return 1
  # shellcheck disable=SC2086
  "$cxx" $flags "$dir"/*.o -o "$dir/probe" 2>>"$dir/log" || return 1
  echo "$stamp" >"$dir/stamp"
}

# Lines that differ, by the name of their section.
differing_sections() { # OUTPUT
  diff "$expected" "$1" | sed -n 's/^> \([a-z0-9_]*\).*/\1/p' | tr '\n' ' '
}

check() { # CASE RUNNER CXX FLAGS...
  local name=$1 runner=$2
  local dir=$work_dir/${name//[ =]/_}
  shift 2
  if ! build "$dir" "$source_dir" "$@"; then
    report FAILED "$name" "does not build: $(grep -m 1 error "$dir/log")"
    return
  fi
  # shellcheck disable=SC2086
  if ! $runner "$dir/probe" >"$dir/output" 2>"$dir/log"; then
    report FAILED "$name" "does not run: $(head -n 1 "$dir/log")"
  elif ! diff -q "$expected" "$dir/output" >/dev/null; then
    report FAILED "$name" "differs in: $(differing_sections "$dir/output")"
  else
    report ok "$name" "$(awk '$1 == "total" {print $2}' "$dir/output")"
  fi
}

# A copy of the library with one edit.
altered_tree() { # DIR FILE SED_SCRIPT
  rm -rf "$1"
  mkdir -p "$1/tests"
  cp -r "$source_dir/tactus" "$1/"
  cp -r "$source_dir/tests/same_bits" "$1/tests/"
  sed -i "$3" "$1/$2"
  ! cmp -s "$1/$2" "$source_dir/$2"
}

check_altered() { # CASE FILE SED_SCRIPT EXPECTATION
  local name="altered $1"
  local tree=$work_dir/altered_tree
  local dir=$work_dir/altered_${1//[ +]/_}
  if ! altered_tree "$tree" "$2" "$3"; then
    report FAILED "$name" "the edit of $2 changes nothing"
    return
  fi
  if ! build "$dir" "$tree" g++ -O1; then
    report FAILED "$name" "does not build: $(grep -m 1 error "$dir/log")"
    return
  fi
  "$dir/probe" >"$dir/output" 2>"$dir/log"
  local code=$?
  local differs
  differs=$(differing_sections "$dir/output")
  if [ "$4" = refuses ] && [ $code -ne 0 ] && grep -q "known-answer probe" "$dir/log"; then
    report ok "$name" "refuses to fly, exit code $code"
  elif [ "$4" = differs ] && [ $code -eq 0 ] && [ -n "$differs" ]; then
    report ok "$name" "noticed in: $differs"
  else
    report FAILED "$name" "exit code $code, differs in: $differs $(head -n 1 "$dir/log")"
  fi
}

if [ $accept -eq 1 ]; then
  build "$work_dir/g++_-O2" "$source_dir" g++ -O2 && "$work_dir/g++_-O2/probe" >"$expected" &&
    cat "$expected"
  exit
fi

for cxx in $compilers; do
  case $cxx in
    aarch64-*)
      if command -v qemu-aarch64 >/dev/null; then
        check "$cxx -O2 (qemu)" qemu-aarch64 "$cxx" -O2 -static
      else
        report SKIPPED "$cxx -O2" "qemu-aarch64 is missing (package qemu-user)"
      fi
      ;;
    *)
      check "$cxx -O0" "" "$cxx" -O0
      check "$cxx -O2" "" "$cxx" -O2
      check "$cxx -O3 -march=native" "" "$cxx" -O3 -march=native
      ;;
  esac
done
case $compilers in
  *aarch64-*) ;;
  *)
    if [ "$(uname -m)" = aarch64 ]; then
      report SKIPPED "aarch64 -O2 (qemu)" "this machine is aarch64: the rows above ran on it"
    else
      report SKIPPED "aarch64 -O2 (qemu)" "no cross compiler (package g++-aarch64-linux-gnu)"
    fi
    ;;
esac
case " $compilers " in
  *" g++ "*)
    check_altered "Philox multiplier" tactus/core/random.h 's/0xD2511F53u/0xD2511F55u/' refuses
    check_altered "Runge-Kutta weight" tactus/solver/tableau.h \
      's|{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}|{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 0.1666}|' \
      differs
    ;;
esac

echo "$checked as they must be, $failures failed, $skipped skipped"
if [ $failures -ne 0 ]; then exit 1; fi
if [ $checked -eq 0 ]; then exit 77; fi
