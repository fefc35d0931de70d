// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/hil_readings.h"

namespace tactus {
namespace {

using Hil = mavlink::HilSensor;

constexpr double kPaPerHpa = 100.0;
constexpr std::uint16_t kUnknownAccuracy = 65535;

bool has(std::uint32_t fields, std::uint32_t group) { return (fields & group) == group; }

Vec3 vec3(float x, float y, float z) {
  return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
}

}  // namespace

void take_reading(const mavlink::HilSensor& sensor, TimeUs at, SensorFrame& frame) {
  const std::uint32_t fields = sensor.fields_updated;
  if (sensor.id < kMaxImus) {
    ImuReading& imu = frame.imu[sensor.id];
    if (has(fields, Hil::kAccelerometer)) {
      imu.specific_force_B_m_s2 = vec3(sensor.xacc, sensor.yacc, sensor.zacc);
      imu.measured_at = at;
      ++imu.force_count;
    }
    if (has(fields, Hil::kGyroscope)) {
      imu.rate_B_rad_s = vec3(sensor.xgyro, sensor.ygyro, sensor.zgyro);
      imu.measured_at = at;
      ++imu.rate_count;
    }
  }
  if (sensor.id < kMaxMagnetometers && has(fields, Hil::kMagnetometer)) {
    MagnetometerReading& field = frame.magnetometer[sensor.id];
    field = {at, field.count + 1, vec3(sensor.xmag, sensor.ymag, sensor.zmag)};
  }
  if (sensor.id < kMaxBarometers && has(fields, Hil::kPressure)) {
    BarometerReading& air = frame.barometer[sensor.id];
    air.measured_at = at;
    ++air.count;
    air.pressure_pa = kPaPerHpa * static_cast<double>(sensor.abs_pressure);
    if (has(fields, Hil::kPressureAltitude)) {
      air.altitude_m = static_cast<double>(sensor.pressure_alt);
    }
    if (has(fields, Hil::kTemperature)) air.temperature_c = static_cast<double>(sensor.temperature);
  }
  if (sensor.id == 0 && has(fields, Hil::kDifferentialPressure)) {
    AirspeedReading& speed = frame.airspeed[0];
    speed.measured_at = at;
    ++speed.count;
    speed.differential_pressure_pa = kPaPerHpa * static_cast<double>(sensor.diff_pressure);
  }
}

void take_reading(const mavlink::HilGps& gps, TimeUs at, SensorFrame& frame) {
  if (gps.id >= kMaxGps) return;
  GpsReading& reading = frame.gps[gps.id];
  reading.measured_at = at;
  ++reading.count;
  reading.fix = gps.fix_type >= 3 ? GpsFix::k3d : gps.fix_type == 2 ? GpsFix::k2d : GpsFix::kNone;
  reading.satellites = gps.satellites_visible;
  reading.latitude_deg = 1e-7 * gps.lat;
  reading.longitude_deg = 1e-7 * gps.lon;
  reading.altitude_msl_m = 1e-3 * gps.alt;
  reading.velocity_W_m_s = {0.01 * gps.vn, 0.01 * gps.ve, 0.01 * gps.vd};
  // PX4 and those that simulate for it put accuracies here, in centimetres.
  if (gps.eph != kUnknownAccuracy) reading.horizontal_accuracy_m = 0.01 * gps.eph;
  if (gps.epv != kUnknownAccuracy) reading.vertical_accuracy_m = 0.01 * gps.epv;
}

Quat attitude_of(const mavlink::HilStateQuaternion& state) {
  const float(&q)[4] = state.attitude_quaternion;
  return {static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
          static_cast<double>(q[3])};
}

Vec3 rate_of(const mavlink::HilStateQuaternion& state) {
  return vec3(state.rollspeed, state.pitchspeed, state.yawspeed);
}

Vec3 velocity_of(const mavlink::HilStateQuaternion& state) {
  return {0.01 * state.vx, 0.01 * state.vy, 0.01 * state.vz};
}

}  // namespace tactus
