// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/time.h"

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t us;
};

constexpr Unit kUnits[] = {
    {"us", 1}, {"ms", 1'000}, {"s", 1'000'000}, {"min", 60'000'000}, {"h", 3'600'000'000}};

constexpr std::uint64_t kMaxUs = std::numeric_limits<std::uint64_t>::max();

/// Decoding 8.3 and dividing 8300000 by 1e6 are both correctly rounded, so a double that was read
/// from text agrees exactly; the slack is for seconds that were computed (a product, a sum).
constexpr std::uint64_t kToleranceUlp = 4;

[[noreturn]] void fail_text(std::string_view key, std::string_view text,
                            const std::string& reason) {
  throw Error(ExitCode::kBadInput, std::string(key) + ": \"" + std::string(text) + "\" " + reason);
}

/// us / ten_power as a decimal without trailing zeros.
std::string decimal(std::uint64_t us, std::uint64_t ten_power) {
  TACTUS_ASSERT(ten_power > 0, "a unit of time");
  std::string text = format_integer(us / ten_power);
  std::uint64_t rest = us % ten_power;
  if (rest == 0) return text;
  text.push_back('.');
  for (std::uint64_t place = ten_power / 10; rest != 0; place /= 10) {
    text.push_back(static_cast<char>('0' + rest / place));
    rest %= place;
  }
  return text;
}

std::string nearest_legal(std::uint64_t below_us, std::uint64_t above_us, bool as_seconds) {
  const auto text = [&](std::uint64_t us) {
    return as_seconds ? decimal(us, 1'000'000) + " s" : to_text(DurationUs(us));
  };
  return "is not a whole number of microseconds; the nearest legal values are " + text(below_us) +
         " and " + text(above_us) + ".";
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the run of digits at the start of `text`.
std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

struct Fraction {
  std::uint64_t floor_us = 0;
  bool exact = true;
};

/// 0.DIGITS units, from the last digit: y = (digit * unit + y) / 10. Once a division leaves a
/// remainder the value is not whole, and floor((n + floor(y)) / 10) = floor((n + y) / 10).
Fraction fraction_of(std::string_view digits, std::uint64_t unit_us) {
  TACTUS_ASSERT(unit_us > 0 && unit_us <= kMaxUs / 16, "a unit that leaves room for a digit");
  Fraction y;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const std::uint64_t n = static_cast<std::uint64_t>(digits[i] - '0') * unit_us + y.floor_us;
    y.exact = y.exact && n % 10 == 0;
    y.floor_us = n / 10;
  }
  return y;
}

/// The whole part in microseconds; false if it does not fit.
bool whole_us(std::string_view digits, std::uint64_t unit_us, std::uint64_t& us) {
  std::uint64_t count = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (count > (kMaxUs - digit) / 10) return false;
    count = count * 10 + digit;
  }
  if (count > kMaxUs / unit_us) return false;
  us = count * unit_us;
  return true;
}

}  // namespace

DurationUs duration_from_seconds(double seconds, std::string_view key) {
  const auto refuse = [&](const std::string& reason) {
    refuse_key(std::string(key), format_double(seconds) + " s " + reason);
  };
  if (!math::is_finite(seconds)) refuse("is not a finite time.");
  if (seconds < 0.0) refuse("is negative; a duration must be 0 s or more.");
  if (seconds > kMaxSeconds) {
    refuse("is too long; at most " + format_double(kMaxSeconds) + " s are allowed.");
  }
  TACTUS_ASSERT(seconds >= 0.0 && seconds <= kMaxSeconds, "what is not was refused above");
  const double scaled = seconds * 1e6;  // at most 1e14: the conversions below are exact
  const auto below = static_cast<std::uint64_t>(scaled);
  const std::uint64_t nearest = scaled - static_cast<double>(below) < 0.5 ? below : below + 1;
  if (ulp_distance(static_cast<double>(nearest) / 1e6, seconds) > kToleranceUlp) {
    refuse(nearest_legal(below, below + 1, true));
  }
  return DurationUs(nearest);
}

DurationUs parse_duration(std::string_view text, std::string_view key) {
  constexpr const char* kForm = "write a number and its unit, such as 4ms, 8.3s or 1.5min.";
  const std::string_view whole = text.substr(0, count_digits(text));
  std::string_view rest = text.substr(whole.size());
  if (whole.empty()) fail_text(key, text, std::string("is not a duration: ") + kForm);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    fraction = rest.substr(1, count_digits(rest.substr(1)));
    if (fraction.empty()) fail_text(key, text, std::string("is not a duration: ") + kForm);
    rest.remove_prefix(1 + fraction.size());
  }
  if (rest.empty()) fail_text(key, text, std::string("has no unit: ") + kForm);
  for (const Unit& unit : kUnits) {
    if (rest != unit.name) continue;
    const Fraction part = fraction_of(fraction, unit.us);
    std::uint64_t us = 0;
    if (!whole_us(whole, unit.us, us) || us > kMaxUs - part.floor_us - (part.exact ? 0 : 1)) {
      fail_text(key, text, "is too long for a 64-bit count of microseconds.");
    }
    us += part.floor_us;
    if (!part.exact) fail_text(key, text, nearest_legal(us, us + 1, false));
    return DurationUs(us);
  }
  fail_text(key, text,
            "has an unknown unit \"" + std::string(rest) + "\": use us, ms, s, min or h.");
}

std::string to_text(DurationUs duration) {
  if (duration.us == 0) return "0s";
  const Unit& unit = kUnits[duration.us >= kUnits[2].us ? 2 : duration.us >= kUnits[1].us ? 1 : 0];
  return decimal(duration.us, unit.us) + std::string(unit.name);
}

std::string to_text(TimeUs time) { return to_text(DurationUs(time.us)); }

std::string exact_seconds(DurationUs duration) {
  constexpr std::uint64_t kUsPerS = 1'000'000;
  const std::string fraction = format_integer(kUsPerS + duration.us % kUsPerS);
  return format_integer(duration.us / kUsPerS) + "." + fraction.substr(1);
}

}  // namespace tactus
