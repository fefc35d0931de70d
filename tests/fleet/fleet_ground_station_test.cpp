// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A fleet with a ground station: it flies the vehicle that it addresses and no other, and what it
// said is in that vehicle's recording, which replays.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/replay/diff/diff.h"
#include "tactus/replay/replay.h"
#include "tactus/replay/rerun.h"
#include "tests/support/fleet.h"
#include "tests/support/ground_station_bench.h"
#include "tests/support/reporting_pilot.h"

namespace tactus {
namespace {

using testing::RecordedVehicle;
using testing::ScriptedStation;

constexpr std::uint8_t kSystem = 2;  // of vehicle 1

FleetPlan load_text(const std::string& text, const FleetChanges& changes = {}) {
  const std::string path = ::testing::TempDir() + "/fleet.toml";
  std::ofstream(path) << text;
  return load_fleet(path, changes);
}

/// One flies by itself, one waits for orders.
FleetPlan pair_of(std::uint16_t port) {
  return load_text(R"(
[time]
end_s = 25.0
[[simulator]]
name = "here"
[[vehicle]]
id = 0
simulator = "here"
spec = "default"
[[vehicle]]
id = 1
simulator = "here"
spec = "standby"
ground_station = true
mavlink_port = )" + std::to_string(port));
}

/// The pair in flight.
class Pair {
 public:
  explicit Pair(const FleetPlan& plan) {
    bridge.register_adapter("here", adapter_);
    for (const VehiclePlan& one : plan.vehicles) {
      vehicles.push_back(std::make_unique<RecordedVehicle>(one));
    }
  }
  void fly() {
    for (const auto& one : vehicles) one->add_to(*adapter_, bridge, "here");
    bridge.run_until(TimeUs(25'000'000));
  }
  void close() { adapter_->close(); }
  [[nodiscard]] const AutopilotStatus& status(VehicleId id) {
    return bridge.vehicle(id).command().status;
  }

  Bridge bridge;
  std::vector<std::unique_ptr<RecordedVehicle>> vehicles;

 private:
  std::shared_ptr<BuiltinAdapter> adapter_ = std::make_shared<BuiltinAdapter>();
};

void send(ScriptedStation& station, std::uint8_t system, std::uint16_t command, float first) {
  mavlink::CommandLong message;
  message.target_system = system;
  message.target_component = 1;
  message.command = command;
  message.param1 = first;
  message.param4 = message.param5 = message.param6 = message.param7 = testing::station::kNan;
  station.send(message);
}

/// Speaks to the wrong system first; then arms, takes off and lands vehicle 1.
void steer(ScriptedStation& station, Bridge& bridge) {
  namespace orders = testing::station;
  station.receive_all();
  if (bridge.now() == TimeUs(1'000'000)) send(station, 1, orders::kArm, 1.0F);
  if (bridge.now() == TimeUs(2'000'000)) {
    EXPECT_FALSE(bridge.vehicle(1).command().status.armed) << "an order to system 1";
    EXPECT_TRUE(station.answers.empty());
  }
  if (bridge.now() == TimeUs(3'000'000)) send(station, kSystem, orders::kArm, 1.0F);
  if (bridge.now() == TimeUs(4'000'000)) send(station, kSystem, orders::kTakeoff, 0.0F);
  if (bridge.now() == TimeUs(12'000'000)) {
    EXPECT_GT(bridge.vehicle(1).frame().truth.height_m, 2.0);
    send(station, kSystem, orders::kLand, 0.0F);
  }
}

bool has_event(const Recording& recording, const std::string& part) {
  const Table& events = recording.require("events");
  const RowField* const what = events.layout.find("/events/what");
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (text(*what, events.row(i).data()).find(part) != std::string_view::npos) return true;
  }
  return false;
}

void expect_reproduces(const std::shared_ptr<const Recording>& recording, const ReplayPlan& plan) {
  const ReplayOutcome outcome = replay(recording, plan);
  EXPECT_TRUE(outcome.reproduces()) << to_text(plan.mode) << ": " << outcome.stopped;
}

TEST(FleetGroundStation, FliesTheVehicleThatItAddressesAndItsRecordingReplays) {
  ScriptedStation station;
  Pair pair(pair_of(station.port()));
  pair.bridge.after_step = [&](Bridge& bridge) { steer(station, bridge); };
  pair.fly();
  EXPECT_EQ(station.system, kSystem);
  ASSERT_EQ(station.answers.size(), 3U);
  for (const mavlink::CommandAck& answer : station.answers) EXPECT_EQ(answer.result, 0);
  EXPECT_TRUE(pair.bridge.vehicle(1).frame().land.landed);
  EXPECT_FALSE(pair.status(1).armed);
  pair.close();

  const auto steered = pair.vehicles[1]->recording();
  EXPECT_FALSE(from_ground_station(*steered)->empty());
  EXPECT_TRUE(has_event(*steered, "GCS: connected"));
  ReplayPlan plan;
  expect_reproduces(steered, plan);
  plan.mode = ReplayMode::kPlant;
  expect_reproduces(steered, plan);
  plan.mode = ReplayMode::kComponent;
  plan.component = FlightPart::kAutopilot;
  expect_reproduces(steered, plan);
  plan.mode = ReplayMode::kLive;
  plan.live = {FlightPart::kAutopilot, FlightPart::kLand};
  expect_reproduces(steered, plan);
}

TEST(FleetGroundStation, AVehicleThatIsNotSteeredIsRecordedAsIfItFlewAlone) {
  const ScriptedStation station;
  Pair pair(pair_of(station.port()));
  pair.fly();
  pair.close();
  for (const auto& one : pair.vehicles) {
    const auto bridged = one->recording();
    EXPECT_FALSE(bridged->commanded_externally());
    AssembleOptions how;
    how.external = external_autopilots({.from_ground_station = from_ground_station(*bridged)});
    const RecordedFlight alone = fly_recorded(one->loaded(), Tier::kComponents, {}, how);
    EXPECT_EQ(bridged->end.flight_digest, alone.recording->end.flight_digest);
    EXPECT_EQ(diff(*bridged, *alone.recording, {}).verdict, DiffVerdict::kEqual);
    ASSERT_EQ(bridged->meta.sources.size(), alone.recording->meta.sources.size());
    EXPECT_EQ(bridged->meta.sources.back().writes, alone.recording->meta.sources.back().writes);
  }
}

TEST(FleetGroundStation, WhatAnAutopilotReceivedBeforeItFailedIsInItsRecording) {
  const ScriptedStation station;
  Pair pair(pair_of(station.port()));
  pair.vehicles[1]->set_autopilot(std::make_shared<testing::ReportingPilot>(TimeUs(20'000)));
  EXPECT_THROW(pair.fly(), Error);
  pair.close();
  const auto recording = pair.vehicles[1]->recording();
  EXPECT_TRUE(has_event(*recording, "talker gone"));
  ASSERT_EQ(recording->blobs.size(), 1U);
  EXPECT_EQ(recording->blobs[0].path, "/external/talker");
  ASSERT_EQ(recording->blobs[0].pieces.size(), 6U) << "a tick every 4 ms, from 0 to 20 ms";
  EXPECT_EQ(recording->blobs[0].pieces.back().time, TimeUs(20'000));
}

}  // namespace
}  // namespace tactus
