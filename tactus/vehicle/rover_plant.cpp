// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/rover_plant.h"

#include <fmt/format.h>

#include <optional>

#include "tactus/core/bits.h"
#include "tactus/core/checks.h"
#include "tactus/core/packed.h"
#include "tactus/vehicle/rigid_body_signals.h"
#include "tactus/vehicle/system_plant.h"

namespace tactus {
namespace {

struct RoverModes {
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& /*self*/, Visitor&& /*visit*/) {}
};

class RoverPlant final : public SystemPlant<RoverPlant, RoverSystem, RoverModes> {
 public:
  static constexpr const char* kName = "rover";

  RoverPlant(const RoverParameters& parameters, const World& world, const SolverConfig& solver,
             const RoverStart& start)
      : SystemPlant(solver), world_(world), air_(air_at(world, Vec3{})) {
    validate(parameters, "rover");
    system_.parameters = parameters;
    store(flight_.x + RoverLayout::kPosition, start.position_W_m);
    flight_.x[RoverLayout::kHeading] = start.heading_rad;
  }

  using SystemPlant::publish_outputs;
  using SystemPlant::publish_state;

  [[nodiscard]] RoverSystem system_at(TimeUs /*now*/) const { return system_; }

  [[nodiscard]] VehicleCounts counts() const override { return {.servos = 2}; }

  bool hold(const Bus& bus) override {
    const auto drive = [&bus](int wheel) {
      return has_bit(bus.faults.servo_stuck_mask, wheel) ? bus.faults.servo_stuck[wheel]
                                                         : bus.command.servo[wheel];
    };
    const RoverInput input{drive(0), drive(1)};
    const bool is_new_wind = wind_.take(bus);
    if (input.left_command == system_.input.left_command &&
        input.right_command == system_.input.right_command) {
      return is_new_wind;
    }
    validate(input, "rover command");
    system_.input = input;
    memory_.invalidate_derivative();
    return true;
  }

  void settle(Bus& bus) override { bus.loads.gear_touching_mask = 1; }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override {
    const std::optional<Watch> watch = rigid_body_watch(leaf);
    if (!watch) return std::nullopt;
    switch (watch->quantity) {  // of a motion in a plane
      case WatchQuantity::kPosition:
      case WatchQuantity::kVelocity: return watch->index < 2 ? watch : std::nullopt;
      case WatchQuantity::kRate: return watch->index == 2 ? watch : std::nullopt;
      case WatchQuantity::kSpeed: return watch;
      default: return std::nullopt;
    }
  }

  void require_step_resolves(DurationUs longest_interval) const override {
    if (is_adaptive(solver_.method)) return;
    const std::uint64_t step_us = longest_fixed_step(solver_, longest_interval).us;
    if (static_cast<double>(step_us) * 1e-6 <= 1.8 * system_.parameters.wheel_time_constant_s) {
      return;
    }
    refuse_key(
        "solver.step_us", fmt::format("{}", step_us),
        fmt::format("too long for rover.wheel_time_constant_s = {}; use a shorter step or an "
                    "adaptive method",
                    system_.parameters.wheel_time_constant_s));
  }

  void save_input(StateWriter& to) const { to.add_fields("held input", system_.input); }
  void load_input(StateReader& from) { from.get_fields("held input", system_.input); }

  void publish_state(const double* x, Bus& bus) const {
    Truth& truth = bus.truth;
    truth.position_W_m = {x[RoverLayout::kPosition], x[RoverLayout::kPosition + 1],
                          x[RoverLayout::kPosition + 2]};
    truth.velocity_W_m_s = rover_velocity(system_.parameters, x);
    truth.attitude = from_euler({0.0, 0.0, x[RoverLayout::kHeading]});
    truth.rate_B_rad_s = {0.0, 0.0, rover_motion(system_.parameters, x).turn_rate_rad_s};
    truth.speed_m_s = norm(truth.velocity_W_m_s);
    truth.height_m = height_m(world_, truth.position_W_m) + 0.0;  // not −0
  }

  void publish_outputs(const double* x, TimeUs now, Bus& bus) const {
    double dx[RoverLayout::kSize];
    system_.derivative(0.0, x, dx);
    const RoverMotion motion = rover_motion(system_.parameters, x);
    const double forward_m_s2 = 0.5 * (dx[RoverLayout::kLeftSpeed] + dx[RoverLayout::kRightSpeed]);
    const Vec3 a_B{forward_m_s2, motion.speed_m_s * motion.turn_rate_rad_s, 0.0};
    const Vec3 wind_W_m_s = wind_.at(now);
    Truth& truth = bus.truth;
    truth.acceleration_W_m_s2 = rotate(truth.attitude, a_B);
    truth.angular_acceleration_B_rad_s2 = {
        0.0, 0.0,
        (dx[RoverLayout::kLeftSpeed] - dx[RoverLayout::kRightSpeed]) / system_.parameters.track_m};
    truth.specific_force_B_m_s2 = a_B - gravity_at(world_, truth.position_W_m);
    truth.air_velocity_B_m_s = rotate(conjugate(truth.attitude), wind_W_m_s - truth.velocity_W_m_s);
    bus.environment = {air_.density_kg_m3, air_.pressure_pa, air_.temperature_k, wind_W_m_s};
    bus.loads.servo_output[0] = system_.input.left_command;
    bus.loads.servo_output[1] = system_.input.right_command;
    bus.loads.gear_touching_mask = 1;
  }

 private:
  World world_;
  AirState air_;
  RoverSystem system_;
};

}  // namespace

std::unique_ptr<Plant> make_rover_plant(const RoverParameters& parameters, const World& world,
                                        const SolverConfig& solver, const RoverStart& start) {
  return std::make_unique<RoverPlant>(parameters, world, solver, start);
}

std::vector<StateOwner> rover_state_owners() {
  return state_owners<RoverModes>(RoverSystem::parts());
}

}  // namespace tactus
