// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// One boundary: the order of its stages, what each sees, what a log row holds, when the run ends.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/engine.h"
#include "tests/support/plant.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr TimeUs kStart{};

/// Says when it is called, and what it saw.
struct Visit {
  std::string who;
  TimeUs now;
  Vec3 disturbance;
  Vec3 wind;
  Vec3 estimate_position;
  bool pack_connected;
};

class OrderProbe : public ::testing::Test {
 protected:
  [[nodiscard]] ToySource::Update visited(const char* who, ToySource::Update then) {
    return [this, who, then = std::move(then)](SourceContext& context) {
      then(context);
      const Bus& bus = *seen;
      visits.push_back({who, context.now, bus.disturbance.wind_W_m_s, bus.wind.velocity_W_m_s,
                        bus.estimate.position_W_m, bus.battery[0].connected});
    };
  }

  std::vector<Visit> visits;
  const Bus* seen = nullptr;
};

TEST_F(OrderProbe, ScenarioThenWindThenSensorsThenAutopilot) {
  RunSetup setup = bare_setup(TimeUs(4'000));
  for (const Axis axis : {Axis::kWind, Axis::kSensors, Axis::kAutopilot}) {
    setup.schedule.set_period(axis, DurationUs(4'000));
  }
  // Added in the wrong order on purpose.
  setup.sources.push_back(toy(autopilot_info(), visited("autopilot", [](SourceContext&) {})));
  setup.sources.push_back(toy({.name = "second sensor",
                               .stage = Stage::kSensors,
                               .axis = Axis::kSensors,
                               .writes = SignalSet::of(Signal::kEstimate)},
                              visited("first sensor", [](SourceContext& context) {
                                context.bus.write<Signal::kEstimate>().position_W_m.x = 5.0;
                              })));
  setup.sources.push_back(toy({.name = "another",
                               .stage = Stage::kSensors,
                               .axis = Axis::kSensors,
                               .writes = SignalSet::of(Signal::kLand)},
                              visited("second sensor", [](SourceContext&) {})));
  setup.sources.push_back(toy({.name = "wind",
                               .stage = Stage::kWind,
                               .axis = Axis::kWind,
                               .writes = SignalSet::of(Signal::kWind)},
                              visited("wind", [](SourceContext& context) {
                                context.bus.write<Signal::kWind>().velocity_W_m_s.y = 2.0;
                              })));
  setup.sources.push_back(toy(scenario_info(), visited("scenario", [](SourceContext& context) {
                                context.bus.write<Signal::kDisturbance>().wind_W_m_s.x = 3.0;
                                context.bus.write<Signal::kFaults>().pack[0].connected = false;
                              })));
  tactus::Run run(std::move(setup));
  seen = &run.bus();
  Observers none;
  proceed(run, none);
  ASSERT_EQ(visits.size(), 5U);
  const char* const order[] = {"scenario", "wind", "first sensor", "second sensor", "autopilot"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(visits[i].who, order[i]);
    EXPECT_EQ(visits[i].now, kStart);
    EXPECT_EQ(visits[i].disturbance.x, 3.0);
    EXPECT_EQ(visits[i].wind.y, i >= 1 ? 2.0 : 0.0);
    EXPECT_EQ(visits[i].estimate_position.x, i >= 2 ? 5.0 : 0.0);
    // What the plant makes of the pulled plug appears with its outputs, after the wind.
    EXPECT_EQ(visits[i].pack_connected, i < 2) << order[i];
  }
}

TEST(Boundary, SensorsAndAutopilotFeelTheGustOfTheirOwnInstant) {
  RunSetup setup = piloted_setup(TimeUs(8'000));
  setup.sources.push_back(toy(scenario_info(), [](SourceContext& context) {
    context.bus.write<Signal::kDisturbance>().wind_W_m_s = {0.0, 6.0, 0.0};
  }));
  tactus::Run run(std::move(setup));
  BusList outputs(Stage::kOutputs);
  Observers observers;
  observers.hooks = {&outputs};
  fly(run, observers);
  EXPECT_EQ(outputs.entries[0].due.time, kStart);
  EXPECT_EQ(outputs.entries[0].bus.environment.wind_W_m_s, (Vec3{0.0, 6.0, 0.0}));
  EXPECT_EQ(outputs.entries[0].bus.truth.air_velocity_B_m_s.y, 6.0);
  EXPECT_GT(outputs.entries[0].bus.truth.acceleration_W_m_s2.y, 0.0);
}

TEST(Boundary, HooksSeeEveryStageInOrder) {
  class Stages : public StageHook {
   public:
    [[nodiscard]] bool wants(Stage) const override { return true; }
    void after(Stage stage, const BoundaryView& view) override {
      if (view.boundary == 1) seen.push_back(stage);
    }
    std::vector<Stage> seen;
  } stages;
  tactus::Run run(piloted_setup(TimeUs(8'000)));
  Observers observers;
  observers.hooks = {&stages};
  fly(run, observers);
  EXPECT_EQ(stages.seen, (std::vector<Stage>{Stage::kScenario, Stage::kWind, Stage::kOutputs,
                                             Stage::kSensors, Stage::kTelemetry, Stage::kAutopilot,
                                             Stage::kDiscontinuities, Stage::kLog}));
}

TEST(Boundary, TheFirstRowIsTheInitialState) {
  RunSetup setup = piloted_setup(TimeUs(8'000));
  setup.schedule.set_period(Axis::kLog, DurationUs(4'000));
  setup.log_period = DurationUs(4'000);
  tactus::Run run(std::move(setup));
  RowList rows;
  Observers observers;
  observers.sinks = {&rows};
  fly(run, observers);
  ASSERT_EQ(rows.rows.size(), 3U);
  EXPECT_EQ(rows.rows[0].time, kStart);
  EXPECT_EQ(rows.rows[0].bus.truth.position_W_m, (Vec3{0.0, 0.0, -100.0}));
  EXPECT_EQ(rows.counts.motors, 4);
  EXPECT_EQ(rows.begun, 1);
  EXPECT_EQ(rows.ended, 1);
  EXPECT_TRUE(rows.complete);
  EXPECT_EQ(rows.digest, run.digest());
}

TEST(Boundary, TheEndIsNotOvershotAndNothingIsIntegratedAfterIt) {
  tactus::Run run(piloted_setup(TimeUs(5'000), DurationUs(2'000)));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  std::vector<std::uint64_t> times;
  for (const auto& entry : log.entries) times.push_back(entry.due.time.us);
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 2'000, 4'000, 5'000}));
  EXPECT_EQ(run.now(), TimeUs(5'000));
  EXPECT_EQ(run.bus().time, TimeUs(5'000));
  EXPECT_TRUE(run.finished());
  // Steps of 1 ms: five of them and not one more.
  EXPECT_EQ(run.plant().totals().accepted, 5U);
}

TEST(Boundary, WindIsHeldBetweenItsTicks) {
  RunSetup setup = piloted_setup(TimeUs(3'000), DurationUs(1'000));
  setup.schedule.set_period(Axis::kWind, DurationUs(2'000));
  setup.sources.push_back(toy({.name = "wind",
                               .stage = Stage::kWind,
                               .axis = Axis::kWind,
                               .writes = SignalSet::of(Signal::kWind)},
                              [](SourceContext& context) {
                                context.bus.write<Signal::kWind>().velocity_W_m_s.x =
                                    100.0 * to_seconds(context.now);
                              }));
  tactus::Run run(std::move(setup));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  std::vector<double> wind;
  for (const auto& entry : log.entries) wind.push_back(entry.bus.environment.wind_W_m_s.x);
  EXPECT_EQ(wind, (std::vector<double>{0.0, 0.0, 0.2, 0.2}));
}

TEST(Boundary, ALinearWindIsContinuousOverBoundariesThatAreNotItsTicks) {
  RunSetup setup = piloted_setup(TimeUs(40'000), DurationUs(4'000));
  setup.schedule.set_period(Axis::kWind, DurationUs(20'000));
  setup.sources.push_back(toy({.name = "wind",
                               .stage = Stage::kWind,
                               .axis = Axis::kWind,
                               .writes = SignalSet::of(Signal::kWind)},
                              [](SourceContext& context) {
                                const double t_s = to_seconds(context.now);
                                context.bus.write<Signal::kWind>() = {
                                    {50.0 * t_s, 0.0, 0.0}, {50.0, 0.0, 0.0}, context.now};
                              }));
  // Reads outputs before their stage: with the input as held until now.
  std::vector<double> early;
  SourceInfo info = scenario_info();
  info.wants_outputs = true;
  setup.sources.push_back(toy(info, [&early](SourceContext& context) {
    early.push_back(context.bus.read<Signal::kEnvironment>().wind_W_m_s.x);
  }));
  tactus::Run run(std::move(setup));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  ASSERT_EQ(early.size(), log.entries.size());
  for (std::size_t i = 0; i < early.size(); ++i) {
    const double expected = 50.0 * to_seconds(log.entries[i].due.time);
    EXPECT_NEAR(log.entries[i].bus.environment.wind_W_m_s.x, expected, 1e-12);
    EXPECT_NEAR(early[i], expected, 1e-12) << "t = " << log.entries[i].due.time.us;
  }
}

TEST(Boundary, ARowIsConsistent) {
  // State at t, command and faults after this boundary, outputs evaluated with them.
  RunSetup setup = busy_setup(TimeUs(200'000));
  setup.schedule.set_period(Axis::kLog, DurationUs(20'000));
  setup.log_period = DurationUs(20'000);
  tactus::Run run(std::move(setup));
  RowList rows;
  Observers observers;
  observers.sinks = {&rows};
  fly(run, observers);
  ASSERT_EQ(rows.rows.size(), 11U);
  const Multirotor& vehicle = *quick_iris();
  for (const RowList::Row& row : rows.rows) {
    const Bus& bus = row.bus;
    EXPECT_EQ(bus.time, row.time);
    MultirotorInput input;
    for (int i = 0; i < 4; ++i) input.motor_command[i] = bus.command.motor[i];
    for (int i = 0; i < 4; ++i) input.thrust_scale[i] = bus.faults.thrust_scale[i];
    input.wind_W_m_s = bus.wind.velocity_W_m_s + bus.disturbance.wind_W_m_s;
    EXPECT_EQ(bus.command.motor[1], wiggle(row.time, bus.estimate).motor[1]) << "an old command";
    MultirotorFlight flight;
    flight.now = row.time;
    flight.state = at_height(vehicle, 0.0, 0.0);
    double* const x = flight.state.x;
    store(x + vehicle.layout.position, bus.truth.position_W_m);
    store(x + vehicle.layout.velocity, bus.truth.velocity_W_m_s);
    store(x + vehicle.layout.attitude, bus.truth.attitude);
    store(x + vehicle.layout.rate, bus.truth.rate_B_rad_s);
    for (int i = 0; i < 4; ++i) x[vehicle.layout.rotor_speed + i] = bus.esc[i].speed_rad_s;
    x[vehicle.layout.charge] = bus.battery[0].remaining;
    // The pack's polarisation is not on the bus; its effect on the voltage is.
    const MultirotorOutputs rest = outputs(vehicle, input, flight);
    EXPECT_NEAR(bus.power.bus_v[0], rest.power.bus_v[0], 0.01);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(bus.loads.thrust_n[i], rest.thrust_n[i]) << row.time.us;
      EXPECT_EQ(bus.loads.duty[i], rest.duty[i]) << row.time.us;
      EXPECT_NEAR(bus.esc[i].current_a, rest.power.motor_current_a[i], 0.05);
    }
    EXPECT_EQ(bus.truth.acceleration_W_m_s2, rest.acceleration_W_m_s2);
    EXPECT_EQ(bus.truth.air_velocity_B_m_s, rest.air_velocity_B_m_s);
    EXPECT_EQ(bus.environment.wind_W_m_s, input.wind_W_m_s);
  }
}

TEST(Boundary, TheEngineFliesThePlantAsThePlantFliesItself) {
  const auto command = [](std::uint64_t t_us) {
    Estimate still;
    return wiggle(TimeUs(t_us), still);
  };
  const auto disturb = [](std::uint64_t t_us, std::uint32_t& off_mask, Vec3& wind) {
    off_mask = t_us >= 120'000 && t_us < 180'000 ? 4U : 0U;
    wind = t_us >= 60'000 ? Vec3{2.0, -1.0, 0.5} : Vec3{};
  };
  for (const Method method : {Method::kRk4, Method::kRk23, Method::kRk45, Method::kLieRk4}) {
    RunSetup setup = piloted_setup(TimeUs(400'000), DurationUs(4'000), solver_for(method));
    setup.sources[0] = toy(autopilot_info(), [&](SourceContext& context) {
      context.bus.write<Signal::kCommand>() = command(context.now.us);
    });
    setup.sources.push_back(toy(scenario_info(), [&](SourceContext& context) {
      disturb(context.now.us, context.bus.write<Signal::kFaults>().motor_off_mask,
              context.bus.write<Signal::kDisturbance>().wind_W_m_s);
    }));
    tactus::Run run(std::move(setup));
    Observers none;
    fly(run, none);

    const Multirotor& vehicle = *quick_iris();
    MultirotorFlight flight = start_flight(vehicle, {}, at_height(vehicle, 100.0, 480.0));
    for (std::uint64_t t_us = 0; t_us < 400'000; t_us += 4'000) {
      MultirotorInput input;
      for (int i = 0; i < 4; ++i) input.motor_command[i] = command(t_us).motor[i];
      disturb(t_us, input.motor_off_mask, input.wind_W_m_s);
      fly(vehicle, solver_for(method), input, TimeUs(t_us + 4'000), flight);
    }
    Digest engine, plant;
    run.plant().add_state(engine);
    plant.add(
        std::span<const double>(flight.state.x, static_cast<std::size_t>(vehicle.layout.size)));
    plant.add_fields(flight.modes);
    EXPECT_EQ(engine.result(), plant.result()) << to_text(method);
  }
}

TEST(Boundary, EndRunEndsAtThatBoundaryAfterItsStages) {
  RunSetup setup = piloted_setup(TimeUs(1'000'000));
  setup.schedule.insert(TimeUs(10'001));
  setup.sources.push_back(toy(scenario_info(), [](SourceContext& context) {
    if (context.now == TimeUs(10'001)) context.requests.end_run();
  }));
  tactus::Run run(std::move(setup));
  RowList rows;
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  observers.sinks = {&rows};
  fly(run, observers);
  EXPECT_EQ(run.now(), TimeUs(10'001));
  EXPECT_EQ(log.entries.back().due.time, TimeUs(10'001));
  EXPECT_TRUE(log.entries.back().due.end);
  EXPECT_TRUE(rows.complete);
}

TEST(Boundary, CountsByKindAddUp) {
  // The rotors stand still at first, so it falls: one event is found.
  RunSetup setup = bare_setup(TimeUs(30'000), solver_for(Method::kRk4), 0.0);
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  setup.sources.push_back(wiggling_pilot());
  setup.schedule.set_period(Axis::kLog, DurationUs(3'000));
  setup.log_period = DurationUs(3'000);
  setup.schedule.set_period(Axis::kWind, DurationUs(10'000));
  setup.schedule.insert(TimeUs(12'345));
  setup.schedule.insert(TimeUs(8'000));
  setup.sources.push_back(
      toy(scenario_info(), [](SourceContext&) {}, {{WatchQuantity::kVelocity, 2, 1.0, 0.05}}));
  tactus::Run run(std::move(setup));
  BusList log(Stage::kLog);
  Observers observers;
  observers.hooks = {&log};
  fly(run, observers);
  const BoundaryCounts& counts = run.boundaries();
  const auto on = [&](Axis axis) { return counts.axis[static_cast<std::size_t>(axis)]; };
  EXPECT_EQ(on(Axis::kAutopilot), 8U);  // 0 … 28 ms
  EXPECT_EQ(on(Axis::kLog), 11U);       // 0 … 30 ms
  EXPECT_EQ(on(Axis::kWind), 4U);
  EXPECT_EQ(counts.instants, 2U);
  EXPECT_EQ(counts.log_only, 7U);  // 3, 6, 9, 15, 18, 21, 27 ms
  std::uint64_t found = 0;
  for (const auto& entry : log.entries) found += entry.found ? 1 : 0;
  EXPECT_EQ(counts.found, found);
  EXPECT_EQ(found, 1U);
  EXPECT_EQ(counts.total, log.entries.size());
  // 8 autopilot + 7 log only + 10 and 30 ms of wind − 20 ms, which is both + 12,345 + found.
  EXPECT_EQ(counts.total, 8U + 7U + 2U + 1U + 1U);
}

}  // namespace
}  // namespace tactus
