// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Range checks of parameters. Each throws Error(kBadInput) with one message:
// "airframe.mass_kg = -1: must be positive (…)". All input is checked once, here, so that
// inside the types carry the guarantee.

#include <string>
#include <string_view>
#include <type_traits>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"

namespace tactus {

/// Always throws: `where.key = value: reason`.
[[noreturn]] void refuse(std::string_view where, std::string_view key, double value,
                         std::string_view reason);
/// The same of a figure of the parameter: `where.key (note) = value: reason`.
[[noreturn]] void refuse(std::string_view where, std::string_view key, std::string_view note,
                         double value, std::string_view reason);
/// The same with the whole key: `key: reason`, `key = value: reason`.
[[noreturn]] void refuse_key(std::string key, std::string reason);
[[noreturn]] void refuse_key(std::string key, std::string value, std::string reason);

void require_finite(std::string_view where, std::string_view key, double value);
void require_positive(std::string_view where, std::string_view key, double value);
void require_not_negative(std::string_view where, std::string_view key, double value);
void require_within(std::string_view where, std::string_view key, double value, double lowest,
                    double highest);

/// Always throws: `path = nan: must be a number`.
[[noreturn]] void refuse_nan(const LeafPath& path);

/// Catches NaN wherever it hides, also in what the chosen kinds of models do not use.
template <HasFields T>
void require_numbers(const T& parameters) {
  for_each_leaf(parameters, [](const LeafPath& path, const auto& value) {
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>) {
      if (math::is_nan(value)) refuse_nan(path);
    }
  });
}

}  // namespace tactus
