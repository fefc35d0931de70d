// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A flight as a suite of JUnit.

#include <string>
#include <vector>

#include "cli/run/flight.h"
#include "cli/run/junit.h"

namespace tactus::cli {

/// The case that stands for the flight itself: that it gets to its end and does not crash.
inline constexpr char kFlightCase[] = "flight";

/// "tactus.default" of the name of a spec: CI systems show what stands before the last dot as a
/// folder.
std::string class_name_of(std::string name);

TestSuite suite_of(const std::string& spec, const Flight& flight, double wall_s);

/// One case each. `interrupted`: what is still open is skipped.
std::vector<TestCase> cases_of(const std::vector<ExpectationResult>& results, bool interrupted);

/// As properties of the suite: those that passed are of interest too.
void add_margins(const std::vector<ExpectationResult>& results, TestSuite& suite);

/// The case of --strict: that there are none.
TestCase case_of_warnings(const std::vector<std::string>& warnings);

/// "height 31 m above 30 m at 12 s; max 33 m at 13 s (margin -3)".
std::string failure_text(const ExpectationResult& result);

}  // namespace tactus::cli
