// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a navigation filter would give the autopilot, without the filter: truth + white noise +
// slowly wandering bias, some time ago. Runs on the sensor axis; Δt is the period of that axis.
//
//   sample_k   = truth + σ_w ξ_k + σ_b b_k + fault bias      position, velocity, rate, …
//   attitude_k = exp(σ_w ξ_k + σ_b b_k + fault bias + drift) ⊗ q_WB      rotation vector, NED axes
//   b_k        = φ b_k−1 + √(1 − φ²) ξ'_k,  φ = exp(−Δt/τ)   first-order Gauss–Markov, b_0 ~ N(0,1)
//   estimate_k = sample_{k−n},  n = delay/Δt + ⌈extra delay/Δt⌉
// Before n samples exist the estimate is the first one; a longer delay stops the estimate until the
// first late sample arrives. So the estimate never goes back in time; `measured_at` gives its age.
// Random numbers are pure functions of (stream, tick, channel): a fault or a zero σ shifts none.
// The process goes on under every fault, so nothing is stale after its end. Meaning of the faults:
//   gyroscope      rates and angular acceleration of the samples stand; attitude not valid
//   accelerometer  acceleration of the samples stands
//   magnetometer   heading drifts with the integral of the rate error; still called valid
//   barometer      height and climb rate of the samples stand; vertical not valid
//   GPS            horizontal velocity of the samples stands, position goes on with it; not valid
//   freeze         the estimate stands, but carries a fresh time stamp and says it is valid, which
//   is wrong dropout        the estimate stands and grows old; nothing is valid
// Units SI. Valid for errors that are small against a radian.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"

namespace tactus {

enum class EstimatorKind : std::uint8_t {
  kTruth,  ///< no noise, no bias, no delay; faults act all the same
  kNoisy,
};

struct EstimatorParameters {
  EstimatorKind kind = EstimatorKind::kNoisy;
  Vec3 position_sigma_W_m{0.02, 0.02, 0.02};
  Vec3 velocity_sigma_W_m_s{0.05, 0.05, 0.05};
  Vec3 attitude_sigma_rad{0.0, 0.0, 0.01};
  Vec3 rate_sigma_B_rad_s{0.005, 0.005, 0.005};
  Vec3 acceleration_sigma_W_m_s2;
  Vec3 angular_acceleration_sigma_B_rad_s2;
  Vec3 position_bias_sigma_W_m;
  Vec3 velocity_bias_sigma_W_m_s;
  Vec3 attitude_bias_sigma_rad;
  Vec3 rate_bias_sigma_B_rad_s{0.001, 0.001, 0.001};
  double position_bias_time_constant_s = 50.0;
  double velocity_bias_time_constant_s = 50.0;
  double attitude_bias_time_constant_s = 50.0;
  double rate_bias_time_constant_s = 50.0;
  DurationUs delay{8'000};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind, "truth or noisy");
    visit("position_sigma_ned_m", "m", self.position_sigma_W_m, "white noise, deviation");
    visit("velocity_sigma_ned_m_s", "m/s", self.velocity_sigma_W_m_s, "white noise, deviation");
    visit("attitude_sigma_rad", "rad", self.attitude_sigma_rad,
          "white noise about north, east and down, deviation");
    visit("rate_sigma_body_rad_s", "rad/s", self.rate_sigma_B_rad_s, "white noise, deviation");
    visit("acceleration_sigma_ned_m_s2", "m/s^2", self.acceleration_sigma_W_m_s2,
          "white noise, deviation");
    visit("angular_acceleration_sigma_body_rad_s2", "rad/s^2",
          self.angular_acceleration_sigma_B_rad_s2, "white noise, deviation");
    visit("position_bias_sigma_ned_m", "m", self.position_bias_sigma_W_m, "wander, deviation");
    visit("velocity_bias_sigma_ned_m_s", "m/s", self.velocity_bias_sigma_W_m_s,
          "wander, deviation");
    visit("attitude_bias_sigma_rad", "rad", self.attitude_bias_sigma_rad,
          "wander about north, east and down, deviation");
    visit("rate_bias_sigma_body_rad_s", "rad/s", self.rate_bias_sigma_B_rad_s, "wander, deviation");
    visit("position_bias_time_constant_s", "s", self.position_bias_time_constant_s,
          "correlation time of the wander");
    visit("velocity_bias_time_constant_s", "s", self.velocity_bias_time_constant_s,
          "correlation time of the wander");
    visit("attitude_bias_time_constant_s", "s", self.attitude_bias_time_constant_s,
          "correlation time of the wander");
    visit("rate_bias_time_constant_s", "s", self.rate_bias_time_constant_s,
          "correlation time of the wander");
    visit("delay_us", "us", self.delay, "age of the estimate, a multiple of the sensor period");
  }
};
static_assert(lists_every_field<EstimatorParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const EstimatorParameters& parameters, std::string_view where);

/// The same for what depends on the sensor axis: the delay must be a multiple of the period and fit
/// into the delay line.
void validate_delay(const EstimatorParameters& parameters, DurationUs period,
                    std::string_view where);

/// Samples that the delay line holds; the longest delay is one period less than these.
inline constexpr std::uint64_t kDelayLineSamples = 64;

/// The longest `EstimatorFault::extra_delay_us` that fits.
DurationUs longest_extra_delay(const EstimatorParameters& parameters, DurationUs period);

/// Biases in units of their deviation.
struct EstimatorBias {
  Vec3 position;
  Vec3 velocity;
  Vec3 attitude;
  Vec3 rate;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position", "1", self.position, "in units of its deviation");
    visit("velocity", "1", self.velocity, "in units of its deviation");
    visit("attitude", "1", self.attitude, "in units of its deviation");
    visit("rate", "1", self.rate, "in units of its deviation");
  }
};
static_assert(lists_every_field<EstimatorBias>());

/// Copyable; a default one is the state before the first tick.
struct EstimatorState {
  std::uint64_t tick = 0;       ///< samples taken so far
  std::uint64_t delivered = 0;  ///< number of the sample that the delay line gave last
  EstimatorBias bias;
  double heading_drift_rad = 0.0;
  Estimate line[kDelayLineSamples];  ///< sample k is at k mod kDelayLineSamples
  Estimate published;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("tick", "", self.tick, "samples taken so far");
    visit("delivered", "", self.delivered, "number of the sample delivered last");
    visit("bias", "", self.bias, "wandering errors");
    visit("heading_drift_rad", "rad", self.heading_drift_rad, "while the magnetometer is lost");
    visit("line", "", self.line, "samples on their way");
    visit("published", "", self.published, "last estimate");
  }
};
static_assert(lists_every_field<EstimatorState>());

/// Parameters with everything computed that does not change in flight.
struct Estimator {
  EstimatorParameters parameters;
  DurationUs period;
  Wander rate_bias;
  Wander attitude_bias;
  Wander position_bias;
  Wander velocity_bias;
  // What the normal values of a tick are multiplied with, in the order of their channels.
  static constexpr std::size_t kWhiteValues = 18;
  static constexpr std::size_t kBiasValues = 12;
  double white_sigma[kWhiteValues] = {};
  double bias_used[kBiasValues] = {};  ///< 1, or 0 where there is no such bias
  std::uint32_t white_channels = 0;    ///< a bit for each that is used
  std::uint32_t bias_channels = 0;
};

Estimator make_estimator(const EstimatorParameters& parameters, DurationUs period);

/// The estimate of the tick at `now`, which is `state.published`. Does not allocate. Throws
/// Error(kBadInput) if the delay does not fit into the delay line.
const Estimate& step_estimator(const Estimator& estimator, const RandomStream& stream,
                               const Truth& truth, const EstimatorFault& fault, TimeUs now,
                               EstimatorState& state);

}  // namespace tactus
