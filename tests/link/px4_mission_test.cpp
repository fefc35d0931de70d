// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Missions for the PX4 library: every line of what is written must be one that its loader reads,
// with the meaning of the original.

#include "tactus/link/px4/px4_mission.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/files/disk_files.h"

namespace tactus {
namespace {

struct Line {
  int seq = 0, current = 0, frame = 0, command = 0;
  float hold_s = 0, acceptance_m = 0, pass_m = 0, yaw_deg = 0;
  double latitude_deg = 0, longitude_deg = 0;
  float altitude_m = 0;
  int autocontinue = 0;
};

/// Reads as the library does: a word it does not understand spoils the line.
std::vector<Line> load(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "QGC WPL 110");
  std::vector<Line> items;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    Line item;
    words >> item.seq >> item.current >> item.frame >> item.command >> item.hold_s >>
        item.acceptance_m >> item.pass_m >> item.yaw_deg >> item.latitude_deg >>
        item.longitude_deg >> item.altitude_m >> item.autocontinue;
    EXPECT_FALSE(words.fail()) << line;
    items.push_back(item);
  }
  return items;
}

std::vector<Line> rewrite(const std::string& text, const MissionStart& start = {},
                          const PlanContext& context = {}) {
  return load(px4_mission_text(parse_mission("QGC WPL 110\n" + text, "m.txt"), context, start));
}

void expect_refused(const std::string& text, const std::string& part) {
  try {
    rewrite(text);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

constexpr const char* kTakeoff = "1 0 3 22 0 0 0 nan 47.397742 8.545594 12 1\n";

TEST(Px4Mission, ShippedMissionsLoseNothing) {
  for (const char* const file :
       {"missions/square.waypoints", "missions/square.plan", "missions/long_20min.waypoints"}) {
    const Mission mission = load_mission(file);
    const std::vector<Line> items = load(px4_mission_text(mission, {}, {}));
    EXPECT_EQ(items.size(), mission.items.size()) << file;
    EXPECT_EQ(items[0].command, 22) << file;  // the home row is gone
    EXPECT_EQ(items[0].frame, 3) << file;
  }
}

TEST(Px4Mission, WithoutHeadingItLooksAlongTheCourse) {
  const std::vector<Line> items = rewrite(std::string(kTakeoff) +
                                              "2 0 3 16 2 2 0 nan 47.397742 8.545794 12 1\n"
                                              "3 0 3 16 0 2 0 nan 47.397742 8.545794 6 1\n"
                                              "4 0 3 16 0 2 0 nan 47.397642 8.545794 6 1\n"
                                              "5 0 3 16 0 2 0 30 47.397742 8.545594 6 1\n",
                                          {{}, 0.5});
  EXPECT_NEAR(items[0].yaw_deg, 0.5 * math::kRadToDeg, 1e-4);  // as it stands
  EXPECT_NEAR(items[1].yaw_deg, 90.0, 1e-3);
  EXPECT_EQ(items[2].yaw_deg, items[1].yaw_deg);  // straight down: as before
  EXPECT_NEAR(items[3].yaw_deg, 180.0, 1e-3);
  EXPECT_EQ(items[4].yaw_deg, 30.0F);
}

TEST(Px4Mission, FramesKeepTheirAltitude) {
  PlanContext context;
  context.ground.down_m = -20.0;  // a plateau 20 m above the origin
  const std::vector<Line> items = rewrite(
      "0 0 6 22 0 0 0 0 47.397742 8.545594 12 1\n"
      "1 0 0 16 0 0 0 0 47.397742 8.545594 502 1\n"
      "2 0 5 16 0 0 0 0 47.397742 8.545594 503 1\n"
      "3 0 10 16 0 0 0 0 47.397742 8.545594 8 1\n"
      "4 0 11 21 0 0 0 0 47.397742 8.545594 0 0\n",
      {}, context);
  EXPECT_EQ(items[0].frame, 3);
  EXPECT_EQ(items[0].altitude_m, 12.0F);
  EXPECT_EQ(items[1].frame, 0);
  EXPECT_EQ(items[1].altitude_m, 502.0F);
  EXPECT_EQ(items[2].altitude_m, 503.0F);
  EXPECT_EQ(items[3].altitude_m, 516.0F);  // 488 + 20 + 8
  EXPECT_EQ(items[4].frame, 0);
  EXPECT_EQ(items[4].altitude_m, 508.0F);
  EXPECT_EQ(items[4].autocontinue, 0);
}

TEST(Px4Mission, HereIsThePlaceOfTheItemBefore) {
  const std::vector<Line> items = rewrite(
      "0 0 3 22 0 0 0 nan 0 0 12 1\n"
      "1 0 3 16 0 2 0 nan 47.397842 8.545694 12 1\n"
      "2 0 3 21 0 0 0 nan nan nan 0 1\n",
      {{10.0, 20.0, 0.0}, 0.0});
  const LocalFrame frame = make_local_frame({});
  const Vec3 start = geodetic_to_ned(frame, {items[0].latitude_deg, items[0].longitude_deg, 488.0});
  EXPECT_NEAR(start.x, 10.0, 1e-4);
  EXPECT_NEAR(start.y, 20.0, 1e-4);
  EXPECT_EQ(items[2].latitude_deg, 47.397842);
  EXPECT_EQ(items[2].longitude_deg, 8.545694);
}

TEST(Px4Mission, WaitingBecomesAHold) {
  const std::vector<Line> items = rewrite(std::string(kTakeoff) +
                                          "2 0 3 19 30 0 5 0 47.397842 8.545694 12 1\n"
                                          "3 0 2 93 7 -1 -1 -1 0 0 0 1\n");
  EXPECT_EQ(items[1].command, 16);
  EXPECT_EQ(items[1].hold_s, 30.0F);
  EXPECT_EQ(items[2].command, 16);
  EXPECT_EQ(items[2].hold_s, 7.0F);
  EXPECT_EQ(items[2].latitude_deg, 47.397842);
  EXPECT_EQ(items[2].altitude_m, 12.0F);
}

TEST(Px4Mission, WhatTheLoaderWouldDropIsRefusedWithItsLine) {
  const std::string takeoff = kTakeoff;
  expect_refused(takeoff + "2 0 3 18 2 0 8 0 47.397842 8.545694 12 1\n", "m.txt:3: loiter turns");
  expect_refused(takeoff + "2 0 2 177 1 2 0 0 0 0 0 1\n", "m.txt:3: jump");
  expect_refused(takeoff + "2 0 2 178 1 3 -1 0 0 0 0 1\n", "m.txt:3: change speed");
  expect_refused(takeoff + "2 0 2 115 90 30 1 0 0 0 0 1\n", "m.txt:3: condition yaw");
  expect_refused(takeoff + "2 0 2 112 5 0 0 0 0 0 0 1\n", "m.txt:3: condition delay");
  expect_refused(takeoff + "2 0 3 16 0 2 5 0 47.397842 8.545694 12 1\n", "m.txt:3: waypoint to be");
  expect_refused(takeoff + "2 0 3 21 0 2 0 0 47.397842 8.545694 0 1\n", "m.txt:3: precision");
  expect_refused(takeoff + "2 0 2 93 -1 12 0 0 0 0 0 1\n", "m.txt:3: delay until");
  expect_refused("0 0 2 93 5 -1 -1 -1 0 0 0 1\n" + takeoff, "m.txt:2: delay before");
  expect_refused("0 0 3 16 0 2 0 0 47.397842 8.545694 12 1\n" + takeoff, "m.txt:3: takeoff must");
  expect_refused(takeoff + "2 0 3 16 -1 2 0 0 47.397842 8.545694 12 1\n", "m.txt:3: hold time");
}

}  // namespace
}  // namespace tactus
