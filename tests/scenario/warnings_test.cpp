// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tactus/engine/run.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/spec_check.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {
namespace {

std::string iris(const std::string& more) { return "extends = \"iris\"\n" + more; }

std::vector<std::string> warnings_in(const std::string& text) {
  const SpecCheck check = check_spec_text(text, "t.toml");
  for (const Error& mistake : check.mistakes) ADD_FAILURE() << mistake.what();
  return check.warnings;
}

void expect_warning(const std::string& text, const std::string& begin) {
  const std::vector<std::string> warnings = warnings_in(text);
  ASSERT_EQ(warnings.size(), 1U) << text;
  EXPECT_TRUE(warnings.front().starts_with(begin)) << warnings.front();
}

/// How many warnings hold these words.
std::ptrdiff_t warnings_about(const std::string& words, const std::string& text) {
  const std::vector<std::string> warnings = warnings_in(text);
  return std::count_if(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return warning.find(words) != std::string::npos;
  });
}

const std::string kMotorOff = "do = \"motor_off\"\nrotor = \"front_left\"\n";

std::string event(const std::string& trigger, const std::string& action = kMotorOff) {
  return "[[event]]\nid = \"x\"\n" + trigger + "\n" + action;
}

TEST(Warnings, AnEventBeyondTheEnd) {
  expect_warning(iris(event("at_s = 80.0")),
                 "t.toml:4:1: warning: event.x.at_s = 80.0: never happens: it would act at 80 s, "
                 "the run ends at 75 s");
  expect_warning(iris(event("at_s = 75.0")), "t.toml:4:1: warning: event.x.at_s");
  expect_warning(iris(event("at_step = 100000000")), "t.toml:4:1: warning: event.x.at_step");
  expect_warning(iris(event("after = \"start\"\ndelay_s = 74.0")),
                 "t.toml:4:1: warning: event.x.after = \"start\": never happens");
  expect_warning(iris(event("when = \"truth.height_m above 1\"\ndelay_s = 90.0")),
                 "t.toml:4:1: warning: event.x.when");
  EXPECT_TRUE(warnings_in(iris(event("at_s = 74.9"))).empty());
  EXPECT_TRUE(warnings_in(iris(event("at_s = 75.0", "do = \"marker\"\n"))).empty());
}

TEST(Warnings, AnEarlierEndCounts) {
  const std::string end =
      "[[event]]\nid = \"stop\"\nat_s = 30.0\ndo = \"end\"\n"
      "[[expect]]\nid = \"land\"\nby_s = 30.0\n";
  expect_warning(iris(event("at_s = 40.0") + end), "t.toml:4:1: warning: event.x.at_s = 40.0");
}

TEST(Warnings, AnEndAfterAnEventCounts) {
  const std::string end =
      "[[event]]\nid = \"stop\"\nafter = \"start\"\ndelay_s = 28.0\ndo = \"end\"\n"
      "[[expect]]\nid = \"land\"\nby_s = 30.0\n";  // start: at 2 s
  expect_warning(iris(event("at_s = 40.0") + end),
                 "t.toml:4:1: warning: event.x.at_s = 40.0: never happens: it would act at 40 s, "
                 "the run ends at 30 s");
  const std::string perhaps =
      "[[event]]\nid = \"high\"\nwhen = \"truth.height_m above 5\"\ndo = \"marker\"\n"
      "[[event]]\nid = \"stop\"\nafter = \"high\"\ndo = \"end\"\n";
  EXPECT_TRUE(warnings_in(iris(event("at_s = 40.0") + perhaps)).empty());
}

TEST(Warnings, AFaultThatIsTakenBackAtOnce) {
  const auto restore = [](const std::string& at, const std::string& rotor = "front_left") {
    return "[[event]]\nid = \"whole\"\nat_s = " + at + "\ndo = \"motor_restore\"\nrotor = \"" +
           rotor + "\"\n";
  };
  expect_warning(iris(event("at_s = 5.0") + restore("5.0")),
                 "t.toml:9:1: warning: event.whole.at_s = 5.0: ends \"x\" at the instant");
  EXPECT_TRUE(warnings_in(iris(event("at_s = 5.0") + restore("5.1"))).empty());
  EXPECT_TRUE(warnings_in(iris(restore("5.0") + event("at_s = 5.0"))).empty());
}

TEST(Warnings, OrdersWithoutAnAutopilot) {
  const std::vector<std::string> warnings = warnings_in(iris("[autopilot]\nkind = \"none\"\n"));
  ASSERT_EQ(warnings.size(), 2U);
  for (const std::string& warning : warnings) {
    EXPECT_NE(warning.find("order to the autopilot"), std::string::npos) << warning;
  }
  EXPECT_NE(warnings.front().find("event.arm.do"), std::string::npos) << warnings.front();
}

TEST(Warnings, AGustBeyondTheEnd) {
  expect_warning(iris("[[wind.gust]]\nid = \"late\"\nvelocity_ned_m_s = [1.0, 0.0, 0.0]\n"
                      "at_s = 90.0\nduration_s = 1.0\n"),
                 "t.toml:5:1: warning: wind.gust.late.at_s = 90.0: never blows");
}

TEST(Warnings, ExpectationsThatAreNeverEvaluated) {
  expect_warning(iris("[[expect]]\nid = \"e\"\nkind = \"signal_max\"\nsignal = \"truth.height_m\"\n"
                      "limit = 1.0\nfrom_s = 80.0\n"),
                 "t.toml:7:1: warning: expect.e.from_s = 80.0: is never evaluated");
  EXPECT_EQ(warnings_in(iris(event("at_s = 80.0") +
                             "[[expect]]\nid = \"e\"\nkind = \"survive\"\nevent = \"x\"\n"))
                .size(),
            2U);
  expect_warning(iris("[autopilot]\nmission = \"\"\n[[event]]\nid = \"start\"\ndo = \"takeoff\"\n"),
                 data_root() + "/aircraft/iris.toml:");
}

TEST(Warnings, AWindowThatTheRunCutsShort) {
  const std::string early = "[time]\nend_s = 20.0\n";
  EXPECT_EQ(warnings_in(iris(early)).size(), 1U);  // of iris: land by 75 s
  expect_warning(iris("[[expect]]\nid = \"land\"\nby_s = 75.1\n"),
                 "t.toml:4:1: warning: expect.land.by_s = 75.1: the run ends before that, at 75 s");
  EXPECT_TRUE(warnings_in(iris("[[expect]]\nid = \"land\"\nby_s = 74.0\n")).empty());
}

TEST(Warnings, LimitsOutOfReach) {
  const auto limit = [](const std::string& kind, const std::string& signal,
                        const std::string& value) {
    return iris("[[expect]]\nid = \"e\"\nkind = \"signal_" + kind + "\"\nsignal = \"" + signal +
                "\"\nlimit = " + value + "\n");
  };
  expect_warning(limit("max", "truth.tilt_rad", "45"),
                 "t.toml:6:1: warning: expect.e.limit = 45: holds in any flight: truth.tilt_rad "
                 "lies between 0 and 3.142 (degrees");
  expect_warning(limit("max", "command.motor[1]", "95"), "t.toml:6:1: warning: expect.e.limit");
  expect_warning(limit("min", "battery[0].remaining", "-1"), "t.toml:6:1: warning: expect.e");
  EXPECT_TRUE(warnings_in(limit("min", "battery[0].remaining", "0.2")).empty());
  EXPECT_TRUE(warnings_in(limit("min", "battery[0].voltage_v", "9.0")).empty());
  EXPECT_TRUE(warnings_in(limit("max", "truth.tilt_rad", "0.8")).empty());
  expect_warning(iris(event("when = \"truth.tilt_rad above 30\"")),
                 "t.toml:4:1: warning: event.x.when = \"truth.tilt_rad above 30\": never happens");
}

TEST(Warnings, AMissionThatNothingOrders) {
  const std::string quiet = "[[expect]]\nid = \"complete\"\nremove = true\n";
  expect_warning(iris("[[event]]\nid = \"start\"\nremove = true\n"),
                 data_root() + "/aircraft/iris.toml:");
  expect_warning(iris("[[event]]\nid = \"start\"\ndo = \"takeoff\"\n" + quiet),
                 data_root() + "/aircraft/iris.toml:");
  EXPECT_TRUE(warnings_in(iris("[autopilot]\nmission = \"\"\n"
                               "[[event]]\nid = \"start\"\ndo = \"takeoff\"\n" +
                               quiet))
                  .empty());
  EXPECT_TRUE(warnings_in(iris("[[event]]\nid = \"start\"\nremove = true\n"
                               "[autopilot.ground_station]\nenabled = true\n"))
                  .empty());
}

TEST(Warnings, FaultsThatChangeNothing) {
  expect_warning(
      iris(event("at_s = 20.0", "do = \"thrust_loss\"\nrotor = \"front_left\"\nvalue = 0\n")),
      "t.toml:7:1: warning: event.x.value = 0: thrust_loss with this value changes");
  expect_warning(iris(event("at_s = 20.0", "do = \"wind_step\"\nvector = [0, 0, 0]\n")),
                 "t.toml:6:1: warning: event.x.vector");
  expect_warning(iris(event("at_s = 20.0", "do = \"motor_restore\"\nrotor = \"front_left\"\n")),
                 "t.toml:5:1: warning: event.x.do = \"motor_restore\": changes nothing");
}

std::vector<std::string> warnings_after(const std::string& text) {
  const LoadedSpec loaded = load_spec_text(text, "t.toml");
  Assembly flight = assemble(loaded);
  Observers observers;
  observers.hooks.push_back(flight.monitor.get());
  fly(flight.run, observers);
  return warning_lines(loaded, idle_warnings_of_flight(loaded.spec, event_records(flight.run),
                                                       flight.monitor->outcome()));
}

TEST(Warnings, WhatNeverHappenedIsSaidAfterTheFlight) {
  const std::string chain = "[[event]]\nid = \"y\"\nafter = \"x\"\ndo = \"marker\"\n";
  const std::vector<std::string> warnings = warnings_after(
      iris("[time]\nend_s = 5.0\n" + event("when = \"truth.height_m above 500\"") + chain));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0],
            "t.toml:6:1: warning: event.x.when = \"truth.height_m above 500\": never happened: the "
            "condition did not come true");
  EXPECT_TRUE(warnings[1].starts_with("t.toml:11:1: warning: event.y.after = \"x\": never"))
      << warnings[1];
  EXPECT_TRUE(warnings_after(iris("[time]\nend_s = 5.0\n")).empty());
}

TEST(Warnings, ImplausibleVehicles) {
  expect_warning(iris("[[pack]]\nid = \"main\"\ncell_count = 4\n"),
                 "t.toml:4:1: warning: pack.main.cell_count = 4: the open-circuit curve is 2.45 V");
  expect_warning(
      iris("[[rotor]]\nid = \"front_left\"\nposition_body_m = [0.1515, -0.05, 0.0]\n"
           "[[rotor]]\nid = \"front_right\"\nposition_body_m = [0.1515, 0.05, 0.0]\n"),
      "t.toml:4:1: warning: rotor.front_left.position_body_m = [0.1515, -0.05, 0.0]: its "
      "propeller meets that of \"front_right\"");
  expect_warning(iris("[body]\nmass_kg = 3.0\n"),
                 "t.toml:3:1: warning: body.mass_kg = 3.0: the rotors lift");
  expect_warning(iris("[body]\ninertia_diagonal_kg_m2 = [2.9, 2.9, 5.5]\n"),
                 "t.toml:3:1: warning: body.inertia_diagonal_kg_m2");
  expect_warning(
      iris("[initial]\non_ground = false\nposition_ned_m = [0.0, 0.0, -5.0]\n"
           "[gear]\npositions_body_m = [[0.1, 0.1, -0.1], [-0.1, 0, -0.1], [0, -0.1, -0.1]]\n"),
      "t.toml:6:1: warning: gear.positions_body_m");
  expect_warning(iris("[[pack]]\nid = \"main\"\nsoc0 = 0.09\n"),
                 "t.toml:4:1: warning: pack.main.soc0 = 0.09");
  expect_warning(iris("[[pack]]\nid = \"main\"\ncapacity_ah = 0.1\n"),
                 "t.toml:4:1: warning: pack.main.capacity_ah = 0.1: 0.10 Ah last");
}

TEST(Warnings, RotorsThatCannotHoldTheAttitude) {
  std::string text = iris("");
  for (const char* id : {"front_left", "rear_right"}) {
    text += std::string("[[rotor]]\nid = \"") + id + "\"\nreaction_sign = 1\n";
  }
  expect_warning(text, data_root() + "/aircraft/iris.toml:");
  text = iris("");
  for (const char* id : {"rear_left", "rear_right"}) {
    const std::string y = std::string(id) == "rear_left" ? "-0.5" : "0.5";
    text +=
        std::string("[[rotor]]\nid = \"") + id + "\"\nposition_body_m = [0.2, " + y + ", 0.0]\n";
  }
  expect_warning(text, data_root() + "/aircraft/iris.toml:");
}

TEST(Warnings, OneRotorThatTurnsTheWrongWay) {
  for (const char* id : {"front_left", "front_right", "rear_left", "rear_right"}) {
    const char* const sign =
        std::string(id) == "front_left" || std::string(id) == "rear_right" ? "1" : "-1";
    expect_warning(
        iris(std::string("[[rotor]]\nid = \"") + id + "\"\nreaction_sign = " + sign + "\n"),
        std::string("t.toml:4:1: warning: rotor.") + id + ".reaction_sign = " + sign +
            ": the rotors' reaction torques do not balance");
  }
}

TEST(Warnings, SlipsOfAUnit) {
  expect_warning(iris("[[pack]]\nid = \"main\"\ncapacity_ah = 5000\n"),
                 "t.toml:4:1: warning: pack.main.capacity_ah = 5000: with 12.6 V");
  expect_warning(iris("[time]\nautopilot_s = 4\n"),
                 "t.toml:3:1: warning: time.autopilot_s = 4: the autopilot acts every 4 s");
  expect_warning(iris("[time]\nsensors_s = 0.1\n[estimator]\ndelay_s = 0.1\n"),
                 "t.toml:3:1: warning: time.sensors_s = 0.1: the autopilot gets");
  EXPECT_TRUE(warnings_in(iris("[time]\nautopilot_s = 0.02\n")).empty());
}

/// Two rotors on one axis, one above the other or in one model point, do not meet.
TEST(Warnings, CoaxialPairsAreNotOverlaps) {
  for (const char* below_m : {"0.05", "0.0"}) {  // apart, or in one point of the model
    std::string text = iris("");
    for (const char* id : {"front_left", "front_right", "rear_left", "rear_right"}) {
      const bool front = std::string(id).starts_with("front");
      const bool left = std::string(id).ends_with("left");
      text += std::string("[[rotor]]\nid = \"") + id + "_low\"\nposition_body_m = [" +
              (front ? "0.1515, " : "-0.1515, ") + (left ? "-" : "") +
              (front ? "0.2450" : "0.1875") + ", " + below_m +
              "]\nreaction_sign = " + (front == left ? "1" : "-1") + "\n";
    }
    EXPECT_TRUE(warnings_in(text).empty()) << below_m;
  }
}

TEST(Warnings, LimitsThatHoldInNoFlight) {
  const auto expectation = [](const std::string& keys) {
    return iris("[[expect]]\nid = \"x\"\n" + keys);
  };
  for (const char* keys :
       {"kind = \"signal_min\"\nsignal = \"battery[0].remaining\"\nlimit = 30.0\n",
        "kind = \"signal_min\"\nsignal = \"truth.tilt_rad\"\nlimit = 45.0\n",
        "kind = \"signal_max\"\nsignal = \"truth.tilt_rad\"\nlimit = -1.0\n",
        "kind = \"final\"\nsignal = \"truth.tilt_rad\"\nvalue = 90.0\n"
        "tolerance = 5.0\n"}) {
    EXPECT_EQ(warnings_about("holds in no flight", expectation(keys)), 1) << keys;
  }
  EXPECT_EQ(warnings_about("always holds", iris(event("when = \"battery[0].remaining below 30\"",
                                                      "do = \"return\"\n"))),
            1);
}

TEST(Warnings, RotorInertiaOfAnotherSize) {
  expect_warning("extends = \"racer\"\n[motor]\nrotor_inertia_kg_m2 = 4.7e-5\n",
                 "t.toml:3:1: warning: motor.rotor_inertia_kg_m2 = 4.7e-05: rotors of 0.0635 m");
}

TEST(Warnings, ABusThatSagsExplainsTheMissingLift) {
  const std::string text =
      iris("[autopilot]\nkind = \"none\"\n[[pack]]\nid = \"main\"\nr0_ohm = 18.0\n");
  EXPECT_EQ(warnings_about("it cannot take off; bus \"main\" falls from", text), 1);
}

TEST(Warnings, TwoRotorsInOnePlaceMeet) {
  for (const std::string& id : load_spec(find_spec("octa")).spec.parts.rotors) {
    if (id == "front") continue;
    const std::string moved =
        "extends = \"octa\"\n[[rotor]]\nid = \"" + id + "\"\nposition_body_m = [0.4, 0.0, 0.0]\n";
    EXPECT_EQ(warnings_about("its propeller meets that of \"front\"", moved), 1) << id;
  }
}

TEST(Warnings, OneCellMoreOrLessDoesNotFitTheCurve) {
  for (const char* aircraft : {"iris", "hexa", "octa", "racer", "heavy"}) {
    const Spec spec = load_spec(find_spec(aircraft)).spec;
    const int cells = multirotor_of(spec).power.pack[0].cell_count;
    for (const int wrong : {cells - 1, cells + 1}) {
      const SpecCheck check = check_spec_text(
          "extends = \"" + std::string(aircraft) + "\"\n[[pack]]\nid = \"" + spec.parts.packs[0] +
              "\"\ncell_count = " + std::to_string(wrong) + "\n",
          "t.toml");
      const std::string told = !check.mistakes.empty()   ? check.mistakes.front().what()
                               : !check.warnings.empty() ? check.warnings.front()
                                                         : "";
      EXPECT_NE(told.find("cell_count"), std::string::npos) << aircraft << " " << wrong << told;
    }
  }
}

TEST(Warnings, IronPhosphateCellsAreKnownByTheirFlatCurve) {
  const std::string pack =
      "[[pack]]\nid = \"main\"\nocv_soc = [0.0, 0.1, 0.3, 0.7, 0.9, 1.0]\n"
      "ocv_v = [10.4, 12.8, 13.08, 13.28, 13.36, 14.2]\ncell_count = ";
  EXPECT_EQ(warnings_about("cell_count", iris(pack + "4\n")), 0);
  EXPECT_EQ(warnings_about("cell_count", iris(pack + "5\n")), 1);
}

}  // namespace
}  // namespace tactus
