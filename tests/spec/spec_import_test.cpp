// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: rapidcheck

// Conversion of the aircraft files of PX4Lockstep.jl.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/spec/import/import_spec.h"
#include "tests/spec/spec_samples.h"
#include "tests/support/prior_art.h"

namespace tactus {
namespace {

using testing::kSmallSpec;
using testing::TestFolder;

Spec load(const std::string& text) { return load_spec_text(text, "t.toml").spec; }

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

constexpr char kOriginal[] = R"(
schema_version = 1
extends = ["parts/airframe.toml"]
[aircraft]
name = "old"
seed = 2
[airframe]
mass_kg = 1.5
rotor_pos_body_m = [[0.1515, 0.245, 0], [-0.1515, -0.1875, 0],
                    [0.1515, -0.245, 0], [-0.1515, 0.1875, 0]]
[airframe.x0]
euler_deg = [0, 0, 90]
"ω_body" = [0, 0, 0.5]
[actuation.motor_actuators]
kind = "second_order"
"ωn" = 30.0
"ζ" = 0.8
[plant.contact]
kind = "flat_ground"
"μ" = 0.7
[px4]
libpath = "libpx4.dylib"
[[power.batteries]]
id = "bat 1"
[[power.buses]]
id = "main"
battery_ids = ["bat 1"]
avionics_load_w = 15
)";
constexpr char kOriginalBase[] = R"(
[airframe]
mass_kg = 9
inertia_diag_kgm2 = [0.029125, 0.029125, 0.055225]
linear_drag = 0.05
angular_damping = [0.02, 0.02, 0.01]
[actuation]
motors = [{id = "m1", channel = 1}, {id = "m2", channel = 2},
          {id = "m3", channel = 3}, {id = "m4", channel = 4}]
)";

TEST(Import, GivesTheNumbersOfTheOriginal) {
  const TestFolder folder;
  folder.write("parts/airframe.toml", kOriginalBase);
  const std::string text = import_spec(folder.write("old.toml", kOriginal));
  const Spec spec = load(text);
  const MultirotorParameters& p = multirotor_of(spec);
  const MultirotorParameters truth = testing::prior_art_iris();
  ASSERT_EQ(p.rotor_count, 4);
  for (int i = 0; i < 4; ++i) {
    const PropellerParameters& propeller = p.rotor[i].propeller;
    const double expected = truth.rotor[i].propeller.thrust_constant_m4;
    EXPECT_NEAR(propeller.thrust_constant_m4 / expected, 1.0, 1e-12);
    EXPECT_NEAR(propeller.thrust_constant_m4, 6.611020796089e-5, 1e-16);
    EXPECT_EQ(p.rotor[i].reaction_sign, truth.rotor[i].reaction_sign);
    EXPECT_EQ(p.rotor[i].position_B_m.y, truth.rotor[i].position_B_m.y);
    EXPECT_EQ(first_difference(p.rotor[i].motor, truth.rotor[i].motor), std::nullopt);
  }
  EXPECT_EQ(first_difference(p.body, truth.body), std::nullopt);
  EXPECT_EQ(p.motor_actuator.natural_frequency_rad_s, 30.0);
  EXPECT_EQ(p.motor_actuator.damping_ratio, 0.8);
  EXPECT_EQ(p.gear.friction, 0.7);
  EXPECT_EQ(spec.seed, 2u);
  EXPECT_EQ(spec.parts.packs, (std::vector<std::string>{"bat_1"}));
  EXPECT_NEAR(spec.initial.attitude.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(spec.initial.rate_B_rad_s.z, 0.5);
  expect_contains(text, "# No counterpart:\n#   px4.libpath = \"libpx4.dylib\"");
}

/// What importing says of the original with one text in place of another.
std::string import_error(const std::string& old, const std::string& fresh) {
  const TestFolder folder;
  std::string base = kOriginalBase;
  std::string text = kOriginal;
  std::string& changed = text.find(old) != std::string::npos ? text : base;
  changed.replace(changed.find(old), old.size(), fresh);
  folder.write("parts/airframe.toml", base);
  try {
    import_spec(folder.write("old.toml", text));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << fresh;
  return {};
}

TEST(Import, MistakesInTheOriginalAreErrors) {
  expect_contains(import_error("linear_drag", "linear_drg"),
                  "airframe.toml:5:1: airframe.linear_drg = 0.05: unknown key; did you mean "
                  "airframe.linear_drag?");
  expect_contains(import_error("avionics_load_w", "load_w"), "power.buses.avionics_load_w?");
  expect_contains(import_error("channel = 2", "channel = 1"), "actuation.motors.channel = 1");
  expect_contains(import_error("channel = 2", "channel = 13"), "must lie between 1 and 12");
  const TestFolder folder;
  try {
    import_spec(folder.write("own.toml", kSmallSpec));
    ADD_FAILURE();
  } catch (const Error& error) {
    expect_contains(error.what(), "this is a Tactus spec already, not a file of PX4Lockstep.jl");
  }
}

TEST(Import, TolerancesAndStepsOfTheIntegratorAreKept) {
  const TestFolder folder;
  folder.write("parts/airframe.toml", kOriginalBase);
  const std::string integrator = R"(
[plant.integrator]
kind = "RK23"
rtol_vel = 1e-5
"atol_ω" = 1e-4
atol_rotor = 0.01
plant_error_control = true
h_max = 0.02
)";
  const Spec spec = load(import_spec(folder.write("old.toml", kOriginal + integrator)));
  EXPECT_EQ(spec.solver.method, Method::kRk23);
  EXPECT_EQ(spec.solver.velocity.rtol, 1e-5);
  EXPECT_EQ(spec.solver.position.rtol, 1e-6);
  EXPECT_EQ(spec.solver.rate.atol, 1e-4);
  EXPECT_EQ(spec.solver.rotor.atol, 0.01);
  EXPECT_EQ(spec.solver.h_max_us, 20'000u);
  EXPECT_EQ(spec.log.mode, LogMode::kInterpolate);
}

TEST(Import, AnInfeasibleCalibrationIsAnError) {
  const TestFolder folder;
  folder.write("parts/airframe.toml", kOriginalBase);
  std::string heavy = kOriginal;
  heavy.replace(heavy.find("mass_kg = 1.5"), 13, "mass_kg = 2.1");
  try {
    import_spec(folder.write("old.toml", heavy));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    expect_contains(error.what(), "no thrust constant gives");
    expect_contains(error.what(), "at most 9.96");
  }
}

TEST(Import, CalibrationBalancesMotorAndPropeller) {
  EXPECT_TRUE(rc::check("torque balance at full duty", [] {
    MotorParameters motor;
    motor.kv_rpm_per_v = *rc::gen::inRange(300, 2000);
    motor.resistance_ohm = 0.001 * *rc::gen::inRange(30, 400);
    const CalibrationTarget target{.thrust_n = 0.01 * *rc::gen::inRange(50, 400),
                                   .torque_ratio_m = 0.02};
    const ThrustCalibration c = calibrate_thrust(target, motor);
    const double w = c.full_duty_speed_rad_s;
    const double kt = 60.0 / (2.0 * M_PI * motor.kv_rpm_per_v);
    const double current = (target.supply_v - kt * w) / motor.resistance_ohm;
    const double thrust = c.thrust_constant_m4 * target.density_kg_m3 * w * w;
    const double load = target.torque_ratio_m * thrust + motor.viscous_friction_nm_s * w;
    RC_ASSERT(std::abs(thrust / target.thrust_n - 1.0) < 1e-9);
    RC_ASSERT(std::abs(kt * current / load - 1.0) < 1e-6);
  }));
}

}  // namespace
}  // namespace tactus
