// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Mean and variance, one number after the other (Welford, 1962). The order is part of the result:
// add samples by their index.

#pragma once

#include <cstdint>

namespace tactus::sweep {

class Moments {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Unbiased; of one number it is zero.
  [[nodiscard]] double variance() const {
    return count_ < 2 ? 0.0 : squares_ / static_cast<double>(count_ - 1);
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace tactus::sweep
