// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a comparison of integrators measured, for programs.

#include <string>

#include "tactus/replay/compare/compare.h"

namespace tactus {

/// A JSON document without a line break at its end.
std::string comparison_json(const std::string& file, const IntegrationComparison& comparison);

}  // namespace tactus
