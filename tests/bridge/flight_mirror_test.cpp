// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies whole flights twice
// needs: double_json_physics

// The recording of a vehicle that only frames tell of: what is in it is what the vehicle saw and
// did, what no frame tells is left out and named, its autopilot replays.

#include "tactus/bridge/flight_mirror.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/bridge/scenario_orders.h"
#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/replay/component/component_replay.h"
#include "tactus/replay/diff/diff.h"
#include "tactus/replay/diff/diff_align.h"
#include "tactus/replay/playback/held_ticks.h"
#include "tactus/replay/replay.h"
#include "tactus/replay/rerun.h"
#include "tests/support/external_flight.h"
#include "tests/support/fleet.h"
#include "tests/support/reporting_pilot.h"
#include "tests/support/scripted_simulator.h"

namespace tactus {
namespace {

using testing::builtin_vehicle;
using testing::contains;
using testing::echo_vehicle;
using testing::ExternalDouble;
using testing::Misbehaviour;
using testing::RecordedVehicle;
using testing::ScriptedSimulator;

constexpr TimeUs kFar{100'000'000};

LoadedSpec flight_spec(const char* end_s = "6.0") {
  const Override changes[] = {{"time.end_s", end_s}, {"autopilot.detect_motor_loss", "false"}};
  return load_spec(find_spec("default"), changes);
}

/// A recording in memory of what a vehicle sees.
class Mirrored {
 public:
  Mirrored(const LoadedSpec& loaded, const std::shared_ptr<Autopilot>& autopilot)
      : recorder_({recording_meta(loaded, Tier::kComponents, {})}, sink_),
        mirror_(loaded.spec, autopilot, {{}, {}, {&recorder_}}) {}

  /// Flies to the end; something may happen after a step.
  void watch(Bridge& bridge, VehicleId id, TimeUs end = kFar,
             const std::function<void(TimeUs)>& then = {}) {
    bridge.start();
    mirror_.see(bridge.vehicle(id), bridge.now());
    while (!mirror_.finished() && bridge.now() < end) {
      bridge.step();
      mirror_.see(bridge.vehicle(id), bridge.now());
      if (then) then(bridge.now());
    }
  }
  std::shared_ptr<const Recording> recording() {
    mirror_.close();
    return sink_.recording();
  }

 private:
  MemorySink sink_;
  StreamRecorder recorder_;
  FlightMirror mirror_;
};

std::string refusal(const std::shared_ptr<const Recording>& recording, const ReplayPlan& plan) {
  try {
    (void)replay(recording, plan);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_autopilot_replays(const std::shared_ptr<const Recording>& recording) {
  ReplayPlan plan;
  plan.mode = ReplayMode::kComponent;
  plan.component = FlightPart::kAutopilot;
  const ReplayOutcome outcome = replay(recording, plan);
  EXPECT_TRUE(outcome.reproduces()) << outcome.stopped;
  EXPECT_EQ(outcome.tables.size(), 2u) << "command and report";
}

/// A simulator of ours tells the truth about the frames that it sent.
TEST(FlightMirror, HoldsWhatTheSimulatorItselfRecords) {
  Bridge bridge;
  const auto here = std::make_shared<BuiltinAdapter>();
  bridge.register_adapter("here", here);
  VehiclePlan plan;
  plan.loaded = flight_spec();
  RecordedVehicle vehicle(plan);
  Mirrored mirrored(plan.loaded, vehicle.autopilot());
  vehicle.add_to(*here, bridge, "here");
  mirrored.watch(bridge, plan.id, TimeUs(5'996'000));
  here->close();

  const auto seen = mirrored.recording();
  const auto own = vehicle.recording();
  EXPECT_TRUE(seen->flown_externally());
  EXPECT_FALSE(own->flown_externally());
  for (const char* const table :
       {"boundary", "estimate", "land", "command", "autopilot", "high_level", "parameter"}) {
    std::optional<TablePair> pair = pair_of(*seen, *own, table);
    ASSERT_TRUE(pair) << table;
    EXPECT_GE(pair->a->size(), 1u) << table;
    pair->left_out = found_by_one(*seen, *own, kFar);
    EXPECT_EQ(first_differing_instant(*pair, TimeUs(5'990'000), 0.0), std::nullopt) << table;
  }
  for (const char* const path : {"/outputs/truth/position_ned_m", "/outputs/truth/attitude",
                                 "/outputs/battery/voltage_v", "/outputs/esc/speed_rad_s"}) {
    EXPECT_NE(seen->require("boundary").layout.find(path), nullptr) << path;
  }
  for (const char* const path : {"/outputs/environment/density_kg_m3", "/outputs/power/bus_v"}) {
    EXPECT_EQ(seen->require("boundary").layout.find(path), nullptr) << path;
    EXPECT_NE(own->require("boundary").layout.find(path), nullptr) << path;
  }
  expect_autopilot_replays(seen);
}

/// One vehicle with the built-in autopilot in the JSON double.
struct OverJson {
  explicit OverJson(const LoadedSpec& spec, const std::string& how = "")
      : loaded(spec), physics("json_physics", how) {
    JsonOptions options;
    options.port = physics.port();
    bridge.register_adapter("physics", std::make_shared<JsonAdapter>(options));
    VehicleSetup setup = builtin_vehicle(0, loaded.spec);
    setup.scenario = std::make_unique<ScenarioOrders>(loaded.spec);
    setup.recorded = true;
    mirrored = std::make_unique<Mirrored>(loaded, setup.autopilot);
    bridge.spawn(std::move(setup), "physics");
  }
  std::shared_ptr<const Recording> fly() {
    mirrored->watch(bridge, 0);
    bridge.stop();
    return mirrored->recording();
  }

  LoadedSpec loaded;
  ExternalDouble physics;
  Bridge bridge;
  std::unique_ptr<Mirrored> mirrored;
};

TEST(FlightMirror, AnExternalFlightIsComparedWithTheSameFlightHere) {
  const LoadedSpec loaded = flight_spec();
  const auto external = OverJson(loaded).fly();
  EXPECT_TRUE(external->end.complete);
  EXPECT_EQ(external->require("command").size(), 1501u) << "one per exchange";
  EXPECT_EQ(external->require("boundary").layout.find("/outputs/battery/voltage_v"), nullptr);
  const Table& events = external->require("events");
  const RowField* const what = events.layout.find("/events/what");
  std::string story;
  for (std::size_t i = 0; i < events.size(); ++i) story += text(*what, events.row(i).data()) + " ";
  for (const char* const part : {"acts", "armed", "not landed"}) {
    EXPECT_TRUE(contains(story, part)) << story;
  }

  const RecordedFlight here = fly_recorded(loaded, Tier::kComponents, {}, {});
  const DiffReport report = diff(*here.recording, *external, {.tolerance = 1e-6});
  EXPECT_EQ(report.verdict, DiffVerdict::kDifferent);
  EXPECT_TRUE(report.spec.empty());
  EXPECT_EQ(report.compared_until, TimeUs(6'000'000));
  ASSERT_FALSE(report.growth.empty());
  EXPECT_LT(report.growth.back().position_m, 2.0) << "the same flight, without the wind";
  EXPECT_GT(report.growth.back().position_m, 1e-3);
  std::string notes;
  for (const std::string& note : report.notes) notes += note + "\n";
  for (const char* const missing : {"has wind", "has faults", "flown in an external simulator"}) {
    EXPECT_TRUE(contains(notes, missing)) << notes;
  }
  expect_autopilot_replays(external);
}

TEST(FlightMirror, TheSameExternalFlightIsTheSameRecording) {
  const LoadedSpec loaded = flight_spec("3.0");
  const auto first = OverJson(loaded).fly();
  const auto again = OverJson(loaded).fly();
  EXPECT_EQ(diff(*first, *again).verdict, DiffVerdict::kEqual);
  EXPECT_EQ(first->end.flight_digest, again->end.flight_digest);
}

TEST(FlightMirror, BatteriesAreRecordedIfTheProgramSendsThem) {
  const auto recording = OverJson(flight_spec("0.1"), "--extras").fly();
  const Table& boundary = recording->require("boundary");
  const RowField* const voltage = boundary.layout.find("/outputs/battery/voltage_v");
  ASSERT_NE(voltage, nullptr);
  EXPECT_NEAR(number(*voltage, 0, boundary.row(0).data()), 11.1, 1e-6);
}

TEST(FlightMirror, InstrumentsAreRecordedThatTheProgramSends) {
  const Override changes[] = {
      {"time.end_s", "1.0"}, {"autopilot.detect_motor_loss", "false"}, {"sensors.fitted", "true"}};
  const auto recording = OverJson(load_spec(find_spec("default"), changes)).fly();
  const Table& imu = recording->require("imu");
  EXPECT_EQ(imu.size(), 251u);
  const RowField* const force = imu.layout.find("/signals/imu/specific_force_body_m_s2");
  ASSERT_NE(force, nullptr);
  EXPECT_NEAR(number(*force, 2, imu.row(250).data()), -9.81, 0.05) << "it stands";
  EXPECT_EQ(recording->find("gps"), nullptr);
  expect_autopilot_replays(recording);
}

TEST(FlightMirror, WhatNeedsAPlantIsRefused) {
  const auto recording = OverJson(flight_spec("0.1")).fly();
  ReplayPlan plan;
  EXPECT_TRUE(contains(refusal(recording, plan), "was flown in an external simulator"));
  plan.mode = ReplayMode::kPlant;
  EXPECT_TRUE(contains(refusal(recording, plan), "no plant to fly again"));
  plan.mode = ReplayMode::kComponent;
  plan.component = FlightPart::kEstimator;
  EXPECT_TRUE(contains(refusal(recording, plan), "no plant to fly again"));
  EXPECT_THROW((void)replay_component(*recording, PlantComponent::kBattery), Error);
}

// Where no frame came the last one stands; the autopilot did not run there.
TEST(FlightMirror, ALateSimulatorLeavesNoHoles) {
  LinkParameters hold;
  hold.late = LatePolicy::kHold;
  hold.exchange_deadline = DurationUs(200'000);
  const LoadedSpec loaded = flight_spec("2.0");
  const auto simulator = std::make_shared<ScriptedSimulator>();
  simulator->misbehaviour = Misbehaviour::kBack;
  simulator->delay = std::chrono::milliseconds(600);
  Bridge bridge;
  bridge.register_adapter("late", simulator, hold);
  bridge.spawn(echo_vehicle(0, DurationUs(4'000)), "late");
  Mirrored mirrored(loaded, std::make_shared<testing::EchoAutopilot>());
  mirrored.watch(bridge, 0, kFar, [](TimeUs now) {
    if (now == TimeUs(1'000'000)) std::this_thread::sleep_for(std::chrono::milliseconds(800));
  });
  bridge.stop();
  const auto recording = mirrored.recording();
  EXPECT_EQ(recording->require("command").size(), 501u);
  const Table& boundary = recording->require("boundary");
  const RowField* const position = boundary.layout.find("/outputs/truth/position_ned_m");
  const auto north_at = [&](TimeUs time) {
    return number(*position, 0, boundary.row(*boundary.at(time)).data());
  };
  EXPECT_EQ(north_at(TimeUs(996'000)), 0.996);
  EXPECT_EQ(north_at(TimeUs(1'000'000)), 0.996) << "held";
  EXPECT_EQ(north_at(TimeUs(2'000'000)), 2.0);
}

/// The built-in autopilot in a simulator that stops to answer, and comes back or runs free.
std::shared_ptr<const Recording> flight_with_a_gap(LatePolicy policy, TimeUs from) {
  LinkParameters late;
  late.late = policy;
  late.exchange_deadline = DurationUs(200'000);
  const LoadedSpec loaded = flight_spec("2.0");
  const auto simulator = std::make_shared<ScriptedSimulator>();
  simulator->misbehaviour = Misbehaviour::kBack;
  simulator->from = from;
  simulator->delay = std::chrono::milliseconds(600);
  Bridge bridge;
  bridge.register_adapter("late", simulator, late);
  VehicleSetup setup = builtin_vehicle(0, loaded.spec);
  setup.recorded = true;
  Mirrored mirrored(loaded, setup.autopilot);
  bridge.spawn(std::move(setup), "late");
  mirrored.watch(bridge, 0, kFar, [from](TimeUs now) {
    if (now == from || now == TimeUs(1'200'000)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(800));
    }
  });
  bridge.stop();
  return mirrored.recording();
}

// Where the autopilot did not run its replay does not run it either.
TEST(FlightMirror, TheAutopilotIsReplayedOverGapsInWhichItWasHeld) {
  for (const TimeUs from : {TimeUs(1'000'000), TimeUs()}) {
    const auto recording = flight_with_a_gap(LatePolicy::kHold, from);
    EXPECT_FALSE(held_ticks(*recording).empty());
    expect_autopilot_replays(recording);
  }
}

TEST(FlightMirror, AnAutopilotThatRanOnOtherFramesIsNotReplayed) {
  const auto recording = flight_with_a_gap(LatePolicy::kFreeRunning, TimeUs(1'000'000));
  ReplayPlan plan;
  plan.mode = ReplayMode::kComponent;
  plan.component = FlightPart::kAutopilot;
  EXPECT_TRUE(contains(refusal(recording, plan), "frames of other instants"));
}

/// Says something at every step, with its own time.
class Chatty final : public Autopilot {
 public:
  [[nodiscard]] const char* name() const override { return "chatty"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override {
    notes_.push_back({input.now, "stepped", 0, NoteFrom::kAutopilot});
    output.status.armed = true;
  }
  void take_notes(std::vector<Note>& notes) override {
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }

 private:
  std::vector<Note> notes_;
};

/// Flies to 2 s; the log has boundaries between exchanges of 8 ms.
LoadedSpec spec_of_8_ms() {
  const Override changes[] = {{"time.end_s", "2.0"},
                              {"time.autopilot_s", "0.008"},
                              {"time.sensors_s", "0.008"},
                              {"autopilot.detect_motor_loss", "false"}};
  return load_spec(find_spec("default"), changes);
}

// The time of a vehicle begins with it, not with its first frame; the file can be read.
TEST(FlightMirror, AFirstFrameThatIsLateMovesNoTime) {
  LinkParameters hold;
  hold.late = LatePolicy::kHold;
  hold.exchange_deadline = DurationUs(200'000);
  const LoadedSpec loaded = spec_of_8_ms();
  const auto simulator = std::make_shared<ScriptedSimulator>();
  simulator->misbehaviour = Misbehaviour::kBack;
  simulator->from = TimeUs();
  simulator->delay = std::chrono::milliseconds(600);
  Bridge bridge;
  bridge.register_adapter("late", simulator, hold);
  VehicleSetup setup = echo_vehicle(0, DurationUs(8'000));
  const auto pilot = std::make_shared<Chatty>();
  setup.autopilot = pilot;
  setup.scenario = std::make_unique<ScenarioOrders>(loaded.spec);
  setup.recorded = true;
  bridge.spawn(std::move(setup), "late");

  const std::string path = (std::filesystem::temp_directory_path() /
                            ("flight_mirror_" + std::to_string(::getpid()) + "_late.h5"))
                               .string();
  std::filesystem::remove(path);
  FileSink sink(path);
  StreamRecorder recorder({recording_meta(loaded, Tier::kComponents, {})}, sink);
  FlightMirror mirror(loaded.spec, pilot, {{}, {}, {&recorder}});
  bridge.start();
  ASSERT_FALSE(bridge.vehicle(0).has_frame()) << "that of 0 us was missed";
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  while (!mirror.finished()) {
    bridge.step();
    mirror.see(bridge.vehicle(0), bridge.now());
  }
  mirror.close();
  bridge.stop();

  const auto recording = read_recording(path);  // would refuse events whose time goes back
  std::filesystem::remove(path);
  EXPECT_TRUE(recording->end.complete);
  EXPECT_EQ(recording->require("command").size(), 251u);
  const Table& events = recording->require("events");
  const RowField* const what = events.layout.find("/events/what");
  TimeUs first;
  std::size_t steps = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (text(*what, events.row(i).data()) != "stepped") continue;
    if (steps++ == 0) first = events.time(i);
    EXPECT_EQ(events.time(i).us % 8'000, 0u) << "at exchanges only";
  }
  EXPECT_GT(first, TimeUs());
  EXPECT_EQ(steps, (TimeUs(2'000'000) - first).us / 8'000 + 1);
  const Table& boundary = recording->require("boundary");
  const RowField* const position = boundary.layout.find("/outputs/truth/position_ned_m");
  const auto north_at = [&](TimeUs time) {
    return number(*position, 0, boundary.row(*boundary.at(time)).data());
  };
  EXPECT_EQ(north_at(TimeUs()), to_seconds(first)) << "the first frame stands before itself";
  EXPECT_EQ(north_at(TimeUs(1'000'000)), 1.0);
}

TEST(FlightMirror, LastMessagesBelongToTheirExchange) {
  const auto pilot = std::make_shared<testing::ReportingPilot>(TimeUs(24'000));
  Bridge bridge;
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  VehicleSetup setup = echo_vehicle(0, DurationUs(8'000));
  setup.autopilot = pilot;
  setup.recorded = true;
  bridge.spawn(std::move(setup), "one");
  const LoadedSpec loaded = spec_of_8_ms();
  Mirrored mirrored(loaded, pilot);
  EXPECT_THROW(mirrored.watch(bridge, 0), Error);
  const auto recording = mirrored.recording();
  EXPECT_EQ(recording->end.time, TimeUs(20'000)) << "the log's, which shows the frame of 16 ms";
  ASSERT_EQ(recording->blobs[0].pieces.size(), 4u);
  EXPECT_EQ(recording->blobs[0].pieces.back().time, TimeUs(24'000));
  const Table& events = recording->require("events");
  ASSERT_GE(events.size(), 1u);
  EXPECT_EQ(events.time(events.size() - 1), TimeUs(24'000));
}

TEST(FlightMirror, TheLastMessagesOfAnAutopilotThatFailsAreInIt) {
  const LoadedSpec loaded = flight_spec("2.0");
  const auto pilot = std::make_shared<testing::ReportingPilot>(TimeUs(20'000));
  Bridge bridge;
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  VehicleSetup setup = echo_vehicle(0, DurationUs(4'000));
  setup.autopilot = pilot;
  setup.recorded = true;
  bridge.spawn(std::move(setup), "one");
  Mirrored mirrored(loaded, pilot);
  EXPECT_THROW(mirrored.watch(bridge, 0), Error);
  const auto recording = mirrored.recording();
  EXPECT_FALSE(recording->end.complete);
  EXPECT_EQ(recording->end.time, TimeUs(16'000)) << "the last that was completed";
  ASSERT_EQ(recording->blobs.size(), 2u);
  ASSERT_EQ(recording->blobs[0].pieces.size(), 6u);
  EXPECT_TRUE(recording->blobs[1].pieces.empty()) << "no tick was held";
  EXPECT_EQ(recording->blobs[0].pieces.back().time, TimeUs(20'000));
  const Table& events = recording->require("events");
  ASSERT_GE(events.size(), 1u);
  EXPECT_EQ(text(*events.layout.find("/events/what"), events.row(events.size() - 1).data()),
            "talker gone");
}

}  // namespace
}  // namespace tactus
