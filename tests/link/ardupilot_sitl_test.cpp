// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: waits for programs that come late or not at all
// needs: double_ardupilot_client

// The exchange with a program that looks like ArduPilot and misbehaves on demand.

#include "tactus/link/ardupilot/ardupilot_sitl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <thread>

#include "tactus/core/error.h"
#include "tactus/core/random.h"
#include "tests/link/ardupilot_bench.h"
#include "tests/support/controlled_flight.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::ardupilot_double;
using testing::ArdupilotBench;
using testing::DoubleOrder;

class ArdupilotSitlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (ardupilot_double().empty()) {
      GTEST_SKIP() << "TACTUS_DOUBLES is not set: the folder of double_ardupilot_client";
    }
    parameters.binary = ardupilot_double();
    parameters.free = true;
    link.exchange_deadline = DurationUs(3'000'000);
  }

  /// Flies so long under these orders to the double.
  ArdupilotBench& fly(const std::string& order, double seconds = 4.0) {
    const DoubleOrder set(order);
    bench = std::make_unique<ArdupilotBench>();
    pilot = bench->pilot(parameters, link);
    bench->run(*pilot, seconds);
    return *bench;
  }

  /// The message with which it fails.
  std::string failure(const std::string& order, double seconds = 4.0) {
    try {
      fly(order, seconds);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kPeer) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "it flew on under " << order;
    return {};
  }

  ArdupilotParameters parameters;
  LinkParameters link;
  std::unique_ptr<ArdupilotBench> bench;
  std::unique_ptr<ArdupilotSitl> pilot;
};

using Exchange = ArdupilotSitlTest;

TEST_F(Exchange, ConductedItFliesTheSameTwice) {
  if (testing::sanitized()) GTEST_SKIP() << "programs with sanitizers cannot be conducted";
  parameters.free = false;
  std::vector<double> heights_m;
  for (int i = 0; i < 2; ++i) {
    fly("arm_s=0.5,land_s=6", 5.9);
    EXPECT_TRUE(bench->output.status.armed);
    heights_m.push_back(bench->height_m());
    EXPECT_TRUE(pilot->warnings().empty());
    pilot.reset();
  }
  EXPECT_NEAR(heights_m[0], 5.0, 1.5);
  EXPECT_EQ(heights_m[0], heights_m[1]);
}

TEST_F(Exchange, FliesAndLands) {
  fly("arm_s=0.5,land_s=6", 5.9);
  EXPECT_NEAR(bench->height_m(), 5.0, 1.5);
  EXPECT_TRUE(bench->output.status.armed);
  bench->run(*pilot, 12.0);
  EXPECT_NEAR(bench->height_m(), 0.0, 0.3);
  EXPECT_FALSE(bench->output.status.armed);
  EXPECT_EQ(bench->output.command.motor[0], 0.0);
  EXPECT_EQ(pilot->exchange_counts().repeats, 0U);
}

TEST_F(Exchange, SameCommandsWhateverIsLostOrComesTwice) {
  const Digest128 clean = fly("arm_s=0.5").commands.result();
  EXPECT_GT(bench->height_m(), 1.0);
  EXPECT_EQ(fly("arm_s=0.5").commands.result(), clean);

  EXPECT_EQ(fly("arm_s=0.5,resend_ms=70,lose_questions=20,lose_until=3500").commands.result(),
            clean);
  EXPECT_EQ(fly("arm_s=0.5,resend_ms=70,lose_answers=20,lose_until=3500").commands.result(), clean);
  EXPECT_EQ(pilot->exchange_counts().repeats, 20U);
  EXPECT_EQ(fly("arm_s=0.5,duplicate_percent=5").commands.result(), clean);
  EXPECT_GE(pilot->exchange_counts().duplicates, 200U);
  EXPECT_EQ(fly("arm_s=0.5,resend_ms=70,duplicate_percent=5,lose_questions=20,lose_answers=20,"
                "garbage_every=50,lose_until=3500")
                .commands.result(),
            clean);
  EXPECT_GE(pilot->exchange_counts().garbage, 80U);
  EXPECT_EQ(fly("arm_s=0.5,channels=32").commands.result(), clean);
}

TEST_F(Exchange, ItsClockIsOurs) {
  const std::string trace = ::testing::TempDir() + "ardupilot_trace.txt";
  fly("arm_s=0.5,trace=" + trace, 2.0);
  std::ifstream file(trace);
  std::string line;
  std::string last;
  long lines = 0;
  for (; std::getline(file, line); ++lines) last = line;
  EXPECT_EQ(lines, 2000);
  std::uint64_t count = 0;
  std::uint64_t clock_us = 0;
  std::istringstream(last) >> count >> clock_us;
  EXPECT_EQ(count, 2000U);
  EXPECT_EQ(clock_us, 2'000'000U);  // it starts with one period
  std::filesystem::remove(trace);
}

TEST_F(Exchange, EachMotorDrivesItsRotor) {
  fly("pattern=1", 0.01);
  // ArduPilot's X: front right, rear left, front left, rear right get 0.1, 0.2, 0.3, 0.4.
  const auto expected = [](const Rotor& rotor) {
    const bool front = rotor.position_B_m.x > 0.0;
    const bool right = rotor.position_B_m.y > 0.0;
    if (front) return right ? 0.1 : 0.3;
    return right ? 0.4 : 0.2;
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(bench->output.command.motor[i], expected(bench->vehicle.rotor[i])) << i;
  }
}

TEST_F(Exchange, WhatCameIsThereForTheRecording) {
  fly("pattern=1", 0.003);
  EXPECT_EQ(pilot->external_peers(),
            (std::vector<std::string>{"ardupilot_json", "ardupilot_telemetry",
                                      "ardupilot_parameters", "autopilot_program"}));
  std::vector<ExternalBytes> received;
  pilot->take_external_bytes(received);
  ASSERT_EQ(received.size(), 3U);  // the last is what it is made of
  EXPECT_EQ(received[1].peer, 2U);
  const std::string settings = to_text(pilot->settings());
  EXPECT_TRUE(std::ranges::equal(received[1].bytes, std::as_bytes(std::span(settings))));
  EXPECT_EQ(received[0].peer, 0U);
  ASSERT_EQ(received[0].bytes.size(), 120U);
  const auto packet = decode_servo_packet(std::span(received[0].bytes).last(40));
  ASSERT_TRUE(packet.has_value());
  EXPECT_EQ(packet->frame_count, 3U);
  received.clear();
  pilot->take_external_bytes(received);
  EXPECT_TRUE(received.empty());
}

TEST_F(Exchange, ItsFirstPacketAfterARestartIsKept) {
  failure("pattern=1,restart_at=8");
  std::vector<ExternalBytes> received;
  pilot->take_external_bytes(received);
  ASSERT_EQ(received.at(0).bytes.size(), 8U * 40U);
  const auto packet = decode_servo_packet(std::span(received[0].bytes).last(40));
  ASSERT_TRUE(packet.has_value());
  EXPECT_EQ(packet->frame_count, 0U);
}

TEST_F(Exchange, ParametersThatCannotBeWrittenAreNoFlight) {
  parameters.folder = ::testing::TempDir() + "ardupilot_unwritable";
  std::filesystem::create_directories(parameters.folder + "/tactus.parm");  // no file goes there
  try {
    fly("", 0.01);
    ADD_FAILURE() << "it flew without parameters";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment) << error.what();
    EXPECT_NE(std::string(error.what()).find(parameters.folder + "/tactus.parm"), std::string::npos)
        << error.what();
  }
  std::filesystem::remove_all(parameters.folder);
}

// ---- when it does not answer

TEST_F(Exchange, NamesAPeerThatEnds) {
  const std::string message = failure("die_at=500,exit_status=5");
  EXPECT_NE(message.find("double_ardupilot_client, process"), message.npos) << message;
  EXPECT_NE(message.find("ended with status 5"), message.npos) << message;
  EXPECT_NE(message.find("simulated time 499ms"), message.npos) << message;
  EXPECT_NE(message.find("dies at frame 500"), message.npos) << message;  // its last output
  EXPECT_EQ(message.find("console.txt"), message.npos) << message;        // which is gone
  parameters.folder = ::testing::TempDir() + "ardupilot_work";
  const std::string kept = parameters.folder + "/console.txt";
  EXPECT_NE(failure("die_at=5").find(kept), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(kept));
  std::filesystem::remove_all(parameters.folder);
}

TEST_F(Exchange, NamesAPeerThatStops) {
  link.exchange_deadline = DurationUs(300'000);
  const std::string message = failure("stop_at=700");
  EXPECT_NE(message.find("no servo packet within 300ms"), message.npos) << message;
  EXPECT_NE(message.find("simulated time 699ms; its last packet came at 698ms"), message.npos)
      << message;
  EXPECT_NE(failure("silent_at=20").find("simulated time 19ms"), message.npos);
}

TEST_F(Exchange, NamesAPeerThatRestarts) {
  const std::string message = failure("restart_at=800");
  EXPECT_NE(message.find("restarted"), message.npos) << message;
  EXPECT_NE(message.find("simulated time 799ms"), message.npos) << message;
}

TEST_F(Exchange, NamesAPeerThatNeverSends) {
  link.connect_deadline = DurationUs(200'000);
  const std::string message = failure("silent_at=0");
  EXPECT_NE(message.find("no packet ever came"), message.npos) << message;
  parameters.wait = parameters.free = true;
  parameters.instance = 117;
  const std::string waited = failure("");
  EXPECT_NE(waited.find("UDP port 10172"), waited.npos) << waited;
  EXPECT_NE(waited.find("--home 47.3977420,8.5455940,488.000,0.00"), waited.npos) << waited;
}

TEST_F(Exchange, StoppedForLessThanTheDeadlineChangesNothing) {
  const Digest128 clean = fly("arm_s=0.5", 1.5).commands.result();
  const DoubleOrder set("arm_s=0.5");
  ArdupilotBench again;
  const auto stopped = again.pilot(parameters, link);
  again.run(*stopped, 0.7);
  ::kill(stopped->process_id().value(), SIGSTOP);
  const std::jthread waker([id = stopped->process_id().value()] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    ::kill(id, SIGCONT);
  });
  again.run(*stopped, 0.8);
  EXPECT_EQ(again.commands.result(), clean);
}

TEST_F(Exchange, KilledAtAnyMoment) {
  const RandomStream stream(1, "kill");
  const long kills = testing::test_all() ? 100 : 10;
  for (long i = 0; i < kills; ++i) {
    const auto tick = static_cast<std::uint64_t>(i);
    const auto frame = 1 + stream.bits(tick, 0).word[0] % 2000;
    const std::string message = failure("die_at=" + std::to_string(frame), 3.0);
    EXPECT_NE(message.find("ended with status 3"), message.npos) << frame << ": " << message;
    EXPECT_NE(message.find("ardupilot double: dies"), message.npos) << message;
  }
}

TEST_F(Exchange, HoldKeepsTheLastCommand) {
  link.late = LatePolicy::kHold;
  fly("pattern=1,die_at=100", 1.0);
  EXPECT_DOUBLE_EQ(bench->output.command.motor[pilot->motor_order()[0]], 0.1);
  EXPECT_TRUE(bench->output.status.armed);  // the motors turn
  std::vector<Note> notes;
  pilot->take_notes(notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(std::string(notes[0].what).find("ended with status 3"), std::string::npos);
  EXPECT_EQ(notes[0].time, TimeUs(99'000));
  EXPECT_EQ(notes[0].from, NoteFrom::kAutopilot);
}

TEST_F(Exchange, APulseThatIsNoneFailsWithItsValue) {
  const std::string message = failure("pattern=1,wild_at=500");
  EXPECT_NE(message.find("cannot be flown: channel 1 = 65535: must be 0 to 3000 us"), message.npos)
      << message;
  EXPECT_NE(message.find("simulated time 499ms"), message.npos) << message;
}

TEST_F(Exchange, APulseThatIsNoneHoldsTheLastCommand) {
  link.late = LatePolicy::kHold;
  fly("pattern=1,wild_at=500", 1.0);
  EXPECT_DOUBLE_EQ(bench->output.command.motor[pilot->motor_order()[0]], 0.1);
  EXPECT_TRUE(bench->output.status.armed);
  std::vector<Note> notes;
  pilot->take_notes(notes);
  ASSERT_EQ(notes.size(), 1U) << "once, not at every frame";
  EXPECT_NE(std::string(notes[0].what).find("65535"), std::string::npos) << notes[0].what;
}

TEST_F(Exchange, HoldTriesAgain) {
  link.late = LatePolicy::kHold;
  link.exchange_deadline = DurationUs(20'000);
  // The lost answer is asked for again after 100 ms: a deadline, and a short check at each frame.
  fly("resend_ms=100,lose_answers=1,lose_until=400,arm_s=0.5", 1.0);
  std::vector<Note> notes;
  pilot->take_notes(notes);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_STREQ(notes[1].what, "autopilot answers again");
  EXPECT_GE(notes[1].time - notes[0].time, DurationUs(3000));
  EXPECT_LE(notes[1].time - notes[0].time, DurationUs(20'000));
}

TEST_F(Exchange, WhatCameInsteadOfAPacketIsCounted) {
  link.exchange_deadline = DurationUs(300'000);
  const std::string message = failure("garbage_every=1,silent_at=100");
  EXPECT_NE(message.find("datagrams were no servo packets"), message.npos) << message;
}

TEST_F(Exchange, HoldWaitsItsWholeDeadlineOnce) {
  link.late = LatePolicy::kHold;
  link.exchange_deadline = DurationUs(10'000'000);
  // 400 frames without an answer: more than an hour, if each waited for its deadline.
  fly("pattern=1,silent_at=100", 0.5);
  std::vector<Note> notes;
  pilot->take_notes(notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].time, TimeUs(99'000));
  ASSERT_EQ(pilot->warnings().size(), 1U);
  EXPECT_NE(
      pilot->warnings()[0].find("ArduPilot: 401 of 500 answers did not come in time, in 1 gap, "
                                "the first at t = 99ms"),
      std::string::npos)
      << pilot->warnings()[0];
}

TEST_F(Exchange, DropTurnsTheMotorsOff) {
  link.late = LatePolicy::kDrop;
  fly("pattern=1,die_at=100", 0.5);
  for (const double drive : bench->output.command.motor) EXPECT_EQ(drive, 0.0);
  EXPECT_FALSE(bench->output.status.armed);
}

TEST_F(Exchange, FreeRunningNoLongerWaits) {
  link.late = LatePolicy::kFreeRunning;
  link.exchange_deadline = DurationUs(100'000);
  const auto start = std::chrono::steady_clock::now();
  fly("pattern=1,silent_at=100", 2.0);
  // 1900 frames without an answer, and one deadline.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_DOUBLE_EQ(bench->output.command.motor[pilot->motor_order()[0]], 0.1);
  EXPECT_EQ(bench->flight.now, TimeUs(2'000'000));
}

TEST_F(Exchange, TheUserCanStopAWait) {
  link.exchange_deadline = DurationUs(0);  // no deadline at all
  const DoubleOrder set("silent_at=50");
  bool stop = false;
  ArdupilotBench interrupted;
  const auto waiting = interrupted.pilot(parameters, link, [&stop] { return stop; });
  interrupted.run(*waiting, 0.04);
  stop = true;
  interrupted.run(*waiting, 0.02);  // comes back
  SUCCEED();
}

TEST_F(Exchange, ARestartOfItsSupplyIsANewProcess) {
  fly("arm_s=0.5", 1.0);
  EXPECT_TRUE(bench->output.status.armed);
  pilot->restart();
  bench->output = {};
  const DoubleOrder set("arm_s=0.3");
  bench->run(*pilot, 0.2);
  EXPECT_FALSE(bench->output.status.armed);
  bench->run(*pilot, 0.2);
  EXPECT_TRUE(bench->output.status.armed);  // its clock counts from its own start
}

// ---- what is checked before anything starts

std::string refusal(const ArdupilotParameters& parameters, const ArdupilotFlight& plan,
                    const MultirotorParameters& aircraft, ExitCode code) {
  try {
    const Multirotor vehicle = make_multirotor(aircraft);
    const ArdupilotSitl pilot(parameters, LinkParameters{}, vehicle, plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

TEST(ArdupilotSitl, RefusesWhatCannotFly) {
  const ArdupilotBench bench;
  ArdupilotParameters parameters;
  const ArdupilotFlight plan = bench.plan();
  const auto refused = [&](ExitCode code) {
    return refusal(parameters, plan, iris_parameters(), code);
  };
  EXPECT_NE(refused(ExitCode::kBadInput).find("--ardupilot-bin"), std::string::npos);
  parameters.binary = "/nowhere/arducopter";
  EXPECT_NE(refused(ExitCode::kEnvironment).find("/nowhere/arducopter"), std::string::npos);
  parameters.wait = parameters.free = true;
  parameters.instance = 255;
  EXPECT_NE(refused(ExitCode::kBadInput).find("instance"), std::string::npos);
}

TEST(ArdupilotSitl, RefusesAPeriodAtWhichItNeverArms) {
  const ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  ArdupilotFlight plan = bench.plan();
  plan.period = DurationUs(1389);
  const std::string message = refusal(parameters, plan, iris_parameters(), ExitCode::kBadInput);
  EXPECT_NE(message.find("1388us or less"), std::string::npos) << message;
  EXPECT_NE(message.find("SCHED_LOOP_RATE of 399"), std::string::npos) << message;
  plan.period = DurationUs(1388);
  EXPECT_NO_THROW(ArdupilotSitl(parameters, LinkParameters{}, bench.vehicle, plan));
  plan.period = DurationUs(2500);
  plan.emitted.push_back({"SCHED_LOOP_RATE", 200.0, true, "", false});
  EXPECT_NO_THROW(ArdupilotSitl(parameters, LinkParameters{}, bench.vehicle, plan));
}

TEST(ArdupilotSitl, RefusesAnotherFrameThanTheAircraft) {
  const ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  const std::string message =
      refusal(parameters, bench.plan(), testing::hexa_like(), ExitCode::kBadInput);
  EXPECT_NE(message.find("hexa X"), std::string::npos) << message;
}

TEST(ArdupilotSitl, TheUsersParametersWin) {
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  parameters.built_in = {"@ROMFS/default_params/copter.parm"};
  read_settings("# mine\nMOT_THST_EXPO,0.5\n\nLOG_BACKEND_TYPE = 1\r\nWPNAV_SPEED\t750.5",
                "user.parm", parameters.given);
  const ArdupilotBench bench;
  const ArdupilotSitl pilot(parameters, LinkParameters{}, bench.vehicle, bench.plan());
  const ArdupilotSettings& settings = pilot.settings();
  EXPECT_EQ(setting_of(settings, "MOT_THST_EXPO", 0.0), 0.5);
  EXPECT_EQ(setting_of(settings, "LOG_BACKEND_TYPE", 0.0), 1.0);
  EXPECT_EQ(setting_of(settings, "FRAME_CLASS", 0.0), 1.0);
  EXPECT_NE(to_text(settings).find("\nWPNAV_SPEED 750.5\n"), std::string::npos);

  ArdupilotStart start;
  start.settings_file = "x.parm";
  start.json_port = 4321;
  start.telemetry_port = 4322;
  const std::vector<std::string> command = ardupilot_command(parameters, start);
  const auto after = [&command](const std::string& option) {
    const auto at = std::find(command.begin(), command.end(), option);
    return at == command.end() ? std::string() : *(at + 1);
  };
  EXPECT_EQ(after("--defaults"), "@ROMFS/default_params/copter.parm,x.parm");
  EXPECT_EQ(after("--home"), "47.3977420,8.5455940,488.000,0.00");
  EXPECT_EQ(after("--serial0"), "udpclient:127.0.0.1:4322");
  EXPECT_EQ(after("--sim-port-out"), "4321");
  EXPECT_EQ(after("--serial1"), "none");

  try {
    read_settings("\nMOT_THST_EXPO much\n", "user.parm", parameters.given);
    ADD_FAILURE() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_TRUE(std::string(error.what()).starts_with("user.parm:2: MOT_THST_EXPO"))
        << error.what();
  }
}

TEST(ArdupilotStart, OneThatOthersMayTalkToListensAsUsual) {
  ArdupilotParameters parameters;
  parameters.attach = true;
  const std::vector<std::string> command = ardupilot_command(parameters, {});
  const auto option = std::find(command.begin(), command.end(), "--serial1");
  ASSERT_NE(option, command.end());
  EXPECT_EQ(option[1], "tcp:2");
  const auto ports = used_ports(parameters);
  const auto listens = [](const UsedPort& port) {
    return port.transport == Transport::kTcp && (port.port == 5762 || port.port == 5763);
  };
  EXPECT_EQ(std::count_if(ports.begin(), ports.end(), listens), 2);
}

TEST(ArdupilotStart, TheSystemOfOneThatIsStartedIsOneMoreThanItsInstance) {
  ArdupilotParameters parameters;
  parameters.instance = 7;
  const std::vector<std::string> command = ardupilot_command(parameters, {});
  const auto option = std::find(command.begin(), command.end(), "--sysid");
  ASSERT_NE(option, command.end());
  EXPECT_EQ(option[1], "8");
  EXPECT_EQ(ardupilot_system(parameters), 8);
  parameters.wait = parameters.free = true;
  EXPECT_EQ(ardupilot_system(parameters), 1);
}

}  // namespace
}  // namespace tactus
