// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Durations by the thousand in constant memory: 16 buckets per power of two, so a percentile is
// known to 6 %, and largest, count and sum exactly.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tactus {

class Histogram {
 public:
  void add(std::uint64_t ns) {
    ++buckets_[bucket_of(ns)];
    ++count_;
    sum_ns_ += ns;
    largest_ns_ = std::max(largest_ns_, ns);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t sum_ns() const { return sum_ns_; }
  [[nodiscard]] std::uint64_t largest_ns() const { return largest_ns_; }

  /// At least this part of all durations was not longer; 0 if there are none.
  [[nodiscard]] std::uint64_t percentile_ns(double part) const {
    const double wanted = part * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += buckets_[i];
      if (buckets_[i] > 0 && static_cast<double>(seen) >= wanted) {
        return std::min(end_of(i), largest_ns_);
      }
    }
    return largest_ns_;
  }

  /// visit(longest of the bucket in ns, how many), for those that are not empty, in order.
  template <class Visit>
  void for_each_bucket(Visit&& visit) const {
    for (std::size_t i = 0; i < kBuckets; ++i) {
      if (buckets_[i] > 0) visit(end_of(i), buckets_[i]);
    }
  }

 private:
  static constexpr unsigned kFineBits = 4;
  static constexpr std::uint64_t kFine = 1U << kFineBits;
  static constexpr std::size_t kBuckets = (64 - kFineBits + 1) * kFine;

  static std::size_t bucket_of(std::uint64_t ns) {
    if (ns < kFine) return static_cast<std::size_t>(ns);
    const auto octave = static_cast<unsigned>(std::bit_width(ns)) - 1 - kFineBits;
    return (octave + 1) * kFine + ((ns >> octave) & (kFine - 1));
  }
  /// The largest duration of a bucket.
  static std::uint64_t end_of(std::size_t bucket) {
    if (bucket < kFine) return bucket;
    const auto octave = static_cast<unsigned>(bucket / kFine - 1);
    return ((kFine + bucket % kFine + 1) << octave) - 1;
  }

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::uint64_t largest_ns_ = 0;
};

}  // namespace tactus
