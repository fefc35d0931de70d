// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Missions between a ground station and the built-in autopilot.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/link/mavlink/mavlink_pilot.h"
#include "tests/support/ground_station_bench.h"

namespace tactus {
namespace {

using testing::mission_item;
using testing::short_mission;
using testing::StationBench;
using namespace testing::station;  // NOLINT(google-build-using-namespace): numbers

TEST(GroundStationMission, FliesAMissionThatWasUploaded) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload(short_mission()), 0);
  EXPECT_EQ(bench.command(kStart), kAccepted) << "arms, too";
  EXPECT_EQ(bench.mode(), FlightMode::kMission);
  double farthest = 0.0;
  EXPECT_TRUE(bench.until(
      [&] {
        farthest = std::max(farthest, bench.bus().truth.position_W_m.x);
        return !bench.armed();
      },
      120.0));
  EXPECT_TRUE(bench.bus().autopilot.mission_finished);
  EXPECT_NEAR(farthest, 12.0, 1.0);
  EXPECT_LT(bench.height_m(), 0.2);
  EXPECT_EQ(bench.station.last<mavlink::MissionItemReached>().seq, 3);
  bench.run(1.1);
  EXPECT_EQ(bench.station.last<mavlink::MissionCurrent>().mission_state, 5);
}

TEST(GroundStationMission, ADownloadIsWhatWasUploaded) {
  StationBench bench;
  bench.run(1.0);
  const std::vector<mavlink::MissionItemInt> items = short_mission();
  ASSERT_EQ(bench.upload(items), 0);
  mavlink::MissionRequestList list;
  list.target_system = list.target_component = 1;
  bench.station.send(list);
  bench.run(0.01);
  ASSERT_EQ(bench.station.last<mavlink::MissionCount>().count, items.size());
  for (const mavlink::MissionItemInt& item : items) {
    mavlink::MissionRequestInt request;
    request.target_system = request.target_component = 1;
    request.seq = item.seq;
    bench.station.send(request);
    bench.run(0.01);
    mavlink::MissionItemInt expected = item;
    expected.target_system = 255;
    expected.target_component = 190;
    mavlink::Sender sender;
    const auto a = mavlink::encode(expected, sender);
    mavlink::Sender again;
    const auto b = mavlink::encode(bench.station.last<mavlink::MissionItemInt>(), again);
    EXPECT_EQ(a.data, b.data) << "item " << item.seq;
  }
  list.mission_type = 1;
  bench.station.send(list);
  bench.run(0.01);
  EXPECT_EQ(bench.station.last<mavlink::MissionCount>().count, 0) << "no fence";
  mavlink::MissionClearAll clear;
  clear.target_system = clear.target_component = 1;
  bench.station.send(clear);
  bench.run(0.01);
  EXPECT_EQ(bench.bus().autopilot.mission_count, 0);
}

TEST(GroundStationMission, AMissionOfTheSpecCanBeDownloaded) {
  StationBench bench(std::string(testing::kStandingIris) +
                     "[autopilot]\nmission = \"../missions/square.waypoints\"\n");
  bench.run(0.1);
  mavlink::MissionRequestList list;
  list.target_system = list.target_component = 1;
  bench.station.send(list);
  bench.run(0.01);
  EXPECT_EQ(bench.station.last<mavlink::MissionCount>().count,
            bench.loaded.spec.mission.items.size());
}

TEST(GroundStationMission, WrongMissionsAreRefusedAndTheOldOneStays) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload(short_mission()), 0);
  auto unknown = short_mission();
  unknown[1].command = 2000;
  EXPECT_EQ(bench.upload(unknown), 5);
  EXPECT_TRUE(bench.station.said("mission refused: upload:2: command 2000 is not supported"))
      << bench.station.texts;
  auto far = short_mission();
  far[1].x = 0;
  EXPECT_EQ(bench.upload(far), 5);
  mavlink::MissionCount many;
  many.target_system = many.target_component = 1;
  many.count = 60'000;
  bench.station.send(many);
  bench.run(0.01);
  EXPECT_EQ(bench.station.last<mavlink::MissionAck>().type, 4) << "no space";
  EXPECT_EQ(bench.bus().autopilot.mission_count, 4);
}

TEST(GroundStationMission, ItemsWithNumbersThatAreNoneAreRefused) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload(short_mission()), 0);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<mavlink::MissionItemInt> wrong;
  for (const auto& [x, y] :
       {std::pair{kLeast, 85455940}, {473977420, kLeast}, {kMost, 85455940}, {473977420, kMost}}) {
    wrong.push_back(short_mission()[1]);
    wrong.back().x = x;
    wrong.back().y = y;
  }
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -1e30F}) {
    wrong.push_back(short_mission()[1]);
    wrong.back().z = bad;
    if (math::is_nan(bad)) continue;  // "not given", for these
    for (float mavlink::MissionItemInt::*const param :
         {&mavlink::MissionItemInt::param1, &mavlink::MissionItemInt::param2,
          &mavlink::MissionItemInt::param3, &mavlink::MissionItemInt::param4}) {
      wrong.push_back(short_mission()[1]);
      wrong.back().*param = bad;
    }
  }
  for (const int command : {18, 19, 93, 112}) {  // loiter turns, time, delays
    wrong.push_back(short_mission()[1]);
    wrong.back().command = static_cast<std::uint16_t>(command);
    wrong.back().param1 = kNan;
  }
  for (const mavlink::MissionItemInt& item : wrong) {
    auto mission = short_mission();
    mission[1] = item;
    bench.station.texts.clear();
    EXPECT_EQ(bench.upload(mission), 5)
        << item.x << " " << item.y << " " << item.z << " " << item.param1 << " " << item.param4;
    EXPECT_TRUE(bench.station.said("mission refused: upload:2: ")) << bench.station.texts;
  }
  EXPECT_EQ(bench.bus().autopilot.mission_count, 4) << "the old one stays";
}

TEST(GroundStationMission, AnUploadThatGoesQuietIsAskedForAndGivenUp) {
  StationBench bench;
  bench.run(1.0);
  mavlink::MissionCount count;
  count.target_system = count.target_component = 1;
  count.count = 3;
  bench.station.send(count);
  bench.run(2.1);
  EXPECT_EQ(bench.station.count<mavlink::MissionRequestInt>(), 5) << "at once, then twice a second";
  bench.station.sender.component = 191;
  bench.station.send(count);
  bench.run(0.1);
  EXPECT_EQ(bench.station.last<mavlink::MissionAck>().type, 14) << "the turn of another";
  bench.run(8.0);
  EXPECT_EQ(bench.station.last<mavlink::MissionAck>().type, 15) << "cancelled";
  ASSERT_EQ(bench.upload(short_mission()), 0);
}

// A second one with the same ids, as QGroundControl and others have by default.
TEST(GroundStationMission, AnotherStationIsIgnoredUntilTheUploadEnds) {
  StationBench bench;
  bench.run(0.5);
  mavlink::MissionCount count;
  count.target_system = 1;
  count.count = 2;
  bench.station.send(count);
  bench.run(0.1);
  ASSERT_EQ(bench.station.count<mavlink::MissionRequestInt>(), 1);

  UdpSocket other(0, "a test");
  mavlink::Sender sender{255, 190};
  const auto send = [&](const auto& message) {
    other.send_to(bench.station.vehicle(), mavlink::encode(message, sender).bytes());
  };
  const auto received = [&] {
    int datagrams = 0;
    std::vector<std::byte> datagram;
    while (other.receive(datagram, Deadline::now()) == ReceiveResult::kData) ++datagrams;
    return datagrams;
  };
  count.count = 7;
  send(mavlink::Heartbeat{.type = 6});
  send(count);
  send(mavlink::MissionClearAll{.target_system = 1});
  bench.run(1.0);
  EXPECT_EQ(received(), 0);
  EXPECT_GE(bench.station.count<mavlink::MissionRequestInt>(), 2) << "it is asked again";
  bench.run(12.0);
  EXPECT_EQ(bench.station.last<mavlink::MissionAck>().type, 15) << "the upload is given up";
  send(mavlink::Heartbeat{.type = 6});
  bench.run(1.0);
  EXPECT_GT(received(), 10);
}

TEST(GroundStationMission, AMissionThatIsReplacedInFlightIsLeftForAHold) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload(short_mission()), 0);
  ASSERT_EQ(bench.command(kStart), kAccepted);
  ASSERT_TRUE(bench.until([&] { return bench.bus().autopilot.mission_item == 1; }, 60.0));
  const std::vector<mavlink::MissionItemInt> other = {mission_item(0, 16, -5.0, 0.0, 8.0),
                                                      mission_item(1, 16, -9.0, 0.0, 8.0)};
  ASSERT_EQ(bench.upload(other), 0) << "no takeoff is needed in the air";
  bench.run(0.01);
  EXPECT_EQ(bench.mode(), FlightMode::kHold);
  EXPECT_EQ(bench.bus().autopilot.mission_count, 2);
  ASSERT_EQ(bench.command(kSetItem, {1}), kAccepted);
  ASSERT_EQ(set_mode(bench, 4), kAccepted);
  EXPECT_EQ(bench.bus().autopilot.mission_item, 1);
  ASSERT_EQ(bench.command(kSetItem, {0}), kAccepted);
  EXPECT_EQ(bench.bus().autopilot.mission_item, 0);
  ASSERT_TRUE(bench.until([&] { return bench.bus().autopilot.mission_finished; }, 60.0));
  EXPECT_NEAR(bench.bus().truth.position_W_m.x, -9.0, 1.1);
  EXPECT_NEAR(bench.height_m(), 8.1, 0.3);
}

TEST(GroundStationMission, AMissionWithoutTakeoffIsNotStartedOnTheGround) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload({mission_item(0, 16, -5.0, 0.0, 8.0)}), 0);
  EXPECT_EQ(bench.command(kStart), kRejectedNow);
  EXPECT_TRUE(bench.station.said("mode mission refused: no takeoff")) << bench.station.texts;
}

/// The ground station that flies PX4 SITL flies this as well.
TEST(GroundStationMission, OurOwnPilotFliesIt) {
  StationBench bench;
  auto mission = std::make_shared<Mission>(mission_from(short_mission()));
  PilotParameters parameters;
  parameters.home = {47.397742, 8.545594, 488.0};
  MavlinkPilot pilot(parameters, mission);
  UdpSocket socket(0, "a test");
  const HighLevelCommand wanted{true, FlightMode::kMission, 1};
  std::vector<std::byte> datagram;
  bench.run(0.1);
  const UdpPeer vehicle = bench.station.vehicle();
  const bool finished = bench.until(
      [&] {
        const TimeUs now = bench.flight.run.now();
        while (socket.receive(datagram, Deadline::now()) == ReceiveResult::kData) {
          pilot.receive(datagram, now);
        }
        pilot.want(wanted, now);
        for (auto out = pilot.take_outgoing(); !out.empty(); out = pilot.take_outgoing()) {
          socket.send_to(vehicle, out);
        }
        return bench.bus().autopilot.mission_finished && !bench.armed();
      },
      120.0);
  EXPECT_TRUE(finished) << pilot.refusal() << " " << pilot.mission_upload().refusal();
  EXPECT_EQ(pilot.mission_upload().state(), UploadState::kDone);
  EXPECT_TRUE(pilot.vehicle().has_heartbeat);
  EXPECT_GE(pilot.vehicle().item_reached, 2);
}

}  // namespace
}  // namespace tactus
