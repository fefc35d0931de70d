// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Stands in for PX4's commander, which is not in the library: arming, mode and failsafes. Small on
// purpose; docs/autopilots.md describes its behaviour for users:
//   arms when ordered to, if the estimate is valid, batteries are connected and not critical, and
//   the vehicle stands upright; as long as the order stands and something is missing, it tries
//   again takes the mode it is ordered to; a mission only after PX4 has called it valid end of a
//   mission or of a takeoff: loiter. RETURN and LAND items of a mission: those modes battery, as
//   PX4's COM_LOW_BAT_ACT: 0 nothing, 2 land at critical, 3 return at critical and land at
//   emergency; once per level, so that a later order of the user stands position lost in flight:
//   descend where it is landed for disarm_delay after a flight: disarms; never in the air

#include <cstdint>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/input_checks.h"
#include "tactus/autopilot/parameters/px4_library_parameters.h"

namespace tactus {

/// PX4's numbers (vehicle_status.nav_state).
enum class Px4NavState : std::uint8_t {
  kManual = 0,
  kMission = 3,
  kLoiter = 4,
  kReturn = 5,
  kDescend = 12,
  kTakeoff = 17,
  kLand = 18,
};

FlightMode mode_of(Px4NavState nav_state);

/// What PX4 reported in the last step.
struct Px4Report {
  bool mission_loaded = false;
  bool mission_valid = false;
  bool finished = false;          ///< mission_result.finished
  bool return_requested = false;  ///< by an item of the mission
  bool land_requested = false;
};

class Px4Commander {
 public:
  explicit Px4Commander(const Px4LibrarySettings& settings, bool ignore_old_orders = false);

  void step(const AutopilotInput& input, const Px4Report& px4);

  [[nodiscard]] bool armed() const { return armed_; }
  [[nodiscard]] Px4NavState nav_state() const { return nav_state_; }
  [[nodiscard]] Failsafe failsafe() const { return failsafe_; }
  [[nodiscard]] ArmingRefusal refusal() const { return refusal_; }
  [[nodiscard]] bool mission_finished() const { return mission_finished_; }

 private:
  void take_order(const AutopilotInput& input);
  void try_arming(const AutopilotInput& input);
  void try_mode(const Px4Report& px4);
  void follow_px4(const Px4Report& px4);
  void watch_battery(const AutopilotInput& input);
  void watch_estimate(const AutopilotInput& input);
  void watch_ground(const AutopilotInput& input);
  void enter(Px4NavState nav_state);
  void disarm();

  std::int32_t com_low_bat_act_;
  DurationUs disarm_delay_;
  OrderInbox inbox_;
  bool wants_armed_ = false;
  FlightMode wanted_mode_ = FlightMode::kNone;  ///< not yet entered

  bool armed_ = false;
  bool airborne_ = false;  ///< has left the ground since it was armed
  Px4NavState nav_state_ = Px4NavState::kManual;
  Failsafe failsafe_ = Failsafe::kNone;
  ArmingRefusal refusal_ = ArmingRefusal::kNone;
  BatteryWarning handled_ = BatteryWarning::kNone;
  bool running_ = false;  ///< PX4 has reported that what it flies is not finished
  bool mission_finished_ = false;
  bool landed_ = true;
  TimeUs landed_since_;
};

/// The worst warning of the packs that are connected.
BatteryWarning worst_warning(const BatteryStatus (&battery)[kMaxPacks]);

}  // namespace tactus
