// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: branches from many instants of several flights

// A branch without a change is the flight itself; with one, everything before it stays as it was.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/random.h"
#include "tactus/files/disk_files.h"
#include "tactus/replay/branch/branch.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

struct RecordAs {
  Tier tier = Tier::kPlant;
  DurationUs snapshots;
};

using RecordingPtr = std::shared_ptr<const Recording>;

RecordingPtr record(const LoadedSpec& loaded, RecordAs how) {
  Assembly flight = assemble(loaded.spec);
  MemorySink sink;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, how.tier, {});
  setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
  setup.snapshot_period = how.snapshots;
  StreamRecorder recorder(std::move(setup), sink);
  Observers observers;
  observers.recorders.push_back(&recorder);
  fly(flight.run, observers);
  return sink.recording();
}

RecordingPtr record(const std::string& name, std::vector<Override> overrides = {},
                    RecordAs how = {}) {
  return record(load_spec(find_spec(name), overrides), how);
}

BranchSetup at(RecordingPtr parent, std::uint64_t time_us) {
  BranchSetup setup;
  setup.parent = std::move(parent);
  setup.parent_name = "parent.h5";
  setup.at = TimeUs(time_us);
  return setup;
}

struct Branched {
  RecordingPtr recording;
  Digest128 digest;
  TimeUs at;
  TimeUs from;
  FlightOutcome outcome;
  std::optional<TimeUs> first_difference;
};

Branched fly_branch(BranchSetup setup) {
  Branch branch(std::move(setup));
  MemorySink sink;
  Observers observers;
  observers.hooks.push_back(&branch.monitor());
  branch.fly(observers, &sink);
  return {sink.recording(), branch.run().digest(),      branch.at(),
          branch.from(),    branch.monitor().outcome(), branch.first_difference()};
}

std::string refusal(BranchSetup setup, ExitCode code = ExitCode::kBadInput) {
  try {
    fly_branch(std::move(setup));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// How many bytes of a table lie before an instant.
std::size_t bytes_before(const Table& table, TimeUs time) {
  std::size_t rows = 0;
  while (rows < table.size() && table.time(rows) < time) ++rows;
  return rows * table.layout.row_size;
}

void expect_equal_before(const Recording& a, const Recording& b, TimeUs time) {
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (std::size_t i = 0; i < a.tables.size(); ++i) {
    const std::size_t size = bytes_before(a.tables[i], time);
    ASSERT_EQ(a.tables[i].layout, b.tables[i].layout);
    ASSERT_EQ(size, bytes_before(b.tables[i], time)) << a.tables[i].layout.name;
    const std::vector<std::byte>& rows = a.tables[i].rows;
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(size);
    EXPECT_TRUE(std::equal(rows.begin(), end, b.tables[i].rows.begin())) << a.tables[i].layout.name;
  }
}

void expect_equal(const Recording& a, const Recording& b) {
  expect_equal_before(a, b, TimeUs(~std::uint64_t{0}));
  EXPECT_EQ(a.end.flight_digest, b.end.flight_digest);
  EXPECT_EQ(a.end.time, b.end.time);
  EXPECT_TRUE(a.end.complete && b.end.complete);
}

class BranchOf : public ::testing::TestWithParam<const char*> {};

TEST_P(BranchOf, WithoutAChangeIsTheFlightItself) {
  const bool is_long = std::string(GetParam()) == "default";
  const std::vector<Override> overrides =
      is_long ? std::vector<Override>{{"time.end_s", "20.0"}} : std::vector<Override>{};
  const RecordingPtr parent = record(GetParam(), overrides, {Tier::kPlant, DurationUs(3'000'000)});
  const RandomStream random(1, GetParam());
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto end = static_cast<double>(parent->end.time.us);
    const auto when = static_cast<std::uint64_t>(math::rint(random.uniform(i) * end));
    for (const bool quick : {false, true}) {
      BranchSetup setup = at(parent, when);
      setup.quick = quick;
      const Branched branched = fly_branch(setup);
      EXPECT_EQ(branched.digest, parent->end.flight_digest) << when;
      EXPECT_GE(branched.at, TimeUs(when));
      EXPECT_EQ(branched.from.us > 0, quick && when > 3'000'000) << when;
      EXPECT_EQ(branched.first_difference, std::nullopt) << when;
      expect_equal(*branched.recording, *parent);
    }
  }
}

std::vector<const char*> branched_flights() {
  if (testing::few_cases()) return {"motor_faults", "rover_square", "free_fall"};
  return {"default",      "gust",      "motor_faults",    "noisy_motor",
          "brown_out",    "gps_loss",  "wind_6ms_dryden", "hexa_motor_off",
          "rover_square", "free_fall", "ball_drop"};
}

INSTANTIATE_TEST_SUITE_P(Flights, BranchOf, ::testing::ValuesIn(branched_flights()),
                         [](const auto& test) { return test.param; });

const std::vector<Override> kShort = {{"time.end_s", "14.0"}};

TEST(Branch, AMotorFaultLeavesWhatWasBefore) {
  for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
    const std::vector<Override> overrides = {
        {"time.end_s", tier == Tier::kEvaluations ? "8.0" : "14.0"}};
    const RecordingPtr parent = record("iris", overrides, {tier, DurationUs(2'000'000)});
    BranchSetup setup = at(parent, 6'502'000);
    setup.events = {"motor_off rotor=front_left"};
    setup.quick = true;
    const Branched branched = fly_branch(setup);
    EXPECT_EQ(branched.at, TimeUs(6'504'000));
    EXPECT_EQ(branched.first_difference, branched.at);
    EXPECT_EQ(branched.from, TimeUs(6'000'000));
    expect_equal_before(*branched.recording, *parent, branched.at);
    EXPECT_NE(branched.digest, parent->end.flight_digest);
    // A spec that had the event from the start gives the same flight.
    setup.quick = false;
    const Branched again = fly_branch(setup);
    EXPECT_EQ(again.from, TimeUs{});
    expect_equal(*again.recording, *branched.recording);
    expect_equal(*record(recorded_spec(*branched.recording), {tier, {}}), *branched.recording);
  }
}

TEST(Branch, TheRecordingSaysWhereItCameFrom) {
  const RecordingPtr parent = record("iris", kShort);
  BranchSetup setup = at(parent, 5'000'000);
  setup.overrides = {{"body.mass_kg", "1.7"}};
  setup.events = {"at=6s do=wind_step vector=[0, 5, 0] duration=2s", "id=mine at=7s do=marker"};
  const Branched branched = fly_branch(setup);
  ASSERT_TRUE(branched.recording->meta.parent);
  const ParentRecord& from = *branched.recording->meta.parent;
  EXPECT_EQ(from.name, "parent.h5");
  EXPECT_EQ(from.flight_digest, parent->end.flight_digest);
  EXPECT_EQ(from.at, TimeUs(5'000'000));
  EXPECT_EQ(from.changes, "body.mass_kg=1.7\nevent branch_1\nevent mine");
  const Spec spec = recorded_spec(*branched.recording).spec;
  EXPECT_EQ(multirotor_of(spec).body.mass_kg, 1.7);
  ASSERT_EQ(spec.events.size(), recorded_spec(*parent).spec.events.size() + 2);
  const Event& gust = spec.events[spec.events.size() - 2];
  EXPECT_EQ(gust.id, "branch_1");
  EXPECT_EQ(gust.trigger.at, TimeUs(6'000'000));
  EXPECT_EQ(gust.action.kind, ActionKind::kWindStep);
  EXPECT_EQ(gust.action.duration, DurationUs(2'000'000));
  expect_equal_before(*branched.recording, *parent, branched.at);
  EXPECT_NE(branched.digest, parent->end.flight_digest);
}

TEST(Branch, ParametersActFromTheInstantOn) {
  const RecordingPtr parent = record("iris", kShort, {Tier::kPlant, DurationUs(5'000'000)});
  for (const Override& change :
       {Override{"body.mass_kg", "1.6"}, Override{"autopilot.cruise_speed_m_s", "2.0"},
        Override{"wind.mean_ned_m_s", "[3.0, 0.0, 0.0]"}, Override{"solver.method", "rk23"},
        Override{"seed", "99"}, Override{"estimator.kind", "truth"}}) {
    BranchSetup setup = at(parent, 8'000'000);
    setup.overrides = {change};
    setup.quick = true;
    const Branched branched = fly_branch(setup);
    EXPECT_NE(branched.digest, parent->end.flight_digest) << change.key;
    expect_equal_before(*branched.recording, *parent, branched.at);
    setup.quick = false;
    expect_equal(*fly_branch(setup).recording, *branched.recording);
  }
}

TEST(Branch, AFlightCanGoOnBeyondItsEnd) {
  const RecordingPtr parent = record("iris", {{"time.end_s", "6.0"}});
  BranchSetup setup = at(parent, 6'000'000);
  setup.overrides = {{"time.end_s", "9.0"}};
  const Branched branched = fly_branch(setup);
  EXPECT_EQ(branched.digest, record("iris", {{"time.end_s", "9.0"}})->end.flight_digest);
}

TEST(Branch, AnEventToComeCanBeRemovedOrMoved) {
  const RecordingPtr parent = record("hexa_motor_off");
  const Spec spec = recorded_spec(*parent).spec;
  const Event* fault = nullptr;
  for (const Event& event : spec.events) {
    if (event.action.kind == ActionKind::kMotorOff) fault = &event;
  }
  ASSERT_NE(fault, nullptr);
  ASSERT_EQ(fault->trigger.kind, TriggerKind::kAtTime);
  BranchSetup setup = at(parent, fault->trigger.at.us - 1'000'000);
  setup.overrides = {{"event." + fault->id + ".remove", "true"}, {"expect.survive.remove", "true"}};
  const Branched without = fly_branch(setup);
  expect_equal_before(*without.recording, *parent, without.at);
  EXPECT_NE(without.digest, parent->end.flight_digest);
  setup.at = fault->trigger.at + DurationUs(100'000);
  expect_contains(refusal(setup), "has begun to act by then");
  setup.overrides = {{"event." + fault->id + ".at_s", "1.0"}};
  expect_contains(refusal(setup), "lies before the branch");
}

TEST(Branch, CanBeBranchedAgain) {
  const RecordingPtr parent = record("iris", kShort);
  BranchSetup setup = at(parent, 5'000'000);
  setup.overrides = {{"body.mass_kg", "1.6"}};
  setup.snapshots = DurationUs(1'000'000);
  const Branched child = fly_branch(setup);
  EXPECT_EQ(child.recording->blobs.front().pieces.front().time, TimeUs(5'000'000));
  const Branched same = fly_branch(at(child.recording, 9'100'000));
  EXPECT_EQ(same.from, TimeUs(9'000'000));
  EXPECT_EQ(same.digest, child.digest);
  expect_contains(refusal(at(child.recording, 4'000'000)), "its first snapshot is at 5s");
  BranchSetup higher = at(child.recording, 9'000'000);
  higher.tier = Tier::kComponents;
  expect_contains(refusal(higher), "which a higher tier needs");
}

TEST(Branch, WithOtherParametersHoldsASnapshotWhereItBegins) {
  const RecordingPtr parent = record("iris", kShort);
  BranchSetup setup = at(parent, 5'000'000);
  setup.overrides = {{"body.mass_kg", "1.6"}};
  const Branched child = fly_branch(setup);
  ASSERT_EQ(child.recording->blobs.size(), 1U);
  ASSERT_EQ(child.recording->blobs.front().pieces.size(), 1U);
  EXPECT_EQ(child.recording->blobs.front().pieces.front().time, TimeUs(5'000'000));
  expect_contains(refusal(at(child.recording, 5'000'000)), "is at 5s");

  // A branch of it with an event only still has two specs, and says so when it is flown again.
  setup = at(child.recording, 8'000'000);
  setup.events = {"motor_off rotor=front_left"};
  const Branched grandchild = fly_branch(setup);
  EXPECT_EQ(grandchild.from, TimeUs(5'000'000));
  EXPECT_EQ(grandchild.recording->meta.parent->changes,
            "event branch_1\nbody.mass_kg=1.6 (since 5s)");
  EXPECT_THROW(require_one_spec(*grandchild.recording), Error);
  const Branched again = fly_branch(at(grandchild.recording, 9'000'000));
  EXPECT_EQ(again.from, TimeUs(8'000'000));
  EXPECT_EQ(again.digest, grandchild.digest);
  EXPECT_EQ(again.recording->meta.parent->changes, "body.mass_kg=1.6 (since 5s)");
  expect_equal(*again.recording, *grandchild.recording);

  // One with events only has one spec, and needs no snapshot.
  setup = at(parent, 5'000'000);
  setup.events = {"motor_off rotor=front_left"};
  EXPECT_TRUE(fly_branch(setup).recording->blobs.empty());
}

TEST(Branch, IsJudgedAsTheWholeFlightWhetherThereAreSnapshotsOrNot) {
  const std::vector<Override> overrides = {{"time.end_s", "14.0"}};
  for (const DurationUs snapshots : {DurationUs{}, DurationUs(2'000'000)}) {
    const RecordingPtr parent = record("iris", overrides, {Tier::kPlant, snapshots});
    const LoadedSpec loaded = recorded_spec(*parent);
    Assembly flight = assemble(loaded.spec);
    Observers observers;
    observers.hooks.push_back(flight.monitor.get());
    fly(flight.run, observers);
    const FlightOutcome expected = flight.monitor->outcome();
    const FlightOutcome branched = fly_branch(at(parent, 12'000'000)).outcome;
    EXPECT_EQ(branched.end, expected.end);
    ASSERT_EQ(branched.results.size(), expected.results.size());
    ASSERT_FALSE(expected.results.empty());
    for (std::size_t i = 0; i < expected.results.size(); ++i) {
      EXPECT_EQ(branched.results[i].passed, expected.results[i].passed);
      EXPECT_EQ(branched.results[i].margin, expected.results[i].margin);
      EXPECT_EQ(branched.results[i].message, expected.results[i].message);
    }
  }
}

TEST(Branch, InterruptedBeforeItsInstantHasNotBranched) {
  const RecordingPtr parent = record("iris", {{"time.end_s", "3.0"}});
  BranchSetup setup = at(parent, 2'000'000);
  setup.events = {"marker"};
  Branch branch(setup);
  MemorySink sink;
  int left = 100;
  branch.fly({}, &sink, [&left] { return --left == 0; });
  EXPECT_FALSE(branch.branched());
  EXPECT_GT(branch.run().now(), TimeUs{});
  EXPECT_LT(branch.run().now(), branch.at());
  EXPECT_EQ(branch.flown().spec.digest, parent->meta.spec_digest);
  EXPECT_FALSE(sink.recording()->end.complete);
}

TEST(Branch, OfAnIncompleteFlightIsEqualAsFarAsThatGoes) {
  const RecordingPtr whole = record("iris", {{"time.end_s", "6.0"}});
  Recording cut = *whole;
  cut.end = {TimeUs(4'000'000), {}, false};
  for (Table& table : cut.tables) {
    table.rows.resize(bytes_before(table, cut.end.time + DurationUs(1)));
  }
  const Branched same = fly_branch(at(std::make_shared<const Recording>(cut), 3'000'000));
  EXPECT_EQ(same.first_difference, std::nullopt);
  EXPECT_EQ(same.digest, whole->end.flight_digest);
}

TEST(Branch, AnEventAfterTheEndIsWarnedOf) {
  BranchSetup setup = at(record("iris", {{"time.end_s", "6.0"}}), 5'000'000);
  setup.events = {"at=7s do=marker", "at=6s do=marker"};
  const Branch branch(setup);
  ASSERT_EQ(branch.warnings().size(), 2U);  // the other: by_s of the aircraft
  expect_contains(branch.warnings().front(), "new event \"at=7s do=marker\": warning: ");
}

TEST(Branch, RefusesWithTheReason) {
  const RecordingPtr parent = record("iris", kShort);
  const auto with = [&](std::vector<Override> overrides, std::vector<std::string> events = {}) {
    BranchSetup setup = at(parent, 5'000'000);
    setup.overrides = std::move(overrides);
    setup.events = std::move(events);
    return refusal(std::move(setup));
  };
  expect_contains(refusal(at(parent, 20'000'000)), "ends at 14s");
  expect_contains(with({{"initial.on_ground", "false"}, {"initial.position_ned_m", "[0, 0, -9]"}}),
                  "at the start of a flight only");
  expect_contains(with({{"initial.euler_deg", "[0, 0, 9]"}}), "at the start of a flight only");
  expect_contains(with({{"pack.main.soc0", "0.5"}}), "pack.main.soc0: acts at the start");
  expect_contains(with({{"pack.main.v_rc0_v", "[0.1]"}}), "at the start of a flight only");
  expect_contains(with({{"time.end_s", "3.0"}}), "before the branch");
  expect_contains(with({{"time.wind_s", "0.04"}}), "the period of the wind axis in us was 20000");
  expect_contains(with({{"log.period_s", "0.04"}}), "one log axis");
  expect_contains(with({{"wind.rule", "linear"}}), "wind.rule");
  expect_contains(with({{"autopilot.kind", "none"}}), "the number of sources was");
  expect_contains(with({}, {"at=4s do=motor_off rotor=front_left"}), "lies before the branch");
  expect_contains(with({}, {"at_step=3 do=marker"}), "lies before the branch");
  expect_contains(with({}, {"after=arm do=marker"}), "acted before");
  EXPECT_TRUE(with({}, {"at=6s do=marker", "motor_off rotor=nose"})
                  .starts_with("new event \"motor_off rotor=nose\": "));
  expect_contains(with({}, {"motor_off rotor=nose"}), "there is no rotor of this id");
  expect_contains(with({}, {"motor_off rotor"}), "must be KEY=VALUE");
  expect_contains(with({}, {"motor_off rotr=nose"}), "or there is no such key");
  expect_contains(with({}, {"at=6s at=7s do=marker"}), "new event \"at=6s at=7s do=marker\": ");
  expect_contains(with({}, {"marker id='x"}), "not closed");
  expect_contains(with({}, {"at=15 do=marker"}), "unit");
  expect_contains(with({}, {""}), "says nothing");
}

TEST(Branch, WhatIsNotReproducedIsDifferent) {
  Recording altered = *record("iris", kShort);
  for (Table& table : altered.tables) {
    if (table.layout.name != "command") continue;
    const RowField* const field = table.layout.find("/signals/command/motor");
    ASSERT_NE(field, nullptr);
    std::byte* const row = table.rows.data() + table.layout.row_size * 500;
    row[field->offset] ^= std::byte{1};
  }
  const auto parent = std::make_shared<const Recording>(altered);
  expect_contains(refusal(at(parent, 5'000'000), ExitCode::kDifferent), "command.motor[0] is");
  // What is before the branch is ignored.
  EXPECT_EQ(refusal(at(parent, 1'900'000)), "");
}

TEST(Branch, ALowerTierIsCopiedAHigherOneIsFlown) {
  const RecordingPtr parent = record("iris", kShort, {Tier::kComponents, DurationUs(2'000'000)});
  BranchSetup setup = at(parent, 7'000'000);
  setup.quick = true;
  setup.tier = Tier::kPlant;
  const Branched lower = fly_branch(setup);
  EXPECT_EQ(lower.from, TimeUs(6'000'000));
  expect_equal(*lower.recording, *record("iris", kShort));
  setup.tier = Tier::kEvaluations;
  const Branched higher = fly_branch(setup);
  EXPECT_EQ(higher.from, TimeUs{});
  EXPECT_EQ(higher.digest, parent->end.flight_digest);
}

}  // namespace
}  // namespace tactus
