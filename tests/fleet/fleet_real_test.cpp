// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The shipped fleet of real PX4 and ArduPilot, if their programs are there.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tactus/replay/replay.h"
#include "tests/support/fleet.h"

namespace tactus {
namespace {

using testing::RecordedVehicle;

/// True once it was in the air and stands disarmed.
class Flights {
 public:
  explicit Flights(std::size_t count) : flew_(count) {}
  bool over(Bridge& bridge) {
    bool all = true;
    for (const VehicleId id : bridge.vehicles()) {
      const Vehicle& one = bridge.vehicle(id);
      if (one.frame().truth.height_m > 2.0) flew_[id] = true;
      all = all && flew_[id] && one.frame().land.landed && !one.command().status.armed;
    }
    return all;
  }

 private:
  std::vector<bool> flew_;
};

std::size_t received_bytes(const Recording& recording, const std::string& path) {
  std::size_t bytes = 0;
  for (const BlobTrack& track : recording.blobs) {
    if (track.path != path) continue;
    for (const BlobTrack::Piece& piece : track.pieces) bytes += piece.bytes.size();
  }
  return bytes;
}

TEST(FleetReal, TwoPx4AndTwoArdupilotFlyTogether) {
  for (const char* const program : {"TACTUS_PX4_SITL_BIN", "TACTUS_ARDUCOPTER_BIN"}) {
    if (std::getenv(program) == nullptr) {
      GTEST_SKIP() << program << " is not set: no real fleet was flown";
    }
  }
  const FleetPlan plan = load_fleet(find_fleet("fleet_autopilots"));
  Flights flights(plan.vehicles.size());
  bool over = false;
  Bridge bridge({.interrupted = [&over] { return over; }});
  const auto adapter = std::make_shared<BuiltinAdapter>();
  bridge.register_adapter("field", adapter);
  std::vector<std::unique_ptr<RecordedVehicle>> vehicles;
  for (const VehiclePlan& one : plan.vehicles) {
    vehicles.push_back(std::make_unique<RecordedVehicle>(one, Tier::kPlant));
    vehicles.back()->add_to(*adapter, bridge, "field");
  }
  bridge.after_step = [&](Bridge& now) { over = over || flights.over(now); };
  bridge.run_until(TimeUs() + plan.end);
  EXPECT_TRUE(over) << "at " << bridge.now().us << " us";
  for (const VehicleId id : bridge.vehicles()) {
    EXPECT_TRUE(bridge.vehicle(id).command().status.mission_finished) << int{id};
  }
  adapter->close();
  for (std::size_t i = 0; i < vehicles.size(); ++i) {
    const auto recording = vehicles[i]->recording();
    const std::string peer = i < 2 ? "/external/px4_hil" : "/external/ardupilot_json";
    EXPECT_GT(received_bytes(*recording, peer), 100'000U);
    EXPECT_TRUE(replay(recording, {}).reproduces()) << "vehicle " << i;
  }
}

}  // namespace
}  // namespace tactus
