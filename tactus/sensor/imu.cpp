// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/imu.h"

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

// Channels of the stream: those of the accelerometer follow those of the gyroscope.
constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kWalkChannel = 1;
constexpr std::uint32_t kTurnOnChannel = 2;
constexpr std::uint32_t kGarbageChannel = 4;
constexpr std::uint32_t kAccelerometerChannel = 16;

/// Parameters of one of the two instruments.
struct Errors {
  double noise_density;
  double bias_sigma;
  double bias_walk;
  double bias_time_constant_s;
  Vec3 scale_error;
  Vec3 misalignment_rad;
  double range;
  double resolution;
  std::uint32_t first_channel;
};

Errors gyro_errors(const ImuParameters& p) {
  return {p.gyro_noise_rad_s_sqrthz,   p.gyro_bias_sigma_rad_s, p.gyro_bias_walk_rad_s_sqrts,
          p.gyro_bias_time_constant_s, p.gyro_scale_error,      p.gyro_misalignment_rad,
          p.gyro_range_rad_s,          p.gyro_resolution_rad_s, 0};
}

Errors accel_errors(const ImuParameters& p) {
  return {p.accel_noise_m_s2_sqrthz,    p.accel_bias_sigma_m_s2, p.accel_bias_walk_m_s2_sqrts,
          p.accel_bias_time_constant_s, p.accel_scale_error,     p.accel_misalignment_rad,
          p.accel_range_m_s2,           p.accel_resolution_m_s2, kAccelerometerChannel};
}

void step_bias(const Errors& e, const RandomStream& stream, DurationUs period,
               InertialState& state) {
  if (state.line.taken == 0) {
    state.turn_on_bias = white_noise3(stream, 0, e.first_channel + kTurnOnChannel, e.bias_sigma);
    return;
  }
  if (e.bias_walk == 0.0) return;
  const Wander walk = random_walk(period, e.bias_walk, e.bias_time_constant_s);
  state.bias = walk.fade * state.bias +
               white_noise3(stream, state.line.taken, e.first_channel + kWalkChannel, walk.drive);
}

/// From the true value at the instrument to what is read.
void measure(const Errors& e, const RandomStream& stream, DurationUs period, Vec3 value,
             const InstrumentFault& fault, TimeUs now, InertialState& state) {
  step_bias(e, stream, period, state);
  const double sigma = fault.noise_scale * e.noise_density / math::sqrt(to_seconds(period));
  const Vec3 turned = value - cross(e.misalignment_rad, value);
  const Vec3 scaled = turned + multiply_elements(e.scale_error, turned);
  const Vec3 biased = scaled + state.turn_on_bias + state.bias + fault.bias;
  const Vec3 noise = white_noise3(stream, state.line.taken, e.first_channel + kWhiteChannel, sigma);
  const auto garbage = [&](std::uint64_t tick) {
    return uniform_within3(stream, tick, e.first_channel + kGarbageChannel, e.range);
  };
  deliver(fault, DurationUs(), period, now,
          quantise(saturate(biased + noise, e.range), e.resolution), garbage, state.line);
}

/// J(φ)⁻¹ v = v − ½ φ × v + c φ × (φ × v),   c = (1 − θ/2 cot θ/2) / θ²,   θ = |φ| ≤ π
Vec3 inverse_left_jacobian_times(Vec3 rotation_rad, Vec3 v) {
  const double square = norm_squared(rotation_rad);
  // The first term left out of the series is below 1e-14 of v there.
  double c = 1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0));
  if (square > 0.01) {
    double sine = 0.0;
    double cosine = 1.0;
    const double half = 0.5 * math::sqrt(square);
    math::sincos(half, &sine, &cosine);
    c = (1.0 - half * cosine / sine) / square;
  }
  const Vec3 once = cross(rotation_rad, v);
  return v - 0.5 * once + c * cross(rotation_rad, once);
}

MeanMotion motion_now(const Truth& truth, Vec3 r_B) {
  const Vec3 w = truth.rate_B_rad_s;
  return {w, truth.specific_force_B_m_s2 + cross(truth.angular_acceleration_B_rad_s2, r_B) +
                 cross(w, cross(w, r_B))};
}

void require_inertial(std::string_view where, const Errors& e, const char* const (&keys)[8]) {
  require_within(where, keys[0], e.noise_density, 0.0, 10.0);
  require_within(where, keys[1], e.bias_sigma, 0.0, 10.0);
  require_within(where, keys[2], e.bias_walk, 0.0, 10.0);
  require_not_negative(where, keys[3], e.bias_time_constant_s);
  require_each_within(where, keys[4], e.scale_error, -0.5, 0.5);
  require_each_within(where, keys[5], e.misalignment_rad, -0.2, 0.2);
  require_positive(where, keys[6], e.range);
  require_within(where, keys[7], e.resolution, 0.0, e.range);
}

}  // namespace

void validate(const ImuParameters& p, std::string_view where) {
  require_each_within(where, "position_body_m", p.position_B_m, -100.0, 100.0);
  require_within(where, "temperature_c", p.temperature_c, -100.0, 200.0);
  require_inertial(where, gyro_errors(p),
                   {"gyro_noise_rad_s_sqrthz", "gyro_bias_sigma_rad_s",
                    "gyro_bias_walk_rad_s_sqrts", "gyro_bias_time_constant_s", "gyro_scale_error",
                    "gyro_misalignment_rad", "gyro_range_rad_s", "gyro_resolution_rad_s"});
  require_inertial(where, accel_errors(p),
                   {"accel_noise_m_s2_sqrthz", "accel_bias_sigma_m_s2",
                    "accel_bias_walk_m_s2_sqrts", "accel_bias_time_constant_s", "accel_scale_error",
                    "accel_misalignment_rad", "accel_range_m_s2", "accel_resolution_m_s2"});
  require_positive(where, "vibration_reference_rad_s", p.vibration_reference_rad_s);
  require_each_within(where, "vibration_gyro_rad_s", p.vibration_gyro_rad_s, -100.0, 100.0);
  require_each_within(where, "vibration_accel_m_s2", p.vibration_accel_m_s2, -1e3, 1e3);
}

MeanMotion mean_motion(Quat attitude0, Quat attitude1, Vec3 velocity0_W_m_s, Vec3 velocity1_W_m_s,
                       Vec3 gravity_W_m_s2, double dt_s) {
  const Vec3 rotation = log_rotation(conjugate(attitude0) * attitude1);
  const Vec3 force_W = (velocity1_W_m_s - velocity0_W_m_s) / dt_s - gravity_W_m_s2;
  return {rotation / dt_s,
          inverse_left_jacobian_times(rotation, rotate_inverse(attitude0, force_W))};
}

ImuReading step_imu(const ImuParameters& p, const RandomStream& stream, DurationUs period,
                    const ImuInput& input, const InstrumentFault& gyroscope,
                    const InstrumentFault& accelerometer, TimeUs now, ImuState& state) {
  const Truth& truth = input.truth;
  const bool first = state.gyroscope.line.taken == 0;
  const bool mean = p.sampling == ImuSampling::kMean && !first;
  const double dt_s = first ? 0.0 : to_seconds(period);
  const Vec3 velocity_W =
      truth.velocity_W_m_s + rotate(truth.attitude, cross(truth.rate_B_rad_s, p.position_B_m));
  const MeanMotion motion =
      mean ? mean_motion(state.attitude, truth.attitude, state.velocity_W_m_s, velocity_W,
                         0.5 * (state.gravity_W_m_s2 + input.gravity_W_m_s2), dt_s)
           : motion_now(truth, p.position_B_m);
  state.attitude = truth.attitude;
  state.velocity_W_m_s = velocity_W;
  state.gravity_W_m_s2 = input.gravity_W_m_s2;

  const Vec3 shape =
      step_vibration(input.rotors, p.vibration_reference_rad_s, dt_s, mean, state.rotors);
  measure(gyro_errors(p), stream, period,
          motion.rate_B_rad_s + multiply_elements(p.vibration_gyro_rad_s, shape), gyroscope, now,
          state.gyroscope);
  measure(accel_errors(p), stream, period,
          motion.specific_force_B_m_s2 + multiply_elements(p.vibration_accel_m_s2, shape),
          accelerometer, now, state.accelerometer);

  const auto& rate = state.gyroscope.line;
  const auto& force = state.accelerometer.line;
  return {rate.measured_at > force.measured_at ? rate.measured_at : force.measured_at,
          rate.count,
          force.count,
          rate.reading,
          force.reading,
          p.temperature_c};
}

}  // namespace tactus
