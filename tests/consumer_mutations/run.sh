#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: compiles and links forty programs
# needs: tactus_simulation
#
# Builds a small user of the library with flags, link options and constants that break the
# same-bits contract, and checks that each is caught: it must not compile, or must refuse to fly
# (exit code 3).
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR   (COMPILERS: one argument, separated by spaces)

set -u
compilers=$1
source_dir=$2
work_dir=$3/consumer_mutations
libraries=("$3/libtactus_simulation.a" -lfmt -lxxhash)
mkdir -p "$work_dir"
here=$source_dir/tests/consumer_mutations
failures=0
checked=0

# shellcheck source=tests/support/contract_flags.bash
source "$source_dir/tests/support/contract_flags.bash"
common_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS) || exit 1
gnu_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS_GNU) || exit 1

good_flags() { # CXX
  echo "-std=c++20 -O2 $common_flags"
  case $1 in *clang*) ;; *) echo "$gnu_flags" ;; esac
}

report() { # VERDICT COMPILER CASE DETAIL
  printf '%-6s %-8s %-62s %s\n' "$1" "$2" "$3" "$4"
  checked=$((checked + 1))
  if [ "$1" != ok ]; then failures=$((failures + 1)); fi
}

# What computes in the library, and main, of one tree, with the right flags; the rest of the library
# is taken from the build folder.
build_objects() { # CXX TREE OUT_DIR
  mkdir -p "$3"
  # shellcheck disable=SC2046  # one argument per flag
  "$1" $(good_flags "$1") -I"$2" -c "$2/tactus/core/fp_environment.cpp" \
    -o "$3/fp_environment.o" || return 1
  # shellcheck disable=SC2046
  "$1" $(good_flags "$1") -I"$2" -c "$here/main.cpp" -o "$3/main.o"
}

# The program must end with this exit code and say this.
run_program() { # CXX CASE PROGRAM EXPECTED_CODE EXPECTED_TEXT
  "$3" >"$3.log" 2>&1
  local code=$?
  if [ $code -eq "$4" ] && grep -q -- "$5" "$3.log"; then
    report ok "$1" "$2" "exit code $code"
  else
    report FAILED "$1" "$2" "exit code $code, not $4 with \"$5\": $(head -c 300 "$3.log")"
  fi
}

check_flags() { # CXX FLAGS...
  local cxx=$1
  shift
  local program=$work_dir/$cxx/consumer
  if ! "$cxx" -std=c++20 -O2 "$@" -I"$source_dir" -c "$here/model.cpp" -o "$program.o" \
    2>"$program.log"; then
    if grep -q "contract C4" "$program.log"; then
      report ok "$cxx" "compile $*" "does not compile"
    else
      report FAILED "$cxx" "compile $*" "$(grep error "$program.log" | head -n 1)"
    fi
    return
  fi
  "$cxx" "$work_dir/$cxx"/good/*.o "$program.o" "${libraries[@]}" -o "$program"
  run_program "$cxx" "compile $*" "$program" 3 \
    "model.cpp was compiled with other floating-point rules"
}

# One digit of the first long constant of a file, as a wrong merge or a bad disk would change it.
check_altered_constant() { # CXX FILE
  local cxx=$1
  local tree=$work_dir/$cxx/altered
  rm -rf "$tree"
  mkdir -p "$tree"
  cp -r "$source_dir/tactus" "$tree/"
  local line
  line=$(grep -nE '0x1\.[0-9a-f]{13}p' "$tree/$2" | head -n 1 | cut -d: -f1)
  # The first digit after the point: a 0 becomes 1, anything else becomes 0.
  sed -i -E "${line}s/0x1\.0/0x1.1/;t;${line}s/0x1\.[1-9a-f]/0x1.0/" "$tree/$2"
  if ! build_objects "$cxx" "$tree" "$tree/objects"; then
    report FAILED "$cxx" "altered $2" "no build"
    return
  fi
  # shellcheck disable=SC2046
  "$cxx" $(good_flags "$cxx") -I"$tree" -c "$here/model.cpp" -o "$tree/objects/model.o"
  "$cxx" "$tree"/objects/*.o "${libraries[@]}" -o "$tree/program"
  run_program "$cxx" "altered constant in $2, line $line" "$tree/program" 3 "known-answer probe"
}

check_compiler() { # CXX
  local cxx=$1
  local good=$work_dir/$cxx/good
  rm -rf "${work_dir:?}/$cxx"
  if ! build_objects "$cxx" "$source_dir" "$good"; then
    report FAILED "$cxx" "library" "no build"
    return
  fi

  # shellcheck disable=SC2046
  "$cxx" $(good_flags "$cxx") -I"$source_dir" -c "$here/model.cpp" -o "$work_dir/$cxx/model.o"
  "$cxx" "$good"/*.o "$work_dir/$cxx/model.o" "${libraries[@]}" -o "$work_dir/$cxx/control"
  run_program "$cxx" "control: the right flags" "$work_dir/$cxx/control" 0 "0x1"

  check_flags "$cxx" -ffast-math
  check_flags "$cxx" -Ofast
  check_flags "$cxx" -ffinite-math-only
  check_flags "$cxx" -funsafe-math-optimizations
  check_flags "$cxx" -fassociative-math -fno-signed-zeros -fno-trapping-math
  check_flags "$cxx" -freciprocal-math
  check_flags "$cxx" -fno-signed-zeros
  if grep -qw fma /proc/cpuinfo; then
    check_flags "$cxx" -ffp-contract=fast -mfma
    check_flags "$cxx" -ffp-contract=fast -march=native
    check_flags "$cxx" -march=native # contraction is the compilers' own default
    # The vectoriser of g++ 12 fuses without being asked.
    if [ "$("$cxx" -dumpversion | cut -d. -f1)" = 12 ]; then
      check_flags "$cxx" -ffp-contract=off -march=native
      check_flags "$cxx" -ffp-contract=off -march=native -fno-tree-slp-vectorize
    fi
  fi
  case $(uname -m) in
    aarch64) check_flags "$cxx" -ffp-contract=fast ;;
  esac

  # Fast-math at link time sets flush-to-zero for the whole process.
  "$cxx" -ffast-math "$good"/*.o "$work_dir/$cxx/model.o" "${libraries[@]}" \
    -o "$work_dir/$cxx/linked_fast"
  run_program "$cxx" "link -ffast-math" "$work_dir/$cxx/linked_fast" 3 "flushes subnormal"

  check_altered_constant "$cxx" tactus/core/math_trig.h
  check_altered_constant "$cxx" tactus/core/math_exp_log.h
}

for cxx in $compilers; do
  case $cxx in
    *-linux-gnu-*) continue ;; # cross compilers: tests/same_bits runs them
  esac
  check_compiler "$cxx"
done

if [ $checked -eq 0 ]; then
  echo "no native compiler among: $compilers"
  exit 77
fi
echo "$((checked - failures)) of $checked mutations behave as they must"
[ $failures -eq 0 ]
