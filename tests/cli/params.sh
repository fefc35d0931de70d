#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verbs `params` and `autopilots` as a built program, from a folder that holds nothing else.
set -euo pipefail
tactus=$(readlink -f "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
cd "$work"
unset TACTUS_PX4_LOCKSTEP_LIB TACTUS_PX4_SITL_BIN TACTUS_PX4_SITL_ROMFS TACTUS_ARDUCOPTER_BIN

# count N PATTERN: lines on out of the last command.
count() {
  local got
  got=$(grep -Ec -- "$2" out || true)
  if [[ $got != "$1" ]]; then
    echo "$got lines with '$2', expected $1"
    failures=$((failures + 1))
  fi
}

# Name, value and why; the aircraft decides.
expect 0 out '^CA_ROTOR_COUNT +4 +rotors of the aircraft$' params iris --for px4
count 4 '^CA_ROTOR[0-9]+_KM '
count 1 '^THR_MDL_FAC .*\(process only\)$'
expect 0 out '^CA_ROTOR7_PY +-0.2828 ' params octa --for px4
count 8 '^CA_ROTOR[0-9]+_KM '
expect 0 out '^FRAME_CLASS +2 +hexa X$' params hexa --for ardupilot
count 3 '^ATC_RAT_(RLL|PIT|YAW)_P '

# A heavier aircraft hovers with more thrust.
hover() { "$tactus" params iris --for px4 "$@" | awk '$1 == "MPC_THR_HOVER" { print $2 }'; }
if ! awk -v a="$(hover)" -v b="$(hover --set body.mass_kg=1.8)" \
  'BEGIN { exit !(b > 1.1 * a) }'; then
  echo "the hover thrust does not follow the mass"
  failures=$((failures + 1))
fi

# Files: five columns with tabs for QGroundControl, two for ArduPilot.
expect 0 out $'^1\t1\tCA_ROTOR_COUNT\t4\t6$' params iris --for px4 --format param-file
awk -F'\t' '!/^#/ && NF != 5 { exit 1 }' out || failures=$((failures + 1))
expect 0 out '^FRAME_TYPE 1$' params iris --for ardupilot --format param-file
awk '!/^#/ && NF != 2 { exit 1 }' out || failures=$((failures + 1))

# Levels of the battery that are not those of the packs: both values on standard error, and the
# file stays whole.
expect 0 err '^tactus: note: BAT_LOW_THR = 0\.3, given by .*, is not pack\.main\.low_soc' \
  params iris --for px4 --format param-file --set autopilot.kind=px4-sitl \
  --set autopilot.outside.parameters=BAT_LOW_THR=0.3
awk -F'\t' '!/^#/ && NF != 5 { exit 1 }' out || failures=$((failures + 1))
expect 0 out '^BAT_CRIT_THR +0\.1 .*PX4.s default: 0\.07' params iris --for px4
if [[ -s err ]]; then
  echo "params has something to say about the levels of the packs themselves"
  failures=$((failures + 1))
fi

# Refusals.
expect 2 err 'turn another way' params octa --for ardupilot
expect 2 err 'is a rover' params rover --for px4
expect 2 err 'no autopilot can be set up to hover' params iris --for px4 \
  --set body.mass_kg=5
expect 2 err '--for' params iris
expect 2 err '--for' params iris --for betaflight

# What can fly here. Without anything given: the one that is built in.
expect 0 out '^builtin +yes +part of Tactus$' autopilots
count 1 '^px4-lib +no +not given: --px4-lib PATH, or set TACTUS_PX4_LOCKSTEP_LIB$'
count 1 '^px4-sitl +no +not given: --px4-bin PATH, or set TACTUS_PX4_SITL_BIN$'
count 1 '^ardupilot +no +not given: --ardupilot-bin PATH, or set TACTUS_ARDUCOPTER_BIN$'

# Each verb is told what it has: a fleet has keys, not these options.
expect 2 err 'set autopilot.px4.binary in the spec, in .vehicle.set. of a fleet or by --set' \
  bridge fleet_autopilots
expect 2 err 'set autopilot.px4.library in the spec.*`tactus run` also takes --px4-lib PATH' \
  run iris --autopilot px4-lib
expect 2 err 'set autopilot.ardupilot.binary in the spec.*`tactus run` also takes --ardupilot-bin' \
  bridge fleet_ten --set 'autopilot.kind="ardupilot"'
expect 3 err 'missing: there is no such file.*autopilot.px4.binary' bridge fleet_autopilots \
  --set autopilot.px4.binary=missing

# Programs do not read the estimate: what acts on it alone is refused before they are looked for.
for kind in px4-sitl ardupilot; do
  expect 2 err 'gps_loss.toml:1[0-9]:[0-9]+: .*"sensor_fail" acts on the estimate of Tactus' \
    spec check gps_loss --set autopilot.kind="\"$kind\""
done

# Paths from flags and from the environment, and what is wrong with them.
expect 0 out '^ardupilot +no +missing: there is no such file' autopilots --ardupilot-bin missing
echo '#!/bin/sh' >program
expect 0 out '^ardupilot +no +program: not executable; try chmod' autopilots --ardupilot-bin program
chmod +x program
expect 0 out '^ardupilot +yes +program$' autopilots --ardupilot-bin program
TACTUS_ARDUCOPTER_BIN=program expect 0 out '^ardupilot +yes +program$' autopilots
expect 0 out '^px4-sitl +no +.*no init.d-posix/rcS there' autopilots --px4-bin program
mkdir -p etc/init.d-posix
touch etc/init.d-posix/rcS
expect 0 out '^px4-sitl +yes +program$' autopilots --px4-bin program --px4-romfs etc
expect 0 out '^px4-lib +no +.*program' autopilots --px4-lib program
expect 0 out '^px4-lib +no +.*"etc": is a folder; give the path of your' autopilots --px4-lib etc
touch etc/libpx4_lockstep.so
expect 3 err '/etc": is a folder; give the path of your .*/etc/libpx4_lockstep.so' \
  run iris --autopilot px4-lib --px4-lib etc

((failures == 0))
