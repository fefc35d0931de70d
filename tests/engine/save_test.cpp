// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: saves and restores at many instants of several flights

// A run that is saved as bytes and loaded into a freshly assembled one continues with the same
// bits, wherever it is saved; what does not fit is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/core/random.h"
#include "tactus/engine/run_state.h"
#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"
#include "tests/support/engine.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Takes over a run that is loaded anew at chosen instants.
class Relay {
 public:
  explicit Relay(const std::string& name, const std::vector<Override>& overrides = {})
      : spec_(load_spec(find_spec(name), overrides).spec), run_(assemble(spec_).run) {}

  tactus::Run& run() { return run_; }
  tactus::Run fresh() { return assemble(spec_).run; }
  void reload() {
    tactus::Run next = fresh();
    load(next, save(run_));
    run_ = std::move(next);
  }

 private:
  Spec spec_;
  tactus::Run run_;
};

/// Everything by which two flights could differ.
void expect_same(const tactus::Run& a, const tactus::Run& b) {
  EXPECT_EQ(a.digest(), b.digest());
  EXPECT_EQ(a.now(), b.now());
  EXPECT_EQ(a.finished(), b.finished());
  const auto difference = first_difference(a.boundaries(), b.boundaries());
  EXPECT_FALSE(difference) << difference->text();
  const auto solver = first_difference(a.plant().totals(), b.plant().totals());
  EXPECT_FALSE(solver) << solver->text();
  const auto bus = first_difference(a.bus(), b.bus());
  EXPECT_FALSE(bus) << bus->text();
}

/// All aircraft, and the scenarios in which most things happen; in full, all of those too.
std::vector<std::string> shipped() {
  if (few_cases()) return {"free_fall", "motor_faults", "rover", "ball_drop"};
  std::vector<std::string> names;
  if (!test_all()) {
    names = {"brown_out", "motor_faults", "noisy_motor", "gps_loss",
             "gust",      "free_fall",    "ball_drop"};
  }
  for (const char* folder : {"aircraft", "scenarios"}) {
    if (folder == std::string("scenarios") && !test_all()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(data_root() + "/" + folder)) {
      if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  std::erase(names, "hover_24h");
  return names;
}

class SavedFlight : public ::testing::TestWithParam<std::string> {};

TEST_P(SavedFlight, ContinuesWithTheSameBitsFromRandomInstants) {
  Relay plain(GetParam());
  Relay relay(GetParam());
  Observers none;
  fly(plain.run(), none);
  const RandomStream random(7, GetParam());
  std::uint64_t draw = 0;
  TimeUs next{};
  while (!relay.run().finished()) {
    proceed(relay.run(), none);
    if (relay.run().now() < next || relay.run().finished()) continue;
    relay.reload();
    const double wait_us = 2e6 / static_cast<double>(scaled(20)) * random.uniform(draw++) * 2.0;
    next = relay.run().now() + duration_from_seconds(math::rint(wait_us) * 1e-6, "wait");
  }
  EXPECT_GE(draw, 1U);
  expect_same(relay.run(), plain.run());
}

INSTANTIATE_TEST_SUITE_P(Shipped, SavedFlight, ::testing::ValuesIn(shipped()),
                         [](const auto& test) { return test.param; });

TEST(SavedRun, BytesLeftOverByAPlantAreRefused) {
  Relay relay("free_fall");
  StateWriter writer;
  relay.run().plant().save(writer);
  std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
  tactus::Run next = relay.fresh();
  load_plant(next, bytes, Into::kSame);
  bytes.push_back(std::byte{0});
  expect_contains(refusal([&] { load_plant(next, bytes, Into::kSame); }, ExitCode::kBadInput),
                  "is longer than that of this plant");
}

/// Loads the run anew whenever a boundary is complete, as from a snapshot.
class Snapshots final : public Recorder {
 public:
  void begin(const tactus::Run& run) override { run_ = &run; }
  void boundary(const BoundaryView& view, SignalSet) override {
    if (view.due.end) return;
    bytes = save(*run_);
  }
  void end(Digest128, bool) override {}
  void follow(const tactus::Run& run) { run_ = &run; }
  std::vector<std::byte> bytes;

 private:
  const tactus::Run* run_ = nullptr;
};

TEST(SavedRun, ARunSavedWhenABoundaryIsCompleteGoesOnWithTheInterval) {
  const std::vector<Override> few = {{"time.end_s", "8.0"}};
  Relay plain("gust", few);
  Relay relay("gust", few);
  Observers none;
  fly(plain.run(), none);
  Snapshots snapshots;
  Observers observers;
  observers.recorders.push_back(&snapshots);
  snapshots.begin(relay.run());
  for (int i = 0; !relay.run().finished(); ++i) {
    proceed(relay.run(), observers);
    if (relay.run().finished() || i % 7 != 0) continue;
    tactus::Run next = relay.fresh();
    load(next, snapshots.bytes);
    proceed(next, none);  // the interval after the boundary, and nothing of the boundary again
    expect_same(next, relay.run());
    relay.run() = std::move(next);
  }
  expect_same(relay.run(), plain.run());
}

TEST(SavedRun, EveryMethodKeepsItsMemory) {
  for (const char* method : {"euler", "rk4", "rk23", "rk45", "lie_rk4"}) {
    const bool adaptive = std::string(method) == "rk23" || std::string(method) == "rk45";
    const std::vector<Override> overrides = {{"time.end_s", "6.0"},
                                             {"solver.method", method},
                                             {"solver.step_us", adaptive ? "0" : "250"},
                                             {"log.mode", "interpolate"}};
    Relay plain("iris", overrides);
    Relay relay("iris", overrides);
    Observers none;
    fly(plain.run(), none);
    while (!relay.run().finished()) {
      proceed(relay.run(), none);
      if (!relay.run().finished() && relay.run().boundaries().total % 97 == 0) relay.reload();
    }
    SCOPED_TRACE(method);
    expect_same(relay.run(), plain.run());
  }
}

TEST(SavedRun, TheSameStateIsTheSameBytes) {
  Relay relay("motor_faults");
  Observers none;
  while (relay.run().now() < TimeUs(12'345'000)) proceed(relay.run(), none);
  const std::vector<std::byte> bytes = save(relay.run());
  const tactus::Run copy = relay.run();
  EXPECT_EQ(save(copy), bytes);
  EXPECT_LT(bytes.size(), 100'000U);
}

TEST(SavedRun, WhatDoesNotFitIsRefused) {
  Relay iris("iris");
  Relay hexa("hexa");
  Relay rover("rover");
  const std::vector<std::byte> bytes = save(iris.run());
  const auto reason = [](tactus::Run run, std::span<const std::byte> state, Into into) {
    return refusal([&] { load(run, state, into); }, ExitCode::kBadInput);
  };
  expect_contains(reason(hexa.fresh(), bytes, Into::kChanged), "the number of rotors was 4");
  expect_contains(reason(rover.fresh(), bytes, Into::kChanged), "the number of sources was 5");
  expect_contains(reason(Relay("gust").fresh(), bytes, Into::kSame), "another scenario");
  std::vector<std::byte> altered = bytes;
  altered[altered.size() / 2] ^= std::byte{1};
  expect_contains(reason(iris.fresh(), altered, Into::kSame), "does not match its digest");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, bytes.size() - 1}) {
    EXPECT_FALSE(reason(iris.fresh(), std::span(bytes).first(size), Into::kSame).empty());
  }
  Relay slower("iris", {{"time.autopilot_s", "0.008"},
                        {"time.sensors_s", "0.008"},
                        {"estimator.delay_s", "0.008"},
                        {"log.period_s", "0.016"}});
  expect_contains(reason(slower.fresh(), bytes, Into::kChanged), "axis in us was");
}

TEST(SavedRunDeathTest, ARunThatWasLeftHalfLoadedIsNotFlown) {
  Relay iris("iris");
  Relay hexa("hexa");
  tactus::Run half = hexa.fresh();
  EXPECT_THROW(load(half, save(iris.run()), Into::kChanged), Error);
  Observers none;
  EXPECT_DEATH((void)proceed(half, none), "a run that is whole");
}

TEST(SavedRunDeathTest, ARunThatHasHandedOverIsNotFlown) {
  Relay iris("iris");
  tactus::Run next = iris.fresh();
  hand_over(iris.run(), next, Into::kSame);
  EXPECT_DEATH((void)save(iris.run()), "no other has taken over");
  Observers none;
  EXPECT_EQ(proceed(next, none), Progress::kBoundary);
}

TEST(SavedRun, ASourceThatCannotBeSavedIsNamed) {
  const tactus::Run run(busy_setup(TimeUs(100'000)));
  expect_contains(refusal([&] { (void)save(run); }, ExitCode::kBadInput),
                  "\"toy scenario\" cannot be saved");
}

TEST(SavedRun, ADigestGoesOnInAnotherProcess) {
  for (const std::size_t length : {0U, 3U, 200U, 256U, 257U, 5000U}) {
    Digest digest;
    const std::vector<std::byte> text(length, std::byte{42});
    digest.add_bytes(text);
    StateWriter writer;
    digest.save(writer);
    StateReader reader(writer.bytes());
    Digest other;
    other.load(reader);
    for (Digest* each : {&digest, &other}) each->add_bytes(std::span(text).first(length / 2));
    EXPECT_EQ(other.result(), digest.result()) << length;
  }
}

}  // namespace
}  // namespace tactus
