#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The verb `verify` as a built program: list, one case, several, JSON, a wrong name, everything.
# That a failing case is not success is shown with made-up cases in check_report_test.cpp.
set -euo pipefail
tactus=$1
# shellcheck source=tests/cli/expect.bash
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

expect 0 out '^  nasa_case_02 .*NASA TM-2015-218675' verify --list
cp "$work/out" "$work/list"
expect 0 out '"schema": "tactus.verify.list/1"' verify --list --json
check 'the list as JSON has the same names' \
  diff <(grep -o '^  [a-z0-9_]*' "$work/list" | tr -d ' ') \
  <(python3 -c 'import json, sys
for case in json.load(open(sys.argv[1]))["cases"]: print(case["name"])' "$work/out")
expect 0 out 'pendulum .* pass$' verify --case pendulum
check 'one case prints that case only' test "$(grep -c '^  [a-z]' "$work/out")" = 1
check 'no progress line without a terminal' test ! -s "$work/err"
expect 0 out '2 cases,' verify --case kepler --case philox
expect 2 err 'no case "pendelum"; did you mean pendulum\?' verify --case pendelum
expect 2 err 'did you mean sundials_iris or sundials_quadratic\?' verify --case sundials
expect 2 err '--list' verify --case no_such_case
check 'this program has every extra' test "$(grep -c 'skipped' "$work/list")" = 0

expect 0 out '"schema": "tactus.verify/1"' verify --json --case philox --case kepler
check 'JSON is valid and says what it should' python3 - "$work/out" <<'PYTHON'
import json, math, sys
document = json.load(open(sys.argv[1]))
assert document["passed"] is True and document["failed"] == []
assert [case["name"] for case in document["cases"]] == ["kepler", "philox"]
for case in document["cases"]:
    assert case["passed"] is True
    for row in case["comparisons"]:
        assert math.isfinite(row["error"]) and row["error"] <= row["limit"], row
        assert row["unit"] and " vs " in row["compares"], row
PYTHON

# Everything, twice: all within limits, in the order of the list, and the same text again.
expect 0 out 'all within their limits$' verify
cp "$work/out" "$work/first"
check 'every listed case is in the table' \
  diff <(grep -o '^  [a-z0-9_]*' "$work/list") <(grep -o '^  [a-z][a-z0-9_]*' "$work/first")
check 'no line is wider than 120 columns' \
  python3 -c 'import sys; sys.exit(any(len(l) > 121 for l in open(sys.argv[1])))' "$work/first"
expect 0 out 'all within their limits$' verify
check 'the same text again' diff "$work/first" "$work/out"

((failures == 0))
