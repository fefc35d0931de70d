// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a ground station may change on a built-in autopilot, besides giving it orders. All of it is
// for the time between two ticks.

#include <memory>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/core/vec.h"

namespace tactus {

class BuiltinVehicle : public Autopilot {
 public:
  /// In force now.
  [[nodiscard]] virtual const BuiltinParameters& parameters() const = 0;
  /// They must be valid. As all that is changed in flight they outlive a restart.
  virtual void set_parameters(const BuiltinParameters& parameters) = 0;

  [[nodiscard]] virtual const FlightPlan& plan() const = 0;
  /// Another mission, from its first item. If the old one is being flown, the next tick must bring
  /// an order: which item of the new one it is at cannot be known.
  virtual void set_plan(std::shared_ptr<const FlightPlan> plan) = 0;
  /// The item that the next order to fly the mission starts with; one of the plan. If the mission
  /// is being flown, the next tick must bring that order.
  virtual void set_item(int item) = 0;

  /// Where it was armed last, in the world.
  [[nodiscard]] virtual Vec3 home() const = 0;
};

}  // namespace tactus
