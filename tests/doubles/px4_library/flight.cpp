// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The flight of the double: waypoints, return and land; position and attitude control; mixing.

#include <algorithm>
#include <cmath>

#include "tests/doubles/px4_library/px4.h"

namespace px4_double {
namespace {

void set_target(Px4& px4, const Item& item, const LocalPosition& at) {
  constexpr double kMetresPerDegree = 6371000.0 * M_PI / 180.0;
  px4.target[0] = static_cast<float>((item.lat - at.ref_lat) * kMetresPerDegree);
  px4.target[1] = static_cast<float>((item.lon - at.ref_lon) * kMetresPerDegree *
                                     std::cos(at.ref_lat * M_PI / 180.0));
  px4.target[2] = -item.alt;
}

void fly_mission(Px4& px4, const LocalPosition& at, bool landed) {
  MissionResult& result = px4.mission;
  if (result.seq_current >= px4.items.size()) return;
  const Item& item = px4.items[result.seq_current];
  set_target(px4, item, at);
  const double distance = std::hypot(px4.target[0] - at.x, px4.target[1] - at.y);
  bool reached = distance < item.acceptance_m && std::abs(px4.target[2] - at.z) < 0.8;
  if (item.command == 21) {
    px4.target[2] = at.z + 0.7F;
    reached = landed;
  }
  if (!reached) px4.hold_since = px4.last_time;
  if (!reached || px4.last_time - px4.hold_since < static_cast<std::uint64_t>(item.hold_s * 1e6F)) {
    return;
  }
  px4.hold_since = px4.last_time;
  result.seq_reached = result.seq_current;
  if (result.seq_current + 1U < px4.items.size()) {
    ++result.seq_current;
  } else {
    result.finished = 1;
  }
}

void mix(Px4& px4, float roll, float pitch, float yaw, float thrust) {
  const int count = static_cast<int>(px4.params["CA_ROTOR_COUNT"]);
  std::vector<float> motors(12, NAN);
  for (int i = 0; i < std::min(count, 12); ++i) {
    const std::string rotor = "CA_ROTOR" + std::to_string(i) + "_";
    const auto side = [&](const char* part) {
      const double value = px4.params[rotor + part];
      return value > 1e-6 ? 1.0F : (value < -1e-6 ? -1.0F : 0.0F);
    };
    const float sum = thrust - side("PY") * roll + side("PX") * pitch + side("KM") * yaw;
    motors[static_cast<std::size_t>(i)] = std::clamp(sum, 0.001F, 1.0F);
  }
  const unsigned broken = number("nan", 99);
  if (broken < 12) motors[broken] = NAN;
  publish(px4, "actuator_motors", 16, motors);
  if (option("servos") == "1") publish(px4, "actuator_servos", 16, {0.25F, NAN, 1.5F, -1.5F});
}

}  // namespace

void navigate(Px4& px4, const LocalPosition& at) {
  const unsigned char nav_state = byte_of(px4, "vehicle_status", 46);
  const bool landed = byte_of(px4, "vehicle_land_detected", 11) != 0;
  if (nav_state != px4.nav_state) {
    px4.nav_state = nav_state;
    px4.hold_since = px4.last_time;
    px4.target[0] = at.x;
    px4.target[1] = at.y;
    px4.target[2] = nav_state == 17 ? at.z - 2.5F : at.z;
    px4.returned = false;
    if (nav_state == 3) px4.mission.finished = 0;
  }
  if (nav_state == 3) fly_mission(px4, at, landed);
  if (nav_state == 5) {
    px4.target[0] = px4.target[1] = 0.0F;
    px4.returned = px4.returned || std::hypot(at.x, at.y) < 0.5F;
  }
  if (nav_state == 18 || (nav_state == 5 && px4.returned)) px4.target[2] = at.z + 0.7F;
  px4.mission.timestamp = px4.last_time;
  px4.mission.seq_total = static_cast<std::uint16_t>(px4.items.size());
  px4.mission.valid = !px4.items.empty() && option("mission") != "reject" ? 1 : 0;
  if (!px4.items.empty() && px4.mission.valid == 0) {
    std::printf("WARN  [navigator] Mission rejected: the double was told to\n");
  }
  const int i = find_topic("mission_result");
  px4.latest[i].resize(sizeof(MissionResult));
  std::memcpy(px4.latest[i].data(), &px4.mission, sizeof(MissionResult));
  ++px4.generation[i];
}

void control_position(Px4& px4, const LocalPosition& at) {
  constexpr float kGravity = 9.81F;
  Demand& d = px4.demand;
  float velocity[3];
  float acceleration[3];
  const float position[3] = {at.x, at.y, at.z};
  const float speed[3] = {at.vx, at.vy, at.vz};
  const float limit[3] = {3.0F, 3.0F, 1.5F};
  for (int i = 0; i < 3; ++i) {
    velocity[i] = std::clamp(0.9F * (px4.target[i] - position[i]), -limit[i], limit[i]);
    acceleration[i] = std::clamp(2.0F * (velocity[i] - speed[i]), -3.0F, 3.0F);
  }
  const float c = std::cos(at.heading);
  const float s = std::sin(at.heading);
  d.pitch = -std::atan((c * acceleration[0] + s * acceleration[1]) / kGravity);
  d.roll = std::atan((c * acceleration[1] - s * acceleration[0]) / kGravity);
  const auto hover = static_cast<float>(px4.params["MPC_THR_HOVER"]);
  d.thrust = hover * (1.0F - acceleration[2] / kGravity) / (std::cos(d.roll) * std::cos(d.pitch));
  publish(px4, "trajectory_setpoint", 8,
          {px4.target[0], px4.target[1], px4.target[2], velocity[0], velocity[1], velocity[2],
           acceleration[0], acceleration[1], acceleration[2], 0, 0, 0, 0, 0});
  const float level = std::cos(d.roll / 2) * std::cos(d.pitch / 2);
  publish(px4, "vehicle_attitude_setpoint", 12,
          {level, std::sin(d.roll / 2), std::sin(d.pitch / 2), 0, 0, 0, -d.thrust});
}

void control_attitude(Px4& px4, const LocalPosition& at) {
  const auto attitude = read<Attitude>(px4, "vehicle_attitude");
  const auto rate = read<AngularVelocity>(px4, "vehicle_angular_velocity");
  const bool flies = px4.nav_state != 0 && byte_of(px4, "vehicle_control_mode", 8) != 0;
  const bool landed = byte_of(px4, "vehicle_land_detected", 11) != 0;
  const Demand& d = px4.demand;
  const bool contact = byte_of(px4, "vehicle_land_detected", 9) != 0;
  const bool up = px4.target[2] < at.z - 0.3F || !landed;
  // Less and less thrust on the ground, until it is told that it has landed.
  if (flies && up && contact && px4.target[2] > at.z) return mix(px4, 0, 0, 0, 0.12F);
  if (!flies || !up) return mix(px4, 0, 0, 0, 0.001F);
  const float* q = attitude.q;
  const float roll =
      std::atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
  const float pitch = std::asin(std::clamp(2 * (q[0] * q[2] - q[3] * q[1]), -1.0F, 1.0F));
  const float wanted[3] = {6 * (d.roll - roll), 6 * (d.pitch - pitch), -at.heading};
  float torque[3];
  for (int i = 0; i < 3; ++i) torque[i] = (i == 2 ? 0.1F : 0.04F) * (wanted[i] - rate.xyz[i]);
  publish(px4, "vehicle_rates_setpoint", 8, {wanted[0], wanted[1], wanted[2], 0, 0, -d.thrust});
  mix(px4, torque[0], torque[1], torque[2], d.thrust);
}

}  // namespace px4_double
