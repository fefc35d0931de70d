// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The rover on the bus keeps the same promises as the multirotor: observing is free, found is
// scheduled, a copy continues, rows are consistent.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tactus/vehicle/rover_plant.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr TimeUs kEnd{2'000'000};
constexpr DurationUs kLogPeriod{3'003};
const Vec3 kWindSlope{0.5, -0.25, 0.0};

std::unique_ptr<Plant> rover(const SolverConfig& solver) {
  return make_rover_plant(RoverParameters{}, make_world({}), solver, {{10.0, -5.0, 0.0}, 0.5});
}

/// Slalom in a wind that rises along its slope, with a gust of the scenario in between.
RunSetup slalom(Method method, std::vector<Watch> watches = {}) {
  RunSetup setup;
  setup.plant = rover(solver_for(method, 2'000));
  setup.schedule = Schedule(kEnd);
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(20'000));
  setup.schedule.set_period(Axis::kWind, DurationUs(100'000));
  setup.sources.push_back(toy(autopilot_info(), [](SourceContext& context) {
    const double t_s = to_seconds(context.now);
    Command& command = context.bus.write<Signal::kCommand>();
    command.servo[0] = 0.6 + 0.3 * math::sin(2.0 * t_s);
    command.servo[1] = 0.6 - 0.2 * math::sin(3.0 * t_s);
  }));
  setup.sources.push_back(toy({.name = "wind",
                               .stage = Stage::kWind,
                               .axis = Axis::kWind,
                               .writes = SignalSet::of(Signal::kWind)},
                              [](SourceContext& context) {
                                context.bus.write<Signal::kWind>() = {
                                    to_seconds(context.now) * kWindSlope, kWindSlope, context.now};
                              }));
  SourceInfo info = scenario_info();
  info.wants_outputs = true;
  setup.sources.push_back(toy(
      info,
      [](SourceContext& context) {
        const bool gust = context.now.us >= 500'000 && context.now.us < 700'000;
        context.bus.write<Signal::kDisturbance>().wind_W_m_s.y = gust ? 4.0 : 0.0;
      },
      std::move(watches)));
  return setup;
}

std::vector<Watch> conditions() {
  return {{WatchQuantity::kPosition, 0, 1.0, 10.1},
          {WatchQuantity::kVelocity, 1, 1.0, 0.2},
          {WatchQuantity::kRate, 2, 1.0, 0.1},
          {WatchQuantity::kSpeed, 0, 1.0, 0.4}};
}

class RoverRun : public ::testing::TestWithParam<Method> {};

TEST_P(RoverRun, ObservingIsFreeAndRowsAreConsistent) {
  const Digest128 unseen = fly_alone(slalom(GetParam(), conditions()));
  RunSetup setup = slalom(GetParam(), conditions());
  setup.log_period = kLogPeriod;
  setup.log_interpolates = true;
  tactus::Run run(std::move(setup));
  RowList rows;
  Observers observers;
  observers.sinks = {&rows};
  fly(run, observers);
  EXPECT_EQ(run.digest(), unseen);
  ASSERT_EQ(rows.rows.size(), kEnd.us / kLogPeriod.us + 2);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const Bus& bus = rows.rows[i].bus;
    ASSERT_EQ(bus.time.us, std::min(i * kLogPeriod.us, kEnd.us));
    const Vec3 wind = to_seconds(bus.time) * kWindSlope + bus.disturbance.wind_W_m_s;
    EXPECT_LT(norm(bus.environment.wind_W_m_s - wind), 1e-12) << bus.time.us;
    EXPECT_EQ(bus.loads.servo_output[1], bus.command.servo[1]);
  }
}

TEST_P(RoverRun, SensorsFeelTheGustOfTheirOwnInstant) {
  tactus::Run run(slalom(GetParam()));
  BusList outputs(Stage::kOutputs);
  Observers observers;
  observers.hooks = {&outputs};
  fly(run, observers);
  for (const auto& [due, found, bus] : outputs.entries) {
    if (!due.on(Axis::kAutopilot)) continue;
    const Vec3 wind = to_seconds(due.time) * kWindSlope + bus.disturbance.wind_W_m_s;
    EXPECT_LT(norm(bus.environment.wind_W_m_s - wind), 1e-12) << due.time.us;
  }
}

TEST_P(RoverRun, FoundIsScheduled) {
  tactus::Run run(slalom(GetParam(), conditions()));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  RunSetup scheduled = slalom(GetParam());
  for (const auto& entry : log.entries) {
    if (entry.found) scheduled.schedule.insert(entry.due.time);
  }
  EXPECT_GE(run.boundaries().found, 4U);
  EXPECT_EQ(fly_alone(std::move(scheduled)), run.digest());
}

TEST_P(RoverRun, ACopyContinuesWithTheSameBits) {
  tactus::Run run(slalom(GetParam(), conditions()));
  Observers none;
  fly_validated(run, none);
  EXPECT_EQ(run.digest(), fly_alone(slalom(GetParam(), conditions())));
}

INSTANTIATE_TEST_SUITE_P(Methods, RoverRun,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

TEST(Rover, AStepLongerThanEveryIntervalIsCutAndNotRefused) {
  const auto plant = rover(solver_for(Method::kRk4, 10'000'000));
  EXPECT_NO_THROW(plant->require_step_resolves(DurationUs(20'000)));
  EXPECT_THROW(plant->require_step_resolves(DurationUs(10'000'000)), Error);
}

}  // namespace
}  // namespace tactus
