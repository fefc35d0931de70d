// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_vehicle.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "tactus/core/printable.h"

namespace tactus {
namespace {

constexpr std::uint8_t kArmedFlag = 128;      // MAV_MODE_FLAG_SAFETY_ARMED
constexpr std::uint8_t kMissionComplete = 5;  // MISSION_STATE_COMPLETE
constexpr std::uint32_t kPx4Auto = 4;         // PX4's main mode
constexpr std::size_t kTextPart = 50;
constexpr std::size_t kLongestText = 256 * kTextPart;
constexpr DurationUs kSayAgain{10'000'000};
constexpr std::size_t kMostTexts = 1000;

/// A vector some axes of which may be ignored; bit 0 of `ignored` is x.
Vec3 used_axes(float x, float y, float z, unsigned ignored) {
  return {(ignored & 1u) != 0 ? kNotReceived : double{x},
          (ignored & 2u) != 0 ? kNotReceived : double{y},
          (ignored & 4u) != 0 ? kNotReceived : double{z}};
}

FlightMode px4_mode(std::uint32_t custom_mode) {
  if ((custom_mode >> 16u & 0xFFu) != kPx4Auto) return FlightMode::kNone;
  switch (custom_mode >> 24u) {
    case 2: return FlightMode::kTakeoff;
    case 3: return FlightMode::kHold;
    case 4: return FlightMode::kMission;
    case 5: return FlightMode::kReturn;
    case 6: return FlightMode::kLand;
    default: return FlightMode::kNone;
  }
}

FlightMode copter_mode(std::uint32_t custom_mode) {
  switch (custom_mode) {
    case 3: return FlightMode::kMission;  // AUTO
    case 4:                               // GUIDED
    case 5:                               // LOITER
    case 16:                              // POSHOLD
    case 17: return FlightMode::kHold;    // BRAKE
    case 6:                               // RTL
    case 21: return FlightMode::kReturn;  // SMART_RTL
    case 9: return FlightMode::kLand;
    default: return FlightMode::kNone;
  }
}

// MAV_STATE
constexpr std::uint8_t kCritical = 5, kEmergency = 6, kTermination = 8;

struct CauseText {
  std::array<std::string_view, 2> words;  ///< all of them, in small letters
  Failsafe cause;
};

/// In PX4's words and ArduPilot's, the first that fits.
constexpr CauseText kCauseTexts[] = {
    {{"battery", "critical"}, Failsafe::kBatteryCritical},
    {{"battery", "emergency"}, Failsafe::kBatteryCritical},
    {{"battery", "dangerously low"}, Failsafe::kBatteryCritical},
    {{"battery", "low"}, Failsafe::kBatteryLow},
    {{"motor failure", ""}, Failsafe::kMotorLost},
    {{"thrust loss", ""}, Failsafe::kMotorLost},
    {{"ekf failsafe", ""}, Failsafe::kEstimatorLost},
    {{"data fusion stopped", ""}, Failsafe::kEstimatorLost},
    {{"position", "estimate"}, Failsafe::kEstimatorLost},
};

}  // namespace

Failsafe failsafe_cause(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const CauseText& one : kCauseTexts) {
    const bool fits = std::ranges::all_of(
        one.words, [&](std::string_view word) { return small.find(word) != std::string::npos; });
    if (fits) return one.cause;
  }
  return Failsafe::kNone;
}

void TextNotes::add(TimeUs now, const std::string& text, std::vector<Note>& notes) {
  const auto before = said_.find(text);
  if (before == said_.end() ? said_.size() == kMostTexts : now - before->second < kSayAgain) return;
  said_[text] = now;
  notes.push_back({now, kept_text(who_ + ": " + text), 0, NoteFrom::kAutopilot});
}

FlightMode flight_mode(PilotFlavour flavour, std::uint32_t custom_mode) {
  return flavour == PilotFlavour::kPx4 ? px4_mode(custom_mode) : copter_mode(custom_mode);
}

std::uint32_t px4_custom_mode(FlightMode mode) {
  const auto auto_mode = [](std::uint32_t sub) { return kPx4Auto << 16u | sub << 24u; };
  switch (mode) {
    case FlightMode::kTakeoff: return auto_mode(2);
    case FlightMode::kHold: return auto_mode(3);
    case FlightMode::kMission: return auto_mode(4);
    case FlightMode::kReturn: return auto_mode(5);
    case FlightMode::kLand: return auto_mode(6);
    case FlightMode::kNone: break;
  }
  return 0;
}

mavlink::BatteryStatus battery_message(const BatteryStatus& pack, std::size_t index) {
  constexpr std::uint16_t kNoCell = 65535;
  constexpr double kFullCell_mv = 65534.0;
  mavlink::BatteryStatus message;
  message.id = static_cast<std::uint8_t>(index);
  message.type = 1;             // lithium polymer
  message.temperature = 32767;  // not known
  std::fill(std::begin(message.voltages), std::end(message.voltages), kNoCell);
  // The cells are not known: the whole as one, and what one field cannot hold in the next.
  const double voltage_mv = pack.voltage_v * 1e3;
  message.voltages[0] = mavlink::nearest<std::uint16_t>(voltage_mv, 0.0, kFullCell_mv);
  if (voltage_mv > kFullCell_mv) {
    message.voltages[1] =
        mavlink::nearest<std::uint16_t>(voltage_mv - kFullCell_mv, 0.0, kFullCell_mv);
  }
  message.current_battery = mavlink::nearest<std::int16_t>(pack.current_a * 1e2, -32768.0, 32767.0);
  if (message.current_battery == -1) message.current_battery = 0;  // −1: not measured
  message.current_consumed = -1;
  message.energy_consumed = -1;
  message.battery_remaining = mavlink::nearest<std::int8_t>(pack.remaining * 1e2, 0.0, 100.0);
  message.charge_state = static_cast<std::uint8_t>(1 + static_cast<int>(pack.warning));
  return message;
}

void VehicleListener::take(const mavlink::Frame& frame, TimeUs now) {
  const auto timed = [&](const auto& message) { take(message, now); };
  const auto plain = [&](const auto& message) { take(message); };
  using namespace mavlink;  // NOLINT(google-build-using-namespace): a list of its names
  (void)(if_is<Heartbeat>(frame, timed) || if_is<Statustext>(frame, timed) ||
         if_is<ExtendedSysState>(frame, plain) || if_is<MissionCurrent>(frame, plain) ||
         if_is<MissionItemReached>(frame, plain) || if_is<LocalPositionNed>(frame, plain) ||
         if_is<GlobalPositionInt>(frame, plain) || if_is<Attitude>(frame, plain) ||
         if_is<AttitudeTarget>(frame, plain) || if_is<PositionTargetLocalNed>(frame, plain) ||
         if_is<EstimatorStatus>(frame, plain));
}

void VehicleListener::take(const mavlink::Heartbeat& message, TimeUs now) {
  view_.has_heartbeat = true;
  view_.heartbeat_at = now;
  view_.system_status = message.system_status;
  assume_armed((message.base_mode & kArmedFlag) != 0);
  assume_mode(message.custom_mode);
  judge_failsafe();
}

void VehicleListener::judge_failsafe() {
  const std::uint8_t state = view_.system_status;
  const bool critical = state == kCritical || state == kEmergency || state == kTermination;
  view_.failsafe = view_.armed && critical ? cause_ : Failsafe::kNone;
}

void VehicleListener::assume_mode(std::uint32_t custom_mode) {
  view_.custom_mode = custom_mode;
  view_.mode = flight_mode(flavour_, custom_mode);
  if (view_.armed && view_.mode != FlightMode::kMission) flew_last_item_ = false;
}

void VehicleListener::assume_armed(bool armed) {
  if (armed && !view_.armed) {  // a new flight
    view_.item_reached = -1;
    view_.items_reached = 0;
    view_.mission_complete = flew_last_item_ = false;
    cause_ = Failsafe::kNone;
  }
  // A landing as the last item is over when the motors stop; not every vehicle reports more.
  if (!armed && view_.armed && flew_last_item_) {
    view_.mission_complete = true;
    reach(last_item_);
  }
  view_.armed = armed;
}

void VehicleListener::take(const mavlink::ExtendedSysState& message) {
  const bool known = message.landed_state <= static_cast<std::uint8_t>(LandedState::kLanding);
  view_.landed = known ? static_cast<LandedState>(message.landed_state) : LandedState::kUnknown;
}

/// Position in our mission; ArduPilot counts its home as item 0.
std::int32_t VehicleListener::item_of(std::uint16_t sequence) const {
  return std::int32_t{sequence} - (flavour_ == PilotFlavour::kArduCopter ? 1 : 0);
}

void VehicleListener::take(const mavlink::MissionCurrent& message) {
  view_.item_now = item_of(message.seq);
  // PX4 calls a takeoff or a landing outside of the mission complete as well.
  if (!view_.armed || view_.mode != FlightMode::kMission) return;
  view_.mission_complete = message.mission_state == kMissionComplete;
  if (last_item_ >= 0 && view_.item_now == last_item_) flew_last_item_ = true;
}

void VehicleListener::take(const mavlink::MissionItemReached& message) {
  constexpr std::uint16_t kNoItem = 65535;  // PX4 says so when a mission is new
  if (message.seq != kNoItem) reach(item_of(message.seq));
}

void VehicleListener::reach(std::int32_t item) {
  // Home, one that the mission does not have, or one that is reported again.
  if (item < 0 || item > last_item_ || item == view_.item_reached) return;
  view_.item_reached = item;
  ++view_.items_reached;
}

void VehicleListener::take(const mavlink::LocalPositionNed& message) {
  view_.position_W_m = {message.x, message.y, message.z};
  view_.velocity_W_m_s = {message.vx, message.vy, message.vz};
}

void VehicleListener::take(const mavlink::GlobalPositionInt& message) {
  view_.height_above_home_m = message.relative_alt * 1e-3;
  if (message.lat == 0 && message.lon == 0) return;  // it does not know yet
  view_.lat_deg = message.lat * 1e-7;
  view_.lon_deg = message.lon * 1e-7;
}

void VehicleListener::take(const mavlink::Attitude& message) {
  view_.attitude_rad = {message.roll, message.pitch, message.yaw};
  view_.rate_B_rad_s = {message.rollspeed, message.pitchspeed, message.yawspeed};
}

void VehicleListener::take(const mavlink::EstimatorStatus& message) { view_.estimator = message; }

void VehicleListener::take(const mavlink::AttitudeTarget& message) {
  constexpr std::uint8_t kIgnoreAttitude = 0x80, kIgnoreThrust = 0x40;
  const float(&q)[4] = message.q;
  const bool no_attitude = (message.type_mask & kIgnoreAttitude) != 0;
  view_.attitude_setpoint = no_attitude
                                ? Quat{kNotReceived, kNotReceived, kNotReceived, kNotReceived}
                                : Quat{q[0], q[1], q[2], q[3]};
  view_.rate_setpoint_B_rad_s = used_axes(message.body_roll_rate, message.body_pitch_rate,
                                          message.body_yaw_rate, message.type_mask);
  const bool no_thrust = (message.type_mask & kIgnoreThrust) != 0;
  view_.thrust_setpoint = no_thrust ? kNotReceived : double{message.thrust};
}

void VehicleListener::take(const mavlink::PositionTargetLocalNed& message) {
  const unsigned ignored = message.type_mask;
  constexpr unsigned kIgnoreYaw = 0x400, kIgnoreYawRate = 0x800;
  view_.position_setpoint_W_m = used_axes(message.x, message.y, message.z, ignored);
  view_.velocity_setpoint_W_m_s = used_axes(message.vx, message.vy, message.vz, ignored >> 3u);
  view_.acceleration_setpoint_W_m_s2 =
      used_axes(message.afx, message.afy, message.afz, ignored >> 6u);
  view_.yaw_setpoint_rad = (ignored & kIgnoreYaw) != 0 ? kNotReceived : double{message.yaw};
  view_.yaw_rate_setpoint_rad_s =
      (ignored & kIgnoreYawRate) != 0 ? kNotReceived : double{message.yaw_rate};
}

/// A long text comes in parts with one id; the last part is not full.
void VehicleListener::take(const mavlink::Statustext& message, TimeUs now) {
  const std::string_view part = mavlink::text_of(message.text);
  const bool continues = message.id != 0 && message.id == unfinished_id_ && message.chunk_seq > 0 &&
                         unfinished_.text.size() < kLongestText;
  if (!continues) {
    if (unfinished_id_ != 0) end_text();
    unfinished_ = {now, message.severity, ""};
  }
  unfinished_.text += part;
  unfinished_id_ = message.id;
  if (message.id != 0 && part.size() == kTextPart) return;
  end_text();
}

/// As one line: a line break in it must not look like a line of ours.
void VehicleListener::end_text() {
  // PX4 marks a text that it also sends as an event by a tab.
  while (unfinished_.text.ends_with('\t')) unfinished_.text.pop_back();
  unfinished_.text = printable(unfinished_.text);
  const Failsafe cause = failsafe_cause(unfinished_.text);
  if (cause != Failsafe::kNone) cause_ = cause;
  judge_failsafe();
  texts_.push_back(std::exchange(unfinished_, {}));
  unfinished_id_ = 0;
}

void VehicleListener::take_texts(std::vector<VehicleText>& to) {
  to.insert(to.end(), texts_.begin(), texts_.end());
  texts_.clear();
}

}  // namespace tactus
