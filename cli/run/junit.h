// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// JUnit XML, as CI systems read it.

#include <string>
#include <vector>

namespace tactus::cli {

struct TestCase {
  std::string name;
  std::string failure;  ///< empty: passed
  std::string error;    ///< the run did not get to an end; empty: it did
};

/// Creates the file if it is not there, so that a path that cannot be written is found before a
/// flight and not after it. Throws Error(kEnvironment) that names the path.
void open_junit(const std::string& path);

/// Writes one suite. Throws Error(kEnvironment) that names the path.
void write_junit(const std::string& path, const std::string& suite,
                 const std::vector<TestCase>& cases);

}  // namespace tactus::cli
