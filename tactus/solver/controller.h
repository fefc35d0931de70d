// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Step size control by a PI controller (Gustafsson 1991; Hairer & Wanner II, IV.2). With the error
// e of a step in units of the tolerance, e_prev that of the full step before, and k the power of
// the step with which e shrinks:
//   accepted   factor = safety · e^(−α) · e_prev^β     α = 0.9/k,  β = 0.3/k
//   rejected   factor = safety · e^(−1/k)
// each limited to [min_factor, max_factor]; a step after a rejection does not grow at once. Without
// the proportional part (α = 1/k, β = 0) a damped oscillator is rejected every sixth step, with it
// never, for a few per cent more steps. Steps are whole microseconds, rounded down.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/solver/config.h"

namespace tactus {

/// Longest step that an adaptive method proposes when h_max_us = 0; eleven days.
inline constexpr std::uint64_t kLongestStepUs = 1'000'000'000'000;
/// Errors below this count as this much in the memory of the controller.
inline constexpr double kSmallestRememberedError = 1e-4;

TACTUS_HD inline double factor_after_accepted(const SolverConfig& config, int error_order,
                                              double error, double previous_error) {
  TACTUS_ASSERT(error >= 0.0, "the error of an accepted step");
  TACTUS_ASSERT(previous_error > 0.0, "the controller remembers no error below its smallest");
  if (error < 1e-10) return config.max_factor;
  const double alpha = 0.9 / error_order;
  const double beta = 0.3 / error_order;
  const double factor = config.safety * math::pow(error, -alpha) * math::pow(previous_error, beta);
  return math::clamp(factor, config.min_factor, config.max_factor);
}

/// `error` > 1, or infinite when the attempt had no usable result.
TACTUS_HD inline double factor_after_rejected(const SolverConfig& config, int error_order,
                                              double error) {
  if (!math::is_finite(error)) return config.min_factor;
  TACTUS_ASSERT(error > 1.0, "a step within its tolerance is not rejected");
  const double factor = config.safety * math::pow(error, -1.0 / error_order);
  return math::max(factor, config.min_factor);
}

TACTUS_HD constexpr std::uint64_t longest_step_us(const SolverConfig& config) {
  return config.h_max_us == 0 ? kLongestStepUs : config.h_max_us;
}

/// A wished step as whole microseconds within [h_min, h_max].
TACTUS_HD inline std::uint64_t quantised_step_us(const SolverConfig& config, double step_us) {
  const std::uint64_t longest_us = longest_step_us(config);
  TACTUS_ASSERT(config.h_min_us >= 1 && config.h_min_us <= longest_us, "a validated configuration");
  TACTUS_ASSERT(step_us >= 0.0 || math::is_nan(step_us), "a step goes forward");
  if (step_us >= static_cast<double>(longest_us)) return longest_us;
  bool fits = false;
  const std::int64_t whole_us = math::to_int64(step_us, fits);
  const auto shortest_us = static_cast<std::int64_t>(config.h_min_us);
  return static_cast<std::uint64_t>(fits && whole_us > shortest_us ? whole_us : shortest_us);
}

}  // namespace tactus
