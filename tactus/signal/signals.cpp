// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/signals.h"

#include <cstddef>

namespace tactus {

const char* to_text(FlightMode mode) {
  constexpr const char* kTexts[] = {"none", "takeoff", "mission", "hold", "return", "land"};
  return kTexts[static_cast<std::size_t>(mode)];
}

const char* to_text(Failsafe failsafe) {
  constexpr const char* kTexts[] = {"none",           "battery_low", "battery_critical",
                                    "estimator_lost", "motor_lost",  "crashed"};
  return kTexts[static_cast<std::size_t>(failsafe)];
}

const char* to_text(ArmingRefusal refusal) {
  constexpr const char* kTexts[] = {"none",       "estimate",   "no_battery", "battery_critical",
                                    "overturned", "in_the_air", "no_mission", "no_takeoff"};
  return kTexts[static_cast<std::size_t>(refusal)];
}

}  // namespace tactus
