// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/ball_plant.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/vehicle/rigid_body_signals.h"
#include "tactus/vehicle/system_plant.h"

namespace tactus {
namespace {

/// Touchdown speed for which a fixed step must resolve the contact.
constexpr double kDesignImpactSpeed_m_s = 10.0;

class BallPlant final : public SystemPlant<BallPlant, BallSystem, BallModes> {
 public:
  static constexpr const char* kName = "ball";

  BallPlant(const Ball& ball, const SolverConfig& solver, const BallStart& start)
      : SystemPlant(solver), ball_(std::make_shared<const Ball>(ball)) {
    store(flight_.x + BallLayout::kPosition, start.position_W_m);
    store(flight_.x + BallLayout::kVelocity, start.velocity_W_m_s);
    store(flight_.x + BallLayout::kAttitude, start.attitude);
    store(flight_.x + BallLayout::kRate, start.rate_B_rad_s);
    flip_contacts([](int) {});  // what touches at the start does so silently
  }

  using SystemPlant::publish_outputs;
  using SystemPlant::publish_state;

  [[nodiscard]] BallSystem system_at(TimeUs now) const {
    return {.ball = ball_.get(),
            .modes = flight_.modes,
            .wind_W_m_s = wind_.at(now),
            .wind_slope_W_m_s2 = wind_.slope_W_m_s2};
  }

  [[nodiscard]] VehicleCounts counts() const override { return {.gear_points = ball_->points}; }

  bool hold(const Bus& bus) override {
    if (!wind_.take(bus)) return false;
    memory_.invalidate_derivative();
    return true;
  }

  void settle(Bus& bus) override {
    flip_contacts([&](int point) {
      const bool touches = has_bit(flight_.modes.touching, point);
      notes_.push_back({bus.time, touches ? "touchdown" : "liftoff", point});
      if (!touches) return;
      const Vec3 point_B_m = ball_->parameters.contact.position_B_m[point];
      impact_speed_m_s_ = math::max(
          impact_speed_m_s_, closing_speed_m_s(ball_->world, motion_in(flight_.x), point_B_m));
    });
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override {
    return rigid_body_watch(leaf);
  }

  void require_step_resolves(DurationUs longest_interval) const override {
    if (is_adaptive(solver_.method) || ball_->points == 0) return;
    const DurationUs step = longest_fixed_step(solver_, longest_interval);
    const BallParameters& p = ball_->parameters;
    const ContactRates rates = contact_rates(p.contact, p.mass_kg, kDesignImpactSpeed_m_s);
    const auto [decay, phase_rad] = resolved_by_step(solver_.method);
    if (to_seconds(step) * rates.normal_rad_s <= phase_rad &&
        to_seconds(step) * rates.friction_per_s <= decay) {
      return;
    }
    refuse("solver", "step_us", static_cast<double>(step.us),
           "too long for the contact of the ball; use a shorter step or an adaptive method");
  }

  void publish_state(const double* x, Bus& bus) const {
    publish_motion(ball_->world, motion_in(x), bus.truth);
  }

  void publish_outputs(const double* x, TimeUs now, Bus& bus) const {
    double dx[BallLayout::kCapacity];
    BallOutputs out;
    const Status status = system_at(now).evaluate(0.0, x, dx, &out);
    if (status != Status::kOk) {
      throw Error(ExitCode::kRunStopped,
                  fmt::format("t = {} us: no outputs: {}", now.us, to_text(status)));
    }
    Truth& truth = bus.truth;
    truth.acceleration_W_m_s2 = out.acceleration_W_m_s2;
    truth.angular_acceleration_B_rad_s2 = load_vec3(dx + BallLayout::kRate);
    truth.specific_force_B_m_s2 = out.specific_force_B_m_s2;
    truth.air_velocity_B_m_s = out.air_velocity_B_m_s;
    const AirState air = air_at(ball_->world, load_vec3(x + BallLayout::kPosition));
    bus.environment = {air.density_kg_m3, air.pressure_pa, air.temperature_k, wind_.at(now)};
    for (int k = 0; k < ball_->points; ++k) bus.loads.gear_force_n[k] = out.contact_force_n[k];
    bus.loads.gear_touching_mask = flight_.modes.touching;
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  void save_input(StateWriter& to) const {
    to.add_fields("modes", flight_.modes);
    to.add(impact_speed_m_s_);
  }
  void load_input(StateReader& from) {
    from.get_fields("modes", flight_.modes);
    impact_speed_m_s_ = from.get<double>();
    if ((flight_.modes.touching >> ball_->points) != 0) {
      from.refuse("holds a contact that this ball does not have");
    }
  }

 private:
  static RigidBodyEntries motion_in(const double* x) {
    return {x + BallLayout::kPosition, x + BallLayout::kVelocity, x + BallLayout::kAttitude,
            x + BallLayout::kRate};
  }

  /// Points are independent of each other, so one pass settles all.
  template <class Flipped>
  void flip_contacts(Flipped flipped) {
    double g[BallSystem::kGuardCapacity];
    system_at(wind_.since).guards(0.0, flight_.x, g);
    TACTUS_ASSERT((flight_.modes.touching >> ball_->points) == 0, "contacts of this ball");
    for (int k = 0; k < ball_->points; ++k) {
      if (!(g[k] >= 0.0)) continue;
      flight_.modes.touching ^= bit(k);
      memory_.invalidate_derivative();
      flipped(k);
    }
  }

  std::shared_ptr<const Ball> ball_;
  double impact_speed_m_s_ = 0.0;
};

}  // namespace

std::unique_ptr<Plant> make_ball_plant(const Ball& ball, const SolverConfig& solver,
                                       const BallStart& start) {
  return std::make_unique<BallPlant>(ball, solver, start);
}

std::vector<StateOwner> ball_state_owners() {
  const Ball ball;
  return state_owners<BallModes>(BallSystem{.ball = &ball}.parts());
}

}  // namespace tactus
