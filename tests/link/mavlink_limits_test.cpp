// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Every field of the HIL messages that has a rule is refused, by name and value, with NaN, infinity
// and what lies beyond its limits, and only if it is used.

#include "tactus/link/mavlink/mavlink_limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace tactus::mavlink {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

HilSensor good(const HilSensor& /*kind*/) {
  HilSensor message;
  message.fields_updated = 0x1FFF;
  message.zacc = -9.8F;
  return message;
}
HilGps good(const HilGps& /*kind*/) { return {}; }
HilStateQuaternion good(const HilStateQuaternion& /*kind*/) {
  HilStateQuaternion message;
  message.attitude_quaternion[0] = 1.0F;
  return message;
}

/// The message with `value` in the field (the second of an array), if its type can hold it.
template <class M>
bool put(const char* field, double value, M& message) {
  bool fits = false;
  M::visit_fields(message, [&](const char* name, const char*, auto& member) {
    if (std::string(name) != field) return;
    const auto set = [&](auto& number) {
      using Number = std::remove_cvref_t<decltype(number)>;
      fits = std::is_floating_point_v<Number> ||
             (value >= static_cast<double>(std::numeric_limits<Number>::min()) &&
              value <= static_cast<double>(std::numeric_limits<Number>::max()));
      if (fits) number = static_cast<Number>(value);
    };
    if constexpr (std::is_array_v<std::remove_cvref_t<decltype(member)>>) {
      set(member[1]);
    } else {
      set(member);
    }
  });
  return fits;
}

/// False: no such value fits the field.
template <class M>
bool expect_refused(const FieldRule& rule, double value) {
  M message = good(M{});
  if (!put(rule.field, value, message)) return false;
  const std::string wrong = wrong_value(message);
  EXPECT_TRUE(wrong.starts_with(std::string(M::kName) + "." + rule.field + " = ")) << wrong;
  EXPECT_NE(wrong.find(": must be "), wrong.npos) << wrong;
  return true;
}

template <class M>
class MavlinkLimits : public ::testing::Test {};
using Messages = ::testing::Types<HilSensor, HilGps, HilStateQuaternion>;
TYPED_TEST_SUITE(MavlinkLimits, Messages);

TYPED_TEST(MavlinkLimits, EveryRuleRefusesByNameAndValue) {
  EXPECT_EQ(wrong_value(good(TypeParam{})), "");
  int checked = 0;
  for (const FieldRule& rule : rules_of(TypeParam{})) {
    if (!rule.checked) continue;
    ++checked;
    int refused = 0;
    const double beyond = std::fmax(1.0, 1e-3 * (rule.limits.most - rule.limits.least));
    for (const double value : {rule.limits.most + beyond, rule.limits.least - beyond, 1e30, -1e30,
                               2147483647.0, -2147483648.0, 18446744073709549568.0}) {
      if (!rule.limits.holds(value) && expect_refused<TypeParam>(rule, value)) ++refused;
    }
    TypeParam real = good(TypeParam{});
    if (put(rule.field, 0.5, real) && put(rule.field, 1e30, real)) {  // no integer holds the second
      for (const float value : {kNan, kInfinity, -kInfinity}) {
        if (expect_refused<TypeParam>(rule, static_cast<double>(value))) ++refused;
      }
    }
    EXPECT_GE(refused, 1) << rule.field << ": nothing that it can hold is refused";
  }
  EXPECT_GE(checked, 4);
}

TYPED_TEST(MavlinkLimits, TheLimitsThemselvesAreFine) {
  for (const FieldRule& rule : rules_of(TypeParam{})) {
    if (!rule.checked || std::string(rule.field) == "attitude_quaternion") continue;
    for (const double value : {rule.limits.least, rule.limits.most}) {
      TypeParam message = good(TypeParam{});
      // Of single precision the next one within.
      const auto single = static_cast<float>(value);
      const bool real = put(rule.field, 1e30, message);
      put(rule.field, real ? static_cast<double>(std::nextafter(single, 0.0F)) : value, message);
      EXPECT_EQ(wrong_value(message), "");
    }
  }
}

TEST(MavlinkLimits, WhatIsNotUpdatedIsNotLookedAt) {
  HilSensor message = good(HilSensor{});
  message.xmag = message.diff_pressure = kNan;
  message.fields_updated = HilSensor::kAccelerometer | HilSensor::kGyroscope;
  EXPECT_EQ(wrong_value(message), "");
  message.fields_updated |= HilSensor::kMagnetometer;
  EXPECT_EQ(wrong_value(message), "HIL_SENSOR.xmag = nan: must be -100 to 100 gauss");
}

TEST(MavlinkLimits, ValuesAreReportedAsTheyAreOnTheWire) {
  HilGps gps;
  gps.lat = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(wrong_value(gps), "HIL_GPS.lat = 2147483647: must be -900000000 to 900000000 degE7");
  HilSensor sensor = good(HilSensor{});
  sensor.time_usec = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(wrong_value(sensor),
            "HIL_SENSOR.time_usec = 18446744073709551615: must be 0 to 1e+16 us");
}

TEST(MavlinkLimits, AQuaternionHasTheLengthOne) {
  for (const float w : {0.0F, 0.5F, -0.8F}) {
    HilStateQuaternion state;
    state.attitude_quaternion[0] = w;
    EXPECT_NE(wrong_value(state).find("attitude_quaternion, its length = "), std::string::npos);
  }
  HilStateQuaternion twice;
  for (float& part : twice.attitude_quaternion) part = 1.0F;
  EXPECT_NE(wrong_value(twice), "");
  HilStateQuaternion rounded;
  rounded.attitude_quaternion[3] = -0.99F;
  EXPECT_EQ(wrong_value(rounded), "");
}

// NaN is PX4's word for an output that is off.
TEST(MavlinkLimits, ControlsOfPx4) {
  HilActuatorControls controls;
  controls.controls[0] = kNan;
  controls.controls[1] = -1.0F;
  controls.controls[2] = 1.0000001F;
  controls.controls[4] = 1e30F;  // no motor
  EXPECT_EQ(wrong_value(controls, 4), "");
  for (const float bad : {1e30F, 2.0F, -1.5F, kInfinity, -kInfinity}) {
    controls.controls[3] = bad;
    const std::string wrong = wrong_value(controls, 4);
    EXPECT_TRUE(wrong.starts_with("HIL_ACTUATOR_CONTROLS.controls[3] = ")) << wrong;
  }
}

}  // namespace
}  // namespace tactus::mavlink
