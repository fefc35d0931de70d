#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# slow: flies with many options and seeds
#
# The verb `run` as a built program: the default flight, options, files, exit codes, many seeds,
# Ctrl-C, disks that are full.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

digest_of_summary() { sed -n 's/^  digest *//p' "$work/out"; }

# The summary has everything that a user is promised, and is the same flight without a word.
expect 0 out '^default: passed: mission complete, landed 0\.[0-9]+ m from home$' run
for word in flight expected mission tracking motion power events autopilot vehicle integrator \
  boundaries speed digest wind; do
  check "the summary has $word" grep -Eq "^  $word  " "$work/out"
done
check 'no progress line without a terminal' test ! -s "$work/err"
digest=$(digest_of_summary)
expect 0 out "^  digest +$digest\$"
check 'quiet is quiet' test -z "$("$tactus" run free_fall --quiet 2>&1)"

# What did nothing is said next to the verdict, and fails with --strict.
printf '%s\n' 'extends = "default"' '[[event]]' 'id = "late"' 'at_s = 80.0' 'do = "hold"' \
  >"$work/late.toml"
printf '%s\n' 'extends = "standby"' '[time]' 'end_s = 2.0' '[[event]]' 'id = "high"' \
  'when = "truth.height_m above 900"' 'do = "marker"' >"$work/high.toml"
expect 0 out '^  warnings +.*late.toml:4:1: warning: event.late.at_s = 80.0: never happens' \
  run "$work/late.toml"
expect 0 out '"warnings": \[$' run "$work/late.toml" --json
expect 1 err '^tactus: --strict: 1 warning$' run "$work/late.toml" --strict
expect 0 out '"warnings": \[\],$' run default --strict --json
expect 0 out 'high.toml:6:1: warning: event.high.when = .*: never happened: the condition' \
  run "$work/high.toml"
expect 1 err 'never happened' run "$work/high.toml" --strict --quiet
expect 1 out 'high.toml:6:1: warning: event.high.when' run "$work/high.toml" --strict --seeds 1..3
check 'a warning of many flights is said once' test "$(grep -c 'warning: ' "$work/out")" = 1
expect 1 err "strict" run "$work/high.toml" --strict --seeds 1..2 --quiet --junit "$work/strict.xml"
check 'a strict report has its failures' grep -q 'failures="2"' "$work/strict.xml"
expect 1 out '^late: FAILED' run "$work/late.toml" --strict --set body.mass_kg=2.95 --t-end 3s \
  --junit "$work/strict.xml"
check 'warnings of a strict report are apart' \
  grep -Eq '"[^"]*mass_kg = 2.95[^"]*; [^"]*at_s = 80.0: never happens[^"]*"' "$work/strict.xml"
# What cannot be shown on stderr costs no result.
"$tactus" run free_fall --seeds 1..3 --json >"$work/closed.json" 2>&- || true
check 'seeds without stderr are told' grep -q '"passed": 3' "$work/closed.json"
expect 0 out '^  warnings.*body.mass_kg = 2.95: the rotors lift' run standby --t-end 1s \
  --set body.mass_kg=2.95

# Wrong input: exit code 2 and a message that helps.
expect 2 err 'no_such_spec' run no_such_spec
expect 2 err 'wnid' run --set wnid.x=1
expect 2 err 'nonsense' run --set nonsense
expect 2 err '--t-end.*"60"' run --t-end 60
expect 2 err '--seed.*"minus"' run --seed minus
expect 2 err '--seed.* to 9223372036854775807' run --seed 18446744073709551615
expect 2 err '--seeds.* to 9223372036854775807' run --seeds 0..18446744073709551615
expect 2 err '--speed.*"fast" must be max or from 0.001 to 1000000 times real time' run --speed fast
expect 2 err '--speed.*"0"' run --speed 0
expect 2 err '--gcs here:14550: must be PORT or HOST:PORT' run --gcs here:14550
expect 2 err '--gcs 0: must be' run --gcs 0
expect 2 err '--gcs: is for --autopilot builtin' run --gcs 14550 --autopilot none
expect 2 err 'a ground station steers one' run --gcs 14550 --seeds 0..1
expect 2 err 'autopilot.ground_station.host = "here"' run --speed max \
  --set autopilot.ground_station.enabled=true --set autopilot.ground_station.host=here
expect 0 err 'so it flies in real time; --speed' run standby --gcs 14551 --t-end 0.5s
expect 2 err 'builtin with a ground station" cannot be copied' \
  run standby --gcs 14551 --t-end 0.5s --validate --quiet
expect 2 err 'builtin with a ground station" cannot be saved' \
  run standby --gcs 14551 --t-end 0.5s --record "$work/no.h5" --snapshots 0.1s --quiet
expect 0 out 'no ground station answered on UDP 127.0.0.1:14551' \
  run standby --gcs 14551 --t-end 0.5s --speed max
expect 2 err '--autopilot' run --autopilot hal
expect 2 err '--seeds.*"9\.\.1"' run --seeds 9..1
expect 2 err '--seeds.*"9"' run --seeds 9
expect 2 err '--seeds' run --seeds 0..1 --log "$work/x.csv"
expect 2 err '--seeds' run --jobs 2
expect 2 err 'see .tactus run --help' run --no-such-option
expect 2 err '--t-end 0s: must be greater than zero' run --t-end 0s
expect 2 err '--log-period is 0s' run --log-period 0s --log "$work/x.csv"
expect 2 err 'log.period_s = 0' run --set log.period_s=0 --log "$work/x.csv"
for option in --log --junit --mission --seed --t-end; do
  expect 2 err "$option: must not be empty" run $option ''
done
expect 2 err '--log: must be the name of a file' run --log -
expect 2 err 'did you mean hexa_motor_off\?' run hexa_motor_of
expect 2 err '--mission figur: .*figure\.waypoints, .*square\.plan' run --mission figur
expect 3 err "$work: is a folder" run "$work"
export TACTUS_DATA=$work/nowhere
expect 3 err "$work/nowhere does not exist" run
unset TACTUS_DATA
expect 2 err 'fly\.sh:[0-9]+:' run "${BASH_SOURCE[0]}" # not a spec
check 'nothing was written' test ! -e "$work/x.csv"

# An option is an override of the spec: both ways give the same flight.
expect 1 out '^  flight +2\.500 s simulated, seed 7;' run free_fall --t-end 2.5s --seed 7
digest=$(digest_of_summary)
expect 1 out "^  digest +$digest\$" run --set time.end_s=2.5 --set seed=7 free_fall
check 'the sentence says why' grep -q '^free_fall: FAILED: 2 of 2 expectations not met' "$work/out"
expect 1 err '^tactus:   height: .*; expected' run free_fall --t-end 2.5s --quiet
expect 1 out 'land: not landed and disarmed when the run ended at 3 s: ' run --t-end 3s
expect 1 out ', 82\.[0-9]+ s late$' run --mission figure --t-end 160s
check 'a loop is passed often' grep -Eq '^ +3 waypoint +26\.[0-9]+ s, 3 times, last at ' "$work/out"
check 'a jump is an item' grep -Eq '^ +5 change speed +59\.[0-9]+ s$' "$work/out"

# A crash is exit code 1 and says so.
expect 1 err 'CRASHED at .*, after motor_off front_right at 20\.000 s, failsafe motor_lost at 20' \
  run iris_motor_off --quiet

# Events that repeat, end, or never act; a name of its own; nothing expected.
cat >"$work/mine.toml" <<TOML
extends = "$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")/aircraft/iris.toml"
[time]
end_s = 5.5
[[event]]
id = "gust"
at_s = 1.0
every_s = 2.0
mode = "repeat"
do = "wind_step"
vector = [2.0, 0.0, 0.0]
duration_s = 1.0
[[event]]
id = "too_high"
when = "truth.height_m above 1000"
do = "land"
[[expect]]
id = "complete"
remove = true
[[expect]]
id = "land"
remove = true
TOML
expect 0 out '^mine: flown: .*in the air [0-9.]+ m high, [0-9.]+ m from home$' run "$work/mine.toml"
check 'repeated' grep -Eq \
  '1\.000 s wind_step .*"gust"\), 3 times, last at 5\.000 s, last ended at 4\.000 s' "$work/out"
check 'never' grep -Eq 'never land \(event "too_high"\)' "$work/out"

# JSON: valid, and all but the wall clock is the same again.
expect 0 out '"schema": "tactus.run/1"' run free_fall --json
cp "$work/out" "$work/first.json"
expect 0 out '"schema": "tactus.run/1"' run free_fall --json --validate
check 'JSON says what it should' python3 - "$work/first.json" "$work/out" <<'PYTHON'
import json, sys
first, again = (json.load(open(path)) for path in sys.argv[1:])
for document in (first, again):
    wall = document.pop("wall_clock")
    assert wall["flying_s"] > 0 and wall["real_time_factor"] > 0, wall
assert first == again
assert first["verdict"] == "passed" and len(first["flight_digest"]) == 32
assert first["flight"]["end_t_us"] == 4000000
assert [e["passed"] for e in first["expectations"]] == [True, True]
assert first["boundaries"]["total"] >= first["boundaries"]["autopilot"]
PYTHON

# CSV: the same bytes again, whatever looks on; the digest of the flight in its head.
expect 0 out "^  files +$work/a.csv" run free_fall --log "$work/a.csv"
digest=$(digest_of_summary)
check 'the log carries the digest' grep -Eq "^# tactus .* digest=$digest\$" <(head -1 "$work/a.csv")
expect 0 out "^  digest +$digest\$" run free_fall --log "$work/b.csv" --validate
check 'the same bytes again' cmp "$work/a.csv" "$work/b.csv"
check '50 rows a second' test "$(grep -vc '^#' "$work/a.csv")" = 202
expect 0 out "^  digest +$digest\$" run free_fall --log "$work/c.csv" --log-period 4ms
check '250 rows a second' test "$(grep -vc '^#' "$work/c.csv")" = 1002

# Files that cannot be written: exit code 3 and their name.
expect 3 err '/dev/full' run free_fall --log /dev/full
expect 3 err '/dev/full' run free_fall --junit /dev/full
expect 3 err 'no_such_folder/x.csv' run free_fall --log "$work/no_such_folder/x.csv"
expect 3 err 'no_such_folder/x.xml' run free_fall --junit "$work/no_such_folder/x.xml"
check 'it was found before the flight' test ! -s "$work/out"
expect 3 out '^free_fall: passed' run free_fall --junit /dev/full # found when it is written
mkdir -p "$work/romfs/init.d-posix" && touch "$work/romfs/init.d-posix/rcS"
# Why there was no flight is told, whatever happens to the report.
expect 4 err 'PX4 .*ended' run iris --autopilot px4-sitl --px4-bin /bin/true \
  --px4-romfs "$work/romfs" --set autopilot.outside.instance=60 --junit /dev/full
check 'the report is told, too' grep -q '/dev/full' "$work/err"
if ((EUID != 0)); then # root may write anywhere
  mkdir "$work/locked" && chmod a-w "$work/locked"
  expect 3 err 'locked/x.csv: .*denied' run free_fall --log "$work/locked/x.csv"
fi
code=0
"$tactus" run free_fall >/dev/full 2>"$work/err" || code=$?
check 'output on a full disk is an error' test "$code" = 3

# A plain log has the same rows and no comment lines, for readers that know none.
expect 0 out "^  digest +$digest\$" run free_fall --log "$work/d.csv" --log-plain
check 'only the comments are gone' cmp <(grep -v '^#' "$work/a.csv") "$work/d.csv"
expect 2 err '--log-plain' run free_fall --log-plain
check 'angles' python3 - "$work/d.csv" <<'PYTHON'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
names = [f"{of}.{angle}_deg" for of in ("truth", "estimate") for angle in ("roll", "pitch", "yaw")]
assert list(rows[0])[-6:] == names, list(rows[0])[-6:]
assert all(float(row[name]) == 0.0 for row in rows for name in names[:3])  # it falls straight down
PYTHON

# JUnit: a suite per flight, with a case for the flight itself and one per expectation, and only
# what Jenkins' schema knows.
junit() { # SUITES CASES FAILED...
  python3 - "$work/out.xml" "$@" <<'PYTHON'
import re, sys
import xml.etree.ElementTree as xml
root = xml.parse(sys.argv[1]).getroot()
known = {"testsuites": "name tests failures errors time", "properties": "",
         "property": "name value",
         "testsuite": "name tests failures errors skipped time", "testcase": "classname name time",
         "failure": "type message", "error": "type message", "skipped": "type message"}
for element in root.iter():
    assert not set(element.attrib) - set(known[element.tag].split()), element.attrib
    assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000")), element.attrib
suites = root.findall("testsuite")
cases = [case for suite in suites for case in suite.findall("testcase")]
failed = [case.get("name") for case in cases if case.find("failure") is not None]
assert len(suites) == int(sys.argv[2]), len(suites)
assert len(cases) == int(root.get("tests")) == int(sys.argv[3]), len(cases)
assert len(failed) == int(root.get("failures")) and failed == sys.argv[4:], failed
for suite in suites:
    properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert properties["seed"].isdigit() and len(properties["flight_digest"]) == 32, properties
    assert len(properties["spec_digest"]) == 32, properties
    assert float(suite.get("time")) > 0.0 and suite.find("testcase").get("name") == "flight"
for case in cases:
    for failure in case.findall("failure"):
        assert re.search(case.get("name") + ": .*margin -", failure.get("message"))
PYTHON
}
expect 0 out 'out.xml' run free_fall --junit "$work/out.xml"
check 'JUnit of a flight that passed' junit 1 3
expect 1 out 'out.xml' run free_fall --t-end 2s --junit "$work/out.xml"
check 'JUnit of a flight that failed' junit 1 3 speed height

# The wind that was flown, turbulence and gusts included; nothing to say where there was none.
expect 0 out '^  wind +mean 4\.[0-9]+ m/s, max [5-9]\.[0-9]+ m/s at [0-9.]+ s$' \
  run default --set 'wind.mean_ned_m_s=[4.0,0.0,0.0]' --set wind.turbulence=dryden
expect 0 out '"wind_max_m_s": \{' run calm --json
expect 0 out '^calm: passed' run calm
check 'no wind, no line' test "$(grep -Ec '^  (wind|projections) ' "$work/out")" = 0

# An option and a key that say the same, and a mission that is not flown, are not ignored.
both='both decide seed; give one'
expect 2 err "^tactus: --seed and --set seed=7 $both" run free_fall --seed 5 --set seed=7
expect 2 err "^tactus: --seeds and --set seed=7 $both" run free_fall --seeds 1..2 --set seed=7
expect 2 err 'both decide time.end_s' run free_fall --t-end 1s --set time.end_s=2
expect 2 err '^tactus: --mission: is for --autopilot builtin, ' run free_fall --mission square

# Many seeds: the same output for any number of jobs; failures with the command that repeats them.
expect 0 out '^calm: seeds 3\.\.8: 6 passed, 0 failed, 0 crashed' run calm --seeds 3..8 --jobs 1
cp "$work/out" "$work/one_job"
expect 0 out '^calm: seeds 3\.\.8: 6 passed' run calm --seeds 3..8 --jobs 3
check 'same output for any number of jobs' diff "$work/one_job" "$work/out"
# How near it came is told when all pass, too.
expect 0 out '^  least margin of land: [0-9.]+, seed [3-5]: ' run default --seeds 3..5 \
  --junit "$work/margins.xml"
check 'JUnit has the margins' \
  grep -q '<property name="margin of land" value="[0-9]' "$work/margins.xml"
rm "$work/margins.xml"
expect 1 out ' 0 passed, 2 failed, ' run free_fall --t-end 2s --seeds 0..1 --junit "$work/out.xml"
check 'JUnit has a suite per seed' junit 2 6 speed height speed height
again=$(sed -n 's/^    fly it again: tactus //p' "$work/out")
expect 0 out '^other\.name: seeds 0\.\.1: 2 passed' \
  run free_fall --set name=other.name --seeds 0..1 --junit "$work/out.xml"
check 'the name of the spec is told, not that of the file' \
  grep -q 'classname="tactus\.other_name\.seed 1" name="flight"' "$work/out.xml"
check 'the command is complete' test "$again" = 'run free_fall --t-end 2s --seed 0'
# shellcheck disable=SC2086  # words of a command
expect 1 out 'seed 0;' $again
expect 1 err '^tactus: 12 of 12 seeds did not pass: 0\.\.11$' \
  run free_fall --t-end 1s --seeds 0..11 --quiet

# Failures of the same kind are told once, with the worst of them: a screenful for any number.
expect 1 out '^  200 seeds fail speed, height: 0\.\.199$' run free_fall --t-end 100ms --seeds 0..199
check 'a screenful' test "$(wc -l <"$work/out")" -le 10
cat >"$work/mixed.toml" <<TOML
extends = "$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")/scenarios/default.toml"
name = "mixed"
[[expect]]
id = "complete"
remove = true
[[expect]]
id = "land"
remove = true
[[expect]]
id = "calm_air"
kind = "signal_max"
signal = "truth.tilt_rad"
limit = 0.05
TOML
expect 1 out '^  [0-9]+ seeds fail calm_air: [0-9., ]+$' \
  run "$work/mixed.toml" --t-end 4s --seeds 0..11
cp "$work/out" "$work/mixed.txt"
expect 1 out '"failures"' run "$work/mixed.toml" --t-end 4s --seeds 0..11 --json
check 'the worst has the least margin' python3 - "$work/out" "$work/mixed.txt" <<'PYTHON'
import json, sys
document, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
margins = {flight["seed"]: flight["expectations"][0]["margin"] for flight in document["flights"]}
(group,) = document["failures"]
assert group["seeds"] == [seed for seed, margin in margins.items() if margin < 0]
assert 0 < len(group["seeds"]) < 12, margins
worst = min(margins, key=margins.get)
(least,) = document["least_margins"]
assert least["seed"] == worst and least["margin"] == margins[worst] and least["id"] == "calm_air"
assert f"  least margin of calm_air: {margins[worst]:.4g}, seed {worst}: truth.tilt_rad" in text
assert group["worst_seed"] == worst and f"    worst, seed {worst}: calm_air: truth.tilt_rad" in text
for flight in document["flights"]:
    (result,) = flight["expectations"]
    assert result["id"] == "calm_air" and result["kind"] == "signal_max"
    assert abs(result["margin"] - (0.05 - result["value"])) < 1e-12 and result["t_us"] <= 4000000
    assert result["passed"] == (result["margin"] >= 0)
PYTHON

cat >"$work/restless.toml" <<'TOML'
extends = "free_fall"
[[event]]
id = "step"
at_s = 0.0
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
expect 5 out '^  3 seeds stop with an error: 0\.\.2$' \
  run "$work/restless.toml" --seeds 0..2
check 'the first of them' grep -q '^    first, seed 0: t = ' "$work/out"

# The headline tells what came of the flight.
expect 0 out '^standby: passed: never took off: never armed$' run standby --t-end 5s
check 'no distance of one that stayed' grep -Eq '; never took off, disarmed$' "$work/out"
expect 1 out '; never took off: armed at 1\.000 s, but nothing ordered a takeoff$' \
  run iris --set event.start.at_s=80 --t-end 5s
check 'a mission that nothing ordered' \
  grep -q ' 8 items, never started: nothing ordered it$' "$work/out"
check 'and in what was expected' \
  grep -q 'FAILED  complete: .*: nothing ordered the mission$' "$work/out"
failsafe='failsafe battery_low at 2[0-9.]+ s \([0-9]+ % left\), then battery_critical at '
expect 0 out "passed: mission aborted after 3 of 8 items by $failsafe.*, landed 0\\.06 m from" \
  run battery_failsafe
expect 0 out '"state": "aborted"' run battery_failsafe --json
expect 0 out '^rover_square: passed: mission complete, standing 0\.05 m from home$' run rover_square
"$tactus" spec new --kind rover >"$work/rover.toml"
expect 0 out ': never moved: armed at 1\.000 s, but it has no mission$' run "$work/rover.toml"
expect 1 out '; never moved: armed at 1\.000 s, but nothing ordered the mission$' \
  run rover_square --set event.start.at_s=80 --t-end 5s
expect 1 out '; never took off: refuses to arm: a pack is empty or nearly empty$' \
  run iris --set pack.main.soc0=0.05 --t-end 5s
expect 1 out '; never took off: refuses to arm: a pack is empty or nearly empty$' \
  run iris --set pack.main.soc0=0 --t-end 5s
expect 1 out ' FAILED  complete: .*: no autopilot flies$' run iris --autopilot none --t-end 1s

# A pack that runs empty in the air: the pack is named, not its bus.
folder=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
sed -e '/^\[\[pack\]\]/{n;s/main/lipo/}' -e "s|\.\./missions|$folder/missions|" \
  "$folder/aircraft/iris.toml" >"$work/lipo.toml"
expect 1 out '^iris: CRASHED .*, after pack "lipo" empty at ' run "$work/lipo.toml" \
  --set pack.lipo.soc0=0.01 --set pack.lipo.low_soc=3e-4 --set pack.lipo.critical_soc=2e-4 \
  --set pack.lipo.emergency_soc=1e-4 --t-end 30s
check 'and in the list' grep -Eq ' s pack empty lipo$' "$work/out"
check 'and the bus' grep -Eq ' s brown-out main$' "$work/out"
expect 1 out '^iris_motor_off: CRASHED at 21\.9' run iris_motor_off
check 'figures end at the crash' \
  grep -Eq '; tracking, motion and power up to the crash at 21\.967 s$' "$work/out"
check 'the rotor that was lost' \
  grep -q 'failsafe motor_lost at .* (rotor front_right)$' <(head -1 "$work/out")

expect 1 out '"landed": false' run iris_motor_off --seeds 1..1 --json
check 'a flight begins with the lift-off and ends with the crash' \
  grep -q '"flight_time_s": 1[5-9]\.[0-9]*' "$work/out"
expect 0 out '"schema": "tactus.run.seeds/1"' run free_fall --seeds 0..3 --json
check 'JSON of seeds' python3 - "$work/out" <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
assert document["passed"] == 4 and document["failed"] == document["errors"] == 0
assert [flight["seed"] for flight in document["flights"]] == [0, 1, 2, 3]
PYTHON

# Ctrl-C: the run ends cleanly, the log is whole and says that the flight is not.
for signal in INT TERM; do
  code=0
  timeout -s "$signal" 2 "$tactus" run hover_24h --speed 2 --log "$work/day.csv" \
    >"$work/out" 2>"$work/err" </dev/null || code=$?
  # timeout reports 124 whatever the program returned, unless asked for the program's own code.
  check "$signal ends the run" test "$code" = 124
  check "$signal is told" grep -q '^hover_24h: interrupted at ' "$work/out"
  check "$signal leaves expectations open" grep -q '  open    place: ' "$work/out"
  check "$signal leaves a log" grep -q ' digest=incomplete' <(head -1 "$work/day.csv")
  check "$signal leaves whole rows" python3 - "$work/day.csv" <<'PYTHON'
import sys
lines = open(sys.argv[1]).read().split("\n")
assert lines.pop() == "" and len(lines) > 3, len(lines)
assert len({line.count(",") for line in lines[2:]}) == 1
PYTHON
done
code=0
timeout --preserve-status -s INT 2 "$tactus" run hover_24h --quiet --speed 1 2>/dev/null || code=$?
check 'exit code of Ctrl-C' test "$code" = 130
code=0
timeout --preserve-status -s INT 15 "$tactus" run hover_24h --seeds 0..3 \
  >"$work/out" 2>"$work/err" || code=$?
check 'exit code of Ctrl-C with seeds' test "$code" = 130
check 'seeds that were not flown are told' grep -q 'interrupted, 4 not flown' "$work/out"
timeout --preserve-status -s INT 2 "$tactus" run hover_24h --seeds 0..3 --quiet 2>"$work/quiet" ||
  true
check 'what was flown until then is told' \
  grep -qx 'tactus: interrupted: 0 of 4 seeds flown, 0 passed' "$work/quiet"
check 'without a terminal there is a line of progress every ten seconds' \
  diff <(echo 'tactus: 0 of 4 flown, 0 failed') "$work/err"

((failures == 0))
