// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Speed and heading loops of a differential-drive rover (plant/rover.h).
//
//   turn rate  r = clamp(k (ψ* − ψ), ±0.9 r_max),   k = 1 / (4 (τ + T))
//   speed      u = v* + ∫ k (v* − v) dt,            integral held while the wheels are at a limit
//   wheels     left = (u + r b/2)/s, right = (u − r b/2)/s; the turn goes before the speed
// ψ̇ = r behind the lag τ of the wheels and the tick T is a double integrator with one lag: this k
// gives it critical damping. v* moves with limited acceleration. All gains follow from
// RoverParameters and the tick. Units SI, heading clockwise from north. Same bits; plain data.

#include "tactus/core/fields.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/plant/rover.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct RoverSetpoint {
  double speed_m_s = 0.0;  ///< forward
  double heading_rad = 0.0;
};

struct RoverControlState {
  double speed_m_s = 0.0;           ///< reference
  double speed_integral_m_s = 0.0;  ///< what the wheels need beyond it

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("speed_m_s", "m/s", self.speed_m_s, "reference");
    visit("speed_integral_m_s", "m/s", self.speed_integral_m_s, "what the wheels need beyond it");
  }
};
static_assert(lists_every_field<RoverControlState>());

class RoverControl {
 public:
  RoverControl(const RoverParameters& parameters, DurationUs period);

  /// One tick. Writes servo channels 0 (left) and 1 (right).
  void step(const Estimate& estimate, const RoverSetpoint& setpoint, double acceleration_m_s2,
            Command& command);
  /// Wheels without drive, state at rest.
  void stop(Command& command);

  /// Speed that leaves the wheels room to turn.
  [[nodiscard]] double top_speed_m_s() const { return top_speed_m_s_; }
  [[nodiscard]] double gain_per_s() const { return gain_per_s_; }
  [[nodiscard]] const RoverControlState& state() const { return state_; }

  void save(StateWriter& to) const { to.add_fields("rover control", state_); }
  void load(StateReader& from) { from.get_fields("rover control", state_); }

 private:
  RoverParameters parameters_;
  double dt_s_ = 0.0;
  double gain_per_s_ = 0.0;
  double top_speed_m_s_ = 0.0;
  RoverControlState state_;
};

}  // namespace tactus
