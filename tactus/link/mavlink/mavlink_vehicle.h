// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a vehicle reports over MAVLink, as last received. Numbers it never reported are NaN.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/signal/note.h"
#include "tactus/signal/signals.h"

namespace tactus {

enum class PilotFlavour : std::uint8_t { kPx4, kArduCopter };

/// As the protocol counts them.
enum class LandedState : std::uint8_t { kUnknown, kOnGround, kInAir, kTakingOff, kLanding };

/// A line of text for the pilot.
struct VehicleText {
  TimeUs time;
  std::uint8_t severity = 6;  ///< 0 emergency … 4 warning … 6 information, 7 debug
  std::string text;
};

/// Makes notes of the texts of an autopilot: once in a while those that it repeats, and only so
/// many different texts in a flight.
class TextNotes {
 public:
  /// `who` begins each note.
  explicit TextNotes(std::string who) : who_(std::move(who)) {}

  void add(TimeUs now, const std::string& text, std::vector<Note>& notes);

 private:
  std::string who_;
  std::map<std::string, TimeUs> said_;  ///< and when last
};

inline constexpr double kNotReceived = math::canonical_nan();
inline constexpr Vec3 kNotReceivedVec{kNotReceived, kNotReceived, kNotReceived};

struct VehicleView {
  bool has_heartbeat = false;  ///< one was received; nothing is sent before
  TimeUs heartbeat_at;         ///< the last one
  bool armed = false;
  std::uint32_t custom_mode = 0;
  FlightMode mode = FlightMode::kNone;  ///< kNone: one that we have no name for
  std::uint8_t system_status = 0;       ///< MAV_STATE: 3 standby, 4 active, 5 critical, 6 emergency
  LandedState landed = LandedState::kUnknown;
  /// While it is armed and calls its state critical: why, by its texts; kNone: for a reason that we
  /// have no name for.
  Failsafe failsafe = Failsafe::kNone;

  // Positions in the uploaded mission, −1: none.
  std::int32_t item_now = -1;
  std::int32_t item_reached = -1;
  std::int32_t items_reached = 0;  ///< how many times an item was reached
  bool mission_complete = false;

  // Its estimate.
  Vec3 position_W_m = kNotReceivedVec;
  Vec3 velocity_W_m_s = kNotReceivedVec;
  Vec3 attitude_rad = kNotReceivedVec;  ///< roll, pitch, yaw
  Vec3 rate_B_rad_s = kNotReceivedVec;
  double height_above_home_m = kNotReceived;
  double lat_deg = kNotReceived;
  double lon_deg = kNotReceived;
  mavlink::EstimatorStatus estimator;  ///< time_usec 0: never came

  // Its setpoints.
  Vec3 position_setpoint_W_m = kNotReceivedVec;
  Vec3 velocity_setpoint_W_m_s = kNotReceivedVec;
  Vec3 acceleration_setpoint_W_m_s2 = kNotReceivedVec;
  double yaw_setpoint_rad = kNotReceived;
  double yaw_rate_setpoint_rad_s = kNotReceived;
  Quat attitude_setpoint{kNotReceived, kNotReceived, kNotReceived, kNotReceived};
  Vec3 rate_setpoint_B_rad_s = kNotReceivedVec;
  double thrust_setpoint = kNotReceived;
};

/// Collects the view from frames of the vehicle.
class VehicleListener {
 public:
  /// `item_count`: of the mission that is uploaded.
  VehicleListener(PilotFlavour flavour, std::size_t item_count)
      : flavour_(flavour), last_item_(static_cast<std::int32_t>(item_count) - 1) {}

  void take(const mavlink::Frame& frame, TimeUs now);
  /// An accepted command: so until the next HEARTBEAT says otherwise.
  void assume_mode(std::uint32_t custom_mode);
  void assume_armed(bool armed);
  [[nodiscard]] const VehicleView& view() const { return view_; }
  /// Appends the texts that came since the last call.
  void take_texts(std::vector<VehicleText>& to);

 private:
  void reach(std::int32_t item);
  void take(const mavlink::Heartbeat& message, TimeUs now);
  void take(const mavlink::MissionCurrent& message);
  void take(const mavlink::MissionItemReached& message);
  void take(const mavlink::ExtendedSysState& message);
  void take(const mavlink::GlobalPositionInt& message);
  void take(const mavlink::EstimatorStatus& message);
  void take(const mavlink::LocalPositionNed& message);
  void take(const mavlink::Attitude& message);
  void take(const mavlink::AttitudeTarget& message);
  void take(const mavlink::PositionTargetLocalNed& message);
  void take(const mavlink::Statustext& message, TimeUs now);
  void end_text();
  void judge_failsafe();
  [[nodiscard]] std::int32_t item_of(std::uint16_t sequence) const;

  PilotFlavour flavour_;
  std::int32_t last_item_;            ///< −1: no mission
  Failsafe cause_ = Failsafe::kNone;  ///< that its texts gave last, since it was armed
  bool flew_last_item_ = false;       ///< and did not leave the mission since
  VehicleView view_;
  std::vector<VehicleText> texts_;
  VehicleText unfinished_;  ///< of a text in several parts
  std::uint16_t unfinished_id_ = 0;
};

/// Of which failsafe a text for the pilot speaks; kNone: of none.
Failsafe failsafe_cause(std::string_view text);

/// The mode of a HEARTBEAT in our words.
FlightMode flight_mode(PilotFlavour flavour, std::uint32_t custom_mode);
/// The same for PX4, the other way round; 0: none.
std::uint32_t px4_custom_mode(FlightMode mode);

mavlink::BatteryStatus battery_message(const BatteryStatus& pack, std::size_t index);

}  // namespace tactus
