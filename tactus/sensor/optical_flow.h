// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A camera that looks along the body's down axis and tells how far its image has turned since the
// tick before, with a gyroscope in the same housing and a distance to the ground.
//
//   flow_x = Δθ_x − Δp_y n̄         Δθ = log(q0⁻¹ q1): how it has turned
//   flow_y = Δθ_y + Δp_x n̄         Δp: how its own point has moved, in its axes half-way, R(q½)ᵀ
//   n̄ = (1/d0 + 1/d1)/2            d: distance along its axis, ground_distance.h
// Sensor axes S: x forward and y to the right of the camera, z along its axis: the body's, turned
// about z by `yaw_deg` (PX4's SENS_FLOW_ROT). Signs as MAVLink's HIL_OPTICAL_FLOW has them: a
// right-hand turn about x or y gives positive flow about it, motion to the right negative flow_x,
// motion forward positive flow_y (flow of a point on the optical axis: Honegger et al., "An open
// source and open hardware embedded metric optical flow CMOS camera", ICRA 2013). Errors:
//   flow → (1 + scale) flow + N √T ξ + fault bias T → saturate at ± highest rate · T
//   Δθ → Δθ + b0 T + N_g √T ξ,   b0 ~ N(0, σ0): turn-on;   distance → d + σ_d ξ
//   quality = 255 (1 − (d/d_max)²) (1 − (r/r_max)²),  r: the larger flow rate as it is told
// Quality is 0, and the flow not to be used, where d is outside of its limits or no ground is in
// view, at or beyond the highest rate, and at the first tick, which has no interval. Nearer than
// the lowest distance the flow is that at the lowest; without ground in view that of the turn.
//
// Radians, metres. Exact for a plane, level motion and turns about one axis; otherwise the error is
// of the order of the interval squared. Of the image only its centre counts: field of view, light
// and texture do not.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/ground_distance.h"
#include "tactus/sensor/instrument.h"
#include "tactus/sensor/noise.h"
#include "tactus/signal/signals.h"
#include "tactus/world/world.h"

namespace tactus {

/// Defaults: a small camera such as the PMW3901, with a range finder beside it.
struct OpticalFlowParameters {
  Vec3 position_B_m;
  double yaw_deg = 0.0;
  double lowest_m = 0.08;
  double highest_m = 30.0;
  double highest_rate_rad_s = 7.4;
  double flow_scale_error = 0.0;
  double flow_noise_rad_s_sqrthz = 5.0e-3;
  double gyro_noise_rad_s_sqrthz = 5.0e-4;
  double gyro_bias_sigma_rad_s = 5.0e-3;
  bool measures_distance = true;
  double distance_noise_sigma_m = 0.02;
  double temperature_c = 35.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_body_m", "m", self.position_B_m, "from the centre of mass");
    visit("yaw_deg", "deg", self.yaw_deg, "of the camera in the body, a multiple of 45");
    visit("lowest_m", "m", self.lowest_m, "nearest ground it sees sharply");
    visit("highest_m", "m", self.highest_m, "farthest ground on which it finds features");
    visit("highest_rate_rad_s", "rad/s", self.highest_rate_rad_s, "of the flow it can follow");
    visit("flow_scale_error", "1", self.flow_scale_error, "relative");
    visit("flow_noise_rad_s_sqrthz", "rad/s/sqrt(Hz)", self.flow_noise_rad_s_sqrthz,
          "density of the white noise of the flow");
    visit("gyro_noise_rad_s_sqrthz", "rad/s/sqrt(Hz)", self.gyro_noise_rad_s_sqrthz,
          "the same of its gyroscope");
    visit("gyro_bias_sigma_rad_s", "rad/s", self.gyro_bias_sigma_rad_s, "turn-on bias, deviation");
    visit("measures_distance", "", self.measures_distance, "false: it never knows the distance");
    visit("distance_noise_sigma_m", "m", self.distance_noise_sigma_m,
          "white noise of the distance, deviation");
    visit("temperature_c", "degC", self.temperature_c, "of the instrument");
  }
};
static_assert(lists_every_field<OpticalFlowParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const OpticalFlowParameters& parameters, std::string_view where);

inline constexpr std::size_t kOpticalFlowLineSamples = 16;
constexpr std::size_t line_samples(const OpticalFlowParameters& /*parameters*/) {
  return kOpticalFlowLineSamples;
}

/// Where the camera is at an instant, and what it looks at.
struct OpticalFlowView {
  Quat attitude;  ///< of the body
  Vec3 position_W_m;
  double nearness_1_m = 0.0;  ///< one over the distance; 0: no ground in view

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("attitude", "1", self.attitude, "body to world");
    visit("position_ned_m", "m", self.position_W_m, "of the camera");
    visit("nearness_1_m", "1/m", self.nearness_1_m, "one over the distance");
  }
};
static_assert(lists_every_field<OpticalFlowView>());

/// What an ideal one tells about an interval, in sensor axes.
struct OpticalFlowMotion {
  double flow_x_rad = 0.0;
  double flow_y_rad = 0.0;
  Vec3 turn_S_rad;
};

/// `yaw_steps`: of 45 degrees.
TACTUS_HD inline Vec3 to_flow_axes(Vec3 v_B, int yaw_steps) {
  constexpr double kHalf = 0.70710678118654752440;  // of the square root of two
  constexpr double kCos[8] = {1.0, kHalf, 0.0, -kHalf, -1.0, -kHalf, 0.0, kHalf};
  const double c = kCos[yaw_steps & 7];
  const double s = kCos[(yaw_steps + 6) & 7];
  return {c * v_B.x + s * v_B.y, c * v_B.y - s * v_B.x, v_B.z};
}

/// The equations above.
TACTUS_HD inline OpticalFlowMotion optical_flow_between(const OpticalFlowView& from,
                                                        const OpticalFlowView& to, int yaw_steps) {
  const Vec3 turn_B = log_rotation(conjugate(from.attitude) * to.attitude);
  const Quat halfway = from.attitude * exp_rotation(0.5 * turn_B);
  const Vec3 moved_B = rotate_inverse(halfway, to.position_W_m - from.position_W_m);
  const Vec3 turn_S = to_flow_axes(turn_B, yaw_steps);
  const Vec3 moved_S = to_flow_axes(moved_B, yaw_steps);
  const double nearness = 0.5 * (from.nearness_1_m + to.nearness_1_m);
  return {turn_S.x - moved_S.y * nearness, turn_S.y + moved_S.x * nearness, turn_S};
}

/// What is on its way to the reader.
struct OpticalFlowSample {
  DurationUs integration;
  double flow_x_rad = 0.0;
  double flow_y_rad = 0.0;
  Vec3 turn_S_rad;
  double distance_m = -1.0;
  std::uint8_t quality = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("integration_us", "us", self.integration, "length of the interval");
    visit("flow_x_rad", "rad", self.flow_x_rad, "about the sensor's x");
    visit("flow_y_rad", "rad", self.flow_y_rad, "about the sensor's y");
    visit("turn_sensor_rad", "rad", self.turn_S_rad, "of its gyroscope");
    visit("distance_m", "m", self.distance_m, "along its axis");
    visit("quality", "", self.quality, "0 to 255");
  }
};
static_assert(lists_every_field<OpticalFlowSample>());

/// Copyable; a default one is the state before the first tick.
struct OpticalFlowState {
  OpticalFlowView last;  ///< at the last tick
  Vec3 gyro_bias_rad_s;
  InstrumentLine<OpticalFlowSample, kOpticalFlowLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("last", "", self.last, "where it was at the last tick");
    visit("gyro_bias_rad_s", "rad/s", self.gyro_bias_rad_s, "drawn at the first tick");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<OpticalFlowState>());

/// The world at the tick.
struct OpticalFlowInput {
  GroundView ground;
  Vec3 position_W_m;  ///< of the centre of mass
};

namespace detail {

inline constexpr double kFlowYawStep_deg = 45.0;

/// 0 of what is no number: that is told by those who check the reading.
TACTUS_HD inline std::int64_t nearest_integer(double value) {
  bool ok = true;
  return math::to_int64(math::rint(value), ok);
}

TACTUS_HD inline int flow_yaw_steps(const OpticalFlowParameters& p) {
  return static_cast<int>(nearest_integer(p.yaw_deg / kFlowYawStep_deg));
}

/// `value`: 0 to 1.
TACTUS_HD inline std::uint8_t flow_quality(double value) {
  constexpr double kBest = 255.0;
  const std::int64_t quality = nearest_integer(kBest * math::clamp(value, 0.0, 1.0));
  return static_cast<std::uint8_t>(quality);
}

}  // namespace detail

/// What it measures at this tick; moves `state` on but for the line.
TACTUS_HD inline OpticalFlowSample measure_optical_flow(
    const OpticalFlowParameters& p, const RandomStream& stream, DurationUs period,
    const OpticalFlowInput& input, const InstrumentFault& fault, OpticalFlowState& state) {
  constexpr std::uint32_t kFlowChannel = 0;
  constexpr std::uint32_t kGyroChannel = 1;
  constexpr std::uint32_t kGyroBiasChannel = 2;
  constexpr std::uint32_t kDistanceChannel = 3;
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
  const OpticalFlowMotion motion = optical_flow_between(last, view, detail::flow_yaw_steps(p));
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
    sample.quality = detail::flow_quality((1.0 - math::square(distance / p.highest_m)) *
                                          (1.0 - math::square(rate)));
  }
  return sample;
}

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
OpticalFlowReading step_optical_flow(const OpticalFlowParameters& parameters,
                                     const RandomStream& stream, DurationUs period,
                                     const OpticalFlowInput& input, const InstrumentFault& fault,
                                     TimeUs now, OpticalFlowState& state);

template <>
struct InstrumentOnBus<OpticalFlowParameters> {
  using State = OpticalFlowState;
  static constexpr Signal kWrites = Signal::kOpticalFlow;
  static constexpr SignalSet kReads = SignalSet::of(Signal::kTruth);

  GroundParameters ground;

  InstrumentOnBus(const World& world, int /*rotor_count*/) : ground(world.ground) {}
  [[nodiscard]] OpticalFlowInput input(const BusPort& bus) const {
    const Truth& truth = bus.read<Signal::kTruth>();
    return {{truth.attitude, truth.height_m, ground.normal_W, ground.present}, truth.position_W_m};
  }
  static OpticalFlowReading step(const OpticalFlowParameters& parameters,
                                 const InstrumentTick& tick, const OpticalFlowInput& input,
                                 State& state) {
    return step_optical_flow(parameters, tick.stream, tick.period, input,
                             tick.fault(Instrument::kOpticalFlow), tick.now, state);
  }
};

}  // namespace tactus
