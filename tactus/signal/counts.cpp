// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/counts.h"

#include <fmt/format.h>

namespace tactus {

std::string to_text(const VehicleCounts& counts) {
  std::string text;
  int listed = 0;
  for_each_count(counts, [&](const char* one, const char* many, int count, int /*most*/) {
    constexpr int kAlwaysTold = 5;
    if (++listed > kAlwaysTold && count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
  });
  return text;
}

}  // namespace tactus
