#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: flies with a ground station of others
# needs: tactus_cli
#
# Compares our MAVLink codec with an independent one (node-mavlink), both ways, and lets a ground
# station made of that one fly a vehicle of ours, alone and in a fleet. Needs node, npm and, the
# first time, the network; without them it is skipped (exit 77).
set -euo pipefail
compilers=$1 source_dir=$2 build_dir=$3
work=$build_dir/mavlink
here=$source_dir/tests/mavlink

skip() {
  echo "skipped: $1"
  exit 77
}

command -v node >/dev/null || skip "node is missing (Debian package nodejs)"
command -v npm >/dev/null || skip "npm is missing (Debian package npm)"
mkdir -p "$work"
cp "$here"/package.json "$here"/package-lock.json "$here"/*.mjs "$work"/
if ! cmp -s "$work/package-lock.json" "$work/installed-lock.json"; then
  (cd "$work" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) ||
    skip "npm cannot install node-mavlink: $(grep -m1 'npm error' "$work/npm.log" || echo timeout)"
  cp "$work/package-lock.json" "$work/installed-lock.json"
fi

# shellcheck source=tests/support/contract_flags.bash
source "$source_dir/tests/support/contract_flags.bash"
read -ra flags <<<"$(contract_flags TACTUS_FLOATING_POINT_FLAGS)"
"${compilers%% *}" -std=c++20 -O1 "${flags[@]}" -I "$source_dir" "$here/frames.cpp" \
  "$source_dir"/tactus/link/mavlink/{mavlink,mavlink_messages}.cpp -lfmt \
  -o "$work/frames"
count=25
[[ ${TACTUS_TEST_ALL:-} != 1 ]] || count=1000
cd "$work"
node check.mjs "$work/frames" "$count"

rm -f "$work/flight.h5"
node fly.mjs "$build_dir/tactus" "$work/flight.h5"
"$build_dir/tactus" replay "$work/flight.h5" >replay.log || { cat replay.log && exit 1; }
"$build_dir/tactus" replay "$work/flight.h5" --component autopilot >replay.log ||
  { cat replay.log && exit 1; }
echo "its recording replays, and the autopilot alone"

rm -rf "$work/fleet"
node fleet.mjs "$build_dir/tactus" "$work/fleet"
for vehicle in 0 7; do
  for part in "" "--component autopilot"; do
    # shellcheck disable=SC2086
    "$build_dir/tactus" replay "$work/fleet/vehicle_$vehicle.h5" $part >replay.log ||
      { cat replay.log && exit 1; }
  done
done
echo "the recordings of both replay, and their autopilots alone"
