#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: asks apt
#
# The first ./run stays light: what the group build of packages.txt brings with it, beyond a Debian
# with g++ and cmake, is counted by apt on a machine that has nothing. Nothing is installed.
set -euo pipefail
source_dir=$2
most=60

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/status"

# needed PACKAGE...: all that apt would install, one name per line.
needed() {
  apt-get --simulate -o Dir::State::status="$scratch/status" -o APT::Install-Recommends=false \
    install "$@" 2>"$scratch/err" | awk '$1 == "Inst" { print $2 }' | sort
}

if ! command -v apt-get >/dev/null || [[ -z $(needed g++ cmake) ]]; then
  echo "apt knows no packages here (apt-get update fetches its lists), so nothing can be counted"
  exit 77
fi
mapfile -t group < <(awk '$1 == "build" { print $2 }' "$source_dir/packages.txt")
needed "${group[@]}" >"$scratch/build" || { cat "$scratch/err"; exit 1; }
needed g++ cmake >"$scratch/base"
comm -13 "$scratch/base" "$scratch/build" >"$scratch/more"
count=$(wc -l <"$scratch/more")
echo "the group build brings $count packages beyond g++ and cmake, of $most allowed"
if ((count == 0 || count > most)); then
  cat "$scratch/more"
  exit 1
fi
