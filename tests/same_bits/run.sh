#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: compiles the library for every compiler and processor
# needs: tactus tactus_sweep
#
# Programs from every compiler, at every optimisation, on two processors. `probe` shows the
# numerical core, `flights` whole scenarios with their logs; what they print must be expected.txt
# and expected_flights.txt to the letter. A third, `replay`, records a flight with the first build;
# every other one must replay it bit by bit. Then builds with one constant altered: to be noticed.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR   (COMPILERS: one argument, separated by spaces)
#        run.sh --accept SOURCE_DIR BUILD_DIR    writes both files, from the library of BUILD_DIR
#
# By default the numerical core from g++ -O0, and flights from three builds: the library that the
# build folder holds, clang++ -O3 -march=native and aarch64, with few sections of the core and few
# flights where those are slow;
# what only records and replays is then taken from the library, or compiled without optimisation.
# With TACTUS_TEST_ALL=1 every build and every flight.
# Objects are kept between calls, under names that tell what they were made of; so are headers of
# others, precompiled.

set -u
compilers=$1
source_dir=$2
built_libraries="$3/libtactus_sweep.a $3/libtactus.a $3/libtactus_recording.a \
  $3/libtactus_files.a $3/libtactus_simulation.a"
work_dir=$3/same_bits
accept=0
if [ "$compilers" = --accept ]; then
  accept=1
  compilers=g++
fi
all=${TACTUS_TEST_ALL:-0}
mkdir -p "$work_dir/include" "$work_dir/objects" "$work_dir/headers"
touch "$work_dir/started"
recording=$work_dir/recording
rm -f "$recording" "$recording.digest"
export TACTUS_DATA=$source_dir
failures=0
checked=0
skipped=0

# hover_24h is a day long.
scenarios=$(cd "$source_dir/scenarios" && printf '%s\n' *.toml | sed 's/\.toml$//' |
  grep -vx hover_24h | LC_ALL=C sort | tr '\n' ' ')
few_scenarios="default hexa_motor_off instruments rover_square"
few_altered="default rover_square"
# Of the probe: every function and every method; the default one for the way through the events.
few_sections="math random wind campaign air_euler air_rk4 air_rk23 air_rk45 air_lie_rk4 flight_rk45"

# Libraries in a folder of their own: a cross compiler must not see the other headers of this
# machine, and has no library of the target.
for header in fmt nlohmann toml++ xxhash.h; do
  ln -sfn "/usr/include/$header" "$work_dir/include/$header"
done
echo '#include <fmt/format.h>' >"$work_dir/fmt.cpp"

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

short_hash() { sha256sum | cut -c 1-16; }

plant_folders="tactus/core tactus/signal tactus/solver tactus/world tactus/plant tactus/vehicle"
sweep_folders="tactus/sweep/statistics tactus/sweep/design tactus/sweep/search tactus/sweep/rare"
core_folders="$plant_folders $sweep_folders tests/same_bits"

# Sources of a program, relative to TREE.
sources_of() { # PROGRAM
  local folders=tactus
  if [ "$1" = probe ]; then folders="$plant_folders $sweep_folders"; fi
  # A cross compiler has no HDF5: what reads and writes files of recordings is left out, and so are
  # autopilots and external simulators, and what no program calls.
  # shellcheck disable=SC2086
  find $folders -path tactus/sweep -prune -o -name '*.cpp' -print | LC_ALL=C sort |
    grep -vE '^tactus/record/(hdf5/|memory_log\.cpp$)' |
    grep -vE '^tactus/(conductor|link|flight|bridge|fleet|replay|verify)/' |
    grep -vE '^tactus/(spec/reader/spec_starter|core/json_text)'
  if [ "$1" != probe ]; then
    printf 'tactus/replay/%s.cpp\n' compare/compare compare/flight_track diff/diff_component \
      diff/diff_program \
      playback/flight_part playback/held_ticks playback/override_effect replay rerun verdict
    echo "tactus/flight/flight_summary.cpp"
    echo "tests/same_bits/builtin_alone.cpp"
  fi
  echo "tests/same_bits/$1.cpp"
}

# The core does not include what is above it, so that its objects outlive a change there.
hash_of_headers() { # FOLDERS...
  find "$@" -name '*.h' | LC_ALL=C sort | xargs cat | short_hash
}

# Files that only read text, keep or compare recordings: half of the work of an optimising compiler,
# and nothing of the flight.
is_text() { # SOURCE
  case $1 in
    tactus/record/csv_log.cpp | tactus/flight/flight_summary.cpp) return 1 ;; # the logs that count
    tactus/spec/* | tactus/record/recording_meta.cpp | \
      tactus/autopilot/mission/mission_plan.cpp | tactus/autopilot/mission/mission_wpl.cpp | \
      tactus/autopilot/mission/file_kind.cpp | \
      tactus/record/* | tactus/replay/*) return 0 ;;
  esac
  return 1
}

# What is not compiled but taken from the library of the build folder:
#   none
#   text      what is_text(); the objects of another compiler for the same machine go with it
#   library   everything but the program itself and the sources $altered
reuse=none
altered=

is_reused() { # SOURCE
  case $reuse in
    text) is_text "$1" ;;
    library)
      case $1 in tests/*) return 1 ;; esac
      case " $altered " in *" $1 "*) return 1 ;; esac
      ;;
    *) return 1 ;;
  esac
}

flags_of_source() { # SOURCE
  if [ "$all" = 0 ] && is_text "$1"; then echo -O0; fi
}

# Lines "SOURCE OBJECT FLAGS" of everything that is compiled for a program.
parts_of() { # PROGRAM KEY_OF_COMPILER
  local core_headers headers hash source
  # shellcheck disable=SC2086
  core_headers=$(hash_of_headers $core_folders)
  headers=$(hash_of_headers tactus tests/same_bits)
  sources_of "$1" | xargs sha256sum | while read -r hash source; do
    local used=$headers
    case $source in
      tactus/core/* | tactus/solver/* | tactus/world/* | tactus/plant/* | tactus/sweep/* | \
        */probe.cpp)
        used=$core_headers
        ;;
    esac
    if is_reused "$source"; then continue; fi
    local extra object
    extra=$(flags_of_source "$source")
    object=$(echo "$source" | tr / _)_$2_${used}_${hash:0:16}$extra.o
    echo "$source $work_dir/objects/$object $extra -include $work_dir/headers/$2$extra/common.h"
  done
}

# The headers of cmake/precompiled.cmake, read once per set of flags.
precompile() { # HEADER CXX FLAGS...
  local header=$1
  shift
  mkdir -p "$(dirname "$header")"
  touch "$(dirname "$header")" # it was used
  if [ -e "$header.gch" ]; then return 0; fi
  sed -n '/^set(TACTUS_COMMON_HEADERS/,/)/s/.*\(<.*>\).*/#include \1/p' \
    "$source_dir/cmake/precompiled.cmake" >"$header"
  "$@" -I"$work_dir/include" -x c++-header "$header" -o "$header.gch"
}

# Compiles what is missing, two files at a time, and links DIR/PROGRAM.
build() { # PROGRAM DIR TREE CXX FLAGS...
  local program=$1 dir=$2 tree=$3 cxx=$4
  shift 4
  local flags="-std=c++20 $* $common_flags" libraries=-lfmt
  case $cxx in *clang*) ;; *) flags+=" $gnu_flags" ;; esac
  local key
  key=$({ "$cxx" --version && echo "$flags"; } | short_hash)
  mkdir -p "$dir"
  if [ $reuse != none ]; then libraries="$built_libraries $libraries -lxxhash -ldl"; fi
  (cd "$tree" && parts_of "$program" "$key") >"$dir/parts"
  case $cxx in
    aarch64-*) # the functions of the library from its headers, once instead of in every file
      libraries=
      echo "$work_dir/fmt.cpp $work_dir/objects/fmt_$key.o" \
        "-O0 -DFMT_HEADER_ONLY -fkeep-inline-functions" >>"$dir/parts"
      ;;
  esac
  while read -r source object extra; do
    if [ -e "$object" ]; then touch "$object"; else printf '%s\n' "$source" "$object" "$extra"; fi
  done <"$dir/parts" >"$dir/missing"
  local header extra
  while read -r header extra; do
    # shellcheck disable=SC2086
    precompile "$header" "$cxx" $flags $extra 2>"$dir/log" || return 1
  done < <(sed -n 's/\(.*\)-include \(.*\)/\2 \1/p' "$dir/missing" | sort -u)
  (cd "$tree" && tr '\n' '\0' <"$dir/missing" | xargs -0 -r -n 3 -P 2 sh -c "$cxx $flags \$3 \
    -I. -I'$work_dir/include' -c \"\$1\" -o \"\$2.part\" && mv \"\$2.part\" \"\$2\"" sh) \
    2>"$dir/log" || return 1
  if [ $reuse = none ] && [ -x "$dir/$program" ] && cmp -s "$dir/parts" "$dir/$program.parts"; then
    return 0
  fi
  local objects
  mapfile -t objects < <(cut -d ' ' -f 2 "$dir/parts")
  # shellcheck disable=SC2086
  "$cxx" $flags "${objects[@]}" $libraries -o "$dir/$program" 2>>"$dir/log" || return 1
  mv "$dir/parts" "$dir/$program.parts"
}

# What PROGRAM is expected to print for these scenarios or sections; a probe for all without any.
expected_of() { # PROGRAM NAMES...
  local file=$source_dir/tests/same_bits/expected_flights.txt
  if [ "$1" = probe ]; then file=$source_dir/tests/same_bits/expected.txt; fi
  shift
  if [ $# -eq 0 ]; then cat "$file"; fi
  local name
  for name; do
    awk -v name="$name" '$1 == name {print; found = 1} END {if (!found) print name, "(unknown)"}' \
      "$file"
  done
}

# Names of the lines that differ or are missing.
differing() { # EXPECTED OUTPUT
  diff "$1" "$2" | sed -n 's/^[<>] \([a-z0-9_]*\).*/\1/p' | sort -u | tr '\n' ' '
}

summary_of() { # PROGRAM OUTPUT
  if [ "$1" = probe ]; then
    echo "$(wc -l <"$2") lines, math $(awk '$1 == "math" {print $2}' "$2")"
  else
    echo "$(wc -l <"$2") flights, default $(awk '$1 == "default" {print $2}' "$2")"
  fi
}

check() { # CASE PROGRAM "RUNNER" "NAMES" CXX FLAGS...
  local name="$1: $2" program=$2 runner=$3 flown=$4
  local dir=$work_dir/${1//[ =]/_}
  shift 4
  if ! build "$program" "$dir" "$source_dir" "$@"; then
    report FAILED "$name" "does not build: $(grep -m 1 error "$dir/log")"
    return
  fi
  # shellcheck disable=SC2086
  expected_of "$program" $flown >"$dir/expected"
  # shellcheck disable=SC2086
  if ! $runner "$dir/$program" "$dir" $flown >"$dir/output" 2>"$dir/log"; then
    report FAILED "$name" "does not run: $(head -n 1 "$dir/log")"
  elif ! cmp -s "$dir/expected" "$dir/output"; then
    report FAILED "$name" "differs in: $(differing "$dir/expected" "$dir/output")"
    diff "$dir/expected" "$dir/output"
  else
    report ok "$name" "$(summary_of "$program" "$dir/output")"
  fi
}

# Replays what the first build of all recorded.
check_replay() { # CASE "RUNNER" CXX FLAGS...
  local name="$1: replay" runner=$2
  local dir=$work_dir/${1//[ =]/_}
  shift 2
  if ! build replay "$dir" "$source_dir" "$@"; then
    report FAILED "$name" "does not build: $(grep -m 1 error "$dir/log")"
    return
  fi
  if [ ! -e "$recording.digest" ]; then
    $runner "$dir/replay" record "$recording" >"$recording.digest" 2>"$dir/log"
  fi
  if ! $runner "$dir/replay" play "$recording" >"$dir/output" 2>"$dir/log"; then
    report FAILED "$name" "$(head -n 1 "$dir/log")"
  elif ! cmp -s "$recording.digest" "$dir/output"; then
    report FAILED "$name" "$(cat "$dir/output") instead of $(cat "$recording.digest")"
  else
    report ok "$name" "$(cat "$dir/output")"
  fi
}

# The programs of one configuration.
check_all() { # CASE "RUNNER" "SECTIONS" "SCENARIOS" CXX FLAGS...
  local name=$1 runner=$2 sections=$3 flown=$4
  shift 4
  if [ "$all" = 1 ]; then sections="" flown=$scenarios; fi
  check "$name" probe "$runner" "$sections" "$@"
  check "$name" flights "$runner" "$flown" "$@"
  check_replay "$name" "$runner" "$@"
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

# What is compiled: the program, the altered file, and $users, which are to see an altered header;
# their objects come before those in the library.
# "differs ONLY": the altered constant must show in ONLY and in nothing else.
users=
check_altered() { # CASE PROGRAM "NAMES" FILE SED_SCRIPT EXPECTATION CXX FLAGS...
  local name="altered $1: $2" program=$2 names=$3 expectation=$6 altered="$4 $users" reuse=library
  local tree=$work_dir/altered_tree
  local dir=$work_dir/altered_${1//[ +]/_}
  if ! altered_tree "$tree" "$4" "$5"; then
    report FAILED "$name" "the edit of $4 changes nothing"
    return
  fi
  shift 6
  if ! build "$program" "$dir" "$tree" "$@"; then
    report FAILED "$name" "does not build: $(grep -m 1 error "$dir/log")"
    return
  fi
  # shellcheck disable=SC2086
  expected_of "$program" $names >"$dir/expected"
  # shellcheck disable=SC2086
  "$dir/$program" "$dir" $names >"$dir/output" 2>"$dir/log"
  local code=$?
  local differs
  differs=$(differing "$dir/expected" "$dir/output")
  if [ "$expectation" = refuses ] && [ $code -ne 0 ] &&
    grep -q "known-answer probe" "$dir/log"; then
    report ok "$name" "refuses to fly, exit code $code"
  elif [ "$expectation" = differs ] && [ $code -eq 0 ] && [ -n "$differs" ]; then
    report ok "$name" "noticed in: $differs"
  elif [ "$expectation" = "differs $differs" ] && [ $code -eq 0 ]; then
    report ok "$name" "noticed in: $differs"
  else
    report FAILED "$name" "exit code $code, differs in: $differs $(head -n 1 "$dir/log")"
  fi
}

accept_outputs() {
  local dir=$work_dir/g++_-O2 to=$source_dir/tests/same_bits reuse=library
  if ! build probe "$dir" "$source_dir" g++ -O2 ||
    ! build flights "$dir" "$source_dir" g++ -O2; then
    cat "$dir/log"
    return 1
  fi
  # shellcheck disable=SC2086
  "$dir/probe" >"$dir/probe.output" && "$dir/flights" "$dir" $scenarios >"$dir/flights.output" &&
    mv "$dir/probe.output" "$to/expected.txt" &&
    mv "$dir/flights.output" "$to/expected_flights.txt" &&
    cat "$to/expected.txt" "$to/expected_flights.txt"
}

for library in $built_libraries; do
  if [ ! -e "$library" ]; then
    echo "$library is missing: build the target tactus first"
    exit 1
  fi
done
if [ $accept -eq 1 ]; then
  accept_outputs
  exit
fi

for cxx in $compilers; do
  case $cxx in
    aarch64-*)
      if command -v qemu-aarch64 >/dev/null; then
        check_all "$cxx -O2 (qemu)" qemu-aarch64 "$few_sections" "$few_scenarios" \
          "$cxx" -O2 -static
      else
        report SKIPPED "$cxx -O2" "qemu-aarch64 is missing (package qemu-user)"
      fi
      ;;
    *)
      if [ "$all" = 1 ]; then
        for level in "-O0" "-O2" "-O3 -march=native"; do
          # shellcheck disable=SC2086
          check_all "$cxx $level" "" "" "$scenarios" "$cxx" $level
        done
        continue
      fi
      case $cxx in
        *clang*)
          reuse=text check_all "$cxx -O3 -march=native" "" "" "$scenarios" \
            "$cxx" -O3 -march=native
          ;;
        *)
          check "$cxx -O0" probe "" "$few_sections" "$cxx" -O0
          reuse=library check_all "$cxx (build folder)" "" "" "$scenarios" "$cxx" -O2
          ;;
      esac
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
    users=tactus/core/fp_environment.cpp check_altered "Philox multiplier" probe random \
      tactus/core/random.h 's/0xD2511F53u/0xD2511F55u/' refuses g++ -O0
    check_altered "Runge-Kutta weight" probe air_rk4 tactus/solver/tableau.h \
      's|{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}|{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 0.1666}|' \
      differs g++ -O0
    users=tactus/sweep/design/sobol.cpp check_altered "Sobol number" probe campaign \
      tactus/sweep/design/sobol_table.h 's/{7, {1, 3}}/{7, {1, 1}}/' "differs campaign " g++ -O0
    check_altered "autopilot filter" flights "$few_altered" \
      tactus/autopilot/builtin/multirotor_control.cpp \
      's/kVoltageFilter_s = 0.3;/kVoltageFilter_s = 0.3000001;/' "differs default " g++ -O2
    check_altered "rover share" flights "$few_altered" tactus/autopilot/builtin/rover_control.cpp \
      's/kTurnShare = 0.9;/kTurnShare = 0.9000001;/' "differs rover_square " g++ -O2
    check_altered "estimator channel" flights "$few_altered" tactus/sensor/estimator.cpp \
      's/kBiasChannel = 16;/kBiasChannel = 24;/' differs g++ -O2
    ;;
esac

find "$work_dir/objects" -type f ! -newer "$work_dir/started" -delete
find "$work_dir/headers" -mindepth 1 -maxdepth 1 ! -newer "$work_dir/started" -exec rm -r {} +
echo "$checked as they must be, $failures failed, $skipped skipped"
if [ $failures -ne 0 ]; then
  echo "if the change is meant: tests/same_bits/run.sh --accept SOURCE_DIR BUILD_DIR"
  exit 1
fi
if [ $checked -eq 0 ]; then exit 77; fi
