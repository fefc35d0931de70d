// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: replays from many instants

// A recorded flight, flown again from its recording: every stream comes back bit by bit, whichever
// parts are played and whichever live, and one bit that is bent is found and named.

#include "tactus/replay/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tests/support/engine.h"
#include "tests/support/recorded.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::load_text;
using testing::record;
using testing::refusal;

/// Turbulence, a noisy estimate, a gust between all ticks, a takeoff (feet leave the ground), a
/// fault at a height that is found in flight, and one when the battery has sagged.
/// One instrument of each kind.
constexpr char kInstrumented[] = R"(
  [sensors]
  fitted = true
  [sensors.airspeed]
  count = 1
  [sensors.range_finder]
  count = 1
  [sensors.optical_flow]
  count = 1
)";

constexpr char kLively[] = R"(
  extends = "../aircraft/iris.toml"
  time = { end_s = 6.0 }
  autopilot = { mission = "", takeoff_height_m = 3.0 }
  [[event]]
  id = "start"
  do = "takeoff"
  [[event]]
  id = "gust"
  at_s = 4.035001
  do = "wind_step"
  vector = [0.0, 4.0, -1.0]
  duration_s = 0.5
  [[event]]
  id = "weak"
  when = "truth.height_m above 1.0"
  do = "thrust_loss"
  rotor = "front_left"
  value = 0.05
  [[event]]
  id = "sagged"
  when = "battery[0].voltage_v below 12.2"
  do = "marker"
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

/// The same without conditions: nothing of it is found for the scenario.
std::string timed() {
  std::string text = kLively;
  const std::size_t from = text.find("  [[event]]\n  id = \"weak\"");
  text.erase(from, text.find("  [[expect]]") - from);
  return text;
}

std::string differences(const ReplayOutcome& outcome) {
  std::string text = outcome.stopped;
  for (const TableVerdict& table : outcome.tables) {
    if (table.equal()) continue;
    const RowMismatch& first = *table.first;
    text += table.name + " at " + to_text(first.time) + ": " + first.leaf + " = " + first.recorded +
            " became " + first.replayed + "\n";
  }
  if (outcome.digest && *outcome.digest != outcome.recorded_digest) text += "digest\n";
  return text;
}

const TableVerdict* find(const ReplayOutcome& outcome, const std::string& table) {
  const auto found = std::find_if(outcome.tables.begin(), outcome.tables.end(),
                                  [&](const TableVerdict& t) { return t.name == table; });
  return found == outcome.tables.end() ? nullptr : &*found;
}

ReplayPlan live(std::vector<FlightPart> parts) {
  ReplayPlan plan;
  plan.mode = ReplayMode::kLive;
  plan.live = std::move(parts);
  return plan;
}

ReplayPlan component(FlightPart part) {
  ReplayPlan plan;
  plan.mode = ReplayMode::kComponent;
  plan.component = part;
  return plan;
}

ReplayPlan plant(std::vector<Override> overrides = {}) {
  ReplayPlan plan;
  plan.mode = ReplayMode::kPlant;
  plan.overrides = std::move(overrides);
  return plan;
}

std::shared_ptr<Recording> copy_of(const std::shared_ptr<const Recording>& recording) {
  return std::make_shared<Recording>(*recording);
}

Table& table_of(Recording& recording, const std::string& name) {
  for (Table& table : recording.tables) {
    if (table.layout.name == name) return table;
  }
  throw std::logic_error("no table " + name);
}

/// One number of one row to the next double.
void bend(Recording& recording, const std::string& name, const std::string& path, std::size_t row) {
  Table& table = table_of(recording, name);
  const RowField& field = *table.layout.find(path);
  std::byte* const bytes = table.rows.data() + row * table.layout.row_size;
  put(field, 0, std::nextafter(number(field, 0, bytes), -100.0), bytes);
}

TEST(Replay, FullReproducesEveryStreamAtEveryTier) {
  const LoadedSpec lively = load_text(kLively);
  for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
    const auto recording = record(lively, tier);
    const ReplayOutcome outcome = replay(recording, {});
    EXPECT_EQ(differences(outcome), "");
    EXPECT_TRUE(outcome.reproduces());
    EXPECT_EQ(outcome.end, TimeUs(6'000'000));
    EXPECT_EQ(outcome.digest.has_value(), tier != Tier::kPlant);
    EXPECT_GT(find(outcome, "log")->rows, 250U);
    EXPECT_GT(find(outcome, "events")->rows, 5U);
    EXPECT_EQ(find(outcome, "rhs_trace"), nullptr);  // what was found is scheduled now
  }
}

TEST(Replay, AChangedParameterComesBack) {
  const LoadedSpec changed = load_text(std::string(kLively) + R"(
  [[event]]
  id = "gentle"
  at_s = 2.0
  do = "parameter"
  parameter = "climb_speed_m_s"
  value = 1.0
)");
  const auto recording = record(changed, Tier::kComponents);
  EXPECT_EQ(recording->require("parameter").size(), 2U);
  EXPECT_EQ(differences(replay(recording, {})), "");
  EXPECT_EQ(differences(replay(recording, plant())), "");
  EXPECT_EQ(differences(replay(recording, live({FlightPart::kAutopilot}))), "");
}

TEST(Replay, WithoutFoundConditionsTheWorkOfTheSolverIsTheSameToo) {
  const auto recording = record(load_text(timed()), Tier::kEvaluations);
  const ReplayOutcome outcome = replay(recording, {});
  EXPECT_EQ(differences(outcome), "");
  ASSERT_NE(find(outcome, "rhs_trace"), nullptr);
  EXPECT_GT(find(outcome, "rhs_trace")->rows, 10'000U);
}

TEST(Replay, FullReproducesWithEveryIntegrator) {
  for (const char* method : {"euler", "rk4", "rk23", "rk45", "lie_rk4"}) {
    SCOPED_TRACE(method);
    const Override solver[] = {
        {"solver.method", method}, {"solver.step_us", "250"}, {"time.end_s", "3.0"}};
    const auto recording = record(load_text(kLively, solver), Tier::kComponents);
    EXPECT_EQ(differences(replay(recording, {})), "");
    EXPECT_EQ(differences(replay(recording, plant())), "");
  }
}

TEST(Replay, InterpolatedLogsAndLinearWindComeBack) {
  const Override overrides[] = {{"log.mode", "interpolate"},
                                {"log.period_s", "0.0033"},
                                {"wind.rule", "linear"},
                                {"time.end_s", "4.0"}};
  const auto recording = record(load_text(kLively, overrides), Tier::kComponents);
  EXPECT_EQ(recording->require("wind").layout.rule, Rule::kLinear);
  EXPECT_EQ(differences(replay(recording, {})), "");
  EXPECT_EQ(differences(replay(recording, plant())), "");
  EXPECT_EQ(differences(replay(recording, component(FlightPart::kWind))), "");
}

TEST(Replay, EveryShippedScenarioComesBack) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_root() + "/scenarios")) {
    if (entry.is_regular_file()) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  ASSERT_GT(names.size(), 10U);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (testing::few_cases() && i % 4 != 0) continue;
    SCOPED_TRACE(names[i]);
    std::vector<Override> shorter;
    if (!testing::test_all()) shorter = {{"time.end_s", "6.0"}};
    if (names[i] == "hover_24h") shorter = {{"time.end_s", "60.0"}};
    const LoadedSpec spec = load_spec(find_spec(names[i]), shorter);
    for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
      if (!testing::test_all() && i % 3 != static_cast<std::size_t>(tier)) continue;
      const auto recording = record(spec, tier);
      EXPECT_EQ(differences(replay(recording, {})), "");
      EXPECT_EQ(differences(replay(recording, plant())), "");
    }
  }
}

TEST(Replay, ARoverComesBack) {
  const Override shorter[] = {{"time.end_s", "10.0"}};
  const auto recording = record(load_spec(find_spec("rover_square"), shorter), Tier::kComponents);
  EXPECT_EQ(differences(replay(recording, {})), "");
  EXPECT_EQ(differences(replay(recording, plant())), "");
  for (const FlightPart part : {FlightPart::kScenario, FlightPart::kAutopilot}) {
    EXPECT_EQ(differences(replay(recording, component(part))), "") << to_text(part);
  }
}

TEST(Replay, APlantWithAnotherIntegratorIsAnotherFlight) {
  const auto recording = record(load_text(kLively), Tier::kPlant);
  EXPECT_EQ(differences(replay(recording, plant({{"solver.method", "rk45"}}))), "");  // as it was
  const ReplayOutcome outcome =
      replay(recording, plant({{"solver.method", "rk4"}, {"solver.step_us", "250"}}));
  EXPECT_FALSE(outcome.reproduces());
  EXPECT_TRUE(find(outcome, "command")->equal());
  EXPECT_TRUE(find(outcome, "wind")->equal());
  EXPECT_EQ(find(outcome, "faults")->replayed, find(outcome, "faults")->rows);
  EXPECT_FALSE(find(outcome, "log")->equal());
}

TEST(Replay, EveryComponentAloneGivesWhatItGave) {
  const auto recording = record(load_text(std::string(kLively) + kInstrumented), Tier::kComponents);
  for (const FlightPart part : kFlightParts) {
    SCOPED_TRACE(to_text(part));
    const ReplayOutcome outcome = replay(recording, component(part));
    EXPECT_EQ(differences(outcome), "");
    EXPECT_FALSE(outcome.tables.empty());
    EXPECT_GE(outcome.tables.front().rows, 1U);
    ASSERT_EQ(outcome.live.size(), part == FlightPart::kInstruments ? 7U : 1U);
    EXPECT_EQ(outcome.played.front(), "plant");
  }
}

TEST(Replay, AComponentWithAnotherParameterIsFound) {
  const auto recording = record(load_text(kLively), Tier::kComponents);
  ReplayPlan plan = component(FlightPart::kEstimator);
  plan.overrides = {{"seed", "2"}};
  const ReplayOutcome estimator = replay(recording, plan);
  EXPECT_FALSE(estimator.reproduces());
  ASSERT_EQ(estimator.tables.size(), 1U);
  EXPECT_TRUE(estimator.tables[0].first->leaf.starts_with("estimate."));

  plan = component(FlightPart::kScenario);
  plan.overrides = {{"event.gust.at_s", "4.035003"}};
  const ReplayOutcome scenario = replay(recording, plan);
  EXPECT_FALSE(scenario.reproduces());
  EXPECT_NE(scenario.stopped.find("4035003"), std::string::npos) << scenario.stopped;
}

TEST(Replay, ABallTakesAnotherMass) {
  const std::vector<Override> soon = {{"time.end_s", "0.2"}};
  const auto recording = record(load_spec(find_spec("ball_drop"), soon), Tier::kComponents);
  const ReplayOutcome same = replay(recording, plant());
  EXPECT_EQ(differences(same), "");
  EXPECT_FALSE(replay(recording, plant({{"ball.mass_kg", "2.5"}})).reproduces());
  const ReplayOutcome in_the_air = replay(recording, plant({{"ball.contact.friction", "0.1"}}));
  EXPECT_TRUE(in_the_air.reproduces()) << differences(in_the_air);
}

TEST(Replay, AnyPartsMayBeLive) {
  const auto recording = record(load_text(kLively), Tier::kComponents);
  using enum FlightPart;
  for (const std::vector<FlightPart>& parts :
       std::vector<std::vector<FlightPart>>{{kWind},
                                            {kAutopilot},
                                            {kWind, kAutopilot},
                                            {kScenario},
                                            {kEstimator, kLand},
                                            {kScenario, kWind, kEstimator, kLand, kAutopilot}}) {
    const ReplayOutcome outcome = replay(recording, live(parts));
    EXPECT_EQ(differences(outcome), "") << parts.size() << " from " << to_text(parts.front());
    EXPECT_EQ(outcome.live.size(), parts.size() + 1);
    EXPECT_TRUE(outcome.digest.has_value());
  }
}

TEST(Replay, ALiveAutopilotWithoutARecordedEstimateGetsALiveOne) {
  const auto recording = record(load_text(kLively), Tier::kPlant);
  const ReplayOutcome outcome = replay(recording, live({FlightPart::kAutopilot}));
  EXPECT_EQ(differences(outcome), "");
  EXPECT_TRUE(outcome.digest.has_value());  // now there is a report
}

TEST(Replay, OneBentSampleIsNamed) {
  const auto straight = record(load_text(timed()), Tier::kComponents);
  const auto bent = copy_of(straight);
  bend(*bent, "wind", "/signals/wind/velocity_ned_m_s", 200);
  const ReplayOutcome full = replay(bent, {});
  EXPECT_FALSE(full.reproduces());
  EXPECT_TRUE(find(full, "wind")->equal());  // it is played as it is
  EXPECT_GE(find(full, "boundary")->first->time, TimeUs(4'000'000));
  EXPECT_LT(find(full, "boundary")->first->time, TimeUs(4'100'000));
  EXPECT_NE(*full.digest, full.recorded_digest);

  const ReplayOutcome wind = replay(bent, component(FlightPart::kWind));
  EXPECT_FALSE(wind.reproduces());
  const TableVerdict& table = *find(wind, "wind");
  EXPECT_EQ(table.different, 1U);
  EXPECT_EQ(table.first->leaf, "wind.velocity_ned_m_s.x");
  EXPECT_EQ(table.first->time, TimeUs(4'000'000));
  EXPECT_EQ(table.first->ulps, 1U);

  const auto pilot = copy_of(straight);
  bend(*pilot, "command", "/signals/command/motor", 900);
  const ReplayOutcome command = replay(pilot, component(FlightPart::kAutopilot));
  EXPECT_EQ(find(command, "command")->first->leaf, "command.motor[0]");
  EXPECT_EQ(find(command, "command")->first->time, TimeUs(3'600'000));
}

TEST(Replay, AMissingRowAndAnExtraRowAreFound) {
  const auto straight = record(load_text(timed()), Tier::kComponents);
  const auto shorter = copy_of(straight);
  Table& log = table_of(*shorter, "log");
  log.rows.resize(log.rows.size() - log.layout.row_size);
  EXPECT_EQ(find(replay(shorter, {}), "log")->first->recorded, "no row");
  const auto longer = copy_of(straight);
  Table& more = table_of(*longer, "log");
  const std::vector<std::byte> last(more.rows.end() - static_cast<long>(more.layout.row_size),
                                    more.rows.end());
  more.rows.insert(more.rows.end(), last.begin(), last.end());
  EXPECT_EQ(find(replay(longer, {}), "log")->first->replayed, "no row");
}

/// Flown by commands that the caller gives.
std::shared_ptr<const Recording> record_by_hand(const LoadedSpec& spec) {
  AssembleOptions options;
  options.command_from = CommandFrom::kCaller;
  Run run = std::move(assemble(spec.spec, options).run);
  MemorySink sink;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(spec, Tier::kComponents, {});
  StreamRecorder recorder(setup, sink);
  Observers observers{{}, {}, {&recorder}};
  open(run, observers);
  while (!run.finished()) {
    if (proceed(run, observers) == Progress::kNeedsCommand) {
      give_command(run, testing::wiggle(run.now(), run.bus().estimate));
    }
  }
  close(run, observers);
  return sink.recording();
}

TEST(Replay, CommandsFromTheCallerAreReplayed) {
  const auto recording = record_by_hand(load_text(timed()));
  EXPECT_EQ(differences(replay(recording, {})), "");
  EXPECT_NE(refusal([&] { replay(recording, live({FlightPart::kAutopilot})); }, ExitCode::kBadInput)
                .find("came from outside"),
            std::string::npos);
}

TEST(Replay, AnIncompleteRecordingIsReplayedToItsEnd) {
  const LoadedSpec spec = load_text(kLively);
  for (const Tier tier : {Tier::kPlant, Tier::kComponents}) {
    Assembly flight = assemble(spec.spec);
    MemorySink sink;
    StreamRecorderSetup setup;
    setup.meta = recording_meta(spec, tier, {});
    StreamRecorder recorder(setup, sink);
    Observers observers{{}, {}, {&recorder}};
    fly(flight.run, observers, [&] { return flight.run.now() > TimeUs(3'500'000); });
    ASSERT_FALSE(sink.recording()->end.complete);
    const ReplayOutcome outcome = replay(sink.recording(), {});
    EXPECT_EQ(differences(outcome), "");
    EXPECT_EQ(outcome.end, TimeUs(3'500'000));
    EXPECT_NE(outcome.notes.front().find("not complete"), std::string::npos);
    EXPECT_EQ(differences(replay(sink.recording(), plant())), "");
    if (tier == Tier::kPlant) continue;
    EXPECT_EQ(differences(replay(sink.recording(), component(FlightPart::kAutopilot))), "");
  }
}

TEST(Replay, TheReplayCanBeRecordedItself) {
  const auto recording = record(load_text(timed()), Tier::kComponents);
  MemorySink again;
  EXPECT_TRUE(replay(recording, {}, {&again, {}}).reproduces());
  EXPECT_EQ(again.recording()->end.flight_digest, recording->end.flight_digest);
  EXPECT_EQ(again.recording()->meta.spec_digest, recording->meta.spec_digest);
  EXPECT_EQ(again.recording()->meta.sources.front().mode, "replay");
  EXPECT_EQ(differences(replay(again.recording(), {})), "");
}

TEST(Replay, RefusesWhatItCannotDoAndSaysWhatWould) {
  const auto low = record(load_text(timed()), Tier::kPlant);
  EXPECT_NE(refusal([&] { replay(low, component(FlightPart::kWind)); }, ExitCode::kBadInput)
                .find("at tier 1"),
            std::string::npos);
  const auto other_bus = copy_of(low);
  other_bus->meta.bus_version += 1;
  EXPECT_NE(refusal([&] { replay(other_bus, {}); }, ExitCode::kBadInput).find("bus"),
            std::string::npos);
  const auto other_field = copy_of(low);
  table_of(*other_field, "wind").layout.fields[1].path = "/signals/wind/speed_knots";
  EXPECT_NE(refusal([&] { replay(other_field, {}); }, ExitCode::kBadInput).find("wind"),
            std::string::npos);
  const auto gap = copy_of(low);
  Table& wind = table_of(*gap, "wind");
  wind.rows.resize(wind.rows.size() / 2 / wind.layout.row_size * wind.layout.row_size);
  EXPECT_NE(refusal([&] { replay(gap, {}); }, ExitCode::kBadInput).find("wind"), std::string::npos);
  EXPECT_NE(refusal([&] { replay(low, live({FlightPart::kLand})); }, ExitCode::kBadInput)
                .find("at tier 1"),
            std::string::npos);
  EXPECT_NE(refusal([] { flight_part("engine"); }, ExitCode::kBadInput).find("estimator"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus
