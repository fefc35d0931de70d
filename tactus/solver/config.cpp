// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/solver/config.h"

#include <string>

#include "tactus/core/checks.h"
#include "tactus/solver/controller.h"

namespace tactus {

namespace {

void validate_tolerance(const Tolerance& tolerance, const std::string& where) {
  if (!(tolerance.atol > 0.0)) {
    refuse(where, "atol", tolerance.atol, "must be greater than zero (inf = not controlled)");
  }
  require_not_negative(where, "rtol", tolerance.rtol);
}

void require_at_most(std::string_view where, std::string_view key, std::uint64_t value_us,
                     std::uint64_t limit_us, std::string_view reason) {
  if (value_us > limit_us) refuse(where, key, static_cast<double>(value_us), reason);
}

void validate_step_sizes(const SolverConfig& c, std::string_view where) {
  if (c.h_min_us == 0) refuse(where, "h_min_us", 0.0, "must be at least 1");
  require_at_most(where, "step_us", c.step_us, kLongestStepUs, "longer than 1e12 us");
  require_at_most(where, "h_max_us", c.h_max_us, kLongestStepUs, "longer than 1e12 us");
  require_at_most(where, "h_min_us", c.h_min_us, longest_step_us(c), "greater than h_max_us");
  require_at_most(where, "h_init_us", c.h_init_us, longest_step_us(c), "greater than h_max_us");
  if (c.h_init_us != 0 && c.h_init_us < c.h_min_us) {
    refuse(where, "h_init_us", static_cast<double>(c.h_init_us),
           "less than h_min_us (0 = automatic)");
  }
}

}  // namespace

void validate(const SolverConfig& c, std::string_view where) {
  const std::string prefix(where);
  if (static_cast<int>(c.method) >= kMethods) {
    refuse(where, "method", static_cast<double>(c.method), "is not a method");
  }
  validate_tolerance(c.position, prefix + ".position");
  validate_tolerance(c.velocity, prefix + ".velocity");
  validate_tolerance(c.rate, prefix + ".rate");
  validate_tolerance({0.0, c.attitude_atol_rad}, prefix + ".attitude");
  validate_tolerance(c.actuator, prefix + ".actuator");
  validate_tolerance(c.actuator_rate, prefix + ".actuator_rate");
  validate_tolerance(c.rotor, prefix + ".rotor");
  validate_tolerance(c.charge, prefix + ".charge");
  validate_tolerance(c.polarisation, prefix + ".polarisation");
  validate_step_sizes(c, where);
  if (c.max_attempts == 0) refuse(where, "max_attempts", 0.0, "must be at least 1");
  require_within(where, "safety", c.safety, 0.1, 1.0);
  require_within(where, "min_factor", c.min_factor, 0.01, 0.9);
  require_within(where, "max_factor", c.max_factor, 1.1, 100.0);
}

}  // namespace tactus
