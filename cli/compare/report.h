// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How `tactus compare` reports what it measured: as a table for people, as CSV and as JSON.

#include <string>
#include <vector>

#include "tactus/replay/compare.h"

namespace tactus::cli {

/// Largest errors, then their root mean squares; a line per flight that stopped, with the reason;
/// a line per note.
std::string comparison_text(const IntegrationComparison& comparison,
                            const std::vector<std::string>& notes);

/// A row per flight: solver,wall_s,pos_max_m … battI_max_a,pos_rms_m … battI_rms_a,rhs …
std::string comparison_csv(const IntegrationComparison& comparison);

std::string comparison_json(const std::string& file, const IntegrationComparison& comparison,
                            const std::vector<std::string>& notes);

}  // namespace tactus::cli
