// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Everything that is known about the kinds of expectations, one row each; expectations.cpp looks
// and judges. docs/faults.md describes the same; a test compares.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tactus/spec/model/event.h"

namespace tactus {

enum class ExpectationSubject : std::uint8_t { kMission, kLanding, kPlace, kSignal, kCrash };

/// What decides.
enum class ExpectationVerdict : std::uint8_t {
  kDeadline,  ///< something happens in time
  kBounds,    ///< something stays within bounds
  kFinal,     ///< a value at the end
  kSurvival,  ///< no crash
};

struct ExpectationRow {
  ExpectationKind kind;
  const char* name;  ///< of `kind` in a spec
  ExpectationSubject about;
  ExpectationVerdict verdict;
  std::array<std::string_view, 3> needed;    ///< keys; "": none
  std::array<std::string_view, 5> optional;  ///< keys; "": none
  const char* meaning;                       ///< Markdown, as in docs/faults.md
};

/// In the order of ExpectationKind.
inline constexpr auto kExpectations = [] {
  using K = ExpectationKind;
  using S = ExpectationSubject;
  using V = ExpectationVerdict;
  return std::array{
      ExpectationRow{K::kReachItem,
                     "reach_item",
                     S::kMission,
                     V::kDeadline,
                     {"item"},
                     {"by_s"},
                     "mission item `item` (from 0) is done by `by_s`"},
      ExpectationRow{K::kMissionComplete,
                     "mission_complete",
                     S::kMission,
                     V::kDeadline,
                     {},
                     {"by_s"},
                     "every item is done by `by_s`"},
      ExpectationRow{K::kLandBy,
                     "land_by",
                     S::kLanding,
                     V::kDeadline,
                     {},
                     {"by_s", "tolerance"},
                     "having flown, it is landed and disarmed by `by_s`, within `tolerance` metres "
                     "of home if given"},
      ExpectationRow{K::kStayInside,
                     "stay_inside",
                     S::kPlace,
                     V::kBounds,
                     {},
                     {"radius_m", "low_m", "high_m", "from_s", "by_s"},
                     "true distance from home ≤ `radius_m` (greater than 0) and height within "
                     "`low_m` … `high_m`, in the window"},
      ExpectationRow{K::kSignalMax,
                     "signal_max",
                     S::kSignal,
                     V::kBounds,
                     {"signal", "limit"},
                     {"from_s", "by_s"},
                     "`signal` stays at or below `limit` in the window; it must have been a number "
                     "there"},
      ExpectationRow{K::kSignalMin,
                     "signal_min",
                     S::kSignal,
                     V::kBounds,
                     {"signal", "limit"},
                     {"from_s", "by_s"},
                     "`signal` stays at or above `limit` in the window; it must have been a number "
                     "there"},
      ExpectationRow{K::kFinal,
                     "final",
                     S::kSignal,
                     V::kFinal,
                     {"signal", "value", "tolerance"},
                     {},
                     "`signal` is `value` ± `tolerance` at the end"},
      ExpectationRow{K::kSurvive,
                     "survive",
                     S::kCrash,
                     V::kSurvival,
                     {"event"},
                     {},
                     "`event` acted and there was no crash"},
  };
}();

namespace detail {

consteval bool expectations_are_in_order() {
  for (std::size_t i = 0; i < kExpectations.size(); ++i) {
    if (static_cast<std::size_t>(kExpectations[i].kind) != i) return false;
  }
  return kExpectations.size() == static_cast<std::size_t>(ExpectationKind::kSurvive) + 1;
}
static_assert(expectations_are_in_order(), "one row for every ExpectationKind, in its order");

}  // namespace detail

constexpr const ExpectationRow& row_of(ExpectationKind kind) {
  return kExpectations[static_cast<std::size_t>(kind)];
}

}  // namespace tactus
