// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"

namespace tactus {

/// How often PX4's modules run, and what the stand-in for its commander does (px4_commander.h). The
/// library measures from a module's last run, so that a period which is no multiple of the step is
/// stretched to the next one: such rates are refused.
struct Px4LibrarySettings {
  std::int32_t navigator_rate_hz = 25;
  std::int32_t position_rate_hz = 125;
  std::int32_t attitude_rate_hz = 250;
  std::int32_t rate_rate_hz = 250;
  std::int32_t allocator_rate_hz = 250;
  bool allow_rate_mismatch = false;
  std::int32_t com_low_bat_act = 3;
  DurationUs disarm_delay{2'000'000};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("navigator_rate_hz", "Hz", self.navigator_rate_hz, "0: at every step");
    visit("position_rate_hz", "Hz", self.position_rate_hz,
          "position control and flight modes; 0: at every step");
    visit("attitude_rate_hz", "Hz", self.attitude_rate_hz, "attitude control; 0: at every step");
    visit("rate_rate_hz", "Hz", self.rate_rate_hz, "rate control; 0: at every step");
    visit("allocator_rate_hz", "Hz", self.allocator_rate_hz, "motor mixing; 0: at every step");
    visit("allow_rate_mismatch", "", self.allow_rate_mismatch,
          "take rates that the step cannot give and warn with the effective ones");
    visit(
        "com_low_bat_act", "", self.com_low_bat_act,
        "as PX4's parameter: 0 warn, 2 land at critical, 3 return at critical, land at emergency");
    visit("disarm_delay_us", "us", self.disarm_delay, "from landed to motors off");
  }
};
static_assert(lists_every_field<Px4LibrarySettings>());

struct Px4LibraryParameters : Px4LibrarySettings {
  std::string library;   ///< path of libpx4_lockstep.so
  std::string messages;  ///< folder of .msg files of another PX4 version; empty: ours

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    Px4LibrarySettings::visit_fields(self, visit);
    visit("library", "", left_out(self.library, "where a program is"));
    visit("messages", "", left_out(self.messages, "where files are"));
  }
};
static_assert(lists_every_field<Px4LibraryParameters>());

/// Throws Error(kBadInput) that names the key, its value and what is legal. Gives back what is only
/// a warning because mismatches are allowed.
std::vector<std::string> check_settings(const Px4LibrarySettings& settings, DurationUs step);

/// Steps from one run of a module to the next; it runs at the first.
std::uint64_t steps_between_runs(std::int32_t rate_hz, DurationUs step);

}  // namespace tactus
