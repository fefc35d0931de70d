// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/optical_flow.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr std::uint32_t kGarbageChannel = 8;

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
          p.measures_distance ? draw(6, p.lowest_m, p.highest_m) : OpticalFlowSample{}.distance_m,
          detail::flow_quality(draw(7, 0.0, 1.0))};
}

}  // namespace

void validate(const OpticalFlowParameters& p, std::string_view where) {
  require_each_within(where, "position_body_m", p.position_B_m, -100.0, 100.0);
  require_within(where, "yaw_deg", p.yaw_deg, 0.0, 315.0);
  if (detail::flow_yaw_steps(p) * detail::kFlowYawStep_deg != p.yaw_deg) {
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
