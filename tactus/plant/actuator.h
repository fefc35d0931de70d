// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Actuator: from a held command u to an output y (motor duty [0,1], servo deflection [−1,1]).
//
//   direct        y = u, no state
//   first order   ẏ = clamp((u − y)/τ, ±r)
//   second order  ẏ = s,  s = clamp(v, ±r)
//                 v̇ = ωn² (u − y) − 2 ζ ωn s, and zero while |v| ≥ r and v̇ points outward
//
// Rate-limit law: r = rate_limit_per_s bounds ẏ exactly. At the limit the rate state stops growing
// (no wind-up), so the output leaves the ramp at the instant the unlimited law asks for less rate.
// Units: y and u are fractions; τ in s; ωn in rad/s; r in 1/s. Range: τ > 0, ωn > 0, ζ ≥ 0, r > 0
// (infinity = no limit).
// Kinks: at the rate limit (C⁰).
// Motors: rotor inertia already is a lag, so a lagged motor actuator counts it twice unless it
// stands for command shaping inside the ESC; the default for motors is therefore `direct`.

#include <cstdint>
#include <limits>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"

namespace tactus {

enum class ActuatorKind : std::uint8_t { kDirect, kFirstOrder, kSecondOrder };

struct ActuatorParameters {
  ActuatorKind kind = ActuatorKind::kDirect;
  double time_constant_s = 0.05;
  double natural_frequency_rad_s = 20.0;
  double damping_ratio = 0.7;
  double rate_limit_per_s = std::numeric_limits<double>::infinity();

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind, "direct, first_order or second_order");
    visit("time_constant_s", "s", self.time_constant_s, "first order: time constant");
    visit("natural_frequency_rad_s", "rad/s", self.natural_frequency_rad_s,
          "second order: undamped natural frequency");
    visit("damping_ratio", "1", self.damping_ratio, "second order: damping ratio");
    visit("rate_limit_per_s", "1/s", self.rate_limit_per_s, "largest rate of the output");
  }
};
static_assert(lists_every_field<ActuatorParameters>());

/// Number of states per channel: output, and for the second order its rate.
TACTUS_HD constexpr int actuator_order(ActuatorKind kind) { return static_cast<int>(kind); }

TACTUS_HD inline double first_order_rate(const ActuatorParameters& p, double command, double y) {
  TACTUS_ASSERT(p.time_constant_s > 0.0 && p.rate_limit_per_s > 0.0, "parameters as validated");
  return math::clamp((command - y) / p.time_constant_s, -p.rate_limit_per_s, p.rate_limit_per_s);
}

struct SecondOrderRates {
  double output_rate = 0.0;
  double rate_rate = 0.0;
};

TACTUS_HD inline SecondOrderRates second_order_rates(const ActuatorParameters& p, double command,
                                                     double y, double v) {
  TACTUS_ASSERT(
      p.natural_frequency_rad_s > 0.0 && p.damping_ratio >= 0.0 && p.rate_limit_per_s > 0.0,
      "parameters as validated");
  const double limit = p.rate_limit_per_s;
  const double s = math::clamp(v, -limit, limit);
  const double wn = p.natural_frequency_rad_s;
  const double acceleration = wn * wn * (command - y) - 2.0 * p.damping_ratio * wn * s;
  const bool winds_up = (v >= limit && acceleration > 0.0) || (v <= -limit && acceleration < 0.0);
  return {s, winds_up ? 0.0 : acceleration};
}

/// Throws Error naming `where` when a parameter is out of range.
void validate(const ActuatorParameters& p, std::string_view where);

/// Largest eigenvalue magnitude: a fixed step h needs h·this below the method's stability limit.
double fastest_rate_rad_s(const ActuatorParameters& p);

}  // namespace tactus
