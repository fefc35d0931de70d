// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The shipped specs: all of them load and can be flown with their solver, the two Irises are those
// of the code, and every aircraft has the figures that aircraft/README.md gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/plant/iris.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/vehicle/multirotor.h"
#include "tests/support/hover.h"
#include "tests/support/prior_art.h"

namespace tactus {
namespace {

constexpr double kHeight_m = 20.0;  // out of ground effect
constexpr double kGravity_m_s2 = 9.80665;

std::vector<std::string> spec_paths_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(data_root() + "/" + folder)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> all_specs() {
  std::vector<std::string> paths = spec_paths_in("aircraft");
  const std::vector<std::string> scenarios = spec_paths_in("scenarios");
  paths.insert(paths.end(), scenarios.begin(), scenarios.end());
  return paths;
}

std::string stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

Spec aircraft(const std::string& name) {
  return load_spec(data_root() + "/aircraft/" + name + ".toml").spec;
}

class ShippedSpec : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedSpec, LoadsAndItsStepResolvesTheVehicle) {
  const Spec spec = load_spec(GetParam()).spec;
  EXPECT_EQ(spec.name, stem(GetParam()));
  EXPECT_FALSE(spec.description.empty());
  EXPECT_FALSE(spec.expectations.empty());
  if (!std::holds_alternative<MultirotorParameters>(spec.vehicle)) return;
  const Multirotor vehicle = make_multirotor(spec);
  EXPECT_NO_THROW(require_step_resolves(vehicle, spec.solver, spec.timeline.autopilot));
  SolverConfig rk4 = default_config(Method::kRk4);
  rk4.step_us = 2000;
  EXPECT_NO_THROW(require_step_resolves(vehicle, rk4, spec.timeline.autopilot));
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedSpec, ::testing::ValuesIn(all_specs()),
                         [](const auto& test) {
                           const std::string path = test.param;
                           const bool is_aircraft = path.find("/aircraft/") != std::string::npos;
                           return (is_aircraft ? "aircraft_" : "scenario_") + stem(path);
                         });

TEST(ShippedAircraft, IrisIsTheOneInTheCode) {
  const Spec iris = aircraft("iris");
  const auto difference = first_difference(multirotor_of(iris), iris_parameters());
  WorldParameters calm = iris.world;
  calm.wind = WindParameters{};
  EXPECT_FALSE(first_difference(calm, WorldParameters{}));
  EXPECT_FALSE(difference) << difference->text();
}

TEST(ShippedAircraft, PriorArtIrisIsTheirsApartFromTheGear) {
  const Spec spec = aircraft("iris_prior_art");
  const MultirotorParameters loaded = multirotor_of(spec);
  MultirotorParameters theirs = testing::prior_art_iris();
  EXPECT_EQ(loaded.gear.count, 4);
  theirs.gear = loaded.gear;
  const auto difference = first_difference(loaded, theirs);
  EXPECT_FALSE(difference) << difference->text();
  EXPECT_FALSE(first_difference(spec.world.atmosphere, testing::prior_art_world().atmosphere));
}

/// testing::full_command_point stops at 2500 rad/s; small propellers turn faster.
testing::OperatingPoint full_point(const Multirotor& vehicle) {
  const double speed = testing::bisect(10.0, 8000.0, [&](double s) {
    return -testing::operating_point(vehicle, kHeight_m, 1.0, s).rotor_rate;
  });
  return testing::operating_point(vehicle, kHeight_m, 1.0, speed);
}

struct Figures {
  const char* name;
  double command;
  double thrust_to_weight;
  double hover_w;
  double endurance_min;
};

class HoverFigures : public ::testing::TestWithParam<Figures> {};

TEST_P(HoverFigures, AreThoseOfTheTable) {
  const Figures& table = GetParam();
  const MultirotorParameters p = multirotor_of(aircraft(table.name));
  const Multirotor vehicle = make_multirotor(p);
  const testing::OperatingPoint hover = testing::hover_point(vehicle, kHeight_m);
  EXPECT_NEAR(hover.command, table.command, 0.006);

  const double full_n = p.rotor_count * full_point(vehicle).out.thrust_n[0];
  EXPECT_NEAR(full_n / (p.body.mass_kg * kGravity_m_s2), table.thrust_to_weight,
              0.02 * table.thrust_to_weight);

  double power_w = 0.0;
  for (int k = 0; k < p.power.bus_count; ++k) {
    power_w += hover.out.power.bus_v[k] * hover.out.power.load_current_a[k];
  }
  EXPECT_NEAR(power_w, table.hover_w, 0.01 * table.hover_w);

  double charge_ah = 0.0;
  double current_a = 0.0;
  for (int j = 0; j < p.power.pack_count; ++j) {
    charge_ah += p.power.pack[j].capacity_ah;
    current_a += hover.out.power.pack_current_a[j];
  }
  EXPECT_NEAR(0.8 * 60.0 * charge_ah / current_a, table.endurance_min, 0.03 * table.endurance_min);
}

INSTANTIATE_TEST_SUITE_P(Table, HoverFigures,
                         ::testing::Values(Figures{"iris", 0.55, 2.35, 173.0, 17.0},
                                           Figures{"iris_prior_art", 0.585, 1.62, 514.0, 5.5},
                                           Figures{"hexa", 0.51, 2.60, 282.0, 17.0},
                                           Figures{"octa", 0.55, 2.55, 297.0, 21.0},
                                           Figures{"racer", 0.28, 7.4, 151.0, 8.0},
                                           Figures{"heavy", 0.47, 3.34, 2494.0, 42.0}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ShippedAircraft, HeavyIsACompleteQuadrotorOnEitherBus) {
  const MultirotorParameters p = multirotor_of(aircraft("heavy"));
  ASSERT_EQ(p.power.bus_count, 2);
  for (int bus = 0; bus < 2; ++bus) {
    int rotors = 0;
    int reactions = 0;
    Vec3 sum;
    Vec3 signed_sum;  // yaw must not tilt: reactions balance about both axes too
    for (int i = 0; i < p.rotor_count; ++i) {
      if (p.power.motor_bus[i] != bus) continue;
      ++rotors;
      reactions += p.rotor[i].reaction_sign;
      sum += p.rotor[i].position_B_m;
      signed_sum += static_cast<double>(p.rotor[i].reaction_sign) * p.rotor[i].position_B_m;
    }
    EXPECT_EQ(rotors, 4);
    EXPECT_EQ(reactions, 0);
    EXPECT_NEAR(norm(sum), 0.0, 1e-12);
    EXPECT_NEAR(norm(signed_sum), 0.0, 1e-12);
  }
  const double full_n = full_point(make_multirotor(p)).out.thrust_n[0];
  EXPECT_GE(4.0 * full_n / (p.body.mass_kg * kGravity_m_s2), 1.5);
}

/// Without one rotor a hexarotor balances on at most four: the one opposite must be off at full
/// thrust of the others.
TEST(ShippedAircraft, HexaHoversOnFourRotorsWithMargin) {
  const MultirotorParameters p = multirotor_of(aircraft("hexa"));
  const double full_n = full_point(make_multirotor(p)).out.thrust_n[0];
  EXPECT_GE(4.0 * full_n / (p.body.mass_kg * kGravity_m_s2), 1.5);
}

}  // namespace
}  // namespace tactus
