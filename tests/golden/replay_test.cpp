// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The same flight again: byte by byte from its spec, and bit by bit from a recording of any part of
// what drives it. The other seed stands for everything random: a replay that leaned on a live
// source would show it.

#include "tactus/record/replay_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/record/csv_log.h"
#include "tactus/record/stream_recorder.h"
#include "tests/golden/flown.h"

namespace tactus {
namespace {

using testing::spec_of;

/// Turbulence, a noisy estimate, a gust whose edges lie between all ticks, a fault, and a condition
/// that is found in flight.
constexpr char kLively[] = R"(
  extends = "../aircraft/iris.toml"
  time = { end_s = 8.0 }
  autopilot = { mission = "", takeoff_height_m = 3.0 }
  [[event]]
  id = "start"
  do = "takeoff"
  [[event]]
  id = "gust"
  at_s = 5.035001
  do = "wind_step"
  vector = [0.0, 4.0, -1.0]
  duration_s = 0.5
  [[event]]
  id = "weak"
  when = "truth.height_m above 1.5"
  do = "thrust_loss"
  rotor = "front_left"
  value = 0.05
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

/// The bytes of the log; `name` keeps parallel runs of this test apart.
std::string csv_of(const Spec& spec, const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tactus_golden_" + std::to_string(getpid()) + name + ".csv");
  CsvLog log(path.string(), LogProvenance{spec.name, spec.digest, spec.seed});
  Assembly flight = assemble(spec);
  testing::fly_spec(flight, {}, {&log});
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  file.close();
  std::filesystem::remove(path);
  return bytes;
}

TEST(GoldenReplay, TwoRunsWriteTheSameBytes) {
  Spec spec = spec_of(kLively);
  const std::string first = csv_of(spec, "a");
  EXPECT_GT(first.size(), 100'000U);
  EXPECT_TRUE(first == csv_of(spec, "b"));
  spec.seed = 2;
  EXPECT_FALSE(first == csv_of(spec, "c"));
}

struct Recorded {
  Spec spec;
  std::shared_ptr<const Recording> recording;
};

Recorded record() {
  Recorded out{spec_of(kLively), nullptr};
  Assembly flight = assemble(out.spec);
  MemorySink memory;
  StreamRecorderSetup setup;
  setup.meta.tier = Tier::kComponents;
  StreamRecorder recorder(setup, memory);
  Observers observers{{}, {}, {&recorder}};
  fly(flight.run, observers);
  EXPECT_EQ(flight.run.boundaries().found, 5U);  // four feet left the ground, and the height
  EXPECT_EQ(flight.run.bus().faults.thrust_scale[2], 0.95);
  out.recording = memory.recording();
  return out;
}

Digest128 fly_instead(Spec spec, std::uint64_t seed, std::vector<const Source*> instead) {
  spec.seed = seed;
  AssembleOptions options;
  options.instead = std::move(instead);
  Assembly flight = assemble(spec, options);
  testing::fly_spec(flight);
  return flight.run.digest();
}

constexpr SignalSet kScenario = SignalSet::of(
    Signal::kHighLevel, Signal::kParameter, Signal::kMarker, Signal::kFaults, Signal::kDisturbance);

TEST(GoldenReplay, AnyPartOfTheFlightCanComeFromARecording) {
  const Recorded live = record();
  const auto play = [&live](Stage stage, SignalSet signals) {
    return ReplaySource(live.recording, stage, signals);
  };
  const ReplaySource scenario = play(Stage::kScenario, kScenario);
  const ReplaySource wind = play(Stage::kWind, SignalSet::of(Signal::kWind));
  const ReplaySource estimate = play(Stage::kSensors, SignalSet::of(Signal::kEstimate));
  const ReplaySource pilot =
      play(Stage::kAutopilot, SignalSet::of(Signal::kCommand, Signal::kAutopilot));
  const Digest128 truth = live.recording->end.flight_digest;
  const auto digest = [&live](std::uint64_t seed, std::vector<const Source*> instead) {
    return fly_instead(live.spec, seed, std::move(instead));
  };
  EXPECT_EQ(digest(1, {}), truth);
  EXPECT_NE(digest(2, {}), truth);
  EXPECT_NE(digest(2, {&wind}), truth);      // the noise of the estimate is another
  EXPECT_NE(digest(2, {&estimate}), truth);  // the wind is another
  EXPECT_EQ(digest(1, {&scenario}), truth);
  EXPECT_EQ(digest(1, {&wind, &scenario}), truth);
  EXPECT_EQ(digest(1, {&pilot}), truth);
  EXPECT_EQ(digest(2, {&wind, &estimate}), truth);
  EXPECT_EQ(digest(2, {&scenario, &wind, &estimate, &pilot}), truth);
}

TEST(GoldenReplay, ASampleThatIsChangedInItsLastBitIsAnotherFlight) {
  const Recorded live = record();
  auto bent = std::make_shared<Recording>(*live.recording);
  for (Table& table : bent->tables) {
    if (table.layout.name != "wind") continue;
    const RowField& velocity = *table.layout.find("/signals/wind/velocity_ned_m_s");
    std::byte* const row = table.rows.data() + 200 * table.layout.row_size;
    put(velocity, 0, std::nextafter(number(velocity, 0, row), 100.0), row);
  }
  const ReplaySource straight(live.recording, Stage::kWind, SignalSet::of(Signal::kWind));
  const ReplaySource wind(bent, Stage::kWind, SignalSet::of(Signal::kWind));
  EXPECT_EQ(fly_instead(live.spec, 1, {&straight}), live.recording->end.flight_digest);
  EXPECT_NE(fly_instead(live.spec, 1, {&wind}), live.recording->end.flight_digest);
}

}  // namespace
}  // namespace tactus
