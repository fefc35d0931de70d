// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The work–precision diagram: largest position error over right-hand sides, both logarithmic, one
// curve per method. Down and to the left is better. White background, so that it can be read in
// light and dark viewers.

#include <string>

#include "tactus/replay/compare/compare.h"

namespace tactus {

/// Flights that stopped, and those without any error, are left out. Throws Error(kRunStopped) if
/// none is left.
std::string work_precision_svg(const std::string& title, const IntegrationComparison& comparison);

}  // namespace tactus
