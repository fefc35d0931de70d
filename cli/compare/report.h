// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How `tactus compare` reports what it measured.

#include <string>
#include <vector>

#include "tactus/replay/compare/compare.h"

namespace tactus::cli {

/// Largest errors, then their root mean squares; a line per flight that stopped, with the reason;
/// a line per note.
std::string comparison_text(const IntegrationComparison& comparison);

}  // namespace tactus::cli
