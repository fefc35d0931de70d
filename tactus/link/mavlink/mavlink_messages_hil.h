// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data, see mavlink_messages.h. Simulated instruments and actuators
// (hardware-in-the-loop).

#include <cstdint>

#include "tactus/core/fields.h"

namespace tactus::mavlink {

struct HilActuatorControls {
  static constexpr std::uint32_t kId = 93;
  static constexpr const char* kName = "HIL_ACTUATOR_CONTROLS";

  std::uint64_t time_usec = 0;
  float controls[16] = {};
  std::uint8_t mode = 0;
  std::uint64_t flags = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("controls", "", self.controls);
    visit("mode", "", self.mode);
    visit("flags", "", self.flags);
  }
};
static_assert(lists_every_field<HilActuatorControls>());

struct HilSensor {
  static constexpr std::uint32_t kId = 107;
  static constexpr const char* kName = "HIL_SENSOR";
  static constexpr int kBaseFields = 15;
  // Groups of fields_updated. PX4 ignores one that is not complete.
  static constexpr std::uint32_t kAccelerometer = 0x0007;
  static constexpr std::uint32_t kGyroscope = 0x0038;
  static constexpr std::uint32_t kMagnetometer = 0x01C0;
  static constexpr std::uint32_t kPressure = 0x0200;
  static constexpr std::uint32_t kDifferentialPressure = 0x0400;
  static constexpr std::uint32_t kPressureAltitude = 0x0800;
  static constexpr std::uint32_t kTemperature = 0x1000;
  static constexpr std::uint32_t kBarometer = kPressure | kPressureAltitude | kTemperature;

  std::uint64_t time_usec = 0;
  float xacc = 0;
  float yacc = 0;
  float zacc = 0;
  float xgyro = 0;
  float ygyro = 0;
  float zgyro = 0;
  float xmag = 0;
  float ymag = 0;
  float zmag = 0;
  float abs_pressure = 0;
  float diff_pressure = 0;
  float pressure_alt = 0;
  float temperature = 0;
  std::uint32_t fields_updated = 0;
  std::uint8_t id = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("xacc", "m/s/s", self.xacc);
    visit("yacc", "m/s/s", self.yacc);
    visit("zacc", "m/s/s", self.zacc);
    visit("xgyro", "rad/s", self.xgyro);
    visit("ygyro", "rad/s", self.ygyro);
    visit("zgyro", "rad/s", self.zgyro);
    visit("xmag", "gauss", self.xmag);
    visit("ymag", "gauss", self.ymag);
    visit("zmag", "gauss", self.zmag);
    visit("abs_pressure", "hPa", self.abs_pressure);
    visit("diff_pressure", "hPa", self.diff_pressure);
    visit("pressure_alt", "", self.pressure_alt);
    visit("temperature", "degC", self.temperature);
    visit("fields_updated", "", self.fields_updated);
    visit("id", "", self.id);
  }
};
static_assert(lists_every_field<HilSensor>());

struct HilGps {
  static constexpr std::uint32_t kId = 113;
  static constexpr const char* kName = "HIL_GPS";
  static constexpr int kBaseFields = 13;

  std::uint64_t time_usec = 0;
  std::uint8_t fix_type = 0;
  std::int32_t lat = 0;
  std::int32_t lon = 0;
  std::int32_t alt = 0;
  std::uint16_t eph = 0;
  std::uint16_t epv = 0;
  std::uint16_t vel = 0;
  std::int16_t vn = 0;
  std::int16_t ve = 0;
  std::int16_t vd = 0;
  std::uint16_t cog = 0;
  std::uint8_t satellites_visible = 0;
  std::uint8_t id = 0;
  std::uint16_t yaw = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("fix_type", "", self.fix_type);
    visit("lat", "degE7", self.lat);
    visit("lon", "degE7", self.lon);
    visit("alt", "mm", self.alt);
    visit("eph", "", self.eph);
    visit("epv", "", self.epv);
    visit("vel", "cm/s", self.vel);
    visit("vn", "cm/s", self.vn);
    visit("ve", "cm/s", self.ve);
    visit("vd", "cm/s", self.vd);
    visit("cog", "cdeg", self.cog);
    visit("satellites_visible", "", self.satellites_visible);
    visit("id", "", self.id);
    visit("yaw", "cdeg", self.yaw);
  }
};
static_assert(lists_every_field<HilGps>());

struct HilOpticalFlow {
  static constexpr std::uint32_t kId = 114;
  static constexpr const char* kName = "HIL_OPTICAL_FLOW";

  std::uint64_t time_usec = 0;
  std::uint8_t sensor_id = 0;
  std::uint32_t integration_time_us = 0;
  float integrated_x = 0;
  float integrated_y = 0;
  float integrated_xgyro = 0;
  float integrated_ygyro = 0;
  float integrated_zgyro = 0;
  std::int16_t temperature = 0;
  std::uint8_t quality = 0;
  std::uint32_t time_delta_distance_us = 0;
  float distance = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("sensor_id", "", self.sensor_id);
    visit("integration_time_us", "us", self.integration_time_us);
    visit("integrated_x", "rad", self.integrated_x);
    visit("integrated_y", "rad", self.integrated_y);
    visit("integrated_xgyro", "rad", self.integrated_xgyro);
    visit("integrated_ygyro", "rad", self.integrated_ygyro);
    visit("integrated_zgyro", "rad", self.integrated_zgyro);
    visit("temperature", "cdegC", self.temperature);
    visit("quality", "", self.quality);
    visit("time_delta_distance_us", "us", self.time_delta_distance_us);
    visit("distance", "m", self.distance);
  }
};
static_assert(lists_every_field<HilOpticalFlow>());

struct HilStateQuaternion {
  static constexpr std::uint32_t kId = 115;
  static constexpr const char* kName = "HIL_STATE_QUATERNION";

  std::uint64_t time_usec = 0;
  float attitude_quaternion[4] = {};
  float rollspeed = 0;
  float pitchspeed = 0;
  float yawspeed = 0;
  std::int32_t lat = 0;
  std::int32_t lon = 0;
  std::int32_t alt = 0;
  std::int16_t vx = 0;
  std::int16_t vy = 0;
  std::int16_t vz = 0;
  std::uint16_t ind_airspeed = 0;
  std::uint16_t true_airspeed = 0;
  std::int16_t xacc = 0;
  std::int16_t yacc = 0;
  std::int16_t zacc = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("attitude_quaternion", "", self.attitude_quaternion);
    visit("rollspeed", "rad/s", self.rollspeed);
    visit("pitchspeed", "rad/s", self.pitchspeed);
    visit("yawspeed", "rad/s", self.yawspeed);
    visit("lat", "degE7", self.lat);
    visit("lon", "degE7", self.lon);
    visit("alt", "mm", self.alt);
    visit("vx", "cm/s", self.vx);
    visit("vy", "cm/s", self.vy);
    visit("vz", "cm/s", self.vz);
    visit("ind_airspeed", "cm/s", self.ind_airspeed);
    visit("true_airspeed", "cm/s", self.true_airspeed);
    visit("xacc", "mG", self.xacc);
    visit("yacc", "mG", self.yacc);
    visit("zacc", "mG", self.zacc);
  }
};
static_assert(lists_every_field<HilStateQuaternion>());

}  // namespace tactus::mavlink
