// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a multirotor needs to hover where its flight begins: still air, packs as charged at the
// start, all rotors at one command.

#include <optional>

#include "tactus/autopilot/airframe/thrust_curve.h"
#include "tactus/plant/multirotor.h"

namespace tactus {

struct HoverFigures {
  double weight_n = 0.0;
  SteadyRotors full;                  ///< all rotors at full command
  std::optional<SteadyRotors> hover;  ///< none: too heavy
  double charge_ah = 0.0;             ///< of all packs at the start
  double current_a = 0.0;             ///< in the hover: motors and avionics

  [[nodiscard]] double thrust_to_weight() const { return full.lift_n / weight_n; }
  /// Until the packs are empty, at the current of the start: as voltage falls it grows, so this is
  /// an upper end. 0: no hover, or no current.
  [[nodiscard]] double endurance_s() const;
};

/// `vehicle` is made of `parameters`.
HoverFigures hover_figures(const MultirotorParameters& parameters, const Multirotor& vehicle);

}  // namespace tactus
