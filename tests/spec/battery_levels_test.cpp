// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// needs: double_px4_library

// Levels of the battery: those of the packs against those of PX4 and ArduPilot, and what the PX4
// library does when our packs pass them (a real PX4: px4_battery_real_test.cpp).

#include "tactus/spec/vehicle/battery_levels.h"
#include "tactus/flight/external/external_autopilots.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/golden/flown.h"
#include "tests/support/battery_chronicle.h"
#include "tests/support/px4_library_bench.h"

namespace tactus {
namespace {

using Notes = std::vector<std::string>;
using testing::BatteryChronicle;
using testing::fly_spec;
using testing::spec_of;

Spec iris(const std::string& more) {
  return spec_of("extends = \"../aircraft/iris.toml\"\n" + more);
}

Notes notes_of(const std::string& more, AutopilotKind autopilot = AutopilotKind::kPx4Sitl) {
  Spec spec = iris(more);
  spec.autopilot = autopilot;
  return battery_level_notes(spec, autopilot);
}

const std::string kGiven = "[autopilot.outside]\nparameters = ";

TEST(BatteryLevels, ThoseOfThePacksNeedNoNote) {
  EXPECT_EQ(notes_of(""), Notes());
  EXPECT_EQ(notes_of("", AutopilotKind::kArdupilot), Notes());
  // The same in single precision, as PX4 holds it; and what has nothing to do with it.
  EXPECT_EQ(notes_of(kGiven + "\"BAT_LOW_THR=0.150000001, BAT_N_CELLS=3\""), Notes());
  EXPECT_EQ(notes_of(kGiven + "\"BAT_LOW_THR=0.3\"", AutopilotKind::kBuiltin), Notes());
}

TEST(BatteryLevels, OthersOfPx4AreNamed) {
  const std::string effect =
      "PX4 acts at its own level, battery[].warning follows the pack's; change pack.main.";
  EXPECT_EQ(notes_of(kGiven + "\"BAT_LOW_THR=0.3, BAT_CRIT_THR=0.07, BAT_EMERGEN_THR=0.04\""),
            (Notes{"BAT_CRIT_THR = 0.07, given by autopilot.outside.parameters, is not "
                   "pack.main.critical_soc = 0.1: " +
                       effect + "critical_soc instead, for both",
                   "BAT_EMERGEN_THR = 0.04, given by autopilot.outside.parameters, is not "
                   "pack.main.emergency_soc = 0.05: " +
                       effect + "emergency_soc instead, for both",
                   "BAT_LOW_THR = 0.3, given by autopilot.outside.parameters, is not "
                   "pack.main.low_soc = 0.15: " +
                       effect + "low_soc instead, for both"}));
  Spec spec = iris("");
  spec.autopilot = AutopilotKind::kPx4Sitl;
  Event late;
  late.id = "late";
  late.action.kind = ActionKind::kParameter;
  late.action.target = "BAT_CRIT_THR";
  late.action.value = 0.5;
  spec.events.push_back(late);
  EXPECT_EQ(battery_level_notes(spec, spec.autopilot),
            Notes{"BAT_CRIT_THR = 0.5, given by event.late, is not pack.main.critical_soc = 0.1: " +
                  effect + "critical_soc instead, for both"});
}

TEST(BatteryLevels, OnesOutsideOfPx4sOwnRangeAreNamed) {
  const std::string end = ": it flies with it, but ground stations refuse to set it";
  const std::string low = "[[pack]]\nid = \"main\"\nlow_soc = 0.11\n";
  EXPECT_EQ(notes_of(low), Notes{"pack.main.low_soc = 0.11 is outside of PX4's own range of "
                                 "BAT_LOW_THR, 0.12 to 0.5" +
                                 end});
  EXPECT_EQ(notes_of(low, AutopilotKind::kArdupilot), Notes());
  EXPECT_EQ(notes_of(low, AutopilotKind::kPx4Library), Notes()) << "it does not watch the battery";
  const Notes notes = notes_of(kGiven + "\"BAT_CRIT_THR=0.6\"");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[1],
            "BAT_CRIT_THR = 0.6, given by autopilot.outside.parameters, is outside of PX4's own "
            "range of BAT_CRIT_THR, 0.05 to 0.5" +
                end);
}

TEST(BatteryLevels, TheLibraryGoesByThePack) {
  EXPECT_EQ(notes_of(kGiven + "\"BAT_LOW_THR=0.3\"", AutopilotKind::kPx4Library),
            Notes{"BAT_LOW_THR = 0.3, given by autopilot.outside.parameters, is not "
                  "pack.main.low_soc = 0.15: PX4's library does not watch the battery, so the "
                  "pack's level counts; change pack.main.low_soc instead, for both"});
}

TEST(BatteryLevels, OthersOfArdupilotAreNamed) {
  Spec spec = iris(kGiven + "\"BATT_LOW_MAH=100, BATT_CRT_MAH=100\"");
  spec.autopilot = AutopilotKind::kArdupilot;
  const double capacity_mah = 1e3 * multirotor_of(spec).power.pack[0].capacity_ah;
  // A file of the user wins, and says what the pack says.
  spec.external.ardupilot_given = {{"BATT_CRT_MAH", 0.1 * capacity_mah}};
  const Notes notes = battery_level_notes(spec, spec.autopilot);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("BATT_LOW_MAH = 100, given by autopilot.outside.parameters, is not the "),
            0U)
      << notes[0];
}

TEST(BatteryLevels, PacksWithLevelsOfTheirOwnAreNamed) {
  Spec spec = spec_of("extends = \"../aircraft/heavy.toml\"");
  ASSERT_EQ(battery_level_notes(spec, AutopilotKind::kPx4Sitl), Notes());
  multirotor_of(spec).power.pack[1].low_soc = 0.25;
  const Notes notes = battery_level_notes(spec, AutopilotKind::kPx4Sitl);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find(".low_soc = 0.25 is not pack."), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("PX4 has one BAT_LOW_THR for all packs"), std::string::npos) << notes[0];
  EXPECT_EQ(battery_level_notes(spec, AutopilotKind::kPx4Library), Notes()) << "the worst counts";
}

TEST(BatteryLevels, LevelsWithinAPercentMayBeOneForPx4) {
  EXPECT_EQ(notes_of("[[pack]]\nid = \"main\"\nlow_soc = 0.160\ncritical_soc = 0.152\n"),
            Notes{"pack.main.low_soc = 0.16 and pack.main.critical_soc = 0.152 are less than a "
                  "percent apart, and PX4 gets the charge in whole percent: it may take them for "
                  "one"});
  EXPECT_EQ(notes_of("[[pack]]\nid = \"main\"\nlow_soc = 0.160\ncritical_soc = 0.152\n" + kGiven +
                     "\"BAT_LOW_THR=0.3\"")
                .size(),
            1U)
      << "told apart by then";
  EXPECT_EQ(notes_of("[[pack]]\nid = \"main\"\nlow_soc = 0.13\ncritical_soc = 0.12\n"), Notes());
}

TEST(BatteryLevels, TheFlightReportsThem) {
  Spec spec = iris("sensors = { fitted = true }\n" + kGiven + "\"BAT_CRIT_THR=0.3\"");
  spec.autopilot = AutopilotKind::kPx4Sitl;
  spec.external.wait = true;  // for one that is never started
  const Assembly flight = assemble(spec, {.external = external_autopilots()});
  ASSERT_EQ(flight.notes.size(), 1U);
  EXPECT_EQ(flight.notes[0].find("BAT_CRIT_THR = 0.3, given by autopilot.outside.parameters"), 0U);
}

// ---- what PX4 does

/// In the air, with a pack that passes all its levels within seconds.
Spec falling_charge() {
  Spec spec = iris(R"(
    time = { end_s = 12.0, autopilot_s = 0.004 }
    wind = { turbulence = "none" }
    estimator = { kind = "truth" }
    autopilot = { mission = "" }
    initial = { on_ground = false, position_ned_m = [0, 0, -60], rotor_speed_rad_s = 600 }
    [[pack]]
    id = "main"
    capacity_ah = 0.2
    soc0 = 0.22
    low_soc = 0.20
    critical_soc = 0.16
    emergency_soc = 0.12
    [[event]]
    id = "arm"
    at_s = 0.0
    [[event]]
    id = "start"
    at_s = 0.0
    do = "hold"
    [[expect]]
    id = "complete"
    remove = true
    [[expect]]
    id = "land"
    remove = true
  )");
  spec.autopilot = AutopilotKind::kPx4Library;
  spec.external.px4_library.library = testing::px4_double();
  return spec;
}

TEST(BatteryReaction, ThePx4LibraryGoesHomeAtCriticalAndLandsInAnEmergency) {
  for (const int action : {3, 2, 0}) {
    Spec spec = falling_charge();
    spec.external.px4_library.com_low_bat_act = action;
    Assembly flight = assemble(spec, {.external = external_autopilots()});
    BatteryChronicle seen;
    fly_spec(flight, {&seen});
    ASSERT_TRUE(seen.at(BatteryWarning::kEmergency)) << "the pack was not drained";
    const TimeUs low = *seen.at(BatteryWarning::kLow);
    const TimeUs critical = *seen.at(BatteryWarning::kCritical);
    const TimeUs emergency = *seen.at(BatteryWarning::kEmergency);
    EXPECT_LT(low, critical);
    EXPECT_LT(critical, emergency);
    const auto after = [&](TimeUs when) { return seen.mode_at(when + DurationUs(8'000)); };
    EXPECT_EQ(after(low), FlightMode::kHold);
    EXPECT_EQ(after(critical), action == 3   ? FlightMode::kReturn
                               : action == 2 ? FlightMode::kLand
                                             : FlightMode::kHold);
    EXPECT_EQ(after(emergency), action == 0 ? FlightMode::kHold : FlightMode::kLand);
  }
}

}  // namespace
}  // namespace tactus
