// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The PX4 library autopilot on the real libpx4_lockstep.so, named by TACTUS_PX4_LOCKSTEP_LIB.
// Without it every test is skipped and says so.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/link/px4/px4_library.h"
#include "tests/support/px4_library_bench.h"

/// Under the address sanitizer: PX4 leaks some kilobytes per flight, which is not ours to mend.
extern "C" const char* __lsan_default_suppressions();  // NOLINT: name of the sanitizer
extern "C" const char* __lsan_default_suppressions() { return "leak:libpx4-\n"; }  // NOLINT

namespace tactus {
namespace {

using Bench = testing::Px4LibraryBench;
using testing::simple_mission_text;

class RealPx4 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::real_px4_library().empty()) {
      GTEST_SKIP() << "TACTUS_PX4_LOCKSTEP_LIB is not set: the path of libpx4_lockstep.so";
    }
  }

  static Px4LibraryParameters real() {
    Px4LibraryParameters parameters;
    parameters.library = testing::real_px4_library();
    return parameters;
  }

  static std::vector<Bench::Row> fly_simple(double seconds) {
    Bench bench(real(), simple_mission_text());
    bench.fly_mission(seconds);
    return bench.rows;
  }
};

/// A waypoint with a long hold, 10 m up.
std::string waypoint_at(const Geodetic& place) {
  return "1 0 3 16 600 2 0 nan " + format_double(place.lat_deg) + " " +
         format_double(place.lon_deg) + " 10 1\n";
}

bool printed(Bench& bench, const std::string& part) {
  const std::vector<std::string> lines = bench.autopilot().console();
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

double distance_m(const Bench& bench, Vec3 place) {
  return math::hypot(bench.quad.position_m.x - place.x, bench.quad.position_m.y - place.y);
}

TEST_F(RealPx4, FliesTheRecordedMissionAtTheRecordedTimes) {
  Px4LibraryParameters parameters = real();
  parameters.navigator_rate_hz = 20;  // as in the recorded flight
  parameters.position_rate_hz = 100;
  parameters.allow_rate_mismatch = true;
  Bench bench(parameters, simple_mission_text());
  bench.fly_mission(72.0);
  EXPECT_EQ(bench.autopilot().warnings().size(), 2u);
  const double recorded_s[] = {14.6, 20.6, 27.4, 36.3, 43.2, 51.2, 58.0};
  ASSERT_EQ(bench.item_times_s.size(), 8u);
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(bench.item_times_s[static_cast<std::size_t>(i)], recorded_s[i], 0.5) << i;
  }
  // PX4 was not told of the contact then, and let go of its thrust more slowly.
  EXPECT_NEAR(bench.landed_at_s, 67.6, 1.0);
  EXPECT_LT(distance_m(bench, {}), 0.1);
  EXPECT_TRUE(bench.output.status.mission_finished);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_TRUE(printed(bench, "Mission finished, landed"));
}

TEST_F(RealPx4, RepeatsBitForBit) {
  const std::vector<Bench::Row> first = fly_simple(70.0);
  EXPECT_TRUE(first == fly_simple(70.0));
  EXPECT_TRUE(first == fly_simple(70.0));
}

TEST_F(RealPx4, TwoInOneProcessEqualTwoAlone) {
  Bench a(real(), simple_mission_text());
  Bench b(real(), simple_mission_text());
  for (int i = 0; i < 10'000; ++i) {
    if (i == 250) a.send_order(true, FlightMode::kNone);
    if (i == 500) a.send_order(true, FlightMode::kMission);
    if (i == 750) b.send_order(true, FlightMode::kTakeoff);
    a.tick();
    b.tick();
  }
  EXPECT_TRUE(a.rows == fly_simple(40.0));
  EXPECT_FALSE(a.rows == b.rows);
}

TEST_F(RealPx4, TheSameInputsGiveTheSameMotors) {
  struct Seen {
    Estimate estimate;
    LandStatus land;
    HighLevelCommand order;
  };
  std::vector<Seen> seen;
  Bench flown(real(), simple_mission_text());
  while (flown.now_us < 70'000'000) {
    if (flown.now_us == 1'000'000) flown.send_order(true, FlightMode::kNone);
    if (flown.now_us == 2'000'000) flown.send_order(true, FlightMode::kMission);
    flown.tick();
    seen.push_back({flown.estimate, flown.land, flown.order});
  }
  Bench replayed(real(), simple_mission_text());
  replayed.estimate_moves = false;
  for (const Seen& each : seen) {
    replayed.estimate = each.estimate;
    replayed.land = each.land;
    replayed.order = each.order;
    replayed.tick();
  }
  EXPECT_TRUE(flown.rows == replayed.rows);
}

TEST_F(RealPx4, ArrivesWhereTheWaypointTrulyIs) {
  // 200 m away PX4's own metres are off by more than half of one.
  const Vec3 place{150.0, 130.0, 0.0};
  const Geodetic there = ned_to_geodetic(make_local_frame({}), place);
  Bench bench(real(),
              "QGC WPL 110\n0 1 3 22 0 0 0 nan 47.397742 8.545594 10 1\n" + waypoint_at(there));
  bench.fly_mission(75.0);
  EXPECT_EQ(bench.output.status.items_reached, 1);  // holds at the second
  EXPECT_LT(distance_m(bench, place), 0.1);
}

TEST_F(RealPx4, TakesOffHoldsAndLands) {
  Bench bench(real());
  bench.fly_until(0.5);
  EXPECT_EQ(bench.output.command.motor[0], 0.0);
  bench.send_order(true, FlightMode::kTakeoff);
  bench.fly_until(15.0);
  EXPECT_NEAR(bench.quad.position_m.z, -2.5, 0.3);
  bench.send_order(true, FlightMode::kHold);
  bench.fly_until(25.0);
  EXPECT_EQ(bench.output.status.mode, FlightMode::kHold);
  EXPECT_NEAR(bench.quad.position_m.z, -2.5, 0.3);
  bench.send_order(true, FlightMode::kLand);
  bench.fly_until(35.0);
  EXPECT_TRUE(bench.quad.on_ground);
  EXPECT_FALSE(bench.output.status.armed);
}

TEST_F(RealPx4, ReturnsWhenOrdered) {
  Bench bench(real(), simple_mission_text());
  bench.fly_mission(30.0);
  EXPECT_GT(distance_m(bench, {}), 5.0);
  bench.send_order(true, FlightMode::kReturn);
  bench.fly_until(200.0);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_LT(distance_m(bench, {}), 0.5);
}

TEST_F(RealPx4, ACriticalBatteryBringsItHome) {  // golden test 11b, the reaction
  Bench bench(real(), simple_mission_text());
  bench.fly_mission(30.0);
  bench.battery[0].warning = BatteryWarning::kLow;
  bench.fly_until(31.0);
  EXPECT_EQ(bench.output.status.mode, FlightMode::kMission);
  bench.battery[0].warning = BatteryWarning::kCritical;
  bench.fly_until(31.1);
  EXPECT_EQ(bench.output.status.mode, FlightMode::kReturn);
  EXPECT_EQ(bench.output.status.failsafe, Failsafe::kBatteryCritical);
  bench.fly_until(200.0);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_LT(distance_m(bench, {}), 0.5);
}

TEST_F(RealPx4, AnEmergencyLandsItWhereItIs) {
  Bench bench(real(), simple_mission_text());
  bench.fly_mission(30.0);
  bench.battery[0].warning = BatteryWarning::kEmergency;
  bench.fly_until(30.1);
  EXPECT_EQ(bench.output.status.mode, FlightMode::kLand);
  bench.fly_until(60.0);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_GT(distance_m(bench, {}), 3.0);
}

TEST_F(RealPx4, WithoutPositionItDescends) {
  Bench bench(real(), simple_mission_text());
  bench.fly_mission(25.0);
  bench.estimate.horizontal_valid = false;
  bench.fly_until(25.1);
  EXPECT_EQ(bench.output.status.failsafe, Failsafe::kEstimatorLost);
  bench.fly_until(60.0);
  EXPECT_TRUE(bench.quad.on_ground);
  EXPECT_FALSE(bench.output.status.armed);
}

TEST_F(RealPx4, AReturnItemOfTheMissionReturns) {
  Bench bench(real(),
              "QGC WPL 110\n0 1 3 22 0 0 0 nan 47.397742 8.545594 8 1\n"
              "1 0 3 16 0 2 0 nan 47.397842 8.545694 8 1\n"
              "2 0 2 20 0 0 0 0 0 0 0 1\n");
  bench.fly_mission(200.0);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_LT(distance_m(bench, {}), 0.5);
}

TEST_F(RealPx4, ARejectedMissionIsAnErrorWithWhatPx4Said) {
  Bench bench(real(),
              "QGC WPL 110\n0 1 3 22 0 0 0 0 47.397742 8.545594 -5 1\n"
              "1 0 3 16 0 2 0 0 47.397842 8.545694 8 1\n");
  try {
    bench.fly_until(2.0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("PX4 rejects the mission"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("akeoff"), std::string::npos) << error.what();
  }
}

TEST_F(RealPx4, NothingOfItReachesOurOutput) {
  ::testing::internal::CaptureStdout();
  (void)fly_simple(20.0);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

/// Its modules read the clock and wait for 4 ms to pass; a step of a microsecond less and it
/// would skip a turn.
TEST_F(RealPx4, ComputesNewMotorsAtEveryStep) {  // golden test 2
  const std::vector<Bench::Row> rows = fly_simple(20.0);
  ASSERT_EQ(rows.size(), 5000u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].time_us - rows[i - 1].time_us, 4000u);
    if (rows[i].time_us < 15'200'000) continue;  // straight up every second one is the same
    ASSERT_NE(rows[i].motor[0], rows[i - 1].motor[0]) << rows[i].time_us;
  }
}

TEST_F(RealPx4, AnotherLayoutIsNamedWithBothHashes) {  // golden test 13
  const std::string folder = ::testing::TempDir() + "px4_real_library_test_msg";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/ActuatorMotors.msg") << "uint64 timestamp\nfloat32[12] control\n";
  Px4LibraryParameters parameters = real();
  parameters.messages = folder;
  Bench bench(parameters);
  try {
    bench.tick();
    ADD_FAILURE() << "must throw";
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const char* part : {"topic actuator_motors", "size expected", "actual 0xcabc4d45"}) {
      EXPECT_NE(message.find(part), message.npos) << message;
    }
  }
  std::filesystem::remove_all(folder);
}

TEST_F(RealPx4, WrongTimeIsAnErrorBeforeTheCall) {  // golden test 15
  for (const std::uint64_t wrong_us : {396'000u, 392'000u, 0u, 404'000u, 400'001u}) {
    Bench bench(real());
    bench.fly_until(0.4);
    bench.now_us = wrong_us;
    EXPECT_THROW(bench.tick(), Error) << wrong_us;
    bench.now_us = 400'000;
    EXPECT_NO_THROW(bench.tick()) << wrong_us;  // PX4 has not received it
  }
}

TEST_F(RealPx4, OneLoadedCopyHoldsOnePx4) {  // golden test 14
  Px4Console console;
  const auto copy = std::make_shared<const Px4Copy>(testing::real_px4_library(), console);
  const Px4Handle first(copy, {}, console);
  EXPECT_THROW(Px4Handle(copy, {}, console), Error);
}

TEST_F(RealPx4, ARestartBeginsAfresh) {
  Bench bench(real(), simple_mission_text());
  bench.fly_mission(10.0);
  bench.autopilot().restart();
  bench.tick();
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_EQ(bench.output.status.items_reached, 0);
}

}  // namespace
}  // namespace tactus
