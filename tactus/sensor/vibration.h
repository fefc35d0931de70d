// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What unbalanced rotors do to an inertial instrument: each shakes it once per turn, at its own
// angle, with an amplitude that grows with the square of its speed.
//
//   a_i = gain ∘ (cos φ_i, sin φ_i, sin φ_i) (Ω_i / Ω_ref)²,   φ_i' = Ω_i
// The angle is the integral of the rotor speed (trapezoid between ticks), so the phase is that of
// the rotor, and two rotors at nearly one speed beat. The mean over a sample interval is exact for
// a constant speed: mean sin φ = sin φ_mid · sin(Δφ/2) / (Δφ/2). The
// rotors' marks are a golden angle apart, so that no two shake alike. Units: rad, rad/s; amplitudes
// in the unit of the gain.

#include <span>

#include "tactus/core/fields.h"
#include "tactus/core/vec.h"
#include "tactus/signal/limits.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// Where the rotors stood at the last tick; copyable.
struct RotorAngles {
  double angle_rad[kMaxMotors] = {};  ///< turned so far, in [0, 2π)
  double speed_rad_s[kMaxMotors] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("angle_rad", "rad", self.angle_rad, "turned so far, within one turn");
    visit("speed_rad_s", "rad/s", self.speed_rad_s, "of each rotor at the last tick");
  }
};
static_assert(lists_every_field<RotorAngles>());

/// Shape of the shaking, to be multiplied with the gains of the instrument, axis by axis: its mean
/// over the interval of `dt_s` that ends now or, if not `mean`, its value now. Moves the angles on.
/// The first tick has dt_s = 0. At most kMaxMotors rotors.
Vec3 step_vibration(std::span<const EscStatus> rotors, double reference_speed_rad_s, double dt_s,
                    bool mean, RotorAngles& state);

}  // namespace tactus
