// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An estimator on a bench: stepped along a motion that is a function of time.

#include <gtest/gtest.h>

#include <cstdint>

#include "tactus/core/fields.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/sensor/estimator.h"
#include "tactus/signal/signals.h"

namespace tactus::testing {

inline constexpr DurationUs kPeriod{4'000};

/// Noisy by kind, but without any noise, bias or delay.
inline EstimatorParameters silent() {
  EstimatorParameters p;
  p.position_sigma_W_m = {};
  p.velocity_sigma_W_m_s = {};
  p.attitude_sigma_rad = {};
  p.rate_sigma_B_rad_s = {};
  p.rate_bias_sigma_B_rad_s = {};
  p.delay = DurationUs(0);
  return p;
}

/// Motion with every component moving, a function of time alone.
inline Truth motion(TimeUs t) {
  const double s = to_seconds(t);
  Truth truth;
  truth.position_W_m = {s, 2.0 * s, -5.0 - 3.0 * s};
  truth.velocity_W_m_s = {1.0 + s, 2.0 - s, -3.0 + s};
  truth.attitude = from_euler({0.1 * s, 0.05, 0.2 * s});
  truth.rate_B_rad_s = {0.1 + s, 0.2 - s, 0.3 * s};
  truth.acceleration_W_m_s2 = {1.0, -1.0, s};
  truth.angular_acceleration_B_rad_s2 = {s, 1.0, -1.0};
  return truth;
}

/// An estimator that is stepped along `motion`.
struct EstimatorBench {
  explicit EstimatorBench(const EstimatorParameters& p, std::uint64_t seed = 1,
                          const char* name = "estimator")
      : parameters(p), stream(seed, name) {}

  Estimate step(const EstimatorFault& fault = {}) {
    const TimeUs now = TimeUs(0) + state.tick * period;
    return step_estimator(make_estimator(parameters, period), stream, still ? Truth{} : motion(now),
                          fault, now, state);
  }

  EstimatorParameters parameters;
  RandomStream stream;
  DurationUs period = kPeriod;
  bool still = false;
  EstimatorState state;
};

inline void expect_same_bits(const Estimate& a, const Estimate& b) {
  const auto difference = first_difference(a, b);
  EXPECT_FALSE(difference) << difference->text();
}

inline Estimate exact(TimeUs t) {
  const Truth truth = motion(t);
  return {truth.position_W_m,
          truth.velocity_W_m_s,
          truth.attitude,
          truth.rate_B_rad_s,
          truth.acceleration_W_m_s2,
          truth.angular_acceleration_B_rad_s2,
          t};
}

}  // namespace tactus::testing
