// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

/// In the order in which PX4 gets them. geofence_status is left out: the library publishes it.
constexpr const char* kPublished[] = {"battery_status",           "vehicle_attitude",
                                      "vehicle_local_position",   "vehicle_global_position",
                                      "vehicle_angular_velocity", "vehicle_land_detected",
                                      "vehicle_status",           "vehicle_control_mode",
                                      "actuator_armed",           "home_position"};
constexpr const char* kSubscribed[] = {
    "actuator_motors",        "actuator_servos",     "vehicle_attitude_setpoint",
    "vehicle_rates_setpoint", "trajectory_setpoint", "mission_result",
    "vehicle_command"};

struct InRow {
  const char* topic;
  const char* field;
  int element;
  Px4In value;
};

using In = Px4In;
constexpr InRow kInRows[] = {
    {"vehicle_attitude", "q", 0, In::kQw},
    {"vehicle_attitude", "q", 1, In::kQx},
    {"vehicle_attitude", "q", 2, In::kQy},
    {"vehicle_attitude", "q", 3, In::kQz},
    {"vehicle_local_position", "x", 0, In::kNorth},
    {"vehicle_local_position", "y", 0, In::kEast},
    {"vehicle_local_position", "z", 0, In::kDown},
    {"vehicle_local_position", "vx", 0, In::kVelocityNorth},
    {"vehicle_local_position", "vy", 0, In::kVelocityEast},
    {"vehicle_local_position", "vz", 0, In::kVelocityDown},
    {"vehicle_local_position", "z_deriv", 0, In::kVelocityDown},
    {"vehicle_local_position", "ax", 0, In::kAccelerationNorth},
    {"vehicle_local_position", "ay", 0, In::kAccelerationEast},
    {"vehicle_local_position", "az", 0, In::kAccelerationDown},
    {"vehicle_local_position", "heading", 0, In::kHeading},
    {"vehicle_local_position", "xy_valid", 0, In::kHorizontalValid},
    {"vehicle_local_position", "v_xy_valid", 0, In::kHorizontalValid},
    {"vehicle_local_position", "xy_global", 0, In::kHorizontalValid},
    {"vehicle_local_position", "z_valid", 0, In::kVerticalValid},
    {"vehicle_local_position", "v_z_valid", 0, In::kVerticalValid},
    {"vehicle_local_position", "z_global", 0, In::kVerticalValid},
    {"vehicle_local_position", "heading_good_for_control", 0, In::kAttitudeValid},
    {"vehicle_local_position", "ref_lat", 0, In::kReferenceLatitude},
    {"vehicle_local_position", "ref_lon", 0, In::kReferenceLongitude},
    {"vehicle_local_position", "ref_alt", 0, In::kReferenceAltitude},
    {"vehicle_local_position", "ref_timestamp", 0, In::kReferenceTime},
    {"vehicle_global_position", "lat", 0, In::kLatitude},
    {"vehicle_global_position", "lon", 0, In::kLongitude},
    {"vehicle_global_position", "alt", 0, In::kAltitude},
    {"vehicle_global_position", "alt_ellipsoid", 0, In::kAltitude},
    {"vehicle_global_position", "lat_lon_valid", 0, In::kHorizontalValid},
    {"vehicle_global_position", "alt_valid", 0, In::kVerticalValid},
    {"vehicle_angular_velocity", "xyz", 0, In::kRateX},
    {"vehicle_angular_velocity", "xyz", 1, In::kRateY},
    {"vehicle_angular_velocity", "xyz", 2, In::kRateZ},
    {"vehicle_angular_velocity", "xyz_derivative", 0, In::kAngularAccelerationX},
    {"vehicle_angular_velocity", "xyz_derivative", 1, In::kAngularAccelerationY},
    {"vehicle_angular_velocity", "xyz_derivative", 2, In::kAngularAccelerationZ},
    {"vehicle_land_detected", "ground_contact", 0, In::kGroundContact},
    {"vehicle_land_detected", "maybe_landed", 0, In::kLanded},
    {"vehicle_land_detected", "landed", 0, In::kLanded},
    {"vehicle_land_detected", "at_rest", 0, In::kLanded},
    {"vehicle_status", "arming_state", 0, In::kArmingState},
    {"vehicle_status", "nav_state", 0, In::kNavState},
    {"vehicle_status", "nav_state_user_intention", 0, In::kNavState},
    {"vehicle_status", "failsafe", 0, In::kFailsafe},
    {"vehicle_control_mode", "flag_armed", 0, In::kArmed},
    {"vehicle_control_mode", "flag_multicopter_position_control_enabled", 0, In::kAuto},
    {"vehicle_control_mode", "flag_control_manual_enabled", 0, In::kManual},
    {"vehicle_control_mode", "flag_control_auto_enabled", 0, In::kAuto},
    {"vehicle_control_mode", "flag_control_position_enabled", 0, In::kPositionControl},
    {"vehicle_control_mode", "flag_control_velocity_enabled", 0, In::kPositionControl},
    {"vehicle_control_mode", "flag_control_altitude_enabled", 0, In::kAuto},
    {"vehicle_control_mode", "flag_control_climb_rate_enabled", 0, In::kAuto},
    {"battery_status", "voltage_v", 0, In::kVoltage},
    {"battery_status", "current_a", 0, In::kCurrent},
    {"battery_status", "remaining", 0, In::kRemaining},
    {"battery_status", "connected", 0, In::kConnected},
    {"battery_status", "warning", 0, In::kWarning},
    {"actuator_armed", "armed", 0, In::kArmed},
    {"actuator_armed", "prearmed", 0, In::kArmed},
    {"home_position", "lat", 0, In::kHomeLatitude},
    {"home_position", "lon", 0, In::kHomeLongitude},
    {"home_position", "alt", 0, In::kHomeAltitude},
    {"home_position", "x", 0, In::kHomeNorth},
    {"home_position", "y", 0, In::kHomeEast},
    {"home_position", "z", 0, In::kHomeDown},
    {"home_position", "yaw", 0, In::kHomeYaw},
};

struct ConstantRow {
  const char* topic;
  const char* field;
  double value;
  bool required;
};

constexpr double kNan = math::canonical_nan();
constexpr ConstantRow kConstantRows[] = {
    // NaN: no limit. A 0 would forbid every motion. Which of the last there are depends on PX4.
    {"vehicle_local_position", "vxy_max", kNan, true},
    {"vehicle_local_position", "vz_max", kNan, true},
    {"vehicle_local_position", "hagl_min", kNan, true},
    {"vehicle_local_position", "hagl_max", kNan, false},
    {"vehicle_local_position", "hagl_max_z", kNan, false},
    {"vehicle_local_position", "hagl_max_xy", kNan, false},
    {"vehicle_local_position", "unaided_heading", kNan, false},
    {"vehicle_local_position", "eph", 0.5, true},
    {"vehicle_local_position", "epv", 0.5, true},
    {"vehicle_local_position", "evh", 0.1, true},
    {"vehicle_local_position", "evv", 0.1, true},
    {"vehicle_global_position", "eph", 0.5, true},
    {"vehicle_global_position", "epv", 0.5, true},
    {"vehicle_status", "vehicle_type", 1.0, true},  // multicopter: without it nothing is controlled
    {"vehicle_status", "system_type", 2.0, true},
    {"vehicle_status", "system_id", 1.0, true},
    {"vehicle_status", "component_id", 1.0, true},
    {"vehicle_status", "pre_flight_checks_pass", 1.0, false},
    {"vehicle_control_mode", "flag_control_attitude_enabled", 1.0, true},
    {"vehicle_control_mode", "flag_control_rates_enabled", 1.0, true},
    {"vehicle_control_mode", "flag_control_allocation_enabled", 1.0, true},
    {"battery_status", "id", 1.0, true},
    {"actuator_armed", "ready_to_arm", 1.0, true},
    {"home_position", "valid_alt", 1.0, true},
    {"home_position", "valid_hpos", 1.0, true},
    {"home_position", "valid_lpos", 1.0, true},
    {"home_position", "update_count", 1.0, true},
};

struct OutRow {
  const char* topic;
  const char* field;
  int elements;  ///< of an array, from the first on; at most
  Px4Out value;
};

int elements_of(const OutRow& row, const Px4Exchange& exchange) {
  if (row.value == Px4Out::kMotor0) return exchange.motors;
  if (row.value == Px4Out::kServo0) return exchange.servos;
  return row.elements;
}

using Out = Px4Out;
constexpr OutRow kOutRows[] = {
    {"actuator_motors", "control", kMaxMotors, Out::kMotor0},
    {"actuator_servos", "control", kMaxServos, Out::kServo0},
    {"vehicle_attitude_setpoint", "q_d", 4, Out::kQw},
    {"vehicle_rates_setpoint", "roll", 1, Out::kRateX},
    {"vehicle_rates_setpoint", "pitch", 1, Out::kRateY},
    {"vehicle_rates_setpoint", "yaw", 1, Out::kRateZ},
    {"trajectory_setpoint", "position", 3, Out::kNorth},
    {"trajectory_setpoint", "velocity", 3, Out::kVelocityNorth},
    {"trajectory_setpoint", "acceleration", 3, Out::kAccelerationNorth},
    {"trajectory_setpoint", "yaw", 1, Out::kYaw},
    {"trajectory_setpoint", "yawspeed", 1, Out::kYawRate},
    {"mission_result", "seq_reached", 1, Out::kMissionReached},
    {"mission_result", "seq_current", 1, Out::kMissionCurrent},
    {"mission_result", "seq_total", 1, Out::kMissionTotal},
    {"mission_result", "valid", 1, Out::kMissionValid},
    {"mission_result", "finished", 1, Out::kMissionFinished},
    {"vehicle_command", "command", 1, Out::kCommand},
};

/// From one message to the next. Flight modes run when PX4 receives a position, which is therefore
/// when position control runs: it would not read what they publish in between. The battery is
/// measured about as often in PX4 too. Attitude control publishes a setpoint of its own only in
/// manual modes without control of position or height, and PX4 never receives such a mode: manual
/// comes with them (Px4Library::publish_status). Whatever else there is may come at every step.
std::uint64_t steps_between(std::string_view topic, const Px4Exchange& exchange) {
  if (topic == "mission_result" || topic == "vehicle_command") return exchange.navigator_steps;
  constexpr std::string_view kWithPositionControl[] = {
      "vehicle_local_position", "vehicle_global_position", "battery_status", "trajectory_setpoint",
      "vehicle_attitude_setpoint"};
  const bool with_it = std::find(std::begin(kWithPositionControl), std::end(kWithPositionControl),
                                 topic) != std::end(kWithPositionControl);
  return with_it ? exchange.position_steps : 1;
}

bool is_due(std::uint64_t every, std::uint64_t step) { return every <= 1 || step % every == 0; }

[[noreturn]] void fail_call(const Px4Handle& handle, const char* call, std::string_view topic,
                            int result) {
  throw Error(ExitCode::kPeer, fmt::format("{}: px4_lockstep_{} of topic {} returned {}",
                                           handle.path(), call, topic, result));
}

UorbSlot required_slot(const UorbLayout& layout, const UorbCatalog& catalog, const char* topic,
                       const char* field, int element) {
  const UorbSlot slot = slot_of(layout, field, element);
  if (slot.present) return slot;
  throw Error(ExitCode::kPeer,
              fmt::format("topic {} ({}) has no field {}[{}], which Tactus needs: this version of "
                          "PX4 is not supported",
                          topic, catalog.origin(topic), field, element));
}

}  // namespace

void Px4Topics::check(const Px4Handle& handle, const UorbCatalog& catalog, const std::string& topic,
                      const UorbLayout& layout) {
  const char* fields = nullptr;
  std::uint32_t size = 0;
  std::uint32_t size_no_padding = 0;
  std::uint32_t hash = 0;
  std::uint8_t queue = 0;
  const int result = handle.call().orb_topic_metadata(handle.get(), topic.c_str(), &fields, &size,
                                                      &size_no_padding, &hash, &queue);
  constexpr int kNoFieldText = -3;  // all else is filled in
  if (result != 0 && result != kNoFieldText) {
    fail_call(handle, "orb_topic_metadata", topic, result);
  }
  if (size == layout.size && size_no_padding == layout.size_no_padding && hash == layout.hash) {
    return;
  }
  throw Error(
      ExitCode::kPeer,
      fmt::format(
          "topic {}: the definition of {} does not fit {}: hash expected 0x{:08x}, actual "
          "0x{:08x}; size expected {} ({} without padding), actual {} ({}): the library was "
          "built from another version of PX4; name the folder \"msg\" of that version as "
          "\"messages\"",
          topic, catalog.origin(topic), handle.path(), layout.hash, hash, layout.size,
          layout.size_no_padding, size, size_no_padding));
}

Px4Topics::Px4Topics(const Px4Handle& handle, const UorbCatalog& catalog,
                     const Px4Exchange& exchange)
    : exchange_(exchange) {
  std::fill(std::begin(out_), std::end(out_), math::canonical_nan());
  published_.reserve(std::size(kPublished));
  for (const char* const name : kPublished) add_publisher(handle, catalog, name);
  subscribed_.reserve(std::size(kSubscribed));
  for (const char* const name : kSubscribed) add_subscriber(handle, catalog, name);
}

void Px4Topics::add_row(const UorbSlot& slot, std::size_t index, Topic& topic) {
  (slot.type == UorbType::kFloat32 ? topic.floats : topic.others).push_back({slot, index});
}

void Px4Topics::add_publisher(const Px4Handle& handle, const UorbCatalog& catalog,
                              const char* name) {
  const UorbLayout layout = catalog.layout(name);
  check(handle, catalog, name, layout);
  Topic topic;
  topic.name = name;
  topic.message.resize(layout.size);
  topic.timestamp = required_slot(layout, catalog, name, "timestamp", 0);
  topic.timestamp_sample = slot_of(layout, "timestamp_sample");
  topic.of_estimate = topic.timestamp_sample.present;
  topic.every = steps_between(name, exchange_);
  for (const InRow& row : kInRows) {
    if (std::string_view(row.topic) != name) continue;
    add_row(required_slot(layout, catalog, name, row.field, row.element),
            static_cast<std::size_t>(row.value), topic);
  }
  for (const ConstantRow& row : kConstantRows) {
    if (std::string_view(row.topic) != name) continue;
    const UorbSlot slot = row.required ? required_slot(layout, catalog, name, row.field, 0)
                                       : slot_of(layout, row.field);
    write_slot(slot, row.value, topic.message);
  }
  std::int32_t instance = -1;
  std::uint32_t size = 0;
  const int result = handle.call().orb_create_publisher_ex(handle.get(), name, 0, 0, 0, &topic.id,
                                                           &instance, &size);
  if (result != 0 || size != layout.size) {
    fail_call(handle, "orb_create_publisher_ex", name, result);
  }
  published_.push_back(std::move(topic));
}

void Px4Topics::add_subscriber(const Px4Handle& handle, const UorbCatalog& catalog,
                               const char* name) {
  const UorbLayout layout = catalog.layout(name);
  check(handle, catalog, name, layout);
  Topic topic;
  topic.name = name;
  topic.is_command = std::string_view(name) == "vehicle_command";
  topic.every = steps_between(name, exchange_);
  topic.message.resize(layout.size);
  for (const OutRow& row : kOutRows) {
    if (std::string_view(row.topic) != name) continue;
    for (int i = 0; i < elements_of(row, exchange_); ++i) {
      add_row(required_slot(layout, catalog, name, row.field, i),
              static_cast<std::size_t>(row.value) + static_cast<std::size_t>(i), topic);
    }
  }
  // What attitude control asks for, not what rate control passed on: that saves a topic, and they
  // differ only where rate control runs more seldom or scales by the battery.
  if (std::string_view(name) == "vehicle_rates_setpoint") {
    add_row(required_slot(layout, catalog, name, "thrust_body", 2),
            static_cast<std::size_t>(Out::kThrustZ), topic);
  }
  if (topic.floats.empty() && topic.others.empty()) return;  // no servos
  std::uint32_t size = 0;
  const int result = handle.call().orb_create_subscriber(handle.get(), name, 0, &topic.id, &size);
  if (result != 0 || size != layout.size) {
    fail_call(handle, "orb_create_subscriber", name, result);
  }
  subscribed_.push_back(std::move(topic));
}

/// Most of the status never changes.
bool Px4Topics::take_news(Row& row) const {
  const std::uint64_t bits = math::to_bits(in_[row.index]);
  if (bits == row.sent_bits) return false;
  row.sent_bits = bits;
  return true;
}

void Px4Topics::publish(const Px4Handle& handle, std::uint64_t step, std::uint64_t now_us,
                        std::uint64_t sample_us) {
  constexpr std::uint64_t kStatusPeriod_us = 500'000;  // of PX4's commander
  for (Topic& topic : published_) {
    if (!is_due(topic.every, step)) continue;
    if (topic.of_estimate && topic.sent_sample_us == sample_us) continue;
    bool news = topic.of_estimate || now_us - topic.sent_us >= kStatusPeriod_us;
    for (Row& row : topic.floats) {
      if (!take_news(row)) continue;
      news = true;
      const auto number = static_cast<float>(in_[row.index]);
      std::memcpy(topic.message.data() + row.slot.offset, &number, sizeof(number));
    }
    for (Row& row : topic.others) {
      if (!take_news(row)) continue;
      news = true;
      write_slot(row.slot, in_[row.index], topic.message);
    }
    if (!news) continue;
    topic.sent_us = now_us;
    topic.sent_sample_us = sample_us;
    write_slot_us(topic.timestamp, now_us, topic.message);
    write_slot_us(topic.timestamp_sample, sample_us, topic.message);
    const int result =
        handle.call().orb_queue_publish(handle.get(), topic.id, topic.message.data(),
                                        static_cast<std::uint32_t>(topic.message.size()));
    if (result != 0) fail_call(handle, "orb_queue_publish", topic.name, result);
  }
}

void Px4Topics::collect(const Px4Handle& handle, std::uint64_t step,
                        std::vector<double>& commands) {
  constexpr int kMostMessages = 16;  // of a topic with a queue, in one step
  for (Topic& topic : subscribed_) {
    if (!is_due(topic.every, step)) continue;
    for (int i = 0; i < (topic.is_command ? kMostMessages : 1); ++i) {
      if (!take(handle, topic)) break;
      if (topic.is_command) commands.push_back(get(Px4Out::kCommand));
    }
  }
}

/// False if there is nothing new. A question costs PX4 as much as a copy, so it is asked only where
/// a copy would fail or repeat a command: else a copy without news is the last message again.
bool Px4Topics::take(const Px4Handle& handle, Topic& topic) {
  if (topic.asks) {
    std::int32_t updated = 0;
    const int result = handle.call().orb_check(handle.get(), topic.id, &updated);
    if (result != 0) fail_call(handle, "orb_check", topic.name, result);
    if (updated == 0) return false;
  }
  const int result = handle.call().orb_copy(handle.get(), topic.id, topic.message.data(),
                                            static_cast<std::uint32_t>(topic.message.size()));
  if (result != 0) fail_call(handle, "orb_copy", topic.name, result);
  for (const Row& row : topic.floats) {
    float number = 0.0F;
    std::memcpy(&number, topic.message.data() + row.slot.offset, sizeof(number));
    out_[row.index] = static_cast<double>(number);
  }
  for (const Row& row : topic.others) out_[row.index] = read_slot(row.slot, topic.message);
  topic.asks = topic.is_command;
  return true;
}

}  // namespace tactus
