// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A flight as a suite of JUnit. `spec`: as the user names it.

#include <string>
#include <vector>

#include "tactus/flight/flight.h"
#include "tactus/flight/report/junit.h"

namespace tactus {

/// The case that stands for the flight itself: that it gets to its end and does not crash.
inline constexpr char kFlightCase[] = "flight";

/// "tactus.default" of the name of a spec: CI systems show what stands before the last dot as a
/// folder.
std::string class_name_of(std::string name);

/// The whole document. With `strict` a warning is a case of its own.
std::string flight_junit(const std::string& spec, const Flight& flight, bool strict = false);

/// Of a flight that did not get to an end.
std::string error_junit(const std::string& spec, const LoadedSpec& loaded, const Error& error);

/// One case each. `interrupted`: what is still open is skipped.
std::vector<TestCase> cases_of(const std::vector<ExpectationResult>& results, bool interrupted);

/// As properties of the suite: those that passed are of interest too.
void add_margins(const std::vector<ExpectationResult>& results, TestSuite& suite);

/// The case of --strict: that there are none.
TestCase case_of_warnings(const std::vector<std::string>& warnings);

/// "height 31 m above 30 m at 12 s; max 33 m at 13 s (margin -3)".
std::string failure_text(const ExpectationResult& result);

}  // namespace tactus
