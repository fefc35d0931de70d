// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "tactus/core/random.h"

namespace tactus::verify {

/// Numbers one after the other, the same in every run.
class Numbers {
 public:
  explicit Numbers(std::string_view name) : stream_(1, name) {}
  double within(double low, double high) { return low + (high - low) * stream_.uniform(tick_++); }
  double log_within(double low, double high) {
    return std::exp(within(std::log(low), std::log(high)));
  }
  bool chance(double probability) { return within(0.0, 1.0) < probability; }
  int below(int count) { return std::min(count - 1, static_cast<int>(within(0.0, count))); }

 private:
  RandomStream stream_;
  std::uint64_t tick_ = 0;
};

}  // namespace tactus::verify
