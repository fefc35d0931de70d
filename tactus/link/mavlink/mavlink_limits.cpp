// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_limits.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus::mavlink {
namespace {

using Hil = HilSensor;

constexpr ValueLimits kStamp{0.0, kStampLimits.most * 1e6, "us"};
constexpr ValueLimits kLatitude = kLatitudeLimits.in("degE7", 1e7);
constexpr ValueLimits kLongitude = kLongitudeLimits.in("degE7", 1e7);
constexpr ValueLimits kAltitude = kAltitudeLimits.in("mm", 1e3);
constexpr ValueLimits kFix{0.0, 8.0, ""};       // GPS_FIX_TYPE
constexpr ValueLimits kControl{-1.0, 1.0, ""};  // for motors: below 0 is off
constexpr double kControlRounding = 1e-3;

constexpr FieldRule kSensorRules[] = {
    {"time_usec", true, kStamp},
    {"xacc", true, kForceLimits, Hil::kAccelerometer},
    {"yacc", true, kForceLimits, Hil::kAccelerometer},
    {"zacc", true, kForceLimits, Hil::kAccelerometer},
    {"xgyro", true, kRateLimits, Hil::kGyroscope},
    {"ygyro", true, kRateLimits, Hil::kGyroscope},
    {"zgyro", true, kRateLimits, Hil::kGyroscope},
    {"xmag", true, kMagneticLimits, Hil::kMagnetometer},
    {"ymag", true, kMagneticLimits, Hil::kMagnetometer},
    {"zmag", true, kMagneticLimits, Hil::kMagnetometer},
    {"abs_pressure", true, kPressureLimits, Hil::kPressure},
    {"diff_pressure", true, kDifferentialPressureLimits, Hil::kDifferentialPressure},
    {"pressure_alt", true, kAltitudeLimits, Hil::kPressureAltitude},
    {"temperature", true, kTemperatureLimits, Hil::kTemperature},
    {"fields_updated"},
    {"id"},
};

constexpr FieldRule kGpsRules[] = {
    {"time_usec", true, kStamp},
    {"fix_type", true, kFix},
    {"lat", true, kLatitude},
    {"lon", true, kLongitude},
    {"alt", true, kAltitude},
    {"eph"},
    {"epv"},
    {"vel"},
    {"vn"},
    {"ve"},
    {"vd"},
    {"cog"},
    {"satellites_visible"},
    {"id"},
    {"yaw"},
};

constexpr FieldRule kStateRules[] = {
    {"time_usec", true, kStamp},
    {"attitude_quaternion", true, kQuaternionLimits},
    {"rollspeed", true, kRateLimits},
    {"pitchspeed", true, kRateLimits},
    {"yawspeed", true, kRateLimits},
    {"lat", true, kLatitude},
    {"lon", true, kLongitude},
    {"alt", true, kAltitude},
    {"vx"},
    {"vy"},
    {"vz"},
    {"ind_airspeed"},
    {"true_airspeed"},
    {"xacc"},
    {"yacc"},
    {"zacc"},
};

/// A rule for each field, in the order of the message.
template <class M>
constexpr bool match(std::span<const FieldRule> rules) {
  std::size_t i = 0;
  bool all = true;
  M message;
  M::visit_fields(message, [&](const char* name, const char*, const auto&) {
    all = all && i < rules.size() && std::string_view(rules[i].field) == name;
    ++i;
  });
  return all && i == rules.size();
}
static_assert(match<HilSensor>(kSensorRules));
static_assert(match<HilGps>(kGpsRules));
static_assert(match<HilStateQuaternion>(kStateRules));

template <class M, class Number>
std::string text(const char* field, Number value, const ValueLimits& limits) {
  return wrong_value_text(fmt::format("{}.{}", M::kName, field), fmt::format("{}", value), limits);
}

/// `updated`: bits of fields_updated.
template <class M>
std::string first_wrong(const M& message, std::uint32_t updated) {
  std::string wrong;
  const FieldRule* rule = rules_of(message).data();
  M::visit_fields(message, [&](const char* field, const char*, const auto& member) {
    const FieldRule& here = *rule++;
    if (!here.checked || (updated & here.updated) != here.updated) return;
    const auto check = [&](auto value) {
      if (!wrong.empty() || here.limits.holds(static_cast<double>(value))) return;
      wrong = text<M>(field, value, here.limits);
    };
    if constexpr (std::is_array_v<std::remove_cvref_t<decltype(member)>>) {
      for (const auto value : member) check(value);
    } else {
      check(member);
    }
  });
  return wrong;
}

}  // namespace

std::span<const FieldRule> rules_of(const HilSensor& /*message*/) { return kSensorRules; }
std::span<const FieldRule> rules_of(const HilGps& /*message*/) { return kGpsRules; }
std::span<const FieldRule> rules_of(const HilStateQuaternion& /*message*/) { return kStateRules; }

std::string wrong_value(const HilSensor& message) {
  return first_wrong(message, message.fields_updated);
}

std::string wrong_value(const HilGps& message) { return first_wrong(message, 0); }

std::string wrong_value(const HilStateQuaternion& message) {
  std::string wrong = first_wrong(message, 0);
  if (!wrong.empty()) return wrong;
  const float(&q)[4] = message.attitude_quaternion;
  const double length = norm(Quat{q[0], q[1], q[2], q[3]});
  if (kQuaternionLength.holds(length)) return wrong;
  return text<HilStateQuaternion>("attitude_quaternion, its length", length, kQuaternionLength);
}

std::string wrong_value(const HilActuatorControls& message, int motor_count) {
  for (int i = 0; i < motor_count; ++i) {
    const float value = message.controls[i];
    if (math::is_nan(value) || math::abs(double{value}) <= 1.0 + kControlRounding) continue;
    return text<HilActuatorControls>(fmt::format("controls[{}]", i).c_str(), value, kControl) +
           ", or NaN (off)";
  }
  return "";
}

}  // namespace tactus::mavlink
