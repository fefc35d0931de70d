// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// JUnit XML, as CI systems read it and as Jenkins' schema (junit-10.xsd) has it. A flight is a
// suite, because only suites may have properties there: its seed and its digest. Its cases are the
// flight itself, which has the time on the wall, and every expectation.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tactus/files/output_file.h"

namespace tactus {

struct TestCase {
  enum class Outcome : std::uint8_t {
    kPassed,
    kFailed,
    kError,    ///< the flight did not get to an end
    kSkipped,  ///< it was interrupted before this was decided
  };
  std::string name;
  Outcome outcome = Outcome::kPassed;
  std::string type;     ///< of what is wrong: the kind of the expectation, "crash", "error"
  std::string message;  ///< what is wrong
  double wall_s = 0.0;
};

struct TestSuite {
  std::string name;
  std::string class_name;  ///< of its cases; CI systems make folders of what dots part
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<TestCase> cases;
};

/// A report replaces an older one.
inline constexpr OutputRules kJunitRules{.replaces = true, .keeps_hdf5 = true, .streams = true};

/// The whole document; `name`: of all suites together.
std::string junit_xml(const std::string& name, const std::vector<TestSuite>& suites);

}  // namespace tactus
