// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/optical_flow.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr std::uint32_t kFlowChannel = 0;
constexpr std::uint32_t kGyroChannel = 1;
constexpr std::uint32_t kGyroBiasChannel = 2;
constexpr std::uint32_t kDistanceChannel = 3;
constexpr std::uint32_t kGarbageChannel = 8;
constexpr double kStep_deg = 45.0;
constexpr double kBestQuality = 255.0;
constexpr double kUnknown_m = -1.0;

/// 0 of what is no number: that is told by those who check the reading.
std::int64_t nearest_integer(double value) {
  bool ok = true;
  return math::to_int64(math::rint(value), ok);
}

int yaw_steps(const OpticalFlowParameters& p) {
  return static_cast<int>(nearest_integer(p.yaw_deg / kStep_deg));
}

/// `value`: 0 to 1.
std::uint8_t quality_of(double value) {
  const std::int64_t quality = nearest_integer(kBestQuality * math::clamp(value, 0.0, 1.0));
  return static_cast<std::uint8_t>(quality);
}

OpticalFlowSample garbage_sample(const OpticalFlowParameters& p, const RandomStream& stream,
                                 DurationUs period, std::uint64_t tick) {
  const double most_rad = p.highest_rate_rad_s * to_seconds(period);
  const auto draw = [&](std::uint32_t channel, double lowest, double highest) {
    return uniform_within(stream, tick, kGarbageChannel + channel, lowest, highest);
  };
  return {period,
          draw(0, -most_rad, most_rad),
          draw(1, -most_rad, most_rad),
          uniform_within3(stream, tick, kGarbageChannel + 2, most_rad),
          p.measures_distance ? draw(6, p.lowest_m, p.highest_m) : kUnknown_m,
          quality_of(draw(7, 0.0, 1.0))};
}

}  // namespace

void validate(const OpticalFlowParameters& p, std::string_view where) {
  require_each_within(where, "position_body_m", p.position_B_m, -100.0, 100.0);
  require_within(where, "yaw_deg", p.yaw_deg, 0.0, 315.0);
  if (math::rint(p.yaw_deg / kStep_deg) * kStep_deg != p.yaw_deg) {
    refuse(where, "yaw_deg", p.yaw_deg, "must be a multiple of 45, as PX4's SENS_FLOW_ROT is");
  }
  require_positive(where, "lowest_m", p.lowest_m);
  require_finite(where, "highest_m", p.highest_m);
  if (p.highest_m <= p.lowest_m) {
    refuse(where, "highest_m", p.highest_m,
           fmt::format("must be greater than lowest_m = {}", p.lowest_m));
  }
  require_positive(where, "highest_rate_rad_s", p.highest_rate_rad_s);
  require_within(where, "flow_scale_error", p.flow_scale_error, -0.5, 0.5);
  require_within(where, "flow_noise_rad_s_sqrthz", p.flow_noise_rad_s_sqrthz, 0.0, 10.0);
  require_within(where, "gyro_noise_rad_s_sqrthz", p.gyro_noise_rad_s_sqrthz, 0.0, 10.0);
  require_within(where, "gyro_bias_sigma_rad_s", p.gyro_bias_sigma_rad_s, 0.0, 10.0);
  require_within(where, "distance_noise_sigma_m", p.distance_noise_sigma_m, 0.0, 100.0);
  require_within(where, "temperature_c", p.temperature_c, -100.0, 200.0);
}

OpticalFlowSample measure_optical_flow(const OpticalFlowParameters& p, const RandomStream& stream,
                                       DurationUs period, const OpticalFlowInput& input,
                                       const InstrumentFault& fault, OpticalFlowState& state) {
  const std::uint64_t tick = state.line.taken;
  const double distance = distance_down_m(input.ground, p.position_B_m);
  const Quat attitude = input.ground.attitude;
  const OpticalFlowView view{attitude, input.position_W_m + rotate(attitude, p.position_B_m),
                             1.0 / math::max(distance, p.lowest_m)};
  const OpticalFlowView last = tick == 0 ? view : state.last;
  state.last = view;
  if (tick == 0) {
    state.gyro_bias_rad_s = white_noise3(stream, 0, kGyroBiasChannel, p.gyro_bias_sigma_rad_s);
  }

  const bool in_range = distance >= p.lowest_m && distance <= p.highest_m;
  OpticalFlowSample sample;
  if (in_range && p.measures_distance) {
    const double sigma_m = fault.noise_scale * p.distance_noise_sigma_m;
    sample.distance_m =
        math::max(distance + white_noise(stream, tick, kDistanceChannel, sigma_m), 0.0);
  }
  if (tick == 0) return sample;

  const double dt_s = to_seconds(period);
  const double spread = fault.noise_scale * math::sqrt(dt_s);
  const double most_rad = p.highest_rate_rad_s * dt_s;
  const OpticalFlowMotion motion = optical_flow_between(last, view, yaw_steps(p));
  const Vec3 noise = white_noise3(stream, tick, kFlowChannel, spread * p.flow_noise_rad_s_sqrthz) +
                     dt_s * fault.bias;
  const double scale = 1.0 + p.flow_scale_error;
  sample.integration = period;
  sample.flow_x_rad = saturate(scale * motion.flow_x_rad + noise.x, most_rad);
  sample.flow_y_rad = saturate(scale * motion.flow_y_rad + noise.y, most_rad);
  sample.turn_S_rad = motion.turn_S_rad + dt_s * state.gyro_bias_rad_s +
                      white_noise3(stream, tick, kGyroChannel, spread * p.gyro_noise_rad_s_sqrthz);
  if (in_range) {
    const double rate =
        math::max(math::abs(sample.flow_x_rad), math::abs(sample.flow_y_rad)) / most_rad;
    sample.quality =
        quality_of((1.0 - math::square(distance / p.highest_m)) * (1.0 - math::square(rate)));
  }
  return sample;
}

OpticalFlowReading step_optical_flow(const OpticalFlowParameters& p, const RandomStream& stream,
                                     DurationUs period, const OpticalFlowInput& input,
                                     const InstrumentFault& fault, TimeUs now,
                                     OpticalFlowState& state) {
  const OpticalFlowSample sample = measure_optical_flow(p, stream, period, input, fault, state);
  auto& line = state.line;
  deliver(
      fault, DurationUs(), period, now, sample,
      [&](std::uint64_t tick) { return garbage_sample(p, stream, period, tick); }, line);
  const OpticalFlowSample& told = line.reading;
  return {line.measured_at, line.count,      told.integration, told.flow_x_rad, told.flow_y_rad,
          told.turn_S_rad,  told.distance_m, told.quality,     p.temperature_c};
}

}  // namespace tactus
