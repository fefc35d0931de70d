// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/vehicle/battery_levels.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/math.h"
#include "tactus/plant/power_network.h"

namespace tactus {
namespace {

struct Level {
  const char* key;
  double PackParameters::*soc;
  const char* px4;
  const char* ardupilot;  ///< empty: ArduPilot has no such level
  double px4_least;       ///< PX4's own range, battery_params_common.c
  double px4_most;
};

constexpr Level kLevels[] = {
    {"low_soc", &PackParameters::low_soc, "BAT_LOW_THR", "BATT_LOW_MAH", 0.12, 0.5},
    {"critical_soc", &PackParameters::critical_soc, "BAT_CRIT_THR", "BATT_CRT_MAH", 0.05, 0.5},
    {"emergency_soc", &PackParameters::emergency_soc, "BAT_EMERGEN_THR", "", 0.03, 0.5},
};

struct Given {
  double value = 0.0;
  std::string by;
};
/// By name of the parameter.
using GivenSettings = std::map<std::string, Given, std::less<>>;

/// What the spec says besides the aircraft when the flight starts; ArduPilot's files win.
GivenSettings given_at_start(const Spec& spec) {
  const char* const key = "autopilot.outside.parameters";
  GivenSettings settings;
  for (const EmittedParameter& one : parse_parameters(spec.external.parameters, key)) {
    settings[one.name] = {one.value, key};
  }
  if (spec.autopilot != AutopilotKind::kArdupilot) return settings;
  for (const auto& [name, value] : spec.external.ardupilot_given) {
    settings[name] = {value, "autopilot.ardupilot.defaults"};
  }
  return settings;
}

class LevelComparison {
 public:
  LevelComparison(const Spec& spec, AutopilotKind autopilot)
      : spec_(spec),
        autopilot_(autopilot),
        network_(make_power_network(multirotor_of(spec).power, "power")) {
    if (spec.autopilot == autopilot) given_ = given_at_start(spec);
  }

  std::vector<std::string> notes() {
    for (const auto& [name, given] : given_) compare(name, given);
    if (spec_.autopilot == autopilot_) compare_events();
    if (autopilot_ != AutopilotKind::kPx4Library) compare_packs();
    if (autopilot_ == AutopilotKind::kPx4Sitl) {
      compare_percents();
      compare_ranges();
    }
    return std::move(notes_);
  }

 private:
  [[nodiscard]] const PackParameters& pack(int j) const {
    return multirotor_of(spec_).power.pack[j];
  }
  [[nodiscard]] std::string key(int j, const Level& level) const {
    return fmt::format("pack.{}.{}", spec_.parts.packs[static_cast<std::size_t>(j)], level.key);
  }
  [[nodiscard]] std::string_view name(const Level& level) const {
    return autopilot_ == AutopilotKind::kArdupilot ? level.ardupilot : level.px4;
  }
  [[nodiscard]] const char* who() const {
    return autopilot_ == AutopilotKind::kArdupilot ? "ArduPilot" : "PX4";
  }

  /// What the autopilot gets: a share, or what is left in mAh.
  [[nodiscard]] double emitted_value(const Level& level) const {
    const double soc = pack(0).*level.soc;
    return autopilot_ == AutopilotKind::kArdupilot ? ardupilot_charge_mah(network_, soc) : soc;
  }

  void compare_events() {
    for (const Event& event : spec_.events) {
      if (event.action.kind != ActionKind::kParameter) continue;
      compare(event.action.target, {event.action.value, "event." + event.id});
    }
  }

  void compare(std::string_view parameter, const Given& given) {
    for (const Level& level : kLevels) {
      // Autopilots hold them in single precision.
      const double own = emitted_value(level);
      if (parameter != name(level) || math::abs(given.value - own) <= 1e-6 * own) continue;
      const std::string ours = autopilot_ == AutopilotKind::kArdupilot
                                   ? fmt::format("the {} that follow from {} = {}", own,
                                                 key(0, level), pack(0).*level.soc)
                                   : fmt::format("{} = {}", key(0, level), own);
      const std::string effect =
          autopilot_ == AutopilotKind::kPx4Library
              ? "PX4's library does not watch the battery, so the pack's level counts"
              : fmt::format("{} acts at its own level, battery[].warning follows the pack's",
                            who());
      notes_.push_back(
          fmt::format("{} = {}, given by {}, is not {}: {}; change {} instead, for both", parameter,
                      given.value, given.by, ours, effect, key(0, level)));
    }
  }

  void compare_packs() {
    for (int j = 1; j < multirotor_of(spec_).power.pack_count; ++j) {
      for (const Level& level : kLevels) {
        const double first = pack(0).*level.soc;
        const double other = pack(j).*level.soc;
        if (name(level).empty() || other == first) continue;
        notes_.push_back(fmt::format(
            "{} = {} is not {} = {}, and {} has one {} for all packs: it gets that of {}",
            key(j, level), other, key(0, level), first, who(), name(level), spec_.parts.packs[0]));
      }
    }
  }

  void compare_percents() {
    constexpr double kPercent = 0.01 - 1e-9;
    for (int i = 0; i < 2; ++i) {
      const Level& upper = kLevels[i];
      const Level& lower = kLevels[i + 1];
      const double high = pack(0).*upper.soc;
      const double low = pack(0).*lower.soc;
      if (given_.contains(upper.px4) || given_.contains(lower.px4)) continue;
      if (high == low || high - low >= kPercent) continue;
      notes_.push_back(
          fmt::format("{} = {} and {} = {} are less than a percent apart, and PX4 gets the charge "
                      "in whole percent: it may take them for one",
                      key(0, upper), high, key(0, lower), low));
    }
  }

  /// PX4 takes any value; a ground station that edits or reads back the parameter enforces the
  /// range.
  void compare_ranges() {
    for (const Level& level : kLevels) {
      const auto given = given_.find(level.px4);
      const double value = given == given_.end() ? pack(0).*level.soc : given->second.value;
      if (value >= level.px4_least && value <= level.px4_most) continue;
      const std::string what =
          given == given_.end()
              ? fmt::format("{} = {}", key(0, level), value)
              : fmt::format("{} = {}, given by {},", level.px4, value, given->second.by);
      notes_.push_back(fmt::format(
          "{} is outside of PX4's own range of {}, {} to {}: it flies with it, but ground stations "
          "refuse to set it",
          what, level.px4, level.px4_least, level.px4_most));
    }
  }

  const Spec& spec_;
  AutopilotKind autopilot_;
  PowerNetwork network_;
  GivenSettings given_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> battery_level_notes(const Spec& spec, AutopilotKind autopilot) {
  const bool external = is_external_program(autopilot) || autopilot == AutopilotKind::kPx4Library;
  if (!external) return {};
  return LevelComparison(spec, autopilot).notes();
}

}  // namespace tactus
