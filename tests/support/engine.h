// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Toy sources and observers for engine tests, and a run that has a bit of everything.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/engine/run.h"
#include "tactus/engine/sources.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_plant.h"

namespace tactus::testing {

/// A source made of a function. A copy copies what the function has captured by value.
class ToySource : public Source {
 public:
  using Update = std::function<void(SourceContext&)>;

  ToySource(SourceInfo info, Update update, std::vector<Watch> watches = {})
      : info_(info), update_(std::move(update)), watches_(std::move(watches)) {}

  [[nodiscard]] SourceInfo info() const override { return info_; }
  void update(SourceContext& context) override { update_(context); }
  [[nodiscard]] WatchList watches() const override {
    return {watches_.data(), static_cast<int>(watches_.size())};
  }
  [[nodiscard]] std::unique_ptr<Source> clone() const override {
    return std::make_unique<ToySource>(*this);
  }

 private:
  SourceInfo info_;
  Update update_;
  std::vector<Watch> watches_;
};

inline std::unique_ptr<Source> toy(SourceInfo info, ToySource::Update update,
                                   std::vector<Watch> watches = {}) {
  return std::make_unique<ToySource>(info, std::move(update), std::move(watches));
}

/// A scenario that sees everything at every boundary.
inline SourceInfo scenario_info(SignalSet writes = SignalSet::of(Signal::kHighLevel,
                                                                 Signal::kFaults,
                                                                 Signal::kDisturbance)) {
  return {.name = "toy scenario",
          .stage = Stage::kScenario,
          .reads = SignalSet::all(),
          .writes = writes};
}

inline SourceInfo autopilot_info(const char* name = "toy pilot") {
  return {.name = name,
          .stage = Stage::kAutopilot,
          .axis = Axis::kAutopilot,
          .reads = SignalSet::of(Signal::kEstimate),
          .writes = SignalSet::of(Signal::kCommand, Signal::kAutopilot)};
}

/// Commands about the hover of the Iris that shake all axes and depend a little on the estimate.
inline Command wiggle(TimeUs now, const Estimate& estimate) {
  const double t_s = to_seconds(now);
  Command command;
  for (int i = 0; i < 4; ++i) {
    command.motor[i] =
        math::clamp(0.55 + 0.02 * math::sin(3.0 * t_s + i) + 0.05 * math::sin(7.0 * t_s) +
                        1e-3 * estimate.velocity_W_m_s.z,
                    0.0, 1.0);
  }
  return command;
}

inline std::unique_ptr<Source> wiggling_pilot() {
  return toy(autopilot_info(), [](SourceContext& context) {
    context.bus.write<Signal::kCommand>() =
        wiggle(context.now, context.bus.read<Signal::kEstimate>());
  });
}

/// The Iris with the quadratic propeller.
inline std::shared_ptr<const Multirotor> quick_iris() {
  static const auto vehicle =
      std::make_shared<const Multirotor>(make_multirotor(iris_quadratic_parameters()));
  return vehicle;
}

inline MultirotorState at_height(const Multirotor& vehicle, double height_m,
                                 double rotor_speed_rad_s) {
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = -height_m;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    state.x[vehicle.layout.rotor_speed + i] = rotor_speed_rad_s;
  }
  return state;
}

inline SolverConfig solver_for(Method method, std::uint64_t step_us = 1'000) {
  SolverConfig config = default_config(method);
  config.step_us = is_adaptive(method) ? 0 : step_us;
  return config;
}

/// An Iris 100 m up on its own: no sources, no axes.
inline RunSetup bare_setup(TimeUs end, const SolverConfig& solver = solver_for(Method::kRk4),
                           double rotor_speed_rad_s = 480.0) {
  RunSetup setup;
  setup.plant = make_multirotor_plant(quick_iris(), solver,
                                      at_height(*quick_iris(), 100.0, rotor_speed_rad_s));
  setup.schedule = Schedule(end);
  return setup;
}

/// The same with an autopilot axis and its wiggling pilot.
inline RunSetup piloted_setup(TimeUs end, DurationUs period = DurationUs(4'000),
                              const SolverConfig& solver = solver_for(Method::kRk4)) {
  RunSetup setup = bare_setup(end, solver);
  setup.schedule.set_period(Axis::kAutopilot, period);
  setup.sources.push_back(wiggling_pilot());
  return setup;
}

/// A gust between ticks that appears and ends by instants inserted while running, then a slow
/// rotor.
inline std::unique_ptr<Source> busy_scenario() {
  return toy(scenario_info(), [on = TimeUs(30'500)](SourceContext& context) mutable {
    const TimeUs off = on + DurationUs(7'001);
    if (context.now < on) context.requests.boundary_at(on);
    if (context.now >= on && context.now < off) context.requests.boundary_at(off);
    const bool blows = context.now >= on && context.now < off;
    context.bus.write<Signal::kDisturbance>().wind_W_m_s = blows ? Vec3{3, 1, 0} : Vec3{};
    if (context.now == off) on = off + DurationUs(40'000);
    context.bus.write<Signal::kFaults>().thrust_scale[2] = context.now.us >= 100'000 ? 0.97 : 1.0;
  });
}

inline WindParameters dryden_wind(WindRule rule = WindRule::kHold) {
  WindParameters wind;
  wind.mean_W_m_s = {4.0, -2.0, 0.0};
  wind.turbulence = TurbulenceKind::kDryden;
  wind.rule = rule;
  return wind;
}

/// Scenario, turbulence, estimator, land detector and pilot.
inline RunSetup busy_setup(TimeUs end, const SolverConfig& solver = solver_for(Method::kRk4),
                           WindRule rule = WindRule::kHold) {
  constexpr DurationUs kTick(4'000), kWindTick(20'000);
  RunSetup setup = piloted_setup(end, kTick, solver);
  setup.schedule.set_period(Axis::kWind, kWindTick);
  setup.schedule.set_period(Axis::kSensors, kTick);
  setup.sources.push_back(busy_scenario());
  setup.sources.push_back(std::make_unique<WindSource>(dryden_wind(rule), 7, kWindTick));
  setup.sources.push_back(std::make_unique<EstimatorSource>(EstimatorParameters{}, 7, kTick));
  setup.sources.push_back(std::make_unique<LandDetectorSource>(
      LandDetectorParameters{}, LandedVehicle{.flies = true, .motors = 4}, kTick));
  return setup;
}

/// A boundary of no run, for observers of the bus only.
inline BoundaryView view_of(const Due& due, std::uint64_t boundary, const Bus& bus) {
  static const std::unique_ptr<const Plant> plant = make_multirotor_plant(
      quick_iris(), solver_for(Method::kRk4), at_height(*quick_iris(), 100.0, 480.0));
  static const Digest flight;
  return {due, boundary, false, bus, plant->totals(), *plant, flight};
}

/// Keeps every row.
class RowList : public LogSink {
 public:
  struct Row {
    TimeUs time;
    std::uint64_t boundary;
    Bus bus;
  };
  void begin(const VehicleCounts& vehicle) override {
    ++begun;
    counts = vehicle;
  }
  void row(const LogRow& row) override { rows.push_back({row.time, row.boundary, row.bus}); }
  void end(Digest128 flight_digest, bool is_complete) override {
    ++ended;
    digest = flight_digest;
    complete = is_complete;
  }

  VehicleCounts counts;
  std::vector<Row> rows;
  int begun = 0;
  int ended = 0;
  Digest128 digest;
  bool complete = false;
};

/// Keeps the bus after one stage of every boundary.
class BusList : public StageHook {
 public:
  struct Entry {
    Due due;
    bool found;
    Bus bus;
  };
  explicit BusList(Stage stage) : stage_(stage) {}
  [[nodiscard]] bool wants(Stage stage) const override { return stage == stage_; }
  void after(Stage, const BoundaryView& view) override {
    entries.push_back({view.due, view.found, view.bus});
  }
  void note(const Note& note) override { notes.push_back(note); }

  std::vector<Entry> entries;
  std::vector<Note> notes;

 private:
  Stage stage_;
};

/// Remembers what was reported as written.
class WrittenList : public Recorder {
 public:
  void begin(const Run&) override { ++begun; }
  void boundary(const BoundaryView& view, SignalSet signals) override {
    times.push_back(view.due.time);
    written.push_back(signals);
  }
  void end(Digest128, bool is_complete) override {
    ++ended;
    complete = is_complete;
  }

  std::vector<TimeUs> times;
  std::vector<SignalSet> written;
  int begun = 0;
  int ended = 0;
  bool complete = false;
};

inline Digest128 fly_alone(RunSetup setup) {
  Run run(std::move(setup));
  Observers none;
  fly(run, none);
  return run.digest();
}

/// What an action says when it is refused; empty if it is not.
template <class Action>
std::string refusal(Action&& action, ExitCode code) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() == code ? error.what() : std::string("another exit code: ") + error.what();
  }
  return "";
}

}  // namespace tactus::testing
