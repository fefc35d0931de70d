// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "tactus/replay/branch/branch_flight.h"

namespace tactus::cli {

/// What a branch is and how it compares with its parent, for people.
std::string origin_text(const BranchOrigin& origin);

}  // namespace tactus::cli
