// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The replay of recorded signals: what was written comes back at the same microsecond and holds
// until the next change; boundaries that no axis explains come back too; what is not known is an
// error.

#include "tactus/record/replay_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::refusal;

constexpr SignalSet kDisturbanceOnly = SignalSet::of(Signal::kDisturbance);
constexpr SignalSet kWindOnly = SignalSet::of(Signal::kWind);

void give(Table& table, const Bus& bus, const RowPart& part, std::uint64_t t_us) {
  std::vector<std::byte> row(table.layout.row_size);
  part.gather(&bus, row.data());
  put(table.layout.fields[0], 0, t_us, row.data());
  table.rows.insert(table.rows.end(), row.begin(), row.end());
}

Table boundary_table() {
  Table table{make_table("boundary", Rule::kSampled), {}};
  for (const char* path : {"/time/boundary_found", "/time/boundary_instant"}) {
    RowField flag;
    flag.path = path;
    flag.kind = FieldKind::kBool;
    add_field(table.layout, flag);
  }
  return table;
}

void give_boundary(Table& table, std::uint64_t t_us, bool found, bool instant) {
  std::vector<std::byte> row(table.layout.row_size);
  put(table.layout.fields[0], 0, t_us, row.data());
  put(table.layout.fields[1], 0, found, row.data());
  put(table.layout.fields[2], 0, instant, row.data());
  table.rows.insert(table.rows.end(), row.begin(), row.end());
}

Table events_table() {
  Table table{make_table("events", Rule::kSampled), {}};
  for (const char* path : {"/events/who", "/events/what"}) {
    RowField field;
    field.path = path;
    field.kind = FieldKind::kText;
    field.width = 32;
    add_field(table.layout, field);
  }
  RowField index;
  index.path = "/events/index";
  index.kind = FieldKind::kI32;
  add_field(table.layout, index);
  return table;
}

void give_event(Table& table, std::uint64_t t_us, const char* who, const char* what,
                std::int32_t index) {
  std::vector<std::byte> row(table.layout.row_size);
  put(table.layout.fields[0], 0, t_us, row.data());
  put_text(table.layout.fields[1], who, row.data());
  put_text(table.layout.fields[2], what, row.data());
  put(table.layout.fields[3], 0, index, row.data());
  table.rows.insert(table.rows.end(), row.begin(), row.end());
}

/// A disturbance of 1 at 0 and 2 at 700 µs, kept on change; wind every 1000 µs that counts up;
/// boundaries asked for at 700 and found at 1500; the end at 2000 µs.
Recording by_hand(bool complete = true) {
  Recording recording;
  recording.meta.counts = {4, 0, 2, 1, 4};
  const std::vector<BusLeaf> leaves = bus_leaves(recording.meta.counts);
  Bus bus;
  Table disturbance{make_table("disturbance", Rule::kZeroOrderHold), {}};
  const RowPart part =
      add_fields(disturbance.layout, "/signals", leaves_of(Signal::kDisturbance, leaves));
  bus.disturbance.wind_W_m_s.x = 1.0;
  give(disturbance, bus, part, 0);
  bus.disturbance.wind_W_m_s.x = 2.0;
  give(disturbance, bus, part, 700);
  Table wind{make_table("wind", Rule::kSampleAndHold, DurationUs(1000)), {}};
  const RowPart air = add_fields(wind.layout, "/signals", leaves_of(Signal::kWind, leaves));
  for (const std::uint64_t t_us : {0U, 1000U, 2000U}) {
    bus.wind.velocity_W_m_s.x = static_cast<double>(t_us);
    give(wind, bus, air, t_us);
  }
  Table boundary = boundary_table();
  give_boundary(boundary, 0, false, false);
  give_boundary(boundary, 700, false, true);
  give_boundary(boundary, 1000, false, false);
  give_boundary(boundary, 1500, true, false);
  give_boundary(boundary, 2000, false, false);
  Table events = events_table();
  give_event(events, 0, "plant", "touchdown", 3);
  give_event(events, 700, "scenario", "acts", 1);
  give_event(events, 1000, "autopilot", "armed", 0);
  give_event(events, 1500, "autopilot", "PX4: Takeoff detected", 0);
  recording.tables = {boundary, disturbance, wind, events};
  recording.end = {TimeUs(2000), {3, 4}, complete};
  return recording;
}

std::shared_ptr<const Recording> recorded(bool complete = true) {
  return std::make_shared<const Recording>(by_hand(complete));
}

/// A schedule of one axis with a source on it.
struct Stand {
  Bus bus;
  Schedule schedule{TimeUs(5000)};
  std::uint64_t boundary = 0;
  bool ended = false;

  explicit Stand(std::uint64_t period_us) {
    schedule.set_period(Axis::kPhysics, DurationUs(period_us));
  }
  void update(Source& source) {
    const SourceInfo info = source.info();
    Requests requests(schedule);
    bus.time = schedule.current().time;
    SourceContext context{BusPort(bus, info.reads, info.writes, info.name), bus.time, boundary++,
                          requests};
    source.update(context);
    ended = requests.ends();
  }
  bool proceed() {
    if (ended || schedule.current().end) return false;
    schedule.advance_to(schedule.next());
    return true;
  }
  std::vector<std::uint64_t> times_with(Source& source) {
    std::vector<std::uint64_t> times;
    do {
      update(source);
      times.push_back(bus.time.us);
    } while (proceed());
    return times;
  }
};

TEST(ReplaySource, AValueHoldsAndChangesAtItsMicrosecond) {
  ReplaySource source(recorded(), Stage::kWind, kDisturbanceOnly);
  EXPECT_EQ(source.info().mode, SourceMode::kReplay);
  EXPECT_EQ(source.info().writes, kDisturbanceOnly);
  EXPECT_FALSE(source.info().wants_outputs);
  Stand stand(1000);
  std::vector<std::uint64_t> times;
  do {
    stand.update(source);
    times.push_back(stand.bus.time.us);
    EXPECT_EQ(stand.bus.disturbance.wind_W_m_s.x, stand.bus.time < TimeUs(700) ? 1.0 : 2.0);
  } while (stand.proceed());
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 700, 1000, 2000, 3000, 4000, 5000}));
}

TEST(ReplaySource, TheScenarioStageBringsBackInstantsAndTheEnd) {
  ReplaySource all(recorded(), Stage::kScenario, kDisturbanceOnly, BringBack::kAll);
  EXPECT_EQ(Stand(1000).times_with(all), (std::vector<std::uint64_t>{0, 700, 1000, 1500, 2000}));
  ReplaySource asked(recorded(), Stage::kScenario, kDisturbanceOnly, BringBack::kScheduled);
  EXPECT_EQ(Stand(1000).times_with(asked), (std::vector<std::uint64_t>{0, 700, 1000, 2000}));
  ReplaySource cut_off(recorded(false), Stage::kScenario, kDisturbanceOnly);
  EXPECT_EQ(Stand(1000).times_with(cut_off).back(), 5000U);
}

TEST(ReplaySource, TheScenarioStageRepeatsTheNotesOfTheScenario) {
  ReplaySource source(recorded(), Stage::kScenario, kDisturbanceOnly);
  Stand stand(1000);
  std::vector<Note> notes;
  do {
    stand.update(source);
    source.take_notes(notes);
    EXPECT_EQ(notes.size(), stand.bus.time < TimeUs(700) ? 0U : 1U);
  } while (stand.proceed());
  ASSERT_EQ(notes.size(), 1U);  // touchdown is the plant's
  EXPECT_EQ(notes[0].time, TimeUs(700));
  EXPECT_EQ(notes[0].index, 1);
  EXPECT_EQ(notes[0].from, NoteFrom::kScenario);
}

TEST(ReplaySource, TheAutopilotStageRepeatsTheNotesOfTheAutopilot) {
  ReplaySource source(recorded(), Stage::kAutopilot, kWindOnly);
  Stand stand(500);
  std::vector<Note> notes;
  do {
    stand.update(source);
    source.take_notes(notes);
    EXPECT_EQ(notes.size(), stand.bus.time < TimeUs(1500) ? 0U : 1U);
  } while (stand.proceed() && stand.bus.time < TimeUs(1500));
  ASSERT_EQ(notes.size(), 1U);  // that it armed, its report says
  EXPECT_STREQ(notes[0].what, "PX4: Takeoff detected");
  EXPECT_EQ(notes[0].from, NoteFrom::kAutopilot);
}

TEST(ReplaySource, OutputsAreShownWhenTheScenarioSawThem) {
  Recording recording = by_hand();
  recording.tables.push_back({make_table("scenario_inputs", Rule::kSampled), {}});
  const auto shared = std::make_shared<const Recording>(recording);
  EXPECT_TRUE(ReplaySource(shared, Stage::kScenario, kDisturbanceOnly).info().wants_outputs);
  EXPECT_FALSE(ReplaySource(shared, Stage::kWind, kWindOnly).info().wants_outputs);
}

TEST(ReplaySource, ACopyContinuesOnItsOwn) {
  auto source = std::make_unique<ReplaySource>(recorded(), Stage::kWind, kDisturbanceOnly);
  Stand stand(1000);
  stand.update(*source);
  const std::unique_ptr<Source> copy = source->clone();
  Stand other = stand;
  source.reset();
  EXPECT_STREQ(copy->info().name, "replay of disturbance");
  ASSERT_TRUE(other.proceed());
  other.update(*copy);
  EXPECT_EQ(other.bus.time, TimeUs(700));
  EXPECT_EQ(other.bus.disturbance.wind_W_m_s.x, 2.0);
}

TEST(ReplaySource, RefusesWhatWasNotRecorded) {
  const std::string refused =
      refusal([] { ReplaySource(recorded(), Stage::kAutopilot, SignalSet::of(Signal::kCommand)); },
              ExitCode::kBadInput);
  EXPECT_NE(refused.find("command"), std::string::npos) << refused;
}

TEST(ReplaySource, RefusesFieldsOfAnotherKind) {
  Recording recording = by_hand();
  recording.tables[1].layout.fields[1].unit = "knots";
  const std::string refused = refusal(
      [&] {
        ReplaySource(std::make_shared<const Recording>(recording), Stage::kWind, kDisturbanceOnly);
      },
      ExitCode::kBadInput);
  EXPECT_NE(refused.find("/signals/disturbance"), std::string::npos) << refused;
}

TEST(ReplaySource, RefusesToHoldWhatIsKnownAtItsInstantsOnly) {
  Recording recording = by_hand();
  recording.tables[1].layout.rule = Rule::kSampled;
  EXPECT_NE(refusal(
                [&] {
                  ReplaySource(std::make_shared<const Recording>(recording), Stage::kWind,
                               kDisturbanceOnly);
                },
                ExitCode::kBadInput),
            "");
}

TEST(ReplaySource, BeforeTheFirstSampleIsAnError) {
  Recording recording = by_hand();
  Table& table = recording.tables[1];
  table.rows.erase(table.rows.begin(),
                   table.rows.begin() + static_cast<long>(table.layout.row_size));
  ReplaySource source(std::make_shared<const Recording>(recording), Stage::kWind, kDisturbanceOnly);
  Stand stand(1000);
  const std::string refused = refusal([&] { stand.update(source); }, ExitCode::kBadInput);
  EXPECT_NE(refused.find("begins at t = 700us"), std::string::npos) << refused;
}

TEST(ReplaySource, ATickWithoutASampleIsAnError) {
  ReplaySource source(recorded(), Stage::kWind, kWindOnly);
  Stand stand(500);
  const std::string refused = refusal([&] { stand.times_with(source); }, ExitCode::kBadInput);
  EXPECT_EQ(stand.bus.time, TimeUs(3000));  // between ticks it holds, up to 2500
  EXPECT_EQ(stand.bus.wind.velocity_W_m_s.x, 2000.0);
  EXPECT_NE(refused.find("\"wind\" has no sample"), std::string::npos) << refused;
}

}  // namespace
}  // namespace tactus
