#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verb `diff` as a built program.
set -euo pipefail
tactus=$(readlink -f "$1")
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"
cd "$work"

# Its expectations are not met after three seconds; the recordings are complete.
record() {
  local file=$1
  shift
  "$tactus" run default --t-end 3s --quiet --record "$file" "$@" 2>/dev/null || true
}
record a.h5 --tier 1
record same.h5 --tier 1
record heavier.h5 --tier 1 --set body.mass_kg=1.5000000000000002
record least.h5

expect 0 out '^verdict +equal' diff a.h5 same.h5
expect 0 out 'tier: 1 and 0' diff a.h5 least.h5
expect 0 out '^verdict +equal' diff a.h5 --rerun
expect 6 out '^component +rigid body: cause' diff a.h5 heavier.h5
expect 6 out 'body.mass_kg = 1.5 and 1.5000000000000002 +\(rigid body\)' diff a.h5 heavier.h5
expect 0 out 'parameters differ, flight equal within 1e-06' diff a.h5 heavier.h5 --tolerance 1e-6
expect 6 out '^component +rigid body: cause' diff a.h5 heavier.h5 --tolerance 1e-14
expect 0 out '^  expect.land.by_s = .* \(not simulated\)$' \
  diff a.h5 --rerun --set expect.land.by_s=71
expect 0 out '^verdict +parameters differ, flight equal' diff a.h5 --rerun --set name=other
expect 6 out '^component +wind: cause$' diff a.h5 --rerun --set seed=2
expect 6 out '"t_us": 0' diff a.h5 heavier.h5 --json

# What an autopilot's program has written.
begin='tactus autopilot trace 1\n1000000 thread 0 main\n1000000 instant 4000\n'
printf "${begin}2000000 call open 5 /etc/rc\n" >a.trace
printf "${begin}2000000 call open 5 /etc/rc\n" >same.trace
printf "${begin}2000000 call open 5 /etc/rcS\n" >b.trace
log='ULog\x01\x12\x35\x01\0\0\0\0\0\0\0\0'
log+='\x27\0Ftopic:uint64_t timestamp;uint8_t value;'
log+='\x08\0A\0\x01\0topic\x0b\0D\x01\0'
printf "$log\x80\x84\x1e\0\0\0\0\0\x07" >a.ulg
printf "$log\x80\x84\x1e\0\0\0\0\0\x08" >b.ulg
expect 0 out '^verdict +equal' diff a.trace same.trace
expect 6 out 'line 4, t = 4ms, 0.002000 s of its own time: call open 5 /etc/rcS' \
  diff a.trace b.trace
expect 6 out '"kind": "system call"' diff a.trace b.trace --json
expect 0 out '^verdict +equal in 1 topic$' diff a.ulg a.ulg
expect 6 out '^first +topic.value at 2s of PX4.s clock \(t = 1s' diff a.ulg b.ulg
expect 6 out '"field": "value"' diff a.ulg b.ulg --json
expect 2 err 'a.trace is the trace of an autopilot, a.h5 is none' diff a.h5 a.trace
expect 2 err 'a.ulg is a ULog of PX4, a.trace is none' diff a.ulg a.trace
expect 2 err 'a.ulg is a ULog of PX4, which is compared exactly' diff a.ulg b.ulg --tolerance 1

expect 2 err 'takes two recordings' diff a.h5
expect 2 err 'takes one recording' diff a.h5 same.h5 --rerun
expect 2 err '^tactus: --set changes' diff a.h5 same.h5 --set seed=2
expect 2 err '^tactus: --tolerance' diff a.h5 same.h5 --tolerance -1
expect 2 err 'did you mean mass_kg' diff a.h5 --rerun --set body.mas_kg=2
expect 3 err 'nothing.h5' diff a.h5 nothing.h5

((failures == 0))
