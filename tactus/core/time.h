// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Time (contract C1). The only authority is an unsigned count of microseconds since the start of
// the run: `TimeUs` is an instant, `DurationUs` a length. Both are plain values; what has no
// meaning (instant + instant, instant * 3) does not compile.
//
// Range: 2^64 us, about 584,000 years. An operation that leaves the range is a bug in the caller
// and aborts, in release too: a wrapped clock would still look like a clock.
//
// Seconds are derived from the count and never accumulated. They come in through one door,
// `duration_from_seconds` (a double from a file), or as text with a unit, `parse_duration`.

#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"

namespace tactus {

namespace detail {

TACTUS_HD constexpr std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
  TACTUS_ASSERT(b <= std::numeric_limits<std::uint64_t>::max() - a, "time overflows 64 bits");
  return a + b;
}

TACTUS_HD constexpr std::uint64_t checked_subtract(std::uint64_t a, std::uint64_t b) {
  TACTUS_ASSERT(b <= a, "time would become negative");
  return a - b;
}

TACTUS_HD constexpr std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b) {
  TACTUS_ASSERT(b == 0 || a <= std::numeric_limits<std::uint64_t>::max() / b,
                "time overflows 64 bits");
  return a * b;
}

}  // namespace detail

/// A non-negative length of time in microseconds.
struct DurationUs {
  std::uint64_t us = 0;

  constexpr DurationUs() = default;
  TACTUS_HD constexpr explicit DurationUs(std::uint64_t microseconds) : us(microseconds) {}
  constexpr auto operator<=>(const DurationUs&) const = default;
};

/// An instant: microseconds since the start of the run.
struct TimeUs {
  std::uint64_t us = 0;

  constexpr TimeUs() = default;
  TACTUS_HD constexpr explicit TimeUs(std::uint64_t microseconds) : us(microseconds) {}
  constexpr auto operator<=>(const TimeUs&) const = default;
};

TACTUS_HD constexpr DurationUs operator+(DurationUs a, DurationUs b) {
  return DurationUs(detail::checked_add(a.us, b.us));
}
TACTUS_HD constexpr DurationUs operator-(DurationUs a, DurationUs b) {
  return DurationUs(detail::checked_subtract(a.us, b.us));
}
TACTUS_HD constexpr DurationUs operator*(DurationUs a, std::uint64_t factor) {
  return DurationUs(detail::checked_multiply(a.us, factor));
}
TACTUS_HD constexpr DurationUs operator*(std::uint64_t factor, DurationUs a) { return a * factor; }

/// How many whole `b` fit into `a`.
TACTUS_HD constexpr std::uint64_t operator/(DurationUs a, DurationUs b) {
  TACTUS_ASSERT(b.us != 0, "division by a duration of zero");
  return a.us / b.us;
}
TACTUS_HD constexpr DurationUs operator%(DurationUs a, DurationUs b) {
  TACTUS_ASSERT(b.us != 0, "division by a duration of zero");
  return DurationUs(a.us % b.us);
}

TACTUS_HD constexpr TimeUs operator+(TimeUs t, DurationUs d) {
  return TimeUs(detail::checked_add(t.us, d.us));
}
TACTUS_HD constexpr TimeUs operator-(TimeUs t, DurationUs d) {
  return TimeUs(detail::checked_subtract(t.us, d.us));
}
TACTUS_HD constexpr DurationUs operator-(TimeUs later, TimeUs earlier) {
  return DurationUs(detail::checked_subtract(later.us, earlier.us));
}

TACTUS_HD constexpr DurationUs& operator+=(DurationUs& a, DurationUs b) { return a = a + b; }
TACTUS_HD constexpr TimeUs& operator+=(TimeUs& t, DurationUs d) { return t = t + d; }

/// Seconds for formulas and people. Always this product, so that every user sees the same bits.
TACTUS_HD constexpr double to_seconds(DurationUs d) { return static_cast<double>(d.us) * 1e-6; }
TACTUS_HD constexpr double to_seconds(TimeUs t) { return static_cast<double>(t.us) * 1e-6; }

/// Longest duration that may be given as a double of seconds, about three years. Far below the
/// point where neighbouring microseconds could be confused within the tolerance (5e8 s).
inline constexpr double kMaxSeconds = 1e8;

/// The one conversion of seconds given as a double (contract C1): the nearest whole microsecond, if
/// the double is that value up to a few units in the last place (8.3 is, 0.0000015 is not).
/// Throws Error(kBadInput) that names `key`, the value and the nearest legal values.
DurationUs duration_from_seconds(double seconds, std::string_view key);

/// A decimal number followed by its unit: us, ms, s, min or h ("4ms", "8.3s", "1.5min"). Evaluated
/// exactly on the digits. Throws Error(kBadInput) that names `key`, the text and what is wrong.
DurationUs parse_duration(std::string_view text, std::string_view key);

/// The shortest exact text in us, ms or s ("250us", "4ms", "8.3s", "0s"); `parse_duration` reads
/// it.
std::string to_text(DurationUs duration);

/// The same, counted from the start of the run.
std::string to_text(TimeUs time);

/// Seconds with six decimals, exact, as a spec file takes them: "8.300000".
std::string exact_seconds(DurationUs duration);

}  // namespace tactus
