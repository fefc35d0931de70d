// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a recording holds: tables by tier, samples at every tick, changes when they happen, the
// digest chain and events; and that recording changes no flight.

#include "tactus/record/stream_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/engine/run.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::busy_setup;
using testing::refusal;
using testing::solver_for;

constexpr TimeUs kEnd(2'400'000);

RunSetup logged(RunSetup setup) {
  setup.log_period = DurationUs(20'000);
  setup.schedule.set_period(Axis::kLog, setup.log_period);
  return setup;
}

std::shared_ptr<const Recording> record(RunSetup setup, Tier tier, bool linear = false,
                                        TimeUs stop_after = kEnd) {
  Run run(std::move(setup));
  MemorySink sink;
  StreamRecorderSetup how;
  how.meta.tier = tier;
  how.meta.event_ids = {"first", "second"};
  how.wind_is_linear = linear;
  StreamRecorder recorder(how, sink);
  Observers observers{{}, {}, {&recorder}};
  fly(run, observers, [&] { return run.now() > stop_after; });
  return sink.recording();
}

std::set<std::string> names_of(const Recording& recording) {
  std::set<std::string> names;
  for (const Table& table : recording.tables) names.insert(table.layout.name);
  return names;
}

std::uint64_t flag(const Table& table, std::size_t row, const char* path) {
  return whole_number(*table.layout.find(path), 0, table.row(row).data());
}

TEST(StreamRecorder, EachTierAddsTables) {
  const std::set<std::string> lowest = {"boundary",    "start", "high_level", "faults",
                                        "disturbance", "wind",  "land",       "command",
                                        "log",         "chain", "events"};
  EXPECT_EQ(names_of(*record(logged(busy_setup(kEnd)), Tier::kPlant)), lowest);
  std::set<std::string> middle = lowest;
  middle.insert({"estimate", "autopilot"});
  EXPECT_EQ(names_of(*record(logged(busy_setup(kEnd)), Tier::kComponents)), middle);
  middle.insert("rhs_trace");
  EXPECT_EQ(names_of(*record(logged(busy_setup(kEnd)), Tier::kEvaluations)), middle);
  EXPECT_EQ(names_of(*record(busy_setup(kEnd), Tier::kPlant)).count("log"), 0U);
}

TEST(StreamRecorder, RecordingChangesNoFlight) {
  const Digest128 alone = testing::fly_alone(logged(busy_setup(kEnd)));
  for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
    const auto recording = record(logged(busy_setup(kEnd)), tier);
    EXPECT_EQ(recording->end.flight_digest, alone);
    EXPECT_EQ(recording->end.time, kEnd);
    EXPECT_TRUE(recording->end.complete);
  }
}

TEST(StreamRecorder, SampledSignalsHaveARowAtEveryTick) {
  const auto recording = record(logged(busy_setup(kEnd)), Tier::kComponents);
  const auto check = [&](const char* name, std::uint64_t period_us, Rule rule) {
    const Table& table = recording->require(name);
    EXPECT_EQ(table.layout.rule, rule) << name;
    EXPECT_EQ(table.layout.period, DurationUs(period_us)) << name;
    ASSERT_EQ(table.size(), kEnd.us / period_us + 1) << name;
    for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(table.time(i).us, i * period_us);
  };
  check("wind", 20'000, Rule::kSampleAndHold);
  check("command", 4'000, Rule::kSampleAndHold);
  check("autopilot", 4'000, Rule::kSampleAndHold);
  check("estimate", 4'000, Rule::kSampleAndHold);
  check("log", 20'000, Rule::kSampled);
  const auto linear =
      record(busy_setup(kEnd, solver_for(Method::kRk4), WindRule::kLinear), Tier::kPlant, true);
  EXPECT_EQ(linear->require("wind").layout.rule, Rule::kLinear);
}

TEST(StreamRecorder, OtherSignalsHaveARowAtEveryChangeWithItsBoundary) {
  const auto recording = record(busy_setup(TimeUs(200'000)), Tier::kPlant);
  const Table& disturbance = recording->require("disturbance");
  EXPECT_EQ(disturbance.layout.rule, Rule::kZeroOrderHold);
  std::vector<std::uint64_t> times;
  const Table& boundaries = recording->require("boundary");
  for (std::size_t i = 0; i < disturbance.size(); ++i) {
    times.push_back(disturbance.time(i).us);
    const std::uint64_t boundary = flag(disturbance, i, "/time/disturbance_boundary");
    EXPECT_EQ(boundaries.time(boundary), disturbance.time(i));
  }
  // a gust of 7.001 ms that begins at 30.5 ms and 40 ms after each end
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 30'500, 37'501, 77'501, 84'502, 124'502, 131'503,
                                               171'503, 178'504}));
  EXPECT_EQ(recording->require("faults").size(), 2U);
}

TEST(StreamRecorder, BoundariesAreKeptAsExecuted) {
  const auto recording = record(busy_setup(TimeUs(200'000)), Tier::kComponents);
  const Table& table = recording->require("boundary");
  for (std::size_t i = 1; i < table.size(); ++i) EXPECT_LT(table.time(i - 1), table.time(i));
  const std::size_t gust = *table.at(TimeUs(30'500));
  EXPECT_EQ(flag(table, gust, "/time/boundary_instant"), 1U);
  EXPECT_EQ(flag(table, gust, "/time/boundary_axes"), 0U);
  EXPECT_EQ(flag(table, gust, "/time/boundary_end"), 0U);
  EXPECT_EQ(flag(table, table.size() - 1, "/time/boundary_end"), 1U);
  EXPECT_NE(table.layout.find("/outputs/truth/position_ned_m"), nullptr);
  EXPECT_NE(table.layout.find("/plant/modes/gear_touching"), nullptr);
  EXPECT_EQ(recording->require("start").size(), 1U);
  EXPECT_EQ(recording->require("start").time(0), TimeUs{});
}

TEST(StreamRecorder, TheChainEndsInTheFlightDigest) {
  const auto recording = record(logged(busy_setup(kEnd)), Tier::kPlant);
  const Table& chain = recording->require("chain");
  ASSERT_EQ(chain.size(), 4U);  // 0, 1, 2 s and the end
  EXPECT_EQ(chain.time(2), TimeUs(2'000'000));
  EXPECT_EQ(chain.time(3), kEnd);
  const RowField& digest = *chain.layout.find("/chain/flight_digest");
  const std::byte* const last = chain.row(3).data();
  EXPECT_EQ(whole_number(digest, 0, last), recording->end.flight_digest.high);
  EXPECT_EQ(whole_number(digest, 1, last), recording->end.flight_digest.low);
}

/// A meter up, motors off.
RunSetup falling_setup() {
  RunSetup setup = testing::piloted_setup(TimeUs(1'000'000));
  setup.plant = make_multirotor_plant(testing::quick_iris(), solver_for(Method::kRk4, 250),
                                      testing::at_height(*testing::quick_iris(), 1.0, 0.0));
  setup.sources.clear();
  return setup;
}

/// What the plant answers at every boundary when it is asked there and then.
class AskedOutputs : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kOutputs; }
  void after(Stage, const BoundaryView& view) override {
    answers.push_back(view.bus);
    view.plant.publish_outputs(answers.back());
  }
  std::vector<Bus> answers;
};

/// Every number of the plant in a row, by the names of the bus.
std::vector<double> plant_row(const Recording& recording, const char* table, const char* group,
                              std::size_t row) {
  std::vector<double> values;
  for (const RowField& field : recording.require(table).layout.fields) {
    const bool of_plant = std::any_of(
        recording.require("boundary").layout.fields.begin(),
        recording.require("boundary").layout.fields.end(), [&](const RowField& published) {
          return published.path.starts_with(kOutputsGroup) &&
                 field.path == group + published.path.substr(std::string(kOutputsGroup).size());
        });
    for (std::size_t i = 0; of_plant && i < field.width; ++i) {
      values.push_back(number(field, i, recording.require(table).row(row).data()));
    }
  }
  return values;
}

TEST(StreamRecorder, OutputsAreOfTheirInstantAtEveryBoundary) {
  // Gusts and touchdowns fall between the ticks of the autopilot: nothing else asks for outputs
  // there.
  for (const bool falls : {false, true}) {
    tactus::Run run(falls ? falling_setup() : busy_setup(TimeUs(400'000)));
    MemorySink sink;
    StreamRecorderSetup how;
    how.meta.tier = Tier::kComponents;
    StreamRecorder recorder(how, sink);
    AskedOutputs asked;
    Observers observers{{&asked}, {}, {&recorder}};
    fly(run, observers);
    const Table& boundaries = sink.recording()->require("boundary");
    const std::vector<BusLeaf> leaves =
        leaves_of(run.plant().publishes(), bus_leaves(run.counts()));
    const RowPart published = find_fields(boundaries.layout, kOutputsGroup, leaves);
    ASSERT_EQ(asked.answers.size(), boundaries.size());
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
      Bus recorded = asked.answers[i];
      published.scatter(boundaries.row(i).data(), &recorded);
      const std::optional<Difference> difference = first_difference(recorded, asked.answers[i]);
      EXPECT_FALSE(difference) << boundaries.time(i).us << " us: " << difference->text();
    }
  }
}

TEST(StreamRecorder, TheLogDiffersFromOutputsOnlyByWhatTheBoundaryChanged) {
  // Motors off: no command changes anything, so both mean the same.
  const auto recording = record(logged(falling_setup()), Tier::kComponents);
  const Table& log = recording->require("log");
  ASSERT_GT(log.size(), 40U);
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::optional<std::size_t> at = recording->require("boundary").at(log.time(i));
    ASSERT_TRUE(at);
    EXPECT_EQ(plant_row(*recording, "log", "/log", i),
              plant_row(*recording, "boundary", kOutputsGroup, *at))
        << log.time(i).us;
  }
}

TEST(StreamRecorder, WhatHappensIsAnEvent) {
  const auto recording = record(falling_setup(), Tier::kPlant);
  const Table& events = recording->require("events");
  ASSERT_GE(events.size(), 4U);  // four feet
  const std::byte* const row = events.row(0).data();
  EXPECT_EQ(text(*events.layout.find("/events/who"), row), "plant");
  EXPECT_EQ(text(*events.layout.find("/events/what"), row), "touchdown");
  const Table& boundaries = recording->require("boundary");
  const auto touched = boundaries.at(events.time(0));
  ASSERT_TRUE(touched);
  EXPECT_EQ(flag(boundaries, *touched, "/time/boundary_found"), 1U);
}

TEST(StreamRecorder, AWindThatChangesOffItsAxisStopsTheRun) {
  RunSetup setup = testing::bare_setup(TimeUs(100'000));
  setup.schedule.set_period(Axis::kWind, DurationUs(20'000));
  setup.schedule.set_period(Axis::kPhysics, DurationUs(5'000));
  SourceInfo info{.name = "restless wind", .stage = Stage::kWind};
  info.writes = SignalSet::of(Signal::kWind);
  setup.sources.push_back(testing::toy(info, [](SourceContext& context) {
    context.bus.write<Signal::kWind>().velocity_W_m_s.x = to_seconds(context.now);
  }));
  const std::string refused =
      refusal([&] { record(std::move(setup), Tier::kPlant); }, ExitCode::kRunStopped);
  EXPECT_NE(refused.find("t = 5000 us: wind changed off the wind axis"), std::string::npos)
      << refused;
}

TEST(StreamRecorder, SaysWhoWroteWhat) {
  const auto recording = record(busy_setup(TimeUs(100'000)), Tier::kPlant);
  const std::vector<SourceRecord>& sources = recording->meta.sources;
  ASSERT_EQ(sources.size(), 5U);
  const auto wind = std::find_if(sources.begin(), sources.end(),
                                 [](const SourceRecord& s) { return s.writes == "wind"; });
  ASSERT_NE(wind, sources.end());
  EXPECT_EQ(wind->stage, "wind");
  EXPECT_EQ(wind->mode, "live");
  EXPECT_EQ(recording->meta.counts.motors, 4);
}

TEST(StreamRecorder, ARunThatStopsLeavesWhatWasRecorded) {
  const auto recording = record(busy_setup(kEnd), Tier::kPlant, false, TimeUs(100'000));
  EXPECT_FALSE(recording->end.complete);
  EXPECT_EQ(recording->end.time, TimeUs(100'000));
  const Table& table = recording->require("boundary");
  EXPECT_EQ(table.time(table.size() - 1), TimeUs(100'000));
}

TEST(StreamRecorder, ATableThatIsMissingNamesItsTier) {
  const auto recording = record(busy_setup(TimeUs(100'000)), Tier::kPlant);
  EXPECT_NE(
      refusal([&] { (void)recording->require("estimate"); }, ExitCode::kBadInput).find("at tier 1"),
      std::string::npos);
  EXPECT_NE(refusal([&] { (void)recording->require("rhs_trace"); }, ExitCode::kBadInput)
                .find("at tier 2"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus
