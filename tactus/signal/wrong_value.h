// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is wrong with the numbers of a signal, in words: for validator.h, and for frames of vehicles
// that fly elsewhere. Empty: nothing is. Nothing is allocated then.

#include <cstddef>
#include <string>
#include <string_view>

#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// "NAME.LEAF = VALUE: must be finite" of the first leaf that is not.
template <HasFields T>
std::string wrong_number(std::string_view name, const T& value) {
  if (all_finite(value)) return "";
  std::string wrong;
  for_each_leaf(value, [&](const LeafPath& path, const auto& number) {
    const auto real = static_cast<double>(number);
    if (!wrong.empty() || math::is_finite(real)) return;
    wrong = std::string(name) + "." + path.text() + " = " + format_double(real);
    wrong += ": must be finite";
  });
  return wrong;
}

template <HasFields T, std::size_t n>
std::string wrong_number(std::string_view name, const T (&values)[n]) {
  for (std::size_t i = 0; i < n; ++i) {
    if (all_finite(values[i])) continue;
    const std::string number = format_integer(std::uint64_t{i});
    return wrong_number(std::string(name) + "[" + number + "]", values[i]);
  }
  return "";
}

inline std::string wrong_attitude(std::string_view name, const Quat& attitude) {
  constexpr double kTolerance = 1e-6;
  const double length = norm(attitude);
  if (math::abs(length - 1.0) <= kTolerance) return "";
  return std::string(name) + ".attitude, its length = " + format_double(length) + ": must be 1";
}

}  // namespace tactus
