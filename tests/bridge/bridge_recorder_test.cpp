// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge_recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tests/support/scripted_simulator.h"

namespace tactus {
namespace {

using testing::echo_vehicle;
using testing::Misbehaviour;
using testing::ScriptedSimulator;

constexpr TimeUs kEnd{2'000'000};

/// A file that is gone after the test.
struct Scratch {
  explicit Scratch(const std::string& name)
      : path((std::filesystem::temp_directory_path() /
              ("bridge_recorder_" + std::to_string(::getpid()) + "_" + name))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~Scratch() { std::filesystem::remove(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path;
};

/// Three vehicles in two simulators to `kEnd`, recorded; "bad" misbehaves from 1 s on.
void fly(const std::string& path, Misbehaviour misbehaviour, LatePolicy policy,
         std::vector<BridgeEvent>* events = nullptr) {
  const auto bad = std::make_shared<ScriptedSimulator>();
  bad->misbehaviour = misbehaviour;
  bad->delay = std::chrono::milliseconds(700);
  LinkParameters link;
  link.exchange_deadline = DurationUs(400'000);
  link.late = policy;
  Bridge bridge;
  bridge.register_adapter("good", std::make_shared<ScriptedSimulator>());
  bridge.register_adapter("bad", bad, link);
  bridge.spawn(echo_vehicle(0), "good");
  bridge.spawn(echo_vehicle(1), "bad");
  bridge.spawn(echo_vehicle(2, DurationUs(60'000)), "good");
  if (misbehaviour == Misbehaviour::kBack) bridge.set_time_mode(TimeMode::scaled(1.0));
  RecordingMeta meta;
  meta.name = "three";
  BridgeRecorder recorder(std::make_unique<OutputFile>(path, kRecordingRules), meta);
  bridge.start();
  recorder.see(bridge);
  bridge.after_step = [&recorder](Bridge& now) { recorder.see(now); };
  bool complete = false;
  try {
    bridge.run_until(kEnd);
    complete = true;
  } catch (const Error&) {
  }
  recorder.end(bridge, complete, 0.5);
  if (events != nullptr) *events = bridge.events();
}

TEST(BridgeRecorder, AllVehiclesTenTimesASecondOnOneClock) {
  const Scratch file("good.h5");
  fly(file.path, Misbehaviour::kNone, LatePolicy::kFail);
  const auto recording = read_recording(file.path);
  EXPECT_TRUE(recording->of_fleet());
  EXPECT_TRUE(recording->end.complete);
  EXPECT_EQ(recording->end.time, kEnd);
  EXPECT_EQ(recording->require("events").size(), 0U);
  const Table& vehicles = recording->require("vehicles");
  ASSERT_EQ(vehicles.size(), 3U * 21U);
  const TableLayout& layout = vehicles.layout;
  for (std::size_t i = 0; i < vehicles.size(); ++i) {
    const std::byte* const row = vehicles.row(i).data();
    const std::uint64_t now_us = i / 3 * 100'000;
    EXPECT_EQ(vehicles.time(i).us, now_us);
    EXPECT_EQ(whole_number(*layout.find("/vehicles/id"), 0, row), i % 3);
    // The third one exchanges every 60 ms: its newest frame is as old as that.
    const std::uint64_t frame_us = i % 3 == 2 ? now_us / 60'000 * 60'000 : now_us;
    EXPECT_EQ(whole_number(*layout.find("/vehicles/frame_us"), 0, row), frame_us);
    EXPECT_EQ(number(*layout.find("/vehicles/truth/position_ned_m"), 0, row),
              static_cast<double>(frame_us) * 1e-6);
  }
}

TEST(BridgeRecorder, TheSameRowsAndDigestAgain) {
  const Scratch a("a.h5");
  const Scratch b("b.h5");
  fly(a.path, Misbehaviour::kDies, LatePolicy::kDrop);
  fly(b.path, Misbehaviour::kDies, LatePolicy::kDrop);
  const auto one = read_recording(a.path);
  const auto other = read_recording(b.path);
  EXPECT_EQ(one->end.flight_digest, other->end.flight_digest);
  for (const char* table : {"events", "vehicles"}) {
    EXPECT_EQ(one->require(table).rows, other->require(table).rows) << table;
  }
}

TEST(BridgeRecorder, EveryMissAndRecoveryIsAnEvent) {
  const Scratch file("back.h5");
  std::vector<BridgeEvent> events;
  fly(file.path, Misbehaviour::kBack, LatePolicy::kHold, &events);
  ASSERT_EQ(events.size(), 2U);
  const auto recording = read_recording(file.path);
  const Table& table = recording->require("events");
  ASSERT_EQ(table.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::byte* const row = table.row(i).data();
    EXPECT_EQ(table.time(i), events[i].time);
    EXPECT_EQ(text(*table.layout.find("/events/who"), row), "simulator bad");
    EXPECT_EQ(text(*table.layout.find("/events/what"), row), events[i].what);
  }
}

TEST(BridgeRecorder, AFlightThatFailsLeavesItsReason) {
  const Scratch file("failed.h5");
  fly(file.path, Misbehaviour::kDies, LatePolicy::kFail);
  const auto recording = read_recording(file.path);
  EXPECT_FALSE(recording->end.complete);
  EXPECT_EQ(recording->end.time, TimeUs(980'000));
  const Table& table = recording->require("events");
  ASSERT_EQ(table.size(), 1U);
  const std::string what = text(*table.layout.find("/events/what"), table.row(0).data());
  EXPECT_NE(what.find("has died"), std::string::npos) << what;
}

TEST(BridgeRecorder, WallClockFiguresAreDiagnostics) {
  const Scratch file("waits.h5");
  fly(file.path, Misbehaviour::kBack, LatePolicy::kHold);
  const Hdf5Reader read(file.path);
  EXPECT_EQ(read.numbers<double>("/diagnostics/flying_s", FieldKind::kReal),
            std::vector<double>{0.5});
  EXPECT_EQ(read.numbers<double>("/diagnostics/real_time_factor", FieldKind::kReal),
            std::vector<double>{4.0});
  const auto of = read.texts("/diagnostics/histograms/of");
  const auto count = read.numbers<std::uint64_t>("/diagnostics/histograms/count", FieldKind::kU64);
  ASSERT_EQ(of.size(), count.size());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < of.size(); ++i) steps += of[i] == "step" ? count[i] : 0;
  EXPECT_EQ(steps, 100U);
  EXPECT_EQ(std::set<std::string>(of.begin(), of.end()),
            (std::set<std::string>{"latency", "step", "step of bad", "step of good", "wait for bad",
                                   "wait for good"}));
  EXPECT_EQ(read.texts("/diagnostics/simulators/name"), (std::vector<std::string>{"bad", "good"}));
  EXPECT_EQ(read.numbers<std::uint64_t>("/diagnostics/simulators/misses", FieldKind::kU64),
            (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(read.numbers<std::uint64_t>("/diagnostics/simulators/recoveries", FieldKind::kU64),
            (std::vector<std::uint64_t>{1, 0}));
  // The deadline (0.4 s since it was asked) was waited for, at the instant at which it hung.
  const auto times = read.numbers<std::uint64_t>("/diagnostics/waits/time_us", FieldKind::kU64);
  const auto waits = read.numbers<std::uint64_t>("/diagnostics/waits/wait_ns", FieldKind::kU64);
  const auto who = read.texts("/diagnostics/waits/who");
  const auto hung = std::find(times.begin(), times.end(), 1'000'000U) - times.begin();
  ASSERT_LT(static_cast<std::size_t>(hung), times.size());
  EXPECT_GE(waits[static_cast<std::size_t>(hung)], 300'000'000U);
  EXPECT_EQ(who[static_cast<std::size_t>(hung)], "simulator bad");
}

TEST(BridgeRecorder, AnInterruptedStartLeavesNoRows) {
  const Scratch file("interrupted.h5");
  Bridge bridge({.interrupted = [] { return true; }});
  bridge.register_adapter("good", std::make_shared<ScriptedSimulator>());
  bridge.spawn(echo_vehicle(0), "good");
  BridgeRecorder recorder(std::make_unique<OutputFile>(file.path, kRecordingRules), {});
  bridge.start();
  recorder.see(bridge);
  bridge.run_until(kEnd);
  recorder.end(bridge, false, 0.5);
  const auto recording = read_recording(file.path);
  EXPECT_FALSE(recording->end.complete);
  EXPECT_EQ(recording->require("vehicles").size(), 0U);
}

TEST(BridgeRecorder, AFileThatIsThereIsNotOverwritten) {
  const Scratch file("twice.h5");
  fly(file.path, Misbehaviour::kNone, LatePolicy::kFail);
  try {
    BridgeRecorder again(std::make_unique<OutputFile>(file.path, kRecordingRules), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_NE(std::string(error.what()).find("exists"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tactus
