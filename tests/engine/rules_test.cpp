// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What the engine refuses before a run, what stops it while it flies, and how it closes then.

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tactus/signal/validator.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  EXPECT_FALSE(text.empty()) << "not refused";
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
  }
}

const ToySource::Update kNothing = [](SourceContext&) {};

/// What is said about a run with this source, besides a pilot.
std::string refused(const SourceInfo& info) {
  return refusal(
      [&] {
        RunSetup setup = bare_setup(TimeUs(8'000));
        setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
        setup.sources.push_back(toy(autopilot_info("pilot"), kNothing));
        setup.sources.push_back(toy(info, kNothing));
        const tactus::Run run(std::move(setup));
      },
      ExitCode::kBadInput);
}

TEST(Rules, AnAutopilotReadsOnlyWhatAnAutopilotCanKnow) {
  for (const Signal secret : {Signal::kFaults, Signal::kTruth, Signal::kWind, Signal::kDisturbance,
                              Signal::kEnvironment, Signal::kLoads, Signal::kMarker}) {
    SourceInfo info = autopilot_info("spy");
    info.writes = {};
    info.reads = SignalSet::of(secret, Signal::kEstimate);
    expect_parts(refused(info), {"\"spy\"", std::string("reads ") + to_text(secret)});
  }
  SourceInfo honest = autopilot_info("honest");
  honest.writes = {};
  honest.reads = SignalSet::of(Signal::kEstimate, Signal::kBattery, Signal::kEsc, Signal::kLand);
  EXPECT_EQ(refused(honest), "");
}

TEST(Rules, EverySignalHasOneWriter) {
  SourceInfo info = scenario_info(SignalSet::of(Signal::kCommand));
  expect_parts(refused(info), {"\"toy scenario\"", "command", "autopilot stage"});
  info.stage = Stage::kAutopilot;
  info.reads = {};
  expect_parts(refused(info), {"\"toy scenario\"", "\"pilot\"", "command", "one writer"});
  EXPECT_EQ(refused(scenario_info()), "");
}

TEST(Rules, SignalsOfThePlantAreThePlants) {
  for (const Signal signal : {Signal::kTruth, Signal::kEnvironment, Signal::kBattery,
                              Signal::kPower, Signal::kEsc, Signal::kLoads}) {
    expect_parts(refused(scenario_info(SignalSet::of(signal))), {to_text(signal), "plant"});
  }
}

TEST(Rules, PeriodsAreThoseOfTheAxes) {
  SourceInfo info = scenario_info();
  info.axis = Axis::kAutopilot;
  info.period = DurationUs(4'000);
  EXPECT_EQ(refused(info), "");
  info.period = DurationUs(10'000);
  expect_parts(refused(info), {"\"toy scenario\"", "10ms", "4ms", "autopilot"});
  info.period = {};
  info.axis = Axis::kWind;
  expect_parts(refused(info), {"\"toy scenario\"", "wind", "no period"});
}

TEST(Rules, ASourceActsInAStageOfSources) {
  for (const Stage stage : {Stage::kOutputs, Stage::kTelemetry, Stage::kDiscontinuities,
                            Stage::kLog, Stage::kIntegrate}) {
    SourceInfo info = scenario_info();
    info.stage = stage;
    expect_parts(refused(info), {"\"toy scenario\"", to_text(stage)});
  }
}

TEST(Rules, ACommandFromTheCallerHasNoOtherWriterAndAnAxis) {
  const auto by_caller = [](RunSetup setup) {
    setup.command_from = CommandFrom::kCaller;
    return refusal([&] { const tactus::Run run(std::move(setup)); }, ExitCode::kBadInput);
  };
  expect_parts(by_caller(piloted_setup(TimeUs(8'000))), {"\"toy pilot\"", "caller"});
  expect_parts(by_caller(bare_setup(TimeUs(8'000))), {"autopilot axis", "no period"});
  RunSetup setup = bare_setup(TimeUs(8'000));
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  EXPECT_EQ(by_caller(std::move(setup)), "");
}

TEST(Rules, ASourceSteppedByTheCallerNeedsCommandsFromTheCaller) {
  SourceInfo info = autopilot_info();
  info.mode = SourceMode::kCaller;
  RunSetup setup = bare_setup(TimeUs(8'000));
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  setup.sources.push_back(toy(info, {}));
  expect_parts(refusal([&] { const tactus::Run run(std::move(setup)); }, ExitCode::kBadInput),
               {"\"toy pilot\"", "stepped by the caller"});
}

TEST(Rules, AFixedStepMustResolveTheVehicle) {
  expect_parts(refusal(
                   [] {
                     const tactus::Run run(piloted_setup(TimeUs(1'000'000), DurationUs(100'000),
                                                         solver_for(Method::kRk4, 0)));
                   },
                   ExitCode::kBadInput),
               {"100000", "step"});
}

/// What stops a run whose pilot does this from its second tick on.
std::string stopped(const ToySource::Update& action, SourceInfo info = autopilot_info()) {
  return refusal(
      [&] {
        RunSetup setup = bare_setup(TimeUs(20'000));
        setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
        setup.schedule.set_period(Axis::kSensors, DurationUs(4'000));
        setup.sources.push_back(toy(info, [&](SourceContext& context) {
          if (context.boundary >= 1) action(context);
        }));
        tactus::Run run(std::move(setup));
        Observers none;
        fly(run, none);
      },
      ExitCode::kRunStopped);
}

TEST(Validator, NumbersThatAreNoCommandsStopTheRun) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& bad : {Case{kNan, "nan"},
                          {kInfinity, "inf"},
                          {-kInfinity, "-inf"},
                          {1.5, "1.5"},
                          {-0.1, "-0.1"}}) {
    // Also on a channel that the vehicle lacks.
    for (const int i : {0, kMaxMotors - 1}) {
      expect_parts(stopped([=](SourceContext& context) {
                     context.bus.write<Signal::kCommand>().motor[i] = bad.value;
                   }),
                   {"4000 us", "toy pilot", "command.motor[" + std::to_string(i) + "]",
                    std::string("= ") + bad.text});
    }
  }
  for (const Case& bad : {Case{kNan, "nan"}, {-2.0, "-2"}, {1.01, "1.01"}}) {
    expect_parts(stopped([=](SourceContext& context) {
                   context.bus.write<Signal::kCommand>().servo[3] = bad.value;
                 }),
                 {"4000 us", "toy pilot", "command.servo[3]", std::string("= ") + bad.text});
  }
  EXPECT_EQ(stopped([](SourceContext& context) {
              context.bus.write<Signal::kCommand>().motor[0] = 1.0;
              context.bus.write<Signal::kCommand>().servo[0] = -1.0;
              context.bus.write<Signal::kAutopilot>().yaw_setpoint_rad = kNan;  // not used
            }),
            "");
}

Signal signal_named(const std::string& name) {
  std::size_t i = 0;
  while (i < kSignals && to_text(static_cast<Signal>(i)) != name) ++i;
  EXPECT_LT(i, kSignals) << name;
  return static_cast<Signal>(i);
}

TEST(Validator, EveryRealNumberOfASourceMustBeFinite) {
  const SourceInfo scenario = scenario_info(
      SignalSet::of(Signal::kParameter, Signal::kFaults, Signal::kDisturbance, Signal::kWind,
                    Signal::kImu, Signal::kMagnetometer, Signal::kBarometer, Signal::kGps,
                    Signal::kAirspeed, Signal::kRangeFinder, Signal::kEstimate));
  Bus bus;
  int tried = 0;
  for_each_leaf(bus, [&](const LeafPath& path, auto& leaf) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, double>) {
      const std::string name = path.text();
      const std::string signal = name.substr(0, name.find_first_of(".["));
      if (!scenario.writes.has(signal_named(signal))) return;
      const auto offset = reinterpret_cast<std::byte*>(&leaf) - reinterpret_cast<std::byte*>(&bus);
      ++tried;
      expect_parts(stopped(
                       [offset, written = signal_named(signal)](SourceContext& context) {
                         auto* const start =
                             reinterpret_cast<std::byte*>(&context.bus.write_all(written));
                         *reinterpret_cast<double*>(start + offset) =
                             std::numeric_limits<double>::infinity();
                       },
                       scenario),
                   {"4000 us", "toy scenario", name + " = inf"});
    }
  });
  EXPECT_GT(tried, 100);
}

TEST(Validator, EveryRealNumberOfThePlantMustBeFinite) {
  const Bus good;
  EXPECT_NO_THROW(validate_plant_signals(good, kPlantSignals));
  Bus bus = good;
  SignalSet tried;
  for_each_leaf(bus, [&](const LeafPath& path, auto& leaf) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, double>) {
      const std::string name = path.text();
      const Signal signal = signal_named(name.substr(0, name.find_first_of(".[")));
      if (!kPlantSignals.has(signal)) return;
      tried = tried | SignalSet::of(signal);
      const double before = leaf;
      leaf = std::numeric_limits<double>::quiet_NaN();
      expect_parts(
          refusal([&] { validate_plant_signals(bus, kPlantSignals); }, ExitCode::kRunStopped),
          {"the plant wrote " + name + " = nan"});
      leaf = before;
    }
  });
  EXPECT_EQ(tried.bits, kPlantSignals.bits);
}

TEST(Validator, AnEstimatedAttitudeIsAUnitQuaternion) {
  const SourceInfo info{.name = "estimator",
                        .stage = Stage::kSensors,
                        .axis = Axis::kSensors,
                        .writes = SignalSet::of(Signal::kEstimate)};
  const auto with_w = [&](double w) {
    return stopped(
        [w](SourceContext& context) {
          context.bus.write<Signal::kEstimate>().attitude = {w, 0.0, 0.0, 0.0};
        },
        info);
  };
  expect_parts(with_w(0.9),
               {"4000 us", "estimator", "estimate.attitude, its length = 0.9: must be 1"});
  EXPECT_EQ(with_w(-1.0), "");
}

TEST(Validator, UndeclaredUseStopsTheRun) {
  expect_parts(stopped([](SourceContext& context) { (void)context.bus.read<Signal::kTruth>(); }),
               {"4000 us", "toy pilot", "read", "truth"});
}

TEST(Validator, AFailureOfThePlantSaysWhen) {
  // A wind beyond all numbers: finite on the bus, not in the forces that follow.
  const SourceInfo info = scenario_info();
  expect_parts(stopped(
                   [](SourceContext& context) {
                     context.bus.write<Signal::kDisturbance>().wind_W_m_s = {1e300, 0.0, 0.0};
                   },
                   info),
               {"t = 4000 us"});
}

class BadSink : public RowList {
 public:
  void end(Digest128 digest_at_end, bool is_complete) override {
    RowList::end(digest_at_end, is_complete);
    throw std::runtime_error("disk full");
  }
};

struct Watchers {
  RowList first;
  BadSink bad;
  RowList last;
  WrittenList recorder;
  Observers observers;

  Watchers() {
    observers.sinks = {&first, &bad, &last};
    observers.recorders = {&recorder};
  }
  void expect_closed_once(bool complete) const {
    for (const RowList* sink : {&first, static_cast<const RowList*>(&bad), &last}) {
      EXPECT_EQ(sink->begun, 1);
      EXPECT_EQ(sink->ended, 1);
      EXPECT_EQ(sink->complete, complete);
    }
    EXPECT_EQ(recorder.begun, 1);
    EXPECT_EQ(recorder.ended, 1);
    EXPECT_EQ(recorder.complete, complete);
  }
};

TEST(Closing, EveryObserverIsClosedOnceAfterAnError) {
  RunSetup setup = bare_setup(TimeUs(20'000));
  setup.sources.push_back(toy(scenario_info(), [](SourceContext& context) {
    context.requests.boundary_at(TimeUs(3'000));
    if (context.now == TimeUs(3'000)) throw std::runtime_error("the source is broken");
  }));
  tactus::Run run(std::move(setup));
  Watchers watchers;
  try {
    fly(run, watchers.observers);
    FAIL() << "went on";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the source is broken") << "what stopped the run matters more";
  }
  watchers.expect_closed_once(false);
  EXPECT_EQ(run.now(), TimeUs(3'000)) << "the run stands where it failed";
  EXPECT_FALSE(run.finished());
}

TEST(Closing, AFileThatCannotBeClosedIsAnErrorOfACompleteRun) {
  tactus::Run run(bare_setup(TimeUs(20'000)));
  Watchers watchers;
  EXPECT_THROW(fly(run, watchers.observers), std::runtime_error);
  watchers.expect_closed_once(true);
  EXPECT_TRUE(run.finished());
}

TEST(Closing, AnInterruptedRunIsClosedAndNotComplete) {
  tactus::Run run(piloted_setup(TimeUs(1'000'000)));
  RowList sink;
  Observers observers;
  observers.sinks = {&sink};
  int looks = 0;
  fly(run, observers, [&looks] { return ++looks > 5; });
  EXPECT_EQ(sink.ended, 1);
  EXPECT_FALSE(sink.complete);
  EXPECT_EQ(run.boundaries().total, 5U);
}

}  // namespace
}  // namespace tactus
