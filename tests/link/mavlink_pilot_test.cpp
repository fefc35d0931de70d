// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_pilot.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/math.h"
#include "tests/link/mavlink_samples.h"
#include "tests/link/mavlink_vehicle_double.h"

namespace tactus {
namespace {

using testing::command_numbers;
using testing::Datagram;
using testing::Dice;
using testing::PilotBench;
using testing::some_mission;
using Commands = std::vector<int>;

constexpr auto kPx4 = PilotFlavour::kPx4;
constexpr auto kCopter = PilotFlavour::kArduCopter;

class EachPilot : public ::testing::TestWithParam<PilotFlavour> {};
INSTANTIATE_TEST_SUITE_P(Flavours, EachPilot, ::testing::Values(kPx4, kCopter),
                         [](const auto& with) { return with.param == kPx4 ? "Px4" : "Copter"; });

TEST_P(EachPilot, SendsOnlyAHeartbeatASecondBeforeItReceivesOne) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.alive = false;
  bench.want(true, FlightMode::kMission);
  bench.run(5.0);
  ASSERT_EQ(bench.vehicle.heartbeats.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bench.vehicle.heartbeats[i].first, TimeUs(i * 1'000'000));
  }
  EXPECT_EQ(bench.vehicle.heartbeats[0].second.type, 6);
  EXPECT_EQ(bench.sent.size(), 5u);
  EXPECT_TRUE(bench.pilot.idle());
  EXPECT_FALSE(bench.pilot.vehicle().has_heartbeat);
}

TEST_P(EachPilot, NothingIsCommandedBeforeSomethingIsWanted) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.armed = true;
  bench.run(5.0);
  EXPECT_TRUE(bench.vehicle.commands.empty());
  EXPECT_EQ(bench.pilot.mission_upload().state(), UploadState::kDone);
  EXPECT_EQ(bench.vehicle.telemetry_asked, 9u);
  EXPECT_TRUE(bench.pilot.prepared());
  EXPECT_TRUE(bench.pilot.idle());
}

TEST(MavlinkPilot, Px4FliesTheMission) {
  PilotBench bench(kPx4, some_mission());
  bench.want(true, FlightMode::kMission);
  bench.run(2.0);
  // Armed while it holds: in mission mode it would keep a home from before its position was known,
  // and never land.
  ASSERT_EQ(command_numbers(bench), (Commands{176, 400, 176}));
  const float sub_mode[] = {3.0F, 0.0F, 4.0F};  // hold, none, mission
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_EQ(bench.vehicle.commands[i].param1, 1.0F);
    EXPECT_EQ(bench.vehicle.commands[i].param2, 4.0F);
    EXPECT_EQ(bench.vehicle.commands[i].param3, sub_mode[i]);
    EXPECT_EQ(bench.vehicle.commands[i].target_system, 1);
  }
  EXPECT_TRUE(bench.pilot.reached());
  const AutopilotStatus status = bench.pilot.status();
  EXPECT_TRUE(status.armed);
  EXPECT_EQ(status.mode, FlightMode::kMission);
  EXPECT_EQ(status.mission_count, 5);
}

TEST(MavlinkPilot, ArduCopterArmsInGuidedAndStartsTheMission) {
  PilotBench bench(kCopter, some_mission());
  bench.want(true, FlightMode::kMission);
  bench.run(2.0);
  ASSERT_EQ(command_numbers(bench), (Commands{176, 400, 300}));
  EXPECT_EQ(bench.vehicle.commands[0].param2, 4.0F);
  EXPECT_EQ(bench.vehicle.commands[2].param1, 0.0F);
  EXPECT_EQ(bench.vehicle.custom_mode, 3u);
  EXPECT_TRUE(bench.pilot.reached());
  bench.want(true, FlightMode::kHold);
  bench.run(0.1);
  bench.want(true, FlightMode::kMission);  // already armed: not through another mode
  bench.run(0.1);
  EXPECT_EQ(command_numbers(bench), (Commands{176, 400, 300, 176, 300}));
}

TEST(MavlinkPilot, ArduCopterThatDisarmedItselfBeforeTheStartIsArmedAgain) {
  PilotBench bench(kCopter, some_mission());
  bench.vehicle.result_of = [&bench](std::uint16_t command) {
    const bool refuses = command == 300 && bench.now() < TimeUs(4'000'000);
    return static_cast<std::uint8_t>(refuses ? 1 : 0);
  };
  bench.want(true, FlightMode::kMission);
  bench.run(2.5);
  ASSERT_FALSE(bench.pilot.reached());
  bench.vehicle.armed = false;
  bench.vehicle.custom_mode = 0;
  bench.run(3.0);
  EXPECT_TRUE(bench.pilot.reached());
  EXPECT_TRUE(bench.vehicle.armed);
  EXPECT_EQ(bench.vehicle.custom_mode, 3u);
}

TEST(MavlinkPilot, ArduCopterTakesOffAndThenHolds) {
  PilotBench bench(kCopter);
  bench.want(true, FlightMode::kTakeoff);
  bench.run(2.0);
  ASSERT_EQ(command_numbers(bench), (Commands{176, 400, 22}));
  EXPECT_EQ(bench.vehicle.commands[2].param7, 5.0F);
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kTakeoff);
  mavlink::GlobalPositionInt position;
  position.relative_alt = 4900;
  bench.vehicle.send(position);
  bench.run(0.1);
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kHold);
}

TEST(MavlinkPilot, Px4TakesOffToItsOwnAltitude) {
  PilotBench bench(kPx4);
  bench.want(true, FlightMode::kTakeoff);
  bench.run(2.0);
  ASSERT_EQ(command_numbers(bench), (Commands{176, 400, 22}));
  EXPECT_TRUE(math::is_nan(bench.vehicle.commands[2].param7));
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kTakeoff);
}

TEST(MavlinkPilot, Px4StaysInHoldUntilItIsArmed) {
  PilotBench bench(kPx4, some_mission());
  bench.vehicle.custom_mode = 0x0304'0000;  // as after its start
  bench.vehicle.result_of = [&bench](std::uint16_t command) {
    const bool refuses = command == 400 && bench.now() < TimeUs(3'000'000);
    return static_cast<std::uint8_t>(refuses ? 1 : 0);
  };
  bench.want(true, FlightMode::kMission);
  bench.run(2.9);
  for (const int command : command_numbers(bench)) EXPECT_EQ(command, 400);
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kHold);
  bench.run(1.0);
  EXPECT_EQ(command_numbers(bench).back(), 176);
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kMission);
}

TEST(MavlinkPilot, Px4InFlightGoesToTheMissionAtOnce) {
  PilotBench bench(kPx4, some_mission());
  bench.vehicle.armed = true;
  bench.vehicle.custom_mode = 0x0504'0000;  // returns
  bench.run(2.0);
  bench.want(true, FlightMode::kMission);
  bench.run(1.0);
  ASSERT_EQ(command_numbers(bench), Commands{176});
  EXPECT_EQ(bench.vehicle.commands[0].param3, 4.0F);
}

TEST_P(EachPilot, TakeoffInTheAirIsHold) {
  PilotBench bench(GetParam());
  bench.vehicle.armed = true;
  bench.vehicle.landed = LandedState::kInAir;
  bench.run(1.0);
  bench.want(true, FlightMode::kTakeoff);
  bench.run(2.0);
  EXPECT_EQ(command_numbers(bench), Commands{176});
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kHold);
}

TEST_P(EachPilot, WhatWasReachedIsNotAskedAgain) {
  PilotBench bench(GetParam());
  bench.want(true, FlightMode::kHold);
  bench.run(2.0);
  const Commands before = command_numbers(bench);
  bench.vehicle.armed = false;  // it landed for its own reasons
  bench.vehicle.custom_mode = 9;
  bench.run(5.0);
  EXPECT_EQ(command_numbers(bench), before);
  EXPECT_FALSE(bench.pilot.status().armed);
  bench.want(true, FlightMode::kHold);
  bench.run(2.0);
  EXPECT_EQ(command_numbers(bench).size(), 2 * before.size());
}

TEST_P(EachPilot, LandAndReturnDoNotArmAndAnUnarmedWishOnlyDisarms) {
  PilotBench bench(GetParam());
  bench.want(true, FlightMode::kLand);
  bench.run(2.0);
  bench.want(true, FlightMode::kReturn);
  bench.run(2.0);
  EXPECT_EQ(command_numbers(bench), (Commands{176, 176}));
  bench.vehicle.armed = true;
  bench.run(1.0);
  bench.want(false, FlightMode::kReturn);
  bench.run(1.0);
  EXPECT_EQ(command_numbers(bench), (Commands{176, 176, 400}));
  EXPECT_EQ(bench.vehicle.commands[2].param1, 0.0F);
  EXPECT_FALSE(bench.vehicle.armed);
}

TEST_P(EachPilot, ARefusedWishIsRepeatedEveryHalfSecond) {
  PilotBench bench(GetParam());
  bench.vehicle.result_of = [&bench](std::uint16_t command) {
    const bool refuses = command == 400 && bench.now() < TimeUs(4'000'000);
    return static_cast<std::uint8_t>(refuses ? 1 : 0);
  };
  bench.want(true, FlightMode::kHold);
  bench.run(3.0);
  EXPECT_EQ(bench.pilot.refusal(), "arm or disarm: refused for now");
  EXPECT_FALSE(bench.pilot.reached());
  EXPECT_TRUE(bench.pilot.idle()) << "it was answered";
  bench.run(3.0);
  EXPECT_TRUE(bench.pilot.reached());
  EXPECT_TRUE(bench.pilot.refusal().empty());
  const std::vector<TimeUs>& times = bench.vehicle.command_times;
  ASSERT_GE(times.size(), 8u);
  for (std::size_t i = 2; i < times.size(); ++i) {
    EXPECT_EQ(times[i] - times[i - 1], DurationUs(500'000));
  }
}

TEST_P(EachPilot, IsNotIdleUntilTheAnswerCame) {
  PilotBench bench(GetParam());
  bench.run(2.0);
  EXPECT_TRUE(bench.pilot.idle());
  bench.want(true, FlightMode::kHold);
  bench.loses = [] { return true; };
  bench.run(0.004);
  EXPECT_FALSE(bench.pilot.idle());
  bench.run(0.1);
  EXPECT_FALSE(bench.pilot.idle());
  bench.loses = nullptr;
  bench.run(1.0);
  EXPECT_TRUE(bench.pilot.idle());
  EXPECT_TRUE(bench.pilot.reached());
}

TEST_P(EachPilot, SameInputsSameBytes) {
  const auto fly = [] {
    PilotBench bench(GetParam(), some_mission());
    Dice dice(4);
    bench.loses = [&dice] { return dice.below(5) == 0; };
    bench.want(true, FlightMode::kMission);
    bench.run(10.0);
    bench.want(true, FlightMode::kLand);
    bench.run(5.0);
    return bench.sent;
  };
  const std::vector<Datagram> first = fly();
  EXPECT_GT(first.size(), 30u);
  EXPECT_EQ(first, fly());
}

TEST(MavlinkPilot, AnAnswerToAnEarlierCommandDoesNotCount) {
  PilotBench bench(kPx4);
  bench.run(2.0);
  const HighLevelCommand hold{true, FlightMode::kHold, 1}, land{true, FlightMode::kLand, 2};
  const TimeUs now = bench.now();
  bench.pilot.want(hold, now);  // its answer is late
  bench.pilot.want(land, now + DurationUs(4000));
  mavlink::CommandAck answer;
  answer.command = 176;
  mavlink::Sender vehicle{.system = 1, .component = 1};
  bench.pilot.receive(mavlink::encode(answer, vehicle).bytes(), now + DurationUs(8000));
  EXPECT_FALSE(bench.pilot.reached());
  EXPECT_NE(bench.pilot.status().mode, FlightMode::kLand);
  bench.pilot.receive(mavlink::encode(answer, vehicle).bytes(), now + DurationUs(12'000));
  bench.pilot.want(land, now + DurationUs(16'000));
  EXPECT_TRUE(bench.pilot.reached());
  EXPECT_EQ(bench.pilot.status().mode, FlightMode::kLand);
}

TEST(MavlinkPilot, OthersAreNotTheVehicle) {
  PilotBench bench(kPx4);
  bench.vehicle_beats = false;
  mavlink::Heartbeat beat;
  beat.base_mode = 128;
  for (const auto& [system, component] :
       {std::pair{2, 1}, std::pair{1, 154}, std::pair{255, 190}}) {
    mavlink::Sender other{static_cast<std::uint8_t>(system), static_cast<std::uint8_t>(component)};
    bench.pilot.receive(mavlink::encode(beat, other).bytes(), TimeUs(0));
  }
  EXPECT_FALSE(bench.pilot.vehicle().has_heartbeat);
  bench.vehicle.beat();
  bench.run(1.0);
  bench.loses = [] { return true; };
  bench.want(true, FlightMode::kHold);
  bench.run(0.1);
  mavlink::CommandAck answer;
  answer.command = 176;
  answer.target_system = 254;  // another ground station's
  mavlink::Sender vehicle{.system = 1, .component = 1};
  bench.pilot.receive(mavlink::encode(answer, vehicle).bytes(), bench.now());
  EXPECT_FALSE(bench.pilot.idle());
}

/// Its HEARTBEAT says that there is one, its texts why.
TEST_P(EachPilot, AFailsafeHasTheReasonOfTheTexts) {
  PilotBench bench(GetParam(), some_mission());
  const bool px4 = GetParam() == kPx4;
  const auto say = [&](const char* text) {
    mavlink::Statustext message;
    mavlink::set_text(message.text, text);
    bench.vehicle.send(message);
  };
  bench.vehicle.armed = true;
  bench.vehicle.system_status = 4;
  bench.run(2.0);
  say(px4 ? "Low battery\t" : "Battery 1 is low 10.40V used 4000 mAh");
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kNone);  // it only warns
  bench.vehicle.system_status = 5;
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kBatteryLow);
  say(px4 ? "Critical battery\t" : "Battery 1 is critical 10.10V used 4500 mAh");
  say(px4 ? "Failsafe activated\t" : "Battery Failsafe");
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kBatteryCritical);
  bench.vehicle.system_status = 4;
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kNone);
  bench.vehicle.armed = false;
  bench.vehicle.system_status = 5;
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kNone);
  bench.vehicle.armed = true;  // a new flight, for a reason without a name
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kNone);
  say(px4 ? "GNSS data fusion stopped\t" : "EKF Failsafe: changed to Land Mode");
  bench.run(2.0);
  EXPECT_EQ(bench.pilot.status().failsafe, Failsafe::kEstimatorLost);
}

TEST(MavlinkPilot, AVehicleThatRestartsGetsEverythingAgain) {
  PilotBench bench(kPx4, some_mission());
  bench.want(true, FlightMode::kMission);
  bench.run(3.0);
  const Commands once = command_numbers(bench);
  bench.vehicle.armed = false;
  bench.vehicle.custom_mode = 0;
  bench.pilot.restart();
  EXPECT_FALSE(bench.pilot.vehicle().has_heartbeat);
  EXPECT_FALSE(bench.pilot.status().armed);
  bench.run(3.0);
  EXPECT_EQ(bench.vehicle.counts_received, 2u);
  EXPECT_EQ(command_numbers(bench).size(), 2 * once.size());
  EXPECT_TRUE(bench.pilot.reached());
}

}  // namespace
}  // namespace tactus
