// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What instruments say and what is wrong with them: the part of signals.h that they share. A count
// grows with every new reading, so that a reader knows. Frames and units as there.

#include <array>
#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/signal/counts.h"

namespace tactus {

/// Instruments that can fail, one by one. A gyroscope and an accelerometer make an IMU.
enum class Instrument : std::uint8_t {
  kGyroscope0,
  kGyroscope1,
  kGyroscope2,
  kAccelerometer0,
  kAccelerometer1,
  kAccelerometer2,
  kMagnetometer0,
  kMagnetometer1,
  kBarometer0,
  kBarometer1,
  kGps0,
  kGps1,
  kAirspeed,
  kRangeFinder,
  kOpticalFlow,
};

/// As events name them.
inline constexpr std::array kInstrumentNames = {
    "gyroscope0",     "gyroscope1",    "gyroscope2",    "accelerometer0", "accelerometer1",
    "accelerometer2", "magnetometer0", "magnetometer1", "barometer0",     "barometer1",
    "gps0",           "gps1",          "airspeed",      "range_finder",   "optical_flow"};
inline constexpr int kInstrumentCount = static_cast<int>(kInstrumentNames.size());

/// Instruments of one kind follow each other; a gyroscope and an accelerometer belong to each IMU.
struct InstrumentGroup {
  Instrument first;
  CountOf count;
};
inline constexpr InstrumentGroup kInstrumentGroups[] = {
    {Instrument::kGyroscope0, CountOf::kImus},
    {Instrument::kAccelerometer0, CountOf::kImus},
    {Instrument::kMagnetometer0, CountOf::kMagnetometers},
    {Instrument::kBarometer0, CountOf::kBarometers},
    {Instrument::kGps0, CountOf::kGps},
    {Instrument::kAirspeed, CountOf::kAirspeeds},
    {Instrument::kRangeFinder, CountOf::kRangeFinders},
    {Instrument::kOpticalFlow, CountOf::kOpticalFlows},
};

constexpr const InstrumentGroup& group_of(Instrument instrument) {
  const InstrumentGroup* last = kInstrumentGroups;
  for (const InstrumentGroup& group : kInstrumentGroups) {
    if (group.first <= instrument) last = &group;
  }
  return *last;
}

namespace detail {

consteval bool groups_have_room() {
  int next = 0;
  for (const InstrumentGroup& group : kInstrumentGroups) {
    if (static_cast<int>(group.first) != next) return false;
    next += most_of(group.count);
  }
  return next == kInstrumentCount;
}
static_assert(groups_have_room(), "of each kind as many as instrument_kinds.h says");

}  // namespace detail

/// Those that digests tell of: none without instruments on board.
constexpr int told_instruments(const VehicleCounts& counts) {
  if (!counts.instruments.any()) return 0;
  int told = 0;
  while (told < kInstrumentCount &&
         is_told(counts, group_of(static_cast<Instrument>(told)).count)) {
    ++told;
  }
  return told;
}

/// Bits of `InstrumentFault::mask`.
enum class InstrumentBit : std::uint8_t {
  kStuck,    ///< repeats its last value and says that it is new
  kDropout,  ///< no new reading
  kGarbage,  ///< random values over its whole range
  kNoFix,    ///< a GPS receiver sees no satellites
};
constexpr std::uint32_t instrument_bit(InstrumentBit which) {
  return std::uint32_t{1} << static_cast<unsigned>(which);
}

/// Condition of one instrument.
struct InstrumentFault {
  std::uint32_t mask = 0;
  Vec3 bias;                   ///< added, in the unit of the reading; one number: x
  double noise_scale = 1.0;    ///< factor on its noise
  std::uint32_t delay_us = 0;  ///< readings arrive this much later
  std::uint32_t every = 1;     ///< only every n-th reading arrives

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("mask", "", self.mask, "bits: stuck, dropout, garbage, no fix");
    visit("bias", "", self.bias, "added, in the unit of the reading");
    visit("noise_scale", "1", self.noise_scale, "factor on its noise");
    visit("delay_us", "us", self.delay_us, "readings arrive this much later");
    visit("every", "", self.every, "only every n-th reading arrives");
  }
};
static_assert(lists_every_field<InstrumentFault>());

/// Mean over the interval that ends at `measured_at`: strapdown integration of these rates and
/// forces gives the true change of attitude and velocity (sensor/imu.h).
struct ImuReading {
  TimeUs measured_at;
  std::uint32_t rate_count = 0;
  std::uint32_t force_count = 0;
  Vec3 rate_B_rad_s;
  Vec3 specific_force_B_m_s2;
  double temperature_c = 25.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "end of the interval it is the mean of");
    visit("rate_count", "", self.rate_count, "readings of the gyroscope so far");
    visit("force_count", "", self.force_count, "readings of the accelerometer so far");
    visit("rate_body_rad_s", "rad/s", self.rate_B_rad_s, "angular velocity");
    visit("specific_force_body_m_s2", "m/s^2", self.specific_force_B_m_s2, "specific force");
    visit("temperature_c", "degC", self.temperature_c, "of the instrument");
  }
};
static_assert(lists_every_field<ImuReading>());

struct MagnetometerReading {
  TimeUs measured_at;
  std::uint32_t count = 0;
  Vec3 field_B_gauss;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "instant of the measurement");
    visit("count", "", self.count, "readings so far");
    visit("field_body_gauss", "gauss", self.field_B_gauss, "magnetic flux density");
  }
};
static_assert(lists_every_field<MagnetometerReading>());

struct BarometerReading {
  TimeUs measured_at;
  std::uint32_t count = 0;
  double pressure_pa = 101325.0;
  double altitude_m = 0.0;
  double temperature_c = 15.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "instant of the measurement");
    visit("count", "", self.count, "readings so far");
    visit("pressure_pa", "Pa", self.pressure_pa, "static pressure");
    visit("altitude_m", "m", self.altitude_m, "of this pressure in the standard atmosphere");
    visit("temperature_c", "degC", self.temperature_c, "of the air at the instrument");
  }
};
static_assert(lists_every_field<BarometerReading>());

enum class GpsFix : std::uint8_t { kNone = 0, k2d = 2, k3d = 3 };

struct GpsReading {
  TimeUs measured_at;  ///< the motion is that of this instant; it arrived later
  std::uint32_t count = 0;
  GpsFix fix = GpsFix::kNone;
  std::uint8_t satellites = 0;
  double latitude_deg = 0.0;
  double longitude_deg = 0.0;
  double altitude_msl_m = 0.0;
  Vec3 velocity_W_m_s;
  double horizontal_accuracy_m = 100.0;
  double vertical_accuracy_m = 100.0;
  double speed_accuracy_m_s = 10.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "instant the values belong to");
    visit("count", "", self.count, "readings so far");
    visit("fix", "", self.fix, "0 none, 2 or 3 dimensions");
    visit("satellites", "", self.satellites, "in use");
    visit("latitude_deg", "deg", self.latitude_deg, "north positive");
    visit("longitude_deg", "deg", self.longitude_deg, "east positive");
    visit("altitude_msl_m", "m", self.altitude_msl_m, "above mean sea level");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "over ground");
    visit("horizontal_accuracy_m", "m", self.horizontal_accuracy_m, "standard deviation");
    visit("vertical_accuracy_m", "m", self.vertical_accuracy_m, "standard deviation");
    visit("speed_accuracy_m_s", "m/s", self.speed_accuracy_m_s, "standard deviation");
  }
};
static_assert(lists_every_field<GpsReading>());

struct AirspeedReading {
  TimeUs measured_at;
  std::uint32_t count = 0;
  double differential_pressure_pa = 0.0;
  double temperature_c = 15.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "instant of the measurement");
    visit("count", "", self.count, "readings so far");
    visit("differential_pressure_pa", "Pa", self.differential_pressure_pa, "pitot minus static");
    visit("temperature_c", "degC", self.temperature_c, "of the air");
  }
};
static_assert(lists_every_field<AirspeedReading>());

struct RangeReading {
  TimeUs measured_at;
  std::uint32_t count = 0;
  bool in_range = false;
  double distance_m = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "instant of the measurement");
    visit("count", "", self.count, "readings so far");
    visit("in_range", "", self.in_range, "false: nothing within its limits");
    visit("distance_m", "m", self.distance_m, "to the ground along its beam");
  }
};
static_assert(lists_every_field<RangeReading>());

/// Over the interval that ends at `measured_at`, in axes and with the signs of the sensor
/// (sensor/optical_flow.h).
struct OpticalFlowReading {
  TimeUs measured_at;
  std::uint32_t count = 0;
  DurationUs integration;
  double flow_x_rad = 0.0;
  double flow_y_rad = 0.0;
  Vec3 turn_S_rad;
  double distance_m = -1.0;  ///< negative: not known
  std::uint8_t quality = 0;
  double temperature_c = 25.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("measured_at_us", "us", self.measured_at, "end of the interval");
    visit("count", "", self.count, "readings so far");
    visit("integration_us", "us", self.integration, "length of the interval; 0: there was none");
    visit("flow_x_rad", "rad", self.flow_x_rad, "about the sensor's x axis");
    visit("flow_y_rad", "rad", self.flow_y_rad, "about the sensor's y axis");
    visit("turn_sensor_rad", "rad", self.turn_S_rad, "of its gyroscope, sensor axes");
    visit("distance_m", "m", self.distance_m, "to the ground along its axis; negative: not known");
    visit("quality", "", self.quality, "0: do not use, 255: best");
    visit("temperature_c", "degC", self.temperature_c, "of the instrument");
  }
};
static_assert(lists_every_field<OpticalFlowReading>());

}  // namespace tactus
