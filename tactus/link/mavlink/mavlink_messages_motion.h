// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data, see mavlink_messages.h. Where it is and where it wants to be:
// instruments, estimate, setpoints.

#include <cstdint>

#include "tactus/core/fields.h"

namespace tactus::mavlink {

struct GpsRawInt {
  static constexpr std::uint32_t kId = 24;
  static constexpr const char* kName = "GPS_RAW_INT";
  static constexpr int kBaseFields = 10;

  std::uint64_t time_usec = 0;
  std::uint8_t fix_type = 0;
  std::int32_t lat = 0;
  std::int32_t lon = 0;
  std::int32_t alt = 0;
  std::uint16_t eph = 0;
  std::uint16_t epv = 0;
  std::uint16_t vel = 0;
  std::uint16_t cog = 0;
  std::uint8_t satellites_visible = 0;
  std::int32_t alt_ellipsoid = 0;
  std::uint32_t h_acc = 0;
  std::uint32_t v_acc = 0;
  std::uint32_t vel_acc = 0;
  std::uint32_t hdg_acc = 0;
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
    visit("cog", "cdeg", self.cog);
    visit("satellites_visible", "", self.satellites_visible);
    visit("alt_ellipsoid", "mm", self.alt_ellipsoid);
    visit("h_acc", "mm", self.h_acc);
    visit("v_acc", "mm", self.v_acc);
    visit("vel_acc", "mm/s", self.vel_acc);
    visit("hdg_acc", "degE5", self.hdg_acc);
    visit("yaw", "cdeg", self.yaw);
  }
};
static_assert(lists_every_field<GpsRawInt>());

struct Attitude {
  static constexpr std::uint32_t kId = 30;
  static constexpr const char* kName = "ATTITUDE";

  std::uint32_t time_boot_ms = 0;
  float roll = 0;
  float pitch = 0;
  float yaw = 0;
  float rollspeed = 0;
  float pitchspeed = 0;
  float yawspeed = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("roll", "rad", self.roll);
    visit("pitch", "rad", self.pitch);
    visit("yaw", "rad", self.yaw);
    visit("rollspeed", "rad/s", self.rollspeed);
    visit("pitchspeed", "rad/s", self.pitchspeed);
    visit("yawspeed", "rad/s", self.yawspeed);
  }
};
static_assert(lists_every_field<Attitude>());

struct AttitudeQuaternion {
  static constexpr std::uint32_t kId = 31;
  static constexpr const char* kName = "ATTITUDE_QUATERNION";
  static constexpr int kBaseFields = 8;

  std::uint32_t time_boot_ms = 0;
  float q1 = 0;
  float q2 = 0;
  float q3 = 0;
  float q4 = 0;
  float rollspeed = 0;
  float pitchspeed = 0;
  float yawspeed = 0;
  float repr_offset_q[4] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("q1", "", self.q1);
    visit("q2", "", self.q2);
    visit("q3", "", self.q3);
    visit("q4", "", self.q4);
    visit("rollspeed", "rad/s", self.rollspeed);
    visit("pitchspeed", "rad/s", self.pitchspeed);
    visit("yawspeed", "rad/s", self.yawspeed);
    visit("repr_offset_q", "", self.repr_offset_q);
  }
};
static_assert(lists_every_field<AttitudeQuaternion>());

struct LocalPositionNed {
  static constexpr std::uint32_t kId = 32;
  static constexpr const char* kName = "LOCAL_POSITION_NED";

  std::uint32_t time_boot_ms = 0;
  float x = 0;
  float y = 0;
  float z = 0;
  float vx = 0;
  float vy = 0;
  float vz = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("x", "m", self.x);
    visit("y", "m", self.y);
    visit("z", "m", self.z);
    visit("vx", "m/s", self.vx);
    visit("vy", "m/s", self.vy);
    visit("vz", "m/s", self.vz);
  }
};
static_assert(lists_every_field<LocalPositionNed>());

struct GlobalPositionInt {
  static constexpr std::uint32_t kId = 33;
  static constexpr const char* kName = "GLOBAL_POSITION_INT";

  std::uint32_t time_boot_ms = 0;
  std::int32_t lat = 0;
  std::int32_t lon = 0;
  std::int32_t alt = 0;
  std::int32_t relative_alt = 0;
  std::int16_t vx = 0;
  std::int16_t vy = 0;
  std::int16_t vz = 0;
  std::uint16_t hdg = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("lat", "degE7", self.lat);
    visit("lon", "degE7", self.lon);
    visit("alt", "mm", self.alt);
    visit("relative_alt", "mm", self.relative_alt);
    visit("vx", "cm/s", self.vx);
    visit("vy", "cm/s", self.vy);
    visit("vz", "cm/s", self.vz);
    visit("hdg", "cdeg", self.hdg);
  }
};
static_assert(lists_every_field<GlobalPositionInt>());

struct VfrHud {
  static constexpr std::uint32_t kId = 74;
  static constexpr const char* kName = "VFR_HUD";

  float airspeed = 0;
  float groundspeed = 0;
  std::int16_t heading = 0;
  std::uint16_t throttle = 0;
  float alt = 0;
  float climb = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("airspeed", "m/s", self.airspeed);
    visit("groundspeed", "m/s", self.groundspeed);
    visit("heading", "deg", self.heading);
    visit("throttle", "%", self.throttle);
    visit("alt", "m", self.alt);
    visit("climb", "m/s", self.climb);
  }
};
static_assert(lists_every_field<VfrHud>());

struct AttitudeTarget {
  static constexpr std::uint32_t kId = 83;
  static constexpr const char* kName = "ATTITUDE_TARGET";

  std::uint32_t time_boot_ms = 0;
  std::uint8_t type_mask = 0;
  float q[4] = {};
  float body_roll_rate = 0;
  float body_pitch_rate = 0;
  float body_yaw_rate = 0;
  float thrust = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("type_mask", "", self.type_mask);
    visit("q", "", self.q);
    visit("body_roll_rate", "rad/s", self.body_roll_rate);
    visit("body_pitch_rate", "rad/s", self.body_pitch_rate);
    visit("body_yaw_rate", "rad/s", self.body_yaw_rate);
    visit("thrust", "", self.thrust);
  }
};
static_assert(lists_every_field<AttitudeTarget>());

struct PositionTargetLocalNed {
  static constexpr std::uint32_t kId = 85;
  static constexpr const char* kName = "POSITION_TARGET_LOCAL_NED";

  std::uint32_t time_boot_ms = 0;
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  float x = 0;
  float y = 0;
  float z = 0;
  float vx = 0;
  float vy = 0;
  float vz = 0;
  float afx = 0;
  float afy = 0;
  float afz = 0;
  float yaw = 0;
  float yaw_rate = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("coordinate_frame", "", self.coordinate_frame);
    visit("type_mask", "", self.type_mask);
    visit("x", "m", self.x);
    visit("y", "m", self.y);
    visit("z", "m", self.z);
    visit("vx", "m/s", self.vx);
    visit("vy", "m/s", self.vy);
    visit("vz", "m/s", self.vz);
    visit("afx", "m/s/s", self.afx);
    visit("afy", "m/s/s", self.afy);
    visit("afz", "m/s/s", self.afz);
    visit("yaw", "rad", self.yaw);
    visit("yaw_rate", "rad/s", self.yaw_rate);
  }
};
static_assert(lists_every_field<PositionTargetLocalNed>());

struct DistanceSensor {
  static constexpr std::uint32_t kId = 132;
  static constexpr const char* kName = "DISTANCE_SENSOR";
  static constexpr int kBaseFields = 8;

  std::uint32_t time_boot_ms = 0;
  std::uint16_t min_distance = 0;
  std::uint16_t max_distance = 0;
  std::uint16_t current_distance = 0;
  std::uint8_t type = 0;
  std::uint8_t id = 0;
  std::uint8_t orientation = 0;
  std::uint8_t covariance = 0;
  float horizontal_fov = 0;
  float vertical_fov = 0;
  float quaternion[4] = {};
  std::uint8_t signal_quality = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("min_distance", "cm", self.min_distance);
    visit("max_distance", "cm", self.max_distance);
    visit("current_distance", "cm", self.current_distance);
    visit("type", "", self.type);
    visit("id", "", self.id);
    visit("orientation", "", self.orientation);
    visit("covariance", "cm^2", self.covariance);
    visit("horizontal_fov", "rad", self.horizontal_fov);
    visit("vertical_fov", "rad", self.vertical_fov);
    visit("quaternion", "", self.quaternion);
    visit("signal_quality", "%", self.signal_quality);
  }
};
static_assert(lists_every_field<DistanceSensor>());

struct EstimatorStatus {
  static constexpr std::uint32_t kId = 230;
  static constexpr const char* kName = "ESTIMATOR_STATUS";

  std::uint64_t time_usec = 0;
  std::uint16_t flags = 0;
  float vel_ratio = 0;
  float pos_horiz_ratio = 0;
  float pos_vert_ratio = 0;
  float mag_ratio = 0;
  float hagl_ratio = 0;
  float tas_ratio = 0;
  float pos_horiz_accuracy = 0;
  float pos_vert_accuracy = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_usec", "us", self.time_usec);
    visit("flags", "", self.flags);
    visit("vel_ratio", "", self.vel_ratio);
    visit("pos_horiz_ratio", "", self.pos_horiz_ratio);
    visit("pos_vert_ratio", "", self.pos_vert_ratio);
    visit("mag_ratio", "", self.mag_ratio);
    visit("hagl_ratio", "", self.hagl_ratio);
    visit("tas_ratio", "", self.tas_ratio);
    visit("pos_horiz_accuracy", "m", self.pos_horiz_accuracy);
    visit("pos_vert_accuracy", "m", self.pos_vert_accuracy);
  }
};
static_assert(lists_every_field<EstimatorStatus>());

struct HomePosition {
  static constexpr std::uint32_t kId = 242;
  static constexpr const char* kName = "HOME_POSITION";
  static constexpr int kBaseFields = 10;

  std::int32_t latitude = 0;
  std::int32_t longitude = 0;
  std::int32_t altitude = 0;
  float x = 0;
  float y = 0;
  float z = 0;
  float q[4] = {};
  float approach_x = 0;
  float approach_y = 0;
  float approach_z = 0;
  std::uint64_t time_usec = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("latitude", "degE7", self.latitude);
    visit("longitude", "degE7", self.longitude);
    visit("altitude", "mm", self.altitude);
    visit("x", "m", self.x);
    visit("y", "m", self.y);
    visit("z", "m", self.z);
    visit("q", "", self.q);
    visit("approach_x", "m", self.approach_x);
    visit("approach_y", "m", self.approach_y);
    visit("approach_z", "m", self.approach_z);
    visit("time_usec", "us", self.time_usec);
  }
};
static_assert(lists_every_field<HomePosition>());

}  // namespace tactus::mavlink
