// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What goes over the link around the flight: mission, parameters, battery, telemetry.

#include "tactus/link/mavlink/mavlink_transfer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tactus/core/math.h"
#include "tests/link/mavlink_samples.h"
#include "tests/link/mavlink_vehicle_double.h"

namespace tactus {
namespace {

using testing::Dice;
using testing::PilotBench;
using testing::some_mission;

constexpr auto kPx4 = PilotFlavour::kPx4;
constexpr auto kCopter = PilotFlavour::kArduCopter;

class EachTransfer : public ::testing::TestWithParam<PilotFlavour> {};
INSTANTIATE_TEST_SUITE_P(Flavours, EachTransfer, ::testing::Values(kPx4, kCopter),
                         [](const auto& with) { return with.param == kPx4 ? "Px4" : "Copter"; });

TEST(MavlinkTransfer, Px4GetsTheItemsAsTheyAre) {
  PilotBench bench(kPx4, some_mission());
  bench.run(2.0);
  const std::vector<mavlink::MissionItemInt>& items = bench.vehicle.mission;
  ASSERT_EQ(items.size(), 5u);
  EXPECT_EQ(items[0].command, 22);
  EXPECT_EQ(items[0].frame, 3);
  EXPECT_EQ(items[0].x, 475'000'000) << "PX4 knows no item \"here\": home";
  EXPECT_TRUE(math::is_nan(items[0].param4));
  EXPECT_EQ(items[1].x, 475'001'000);
  EXPECT_EQ(items[1].y, 85'002'000);
  EXPECT_EQ(items[1].z, 12.0F);
  EXPECT_EQ(items[1].param1, 2.0F);
  EXPECT_EQ(items[2].frame, 2);
  EXPECT_EQ(items[3].param1, 1.0F) << "jumps to its second item";
  EXPECT_EQ(items[4].frame, 0);
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].seq, i);
}

TEST(MavlinkTransfer, ArduCopterCountsFromHome) {
  PilotBench bench(kCopter, some_mission());
  bench.run(2.0);
  const std::vector<mavlink::MissionItemInt>& items = bench.vehicle.mission;
  ASSERT_EQ(items.size(), 6u);
  EXPECT_EQ(items[0].command, 16);
  EXPECT_EQ(items[0].frame, 0);
  EXPECT_EQ(items[0].x, 475'000'000);
  EXPECT_EQ(items[0].z, 488.0F);
  EXPECT_EQ(items[1].x, 0) << "here";
  EXPECT_EQ(items[1].param4, 0.0F) << "it refuses NaN";
  EXPECT_EQ(items[4].param1, 2.0F) << "the jump counts from home too";
  mavlink::MissionCurrent current;
  current.seq = 2;
  bench.vehicle.send(current);
  mavlink::MissionItemReached item;
  for (const int seq : {0, 1, 1, 2}) {  // home does not count, and told twice is once
    item.seq = static_cast<std::uint16_t>(seq);
    bench.vehicle.send(item);
  }
  bench.vehicle.custom_mode = 3;
  bench.vehicle.beat();
  bench.run(0.1);
  const AutopilotStatus status = bench.pilot.status();
  EXPECT_EQ(status.mode, FlightMode::kMission);
  EXPECT_EQ(status.mission_item, 1);
  EXPECT_EQ(status.items_reached, 2);
  EXPECT_FALSE(status.mission_finished);
}

// ArduCopter stops its motors on the ground, goes back to its first item and never says "complete".
TEST_P(EachTransfer, AMissionThatEndsWithALandingIsFinishedWhenTheMotorsStop) {
  PilotBench bench(GetParam(), some_mission());
  bench.want(true, FlightMode::kMission);
  bench.run(2.0);
  mavlink::MissionCurrent current;
  const int home = GetParam() == kCopter ? 1 : 0;
  for (const int item : {0, 1, 4}) {
    current.seq = static_cast<std::uint16_t>(item + home);
    bench.vehicle.send(current);
    bench.run(1.0);
  }
  EXPECT_EQ(bench.pilot.status().mission_item, 4);
  EXPECT_FALSE(bench.pilot.status().mission_finished);
  current.seq = static_cast<std::uint16_t>(home);
  bench.vehicle.armed = false;
  bench.vehicle.send(current);
  bench.vehicle.beat();
  bench.vehicle.send(current);
  bench.run(1.0);
  EXPECT_TRUE(bench.pilot.status().mission_finished);
  EXPECT_EQ(bench.pilot.status().items_reached, 1);
  bench.want(true, FlightMode::kMission);  // and the next flight begins anew
  bench.run(1.0);
  EXPECT_FALSE(bench.pilot.status().mission_finished);
}

// PX4 tells of item −1 when a mission is new. This one has five items.
TEST(MavlinkTransfer, ItemsThatTheMissionDoesNotHaveAreNoneThatWereReached) {
  PilotBench bench(kPx4, some_mission());
  bench.want(true, FlightMode::kMission);
  bench.run(2.0);
  mavlink::MissionItemReached item;
  for (const int seq : {65535, 0, 65535, 5, 60000, 0}) {
    item.seq = static_cast<std::uint16_t>(seq);
    bench.vehicle.send(item);
  }
  bench.run(0.1);
  EXPECT_EQ(bench.pilot.status().items_reached, 1);
}

TEST(MavlinkTransfer, CompleteCountsOnlyInTheMission) {
  PilotBench bench(kPx4, some_mission());
  bench.want(true, FlightMode::kTakeoff);
  bench.run(2.0);
  mavlink::MissionCurrent current;
  current.mission_state = 5;
  bench.vehicle.send(current);
  bench.run(1.0);
  EXPECT_FALSE(bench.pilot.status().mission_finished) << "PX4 says so of a takeoff too";
  bench.want(true, FlightMode::kMission);
  bench.run(1.0);
  bench.vehicle.send(current);
  bench.run(1.0);
  EXPECT_TRUE(bench.pilot.status().mission_finished);
}

TEST_P(EachTransfer, AThirdOfAllDatagramsMayBeLost) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.parameters = {{"A", 0.0F}, {"B", 0.0F}};
  bench.pilot.set_parameters({{"A", 3.0, true, ""}, {"B", 0.1, false, ""}});
  Dice dice(3);
  bench.loses = [&dice] { return dice.below(3) == 0; };
  bench.want(true, FlightMode::kMission);
  bench.run(60.0);
  EXPECT_TRUE(bench.pilot.reached());
  EXPECT_TRUE(bench.vehicle.armed);
  EXPECT_EQ(bench.pilot.mission_upload().state(), UploadState::kDone);
  EXPECT_TRUE(bench.pilot.parameter_upload().refused().empty());
  EXPECT_EQ(bench.vehicle.mission.size(), GetParam() == kPx4 ? 5u : 6u);
}

TEST_P(EachTransfer, NoMissionAndARefusedMissionAreNotFlown) {
  PilotBench without(GetParam());
  without.want(true, FlightMode::kMission);
  without.run(5.0);
  EXPECT_TRUE(without.vehicle.commands.empty());
  EXPECT_EQ(without.pilot.status().refusal, ArmingRefusal::kNoMission);

  PilotBench refused(GetParam(), some_mission());
  refused.vehicle.mission_result = 5;
  refused.want(true, FlightMode::kMission);
  refused.run(10.0);
  EXPECT_EQ(refused.vehicle.counts_received, 3u);
  EXPECT_TRUE(refused.vehicle.commands.empty());
  EXPECT_EQ(refused.pilot.mission_upload().state(), UploadState::kRefused);
  EXPECT_NE(refused.pilot.mission_upload().refusal().find("MAV_MISSION_RESULT 5"),
            std::string::npos);
  EXPECT_EQ(refused.pilot.status().refusal, ArmingRefusal::kNoMission);
  EXPECT_EQ(refused.pilot.status().mission_count, 0);
}

// ArduCopter answers so in the first second of its boot.
TEST_P(EachTransfer, AVehicleThatHasNoSpaceYetIsAskedAgain) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.missions_refused = 10;
  bench.run(10.0);
  EXPECT_EQ(bench.vehicle.counts_received, 11u);
  EXPECT_EQ(bench.pilot.mission_upload().state(), UploadState::kDone);
}

TEST_P(EachTransfer, AVehicleThatNeverHasSpaceIsNamed) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.missions_refused = 1000;
  bench.run(60.0);
  EXPECT_EQ(bench.pilot.mission_upload().state(), UploadState::kRefused);
  EXPECT_NE(bench.pilot.mission_upload().refusal().find("before it asked"), std::string::npos);
}

TEST_P(EachTransfer, AVehicleThatNeverAnswersTheUploadIsNamed) {
  PilotBench bench(GetParam(), some_mission());
  bench.run(0.2);
  bench.vehicle.beat();
  bench.run(0.008);
  bench.vehicle.alive = false;
  bench.loses = [] { return true; };
  bench.run(60.0);
  EXPECT_EQ(bench.pilot.mission_upload().state(), UploadState::kRefused);
  EXPECT_NE(bench.pilot.mission_upload().refusal().find("not answer"), std::string::npos);
}

TEST_P(EachTransfer, AVehicleThatAsksForOneItemWithoutEndIsNamed) {
  PilotBench bench(GetParam(), some_mission());
  bench.vehicle.wants_first_item_only = true;
  bench.run(10.0);
  EXPECT_EQ(bench.pilot.mission_upload().refusal(),
            "the vehicle asks for item 0 of the mission again and again (50 times)");
  EXPECT_EQ(bench.vehicle.items_received, 50U);
}

TEST_P(EachTransfer, ParametersThatAreNotConfirmedAreNamedEarly) {
  PilotBench bench(GetParam());
  std::vector<EmittedParameter> parameters;
  parameters.reserve(40);
  for (int i = 0; i < 40; ++i) parameters.push_back({"P" + std::to_string(i), 1.0, false, ""});
  bench.pilot.set_parameters(parameters);
  bench.run(3.0);
  EXPECT_EQ(bench.pilot.parameter_upload().unconfirmed(), "P0, P1, P2, P3, P4, P5, P6, P7");
  // It has answered nothing: the rest is not waited for.
  bench.run(4.0);
  EXPECT_TRUE(bench.pilot.parameter_upload().done());
  EXPECT_EQ(bench.pilot.parameter_upload().refused().size(), 40U);
}

TEST(MavlinkTransfer, ATextIsOneLine) {
  PilotBench bench(kPx4);
  mavlink::Statustext text;
  mavlink::set_text(text.text, "armed\nverdict passed\x1b[2J");
  bench.vehicle.send(text);
  bench.run(0.1);
  std::vector<VehicleText> texts;
  bench.pilot.take_texts(texts);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].text, "armed\\x0averdict passed\\x1b[2J");
}

TEST(MavlinkTransfer, IntegersTravelAsBitsToPx4AndAsValuesToArduPilot) {
  const std::vector<EmittedParameter> wanted = {{"COUNT", -7.0, true, ""},
                                                {"GAIN", 0.1, false, ""}};
  PilotBench px4(kPx4), copter(kCopter);
  for (PilotBench* bench : {&px4, &copter}) {
    bench->vehicle.parameters = {{"COUNT", 0.0F}, {"GAIN", 0.0F}};
    bench->pilot.set_parameters(wanted);
    bench->want(true, FlightMode::kHold);
    bench->run(2.0);
    EXPECT_TRUE(bench->pilot.parameter_upload().done());
    EXPECT_TRUE(bench->pilot.parameter_upload().refused().empty());
    EXPECT_EQ(bench->vehicle.settings.size(), 2u);
    EXPECT_EQ(bench->vehicle.parameters.at("GAIN"), 0.1F);
  }
  std::int32_t bits = 0;
  std::memcpy(&bits, &px4.vehicle.parameters.at("COUNT"), sizeof bits);
  EXPECT_EQ(bits, -7);
  EXPECT_EQ(px4.vehicle.settings[0].param_type, 6);
  EXPECT_EQ(copter.vehicle.parameters.at("COUNT"), -7.0F);
}

TEST(MavlinkTransfer, ArdupilotMayKeepAValueThatIsNearlyTheSame) {
  // As seen: one that it read from a file with seven digits stays.
  const auto refused = [](PilotFlavour flavour, float answered) {
    ParameterUpload upload(flavour, {{"MOT_THST_EXPO", 0.35735915953403136, false, ""}});
    Outbox outbox({255, 190});
    upload.act({1, 1}, TimeUs(0), DurationUs(500'000), outbox);
    mavlink::ParamValue answer;
    mavlink::set_text(answer.param_id, "MOT_THST_EXPO");
    answer.param_value = answered;
    answer.param_type = 9;
    upload.take(answer);
    return !upload.done();
  };
  EXPECT_FALSE(refused(kCopter, 0.3573592007160187F));
  EXPECT_TRUE(refused(kCopter, 0.35737F));
  EXPECT_TRUE(refused(kPx4, 0.3573592007160187F));
  EXPECT_FALSE(refused(kPx4, 0.35735915953403136F));
}

// "3" looks whole, but the parameter is real: one PX4 says so, another is silent.
TEST(MavlinkTransfer, AWholeNumberReachesARealParameterOfPx4) {
  for (const bool silent : {false, true}) {
    ParameterUpload upload(kPx4, {{"GAIN", 3.0, true, ""}});
    Outbox outbox({255, 190});
    mavlink::Parser parser;
    float value = 0.5F;
    for (std::uint64_t tick = 0; tick < 1000; ++tick) {
      upload.act({1, 1}, TimeUs(tick * 4000), DurationUs(500'000), outbox);
      for (auto bytes = outbox.take(); !bytes.empty(); bytes = outbox.take()) {
        parser.feed_datagram(bytes, [&](const mavlink::Frame& frame) {
          mavlink::ParamSet setting;
          ASSERT_TRUE(mavlink::decode(frame, setting));
          if (setting.param_type == 9) value = setting.param_value;
          if (setting.param_type != 9 && silent) return;
          mavlink::ParamValue answer;
          mavlink::set_text(answer.param_id, "GAIN");
          answer.param_value = value;
          answer.param_type = 9;
          upload.take(answer);
        });
      }
    }
    EXPECT_EQ(value, 3.0F) << silent;
    EXPECT_TRUE(upload.done()) << silent;
    EXPECT_EQ(upload.refusal(), "") << silent;
  }
}

TEST_P(EachTransfer, OfManyParametersThatAreNotTakenTheFirstAreNamed) {
  PilotBench bench(GetParam());
  std::vector<EmittedParameter> many;
  many.reserve(60);
  for (int i = 0; i < 60; ++i) many.push_back({"P" + std::to_string(i), 1.0, false, ""});
  bench.pilot.set_parameters(many);
  bench.run(10.0);
  const std::string refusal = bench.pilot.parameter_upload().refusal();
  EXPECT_NE(refusal.find("P7 = 1 (no answer) and 52 more"), std::string::npos) << refusal;
}

TEST_P(EachTransfer, AParameterThatIsNotTakenIsNamedAndDoesNotStopTheFlight) {
  PilotBench bench(GetParam());
  bench.vehicle.parameters = {{"GOOD", 0.0F}};
  bench.pilot.set_parameters({{"WRONG", 2.0, false, ""}, {"GOOD", 1.0, false, ""}});
  bench.want(true, FlightMode::kHold);
  bench.run(4.0);
  EXPECT_TRUE(bench.vehicle.commands.empty()) << "first the parameters";
  EXPECT_FALSE(bench.pilot.idle());
  bench.run(4.0);
  EXPECT_EQ(bench.pilot.parameter_upload().refused(),
            std::vector<std::string>{"WRONG = 2 (no answer)"});
  EXPECT_EQ(bench.pilot.parameter_upload().refusal(),
            "the vehicle did not take WRONG = 2 (no answer)");
  EXPECT_TRUE(bench.pilot.reached());
}

TEST_P(EachTransfer, AParameterThatIsLookedForIsNotSet) {
  PilotBench bench(GetParam());
  bench.vehicle.parameters = {{"GOOD", 3.0F}};
  bench.pilot.look_for_parameters({"GOOD", "MPC_XY_CRUSE"});
  bench.want(true, FlightMode::kHold);
  bench.run(4.0);
  EXPECT_TRUE(bench.vehicle.commands.empty()) << "first the parameters";
  bench.run(4.0);
  EXPECT_TRUE(bench.vehicle.settings.empty());
  EXPECT_EQ(bench.pilot.upload_refusal(),
            "the vehicle did not take MPC_XY_CRUSE (no such parameter)");
  PilotBench known(GetParam());
  known.vehicle.parameters = {{"GOOD", 3.0F}};
  known.pilot.look_for_parameters({"GOOD"});
  known.want(true, FlightMode::kHold);
  known.run(2.0);
  EXPECT_EQ(known.pilot.upload_refusal(), "");
  EXPECT_TRUE(known.pilot.reached());
}

TEST_P(EachTransfer, AParameterChangesInFlight) {
  PilotBench bench(GetParam());
  bench.vehicle.parameters = {{"GAIN", 0.0F}, {"SPEED", 0.0F}};
  bench.pilot.set_parameters({{"GAIN", 0.5, false, ""}});
  bench.want(true, FlightMode::kHold);
  bench.run(2.0);
  ASSERT_TRUE(bench.pilot.reached());
  bench.pilot.change_parameter({"SPEED", 2.5, false, ""});
  bench.pilot.change_parameter({"SPEED", 3.5, false, ""});  // before the first was sent
  bench.pilot.change_parameter({"GAIN", 0.25, false, ""});
  bench.run(0.1);
  EXPECT_EQ(bench.vehicle.parameters.at("SPEED"), 3.5F);
  EXPECT_EQ(bench.vehicle.parameters.at("GAIN"), 0.25F);
  EXPECT_EQ(bench.vehicle.settings.size(), 3u);
  EXPECT_TRUE(bench.pilot.idle());

  bench.pilot.restart();  // a vehicle that forgot gets what it had
  bench.vehicle.parameters = {{"GAIN", 0.0F}, {"SPEED", 0.0F}};
  bench.run(2.0);
  EXPECT_EQ(bench.vehicle.parameters.at("SPEED"), 3.5F);
  EXPECT_EQ(bench.vehicle.parameters.at("GAIN"), 0.25F);

  bench.pilot.change_parameter({"NO_SUCH", 1.0, true, ""});
  bench.want(true, FlightMode::kLand);
  bench.run(6.0);
  EXPECT_EQ(bench.pilot.parameter_upload().refusal(),
            "the vehicle did not take NO_SUCH = 1 (no answer)");
}

TEST(MavlinkTransfer, BatteryComesFromTheVehiclesOtherComponent) {
  PilotBench bench(kPx4);
  bench.run(1.0);
  BatteryStatus packs[3];
  packs[0].voltage_v = 11.1;
  packs[0].current_a = 12.34;
  packs[0].remaining = 0.147;
  packs[0].warning = BatteryWarning::kLow;
  packs[1].connected = false;
  packs[2].voltage_v = 70.0;
  packs[2].current_a = 1e9;
  for (int k = 0; k < 250; ++k) {
    bench.pilot.report_battery(packs, bench.now());
    bench.run(0.004);
  }
  ASSERT_EQ(bench.vehicle.batteries.size(), 10u) << "two packs five times a second";
  const mavlink::BatteryStatus& first = bench.vehicle.batteries[0];
  EXPECT_EQ(first.id, 0);
  EXPECT_EQ(first.voltages[0], 11'100);
  EXPECT_EQ(first.voltages[1], 65'535);
  EXPECT_EQ(first.current_battery, 1234);
  EXPECT_EQ(first.battery_remaining, 15);
  EXPECT_EQ(first.charge_state, 2);
  const mavlink::BatteryStatus& second = bench.vehicle.batteries[1];
  EXPECT_EQ(second.id, 2);
  EXPECT_EQ(second.voltages[0] + second.voltages[1], 70'000);
  EXPECT_EQ(second.current_battery, 32'767);
}

TEST(MavlinkTransfer, TextsAreJoined) {
  PilotBench bench(kPx4);
  mavlink::Statustext part;
  part.severity = 4;
  mavlink::set_text(part.text, "short\t");
  bench.vehicle.send(part);
  part.id = 9;
  mavlink::set_text(part.text, std::string(50, 'a'));
  bench.vehicle.send(part);
  part.chunk_seq = 1;
  mavlink::set_text(part.text, "bc");
  bench.vehicle.send(part);
  bench.run(0.1);
  std::vector<VehicleText> texts;
  bench.pilot.take_texts(texts);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0].text, "short");
  EXPECT_EQ(texts[0].severity, 4);
  EXPECT_EQ(texts[1].text, std::string(50, 'a') + "bc");
  texts.clear();
  bench.pilot.take_texts(texts);
  EXPECT_TRUE(texts.empty());
}

TEST(MavlinkTransfer, ReportsEstimateAndSetpointsWithNanForWhatIsIgnored) {
  PilotBench bench(kPx4);
  EXPECT_TRUE(math::is_nan(bench.pilot.status().position_setpoint_W_m.x));
  mavlink::PositionTargetLocalNed target;
  target.type_mask = 0x1C0 | 0x003 | 0x800;  // no acceleration, x, y, yaw rate
  target.z = -12.0F;
  target.vx = 1.5F;
  target.yaw = 0.5F;
  bench.vehicle.send(target);
  mavlink::AttitudeTarget attitude;
  attitude.type_mask = 0x07;
  attitude.q[0] = 1.0F;
  attitude.thrust = 0.5F;
  bench.vehicle.send(attitude);
  mavlink::LocalPositionNed position;
  position.z = -3.0F;
  bench.vehicle.send(position);
  bench.run(0.1);
  const AutopilotStatus status = bench.pilot.status();
  EXPECT_TRUE(math::is_nan(status.position_setpoint_W_m.x));
  EXPECT_EQ(status.position_setpoint_W_m.z, -12.0);
  EXPECT_EQ(status.velocity_setpoint_W_m_s.x, 1.5);
  EXPECT_TRUE(math::is_nan(status.acceleration_setpoint_W_m_s2.z));
  EXPECT_EQ(status.yaw_setpoint_rad, 0.5);
  EXPECT_TRUE(math::is_nan(status.yaw_rate_setpoint_rad_s));
  EXPECT_EQ(status.attitude_setpoint.w, 1.0);
  EXPECT_TRUE(math::is_nan(status.rate_setpoint_B_rad_s.y));
  EXPECT_EQ(status.thrust_setpoint, 0.5);
  EXPECT_EQ(bench.pilot.vehicle().position_W_m.z, -3.0);
}

}  // namespace
}  // namespace tactus
