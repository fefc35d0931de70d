// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The two-wheeled rover as a type of vehicle.

#include "tactus/autopilot/builtin/builtin_rover.h"
#include "tactus/core/checks.h"
#include "tactus/spec/schema/table_builder.h"
#include "tactus/spec/vehicle/vehicle_type.h"
#include "tactus/vehicle/rover_plant.h"

namespace tactus {
namespace {

constexpr char kStarter[] = R"([vehicle]
kind = "rover"

[rover]
max_speed_m_s = 1.5
track_m = 0.45              # distance between the wheels

[time]
end_s = 20.0
autopilot_s = 0.01
sensors_s = 0.01
wind_s = 0.0                # not used

[estimator]
delay_s = 0.01              # a multiple of sensors_s

[solver]
method = "rk45"

[autopilot]
kind = "builtin"
cruise_speed_m_s = 1.2
# mission = "square.plan"   # beside this file, or a shipped one. Then: do = "mission"

[[event]]
id = "arm"
at_s = 1.0
do = "arm"

[[event]]
id = "hold"
at_s = 2.0
do = "hold"

# What must hold decides the exit code of `tactus run`.
[[expect]]
id = "stays"
kind = "stay_inside"
radius_m = 1.0
)";

const RoverParameters& rover_of(const Spec& spec) {
  return std::get<RoverParameters>(spec.vehicle);
}

class RoverDraft final : public VehicleDraft {
 public:
  void add_keys(SchemaTable& schema, const TomlNode& /*root*/) override {
    schema.tables.push_back(table_of("rover", "two-wheeled vehicle", rover_));
  }
  void finish(const SchemaTable& /*schema*/, const SpecPlaces& /*places*/, Spec& spec) override {
    spec.vehicle = rover_;
  }

 private:
  RoverParameters rover_;
};

class RoverType final : public VehicleType {
 public:
  [[nodiscard]] const char* name() const override { return "rover"; }
  [[nodiscard]] const char* starter() const override { return kStarter; }
  [[nodiscard]] std::unique_ptr<VehicleDraft> draft(const TomlNode* /*root*/) const override {
    return std::make_unique<RoverDraft>();
  }

  [[nodiscard]] VehicleCounts counts(const Spec& /*spec*/) const override { return {.servos = 2}; }
  [[nodiscard]] const char* servo_names() const override { return "left and right wheels"; }
  [[nodiscard]] bool flies() const override { return false; }
  [[nodiscard]] std::uint8_t mav_type(const Spec& /*spec*/) const override { return 10; }

  void check(const Spec& spec, DurationUs /*longest_interval*/) const override {
    validate(rover_of(spec), "rover");
    const Vec3 normal_W = spec.world.ground.normal_W;
    if (spec.world.ground.present && (normal_W.x != 0.0 || normal_W.y != 0.0)) {
      refuse_key("world.ground.normal_ned",
                 "a rover moves in a level plane: it needs level ground, [0, 0, -1]");
    }
  }

  [[nodiscard]] std::unique_ptr<Plant> plant(const Spec& spec) const override {
    const World world = make_world(spec.world);
    RoverStart start;
    start.position_W_m = spec.initial.position_W_m;
    if (spec.initial.on_ground) {
      start.position_W_m =
          point_above(world.ground, start.position_W_m.x, start.position_W_m.y, 0.0);
    }
    require_air_at_start(spec, world, start.position_W_m);
    start.heading_rad = yaw_of(spec.initial.attitude);
    return make_rover_plant(rover_of(spec), world, spec.solver, start);
  }
  [[nodiscard]] std::vector<StateOwner> state_owners() const override {
    return rover_state_owners();
  }

  [[nodiscard]] std::unique_ptr<BuiltinVehicle> builtin_autopilot(
      const Spec& spec, std::shared_ptr<const FlightPlan> plan) const override {
    return std::make_unique<BuiltinRover>(spec.builtin, rover_of(spec), std::move(plan),
                                          spec.timeline.autopilot);
  }
};

}  // namespace

const VehicleType& vehicle_type_of(const RoverParameters&) {
  static const RoverType type;
  return type;
}

}  // namespace tactus
