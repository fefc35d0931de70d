// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A quadrotor of a page for flights with the PX4 library, real or double: 1.5 kg, hovers at half
// drive, rotors follow with 20 ms, Euler steps of 1 ms. It knows everything it needs and shares
// nothing with the plant of Tactus.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/link/px4/px4_library.h"

namespace tactus::testing {

struct BenchQuad {
  static constexpr double kMass_kg = 1.5;
  static constexpr double kGravity_m_s2 = 9.81;
  static constexpr double kRotorX_m[4] = {0.1515, -0.1515, 0.1515, -0.1515};
  static constexpr double kRotorY_m[4] = {0.2450, -0.1875, -0.2450, 0.1875};
  static constexpr double kMoment_m[4] = {0.05, 0.05, -0.05, -0.05};

  Vec3 position_m;
  Vec3 velocity_m_s;
  Quat attitude;
  Vec3 rate_rad_s;
  Vec3 acceleration_m_s2;
  Vec3 angular_acceleration_rad_s2;
  double drive[4] = {};
  bool on_ground = true;

  void advance(const double (&command)[kMaxMotors], int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) step(command);
  }

 private:
  void step(const double (&command)[kMaxMotors]) {
    constexpr double kDt = 1e-3;
    double thrust_n = 0.0;
    Vec3 torque;
    for (int i = 0; i < 4; ++i) {
      drive[i] += (command[i] - drive[i]) * kDt / 0.02;
      const double t = drive[i] * kMass_kg * kGravity_m_s2 / 2.0;
      thrust_n += t;
      torque = torque + Vec3{-kRotorY_m[i] * t, kRotorX_m[i] * t, kMoment_m[i] * t};
    }
    const Vec3 up = rotate(attitude, {0.0, 0.0, -thrust_n / kMass_kg});
    acceleration_m_s2 = up + Vec3{0.0, 0.0, kGravity_m_s2};
    const Vec3 w = rate_rad_s;
    const Vec3 h{0.029125 * w.x, 0.029125 * w.y, 0.055225 * w.z};
    const Vec3 sum = torque - cross(w, h);
    angular_acceleration_rad_s2 = {sum.x / 0.029125, sum.y / 0.029125, sum.z / 0.055225};
    if (position_m.z >= 0.0 && (velocity_m_s.z > 0.0 || acceleration_m_s2.z >= 0.0)) {
      stand();
      return;
    }
    on_ground = false;
    position_m = position_m + kDt * velocity_m_s;
    velocity_m_s = velocity_m_s + kDt * acceleration_m_s2;
    attitude = normalized(attitude + kDt * quaternion_rate(attitude, rate_rad_s));
    rate_rad_s = rate_rad_s + kDt * angular_acceleration_rad_s2;
  }

  void stand() {
    on_ground = true;
    position_m.z = 0.0;
    velocity_m_s = acceleration_m_s2 = rate_rad_s = angular_acceleration_rad_s2 = {};
    const double half = yaw_of(attitude) / 2.0;
    attitude = {math::cos(half), 0.0, 0.0, math::sin(half)};
  }
};

inline std::vector<EmittedParameter> bench_parameters() {
  std::vector<EmittedParameter> list{
      {.name = "CA_AIRFRAME", .value = 0.0, .integer = true, .why = ""},
      {.name = "CA_ROTOR_COUNT", .value = 4.0, .integer = true, .why = ""}};
  for (int i = 0; i < 4; ++i) {
    const std::string rotor = "CA_ROTOR" + std::to_string(i) + "_";
    list.push_back({.name = rotor + "PX", .value = BenchQuad::kRotorX_m[i], .why = ""});
    list.push_back({.name = rotor + "PY", .value = BenchQuad::kRotorY_m[i], .why = ""});
    list.push_back({.name = rotor + "KM", .value = BenchQuad::kMoment_m[i], .why = ""});
  }
  return list;
}

/// The eight items of the flight that was recorded with the real library; `yaw` is their heading.
inline std::string simple_mission_text(const std::string& yaw = "0") {
  const struct {
    const char* head;
    const char* place;
  } items[] = {{"0 1 3 22 0 0", "47.397742 8.545594 12"}, {"1 0 3 16 2 2", "47.397842 8.545694 12"},
               {"2 0 3 16 2 2", "47.397842 8.545494 12"}, {"3 0 3 16 2 2", "47.397642 8.545494 12"},
               {"4 0 3 16 2 2", "47.397642 8.545694 12"}, {"5 0 3 16 4 2", "47.397742 8.545594 12"},
               {"6 0 3 16 2 2", "47.397742 8.545594 6"},  {"7 0 3 21 0 0", "47.397742 8.545594 0"}};
  std::string text = "QGC WPL 110\n";
  for (const auto& item : items) {
    text += std::string(item.head) + " 0 " + yaw + " " + item.place + " 1\n";
  }
  return text;
}

/// The vehicle, its autopilot and what the bus would hold.
class Px4LibraryBench {
 public:
  struct Row {
    std::uint64_t time_us = 0;
    double motor[4] = {};
    bool operator==(const Row&) const = default;
  };
  static constexpr int kPeriod_ms = 4;

  static Px4LibraryFlight flight() {
    Px4LibraryFlight flight;
    flight.parameters = bench_parameters();
    flight.motor_count = 4;
    flight.period = DurationUs(1000 * kPeriod_ms);
    return flight;
  }

  explicit Px4LibraryBench(Px4LibraryParameters parameters, const std::string& mission = {})
      : Px4LibraryBench(std::move(parameters), mission, flight()) {}
  Px4LibraryBench(Px4LibraryParameters parameters, const std::string& mission,
                  Px4LibraryFlight flight)
      : autopilot_(std::move(parameters), with_mission(std::move(flight), mission)) {}

  /// One tick at `now_us`, then the vehicle moves on by a period.
  void tick() {
    sense();
    autopilot_.step({TimeUs(now_us), estimate, land, order, parameter, battery, esc_, imu_, mag_,
                     baro_, gps_, airspeed_, range_, nullptr},
                    output);
    Row row{.time_us = now_us};
    std::copy(output.command.motor, output.command.motor + 4, row.motor);
    rows.push_back(row);
    const auto reached = static_cast<std::size_t>(output.status.items_reached);
    if (item_times_s.size() < reached) item_times_s.resize(reached, now_s());
    quad.advance(output.command.motor, kPeriod_ms);
    now_us += 1000u * kPeriod_ms;
  }

  void fly_until(double seconds) {
    while (now_s() < seconds - 1e-9) tick();
  }

  void send_order(bool armed, FlightMode mode) { order = {armed, mode, order.count + 1}; }

  /// Arms at 1 s, starts the mission at 2 s, as in the recorded flight.
  void fly_mission(double seconds) {
    fly_until(1.0);
    send_order(true, FlightMode::kNone);
    fly_until(2.0);
    send_order(true, FlightMode::kMission);
    fly_until(seconds);
  }

  [[nodiscard]] double now_s() const { return static_cast<double>(now_us) * 1e-6; }
  Px4Library& autopilot() { return autopilot_; }

  BenchQuad quad;
  bool estimate_moves = true;  ///< false: the test sets estimate and land itself
  Estimate estimate;
  LandStatus land;
  HighLevelCommand order;
  ParameterChange parameter;
  BatteryStatus battery[kMaxPacks];
  AutopilotOutput output;
  std::uint64_t now_us = 0;
  std::vector<Row> rows;
  std::vector<double> item_times_s;  ///< when each item was reached
  double landed_at_s = -1.0;

 private:
  static Px4LibraryFlight with_mission(Px4LibraryFlight flight, const std::string& mission) {
    if (!mission.empty()) flight.mission = parse_mission(mission, "test.waypoints");
    return flight;
  }

  void sense() {
    if (!estimate_moves) return;
    const double* const motor = output.command.motor;
    const double mean = (motor[0] + motor[1] + motor[2] + motor[3]) / 4.0;
    const bool was_landed = land.landed;
    land.ground_contact = quad.on_ground;
    land.landed = quad.on_ground && mean < 0.234;
    if (land.landed && !was_landed) landed_at_s = now_s();
    estimate.position_W_m = quad.position_m;
    estimate.velocity_W_m_s = quad.velocity_m_s;
    estimate.attitude = quad.attitude;
    estimate.rate_B_rad_s = quad.rate_rad_s;
    estimate.acceleration_W_m_s2 = quad.acceleration_m_s2;
    estimate.angular_acceleration_B_rad_s2 = quad.angular_acceleration_rad_s2;
    estimate.measured_at = TimeUs(now_us);
  }

  EscStatus esc_[kMaxMotors];
  ImuReading imu_[kMaxImus];
  MagnetometerReading mag_[kMaxMagnetometers];
  BarometerReading baro_[kMaxBarometers];
  GpsReading gps_[kMaxGps];
  AirspeedReading airspeed_[kMaxAirspeeds];
  RangeReading range_[kMaxRangeFinders];
  Px4Library autopilot_;
};

inline std::string px4_double(const std::string& name = "double_px4_library.so") {
  const char* const folder = std::getenv("TACTUS_DOUBLES");
  return std::string(folder == nullptr ? "." : folder) + "/" + name;
}

/// Path of the real library, empty without it.
inline std::string real_px4_library() {
  const char* const path = std::getenv("TACTUS_PX4_LOCKSTEP_LIB");
  return path == nullptr ? "" : path;
}

}  // namespace tactus::testing
