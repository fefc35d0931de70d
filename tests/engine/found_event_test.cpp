// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Conditions found inside an interval: the first whole microsecond on the method's own trajectory,
// the analytic instant where there is one, and the same bits as if it had been scheduled.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/plant/multirotor_watch.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr double kGravity_m_s2 = 9.80665;
constexpr double kHeight_m = 100.0;

/// No drag, no ground, no thrust. Its pack has a flat curve and no polarisation, so that the
/// avionics draw a constant current: V (E - V) / R = P.
constexpr double kEmf_v = 12.0, kResistance_ohm = 0.05, kPower_w = 60.0, kCapacity_ah = 0.05;

std::shared_ptr<const Multirotor> falling_stone() {
  MultirotorParameters p = iris_quadratic_parameters();
  p.body.drag_area_m2 = {};
  p.power.bus[0].avionics_power_w = kPower_w;
  PackParameters& pack = p.power.pack[0];
  pack.capacity_ah = kCapacity_ah;
  pack.r0_ohm = kResistance_ohm;
  pack.rc_count = 0;
  pack.ocv_count = 2;
  pack.ocv_soc[1] = 1.0;
  pack.ocv_v[0] = pack.ocv_v[1] = kEmf_v;
  return std::make_shared<const Multirotor>(
      make_multirotor(p, make_world({.ground = {.present = false}})));
}

/// There is no autopilot; the autopilot axis is there for the digest.
RunSetup falling_setup(const SolverConfig& solver, std::vector<Watch> watches) {
  static const auto stone = falling_stone();
  RunSetup setup;
  setup.plant = make_multirotor_plant(stone, solver, at_height(*stone, kHeight_m, 0.0));
  setup.schedule = Schedule(TimeUs(500'000));
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(50'000));
  setup.sources.push_back(toy(
      {.name = "watcher"}, [](SourceContext&) {}, std::move(watches)));
  return setup;
}

SolverConfig tight(Method method) {
  SolverConfig config = solver_for(method);
  const Tolerance t{1e-9, 1e-9};
  config.position = config.velocity = config.rate = config.rotor = config.charge =
      config.polarisation = t;
  config.attitude_atol_rad = 1e-9;
  return config;
}

struct Flown {
  BusList log{Stage::kLog};
  Digest128 digest;
  SolverTotals totals;

  [[nodiscard]] std::vector<TimeUs> found() const {
    std::vector<TimeUs> times;
    for (const auto& entry : log.entries) {
      if (entry.found) times.push_back(entry.due.time);
    }
    return times;
  }
  [[nodiscard]] const Bus& at(TimeUs time) const {
    for (const auto& entry : log.entries) {
      if (entry.due.time == time) return entry.bus;
    }
    throw std::runtime_error("no boundary at " + std::to_string(time.us));
  }
};

Flown fly_seen(RunSetup setup, const std::vector<TimeUs>& instants = {}) {
  for (const TimeUs instant : instants) setup.schedule.insert(instant);
  tactus::Run run(std::move(setup));
  Flown flown;
  Observers observers;
  observers.hooks = {&flown.log};
  fly(run, observers);
  flown.digest = run.digest();
  flown.totals = run.plant().totals();
  return flown;
}

struct Condition {
  Watch watch;
  const char* leaf;
  double expected_s;  ///< analytic
};

std::vector<Condition> conditions() {
  const double bus_v =
      0.5 * (kEmf_v + std::sqrt(kEmf_v * kEmf_v - 4.0 * kResistance_ohm * kPower_w));
  const double soc_per_s = (kEmf_v - bus_v) / kResistance_ohm / (3600.0 * kCapacity_ah);
  return {
      {{WatchQuantity::kHeight, 0, -1.0, 99.5}, "truth.height_m", std::sqrt(1.0 / kGravity_m_s2)},
      {{WatchQuantity::kPosition, 2, 1.0, -99.9},
       "truth.position_ned_m.z",
       std::sqrt(0.2 / kGravity_m_s2)},
      {{WatchQuantity::kVelocity, 2, 1.0, 2.0}, "truth.velocity_ned_m_s.z", 2.0 / kGravity_m_s2},
      {{WatchQuantity::kSpeed, 0, 1.0, 3.0}, "truth.speed_m_s", 3.0 / kGravity_m_s2},
      {{WatchQuantity::kStateOfCharge, 0, -1.0, 0.99}, "battery[0].remaining", 0.01 / soc_per_s},
  };
}

class FreeFall : public ::testing::TestWithParam<Method> {};

TEST_P(FreeFall, AConditionIsFoundAtTheFirstMicrosecondThatHoldsIt) {
  const SolverConfig solver = tight(GetParam());
  const std::vector<BusLeaf> leaves = bus_leaves({4, 0, 1, 1, 4});
  for (const Condition& condition : conditions()) {
    SCOPED_TRACE(condition.leaf);
    const BusLeaf leaf = find_leaf(leaves, condition.leaf, "test");
    const auto guard = [&](const Bus& bus) {
      return condition.watch.sign * (leaf.value(bus) - condition.watch.threshold);
    };
    const Flown found = fly_seen(falling_setup(solver, {condition.watch}));
    ASSERT_EQ(found.found().size(), 1U);
    const TimeUs instant = found.found()[0];
    EXPECT_GE(guard(found.at(instant)), 0.0);
    const TimeUs before = instant - DurationUs(1);
    EXPECT_LT(guard(fly_seen(falling_setup(solver, {}), {before}).at(before)), 0.0);
    const double error_us = static_cast<double>(instant.us) - 1e6 * condition.expected_s;
    if (GetParam() != Method::kEuler) {
      EXPECT_GE(error_us, -1e-3);
      EXPECT_LE(error_us, 1.0 + 1e-3);
    }
  }
}

TEST_P(FreeFall, FoundIsScheduled) {
  const SolverConfig solver = tight(GetParam());
  std::vector<Watch> watches;
  for (const Condition& condition : conditions()) watches.push_back(condition.watch);
  const Flown found = fly_seen(falling_setup(solver, watches));
  ASSERT_EQ(found.found().size(), watches.size());
  const Flown scheduled = fly_seen(falling_setup(solver, {}), found.found());
  EXPECT_EQ(scheduled.digest, found.digest);
  EXPECT_TRUE(scheduled.found().empty());
  EXPECT_EQ(scheduled.totals.accepted, found.totals.accepted);
  EXPECT_EQ(fly_seen(falling_setup(solver, watches), found.found()).digest, found.digest);
  if (is_adaptive(GetParam()) || GetParam() == Method::kEuler) {
    EXPECT_NE(fly_seen(falling_setup(solver, {})).digest, found.digest) << "nothing to prove";
  }
}

/// Everything moves, and the ground is near: conditions of the scenario and touches of the gear.
TEST_P(FreeFall, FoundIsScheduledInAFlightThatEndsOnTheGround) {
  const auto setup = [](bool watched) {
    const std::uint64_t step_us = GetParam() == Method::kEuler ? 250 : 1'000;
    RunSetup s = busy_setup(TimeUs(1'200'000), solver_for(GetParam(), step_us));
    s.plant = make_multirotor_plant(quick_iris(), solver_for(GetParam(), step_us),
                                    at_height(*quick_iris(), 0.8, 380.0));
    s.sources[0] = toy(autopilot_info(), [](SourceContext& context) {
      Command command = wiggle(context.now, context.bus.read<Signal::kEstimate>());
      if (context.now.us > 150'000) command.motor[0] = command.motor[1] = 0.3;
      if (context.now.us > 150'000) command.motor[2] = command.motor[3] = 0.0;
      context.bus.write<Signal::kCommand>() = command;
    });
    std::vector<Watch> watches;
    if (watched) {
      watches = {{WatchQuantity::kTilt, 0, 1.0, 0.02},
                 {WatchQuantity::kHeight, 0, -1.0, 0.6},
                 {WatchQuantity::kRate, 0, 1.0, 0.05},
                 {WatchQuantity::kRotorSpeed, 1, 1.0, 450.0},
                 {WatchQuantity::kBusVoltage, 0, -1.0, 11.8}};
    }
    s.sources.push_back(toy(
        {.name = "watcher"}, [](SourceContext&) {}, watches));
    return s;
  };
  const Flown found = fly_seen(setup(true));
  EXPECT_GE(found.found().size(), 7U);
  int touchdowns = 0;
  for (const Note& note : found.log.notes) {
    touchdowns += std::string(note.what) == "touchdown" ? 1 : 0;
  }
  EXPECT_GE(touchdowns, 3);
  EXPECT_GT(found.log.entries.back().bus.loads.impact_speed_m_s, 0.5);
  const Flown scheduled = fly_seen(setup(false), found.found());
  EXPECT_EQ(scheduled.digest, found.digest);
  EXPECT_EQ(scheduled.totals.accepted, found.totals.accepted);
  EXPECT_TRUE(scheduled.found().empty());
}

INSTANTIATE_TEST_SUITE_P(Methods, FreeFall,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

TEST(Watches, AConditionThatHoldsAlreadyDoesNotFire) {
  const SolverConfig solver = tight(Method::kRk4);
  EXPECT_TRUE(
      fly_seen(falling_setup(solver, {{WatchQuantity::kHeight, 0, -1.0, 200.0}})).found().empty());
}

TEST(Watches, EveryWatchableLeafHasTheBitsOfItsWatch) {
  const auto plant = make_multirotor_plant(quick_iris(), tight(Method::kRk4),
                                           at_height(*quick_iris(), 9.0, 300.0));
  Bus bus;
  plant->hold(bus);
  plant->settle(bus);
  plant->publish_state(bus);
  plant->publish_outputs(bus);
  MultirotorState state = at_height(*quick_iris(), 9.0, 300.0);
  int watchable = 0;
  for (const BusLeaf& leaf : bus_leaves(plant->counts())) {
    const std::optional<Watch> watch = plant->watch_for(leaf);
    if (!watch) continue;
    ++watchable;
    const double value =
        watched_value(quick_iris()->layout, quick_iris()->world, state.x, bus.power.bus_v, *watch);
    EXPECT_EQ(value, leaf.value(bus)) << leaf.name;
  }
  EXPECT_EQ(watchable, 12 + 4 + 1 + 1);
}

}  // namespace
}  // namespace tactus
