#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: builds the conductor for every compiler, and mutants of it
#
# The conductor against a program of our own: usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR
# Its output must be the same in every run, mode, compiler and machine, whatever else is going on
# there, and the same decisions must lead to it. Mutations of the rules must be noticed.
set -euo pipefail

read -ra compilers <<<"$1"
source_dir=$2
work=$3/conductor
mkdir -p "$work"
cd "$work"
turns=650  # of 4 ms; then the program is asked to end
passed=0 failed=0

note() {
  if [[ $1 == ok ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  printf '%-6s %s\n' "$1" "$2"
}

# library COMPILER SOURCES OUTPUT [OPTIONS...]: the conductor.
library() {
  # shellcheck disable=SC2086
  $1 -std=c++20 -O2 -shared -fPIC -fvisibility=hidden -fno-rtti -fno-threadsafe-statics \
    -D_GNU_SOURCE -I "$source_dir" "${@:4}" "$2"/*.cpp -o "$3" -ldl -pthread
}

# conduct PREFIX LIBRARY MODE [COMMAND...]: output and last line of a flight of the program.
conduct() {
  local out=$1.out
  shift
  "./$caller" "$1" "$2" "$turns" "./$program" "${@:3}" >"$out" 2>"$out.err" ||
    echo "exit code $?" >>"$out"
}

# same NAME A B: their output, but for the last line; with "all" that too.
same() {
  if [[ ${4:-} == all ]]; then
    if cmp -s "$2.out" "$3.out"; then note ok "$1"; return; fi
  elif cmp -s <(grep -v ^decisions "$2.out") <(grep -v ^decisions "$3.out"); then
    note ok "$1"
    return
  fi
  note FAIL "$1"
  diff "$2.out" "$3.out" | head -5 || true
}

build() {  # build NAME COMPILER
  program=program_$1 caller=caller_$1
  "$2" -std=c++20 -O1 -D_GNU_SOURCE -I "$source_dir" "$source_dir/tests/conductor/program.cpp" \
    -o "$program" -pthread
  "${compilers[0]}" -std=c++20 -O1 -I "$source_dir" "$source_dir/tests/conductor/caller.cpp" \
    -o "$caller"
  library "$2" "$source_dir/tactus/conductor" "libconductor_$1.so"
}

conductor=./libconductor
reference=
for compiler in "${compilers[@]}"; do
  case $compiler in
    g++ | clang++) ;;
    *) continue ;;
  esac
  build "$compiler" "$compiler"
  lib=$PWD/${conductor#./}_$compiler.so
  for mode in native carrier; do
    conduct "$compiler.$mode" "$lib" "$mode"
    if [[ -z $reference ]]; then
      reference=$compiler.$mode
      # What it must be, whatever we print: the laws of the program's parts.
      for law in 'ends with 5' 'ends cancelled 1' 'ends late 1 EeIOcd' 'ends promise 7' \
        'priorities hmlhml' 'pipes xyz' 'children 3 system 4' 'sockets connect 0' \
        'sockets refused -1' 'visitors 1 early bird from 49152' 'signals 15' \
        'alarms 14 after 1500 ms, 2 s were left, none 0' 'once [A-D]2222'; do
        if grep -q "$law\$" "$reference.out"; then note ok "$law"; else note FAIL "$law"; fi
      done
      grep -q 'exit code' "$reference.out" && { note FAIL 'it ended well'; cat "$reference.out"; }
    else
      same "$compiler, $mode: as $reference" "$reference" "$compiler.$mode"
    fi
    conduct again "$lib" "$mode"
    same "$compiler, $mode: again, all decisions" "$compiler.$mode" again all
  done
done

# Other conditions. Each in both modes.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
for mode in native carrier; do
  base=${compilers[0]}.$mode lib=$PWD/libconductor_${compilers[0]}.so
  program=program_${compilers[0]} caller=caller_${compilers[0]}
  for _ in 1 2 3; do (while :; do :; done) & done
  busy=$(jobs -p)
  conduct again "$lib" "$mode"
  # shellcheck disable=SC2086
  kill $busy
  wait 2>/dev/null || true
  same "$mode: on a busy machine" "$base" again all
  (
    taskset -cp "$cpu" $BASHPID >/dev/null
    conduct again "$lib" "$mode"
  )
  same "$mode: on one core" "$base" again all
  (
    export HOME=/nowhere TZ=Asia/Tokyo LANG=de_DE.UTF-8 MORE
    MORE=$(printf %3000s x)
    renice -n 19 $BASHPID >/dev/null
    conduct again "$lib" "$mode"
  )
  same "$mode: another environment, nice 19" "$base" again all
done

conduct futex "$lib" carrier futex
if grep -q 'failed: it makes the system call futex' futex.out; then
  note ok 'a bare futex call is refused by name'
else
  note FAIL 'a bare futex call is refused by name'
fi

conduct last-alarm "$lib" carrier last-alarm
if grep -q 'exit code 142' last-alarm.out; then
  note ok 'an alarm without a handler ends the program'
else
  note FAIL 'an alarm without a handler ends the program'
fi

# mutation NAME FILE SED: a conductor that breaks a rule is noticed, by two runs or the reference.
mutation() {
  rm -rf mutant
  cp -r "$source_dir/tactus/conductor" mutant
  sed -i "$3" "mutant/$2"
  if cmp -s "mutant/$2" "$source_dir/tactus/conductor/$2"; then
    note FAIL "mutation $1 changes nothing"
    return
  fi
  library "${compilers[0]}" "$PWD/mutant" libmutant.so
  conduct one "$PWD/libmutant.so" carrier
  sleep 0.2
  conduct two "$PWD/libmutant.so" carrier
  if cmp -s one.out two.out && cmp -s one.out "${compilers[0]}.carrier.out"; then
    note FAIL "mutation not noticed: $1"
  else
    note ok "mutation noticed: $1"
  fi
}
mutation 'threads in a random order' scheduler.cpp \
  's/a\.since < b\.since;/(::rand() \& 1) != 0;/
   s/^bool before(/static const int kChance = (::srand(::getpid()), 0);\n&/'
mutation 'the wall clock leaks' clock.cpp \
  's/^TACTUS_INTERPOSE int clock_gettime(/int unused_clock_gettime(/'
mutation 'a call that is not handled' threads.cpp \
  's/^TACTUS_INTERPOSE int sched_yield()/int unused_yield()/'

# The C library chooses functions by what the processor can do, unless it is told to leave some out
# as the conductor's caller does. Then their numbers are the same with more of them left out, as it
# is on other processors, and on processors that do not have them.
numbers() {  # numbers PROGRAM TUNABLES [EMULATOR...]: their digests
  GLIBC_TUNABLES=$2 "${@:3}" "$1" 2>/dev/null || echo "exit code $?"
}
pinned=$(sed -n 's/.*kTunables\[\] = "\(.*\)";/\1/p' \
  "$source_dir"/tactus/link/net/*.cpp)
hwcaps=${pinned%%:*} rest=${pinned#*:}
if [[ $(uname -m) == x86_64 ]]; then
  [[ $hwcaps == glibc.cpu.hwcaps=* ]] || note FAIL "no tunables found: \"$pinned\""
  for compiler in "${compilers[@]}"; do
    command -v "$compiler" >/dev/null || continue
    [[ $("$compiler" -dumpmachine) == x86_64* ]] || continue
    "$compiler" -std=c++20 -O1 -fno-builtin -ffp-contract=off -D_GNU_SOURCE \
      "$source_dir/tests/conductor/numbers.cpp" -o "numbers_$compiler"
    program=./numbers_$compiler
    numbers "$program" "$pinned" >numbers.expected
    for mask in -AVX -SSE4_1 -SSSE3,-SSE4_2 -ERMS,-FSRM -BMI1,-BMI2,-MOVBE,-LZCNT \
      -AVX,-SSE4_1,-SSE4_2,-SSSE3,-ERMS,-FSRM,-BMI2; do
      if numbers "$program" "$hwcaps,$mask:$rest" | cmp -s - numbers.expected; then
        note ok "$compiler: the same numbers without $mask"
      else
        note FAIL "$compiler: other numbers without $mask"
      fi
    done
    if ! grep -qw fma /proc/cpuinfo; then
      echo 'skip   this processor has no FMA, so nothing is left out'
    elif numbers "$program" "$rest" | cmp -s - numbers.expected; then
      note FAIL "$compiler: numbers with FMA are not noticed"
    else
      note ok "$compiler: numbers with FMA are noticed"
    fi
    command -v qemu-x86_64 >/dev/null || continue
    for model in qemu64 Nehalem Haswell EPYC max; do
      if numbers "$program" "$pinned" qemu-x86_64 -cpu "$model" | cmp -s - numbers.expected; then
        note ok "$compiler: the same numbers on $model"
      else
        note FAIL "$compiler: other numbers on $model"
      fi
    done
  done
fi

# Processors with fewer features, in native mode: they have no FSGSBASE.
if [[ $(uname -m) == x86_64 ]] && command -v qemu-x86_64 >/dev/null; then
  program=program_${compilers[0]} caller=caller_${compilers[0]}
  for model in qemu64 Haswell; do
    (
      export QEMU=qemu-x86_64 QEMU_CPU=$model
      conduct "$model" "$PWD/libconductor_${compilers[0]}.so" carrier
    )
    same "$model: as here" "$reference" "$model"
  done
else
  echo 'skip   other processors: no qemu-x86_64, or not on x86-64'
fi

# Another architecture, in native mode.
if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
  build aarch64 aarch64-linux-gnu-g++
  export QEMU=qemu-aarch64 QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
  conduct aarch64 "$PWD/libconductor_aarch64.so" native
  same 'aarch64, native: as x86-64' "$reference" aarch64
else
  echo 'skip   aarch64: no cross compiler or no qemu'
fi

echo "conductor: $passed as they must be, $failed failed"
((failed == 0))
