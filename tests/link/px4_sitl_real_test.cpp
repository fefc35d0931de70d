// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The link with a real PX4 SITL, if there is one: TACTUS_PX4_SITL_BIN names its program, and
// TACTUS_PX4_SITL_ROMFS its start-up scripts (the folder etc of its build) if they are elsewhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/link/px4/px4_sitl.h"
#include "tests/support/hil_quad.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::HilQuad;
using Clock = std::chrono::steady_clock;

class Px4SitlReal : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* binary = std::getenv("TACTUS_PX4_SITL_BIN");
    if (binary == nullptr) GTEST_SKIP() << "TACTUS_PX4_SITL_BIN is not set: no real PX4 was flown";
    parameters.binary = binary;
    if (const char* romfs = std::getenv("TACTUS_PX4_SITL_ROMFS")) parameters.romfs = romfs;
    parameters.instance = 7;
  }
  Px4SitlParameters parameters;
};

struct Flight {
  explicit Flight(const Px4SitlParameters& parameters,
                  std::shared_ptr<const Mission> mission = nullptr)
      : autopilot(parameters, {},
                  {.parameters = {{"SIM_BAT_DRAIN", 0.0, false, ""}},
                   .changeable = {},
                   .mission = std::move(mission),
                   .home = {},
                   .sensors = {}}) {
    quad.battery[0].voltage_v = 15.8;
    quad.battery[0].remaining = 0.9;
  }

  bool step() {
    autopilot.step(quad.input(), output);
    std::vector<Note> notes;
    autopilot.take_notes(notes);
    for (const Note& note : notes) {
      const std::string line = to_text(note.time) + " " + note.what;
      // What it says itself, and not how the link fares.
      EXPECT_NE(line.find("PX4: "), std::string::npos) << line;
      said += "\n" + line;
    }
    std::vector<ExternalBytes> received;
    autopilot.take_external_bytes(received);
    drives.insert(drives.end(), output.command.motor, output.command.motor + 4);
    quad.advance(output.command);
    highest_m = std::max(highest_m, quad.height_m());
    return true;
  }
  /// Up to so many seconds, until the condition holds.
  template <class Condition>
  bool until(double seconds, Condition condition) {
    const TimeUs end = quad.now + duration_from_seconds(seconds, "test");
    while (quad.now < end) {
      step();
      if (condition()) return true;
    }
    return false;
  }
  void want(bool armed, FlightMode mode) {
    quad.high_level = {armed, mode, quad.high_level.count + 1};
  }
  [[nodiscard]] std::string texts() const { return autopilot.pilot().refusal() + said; }

  void take_off_and_land() {
    want(true, FlightMode::kTakeoff);
    ASSERT_TRUE(until(20.0, [this] { return output.status.armed; })) << texts();
    armed_at = quad.now;
    ASSERT_TRUE(until(15.0, [this] { return quad.height_m() > 1.5; })) << texts();
    until(3.0, [] { return false; });
    want(true, FlightMode::kLand);
    ASSERT_TRUE(until(30.0, [this] { return !output.status.armed; })) << texts();
  }

  Px4Sitl autopilot;
  HilQuad quad;
  AutopilotOutput output;
  std::string said;
  std::vector<double> drives;
  double highest_m = 0.0;
  TimeUs armed_at;
};

TEST_F(Px4SitlReal, BootsArmsTakesOffLandsAndDisarms) {
  Flight flight(parameters);
  const auto start = Clock::now();
  flight.take_off_and_land();
  // Asked for 2.5 m, it sometimes holds where it comes within its acceptance radius of 0.8 m.
  EXPECT_NEAR(flight.highest_m, 2.2, 0.7);
  EXPECT_LT(flight.quad.height_m(), 0.05);
  const double wall_s = std::chrono::duration<double>(Clock::now() - start).count();
  std::cout << "armed at t = " << to_text(flight.armed_at) << ", " << to_text(flight.quad.now)
            << " simulated in " << wall_s << " s, highest " << flight.highest_m << " m"
            << flight.texts() << "\n";
}

// Wanted from the first step on, long before PX4 knows where it is. Its landings need a home.
TEST_F(Px4SitlReal, FliesAMissionToItsEndAndLands) {
  const auto mission =
      std::make_shared<Mission>(parse_mission("QGC WPL 110\n"
                                              "0 0 3 22 0 0 0 nan 47.397742 8.545594 5 1\n"
                                              "1 0 3 16 0 2 0 nan 47.397832 8.545594 5 1\n"
                                              "2 0 3 21 0 0 0 nan 47.397742 8.545594 0 1\n",
                                              "short.waypoints"));
  Flight flight(parameters, mission);
  flight.want(true, FlightMode::kMission);
  ASSERT_TRUE(flight.until(20.0, [&] { return flight.output.status.armed; })) << flight.texts();
  ASSERT_TRUE(flight.until(60.0, [&] { return !flight.output.status.armed; })) << flight.texts();
  flight.until(2.0, [] { return false; });
  EXPECT_TRUE(flight.output.status.mission_finished);
  EXPECT_EQ(flight.output.status.items_reached, 3);
  EXPECT_NEAR(flight.highest_m, 5.0, 0.6);
  EXPECT_LT(flight.quad.height_m(), 0.05);
}

/// Also when PX4 stands still for a while.
TEST_F(Px4SitlReal, FlightsAreIdentical) {
  std::vector<double> first;
  const int flights = testing::test_all() ? 10 : 2;
  for (int i = 0; i < flights; ++i) {
    Flight flight(parameters);
    flight.until(2.0, [] { return false; });
    const pid_t pid = flight.autopilot.process()->pid();
    std::thread pause;
    if (i == 1) {
      pause = std::thread([pid] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        ::kill(pid, SIGSTOP);
        std::this_thread::sleep_for(std::chrono::seconds(2));
        ::kill(pid, SIGCONT);
      });
    }
    flight.take_off_and_land();
    if (pause.joinable()) pause.join();
    EXPECT_TRUE(flight.autopilot.warnings().empty());
    if (i == 0) first = flight.drives;
    const auto [a, b] =
        std::mismatch(first.begin(), first.end(), flight.drives.begin(), flight.drives.end());
    EXPECT_TRUE(a == first.end() && b == flight.drives.end())
        << "flight " << i << " differs from step " << (a - first.begin()) / 4 << " of "
        << first.size() / 4 << " and " << flight.drives.size() / 4;
  }
}

TEST_F(Px4SitlReal, KilledInFlightItIsNamed) {
  Flight flight(parameters);
  flight.until(1.0, [] { return false; });
  ::kill(flight.autopilot.process()->pid(), SIGKILL);
  try {
    flight.until(1.0, [] { return false; });
    FAIL() << "it was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kPeer);
    EXPECT_NE(std::string(error.what()).find("was ended by signal 9"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tactus
