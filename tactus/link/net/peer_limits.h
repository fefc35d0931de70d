// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a number that another program sends may be. The limits are so wide that no working simulator
// meets them: what lies beyond, or is NaN, is a defect of the sender and is refused where it comes
// in, by name and value. docs/bridge_adapters.md has the table.

#include <string>
#include <string_view>

namespace tactus {

struct ValueLimits {
  double least = 0.0;
  double most = 0.0;
  const char* unit = "";

  /// Neither NaN nor infinity is.
  [[nodiscard]] constexpr bool holds(double value) const { return value >= least && value <= most; }
  [[nodiscard]] constexpr ValueLimits in(const char* other_unit, double per_unit) const {
    return {least * per_unit, most * per_unit, other_unit};
  }
};

/// From −most to most.
constexpr ValueLimits within(double most, const char* unit) { return {-most, most, unit}; }

inline constexpr ValueLimits kStampLimits = within(1e10, "s");  // three centuries
inline constexpr ValueLimits kRateLimits = within(1e4, "rad/s");
inline constexpr ValueLimits kForceLimits = within(1e5, "m/s2");
inline constexpr ValueLimits kSpeedLimits = within(1e5, "m/s");
inline constexpr ValueLimits kPositionLimits = within(1e7, "m");
inline constexpr ValueLimits kAltitudeLimits = within(1e6, "m");
inline constexpr ValueLimits kLatitudeLimits = within(90.0, "deg");
inline constexpr ValueLimits kLongitudeLimits = within(180.0, "deg");
inline constexpr ValueLimits kAngleLimits = within(1e4, "rad");  // headings may wind up
inline constexpr ValueLimits kMagneticLimits = within(100.0, "gauss");
inline constexpr ValueLimits kPressureLimits{0.0, 1e4, "hPa"};
inline constexpr ValueLimits kDifferentialPressureLimits = within(1e3, "hPa");
inline constexpr ValueLimits kTemperatureLimits{-273.15, 1e4, "degC"};
inline constexpr ValueLimits kDistanceLimits{0.0, 1e6, "m"};
inline constexpr ValueLimits kVoltageLimits{-1.0, 1e4, "V"};  // with noise about 0
inline constexpr ValueLimits kCurrentLimits = within(1e6, "A");
inline constexpr ValueLimits kPulseLimits{0.0, 3000.0, "us"};  // 0: no signal
inline constexpr ValueLimits kQuaternionLimits = within(1.1, "");
/// Length of a quaternion that is normalised; it should be 1.
inline constexpr ValueLimits kQuaternionLength{0.9, 1.1, ""};

/// "HIL_SENSOR.xacc = nan: must be -100000 to 100000 m/s2"
std::string wrong_value_text(std::string_view field, std::string_view value,
                             const ValueLimits& limits);

}  // namespace tactus
