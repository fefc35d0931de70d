// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/estimator.h"

#include <fmt/format.h>

#include <bit>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/sensor/instrument.h"

namespace tactus {
namespace {

// White noise has channels 0 to 8, bias channels 16 to 21 of the stream.
constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kBiasChannel = 16;

void require_deviations(std::string_view where, std::string_view key, Vec3 sigma, double highest) {
  for (const double component : {sigma.x, sigma.y, sigma.z}) {
    require_within(where, key, component, 0.0, highest);
  }
}

DurationUs own_delay(const EstimatorParameters& p) {
  return p.kind == EstimatorKind::kTruth ? DurationUs() : p.delay;
}

/// Normal values of one tick times their sigma. The generator makes them two by two: a pair that
/// is not used is not computed; the others do not change by that.
template <std::size_t n>
void draw_normal(const RandomStream& stream, std::uint64_t tick, std::uint32_t first_channel,
                 std::uint32_t channels, const double (&sigma)[n], double (&noise)[n]) {
  for (; channels != 0; channels &= channels - 1) {
    const auto channel = static_cast<std::uint32_t>(std::countr_zero(channels));
    const std::size_t i = std::size_t{2} * channel;
    double a = 0.0;
    double b = 0.0;
    stream.normal_pair(tick, first_channel + channel, a, b);
    if (sigma[i] != 0.0) noise[i] = sigma[i] * a;
    if (sigma[i + 1] != 0.0) noise[i + 1] = sigma[i + 1] * b;
  }
}

template <std::size_t n>
std::uint32_t wanted_channels(const double (&sigma)[n]) {
  std::uint32_t channels = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (sigma[i] != 0.0) channels |= std::uint32_t{1} << (i / 2);
  }
  return channels;
}

struct Errors {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Vec3 attitude_rad;
  Vec3 rate_B_rad_s;
  Vec3 acceleration_W_m_s2;
  Vec3 angular_acceleration_B_rad_s2;
};

Vec3 vector_at(const double* values) { return {values[0], values[1], values[2]}; }

double used(double sigma) { return sigma == 0.0 ? 0.0 : 1.0; }

/// At the first tick b = ξ, the stationary distribution.
void wander(Vec3 sigma, const Wander& w, bool first, const double* xi, Vec3& bias) {
  if (sigma == Vec3{}) return;
  if (first) {
    bias = vector_at(xi);
    return;
  }
  bias = w.fade * bias + w.drive * vector_at(xi);
}

void step_bias(const Estimator& estimator, const RandomStream& stream, EstimatorState& state) {
  const EstimatorParameters& p = estimator.parameters;
  double xi[Estimator::kBiasValues] = {};
  draw_normal(stream, state.tick, kBiasChannel, estimator.bias_channels, estimator.bias_used, xi);
  EstimatorBias& b = state.bias;
  const bool first = state.tick == 0;
  wander(p.rate_bias_sigma_B_rad_s, estimator.rate_bias, first, xi, b.rate);
  wander(p.attitude_bias_sigma_rad, estimator.attitude_bias, first, xi + 3, b.attitude);
  wander(p.position_bias_sigma_W_m, estimator.position_bias, first, xi + 6, b.position);
  wander(p.velocity_bias_sigma_W_m_s, estimator.velocity_bias, first, xi + 9, b.velocity);
}

/// Noise and bias of this tick; those of the truth are zero.
Errors draw_errors(const Estimator& estimator, const RandomStream& stream, EstimatorState& state) {
  const EstimatorParameters& p = estimator.parameters;
  Errors e;
  if (p.kind == EstimatorKind::kTruth) return e;
  step_bias(estimator, stream, state);
  const EstimatorBias& b = state.bias;
  double noise[Estimator::kWhiteValues] = {};
  draw_normal(stream, state.tick, kWhiteChannel, estimator.white_channels, estimator.white_sigma,
              noise);
  e.position_W_m = vector_at(noise) + multiply_elements(p.position_bias_sigma_W_m, b.position);
  e.velocity_W_m_s =
      vector_at(noise + 3) + multiply_elements(p.velocity_bias_sigma_W_m_s, b.velocity);
  e.rate_B_rad_s = vector_at(noise + 6) + multiply_elements(p.rate_bias_sigma_B_rad_s, b.rate);
  e.attitude_rad = Vec3{noise[10], noise[11], noise[9]} +
                   multiply_elements(p.attitude_bias_sigma_rad, b.attitude);
  e.acceleration_W_m_s2 = vector_at(noise + 12);
  e.angular_acceleration_B_rad_s2 = vector_at(noise + 15);
  return e;
}

void add_fault_biases(const EstimatorFault& fault, Errors& e) {
  e.position_W_m += fault.position_bias_W_m;
  e.velocity_W_m_s += fault.velocity_bias_W_m_s;
  e.attitude_rad += fault.attitude_bias_rad;
  e.rate_B_rad_s += fault.rate_bias_B_rad_s;
}

Estimate measure(const Truth& truth, const Errors& e, TimeUs now) {
  Estimate sample;
  sample.position_W_m = truth.position_W_m + e.position_W_m;
  sample.velocity_W_m_s = truth.velocity_W_m_s + e.velocity_W_m_s;
  sample.attitude = truth.attitude;
  // Without an error the truth passes bit for bit.
  if (!(e.attitude_rad == Vec3{})) {
    sample.attitude = normalized(exp_rotation(e.attitude_rad) * truth.attitude);
  }
  sample.rate_B_rad_s = truth.rate_B_rad_s + e.rate_B_rad_s;
  sample.acceleration_W_m_s2 = truth.acceleration_W_m_s2 + e.acceleration_W_m_s2;
  sample.angular_acceleration_B_rad_s2 =
      truth.angular_acceleration_B_rad_s2 + e.angular_acceleration_B_rad_s2;
  sample.measured_at = now;
  return sample;
}

/// What lost sensors leave of a sample. `before` is the sample of the tick before.
void lose_sensors(std::uint32_t mask, const Estimate& before, double dt_s, Estimate& sample) {
  const auto lost = [mask](SensorBit which) { return (mask & sensor_bit(which)) != 0; };
  if (lost(SensorBit::kGyroscope)) {
    sample.rate_B_rad_s = before.rate_B_rad_s;
    sample.angular_acceleration_B_rad_s2 = before.angular_acceleration_B_rad_s2;
    sample.attitude_valid = false;
  }
  if (lost(SensorBit::kAccelerometer)) sample.acceleration_W_m_s2 = before.acceleration_W_m_s2;
  if (lost(SensorBit::kBarometer)) {
    sample.position_W_m.z = before.position_W_m.z;
    sample.velocity_W_m_s.z = before.velocity_W_m_s.z;
    sample.vertical_valid = false;
  }
  if (lost(SensorBit::kGps)) {
    sample.velocity_W_m_s.x = before.velocity_W_m_s.x;
    sample.velocity_W_m_s.y = before.velocity_W_m_s.y;
    sample.position_W_m.x = before.position_W_m.x + dt_s * before.velocity_W_m_s.x;
    sample.position_W_m.y = before.position_W_m.y + dt_s * before.velocity_W_m_s.y;
    sample.horizontal_valid = false;
  }
}

/// Without a magnetometer heading is the integral of the measured rate, so it collects its error.
double heading_drift(double drift_rad, const EstimatorFault& fault, Quat attitude, const Errors& e,
                     double dt_s) {
  if ((fault.sensor_mask & sensor_bit(SensorBit::kMagnetometer)) == 0) return 0.0;
  return drift_rad + dt_s * rotate(attitude, e.rate_B_rad_s).z;
}

void take_sample(const Estimator& estimator, const RandomStream& stream, const Truth& truth,
                 const EstimatorFault& fault, TimeUs now, EstimatorState& state) {
  const double dt_s = to_seconds(estimator.period);
  Errors errors = draw_errors(estimator, stream, state);
  add_fault_biases(fault, errors);
  state.heading_drift_rad =
      heading_drift(state.heading_drift_rad, fault, truth.attitude, errors, dt_s);
  errors.attitude_rad.z += state.heading_drift_rad;
  Estimate& sample = state.line[state.tick % kDelayLineSamples];
  sample = measure(truth, errors, now);
  if (fault.sensor_mask == 0) return;
  // A sensor that is lost from the start stands at its first value.
  const Estimate before =
      state.tick > 0 ? state.line[(state.tick - 1) % kDelayLineSamples] : sample;
  lose_sensors(fault.sensor_mask, before, state.tick > 0 ? dt_s : 0.0, sample);
}

std::uint64_t delay_in_ticks(const EstimatorParameters& p, DurationUs period,
                             const EstimatorFault& fault) {
  const std::uint64_t extra = (fault.extra_delay_us + period.us - 1) / period.us;
  const std::uint64_t ticks = own_delay(p) / period + extra;
  if (ticks >= kDelayLineSamples) {
    throw Error(ExitCode::kBadInput,
                fmt::format("estimator: a delay of {} with a fault's extra {} us does not fit into "
                            "{} samples of {}; the longest extra delay is {}",
                            to_text(own_delay(p)), fault.extra_delay_us, kDelayLineSamples,
                            to_text(period), to_text(longest_extra_delay(p, period))));
  }
  return ticks;
}

}  // namespace

void validate(const EstimatorParameters& p, std::string_view where) {
  require_deviations(where, "position_sigma_ned_m", p.position_sigma_W_m, 1e3);
  require_deviations(where, "velocity_sigma_ned_m_s", p.velocity_sigma_W_m_s, 1e2);
  require_deviations(where, "attitude_sigma_rad", p.attitude_sigma_rad, 0.5);
  require_deviations(where, "rate_sigma_body_rad_s", p.rate_sigma_B_rad_s, 10.0);
  require_deviations(where, "acceleration_sigma_ned_m_s2", p.acceleration_sigma_W_m_s2, 1e2);
  require_deviations(where, "angular_acceleration_sigma_body_rad_s2",
                     p.angular_acceleration_sigma_B_rad_s2, 1e3);
  require_deviations(where, "position_bias_sigma_ned_m", p.position_bias_sigma_W_m, 1e3);
  require_deviations(where, "velocity_bias_sigma_ned_m_s", p.velocity_bias_sigma_W_m_s, 1e2);
  require_deviations(where, "attitude_bias_sigma_rad", p.attitude_bias_sigma_rad, 0.5);
  require_deviations(where, "rate_bias_sigma_body_rad_s", p.rate_bias_sigma_B_rad_s, 10.0);
  require_positive(where, "position_bias_time_constant_s", p.position_bias_time_constant_s);
  require_positive(where, "velocity_bias_time_constant_s", p.velocity_bias_time_constant_s);
  require_positive(where, "attitude_bias_time_constant_s", p.attitude_bias_time_constant_s);
  require_positive(where, "rate_bias_time_constant_s", p.rate_bias_time_constant_s);
}

void validate_delay(const EstimatorParameters& p, DurationUs period, std::string_view where) {
  if (period == DurationUs()) {
    refuse(where, "delay_s", to_seconds(p.delay),
           "the estimator needs a sensor period (time.sensors_s)");
  }
  const DurationUs delay = own_delay(p);
  if (delay % period != DurationUs()) {
    refuse(where, "delay_s", to_seconds(delay),
           fmt::format("must be a multiple of the sensor period {}", to_text(period)));
  }
  if (delay / period >= kDelayLineSamples) {
    refuse(
        where, "delay_s", to_seconds(delay),
        fmt::format("must be at most {}: the delay line holds {} samples of {}",
                    to_text((kDelayLineSamples - 1) * period), kDelayLineSamples, to_text(period)));
  }
}

DurationUs longest_extra_delay(const EstimatorParameters& p, DurationUs period) {
  return (kDelayLineSamples - 1) * period - own_delay(p);
}

Estimator make_estimator(const EstimatorParameters& p, DurationUs period) {
  Estimator made{.parameters = p,
                 .period = period,
                 .rate_bias = gauss_markov(period, p.rate_bias_time_constant_s),
                 .attitude_bias = gauss_markov(period, p.attitude_bias_time_constant_s),
                 .position_bias = gauss_markov(period, p.position_bias_time_constant_s),
                 .velocity_bias = gauss_markov(period, p.velocity_bias_time_constant_s)};
  // Heading first: it shares a pair with the rates, and is often the only attitude noise.
  const Vec3 turned{p.attitude_sigma_rad.z, p.attitude_sigma_rad.x, p.attitude_sigma_rad.y};
  double* white = made.white_sigma;
  for (const Vec3& sigma :
       {p.position_sigma_W_m, p.velocity_sigma_W_m_s, p.rate_sigma_B_rad_s, turned,
        p.acceleration_sigma_W_m_s2, p.angular_acceleration_sigma_B_rad_s2}) {
    for (const double component : {sigma.x, sigma.y, sigma.z}) *white++ = component;
  }
  double* bias = made.bias_used;
  for (const Vec3& sigma : {p.rate_bias_sigma_B_rad_s, p.attitude_bias_sigma_rad,
                            p.position_bias_sigma_W_m, p.velocity_bias_sigma_W_m_s}) {
    for (const double component : {sigma.x, sigma.y, sigma.z}) *bias++ = used(component);
  }
  made.white_channels = wanted_channels(made.white_sigma);
  made.bias_channels = wanted_channels(made.bias_used);
  return made;
}

const Estimate& step_estimator(const Estimator& estimator, const RandomStream& stream,
                               const Truth& truth, const EstimatorFault& fault, TimeUs now,
                               EstimatorState& state) {
  const std::uint64_t delay = delay_in_ticks(estimator.parameters, estimator.period, fault);
  take_sample(estimator, stream, truth, fault, now, state);
  const std::uint64_t due = state.tick > delay ? state.tick - delay : 0;
  if (due > state.delivered) state.delivered = due;
  ++state.tick;
  const Estimate& arrived = state.line[state.delivered % kDelayLineSamples];

  const bool nothing_yet = state.tick == 1;
  if ((fault.sensor_mask & sensor_bit(SensorBit::kEstimatorDropout)) != 0) {
    state.published.horizontal_valid = false;
    state.published.vertical_valid = false;
    state.published.attitude_valid = false;
  } else if ((fault.sensor_mask & sensor_bit(SensorBit::kEstimatorFreeze)) != 0 && !nothing_yet) {
    state.published.measured_at = arrived.measured_at;
    state.published.horizontal_valid = true;
    state.published.vertical_valid = true;
    state.published.attitude_valid = true;
  } else {
    state.published = arrived;
  }
  return state.published;
}

}  // namespace tactus
