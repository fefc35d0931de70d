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

expect 2 err 'takes two recordings' diff a.h5
expect 2 err 'takes one recording' diff a.h5 same.h5 --rerun
expect 2 err '^tactus: --set changes' diff a.h5 same.h5 --set seed=2
expect 2 err '^tactus: --tolerance' diff a.h5 same.h5 --tolerance -1
expect 2 err 'did you mean mass_kg' diff a.h5 --rerun --set body.mas_kg=2
expect 3 err 'nothing.h5' diff a.h5 nothing.h5

((failures == 0))
