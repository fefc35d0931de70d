#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A build says how far it is: on a terminal in one line that is written over, elsewhere not at every
# file. Its own output stays whole.
set -euo pipefail
source_dir=$2

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/show" <<TEXT
source "$source_dir/cmake/bootstrap.sh"
printf '%s\n' '[3/9] a.cpp' 'a warning' '[9/9] b.cpp' | show_build some
TEXT

fail() { echo "failed: $1"; cat -v "$scratch"/{out,err}; exit 1; }

bash "$scratch/show" >"$scratch/out" 2>"$scratch/err"
[[ $(<"$scratch/out") == $'[3/9] a.cpp\na warning\n[9/9] b.cpp' ]] || fail 'the output is not whole'
[[ ! -s $scratch/err ]] || fail 'a short build says something without a terminal'

script --quiet --return --command "bash '$scratch/show' >'$scratch/out'" /dev/null \
  >"$scratch/err" </dev/null
grep -q $'\r\e\[2Ktactus: building some: 3 of 9' "$scratch/err" || fail 'a terminal is not told'
grep -q $'building some: 9 of 9\r\e\[2K' "$scratch/err" || fail 'the line is not wiped'
