// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is known about a member of a signal and not of the whole signal (signal_table.h). It stands
// as a mark in the field list of the signal:
//   visit("duty", "1", marked(self.duty, {.length = count_of<CountOf::kMotors>}), "of each motor");

#include <string_view>
#include <type_traits>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/signal/component.h"
#include "tactus/signal/counts.h"

namespace tactus {

/// Numbers that a value cannot leave.
struct Range {
  double low = -math::infinity();
  double high = math::infinity();

  [[nodiscard]] constexpr bool has(double value) const { return value >= low && value <= high; }
  [[nodiscard]] constexpr bool has_ends() const { return math::is_finite(high - low); }
};

struct PartFacts {
  /// Of an array: how many elements the vehicle has.
  int (*length)(const VehicleCounts& counts) = nullptr;
  Component owner = Component::kUnknown;  ///< kUnknown: that of the signal
  bool of_state = false;  ///< follows from the state of the plant alone, and not from its input
  Range range{};
};

/// The mark.
template <class T>
struct MarkedPart {
  using MarkedMember = T;
  T* member;
  PartFacts facts;

  [[nodiscard]] static constexpr bool in_digest() { return true; }
};

template <class T>
TACTUS_HD constexpr MarkedPart<T> marked(T& member, const PartFacts& facts) {
  return {&member, facts};
}

namespace detail {

/// visit(name, facts, extent) of every member of a signal; the extent of what is no array is 0.
template <HasFields T, class Visitor>
constexpr void for_each_part_facts(Visitor&& visit) {
  const T object{};
  T::visit_fields(object, [&](std::string_view name, const char*, auto&& member, const char*) {
    using Part = std::remove_cvref_t<decltype(member)>;
    constexpr int kExtent = std::extent_v<std::remove_reference_t<decltype(unmarked(member))>>;
    if constexpr (MarkedField<Part>) {
      visit(name, member.facts, kExtent);
    } else {
      visit(name, PartFacts{}, kExtent);
    }
  });
}

}  // namespace detail

/// Of the member of that name.
template <HasFields T>
constexpr PartFacts part_facts(std::string_view name) {
  PartFacts found;
  detail::for_each_part_facts<T>([&](std::string_view part, const PartFacts& facts, int) {
    if (part == name) found = facts;
  });
  return found;
}

/// Whether the state of the plant alone gives a member.
template <HasFields T>
consteval bool has_part_of_state() {
  bool found = false;
  detail::for_each_part_facts<T>(
      [&](std::string_view, const PartFacts& facts, int) { found = found || facts.of_state; });
  return found;
}

/// Whether every array, and nothing else, says how many elements a vehicle has, with room for all.
template <HasFields T>
consteval bool has_lengths() {
  VehicleCounts full;
  for_each_count(full, [](const char*, const char*, int& count, int most) { count = most; });
  bool fits = true;
  detail::for_each_part_facts<T>([&](std::string_view, const PartFacts& facts, int extent) {
    fits = fits && extent == (facts.length == nullptr ? 0 : facts.length(full));
  });
  return fits;
}

}  // namespace tactus
