// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What every type of vehicle owes, and the ball from its spec to the ground.

#include "tactus/spec/vehicle/vehicle_type.h"

#include <gtest/gtest.h>

#include <string>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/record/memory_log.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/spec_starter.h"

namespace tactus {
namespace {

Spec starter_of(const VehicleType& type) {
  return load_spec_text(starter_spec(type.name()), "starter.toml").spec;
}

TEST(VehicleTypes, AreFoundByTheirNames) {
  ASSERT_EQ(vehicle_types().size(), vehicle_type_names().size());
  for (const VehicleType* type : vehicle_types()) {
    EXPECT_EQ(&vehicle_type(starter_of(*type)), type);
  }
  EXPECT_THROW(starter_spec("submarine"), Error);
}

TEST(VehicleTypes, CountsOfASpecAreThoseOfItsPlant) {
  for (const VehicleType* type : vehicle_types()) {
    const Spec spec = starter_of(*type);
    const VehicleCounts told = type->counts(spec);
    const VehicleCounts flown = type->plant(spec)->counts();
    EXPECT_EQ(told.motors, flown.motors) << type->name();
    EXPECT_EQ(told.servos, flown.servos) << type->name();
    EXPECT_EQ(told.packs, flown.packs) << type->name();
    EXPECT_EQ(told.buses, flown.buses) << type->name();
    EXPECT_EQ(told.gear_points, flown.gear_points) << type->name();
    EXPECT_EQ(type->packs(spec).size(), static_cast<std::size_t>(told.packs)) << type->name();
    EXPECT_EQ(spec.parts.rotors.size(), static_cast<std::size_t>(told.motors)) << type->name();
    EXPECT_EQ(spec.parts.packs.size(), static_cast<std::size_t>(told.packs)) << type->name();
  }
}

TEST(VehicleTypes, EveryParameterIsPartOfTheDigest) {
  for (const VehicleType* type : vehicle_types()) {
    const Spec spec = starter_of(*type);
    const Spec other = load_spec_text(starter_spec(type->name()), "starter.toml",
                                      std::vector<Override>{{"world.altitude_msl_m", "12"}})
                           .spec;
    EXPECT_NE(spec.digest, other.digest) << type->name();
  }
  const std::string ball = starter_spec("ball");
  const std::vector<Override> heavier = {{"ball.mass_kg", "1.5"}};
  EXPECT_NE(load_spec_text(ball, "b.toml").spec.digest,
            load_spec_text(ball, "b.toml", heavier).spec.digest);
}

TEST(Ball, IsDroppedAndComesToRest) {
  Assembly flight = assemble(load_spec(find_spec("ball_drop")));
  MemoryLog log({"truth.height_m", "truth.speed_m_s", "loads.impact_speed_m_s"});
  Observers observers;
  observers.hooks = {flight.monitor.get()};
  observers.sinks = {&log};
  fly(flight.run, observers);
  const FlightOutcome outcome = flight.monitor->outcome();
  EXPECT_TRUE(outcome.passed()) << outcome.results.front().message;
  EXPECT_FALSE(outcome.crashed()) << "what is thrown does not crash";
  EXPECT_GT(log.column("loads.impact_speed_m_s").back(), 15.0);
}

TEST(Ball, HasNoAutopilot) {
  const std::vector<Override> steered = {{"autopilot.kind", "\"builtin\""},
                                         {"time.autopilot_s", "0.004"},
                                         {"time.sensors_s", "0.004"}};
  const LoadedSpec loaded = load_spec_text(starter_spec("ball"), "b.toml", steered);
  try {
    assemble(loaded);
    FAIL() << "something steers it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nothing steers a ball"), std::string::npos)
        << error.what();
  }
}

TEST(Ball, LiesOnTheGroundWithItsLowestPoint) {
  const std::vector<Override> lying = {{"initial.on_ground", "true"},
                                       {"initial.euler_deg", "[45, 0, 0]"}};
  const Spec spec = load_spec_text(starter_spec("ball"), "b.toml", lying).spec;
  Bus bus;
  vehicle_type(spec).plant(spec)->publish_state(bus);
  EXPECT_NEAR(bus.truth.height_m, 0.05 * std::sqrt(0.5), 1e-15);
  EXPECT_EQ(bus.truth.speed_m_s, 0.0);
}

}  // namespace
}  // namespace tactus
