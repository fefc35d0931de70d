// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>

namespace tactus {

/// How much is recorded. Each tier holds all of the ones below.
enum class Tier : std::uint8_t {
  kPlant,       ///< 0: what a replay of the plant needs, and the log
  kComponents,  ///< 1: inputs and outputs of every component at every boundary
  kEvaluations  ///< 2: every evaluation of the right-hand side
};

}  // namespace tactus
