// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Check cases and what came of them, for programs. No wall time and no path is in it: the same
// program writes the same text again.

#include <string>
#include <vector>

#include "tactus/verify/check.h"

namespace tactus::verify {

inline constexpr char kSchema[] = "tactus.verify/1";
inline constexpr char kListSchema[] = "tactus.verify.list/1";

/// A JSON document without a line break at its end. An error that is not a finite number becomes
/// null, and so does what a skipped case would say.
std::string outcomes_json(const std::vector<Outcome>& outcomes);

/// The same of cases that were not run.
std::string checks_json(const std::vector<Check>& checks);

}  // namespace tactus::verify
