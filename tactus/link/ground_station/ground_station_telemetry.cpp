// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ground_station/ground_station_telemetry.h"

#include <algorithm>

#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus {
namespace {

using mavlink::nearest;

constexpr std::uint8_t kPx4 = 12;  // MAV_AUTOPILOT: its mode names are known to ground stations
constexpr std::uint8_t kProtocol = 3;
constexpr double kUnknownSpeed = 65535.0;
constexpr std::size_t kTextPart = 50;
constexpr std::size_t kMostParts = 4;

struct StreamInfo {
  std::uint32_t id;
  DurationUs period;  ///< 0: on request only
};
constexpr StreamInfo kInfo[] = {
    {mavlink::Heartbeat::kId, DurationUs{1'000'000}},
    {mavlink::SysStatus::kId, DurationUs{1'000'000}},
    {mavlink::GpsRawInt::kId, DurationUs{1'000'000}},
    {mavlink::Attitude::kId, DurationUs{100'000}},
    {mavlink::LocalPositionNed::kId, DurationUs{100'000}},
    {mavlink::GlobalPositionInt::kId, DurationUs{200'000}},
    {mavlink::MissionCurrent::kId, DurationUs{1'000'000}},
    {mavlink::VfrHud::kId, DurationUs{250'000}},
    {mavlink::BatteryStatus::kId, DurationUs{1'000'000}},
    {mavlink::AutopilotVersion::kId, DurationUs{}},
    {mavlink::HomePosition::kId, DurationUs{2'000'000}},
    {mavlink::ExtendedSysState::kId, DurationUs{500'000}},
};

std::optional<DurationUs> usual_period(const StreamInfo& info) {
  if (info.period.us == 0) return std::nullopt;
  return info.period;
}

std::uint32_t boot_ms(const StationView& view) {
  return static_cast<std::uint32_t>(view.input.now.us / 1000);
}

std::int32_t degrees_1e7(double degrees) { return nearest<std::int32_t>(degrees * 1e7); }
std::int32_t millimetres(double metres) { return nearest<std::int32_t>(metres * 1e3); }
std::int16_t centimetres_s(double metres_s) { return nearest<std::int16_t>(metres_s * 1e2); }

/// 0 to 360.
double heading_deg(const Estimate& estimate) {
  const double degrees = yaw_of(estimate.attitude) * math::kRadToDeg;
  return degrees < 0.0 ? degrees + 360.0 : degrees;
}

bool knows_place(const Estimate& estimate) {
  return estimate.horizontal_valid && estimate.vertical_valid;
}

mavlink::Attitude attitude(const StationView& view) {
  const Estimate& estimate = view.input.estimate;
  const EulerAngles angles = to_euler(estimate.attitude);
  mavlink::Attitude message;
  message.time_boot_ms = boot_ms(view);
  message.roll = static_cast<float>(angles.roll_rad);
  message.pitch = static_cast<float>(angles.pitch_rad);
  message.yaw = static_cast<float>(angles.yaw_rad);
  message.rollspeed = static_cast<float>(estimate.rate_B_rad_s.x);
  message.pitchspeed = static_cast<float>(estimate.rate_B_rad_s.y);
  message.yawspeed = static_cast<float>(estimate.rate_B_rad_s.z);
  return message;
}

mavlink::LocalPositionNed local_position(const StationView& view) {
  const Estimate& estimate = view.input.estimate;
  mavlink::LocalPositionNed message;
  message.time_boot_ms = boot_ms(view);
  message.x = static_cast<float>(estimate.position_W_m.x);
  message.y = static_cast<float>(estimate.position_W_m.y);
  message.z = static_cast<float>(estimate.position_W_m.z);
  message.vx = static_cast<float>(estimate.velocity_W_m_s.x);
  message.vy = static_cast<float>(estimate.velocity_W_m_s.y);
  message.vz = static_cast<float>(estimate.velocity_W_m_s.z);
  return message;
}

mavlink::MissionCurrent mission_current(const StationView& view) {
  enum State : std::uint8_t { kNoMission = 1, kNotStarted, kActive, kPaused, kComplete };
  mavlink::MissionCurrent message;
  message.seq = static_cast<std::uint16_t>(std::max(view.item, 0));
  message.total = static_cast<std::uint16_t>(view.item_count);
  const bool flown = view.status.armed && view.status.mode == FlightMode::kMission;
  message.mission_state = view.item_count == 0                 ? kNoMission
                          : view.status.mission_finished       ? kComplete
                          : flown                              ? kActive
                          : view.status.armed && view.item > 0 ? kPaused
                                                               : kNotStarted;
  message.mission_mode = flown ? 1 : 2;
  return message;
}

mavlink::ExtendedSysState extended_state(const StationView& view) {
  LandedState state = LandedState::kInAir;
  if (view.mode == FlightMode::kTakeoff) state = LandedState::kTakingOff;
  if (view.mode == FlightMode::kLand) state = LandedState::kLanding;
  if (view.input.land.landed) state = LandedState::kOnGround;
  mavlink::ExtendedSysState message;
  message.landed_state = static_cast<std::uint8_t>(state);
  return message;
}

mavlink::AutopilotVersion version() {
  // MAV_PROTOCOL_CAPABILITY
  constexpr std::uint64_t kMissionInt = 4, kCommandInt = 8, kBytewiseParameters = 16,
                          kMavlink2 = 8192;
  mavlink::AutopilotVersion message;
  message.capabilities = kMissionInt | kCommandInt | kBytewiseParameters | kMavlink2;
  return message;
}

}  // namespace

StationTelemetry::StationTelemetry(const StationVehicle& vehicle)
    : vehicle_(vehicle), frame_(make_local_frame(vehicle.origin)) {
  static_assert(std::size(kInfo) == kStreams);
  for (std::size_t i = 0; i < kStreams; ++i) streams_[i].period = usual_period(kInfo[i]);
}

void StationTelemetry::act(const StationView& view, Outbox& outbox) {
  for (std::size_t i = 0; i < kStreams; ++i) {
    Stream& stream = streams_[i];
    if (!stream.period || !stream.repeat.due(view.input.now, *stream.period)) continue;
    send(kInfo[i].id, view, outbox);
  }
}

bool StationTelemetry::set_period(std::uint32_t message, std::optional<DurationUs> period) {
  for (std::size_t i = 0; i < kStreams; ++i) {
    if (kInfo[i].id != message) continue;
    const bool usual = period && period->us == 0;
    streams_[i].period = usual ? usual_period(kInfo[i]) : period;
    return true;
  }
  return false;
}

bool StationTelemetry::send(std::uint32_t message, const StationView& view, Outbox& outbox) const {
  switch (message) {
    case mavlink::Heartbeat::kId: outbox.send(heartbeat(view)); return true;
    case mavlink::SysStatus::kId: outbox.send(system_status(view)); return true;
    case mavlink::GpsRawInt::kId: outbox.send(gps(view)); return true;
    case mavlink::Attitude::kId: outbox.send(attitude(view)); return true;
    case mavlink::LocalPositionNed::kId: outbox.send(local_position(view)); return true;
    case mavlink::GlobalPositionInt::kId: outbox.send(global_position(view)); return true;
    case mavlink::MissionCurrent::kId: outbox.send(mission_current(view)); return true;
    case mavlink::VfrHud::kId: outbox.send(head_up(view)); return true;
    case mavlink::BatteryStatus::kId:
      for (int i = 0; i < vehicle_.pack_count; ++i) {
        const BatteryStatus& pack = view.input.battery[i];
        if (pack.connected) outbox.send(battery_message(pack, static_cast<std::size_t>(i)));
      }
      return true;
    case mavlink::AutopilotVersion::kId: outbox.send(version()); return true;
    case mavlink::HomePosition::kId:
      if (view.home_W_m) outbox.send(home_position(view));
      return true;
    case mavlink::ExtendedSysState::kId: outbox.send(extended_state(view)); return true;
    default: return false;
  }
}

mavlink::Heartbeat StationTelemetry::heartbeat(const StationView& view) const {
  // MAV_MODE_FLAG: custom mode, and what PX4 adds for a mode that flies by itself.
  constexpr std::uint8_t kCustom = 1, kAuto = 4, kGuided = 8, kStabilised = 16, kArmed = 128;
  enum State : std::uint8_t { kStandby = 3, kActive = 4, kCritical = 5, kEmergency = 6 };
  mavlink::Heartbeat message;
  message.type = vehicle_.type;
  message.autopilot = kPx4;
  message.mavlink_version = kProtocol;
  message.base_mode = kCustom | kAuto | kGuided | kStabilised;
  if (view.status.armed) message.base_mode |= kArmed;
  message.custom_mode = px4_custom_mode(view.mode);
  message.system_status = view.status.armed ? kActive : kStandby;
  if (view.status.failsafe != Failsafe::kNone) message.system_status = kCritical;
  if (view.status.failsafe == Failsafe::kCrashed) message.system_status = kEmergency;
  return message;
}

mavlink::SysStatus StationTelemetry::system_status(const StationView& view) const {
  // MAV_SYS_STATUS_SENSOR: gyroscope, accelerometer, compass, barometer; GPS; control of attitude,
  // yaw, height, place and motors; attitude estimate; battery; checks before arming.
  constexpr std::uint32_t kMotion = 0x1 | 0x2 | 0x4 | 0x8 | 0x200000;
  constexpr std::uint32_t kPlace = 0x20 | 0x4000, kHeight = 0x2000, kBattery = 0x2000000;
  constexpr std::uint32_t kControl = 0x800 | 0x1000 | 0x8000, kReady = 0x10000000;
  const Estimate& estimate = view.input.estimate;
  double current_a = 0.0;
  double remaining = 1.0;
  bool connected = true;
  for (int i = 0; i < vehicle_.pack_count; ++i) {
    const BatteryStatus& pack = view.input.battery[i];
    connected = connected && pack.connected;
    current_a += pack.current_a;
    remaining = math::min(remaining, pack.remaining);
  }
  mavlink::SysStatus message;
  std::uint32_t here = kMotion | kPlace | kHeight | kControl | kReady;
  if (vehicle_.pack_count > 0) here |= kBattery;
  message.onboard_control_sensors_present = message.onboard_control_sensors_enabled = here;
  if (!estimate.attitude_valid) here &= ~(kMotion | kReady);
  if (!estimate.horizontal_valid) here &= ~(kPlace | kReady);
  if (!estimate.vertical_valid) here &= ~(kHeight | kReady);
  if (!connected) here &= ~(kBattery | kReady);
  message.onboard_control_sensors_health = here;
  if (vehicle_.pack_count == 0) {
    message.voltage_battery = 65535;  // not known, as below
    message.current_battery = -1;
    message.battery_remaining = -1;
    return message;
  }
  message.voltage_battery = nearest<std::uint16_t>(view.input.battery[0].voltage_v * 1e3);
  message.current_battery = nearest<std::int16_t>(current_a * 1e2);
  message.battery_remaining = nearest<std::int8_t>(remaining * 1e2, 0.0, 100.0);
  return message;
}

Geodetic StationTelemetry::place_of(Vec3 place_W_m) const {
  Geodetic place = ned_to_geodetic(frame_, {place_W_m.x, place_W_m.y, 0.0});
  place.alt_m = altitude_msl_m(place_W_m);
  return place;
}

/// The estimate in the form of a receiver: ground stations check for a fix before they fly.
mavlink::GpsRawInt StationTelemetry::gps(const StationView& view) const {
  constexpr std::uint8_t kNoFix = 1, kFix = 3, kUnknownCount = 255;
  constexpr std::uint16_t kUnknown = 65535;
  const Estimate& estimate = view.input.estimate;
  const Geodetic place = place_of(estimate.position_W_m);
  const Vec3 v = estimate.velocity_W_m_s;
  mavlink::GpsRawInt message;
  message.time_usec = view.input.now.us;
  message.fix_type = knows_place(estimate) ? kFix : kNoFix;
  message.lat = degrees_1e7(place.lat_deg);
  message.lon = degrees_1e7(place.lon_deg);
  message.alt = millimetres(place.alt_m);
  message.eph = message.epv = kUnknown;
  message.vel = nearest<std::uint16_t>(math::hypot(v.x, v.y) * 1e2, 0.0, kUnknownSpeed - 1.0);
  message.cog = kUnknown;
  message.satellites_visible = kUnknownCount;
  return message;
}

mavlink::GlobalPositionInt StationTelemetry::global_position(const StationView& view) const {
  const Estimate& estimate = view.input.estimate;
  const Geodetic place = place_of(estimate.position_W_m);
  const double home_down_m = view.home_W_m ? view.home_W_m->z : estimate.position_W_m.z;
  mavlink::GlobalPositionInt message;
  message.time_boot_ms = boot_ms(view);
  message.lat = degrees_1e7(place.lat_deg);
  message.lon = degrees_1e7(place.lon_deg);
  message.alt = millimetres(place.alt_m);
  message.relative_alt = millimetres(home_down_m - estimate.position_W_m.z);
  message.vx = centimetres_s(estimate.velocity_W_m_s.x);
  message.vy = centimetres_s(estimate.velocity_W_m_s.y);
  message.vz = centimetres_s(estimate.velocity_W_m_s.z);
  message.hdg = nearest<std::uint16_t>(heading_deg(estimate) * 1e2, 0.0, 35999.0);
  return message;
}

mavlink::VfrHud StationTelemetry::head_up(const StationView& view) const {
  const Estimate& estimate = view.input.estimate;
  const Vec3 v = estimate.velocity_W_m_s;
  mavlink::VfrHud message;
  message.groundspeed = message.airspeed = static_cast<float>(math::hypot(v.x, v.y));
  message.heading = nearest<std::int16_t>(heading_deg(estimate), 0.0, 359.0);
  message.throttle = nearest<std::uint16_t>(view.status.thrust_setpoint * 1e2, 0.0, 100.0);
  message.alt = static_cast<float>(altitude_msl_m(estimate.position_W_m));
  message.climb = static_cast<float>(-v.z);
  return message;
}

mavlink::HomePosition StationTelemetry::home_position(const StationView& view) const {
  const Vec3 home = *view.home_W_m;
  const Geodetic place = place_of(home);
  mavlink::HomePosition message;
  message.latitude = degrees_1e7(place.lat_deg);
  message.longitude = degrees_1e7(place.lon_deg);
  message.altitude = millimetres(place.alt_m);
  message.x = static_cast<float>(home.x);
  message.y = static_cast<float>(home.y);
  message.z = static_cast<float>(home.z);
  message.q[0] = 1.0F;
  message.time_usec = view.input.now.us;
  return message;
}

void StationTelemetry::send_text(Severity severity, std::string_view text, Outbox& outbox) {
  text = text.substr(0, kMostParts * kTextPart - 1);
  mavlink::Statustext message;
  message.severity = static_cast<std::uint8_t>(severity);
  // The last part is not full: that is how it is known. A text in one part needs no number.
  if (text.size() >= kTextPart) message.id = ++texts_ == 0 ? ++texts_ : texts_;
  for (std::size_t at = 0; at <= text.size(); at += kTextPart) {
    mavlink::set_text(message.text, text.substr(at, kTextPart));
    outbox.send(message);
    ++message.chunk_seq;
  }
}

}  // namespace tactus
