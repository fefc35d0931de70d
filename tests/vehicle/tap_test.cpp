// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A tap of the right-hand side sees every evaluation of it and changes nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/vehicle/rhs_tap.h"
#include "tactus/vehicle/rover_plant.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr TimeUs kEnd{500'000};
constexpr DurationUs kLogPeriod{3'003};

class Tapping final : public Recorder, private RhsTap {
 public:
  struct Row {
    TimeUs from;
    double t_s;
    std::vector<double> state, derivative, bus_v, residual_a;
  };

  void begin(const tactus::Run&) override {}
  void boundary(const BoundaryView&, SignalSet) override {}
  [[nodiscard]] RhsTap* tap() override { return this; }
  void end(Digest128, bool) override {}

  std::vector<Row> rows;

 private:
  void evaluated(const RhsEvaluation& e) override {
    const auto copy = [](std::span<const double> from) {
      return std::vector<double>(from.begin(), from.end());
    };
    rows.push_back(
        {e.from, e.t_s, copy(e.state), copy(e.derivative), copy(e.bus_v), copy(e.bus_residual_a)});
  }
};

SolverConfig solver_of(Method method) {
  return solver_for(method, method == Method::kEuler ? 250 : 1'000);
}

/// Comes down on its gear in turbulence, with conditions that are found between boundaries.
RunSetup landing(Method method, bool interpolates) {
  RunSetup setup = busy_setup(kEnd, solver_of(method), WindRule::kLinear);
  MultirotorState start = at_height(*quick_iris(), 0.3, 440.0);
  start.x[quick_iris()->layout.velocity + 2] = 0.5;
  setup.plant = make_multirotor_plant(quick_iris(), solver_of(method), start);
  setup.sources.push_back(
      toy({.name = "watcher"}, [](SourceContext&) {}, {{WatchQuantity::kTilt, 0, 1.0, 0.01}}));
  if (interpolates) setup.log_period = kLogPeriod;
  setup.log_interpolates = interpolates;
  return setup;
}

RunSetup driving(Method method, bool interpolates) {
  RunSetup setup;
  setup.plant = make_rover_plant({}, make_world({}), solver_of(method), {});
  setup.schedule = Schedule(kEnd);
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  setup.sources.push_back(toy(autopilot_info(), [](SourceContext& context) {
    const double t_s = to_seconds(context.now);
    Command& command = context.bus.write<Signal::kCommand>();
    command.servo[0] = 0.5 + 0.4 * math::sin(5.0 * t_s);
    command.servo[1] = 0.5 - 0.4 * math::sin(5.0 * t_s);
  }));
  if (interpolates) setup.log_period = kLogPeriod;
  setup.log_interpolates = interpolates;
  return setup;
}

struct Flown {
  Digest128 digest;
  SolverTotals totals;
};

Flown fly_with(RunSetup setup, Recorder& recorder) {
  tactus::Run run(std::move(setup));
  Observers observers;
  observers.recorders.push_back(&recorder);
  fly(run, observers);
  return {run.digest(), run.plant().totals()};
}

using MakeSetup = RunSetup (*)(Method, bool);

/// Flies with and without a tap; returns what was seen and checks what holds for every plant.
std::vector<Tapping::Row> tapped(MakeSetup make, Method method, bool interpolates,
                                 SolverTotals* totals) {
  WrittenList untapped;
  const Flown plain = fly_with(make(method, interpolates), untapped);
  Tapping tapping;
  const Flown seen = fly_with(make(method, interpolates), tapping);
  EXPECT_EQ(seen.digest, plain.digest);
  const auto difference = first_difference(seen.totals, plain.totals);
  EXPECT_FALSE(difference) << difference->text();
  EXPECT_EQ(tapping.rows.size(), seen.totals.evaluations);
  TimeUs from;
  for (const Tapping::Row& row : tapping.rows) {
    EXPECT_GE(row.from, from);
    EXPECT_GE(row.t_s, 0.0);
    EXPECT_EQ(row.state.size(), row.derivative.size());
    from = row.from;
  }
  *totals = seen.totals;
  return tapping.rows;
}

class Tap : public ::testing::TestWithParam<Method> {};

TEST_P(Tap, SeesEveryEvaluationOfALanding) {
  const MultirotorLayout& at = quick_iris()->layout;
  for (const bool interpolates : {false, true}) {
    SolverTotals totals;
    const auto rows = tapped(landing, GetParam(), interpolates, &totals);
    EXPECT_GT(totals.events, 1U);
    EXPECT_GT(totals.probes, 1U);
    for (const Tapping::Row& row : rows) {
      ASSERT_EQ(row.state.size(), static_cast<std::size_t>(at.size));
      ASSERT_EQ(row.bus_v.size(), 1U);
      EXPECT_GT(row.bus_v[0], 9.0);
      EXPECT_LT(std::fabs(row.residual_a[0]), 1e-9);
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(row.derivative[static_cast<std::size_t>(at.position + i)],
                  row.state[static_cast<std::size_t>(at.velocity + i)]);
      }
    }
  }
}

TEST_P(Tap, SeesEveryEvaluationOfADrive) {
  for (const bool interpolates : {false, true}) {
    SolverTotals totals;
    for (const Tapping::Row& row : tapped(driving, GetParam(), interpolates, &totals)) {
      ASSERT_EQ(row.state.size(), static_cast<std::size_t>(RoverLayout::kSize));
      EXPECT_TRUE(row.bus_v.empty() && row.residual_a.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Tap,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& with) { return std::string(to_text(with.param)); });

}  // namespace
}  // namespace tactus
