// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A spec that passes the check can be flown, and what only shows when it is assembled is said with
// the place of the key that decides.

#include "tactus/flight/spec_check.h"
#include "tactus/files/disk_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/spec/spec_samples.h"

namespace tactus {
namespace {

std::string iris(const std::string& more) { return "extends = \"iris\"\n" + more; }

/// The only mistake.
std::string mistake_in(const std::string& text) {
  const SpecCheck check = check_spec_text(text, "t.toml");
  EXPECT_EQ(check.mistakes.size(), 1U);
  return check.mistakes.empty() ? "" : check.mistakes.front().what();
}

void expect_begins(const std::string& message, const std::string& begin) {
  EXPECT_TRUE(message.starts_with(begin)) << message;
}

TEST(SpecCheck, AFenceHasASize) {
  const std::string fence = "[[expect]]\nid = \"in\"\nkind = \"stay_inside\"\n";
  expect_begins(mistake_in(iris(fence + "radius_m = 0\n")),
                "t.toml:5:1: expect.in.radius_m = 0: must be greater than zero");
  expect_begins(mistake_in(iris(fence + "radius_m = 5\nlow_m = 3\nhigh_m = 3\n")),
                "t.toml:6:1: expect.in.low_m = 3: must be below high_m = 3");
}

TEST(SpecCheck, TextsHaveALength) {
  expect_begins(mistake_in("extends = \"iris\"\nname = \"" + std::string(5'000, 'x') + "\"\n"),
                "t.toml:2:1: name = \"xxx");
}

TEST(SpecCheck, WhatNoStepCanFollowHasAPlace) {
  expect_begins(mistake_in(iris("[[pack]]\nid = \"main\"\n"
                                "rc = [{ r_ohm = 1e-7, c_farad = 1e-3 }]\n")),
                "t.toml:4:");
  expect_begins(mistake_in(iris("[[event]]\nid = \"x\"\nat_s = 3.0\ndo = \"motor_intermittent\"\n"
                                "rotor = \"rear_right\"\non_s = 0.00005\noff_s = 0.001\n")),
                "t.toml:7:1: event.x.on_s = ");
  expect_begins(mistake_in(iris("[gear]\npositions_body_m = [[0.0, 0.0, -0.3]]\n")),
                "t.toml:3:1: gear.positions_body_m = ");
}

TEST(SpecCheck, ALongNameOfAFileKeepsItsReason) {
  for (const std::string& name : {std::string(4'000, 'x'), "folder/" + std::string(300, 'y')}) {
    for (const std::string& key : {std::string("extends"), std::string("autopilot.mission")}) {
      const std::string text = key + " = \"" + name + "\"\n";
      const std::string message =
          mistake_in(key == "extends" ? text : "extends = \"iris\"\n" + text);
      EXPECT_LT(message.size(), 300U);
      EXPECT_TRUE(message.ends_with("a name of a file has 255 bytes at most")) << message;
    }
  }
}

TEST(SpecCheck, WhatTheStartRefusesHasAPlace) {
  expect_begins(mistake_in(iris("[gear]\npositions_body_m = []\n")),
                "t.toml:3:1: gear.positions_body_m = []: there is no gear to stand on");
  expect_begins(mistake_in(iris("[world.ground]\npresent = false\n[initial]\non_ground = true\n")),
                "t.toml:5:1: initial.on_ground = true: there is no ground");
  expect_begins(
      mistake_in(iris("[initial]\non_ground = false\nposition_ned_m = [0.0, 0.0, 5.0]\n")),
      "t.toml:4:1: initial.position_ned_m = [0.0, 0.0, 5.0]: the vehicle would start 5.11 m below");
  expect_begins(
      mistake_in(iris("[initial]\non_ground = false\nposition_ned_m = [0.0, 0.0, -5e5]\n")),
      "t.toml:4:1: initial.position_ned_m = [0.0, 0.0, -5e+05]: the vehicle would start at an "
      "altitude of 500488 m; the air is known from");
  expect_begins(mistake_in(iris("[body]\nmass_kg = 4.5\n")),
                "t.toml:3:1: body.mass_kg = 4.5: the rotors lift");
  expect_begins(mistake_in(iris("[time]\nwind_s = 0\n")), "t.toml:3:1: time.wind_s = 0: [wind] is");
  expect_begins(mistake_in(iris("[world.gravity]\nkind = \"uniform\"\nuniform_m_s2 = 0\n")),
                "t.toml:4:1: world.gravity.uniform_m_s2 = 0: ");
}

TEST(SpecCheck, AMissionThatCannotBeFlownIsPlacedTwice) {
  const std::string far = mistake_in(iris("[world]\nlatitude_deg = 10.0\n"));
  expect_begins(far, data_root() + "/aircraft/iris.toml:");
  EXPECT_NE(far.find("autopilot.mission = "), std::string::npos) << far;
  EXPECT_NE(far.find("square.waypoints:"), std::string::npos) << far;
  const std::string ground =
      mistake_in(iris("[autopilot]\nmission = \"rover_square.waypoints\"\n"));
  expect_begins(ground, "t.toml:3:1: autopilot.mission = \"rover_square.waypoints\": ");
}

TEST(SpecCheck, AnEventThatDoesNotFitKeepsItsPlace) {
  const std::string text =
      "[[event]]\nid = \"x\"\nat_s = 1.0\ndo = \"motor_delay\"\nrotor = \"front_left\"\nlag_s = "
      "50.0\n";
  expect_begins(mistake_in(iris(text)), "t.toml:2:");
}

TEST(SpecCheck, AssembledErrorsNameTheCommandLine) {
  const std::vector<Override> overrides = {{"body.mass_kg", "4.5"}};
  const SpecCheck check = check_spec("iris", overrides);
  ASSERT_EQ(check.mistakes.size(), 1U);
  expect_begins(check.mistakes.front().what(), "--set body.mass_kg = 4.5: the rotors lift");
}

TEST(SpecCheck, WhatWasSetIsNamed) {
  const auto check = [](const char* key, const char* value) {
    const std::vector<Override> overrides = {{key, value}};
    return check_spec("racer", overrides);
  };
  expect_begins(check("propeller.radius_m", "10").mistakes.at(0).what(),
                "--set propeller.radius_m = 10: the rotor's speed would settle within");
  const SpecCheck large = check("propeller.radius_m", "0.5");
  ASSERT_EQ(large.mistakes.size(), 1U);
  EXPECT_NE(std::string(large.mistakes.front().what()).find("propeller.radius_m = 0.5 (--set)"),
            std::string::npos)
      << large.mistakes.front().what();
  ASSERT_EQ(large.warnings.size(), 2U);
  EXPECT_NE(large.warnings[0].find("rotors of 0.5 m radius"), std::string::npos)
      << large.warnings[0];
  EXPECT_NE(large.warnings[1].find("the radii add up to 1.000"), std::string::npos)
      << large.warnings[1];
  expect_begins(check("initial.on_ground", "false").mistakes.at(0).what(),
                "--set initial.on_ground = false: the vehicle would start");
  const std::string soc = check("pack.main.low_soc", "0.05").mistakes.at(0).what();
  EXPECT_NE(soc.find("must not be above low_soc = 0.05"), std::string::npos) << soc;
}

/// A table of --set around a key is no place of a key that was not set.
TEST(SpecCheck, DefaultsAreNotSetOnTheCommandLine) {
  const std::vector<Override> overrides = {{"land_detector.landed_hold_s", "1"},
                                           {"time.sensors_s", "0.003"}};
  const SpecCheck check = check_spec("racer", overrides);
  ASSERT_EQ(check.mistakes.size(), 1U);
  const std::string mistake = check.mistakes.front().what();
  expect_begins(mistake, data_root() + "/aircraft/racer.toml:");
  EXPECT_NE(mistake.find("estimator.delay_s = 0.008 (default): must"), std::string::npos)
      << mistake;
}

TEST(SpecCheck, ShippedSpecsAreRightAndWithoutWarnings) {
  for (const char* folder : {"aircraft", "scenarios"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(data_root()) / folder)) {
      if (entry.path().extension() != ".toml") continue;
      const SpecCheck check = check_spec(entry.path().string());
      for (const Error& mistake : check.mistakes) ADD_FAILURE() << mistake.what();
      for (const std::string& warning : check.warnings) ADD_FAILURE() << warning;
    }
  }
}

}  // namespace
}  // namespace tactus
