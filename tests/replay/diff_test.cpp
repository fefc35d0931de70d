// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// One ulp or one bit somewhere in a flight, and what `diff` says of it.

#include "tactus/replay/diff/diff.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tactus/core/random.h"
#include "tactus/spec/vehicle/multirotor.h"
#include "tactus/vehicle/multirotor_plant.h"
#include "tests/support/diff_flights.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::expect_instant;
using testing::flipped;
using testing::Flown;
using testing::loaded;
using testing::one_ulp_up;
using testing::said;
using testing::true_divergence;

TEST(Diff, TwoIdenticalFlightsAreEqualAtEveryTier) {
  const Flown flown;
  for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
    const DiffReport report = diff(*flown.record(tier), *flown.record(tier));
    EXPECT_EQ(report.verdict, DiffVerdict::kEqual) << said(report);
    EXPECT_TRUE(report.spec.empty());
    EXPECT_TRUE(report.notes.empty());
    EXPECT_TRUE(report.growth.empty());
    EXPECT_EQ(report.compared_until, TimeUs(1'200'000));
  }
}

struct ParameterCase {
  const char* key;
  Component component;  ///< whose output differs first
};

class OneUlpInAParameter : public ::testing::TestWithParam<ParameterCase> {};

TEST_P(OneUlpInAParameter, IsNamed) {
  const Flown a;
  const Flown b{loaded({one_ulp_up(GetParam().key)}), nullptr};
  const DiffReport report = diff(*a.record(), *b.record());
  expect_instant(report, true_divergence(a, b));
  EXPECT_EQ(report.cause->blame, Blame::kCause) << said(report);
  EXPECT_EQ(report.cause->component, GetParam().component) << said(report);
  ASSERT_EQ(report.spec.size(), 1U);
  EXPECT_EQ(report.spec.front().key, GetParam().key);
  EXPECT_FALSE(report.growth.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Keys, OneUlpInAParameter,
    ::testing::Values(ParameterCase{"body.mass_kg", Component::kRigidBody},
                      ParameterCase{"motor.resistance_ohm", Component::kPropulsion},
                      ParameterCase{"propeller.static_thrust_coefficient", Component::kPropulsion},
                      ParameterCase{"pack.main.r0_ohm", Component::kBattery},
                      ParameterCase{"bus.main.avionics_power_w", Component::kBattery},
                      ParameterCase{"world.atmosphere.sea_level_pressure_pa",
                                    Component::kEnvironment},
                      ParameterCase{"estimator.rate_bias_time_constant_s", Component::kEstimator},
                      ParameterCase{"autopilot.rate_gain_scale", Component::kAutopilot}));

TEST(Diff, IntegratorIsNamed) {
  const Flown a;
  const Flown b{loaded({{"solver.h_max_us", "3000"}}), nullptr};
  const DiffReport report = diff(*a.record(), *b.record());
  expect_instant(report, true_divergence(a, b));
  EXPECT_EQ(report.cause->component, Component::kIntegrator) << said(report);
}

TEST(Diff, AChangeThatIsAbsorbedIsSaidAndEqual) {
  const Flown a;
  const Flown b{loaded({one_ulp_up("solver.position.rtol")}), nullptr};
  ASSERT_EQ(true_divergence(a, b), std::nullopt);
  const DiffReport report = diff(*a.record(), *b.record());
  EXPECT_EQ(report.verdict, DiffVerdict::kAbsorbed);
  ASSERT_EQ(report.spec.size(), 1U);
  EXPECT_EQ(report.spec.front().owner, Component::kIntegrator);
  EXPECT_FALSE(report.divergence);
}

/// The flight of a program in whose plant a constant differs: the specs say the same.
Flown with_other_constant(void (*change)(MultirotorParameters& parameters)) {
  Spec spec = loaded().spec;
  change(multirotor_of(spec));
  const auto vehicle = std::make_shared<const Multirotor>(make_multirotor(spec));
  Flown flown;
  flown.plant = make_multirotor_plant(vehicle, spec.solver, starting_state(spec, *vehicle));
  return flown;
}

void raise(double& number) { number = math::from_bits(math::to_bits(number) + 1); }

struct ConstantCase {
  const char* name;
  void (*change)(MultirotorParameters& parameters);
  Component component;
};

class OneUlpBelowTheSpec : public ::testing::TestWithParam<ConstantCase> {};

TEST_P(OneUlpBelowTheSpec, IsNamedByTheFirstEvaluationThatDiffers) {
  const Flown a;
  const Flown b = with_other_constant(GetParam().change);
  const DiffReport report = diff(*a.record(Tier::kEvaluations), *b.record(Tier::kEvaluations));
  expect_instant(report, true_divergence(a, b));
  EXPECT_TRUE(report.spec.empty());
  EXPECT_EQ(report.cause->blame, Blame::kCause) << said(report);
  EXPECT_EQ(report.cause->component, GetParam().component) << said(report);
  const DiffReport coarse = diff(*a.record(), *b.record());
  EXPECT_EQ(coarse.divergence->time, report.divergence->time);
  EXPECT_TRUE(is_of_plant(coarse.cause->component)) << said(coarse);
  EXPECT_EQ(coarse.cause->blame, Blame::kCause);
}

INSTANTIATE_TEST_SUITE_P(
    Constants, OneUlpBelowTheSpec,
    ::testing::Values(
        ConstantCase{"Resistance", [](MultirotorParameters& p) { raise(p.power.pack[0].r0_ohm); },
                     Component::kBattery},
        ConstantCase{"Charge",
                     [](MultirotorParameters& p) { p.power.pack[0].capacity_ah *= 1.0 + 1e-9; },
                     Component::kBattery},
        ConstantCase{"Polarisation",
                     [](MultirotorParameters& p) { raise(p.power.pack[0].rc[0].c_farad); },
                     Component::kBattery},
        ConstantCase{"RotorInertia",
                     [](MultirotorParameters& p) { raise(p.rotor[1].motor.rotor_inertia_kg_m2); },
                     Component::kPropulsion},
        ConstantCase{"Mass", [](MultirotorParameters& p) { raise(p.body.mass_kg); },
                     Component::kRigidBody},
        ConstantCase{"Inertia",
                     [](MultirotorParameters& p) { raise(p.body.inertia_kg_m2.m[0][0]); },
                     Component::kRigidBody}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Diff, WindOneUlpUpIsNamed) {
  const Flown a;
  const Flown b{
      loaded({{"wind.mean_ned_m_s",
               "[" + format_double(math::from_bits(math::to_bits(3.0) + 1)) + ", 1.0, 0.0]"}}),
      nullptr};
  const DiffReport report = diff(*a.record(), *b.record());
  expect_instant(report, true_divergence(a, b));
  EXPECT_EQ(report.cause->component, Component::kWind) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kCause);
  EXPECT_EQ(report.cause->source, "wind");
}

struct FlipCase {
  Signal signal;
  const char* leaf;
  std::uint64_t at_us;
  Component component;
};

class OneBitOfASample : public ::testing::TestWithParam<FlipCase> {};

TEST_P(OneBitOfASample, IsNamedWithItsLeafAndInstant) {
  const FlipCase& flip = GetParam();
  const Flown a;
  const std::unique_ptr<Source> source = flipped(flip.signal, flip.leaf, TimeUs(flip.at_us));
  const Flown b{loaded(), source.get()};
  const DiffReport report = diff(*a.record(), *b.record());
  ASSERT_TRUE(report.divergence) << said(report);
  EXPECT_EQ(report.divergence->time, TimeUs(flip.at_us)) << said(report);
  EXPECT_EQ(true_divergence(a, b), TimeUs(flip.at_us));
  const ValueDifference& first = report.divergence->values.front();
  EXPECT_EQ(first.leaf, flip.leaf);
  EXPECT_EQ(first.ulps, 1U);
  EXPECT_EQ(report.cause->component, flip.component) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kCause) << said(report);
  EXPECT_TRUE(report.spec.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Signals, OneBitOfASample,
    ::testing::Values(
        FlipCase{Signal::kWind, "wind.velocity_ned_m_s.x", 400'000, Component::kWind},
        FlipCase{Signal::kEstimate, "estimate.rate_body_rad_s.y", 404'000, Component::kEstimator},
        FlipCase{Signal::kCommand, "command.motor[2]", 600'000, Component::kAutopilot},
        FlipCase{Signal::kDisturbance, "disturbance.wind_ned_m_s.y", 520'000,
                 Component::kScenario}));

/// At random instants, in random numbers of any source.
TEST(Diff, OneBitAnywhereIsFoundWhereItIs) {
  struct Target {
    Signal signal;
    Component component;
    std::uint64_t period_us;
    std::vector<std::string> leaves;
  };
  const Target targets[] = {
      {Signal::kWind,
       Component::kWind,
       20'000,
       {"wind.velocity_ned_m_s.x", "wind.velocity_ned_m_s.y", "wind.velocity_ned_m_s.z"}},
      {Signal::kEstimate,
       Component::kEstimator,
       4'000,
       {"estimate.position_ned_m.x", "estimate.velocity_ned_m_s.z", "estimate.rate_body_rad_s.x"}},
      {Signal::kCommand,
       Component::kAutopilot,
       4'000,
       {"command.motor[0]", "command.motor[3]", "autopilot.position_setpoint_ned_m.x",
        "autopilot.hover_thrust"}},
  };
  const Flown a;
  const std::shared_ptr<const Recording> original = a.record();
  const RandomStream random(17, "diff test");
  for (long i = 0; i < testing::scaled(1000); ++i) {
    const auto draw = [&](std::uint32_t which, std::size_t count) {
      return static_cast<std::size_t>(random.bits(static_cast<std::uint64_t>(i), which).word[0]) %
             count;
    };
    const Target& target = targets[draw(0, 3)];
    const std::string& leaf = target.leaves[draw(1, target.leaves.size())];
    // After takeoff, where commands are neither 0 nor 1.
    const TimeUs at(target.period_us *
                    (100'000 / target.period_us + draw(2, 1'000'000 / target.period_us)));
    const std::unique_ptr<Source> source = flipped(target.signal, leaf, at);
    const DiffReport report = diff(*original, *Flown{loaded(), source.get()}.record());
    ASSERT_TRUE(report.divergence) << leaf << " at " << at.us;
    EXPECT_EQ(report.divergence->time, at) << said(report);
    EXPECT_EQ(report.divergence->values.front().leaf, leaf) << said(report);
    EXPECT_EQ(report.cause->component, target.component) << said(report);
    EXPECT_EQ(report.cause->blame, Blame::kCause) << said(report);
  }
}

}  // namespace
}  // namespace tactus
