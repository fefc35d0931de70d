// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What events do and for how long: signals, durations to the microsecond, composition.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/scenario_player.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

TEST(Gust, LastsExactlyItsDurationAndOverlapsAddUp) {
  Player player({at_time("a", 5'003, wind({3, 0, 0}, 30'000)),
                 at_time("b", 20'000, wind({0.1, 0, 0}, 40'000)),
                 at_time("c", 20'000, wind({0.2, 1, 0}, 10'000))});
  player.play();
  EXPECT_EQ(player.changes(wind_north), (Times{5'003, 20'000, 30'000, 35'003, 60'000}));
  for (const Bus& seen : player.seen) {
    const std::uint64_t t = seen.time.us;
    double sum = t >= 5'003 && t < 35'003 ? 3.0 : 0.0;
    if (t >= 20'000 && t < 60'000) sum += 0.1;
    if (t >= 20'000 && t < 30'000) sum += 0.2;
    EXPECT_EQ(wind_north(seen), sum) << t;  // nothing is left over, to the bit
  }
}

TEST(Gust, StepWithoutDurationStaysAndAdds) {
  Player player({at_time("a", 1'000, wind({1, 0, 0})), at_time("b", 2'000, wind({2, 0, 0})),
                 at_time("c", 3'000, wind({4, 0, 0}, 1'000))});
  player.play();
  EXPECT_EQ(player.changes(wind_north), (Times{1'000, 2'000, 3'000, 4'000}));
  EXPECT_EQ(player.bus.disturbance.wind_W_m_s.x, 3.0);
}

TEST(Faults, ComposeAndEndByThemselves) {
  Player player(
      {at_time("a", 1'000, lasting(plain(ActionKind::kMotorOff, "rear_left"), 5'000)),
       at_time("b", 3'000, lasting(plain(ActionKind::kMotorOff, "rear_left"), 9'000)),
       at_time("c", 1'000, plain(ActionKind::kThrustLoss, "front_right", 0.25)),
       at_time("d", 2'000, lasting(plain(ActionKind::kThrustLoss, "front_right", 0.5), 1'000))});
  player.play();
  EXPECT_EQ(player.changes(off_mask), (Times{1'000, 12'000}));
  const auto scale = [](const Bus& bus) { return bus.faults.thrust_scale[0]; };
  EXPECT_EQ(player.changes(scale), (Times{1'000, 2'000, 3'000}));
  EXPECT_EQ(scale(player.bus), 0.75);
}

TEST(Faults, ReachTheirSignals) {
  Action late = plain(ActionKind::kMotorDelay, "front_right");
  late.delay = DurationUs(20'000);
  Action old = plain(ActionKind::kEstimatorDelay);
  old.delay = DurationUs(40'000);
  Action bias = plain(ActionKind::kEstimatorBias, "attitude");
  bias.vector = {0, 0, 0.1};
  Player player({at_time("1", 0, plain(ActionKind::kMotorStuck, "rear_right", 0.4)),
                 at_time("2", 0, plain(ActionKind::kRotorJam, "rear_left")), at_time("3", 0, late),
                 at_time("4", 0, plain(ActionKind::kPackDisconnect, "spare")),
                 at_time("5", 0, plain(ActionKind::kPackResistance, "main", 3.0)),
                 at_time("6", 0, plain(ActionKind::kPackCellDrop, "main", 3.7)),
                 at_time("7", 0, plain(ActionKind::kServoStuck, "1", -0.5)),
                 at_time("8", 0, plain(ActionKind::kSensorFail, "gps")), at_time("9", 0, bias),
                 at_time("10", 0, bias), at_time("11", 0, old)});
  player.step();
  const Faults& faults = player.bus.faults;
  EXPECT_EQ(faults.motor_stuck_mask, 8U);
  EXPECT_EQ(faults.motor_stuck[3], 0.4);
  EXPECT_EQ(faults.rotor_jam_mask, 2U);
  EXPECT_EQ(faults.motor_delay_us[0], 20'000U);
  EXPECT_TRUE(faults.pack[0].connected);
  EXPECT_FALSE(faults.pack[1].connected);
  EXPECT_EQ(faults.pack[0].resistance_scale, 3.0);
  EXPECT_EQ(faults.pack[0].voltage_offset_v, -3.7);
  EXPECT_EQ(faults.servo_stuck_mask, 2U);
  EXPECT_EQ(faults.servo_stuck[1], -0.5);
  EXPECT_EQ(faults.estimator.sensor_mask, sensor_bit(SensorBit::kGps));
  EXPECT_EQ(faults.estimator.attitude_bias_rad.z, 0.2);
  EXPECT_EQ(faults.estimator.extra_delay_us, 40'000U);
}

TEST(Faults, RestoreClearsWhatStands) {
  Action intermittent = plain(ActionKind::kMotorIntermittent, "front_left");
  intermittent.off = DurationUs(1'000);
  intermittent.on = DurationUs(1'000);
  Player player({at_time("1", 0, intermittent),
                 at_time("2", 0, plain(ActionKind::kMotorStuck, "front_left", 0.4)),
                 at_time("3", 0, lasting(plain(ActionKind::kThrustLoss, "front_left", 1), 50'000)),
                 at_time("4", 0, plain(ActionKind::kMotorOff, "rear_left")),
                 at_time("5", 0, plain(ActionKind::kPackDisconnect, "main")),
                 at_time("6", 0, plain(ActionKind::kServoStuck, "0", 1)),
                 at_time("7", 0, plain(ActionKind::kSensorFail, "barometer")),
                 at_time("8", 0, plain(ActionKind::kSensorFail, "estimator_freeze")),
                 at_time("9", 4'000, plain(ActionKind::kMotorRestore, "front_left")),
                 at_time("10", 5'000, plain(ActionKind::kPackReconnect, "main")),
                 at_time("11", 5'000, plain(ActionKind::kServoRestore, "0")),
                 at_time("12", 5'000, plain(ActionKind::kSensorRestore, "barometer"))});
  player.play();
  Faults left;
  left.motor_off_mask = 2U;
  left.estimator.sensor_mask = sensor_bit(SensorBit::kEstimatorFreeze);
  EXPECT_FALSE(first_difference(player.bus.faults, left));
  // At 4 ms it would have gone off again.
  EXPECT_EQ(player.changes(off_mask), (Times{0, 1'000, 2'000, 3'000}));
}

TEST(Faults, IntermittentFollowsItsPatternFromItsStart) {
  Action action = lasting(plain(ActionKind::kMotorIntermittent, "front_right"), 20'500);
  action.off = DurationUs(3'000);
  action.on = DurationUs(7'000);
  Player player({at_time("a", 1'234, action)});
  player.play();
  EXPECT_EQ(player.changes(off_mask), (Times{1'234, 4'234, 11'234, 14'234, 21'234, 21'734}));
}

TEST(Commands, AreLevelsWithACount) {
  Player player({at_time("arm", 1'000, plain(ActionKind::kArm)),
                 at_time("go", 1'000, plain(ActionKind::kMission)),
                 at_time("rtl", 50'000, plain(ActionKind::kReturn)),
                 at_time("stop", 60'500, plain(ActionKind::kEnd))});
  player.play();
  EXPECT_EQ(player.changes([](const Bus& b) { return b.high_level.count; }),
            (Times{1'000, 50'000}));
  EXPECT_TRUE(player.bus.high_level.armed);
  EXPECT_EQ(player.bus.high_level.mode, FlightMode::kReturn);
  EXPECT_EQ(player.bus.high_level.count, 3U);
  EXPECT_EQ(player.bus.time.us, 60'500U);
}

TEST(Parameters, EachIsLeftForATickOfTheAutopilot) {
  Player player({at_time("a", 5'000, plain(ActionKind::kParameter, "cruise_speed_m_s", 3)),
                 at_time("b", 5'000, plain(ActionKind::kParameter, "climb_speed_m_s", 4)),
                 at_time("c", 6'000, plain(ActionKind::kParameter, "cruise_speed_m_s", 5))});
  player.play();
  std::vector<double> read;
  std::uint32_t count = 0;
  for (const Bus& seen : player.seen) {  // an autopilot that reads at its ticks
    if (seen.time.us % 10'000 != 0 || seen.parameter.count == count) continue;
    EXPECT_EQ(seen.parameter.count, count + 1) << "one was lost";
    count = seen.parameter.count;
    read.push_back(seen.parameter.value);
  }
  EXPECT_EQ(read, (std::vector<double>{3, 4, 5}));
}

}  // namespace
}  // namespace tactus
