// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The supply as a flight shows it: sag without lag, warnings at their thresholds, packs that share,
// a pulled plug, and a failsafe that comes before the brown-out.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/golden/flown.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::all_motors;
using testing::BusList;
using testing::fly_by_hand;
using testing::quiet_iris;
using testing::RowList;
using testing::spec_of;

std::vector<RowList::Row> rows_by_hand(const Spec& spec, const testing::Pilot& pilot) {
  RowList list;
  fly_by_hand(spec, pilot, {}, {&list});
  return list.rows;
}

/// Voltage under load of the same tick: V = OCV − V_rc − R0 I, and V_rc has had no time to move.
TEST(GoldenBattery, SagsAtTheTickOfTheDutyStep) {
  const Spec spec = spec_of(quiet_iris(R"(
    log.period_s = 0.01
    time = { end_s = 0.1, autopilot_s = 0.01, sensors_s = 0.01 }
  )"));
  const auto rows = rows_by_hand(
      spec, [](const Bus& bus) { return all_motors(bus.time.us < 50'000 ? 0.0 : 0.6); });
  for (const RowList::Row& row : rows) {
    const BatteryStatus& pack = row.bus.battery[0];
    if (row.time.us < 50'000) {
      EXPECT_EQ(pack.voltage_v, 12.6);
      EXPECT_EQ(pack.current_a, 0.0);
    } else {
      EXPECT_LT(pack.voltage_v, 12.0);
      EXPECT_NEAR(pack.current_a, row.bus.power.bus_current_a[0], 1e-9);
    }
    if (row.time.us == 50'000) {
      EXPECT_GT(pack.current_a, 40.0);
      EXPECT_NEAR(pack.voltage_v, 12.6 - 0.02 * pack.current_a, 1e-9);
      EXPECT_EQ(row.bus.esc[0].speed_rad_s, 0.0);  // the rotors have not moved yet
    }
  }
}

/// Flat OCV E, constant power P: V = (E + √(E² − 4 R P)) / 2 and I = P / V never change, so the
/// charge is a straight line and every threshold has its instant.
TEST(GoldenBattery, WarningsComeAtTheirThresholds) {
  const Spec spec = spec_of(quiet_iris(R"(
    log.period_s = 0.01
    time = { end_s = 8.0, autopilot_s = 0.01, sensors_s = 0.01 }
    [[pack]]
    id = "main"
    capacity_ah = 0.01
    soc0 = 0.2
    ocv_v = [12.0, 12.0]
    r0_ohm = 0.05
    rc = []
    [[bus]]
    id = "main"
    avionics_power_w = 10.0
    [[event]]
    id = "low"
    when = "battery[0].remaining below 0.15"
    do = "marker"
    [[event]]
    id = "critical"
    when = "battery[0].remaining below 0.1"
    do = "marker"
    [[event]]
    id = "emergency"
    when = "battery[0].remaining below 0.05"
    do = "marker"
  )"));
  BusList boundaries(Stage::kLog);
  RowList list;
  fly_by_hand(spec, [](const Bus&) { return Command{}; }, {&boundaries}, {&list});

  const double volt = 0.5 * (12.0 + std::sqrt(144.0 - 4.0 * 0.05 * 10.0));
  const double soc_per_us = 10.0 / volt / (0.01 * 3600.0) * 1e-6;
  double instant_us[3];
  for (int level = 0; level < 3; ++level) instant_us[level] = 0.05 * (level + 1) / soc_per_us;

  std::vector<double> found;
  for (const BusList::Entry& entry : boundaries.entries) {
    if (entry.found) found.push_back(static_cast<double>(entry.bus.time.us));
  }
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t level = 0; level < 3; ++level) EXPECT_NEAR(found[level], instant_us[level], 1.0);

  bool seen[4] = {};
  for (const RowList::Row& row : list.rows) {
    const double t_us = static_cast<double>(row.time.us);
    const auto level = std::count_if(instant_us, instant_us + 3,
                                     [t_us](double instant) { return t_us >= instant; });
    ASSERT_EQ(static_cast<int>(row.bus.battery[0].warning), level) << row.time.us;
    seen[level] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2] && seen[3]);
}

/// Kirchhoff: two packs of one voltage share as their conductances, bus voltage E − I1 R1.
TEST(GoldenBattery, PacksShareTheLoadByTheirResistance) {
  for (const double ratio : {1.0, 2.0}) {
    const Spec spec = spec_of(quiet_iris(R"(
      log.period_s = 0.01
      time = { end_s = 0.05, autopilot_s = 0.01, sensors_s = 0.01 }
      [[pack]]
      id = "main"
      rc = []
      [[pack]]
      id = "second"
      bus = "main"
      capacity_ah = 5.0
      ocv_v = [10.8, 12.6]
      rc = []
      r0_ohm = )" + std::to_string(0.02 * ratio)));
    const auto rows = rows_by_hand(spec, [](const Bus&) { return all_motors(0.5); });
    ASSERT_EQ(rows.size(), 6U);
    const Bus& first = rows.front().bus;
    EXPECT_EQ(first.battery[0].remaining, 1.0);
    EXPECT_EQ(first.battery[1].remaining, 1.0);
    EXPECT_GT(first.battery[1].current_a, 1.0);
    EXPECT_NEAR(first.battery[0].current_a / first.battery[1].current_a, ratio, 1e-9);
    EXPECT_EQ(first.battery[0].voltage_v, first.battery[1].voltage_v);
    EXPECT_NEAR(first.power.bus_v[0], 12.6 - 0.02 * first.battery[0].current_a, 1e-9);
    const Bus& last = rows.back().bus;
    EXPECT_NEAR((1.0 - last.battery[0].remaining) / (1.0 - last.battery[1].remaining), ratio,
                ratio == 1.0 ? 1e-9 : 1e-3);
  }
}

TEST(GoldenBattery, APulledPlugHasNoVoltageAtThatInstant) {
  const Spec spec = spec_of(quiet_iris(R"(
    log.period_s = 0.005
    time = { end_s = 0.1, autopilot_s = 0.01, sensors_s = 0.01 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -50.0], rotor_speed_rad_s = 218.0 }
    [[event]]
    id = "plug"
    at_s = 0.055
    do = "pack_disconnect"
    pack = "main"
  )"));
  const auto rows = rows_by_hand(spec, [](const Bus&) { return all_motors(0.585); });
  ASSERT_EQ(rows.size(), 21U);
  for (const RowList::Row& row : rows) {
    const BatteryStatus& pack = row.bus.battery[0];
    const bool pulled = row.time.us >= 55'000;
    EXPECT_EQ(pack.connected, !pulled) << row.time.us;
    EXPECT_EQ(pack.voltage_v == 0.0, pulled);
    EXPECT_EQ(pack.current_a == 0.0, pulled);
    EXPECT_EQ(row.bus.power.bus_v[0] == 0.0, pulled);
    EXPECT_EQ(row.bus.esc[2].current_a == 0.0, pulled);
  }
  EXPECT_EQ(rows.back().bus.battery[0].remaining, rows[11].bus.battery[0].remaining);
  EXPECT_LT(rows.back().bus.esc[2].speed_rad_s, 0.9 * rows[11].bus.esc[2].speed_rad_s);
}

constexpr char kNearlyEmpty[] = R"(
  extends = "../aircraft/iris.toml"
  time = { end_s = 150.0 }
  log.period_s = 0.0
  autopilot = { mission = "", takeoff_height_m = 8.0 }
  [wind]
  mean_ned_m_s = [3.0, 0.0, 0.0]
  [[pack]]
  id = "main"
  soc0 = 0.06
  low_soc = 0.045
  critical_soc = 0.04
  emergency_soc = 0.01
  [[event]]
  id = "start"
  do = "takeoff"
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

bool browned_out(const BusList& flight) {
  return std::any_of(flight.notes.begin(), flight.notes.end(), [](const Note& note) {
    return std::string(note.what).find("brown-out") != std::string::npos;
  });
}

TEST(GoldenBattery, TheFailsafeLandsBeforeTheBrownOut) {
  Assembly flight = assemble(spec_of(kNearlyEmpty));
  BusList boundaries(Stage::kLog);
  const FlightOutcome outcome = testing::fly_spec(flight, {&boundaries});
  EXPECT_EQ(outcome.end, FlightEnd::kLanded) << outcome.crash_message;
  EXPECT_FALSE(browned_out(boundaries));

  // Levels in their order, each at the first tick of the autopilot that can know of it.
  std::vector<Failsafe> levels{Failsafe::kNone};
  double charge_at_tick = 1.0;
  for (const BusList::Entry& entry : boundaries.entries) {
    const Bus& bus = entry.bus;
    if (bus.autopilot.failsafe != levels.back()) {
      levels.push_back(bus.autopilot.failsafe);
      const double threshold = bus.autopilot.failsafe == Failsafe::kBatteryLow ? 0.045 : 0.04;
      EXPECT_LE(bus.battery[0].remaining, threshold);
      EXPECT_GT(charge_at_tick, threshold - 1e-5);
      EXPECT_EQ(bus.autopilot.mode, bus.autopilot.failsafe == Failsafe::kBatteryLow
                                        ? FlightMode::kReturn
                                        : FlightMode::kLand);
    }
    if (entry.due.on(Axis::kAutopilot)) charge_at_tick = bus.battery[0].remaining;
    if (levels.size() == 3 && !bus.autopilot.armed) break;
  }
  EXPECT_EQ(levels, (std::vector<Failsafe>{Failsafe::kNone, Failsafe::kBatteryLow,
                                           Failsafe::kBatteryCritical}));
}

/// The opposite: a vehicle that ignores the warnings falls.
TEST(GoldenBattery, WithoutTheFailsafeItBrownsOutAndFalls) {
  Spec spec = spec_of(kNearlyEmpty);
  spec.builtin.low_battery_action = BatteryAction::kNone;
  spec.builtin.critical_battery_action = BatteryAction::kNone;
  Assembly flight = assemble(spec);
  BusList boundaries(Stage::kLog);
  const FlightOutcome outcome = testing::fly_spec(flight, {&boundaries});
  EXPECT_TRUE(outcome.crashed());
  EXPECT_TRUE(browned_out(boundaries));
}

}  // namespace
}  // namespace tactus
