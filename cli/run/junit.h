// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// JUnit XML, as CI systems read it.

#include <memory>
#include <string>
#include <vector>

#include "tactus/record/output_file.h"

namespace tactus::cli {

struct TestCase {
  std::string name;
  std::string failure;  ///< empty: passed
  std::string error;    ///< the run did not get to an end; empty: it did
};

/// A report replaces an older one.
inline constexpr OutputRules kJunitRules{.replaces = true, .keeps_hdf5 = true, .streams = true};

/// Begins the file, so that a path that cannot be written is found before a flight and not after
/// it; null if the path is empty. Throws Error(kEnvironment) that names the path.
std::unique_ptr<OutputFile> open_junit(const std::string& path);

/// Writes one suite and gives the file its name. Throws Error(kEnvironment) that names the path.
void write_junit(OutputFile& file, const std::string& suite, const std::vector<TestCase>& cases);

}  // namespace tactus::cli
