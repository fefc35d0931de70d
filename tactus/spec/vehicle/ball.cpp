// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The ball as a type of vehicle: a rigid body that nothing drives.

#include "tactus/core/checks.h"
#include "tactus/spec/vehicle/body_keys.h"
#include "tactus/spec/vehicle/vehicle_type.h"
#include "tactus/vehicle/ball_plant.h"

namespace tactus {
namespace {

constexpr char kStarter[] = R"([vehicle]
kind = "ball"

[ball]
mass_kg = 1.0
inertia_diagonal_kg_m2 = [0.001, 0.001, 0.001]
reference_area_m2 = 0.00785               # of all coefficients
reference_length_m = [0.1, 0.1, 0.1]
drag_coefficient = [0.47, 0.47, 0.47]     # a sphere

[ball.contact]
positions_body_m = [[0.05, 0, 0], [-0.05, 0, 0], [0, 0.05, 0], [0, -0.05, 0],
                    [0, 0, 0.05], [0, 0, -0.05]]

[initial]
on_ground = false
position_ned_m = [0.0, 0.0, -50.0]
velocity_ned_m_s = [5.0, 0.0, 0.0]

[time]
end_s = 10.0
autopilot_s = 0.02          # nothing steers; the summary samples these ticks
sensors_s = 0.0             # not used

[solver]
method = "rk45"

[autopilot]
kind = "none"

# What must hold decides the exit code of `tactus run`.
[[expect]]
id = "comes_down"
kind = "final"
signal = "truth.height_m"
value = 0.04               # it comes to rest on three points
tolerance = 0.02
)";

const BallParameters& ball_of(const Spec& spec) { return std::get<BallParameters>(spec.vehicle); }

class BallDraft final : public VehicleDraft {
 public:
  void add_keys(SchemaTable& schema, const TomlNode& /*root*/) override {
    SchemaTable table = table_of("ball", "rigid body that nothing drives", ball_, {"contact"});
    add_inertia_diagonal(table, inertia_diagonal_kg_m2_);
    table.tables.push_back(gear_table("contact", "points that touch the ground", ball_.contact));
    schema.tables.push_back(std::move(table));
  }
  void finish(const SchemaTable& /*schema*/, const SpecPlaces& places, Spec& spec) override {
    if (places.given("ball.inertia_diagonal_kg_m2")) {
      ball_.inertia_kg_m2 = Mat3::diagonal(inertia_diagonal_kg_m2_);
    }
    spec.vehicle = ball_;
  }

 private:
  BallParameters ball_;
  Vec3 inertia_diagonal_kg_m2_;
};

/// On the ground it lies with its lowest point, tilted as the spec says.
Vec3 starting_position(const InitialSpec& initial, const Ball& ball) {
  if (!initial.on_ground) return initial.position_W_m;
  double lowest_m = 0.0;
  for (int k = 0; k < ball.points; ++k) {
    const Vec3 point_W = rotate(initial.attitude, ball.parameters.contact.position_B_m[k]);
    lowest_m = math::min(lowest_m, dot(ball.world.ground.normal_W, point_W));
  }
  return point_above(ball.world.ground, initial.position_W_m.x, initial.position_W_m.y, -lowest_m);
}

class BallType final : public VehicleType {
 public:
  [[nodiscard]] const char* name() const override { return "ball"; }
  [[nodiscard]] const char* starter() const override { return kStarter; }
  [[nodiscard]] std::unique_ptr<VehicleDraft> draft(const TomlNode* /*root*/) const override {
    return std::make_unique<BallDraft>();
  }

  [[nodiscard]] VehicleCounts counts(const Spec& spec) const override {
    return {.gear_points = spec.world.ground.present ? ball_of(spec).contact.count : 0};
  }
  [[nodiscard]] bool flies() const override { return true; }
  [[nodiscard]] bool can_crash() const override { return false; }
  [[nodiscard]] std::uint8_t mav_type(const Spec& /*spec*/) const override { return 0; }

  void check(const Spec& spec, DurationUs longest_interval) const override {
    plant(spec)->require_step_resolves(longest_interval);
  }

  [[nodiscard]] std::unique_ptr<Plant> plant(const Spec& spec) const override {
    const InitialSpec& initial = spec.initial;
    const Ball ball = make_ball(ball_of(spec), make_world(spec.world));
    require_place_to_start(initial, ball.world, ball.parameters.contact);
    BallStart start{starting_position(initial, ball), {}, initial.attitude, {}};
    if (!initial.on_ground) {
      start.velocity_W_m_s = initial.velocity_W_m_s;
      start.rate_B_rad_s = initial.rate_B_rad_s;
    }
    require_air_at_start(spec, ball.world, start.position_W_m);
    return make_ball_plant(ball, spec.solver, start);
  }
  [[nodiscard]] std::vector<StateOwner> state_owners() const override {
    return ball_state_owners();
  }

  [[nodiscard]] std::unique_ptr<BuiltinVehicle> builtin_autopilot(
      const Spec& /*spec*/, std::shared_ptr<const FlightPlan> /*plan*/) const override {
    refuse_key("autopilot.kind", "nothing steers a ball; use \"none\"");
  }
  [[nodiscard]] std::unique_ptr<Autopilot> external_autopilot(
      const Spec& /*spec*/, const ExternalAutopilots& /*external*/) const override {
    refuse_key("autopilot.kind", "nothing steers a ball; use \"none\"");
  }
};

}  // namespace

const VehicleType& vehicle_type_of(const BallParameters&) {
  static const BallType type;
  return type;
}

}  // namespace tactus
