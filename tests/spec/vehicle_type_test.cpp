// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What every type of vehicle owes, and the ball from its spec to the ground.

#include "tactus/spec/vehicle/vehicle_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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

/// "state.rotor_speed_rad_s[1]" without the index.
std::string without_index(const std::string& leaf) { return leaf.substr(0, leaf.find('[')); }

TEST(VehicleTypes, EveryNumberOfTheStateHasAnOwner) {
  for (const VehicleType* type : vehicle_types()) {
    const std::vector<StateOwner> owners = type->state_owners();
    for (const BusLeaf& leaf : type->plant(starter_of(*type))->state_leaves()) {
      const auto own = std::find_if(owners.begin(), owners.end(), [&](const StateOwner& owner) {
        return owner.name == without_index(leaf.name);
      });
      ASSERT_NE(own, owners.end()) << type->name() << ": " << leaf.name;
      EXPECT_TRUE(is_of_plant(own->owner)) << leaf.name;
      EXPECT_EQ(owner_of_state(leaf.name), own->owner)
          << leaf.name << " belongs to another part of another type";
    }
  }
  EXPECT_EQ(owner_of_state("modes.touching"), Component::kContact);
  EXPECT_EQ(owner_of_state("modes.bus_restart_us[0]"), Component::kBattery);
  EXPECT_EQ(owner_of_state("state.unheard_of"), Component::kUnknown);
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

TEST(Ball, IsInContactWhenItTouches) {
  const std::vector<Override> sensed = {{"time.sensors_s", "0.02"},
                                        {"estimator.delay_s", "0.02"},
                                        {"time.end_s", "20"},
                                        {"initial.position_ned_m", "[0, 0, -5]"}};
  Assembly flight = assemble(load_spec_text(starter_spec("ball"), "b.toml", sensed));
  MemoryLog log({"land.ground_contact", "land.landed", "truth.height_m"});
  Observers observers;
  observers.sinks = {&log};
  fly(flight.run, observers);
  const std::vector<double>& height = log.column("truth.height_m");
  for (std::size_t i = 0; i < height.size(); ++i) {
    if (height[i] < 0.06) continue;
    EXPECT_EQ(log.column("land.ground_contact")[i], 0.0) << height[i];
    EXPECT_EQ(log.column("land.landed")[i], 0.0) << height[i];
  }
  EXPECT_EQ(log.column("land.landed").back(), 1.0);
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
