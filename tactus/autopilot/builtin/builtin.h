// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The built-in autopilot of multirotors: navigator above, MultirotorControl below, both stepped at
// every tick. A copy shares the plan and owns the rest, which is plain data.

#include <cstdint>
#include <memory>

#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/autopilot/builtin/multirotor_control.h"
#include "tactus/autopilot/builtin/navigator.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {

class BuiltinAutopilot final : public BuiltinVehicle {
 public:
  /// `period` is that of the autopilot's axis. Throws Error if the parameters are out of range or
  /// the vehicle cannot hover.
  BuiltinAutopilot(const BuiltinParameters& parameters, const Multirotor& vehicle,
                   std::shared_ptr<const FlightPlan> plan, DurationUs period);

  [[nodiscard]] const char* name() const override { return "builtin"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  /// Parameters that were changed in flight stay changed, as in a permanent memory.
  void restart() override;
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

  [[nodiscard]] const BuiltinParameters& parameters() const override { return parameters_; }
  void set_parameters(const BuiltinParameters& parameters) override;
  [[nodiscard]] const FlightPlan& plan() const override { return navigator_.plan(); }
  void set_plan(std::shared_ptr<const FlightPlan> plan) override;
  void set_item(int item) override { navigator_.set_item(item); }
  [[nodiscard]] Vec3 home() const override { return navigator_.state().home_W_m; }

  [[nodiscard]] const NavigatorState& navigator() const { return navigator_.state(); }
  [[nodiscard]] const MultirotorControl& control() const { return control_; }

 private:
  void take_parameter(const ParameterChange& change);
  void watch_motors();

  BuiltinParameters given_;       ///< before the flight
  BuiltinParameters parameters_;  ///< in force
  int pack_count_ = 0;
  std::uint32_t changes_seen_ = 0;
  std::uint32_t lost_mask_ = 0;  ///< that tilt_controlled_ belongs to
  bool tilt_controlled_ = true;
  Navigator navigator_;
  MultirotorControl control_;
};

}  // namespace tactus
