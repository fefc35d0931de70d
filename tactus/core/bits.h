// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Masks of up to 32 parts: bit i stands for part i.

#include <cstdint>

#include "tactus/core/hd.h"

namespace tactus {

TACTUS_HD constexpr bool has_bit(std::uint32_t mask, int index) {
  return ((mask >> index) & 1U) != 0U;
}
TACTUS_HD constexpr std::uint32_t bit(int index) { return std::uint32_t{1} << index; }

}  // namespace tactus
