// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a user chooses about integration. Plain data, the same for the whole run.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/time.h"
#include "tactus/solver/system.h"

namespace tactus {

enum class Method : std::uint8_t {
  kEuler,   ///< explicit Euler, order 1, fixed step
  kRk4,     ///< classical Runge–Kutta, order 4, fixed step
  kRk23,    ///< Bogacki–Shampine 3(2), adaptive
  kRk45,    ///< Dormand–Prince 5(4), adaptive
  kLieRk4,  ///< classical stages, attitude on the rotation group (Munthe-Kaas), order 4, fixed step
};
inline constexpr int kMethods = 5;

TACTUS_HD constexpr const char* to_text(Method method) {
  switch (method) {
    case Method::kEuler: return "euler";
    case Method::kRk4: return "rk4";
    case Method::kRk23: return "rk23";
    case Method::kRk45: return "rk45";
    case Method::kLieRk4: return "lie_rk4";
  }
  return "unknown";
}

TACTUS_HD constexpr bool is_adaptive(Method method) {
  return method == Method::kRk23 || method == Method::kRk45;
}

/// Allowed error of one entry in one step: atol + rtol · max(|start|, |end|), in the unit of the
/// entry. atol = infinity: the group is not controlled.
struct Tolerance {
  double rtol = 0.0;
  double atol = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("rtol", "1", self.rtol);
    visit("atol", "SI", self.atol, "in the unit of the entries; inf: not controlled");
  }
};
static_assert(lists_every_field<Tolerance>());

struct SolverConfig {
  Method method = Method::kRk4;

  /// Fixed methods: length of a step; an interval is cut into such steps, the last one shorter.
  /// 0: one step per interval.
  std::uint64_t step_us = 0;

  // Adaptive methods. Tight on purpose: a step hardly ever spans two ticks of the autopilot, so it
  // costs a fifth more work, and a flight from the ground is known to millimetres instead of metres
  // (docs/compare.md).
  Tolerance position{1e-9, 1e-9};
  Tolerance velocity{1e-9, 1e-9};
  Tolerance rate{1e-9, 1e-9};
  double attitude_atol_rad = 1e-9;
  Tolerance actuator{0.0, math::infinity()};
  Tolerance actuator_rate{0.0, math::infinity()};
  Tolerance rotor{0.0, 1e-4};
  Tolerance charge{0.0, 1e-8};
  Tolerance polarisation{0.0, 1e-5};

  std::uint64_t h_min_us = 1;          ///< really tried before giving up
  std::uint64_t h_max_us = 0;          ///< 0: no limit
  std::uint64_t h_init_us = 0;         ///< 0: chosen from the derivatives at the start
  std::uint64_t max_attempts = 50000;  ///< accepted and rejected steps within one interval
  double safety = 0.9;
  double min_factor = 0.2;
  double max_factor = 5.0;

  /// Tolerance of the entries of a group; the attitude's is an angle and has no relative part.
  [[nodiscard]] TACTUS_HD constexpr Tolerance tolerance(ErrorGroup group) const {
    switch (group) {
      case ErrorGroup::kPosition: return position;
      case ErrorGroup::kVelocity: return velocity;
      case ErrorGroup::kAttitude: return {0.0, attitude_atol_rad};
      case ErrorGroup::kRate: return rate;
      case ErrorGroup::kActuator: return actuator;
      case ErrorGroup::kActuatorRate: return actuator_rate;
      case ErrorGroup::kRotor: return rotor;
      case ErrorGroup::kCharge: return charge;
      case ErrorGroup::kPolarisation: return polarisation;
      case ErrorGroup::kOther: break;
    }
    return {0.0, math::infinity()};
  }

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("method", "", self.method, "euler, rk4, rk23, rk45 or lie_rk4");
    visit("step_us", "us", self.step_us, "fixed methods; 0: one step per interval");
    visit("position", "", self.position, "atol in m");
    visit("velocity", "", self.velocity, "atol in m/s");
    visit("rate", "", self.rate, "atol in rad/s");
    visit("attitude_atol_rad", "rad", self.attitude_atol_rad);
    visit("actuator", "", self.actuator, "atol in 1");
    visit("actuator_rate", "", self.actuator_rate, "atol in 1/s");
    visit("rotor", "", self.rotor, "atol in rad/s");
    visit("charge", "", self.charge, "atol in 1");
    visit("polarisation", "", self.polarisation, "atol in V");
    visit("h_min_us", "us", self.h_min_us);
    visit("h_max_us", "us", self.h_max_us, "0: no limit");
    visit("h_init_us", "us", self.h_init_us, "0: automatic");
    visit("max_attempts", "", self.max_attempts, "per interval");
    visit("safety", "1", self.safety);
    visit("min_factor", "1", self.min_factor);
    visit("max_factor", "1", self.max_factor);
  }
};
static_assert(lists_every_field<SolverConfig>());

/// The longest step of a fixed method, over intervals up to this length.
constexpr DurationUs longest_fixed_step(const SolverConfig& config, DurationUs longest_interval) {
  TACTUS_ASSERT(!is_adaptive(config.method), "a method with fixed steps");
  const bool is_cut = config.step_us != 0 && config.step_us < longest_interval.us;
  return is_cut ? DurationUs(config.step_us) : longest_interval;
}

/// What one step of a fixed method still resolves, well within its limits of stability.
struct ResolvedByStep {
  double decay;      ///< rate of a decay times the step
  double phase_rad;  ///< of an oscillation
};
constexpr ResolvedByStep resolved_by_step(Method method) {
  TACTUS_ASSERT(!is_adaptive(method), "a method with fixed steps");
  if (method == Method::kEuler) return {.decay = 1.8, .phase_rad = 0.125};
  return {.decay = 2.5, .phase_rad = 1.0};
}

/// The defaults of a method. RK23 is for loose tolerances: 1e-6, and 10,000 attempts.
TACTUS_HD constexpr SolverConfig default_config(Method method) {
  SolverConfig config;
  config.method = method;
  if (method == Method::kRk23) {
    config.position = config.velocity = config.rate = {1e-6, 1e-6};
    config.attitude_atol_rad = 1e-6;
    config.rotor = config.charge = config.polarisation = {0.0, math::infinity()};
    config.max_attempts = 10000;
  }
  return config;
}

/// Throws Error(kBadInput) that names the first value out of range.
void validate(const SolverConfig& config, std::string_view where = "solver");

}  // namespace tactus
