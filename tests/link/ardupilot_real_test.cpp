// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Flights with the real ArduCopter, if TACTUS_ARDUCOPTER_BIN says where it is.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tactus/core/error.h"
#include "tactus/core/random.h"
#include "tactus/files/disk_files.h"
#include "tests/link/ardupilot_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::ArdupilotBench;

class ArdupilotReal : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* binary = std::getenv("TACTUS_ARDUCOPTER_BIN");
    if (binary == nullptr) {
      GTEST_SKIP() << "TACTUS_ARDUCOPTER_BIN is not set: the path of arducopter (SITL)";
    }
    parameters.binary = binary;
  }

  /// Flies until `done`; false: not within so many seconds.
  template <class Done>
  static bool fly_until(ArdupilotBench& bench, ArdupilotSitl& pilot, double seconds, Done done) {
    const TimeUs end = bench.flight.now + duration_from_seconds(seconds, "seconds");
    while (bench.flight.now < end) {
      bench.tick(pilot);
      std::vector<Note> notes;
      pilot.take_notes(notes);
      for (const Note& note : notes) std::printf("%s %s\n", to_text(note.time).c_str(), note.what);
      if (done()) return true;
    }
    return false;
  }

  ArdupilotParameters parameters;
};

TEST_F(ArdupilotReal, TakesOffHoldsAndLands) {
  ArdupilotBench bench;
  const auto pilot = bench.pilot(parameters);
  bench.want(FlightMode::kTakeoff);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(fly_until(bench, *pilot, 90.0, [&] { return bench.height_m() > 4.5; }));
  EXPECT_TRUE(bench.output.status.armed);
  bench.want(FlightMode::kHold);
  fly_until(bench, *pilot, 10.0, [] { return false; });
  EXPECT_NEAR(bench.height_m(), 5.0, 0.6);
  EXPECT_LT(norm(bench.truth.velocity_W_m_s), 0.3);
  bench.want(FlightMode::kLand);
  EXPECT_TRUE(fly_until(bench, *pilot, 60.0, [&] { return !bench.output.status.armed; }));
  EXPECT_NEAR(bench.height_m(), 0.0, 0.3);
  const double wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.1f simulated seconds, %.1f times real time\n", to_seconds(bench.flight.now),
              to_seconds(bench.flight.now) / wall_s);
}

TEST_F(ArdupilotReal, FliesAMissionAndLands) {
  ArdupilotBench bench;
  const auto mission = std::make_shared<const Mission>(load_mission("missions/square.waypoints"));
  ArdupilotSitl pilot(parameters, LinkParameters{}, bench.vehicle, bench.plan(mission));
  bench.want(FlightMode::kMission);
  double highest_m = 0.0;
  const auto landed = [&] {
    highest_m = math::max(highest_m, bench.height_m());
    return highest_m > 3.0 && !bench.output.status.armed;
  };
  EXPECT_TRUE(fly_until(bench, pilot, 300.0, landed));
  EXPECT_NEAR(highest_m, 12.0, 1.0);
  EXPECT_EQ(bench.output.status.mission_count, 8);
  EXPECT_EQ(bench.output.status.items_reached, 8);
  EXPECT_TRUE(bench.output.status.mission_finished);
  // And it stays finished, although ArduPilot points to the first item again.
  fly_until(bench, pilot, 3.0, [] { return false; });
  EXPECT_TRUE(bench.output.status.mission_finished);
  const double off_m = math::hypot(bench.truth.position_W_m.x, bench.truth.position_W_m.y);
  EXPECT_LT(off_m, 0.5);
  std::printf("landed %.2f m from the start after %.1f s\n", off_m, to_seconds(bench.flight.now));
}

/// Commands of the first minute with a take-off.
Digest128 first_minute(ArdupilotBench& bench, Autopilot& pilot) {
  bench.want(FlightMode::kTakeoff);
  bench.run(pilot, 60.0);
  EXPECT_NEAR(bench.height_m(), 5.0, 0.5);
  return bench.commands.result();
}

TEST_F(ArdupilotReal, TheSameCommandsEveryTime) {
  const long flights = testing::test_all() ? 10 : 2;
  Digest128 first;
  for (long i = 0; i < flights; ++i) {
    ArdupilotBench bench;
    const Digest128 commands = first_minute(bench, *bench.pilot(parameters));
    if (i == 0) first = commands;
    EXPECT_EQ(commands, first) << "flight " << i;
  }
}

TEST_F(ArdupilotReal, StoppedForAWhileItFliesTheSame) {
  ArdupilotBench undisturbed;
  const auto steady = undisturbed.pilot(parameters);
  undisturbed.want(FlightMode::kTakeoff);
  undisturbed.run(*steady, 50.0);

  ArdupilotBench bench;
  const auto pilot = bench.pilot(parameters);
  bench.want(FlightMode::kTakeoff);
  bench.run(*pilot, 46.0);  // it climbs
  ::kill(pilot->process_id().value(), SIGSTOP);
  const std::jthread waker([id = pilot->process_id().value()] {
    std::this_thread::sleep_for(std::chrono::seconds(testing::test_all() ? 5 : 2));
    ::kill(id, SIGCONT);
  });
  bench.run(*pilot, 4.0);
  EXPECT_EQ(bench.commands.result(), undisturbed.commands.result());
}

TEST_F(ArdupilotReal, KilledAtAnyMoment) {
  const RandomStream stream(1, "kill ArduPilot");
  const long kills = testing::test_all() ? 100 : 3;
  for (long i = 0; i < kills; ++i) {
    ArdupilotBench bench;
    const auto pilot = bench.pilot(parameters);
    bench.run(*pilot, 0.001 * (1.0 + stream.bits(static_cast<std::uint64_t>(i), 0).word[0] % 3000));
    const TimeUs when = bench.flight.now;
    ::kill(pilot->process_id().value(), SIGKILL);
    try {
      bench.run(*pilot, 1.0);
      FAIL() << "it flew on after " << to_text(when);
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.code(), ExitCode::kPeer);
      EXPECT_NE(message.find("was ended by signal 9"), message.npos) << message;
      EXPECT_NE(message.find("simulated time " + to_text(when)), message.npos) << message;
    }
  }
}

/// Between ArduPilot and us: loses every n-th datagram of each direction, and sends 5 % of
/// ArduPilot's twice.
class Relay {
 public:
  Relay(std::uint16_t our_port, int lost)
      : our_port_(our_port),
        lost_(lost),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  [[nodiscard]] std::uint16_t port() const { return ardupilot_side_.port(); }

 private:
  /// Of one direction; the same datagram is not lost again when it is sent again.
  struct Loss {
    long datagrams = 0;
    int lost = 0;
    bool loses(int most, long offset) {
      ++datagrams;
      if (lost >= most || datagrams % 2000 != offset) return false;
      ++lost;
      return true;
    }
  };

  void run(const std::stop_token& stop) {
    std::vector<std::byte> datagram;
    while (!stop.stop_requested()) {
      const int both[] = {ardupilot_side_.descriptor(), tactus_side_.descriptor()};
      wait_readable(both, Deadline::after(DurationUs(50'000)), {});
      while (ardupilot_side_.receive(datagram, Deadline::now(), {}, &ardupilot_) ==
             ReceiveResult::kData) {
        if (questions_.loses(lost_, 500)) continue;
        tactus_side_.send_to(our_port_, datagram);
        if (questions_.datagrams % 20 == 0) tactus_side_.send_to(our_port_, datagram);
      }
      while (tactus_side_.receive(datagram, Deadline::now()) == ReceiveResult::kData) {
        if (!answers_.loses(lost_, 1500)) ardupilot_side_.send_to(ardupilot_, datagram);
      }
    }
  }

  std::uint16_t our_port_;
  int lost_;
  UdpSocket ardupilot_side_{0, "ArduPilot"};
  UdpSocket tactus_side_{0, "Tactus"};
  UdpPeer ardupilot_;
  Loss questions_;
  Loss answers_;
  std::jthread thread_;
};

TEST_F(ArdupilotReal, LossesAndDuplicatesLeaveTheFlightTheSame) {
  ArdupilotBench undisturbed;
  const Digest128 clean = first_minute(undisturbed, *undisturbed.pilot(parameters));

  ArdupilotParameters waiting = parameters;
  waiting.wait = waiting.free = true;
  waiting.instance = 120;
  ArdupilotBench bench;
  const auto pilot = bench.pilot(waiting);
  const Relay relay(9002 + 1200, testing::test_all() ? 20 : 2);
  const std::string file = ::testing::TempDir() + "tactus_real.parm";
  std::ofstream(file) << to_text(pilot->settings());
  ArdupilotStart start;
  start.settings_file = file;
  start.home = bench.origin;
  start.json_port = relay.port();
  start.telemetry_port = 14550 + 1200;
  ProcessParameters process;
  process.name = "ArduPilot";
  process.command = ardupilot_command(parameters, start);
  // It may be there before we listen: it asks again.
  const ChildProcess ardupilot(process);
  EXPECT_EQ(first_minute(bench, *pilot), clean);
  EXPECT_GE(pilot->exchange_counts().repeats, testing::test_all() ? 20U : 2U);
  EXPECT_GE(pilot->exchange_counts().duplicates, 2900U);
}

}  // namespace
}  // namespace tactus
