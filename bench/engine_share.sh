#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# What the engine (schedule, bus, stages, checks, digest) costs on top of plant and autopilot, in
# instructions counted by callgrind: the same on a busy machine.
# usage: bench/engine_share.sh [PROGRAM]   (default: build/release/bench_engine)

set -eu
program=${1:-build/release/bench_engine}
if ! command -v valgrind >/dev/null; then
  echo "valgrind is missing: apt-get install valgrind"
  exit 3
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT

share() { # NAME SETTING...
  local name=$1
  shift
  valgrind --tool=callgrind --callgrind-out-file="$out" "$program" default time.end_s=20 "$@" \
    2>/dev/null
  callgrind_annotate --inclusive=yes --threshold=100 "$out" 2>/dev/null | awk -v name="$name" '
    { gsub(",", "", $1) }
    /tactus::fly\(tactus::Run/ { total = $1 }
    /MultirotorPlant::(advance|settle)\(/ { plant += $1 }
    /MultirotorPlant::publish_outputs\(tactus::Bus&\)/ { plant += $1 }
    /AutopilotSource::update/ { autopilot = $1 }
    /(EstimatorSource|WindSource|LandDetectorSource|ScenarioSource)::update/ { sources += $1 }
    END {
      engine = total - plant - autopilot - sources
      printf "%-28s engine %.1f %% of plant + autopilot (other sources %.1f %%)\n", name,
             100 * engine / (plant + autopilot), 100 * sources / (plant + autopilot)
    }'
}

share 'rk45, blade element' solver.method=rk45
share 'rk45, quadratic' solver.method=rk45 propeller.kind=quadratic
share 'rk4 1 kHz, quadratic' solver.method=rk4 solver.step_us=1000 propeller.kind=quadratic
