#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: flies fleets
# needs: double_json_physics
#
# The verb `bridge` as a built program: shipped fleets, recordings, wrong files, Ctrl-C.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
fleets=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../scenarios/fleets" && pwd)
cd "$work"

# A vehicle of a fleet is the single flight of its spec, whatever the threads.
expect 0 out '^fleet_ten: 10 of 10 vehicles passed$' bridge fleet_ten
cp out first.txt
check 'a shipped fleet has no warnings' test "$(cat out err | grep -c warning)" = 0
expect 2 err 'there is no fleet "fleet_tne"; did you mean fleet_ten\?' bridge fleet_tne
expect 0 out '^  latency +p50 ' bridge fleet_ten --threads 2 --record flights
diff <(grep -o 'digest .*' first.txt) <(grep -o 'digest .*' out) || {
  echo "failed: other bits on two threads"
  failures=$((failures + 1))
}
# Every flight tells its latencies from sensors to actuators; ten vehicles are in the air after a
# second of work at most.
tells_latency() {
  grep -Eq '^  latency +p50 [0-9.]+' "$1" &&
    awk '/^  latency/ { gsub(",", ""); exit !($3 <= $5 && $5 <= $7 && $7 <= $9) }' "$1"
}
for flight in first.txt out; do
  tells_latency $flight || {
    echo "failed: latency of ten vehicles: $(grep -h '^  latency' $flight)"
    failures=$((failures + 1))
  }
done
TIMEFORMAT='%U %S'
start_ten() { "$tactus" bridge fleet_ten --set time.end_s=0.02 --quiet >/dev/null 2>&1 || true; }
started=$({ time start_ten; } 2>&1)
awk '{ exit !($1 + $2 < 1.0) }' <<<"$started" || {
  echo "failed: ten vehicles take $started s of user and system time to start"
  failures=$((failures + 1))
}
alone=$("$tactus" run default --seed 1 | sed -n 's/^  digest *//p')
grep -q "^    0 on left: .* digest $alone\$" first.txt || {
  echo "failed: vehicle 0 is not the flight alone, $alone"
  failures=$((failures + 1))
}
expect 0 out 'bit by bit' replay flights/vehicle_9.h5 --plant

# The bridge's own file: read by another program, shown by inspect, no flight for the other verbs.
expect 0 out '^flights/bridge.h5: recording of the bridge of "fleet_ten"' inspect \
  flights/bridge.h5 --all
for text in 'state +complete, 75s of flight' 'vehicle.9.simulator = left' '^  vehicles +7510 '; do
  grep -Eq "$text" out || {
    echo "failed: inspect of the bridge does not say: $text"
    cat out
    failures=$((failures + 1))
  }
done
expect 2 err 'is the recording of a bridge, which is no flight' replay flights/bridge.h5
expect 2 err 'is the recording of a bridge, which is no flight' diff flights/bridge.h5 \
  flights/bridge.h5
expect 2 err 'it is that of a bridge and has events and vehicles' export flights/bridge.h5 \
  --csv log.csv
expect 0 out '7510 rows of vehicles' export flights/bridge.h5 --csv vehicles.csv --table vehicles
expect 0 out 'digest' bridge fleet_ten --record again
python=python3
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
"$python" - flights again <<'PYTHON' || failures=$((failures + 1))
import sys

import h5py
import numpy


def datasets(file):
    found = {}
    file.visititems(lambda path, item: found.update({path: item})
                    if isinstance(item, h5py.Dataset) else None)
    return found


first, again = (h5py.File(f"{folder}/bridge.h5", "r") for folder in sys.argv[1:])
assert datasets(first).keys() == datasets(again).keys()
for path, dataset in datasets(first).items():
    same = dataset[()].tobytes() == datasets(again)[path][()].tobytes()
    assert same or path.startswith("diagnostics/"), path + " differs on another number of threads"
ids, times = first["/vehicles/id"][:], first["/time/vehicles_us"][:]
assert sorted(set(ids)) == list(range(10))
assert list(times[ids == 3]) == list(range(0, 75_000_001, 100_000))
# One clock: what the bridge saw is what the vehicle itself recorded at the same instants.
own = h5py.File(f"{sys.argv[1]}/vehicle_3.h5", "r")
own_times = own["/time/log_us"][:]
shared, at, own_at = numpy.intersect1d(times[ids == 3], own_times, return_indices=True)
seen = first["/vehicles/truth/position_ned_m"][:][ids == 3][at]
assert len(shared) > 100
assert numpy.abs(seen - own["/log/truth/position_ned_m"][:][own_at]).max() < 1e-12
latency = first["/diagnostics/histograms/of"][:] == b"latency"
assert first["/diagnostics/histograms/count"][:][latency].sum() == 10 * 18751
assert list(first["/diagnostics/simulators/name"][:]) == [b"left", b"right"]
assert first["/diagnostics/real_time_factor"][0] > 0.0
PYTHON
expect 0 out 'equal' diff flights/vehicle_9.h5 --rerun
expect 0 out '"schema": "tactus.bridge/1"' bridge fleet_mixed --json
expect 3 err 'flights/bridge.h5 exists' bridge fleet_mixed --record flights

# The same flight in two simulators.
expect 0 out '^fleet_twins: 2 of 2 vehicles passed$' bridge fleet_twins --threads 2 --record twins
expect 0 out 'equal' diff twins/vehicle_0.h5 twins/vehicle_1.h5

# A flight that stops with an error ends the fleet, or is dropped with its simulator.
cat >restless.toml <<'TOML'
extends = "default"
[[event]]
id = "step"
at_s = 1.0
do = "wind_step"
vector = [10.0, 0.0, 0.0]
[[event]]
id = "restless"
when = "disturbance.wind_ned_m_s.x above 9.5"
mode = "repeat"
do = "wind_step"
vector = [-1.0, 0.0, 0.0]
duration_s = 0.0001
TOML
cat >stops.toml <<'TOML'
[time]
end_s = 4.0
[[simulator]]
name = "a"
late = "hold"
[[simulator]]
name = "b"
[[vehicle]]
id = 0
simulator = "a"
spec = "restless.toml"
[[vehicle]]
id = 1
simulator = "a"
spec = "free_fall"
autopilot = "builtin"
[[vehicle]]
id = 2
simulator = "b"
spec = "free_fall"
autopilot = "builtin"
TOML
expect 5 err 'vehicle 0: t = 1100000 us: .*more than 1000 actions' bridge stops.toml
sed -i 's/"hold"/"drop"/' stops.toml
expect 1 out '^fleet: 1 of 3 vehicles passed$' bridge stops.toml --record stopped
for text in '^    0 on a: restless: simulator a was dropped: its last frame is of 1\.1' \
  '^    1 on a: free_fall: simulator a was dropped: its last frame is of 1\.0' \
  'event +1\.100 s simulator a: vehicle 0: .*more than 1000 actions.*\(drop\)$'; do
  grep -Eq "$text" out || {
    echo "failed: a dropped simulator of ours does not say: $text"
    cat out
    failures=$((failures + 1))
  }
done
expect 0 out 'INCOMPLETE: the run was stopped at 1\.09' inspect stopped/vehicle_1.h5

# interrupt CODE PROCESS OUTPUT: as Ctrl-C does.
interrupt() {
  local code=0
  kill -INT "$2"
  wait "$2" || code=$?
  [[ $code == "$1" ]] || {
    echo "failed: Ctrl-C gave $code and not $1:"
    cat "$3"
    failures=$((failures + 1))
  }
}

# An external simulator beside one of ours.
physics=${TACTUS_DOUBLES:-}/double_json_physics
start_physics() {
  : >physics.txt
  "$physics" "$@" >>physics.txt &
  process=$!
  for ((i = 0; i < 200; i++)); do
    grep -q '^port ' physics.txt && break
    sleep 0.05
  done
  sed "s/^port = .*/port = $(sed -n 's/^port //p' physics.txt)/" \
    "$fleets/fleet_json.toml" >physics.toml
}
end_physics() {
  kill "$process"
  wait "$process" || true
}
if [[ -x $physics ]]; then
  start_physics
  expect 0 out '^fleet_json: 2 of 2 vehicles passed$' bridge physics.toml --record both --tier 1
  end_physics
  # What is expected is judged there, too.
  start_physics
  printf '%s\n' '[time]' 'end_s = 8.0' '[[simulator]]' 'name = "physics"' 'kind = "json"' \
    "$(grep '^port' physics.toml)" '[[vehicle]]' 'id = 0' 'simulator = "physics"' \
    'spec = "default"' '[vehicle.set]' 'expect.land.by_s = 5.0' 'time.end_s = 8.0' >judged.toml
  expect 1 out 'land: not landed and disarmed by 5 s' bridge judged.toml
  end_physics
  # The same mission there and here: both are recorded, compared, and the autopilot replays.
  ours=both/vehicle_1.h5 theirs=both/vehicle_0.h5
  expect 0 out 'scenario +1 +acts start' inspect $theirs
  expect 6 out '^note +the second was flown in an external simulator, .* wind, environment' \
    diff $ours $theirs --tolerance 0.1
  grep -Eq '^ +90 +[0-9]\.[0-9]+ ' out || {
    echo "failed: diff does not tell how far two simulators part:"
    cat out
    failures=$((failures + 1))
  }
  expect 6 out 'what an external one computes with is not recorded' diff $theirs --rerun
  expect 0 out 'bit by bit' replay $theirs --component autopilot
  expect 2 err 'was flown in an external simulator' replay $theirs
  expect 2 err 'was flown in an external simulator' compare $theirs
  expect 2 err 'was flown in an external simulator' branch $theirs --at 5s --record no.h5
  expect 0 out '4501 rows of log' export $theirs --csv theirs.csv
  # A file that is there is not overwritten; one that cannot go on keeps no vehicle from flying.
  mkdir taken && touch taken/vehicle_0.h5
  start_physics
  expect 3 err 'taken/vehicle_0.h5 exists' bridge physics.toml --record taken
  end_physics
  start_physics
  printf '%s\n' '[time]' 'end_s = 60.0' '[[simulator]]' 'name = "physics"' 'kind = "json"' \
    "$(grep '^port' physics.toml)" '[[vehicle]]' 'id = 0' 'simulator = "physics"' \
    'spec = "default"' >one.toml
  code=0
  (ulimit -f 3000 && "$tactus" bridge one.toml --record full --tier 1 >out 2>err) || code=$?
  end_physics
  if [[ $code != 3 ]] || ! grep -q '^fleet: 1 of 1' out || ! grep -q 'vehicle_0.h5' err; then
    echo "failed: exit code $code of a fleet with a recording that is too large:"
    cat out err
    failures=$((failures + 1))
  fi
  # A flight that ends before the fleet, which has no end here: its recording is complete by then.
  start_physics
  sed -i -e '/^end_s/d' -e "s/^port = .*/$(grep '^port' physics.toml)/" one.toml
  sed -i 's/"default"/"standby"/' one.toml
  printf '%s\n' '[vehicle.set]' 'time.end_s = 1.0' >>one.toml
  "$tactus" bridge one.toml --record short >short.txt 2>&1 &
  fleet=$!
  for ((i = 0; i < 200; i++)); do
    "$tactus" inspect short/vehicle_0.h5 2>/dev/null | grep -q 'complete, 1s of flight' && break
    sleep 0.05
  done
  expect 0 out 'state +complete, 1s of flight' inspect short/vehicle_0.h5
  interrupt 0 "$fleet" short.txt
  end_physics
  # No simulator is there: only files that were written are named.
  sed -i '1a end_s = 3.0' one.toml
  "$tactus" bridge one.toml --record absent >absent.txt 2>&1 &
  fleet=$!
  wait_for absent/bridge.h5
  interrupt 130 "$fleet" absent.txt
  if [[ $(sed -n 's/^  file *//p' absent.txt) != absent/bridge.h5 ]]; then
    echo "failed: files of a fleet that was interrupted while it connected:"
    cat absent.txt
    failures=$((failures + 1))
  fi
  start_physics --jump-at 3000
  sed -i 's/^late = .*/late = "drop"/' physics.toml
  expect 4 out 'simulator .* was dropped: its last frame is of 2\.' bridge physics.toml \
    --record dropped
  expect 0 out 'INCOMPLETE: the run was stopped at 2\.' inspect dropped/vehicle_0.h5
  end_physics
fi

# alone LATE: a fleet of one vehicle in the physics program.
alone() {
  printf '%s\n' '[time]' 'end_s = 2.0' '[[simulator]]' 'name = "physics"' 'kind = "json"' \
    "late = \"$1\"" 'exchange_deadline_s = 0.3' "$(grep '^port' physics.toml)" '[[vehicle]]' \
    'id = 0' 'simulator = "physics"' 'spec = "default"' >alone.toml
}
if [[ -x $physics ]]; then
  # One that is gone for good has not passed, also if it is not waited for.
  for late in hold free_running; do
    start_physics --hang-at 1000
    alone $late
    expect 4 out 'default: simulator physics has been silent or wrong since 0\.[0-9]+ s' \
      bridge alone.toml
    end_physics
  done
  # What is refused while it connects has names too.
  start_physics --wrong 'imu.gyro=[NaN,0,0]' --wrong-from 0
  alone hold
  expect 4 err 'simulator physics: vehicle 0: .*imu.gyro.*while connecting, t = 0' bridge alone.toml
  end_physics
fi

# A ground station that is not used changes nothing, and is told of.
fleet() { printf '%s\n' '[[simulator]]' 'name = "a"' "$@" >bad.toml; }
fleet '[[vehicle]]' 'id = 1' 'simulator = "a"' 'spec = "default"'
"$tactus" bridge bad.toml >plain.txt
expect 0 out 'vehicle 1: no ground station answered on UDP 127.0.0.1:14551' \
  bridge bad.toml --gcs --speed max
tells_latency plain.txt || {
  echo "failed: latency of one vehicle: $(grep -h '^  latency' plain.txt)"
  failures=$((failures + 1))
}
diff <(grep -o 'digest .*' plain.txt) <(grep -o 'digest .*' out) || {
  echo "failed: a ground station changed the flight"
  failures=$((failures + 1))
}

# Wrong files: where, what, and what is allowed.
vehicle=('[[vehicle]]' 'id = 0' 'simulator = "a"' 'spec = "default"')
fleet "${vehicle[@]}" 'sede = 1'
expect 2 err 'bad.toml:7:1: vehicle.sede = .*did you mean seed\?' bridge bad.toml
fleet "${vehicle[@]}" "${vehicle[@]}"
expect 2 err 'bad.toml:8:1: vehicle.id = 0: there is one of this id already' bridge bad.toml
fleet "${vehicle[@]/\"a\"/\"b\"}"
expect 2 err 'vehicle.simulator = "b": there is no such simulator' bridge bad.toml
fleet "${vehicle[@]}" 'exchange_us = 4000' '[time]' 'step_us = 3000'
expect 2 err 'bad.toml:7:1: vehicle.exchange_us: .*4000.* no multiple of time.step_us = 3000' \
  bridge bad.toml
fleet "${vehicle[@]/default/nothing}"
expect 2 err 'bad.toml:6:.*vehicle 0: .*nothing' bridge bad.toml
fleet "${vehicle[@]}" "${vehicle[@]/id = 0/id = 1}" 'mavlink_port = 14550'
expect 2 err 'bad.toml:11:1: vehicle 1 needs UDP port 14550 .*which vehicle 0 has' bridge bad.toml
fleet "${vehicle[@]}" 'ground_station = true' 'autopilot = "px4-sitl"'
expect 2 err 'bad.toml:7:1: vehicle.ground_station = true: .*builtin' bridge bad.toml
fleet
expect 2 err 'bad.toml:1:1: vehicle: is missing; .*\[\[vehicle\]\]' bridge bad.toml
expect 2 err 'nowhere.toml' bridge nowhere.toml

# Ctrl-C closes the recordings.
"$tactus" bridge fleet_ten --speed 1 --record cut >cut.txt 2>&1 &
process=$!
wait_for cut/vehicle_9.h5
interrupt 130 "$process" cut.txt
expect 0 out 'INCOMPLETE' inspect cut/vehicle_9.h5
expect 0 out 'INCOMPLETE: the run was stopped at' inspect cut/bridge.h5

((failures == 0))
