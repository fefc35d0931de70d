// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The adapters that put the models on the bus, in runs: the models see the right instant, and an
// autopilot without supply is off.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr DurationUs kTick{4'000};

/// Commands a hover; says how often it was started and called since.
class CountingAutopilot : public Autopilot {
 public:
  [[nodiscard]] const char* name() const override { return "counting"; }
  void step(const AutopilotInput&, AutopilotOutput& output) override {
    for (int i = 0; i < 4; ++i) output.command.motor[i] = 0.55;
    output.status.armed = true;
    output.status.items_reached = restarts_;
    ++output.status.mission_item;  // grows from the previous answer
  }
  void restart() override { ++restarts_; }
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override {
    return std::make_unique<CountingAutopilot>(*this);
  }

 private:
  int restarts_ = 0;
};

/// The pack is unplugged from 100 to 150 ms; the bus is up again some time later.
BusList fly_unplugged(AutopilotBrownOut rule, bool validated = false,
                      DurationUs restart_delay = DurationUs(20'000)) {
  MultirotorParameters p = iris_quadratic_parameters();
  p.power.bus[0].restart_delay = restart_delay;
  p.power.bus[0].autopilot = rule;
  const auto vehicle = std::make_shared<const Multirotor>(make_multirotor(p));
  RunSetup setup;
  setup.plant =
      make_multirotor_plant(vehicle, solver_for(Method::kRk4), at_height(*vehicle, 100.0, 480.0));
  setup.schedule = Schedule(TimeUs(300'000));
  setup.schedule.set_period(Axis::kAutopilot, kTick);
  setup.sources.push_back(
      std::make_unique<AutopilotSource>(std::make_unique<CountingAutopilot>(), kTick));
  setup.sources.push_back(toy(scenario_info(), [](SourceContext& context) {
    const bool pulled = context.now.us >= 100'000 && context.now.us < 150'000;
    context.bus.write<Signal::kFaults>().pack[0].connected = !pulled;
    if (context.now.us < 150'000) context.requests.boundary_at(TimeUs(150'000));
  }));
  tactus::Run run(std::move(setup));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  validated ? fly_validated(run, observers) : fly(run, observers);
  return log;
}

struct Phase {
  bool armed;
  int restarts;
};

Phase phase_at(const BusList& log, std::uint64_t t_us) {
  for (const auto& entry : log.entries) {
    if (entry.due.time.us == t_us) {
      EXPECT_EQ(entry.bus.autopilot.armed, entry.bus.command.motor[0] > 0.0);
      return {entry.bus.autopilot.armed, entry.bus.autopilot.items_reached};
    }
  }
  ADD_FAILURE() << "no boundary at " << t_us;
  return {};
}

TEST(AutopilotSupply, OffWhileItsBusIsDownAndBootedAfterwards) {
  for (const bool validated : {false, true}) {
    const BusList log = fly_unplugged(AutopilotBrownOut::kRestarts, validated);
    EXPECT_TRUE(phase_at(log, 96'000).armed);
    for (const std::uint64_t t_us : {104'000U, 148'000U, 168'000U}) {
      EXPECT_FALSE(phase_at(log, t_us).armed) << t_us;
    }
    EXPECT_TRUE(phase_at(log, 176'000).armed);
    EXPECT_EQ(phase_at(log, 176'000).restarts, 1);
    EXPECT_EQ(phase_at(log, 300'000).restarts, 1);
    // After the restart its answers start empty: item −1, one more per tick.
    const int ticks_since = (300'000 - 172'000) / 4'000 + 1;
    EXPECT_EQ(log.entries.back().bus.autopilot.mission_item, -1 + ticks_since);
  }
}

TEST(AutopilotSupply, ABusWithoutRestartDelayIsUpAtTheInstantItsVoltageIsBack) {
  for (const bool validated : {false, true}) {
    const BusList log = fly_unplugged(AutopilotBrownOut::kRestarts, validated, DurationUs(0));
    EXPECT_FALSE(phase_at(log, 148'000).armed);
    EXPECT_TRUE(phase_at(log, 156'000).armed);
    EXPECT_EQ(phase_at(log, 300'000).restarts, 1);
  }
}

TEST(AutopilotSupply, StaysOffOrKeepsRunningAsDeclared) {
  const BusList stops = fly_unplugged(AutopilotBrownOut::kStops);
  EXPECT_TRUE(phase_at(stops, 96'000).armed);
  EXPECT_FALSE(phase_at(stops, 104'000).armed);
  EXPECT_FALSE(phase_at(stops, 300'000).armed);
  const BusList keeps = fly_unplugged(AutopilotBrownOut::kKeepsRunning);
  EXPECT_TRUE(phase_at(keeps, 104'000).armed);
  EXPECT_EQ(phase_at(keeps, 300'000).restarts, 0);
}

TEST(Estimator, WithoutErrorsItIsTheTruthOfItsInstant) {
  RunSetup setup = busy_setup(TimeUs(100'000));
  EstimatorParameters parameters;
  parameters.kind = EstimatorKind::kTruth;
  setup.sources[3] = std::make_unique<EstimatorSource>(parameters, 7, kTick);
  tactus::Run run(std::move(setup));
  BusList sensed(Stage::kSensors);
  Observers observers;
  observers.hooks = {&sensed};
  fly(run, observers);
  int ticks = 0;
  for (const auto& [due, found, bus] : sensed.entries) {
    if (!due.on(Axis::kSensors)) continue;
    ++ticks;
    EXPECT_EQ(bus.estimate.measured_at, due.time);
    EXPECT_EQ(bus.estimate.position_W_m, bus.truth.position_W_m);
    EXPECT_EQ(bus.estimate.velocity_W_m_s, bus.truth.velocity_W_m_s);
    EXPECT_EQ(bus.estimate.acceleration_W_m_s2, bus.truth.acceleration_W_m_s2);
    EXPECT_GT(norm(bus.truth.acceleration_W_m_s2), 0.0);
  }
  EXPECT_EQ(ticks, 26);
}

TEST(Wind, OneSeedOneWindAndItIsHeldBetweenTicks) {
  const auto winds = [](std::uint64_t seed) {
    RunSetup setup = busy_setup(TimeUs(100'000));
    setup.sources[2] = std::make_unique<WindSource>(dryden_wind(), seed, DurationUs(20'000));
    tactus::Run run(std::move(setup));
    BusList log(Stage::kWind);
    Observers observers;
    observers.hooks = {&log};
    fly(run, observers);
    std::vector<double> values;
    for (const auto& entry : log.entries) {
      EXPECT_EQ(entry.bus.wind.since.us, entry.due.time.us / 20'000 * 20'000);
      values.push_back(entry.bus.wind.velocity_W_m_s.x);
    }
    return values;
  };
  EXPECT_EQ(winds(1), winds(1));
  EXPECT_NE(winds(1), winds(2));
}

TEST(LandDetector, KnowsTheGearFromTheAir) {
  RunSetup setup = busy_setup(TimeUs(2'000'000));
  setup.plant =
      make_multirotor_plant(quick_iris(), solver_for(Method::kRk4), quick_iris()->initial);
  setup.sources[0] = toy(autopilot_info(), [](SourceContext& context) {
    Command& command = context.bus.write<Signal::kCommand>();
    for (int i = 0; i < 4; ++i) command.motor[i] = context.now.us < 1'000'000 ? 0.0 : 0.7;
  });
  tactus::Run run(std::move(setup));
  BusList log(Stage::kSensors);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  for (const auto& entry : log.entries) {
    EXPECT_TRUE(entry.due.time >= TimeUs(1'000'000) || entry.bus.land.landed);
  }
  EXPECT_FALSE(log.entries.back().bus.land.landed);
  EXPECT_GT(log.entries.back().bus.truth.height_m, 0.3);
}

}  // namespace
}  // namespace tactus
