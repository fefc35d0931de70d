// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Recording in memory and its replay: what was written comes back at the same microsecond and holds
// until the next change; boundaries that no axis explains come back too.

#include "tactus/record/replay_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr SignalSet kWindOnly = SignalSet::of(Signal::kWind);

Due at(std::uint64_t t_us, bool instant = false) {
  Due due;
  due.time = TimeUs(t_us);
  due.instant = instant;
  return due;
}

void set_north_wind(Bus& bus, std::uint64_t t_us, double speed_m_s) {
  bus.time = TimeUs(t_us);
  bus.wind.velocity_W_m_s.x = speed_m_s;
}

/// Wind 1 at 0, 2 at 700 µs; battery 1 drops at 700 µs; boundaries at 1500 (found) and 2000 µs.
std::shared_ptr<const MemoryRecording> record(bool complete = true) {
  MemoryRecorder recorder;
  Bus bus;
  const SolverTotals totals;
  recorder.begin(bus, {4, 0, 2, 1, 4});
  const SignalSet both = SignalSet::of(Signal::kWind, Signal::kBattery);
  set_north_wind(bus, 0, 1.0);
  recorder.boundary({at(0), 0, false, bus, totals}, both);
  recorder.boundary({at(500), 1, false, bus, totals}, both);  // nothing changed
  set_north_wind(bus, 700, 2.0);
  bus.battery[1].voltage_v = 10.0;
  recorder.boundary({at(700, true), 2, false, bus, totals}, both);
  set_north_wind(bus, 1500, 3.0);  // nobody said that it was written
  recorder.boundary({at(1500), 3, true, bus, totals}, SignalSet{});
  recorder.boundary({at(2000), 4, false, bus, totals}, SignalSet{});
  recorder.end({3, 4}, complete);
  return recorder.recording();
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
};

TEST(MemoryRecorder, KeepsChangesOfWhatWasWritten) {
  const auto recording = record();
  const SignalTrack<Signal::kWind>& wind = recording->track<Signal::kWind>();
  ASSERT_EQ(wind.size(), 2U);
  EXPECT_EQ(wind[1].time, TimeUs(700));
  EXPECT_EQ(wind[1].value.velocity_W_m_s.x, 2.0);
  EXPECT_EQ(recording->track<Signal::kBattery>()[1].value[1].voltage_v, 10.0);
  EXPECT_TRUE(recording->track<Signal::kFaults>().empty());
  EXPECT_EQ(recording->instants, (std::vector<TimeUs>{TimeUs(700), TimeUs(1500)}));
  EXPECT_EQ(recording->end, TimeUs(2000));
  EXPECT_EQ(recording->flight_digest, (Digest128{3, 4}));
}

TEST(ReplaySource, ValueHoldsAndChangesAtItsMicrosecond) {
  ReplaySource source(record(), Stage::kWind, kWindOnly);
  EXPECT_EQ(source.info().mode, SourceMode::kReplay);
  EXPECT_EQ(source.info().writes, kWindOnly);
  Stand stand(1000);
  std::vector<std::uint64_t> times;
  do {
    stand.update(source);
    times.push_back(stand.bus.time.us);
    EXPECT_EQ(stand.bus.wind.velocity_W_m_s.x, stand.bus.time < TimeUs(700) ? 1.0 : 2.0);
  } while (stand.proceed());
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 700, 1000, 2000, 3000, 4000, 5000}));
}

TEST(ReplaySource, ScenarioStageBringsBackInstantsAndTheEnd) {
  for (const bool complete : {true, false}) {
    ReplaySource source(record(complete), Stage::kScenario, kWindOnly);
    Stand stand(1000);
    std::vector<std::uint64_t> times;
    do {
      stand.update(source);
      times.push_back(stand.bus.time.us);
    } while (stand.proceed());
    const std::vector<std::uint64_t> to_the_end{0, 700, 1000, 1500, 2000};
    times.resize(to_the_end.size());
    EXPECT_EQ(times, to_the_end);
    EXPECT_EQ(stand.ended, complete);
  }
}

TEST(ReplaySource, CopyContinuesOnItsOwn) {
  auto source = std::make_unique<ReplaySource>(record(), Stage::kWind, kWindOnly);
  Stand stand(1000);
  stand.update(*source);
  const std::unique_ptr<Source> copy = source->clone();
  Stand other = stand;
  source.reset();
  EXPECT_STREQ(copy->info().name, "replay of wind");
  ASSERT_TRUE(other.proceed());
  other.update(*copy);
  EXPECT_EQ(other.bus.time, TimeUs(700));
  EXPECT_EQ(other.bus.wind.velocity_W_m_s.x, 2.0);
}

TEST(ReplaySource, RefusesWhatWasNotRecorded) {
  try {
    const ReplaySource source(record(), Stage::kAutopilot, SignalSet::of(Signal::kCommand));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("command"), std::string::npos) << error.what();
  }
}

TEST(ReplaySource, BeforeTheFirstSampleIsAnError) {
  auto recording = std::make_shared<MemoryRecording>(*record());
  auto& track = recording->track<Signal::kWind>();
  track.erase(track.begin());
  ReplaySource source(recording, Stage::kWind, kWindOnly);
  Stand stand(1000);
  EXPECT_THROW(stand.update(source), Error);
}

}  // namespace
}  // namespace tactus
