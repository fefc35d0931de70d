// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <vector>

#include "tactus/replay/diff/diff.h"

namespace tactus {

/// How far the true motions are apart after `from`: stretches that end 1, 3, 10, 30 … ms later, and
/// at `until`. From rows of the boundaries, or of the log where tier 0 has no others.
std::vector<GrowthRow> growth(const Recording& a, const Recording& b, TimeUs from, TimeUs until);

}  // namespace tactus
