#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plants violations one at a time and checks that tidy.py names exactly the rule each breaks."""

import os
import sys
import tempfile

from tidy import Checker, check_tests_in_documents

SPDX = ("// SPDX-FileCopyrightText: 2026 The Tactus authors\n"
        "// SPDX-License-Identifier: BSD-3-Clause\n")
ROOT_LIKE = "/ho" + "me/user/x"  # split, so that this file passes its own check

# path, code line, rule that must be named (None: must pass)
CASES = [
    ("tactus/plant/a.cpp", "double y = std::sin(x);", "libm"),
    ("tactus/plant/a.cpp", "double y = ::exp(x);", "libm"),
    ("tactus/plant/a.cpp", "double y = __builtin_pow(x, 2.0);", "libm"),
    ("tactus/solver/a.cpp", "#include <cmath>", "libm"),
    ("tactus/solver/a.cpp", "double y = 2.0 * sin(x);", "bare-math"),
    ("tactus/core/a.cpp", "double y = std::sqrt(x);", "wrapped-math"),
    ("tactus/core/math_basic.cpp", "double y = std::fabs(x);", "wrapped-math"),
    ("tactus/core/a.cpp", "double y = std::fma(a, b, c);", "unordered-math"),
    ("tactus/core/a.cpp", "double y = fmin(a, b);", "unordered-math"),
    ("tactus/core/a.cpp", "double y = std::lerp(a, b, t);", "unordered-math"),
    ("tactus/core/a.cpp", "return std::reduce(v.begin(), v.end());", "unordered-math"),
    ("tactus/engine/a.cpp", "long double y = 0;", "long-double"),
    ("tactus/engine/a.cpp", "#include <random>", "random"),
    ("tactus/engine/a.cpp", "int y = rand();", "random"),
    ("tactus/engine/a.cpp", "std::normal_distribution<double> d;", "random"),
    ("tactus/scenario/a.cpp", "std::unordered_map<int, int> m;", "unordered"),
    ("tactus/scenario/a.cpp", "auto now = std::chrono::steady_clock::now();", "clock"),
    ("tactus/scenario/a.cpp", "auto now = time(nullptr);", "clock"),
    ("tactus/scenario/a.cpp", "double y = std::stod(text);", "locale"),
    ("tactus/scenario/a.cpp", "double y = strtod(text, &end);", "locale"),
    ("tactus/scenario/a.cpp", "for (auto& e : fs::directory_iterator(p)) {}", "directory-order"),
    ("tactus/core/a.cpp", "int n = static_cast<int>(x * 1.5);", "integer-cast"),
    ("tactus/core/a.cpp", "auto n = static_cast<std::int64_t>(math::floor(x));", "integer-cast"),
    ("tactus/core/a.cpp", "auto n = static_cast<std::uint64_t>(duration_s);", "integer-cast"),
    ("tactus/core/a.cpp", "int n = (int)(x * 1e6 + 0.5);", "integer-cast"),
    ("tactus/core/a.cpp", "char c = -1;", "plain-char"),
    ("tactus/core/a.cpp", "char d = a - b;", "plain-char"),
    ("tactus/core/a.cpp", '#pragma GCC optimize("fast-math")', "fast-math"),
    ("tactus/core/a.cpp", '#include "tactus/solver/rk4.h"', "layer"),
    ("tactus/engine/a.cpp", '#include "cli/verbs.h"', "layer"),
    ("tactus/engine/a.cpp", "#include <tactus/core/time.h>", "include-path"),
    ("tactus/misc/a.cpp", "int y = 0;", "layer"),
    ("cli/a.cpp", "int y = 0;\n" * 260, "cli-lines"),
    ("cli/misc/a.cpp", "int y = 0;", "layer"),
    ("cli/common/a.cpp", '#include "cli/verbs.h"', "layer"),
    ("cli/extra/a.cpp", '#include "cli/verify/report.h"', "layer"),
    ("cli/run/a.cpp", '#include "cli/bridge/fleet_report.h"', "layer"),
    ("tactus/verify/a.cpp", '#include "cli/extra/sundials.h"', "layer"),
    ("tactus/core/a.cpp", '#include "vec.h"', "include-path"),
    ("tactus/core/a.cpp", "\tint y = 0;", "tab"),
    ("tactus/core/a.cpp", "int y = 0; ", "trailing-space"),
    ("tactus/core/a.cpp", "// " + "x" * 100, "columns"),
    ("docs/a.md", f"see {ROOT_LIKE}", "machine-path"),
    ("cli/a.cpp", f'open("{ROOT_LIKE}");', "machine-path"),
    ("tactus/spec/model/a.cpp", "#include <fstream>", "simulation"),
    ("tactus/core/a.cpp", "#include <mutex>", "simulation"),
    ("tactus/engine/a.cpp", 'auto path = std::getenv("PATH");', "simulation"),
    ("tactus/core/a.cpp", "// Made only when somebody asks.", "words"),
    ("tactus/core/a.cpp", "Electrical of_nobody;", "words"),
    ("tests/core/a.cpp", "TEST(Bridge, WhoeverIsLateHasNoSeat) {", "words"),
    ("cli/a.cpp", 'fail("a simulator of a dear team");', "words"),
    ("cmake/a.cmake", "# The value is a lie.", "words"),
    ("docs/a.md", "PX4 and other autopilots outside", "words"),
    ("tactus/core/a.cpp", "void look_at_limit();", "words"),
    ("tests/core/a.cpp", "TEST(LookingElsewhere, IsNoTest) {", "words"),
    ("tactus/core/a.cpp", "double y = std::sin(x);  // tidy: allow libm", "excuse"),
    # What must not be reported.
    ("tactus/core/a.cpp", "double y = std::sin(x);  // tidy: allow libm, oracle of a test", None),
    ("tactus/core/a.cpp", "double y = math::sin(x) + math::abs(x);", None),
    ("tactus/core/math.cpp", "// std::sin(x) is banned, and so is fma(a, b, c)", None),
    ("tactus/core/a.cpp", 'const char* text = "long double, rand(), time(0)";', None),
    ("tactus/core/a.cpp", "auto n = static_cast<int>(ExitCode::kOk);", None),
    ("tactus/core/a.cpp", "auto n = static_cast<std::uint32_t>(bits >> 32);", None),
    ("tactus/core/a.cpp", "char c = 'a';", None),
    ("tactus/core/a.cpp", "const int big = 1'000'000; const char c = '-';", None),
    ("tactus/core/a.cpp", "double t = state.time(0);", None),
    ("tactus/solver/a.cpp", '#include "tactus/core/vec.h"', None),
    ("cli/a.cpp", '#include "cli/run/options.h"', None),
    ("cli/run/a.cpp", '#include "cli/common/print.h"', None),
    ("tests/core/a.cpp", "double y = std::sin(x);", None),
    ("tactus/files/a.cpp", "#include <fstream>", None),
    ("bench/a.cpp", "auto now = std::chrono::steady_clock::now();", None),
    ("docs/a.md", "https://example.org/home/page and build/tmp/x", None),
    ("docs/a.md", "A Lie-group method; instructions outside the autopilot; override", None),
    ("docs/a.md", "Look at the summary before you accept", None),
    ("CHANGELOG.md", "`Team` is `ThreadPool`", None),
]


# A row of docs/testing.md, whether what it names is there.
NAMED_TESTS = [
    ("`known` AtRest; `core/other` Moves…", True),
    ("`known` Laws (A remark), (`core/other` MovesOn)", True),
    ("`known` Moves…", False),
    ("`core/other` AtRest", False),
    ("`known` AtRes", False),
    ("`unknown`", False),
]


def documented_tests_hold(row):
    with tempfile.TemporaryDirectory() as root:
        for path, text in {"docs/testing.md": f"## Laws\nIn `tests/plant/`:\n| a law | {row} |\n",
                           "tests/plant/known_test.cpp": "TEST(Laws, AtRest) {}\n",
                           "tests/core/other_test.cpp": "TEST_P(Motion, MovesOn) {}\n"}.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return not check_tests_in_documents(root)


def rules_found(path, text):
    checker = Checker()
    checker.check_file(path, text)
    return {line.split(": ")[1] for line in checker.violations}


def main():
    failures = []
    for path, code, rule in CASES:
        found = rules_found(path, SPDX + code + "\n")
        if rule is None and found or rule is not None and rule not in found:
            failures.append(f"{path}: {code!r}: expected {rule}, found {sorted(found)}")
    if "spdx" not in rules_found("cli/a.cpp", "int y = 0;\n"):
        failures.append("missing SPDX lines were not found")
    if "pragma-once" not in rules_found("cli/a.h", SPDX):
        failures.append("missing #pragma once was not found")
    if rules_found("tactus/core/math.h", SPDX + "#pragma once\n#include <cmath>\n"
                   "double f(double x) { return std::sqrt(x); }\n"):
        failures.append("core/math.h may wrap sqrt")
    if "libm" not in rules_found("tactus/core/math.h",
                                 SPDX + "#pragma once\nauto y = std::sin(x);\n"):
        failures.append("core/math.h may not call libm")
    for row, holds in NAMED_TESTS:
        if documented_tests_hold(row) != holds:
            failures.append(f"docs/testing.md: {row!r}: expected {holds}")
    for failure in failures:
        print(f"tidy self-test: {failure}")
    count = len(CASES) + len(NAMED_TESTS) + 4
    print(f"tidy self-test: {count - len(failures)} of {count} hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
