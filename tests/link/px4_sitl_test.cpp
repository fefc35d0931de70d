// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: waits for programs that come late or not at all
// needs: double_px4_hil_client

// The link to PX4 SITL against a stand-in that misbehaves on demand (tests/doubles).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/px4_bench.h"

namespace tactus {
namespace {

using testing::Clock;
using testing::has;
using Bench = testing::Px4Bench;
using testing::Px4SitlTest;
using testing::seconds_since;

// ---- a good flight

TEST_F(Px4SitlTest, FliesTwoSecondsInLockstep) {
  Bench bench;
  bench.take_off();
  bench.steps(500);
  EXPECT_TRUE(bench.output.status.armed);
  EXPECT_GT(bench.quad.height_m(), 0.3);
  EXPECT_LT(bench.quad.tilt_rad(), 0.1);
  EXPECT_TRUE(bench.notes.empty());
  bench.steps(1000);
  EXPECT_NEAR(bench.quad.height_m(), 2.5, 0.3);
}

TEST_F(Px4SitlTest, EveryReceivedByteIsRecorded) {
  Bench bench;
  bench.take_off();
  bench.steps(250);
  EXPECT_EQ(bench.autopilot().external_peers(),
            (std::vector<std::string>{"px4_hil", "px4_telemetry", "autopilot_program"}));
  std::vector<std::byte> hil, telemetry;
  for (const ExternalBytes& part : bench.received) {
    if (part.peer > 1) continue;  // what it is made of
    std::vector<std::byte>& to = part.peer == 0 ? hil : telemetry;
    to.insert(to.end(), part.bytes.begin(), part.bytes.end());
  }
  int answers = 0, heartbeats = 0;
  mavlink::Parser parser;
  parser.feed(hil, [&](const mavlink::Frame& frame) {
    mavlink::HilActuatorControls controls;
    answers += mavlink::decode(frame, controls) ? 1 : 0;
  });
  parser.feed(telemetry, [&](const mavlink::Frame& frame) {
    mavlink::Heartbeat heartbeat;
    heartbeats += mavlink::decode(frame, heartbeat) ? 1 : 0;
  });
  EXPECT_EQ(parser.counts().skipped_bytes, 0U);
  EXPECT_EQ(answers, 250 - 1);  // all but its boot
  EXPECT_GE(heartbeats, 2);
}

TEST_F(Px4SitlTest, ParametersReachItAndTheFolderIsKept) {
  Bench bench;
  bench.parameters.folder = ::testing::TempDir() + "/tactus_px4_folder";
  std::filesystem::create_directories(bench.parameters.folder);
  std::ofstream(bench.parameters.folder + "/parameters.bson") << "of an earlier flight";
  bench.flight.parameters = {{"CA_ROTOR_COUNT", 4.0, true, ""},
                             {"MPC_THR_HOVER", 0.49, false, ""},
                             {"SIM_BAT_DRAIN", 0.0, false, ""}};
  bench.steps(10);
  bench.made.reset();
  std::ifstream file(bench.parameters.folder + "/console.txt");
  const std::string console{std::istreambuf_iterator<char>(file), {}};
  for (const char* line : {"PX4_SIM_MODEL=none_iris\n", "PX4_PARAM_CA_ROTOR_COUNT=4\n",
                           "PX4_PARAM_MPC_THR_HOVER=0.49\n", "PX4_PARAM_SIM_BAT_DRAIN=0\n"}) {
    EXPECT_TRUE(has(console, line)) << line << console;
  }
  EXPECT_FALSE(std::filesystem::exists(bench.parameters.folder + "/parameters.bson"));
  std::filesystem::remove_all(bench.parameters.folder);
}

TEST_F(Px4SitlTest, AParameterChangesInFlight) {
  Bench bench;
  bench.parameters.folder = ::testing::TempDir() + "/tactus_px4_change";
  bench.flight.changeable = {"MPC_XY_CRUISE", "NO_SUCH"};
  bench.take_off();
  bench.steps(500);
  bench.quad.parameter = {.index = 0, .count = 1, .value = 7.5};
  bench.step();  // at 2 s, which is 3 s for PX4
  EXPECT_TRUE(bench.autopilot().pilot().idle()) << "its answer belongs to this step";
  bench.steps(100);
  bench.quad.parameter = {.index = 1, .count = 2, .value = 1.0};
  const std::string error = bench.error_within(1500);
  EXPECT_TRUE(has(error, "did not take NO_SUCH = 1 (no answer)")) << error;
  bench.made.reset();
  std::ifstream file(bench.parameters.folder + "/console.txt");
  const std::string console{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(has(console, "[3.000] MPC_XY_CRUISE 7\n")) << console;
  std::filesystem::remove_all(bench.parameters.folder);
}

TEST_F(Px4SitlTest, OurBatteryAndMissionReachIt) {
  Bench bench;
  bench.parameters.folder = ::testing::TempDir() + "/tactus_px4_battery";
  auto mission = std::make_shared<Mission>();
  mission->items.resize(3);
  for (MissionItem& item : mission->items) {
    item.latitude_deg = 47.4;
    item.longitude_deg = 8.5;
    item.altitude_m = 5.0;
  }
  mission->items[0].command = MissionCommand::kTakeoff;
  bench.flight.mission = mission;
  bench.quad.battery[0].remaining = 0.37;
  bench.steps(500);
  bench.made.reset();
  std::ifstream file(bench.parameters.folder + "/console.txt");
  const std::string console{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(has(console, "battery 37\n")) << console;
  EXPECT_TRUE(has(console, "mission items 3\n")) << console;
  std::filesystem::remove_all(bench.parameters.folder);
}

TEST_F(Px4SitlTest, RefusedArmingIsNoError) {
  Bench bench("--refuse-arming");
  bench.take_off();
  bench.steps(500);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_TRUE(bench.motors_off());
  EXPECT_TRUE(has(bench.autopilot().pilot().refusal(), "arm"))
      << bench.autopilot().pilot().refusal();
  EXPECT_EQ(bench.count("PX4: refuses arm or disarm: refused for now"), 1) << "once in a while";
}

TEST_F(Px4SitlTest, OneThatTheUserStartedIsWaitedFor) {
  Bench bench;
  bench.parameters.wait = bench.parameters.free = true;
  bench.flight.parameters = {{"MPC_THR_HOVER", 0.49, false, ""}};
  ProcessParameters theirs;
  theirs.name = "the stand-in";
  theirs.command = {testing::double_path(), "-i", std::to_string(bench.parameters.instance)};
  ChildProcess process(theirs);
  bench.take_off();
  bench.steps(750);
  EXPECT_TRUE(bench.output.status.armed);
  EXPECT_TRUE(bench.autopilot().pilot().prepared());
  EXPECT_EQ(bench.autopilot().process(), nullptr);
  try {
    bench.autopilot().restart();
    ADD_FAILURE() << "only the user can start it again";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kPeer);
    EXPECT_TRUE(has(error.what(), "only you")) << error.what();
  }
}

// A pause of theirs within the deadline never changes the flight: same commands, bit for bit.
TEST_F(Px4SitlTest, ASlowAnswerWithinTheDeadlineChangesNothing) {
  std::vector<double> drives[2];
  for (const int slow : {0, 1}) {
    Bench bench(slow != 0 ? "--slow-at 500" : "");
    bench.steps(300);
    bench.take_off();
    for (int i = 0; i < 400; ++i) {
      bench.step();
      drives[slow].push_back(bench.output.command.motor[0]);
    }
    EXPECT_TRUE(bench.notes.empty());
    EXPECT_GT(bench.quad.height_m(), 0.3);
  }
  EXPECT_EQ(drives[0], drives[1]);
}

TEST_F(Px4SitlTest, GarbageBetweenAnswersIsSkipped) {
  Bench bench("--garbage-at 100");
  bench.take_off();
  bench.steps(300);
  EXPECT_TRUE(bench.output.status.armed);
  EXPECT_TRUE(bench.notes.empty());
}

// ---- without gyroscope PX4 does not answer; time goes on

TEST_F(Px4SitlTest, AGyroscopeThatStopsDoesNotFreezeTime) {
  Bench bench;
  bench.take_off();
  bench.steps(300);
  bench.quad.gyro_works = false;
  bench.step();  // this reading was taken before
  const Command before = bench.output.command;
  const auto start = Clock::now();
  bench.steps(50);
  EXPECT_LT(seconds_since(start), 2.0);
  EXPECT_EQ(bench.output.command.motor[0], before.motor[0]) << "the last command stays";
  bench.quad.gyro_works = true;
  bench.steps(50);
  EXPECT_NE(bench.output.command.motor[0], before.motor[0]);
  EXPECT_EQ(bench.count("PX4 gets no gyroscope reading"), 1);
  EXPECT_EQ(bench.count("PX4 late"), 0);
}

TEST_F(Px4SitlTest, AnImuSlowerThanItsStepsIsNoFault) {
  Bench bench;
  bench.steps(100);
  for (int i = 0; i < 200; ++i) {
    bench.quad.gyro_works = i % 4 == 0;
    bench.step();
  }
  EXPECT_EQ(bench.count("PX4 gets no gyroscope reading"), 0);
}

// ---- it never comes up: an error whatever the policy

TEST_F(Px4SitlTest, OneThatNeverConnectsIsNamed) {
  Bench bench("--no-connect", LatePolicy::kHold);
  bench.link.connect_deadline = DurationUs(300'000);
  const std::string text = bench.error_within(1);
  EXPECT_TRUE(has(text, fmt::format("TCP port {}", 4560 + bench.parameters.instance))) << text;
  EXPECT_TRUE(has(text, "300ms")) << text;
}

TEST_F(Px4SitlTest, OneThatNeverBootsIsNamed) {
  Bench bench("--boot-steps 1000000", LatePolicy::kHold);
  bench.link.connect_deadline = DurationUs(500'000);
  const auto start = Clock::now();
  const std::string text = bench.error_within(100);
  EXPECT_TRUE(has(text, "did not answer within 500ms")) << text;
  EXPECT_LT(seconds_since(start), 5.0);
}

TEST_F(Px4SitlTest, OneThatEndsAtOnceIsNotWaitedFor) {
  Bench bench;
  bench.parameters.binary = "/bin/false";
  bench.link.connect_deadline = DurationUs(20'000'000);
  const auto start = Clock::now();
  const std::string text = bench.error_within(1);
  EXPECT_TRUE(has(text, "ended with status 1")) << text;
  EXPECT_FALSE(has(text, "20s")) << "it was not waited for so long: " << text;
  EXPECT_LT(seconds_since(start), 3.0);
}

TEST_F(Px4SitlTest, WrongFilesAreReportedBeforeAnythingStarts) {
  Bench bench;
  const auto message = [&bench](const std::function<void(Px4SitlParameters&)>& change) {
    Px4SitlParameters wrong = bench.parameters;
    change(wrong);
    try {
      const Px4Sitl autopilot(wrong, bench.link, bench.flight);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(has(message([](auto& p) { p.binary = ""; }), "--px4-bin"));
  EXPECT_TRUE(has(message([](auto& p) { p.binary = "/nowhere/px4"; }), "/nowhere/px4"));
  EXPECT_TRUE(has(message([](auto& p) { p.romfs = "/nowhere"; }), "rcS"));
  EXPECT_TRUE(has(message([](auto& p) { p.instance = 250; }), "250"));
  EXPECT_EQ(message([](auto&) {}), "");
}

// ---- the user and the machine

TEST_F(Px4SitlTest, TheUserEndsEveryWait) {
  for (const char* how : {"--no-connect", "--boot-steps 1000000", "--stop-at 100"}) {
    Bench bench(how);
    bench.link.connect_deadline = bench.link.exchange_deadline = DurationUs(60'000'000);
    bool stop = false;
    const auto start = Clock::now();
    bench.interrupted = [&stop, start] { return stop || seconds_since(start) > 0.6; };
    while (!bench.interrupted()) bench.step();
    EXPECT_LT(seconds_since(start), 3.0) << how;
    stop = true;
  }
}

TEST_F(Px4SitlTest, APowerCycleStartsItAgain) {
  Bench bench;
  bench.take_off();
  bench.steps(200);
  const pid_t first = bench.autopilot().process()->pid();
  bench.autopilot().restart();
  bench.output = {};
  bench.steps(200);
  EXPECT_NE(bench.autopilot().process()->pid(), first);
  EXPECT_TRUE(bench.output.status.armed);
}

TEST_F(Px4SitlTest, CannotBeCopiedOrSaved) {
  Bench bench;
  EXPECT_EQ(bench.autopilot().clone(), nullptr);
}

}  // namespace
}  // namespace tactus
