// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/mission.h"
#include "tactus/files/disk_files.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

std::string mission_path(const std::string& name) { return "missions/" + name; }

std::uint64_t bits(double value) { return canonical_bits(value); }

void expect_same_items(const Mission& a, const Mission& b) {
  ASSERT_EQ(a.items.size(), b.items.size());
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    SCOPED_TRACE("item " + std::to_string(i));
    EXPECT_EQ(a.items[i].command, b.items[i].command);
    EXPECT_EQ(a.items[i].frame, b.items[i].frame);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(bits(a.items[i].param[k]), bits(b.items[i].param[k]));
    EXPECT_EQ(bits(a.items[i].latitude_deg), bits(b.items[i].latitude_deg));
    EXPECT_EQ(bits(a.items[i].longitude_deg), bits(b.items[i].longitude_deg));
    EXPECT_EQ(bits(a.items[i].altitude_m), bits(b.items[i].altitude_m));
    EXPECT_EQ(a.items[i].autocontinue, b.items[i].autocontinue);
  }
}

/// A row of a text mission after the header: line 2 of the file.
std::string wpl(const std::string& rows) { return "QGC WPL 110\n" + rows; }

/// A plan whose only item has these members; it begins on line 2.
std::string plan(const std::string& item) {
  return "{\"fileType\": \"Plan\", \"mission\": {\"items\": [\n" + item + "\n]}}";
}

std::string error_of(const std::string& text) {
  try {
    parse_mission(text, "folder/m");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

/// The message begins with the place and holds the words.
void expect_error(const std::string& text, const std::string& place, const std::string& words) {
  const std::string message = error_of(text);
  EXPECT_EQ(message.substr(0, place.size()), place) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(Mission, SquareIsTheSameInBothForms) {
  const Mission text = load_mission(mission_path("square.waypoints"));
  const Mission json = load_mission(mission_path("square.plan"));
  EXPECT_EQ(text.name, "square.waypoints");
  EXPECT_EQ(json.name, "square.plan");
  ASSERT_EQ(text.items.size(), 8U);
  expect_same_items(text, json);
  for (const Mission& mission : {text, json}) {
    EXPECT_TRUE(mission.has_home);
    EXPECT_EQ(mission.home_latitude_deg, 47.397742);
    EXPECT_EQ(mission.home_longitude_deg, 8.545594);
    EXPECT_EQ(mission.home_altitude_msl_m, 488.0);
  }
  EXPECT_EQ(text.items[0].command, MissionCommand::kTakeoff);
  EXPECT_EQ(text.items[0].altitude_m, 12.0);
  EXPECT_EQ(text.items[0].line, 3);
  EXPECT_EQ(json.items[0].line, 15);
  EXPECT_EQ(text.items[1].latitude_deg, 47.397842);
  EXPECT_EQ(text.items[1].longitude_deg, 8.545694);
  EXPECT_EQ(text.items[1].param[0], 2.0);
  EXPECT_EQ(text.items[1].param[1], 2.0);
  EXPECT_TRUE(math::is_nan(text.items[1].param[3]));
  EXPECT_EQ(text.items[7].command, MissionCommand::kLand);
}

TEST(Mission, LongMissionLoitersForTwentyMinutes) {
  const Mission mission = load_mission(mission_path("long_20min.waypoints"));
  ASSERT_EQ(mission.items.size(), 5U);
  EXPECT_EQ(mission.items[2].command, MissionCommand::kLoiterTime);
  EXPECT_EQ(mission.items[2].param[0], 1200.0);
}

TEST(Mission, FigureHoldsEveryKindOfItem) {
  const Mission mission = load_mission(mission_path("figure.waypoints"));
  ASSERT_EQ(mission.items.size(), 13U);
  EXPECT_EQ(mission.items[1].command, MissionCommand::kDoChangeSpeed);
  EXPECT_EQ(mission.items[1].frame, AltitudeFrame::kMission);
  EXPECT_EQ(mission.items[1].param[1], 3.0);
  // seq 3 of the file is item 2: the home row is not an item.
  EXPECT_EQ(mission.items[4].command, MissionCommand::kDoJump);
  EXPECT_EQ(mission.items[4].param[0], 2.0);
  EXPECT_EQ(mission.items[4].param[1], 2.0);
  EXPECT_EQ(mission.items[7].param[2], -6.0);
  EXPECT_EQ(mission.items[8].command, MissionCommand::kConditionYaw);
  EXPECT_EQ(mission.items[9].command, MissionCommand::kDelay);
  EXPECT_EQ(mission.items[10].frame, AltitudeFrame::kMeanSeaLevel);
  EXPECT_EQ(mission.items[11].frame, AltitudeFrame::kAboveTerrain);
  EXPECT_EQ(mission.items[12].command, MissionCommand::kReturnToLaunch);
}

TEST(Mission, RoverMissionStaysOnTheGround) {
  const Mission mission = load_mission(mission_path("rover_square.waypoints"));
  ASSERT_EQ(mission.items.size(), 5U);
  for (const MissionItem& item : mission.items) {
    EXPECT_EQ(item.command, MissionCommand::kWaypoint);
    EXPECT_EQ(item.altitude_m, 0.0);
  }
}

TEST(Mission, LineEndsCommentsAndByteOrderMarkDoNotMatter) {
  const std::string plain = wpl("0\t0\t3\t16\t1\t2\t3\tnan\t47\t8\t12\t0\n");
  const Mission expected = parse_mission(plain, "m");
  EXPECT_FALSE(expected.has_home);
  EXPECT_FALSE(expected.items[0].autocontinue);
  for (const char* same : {
           "\xEF\xBB\xBFQGC WPL 110\r\n0\t0\t3\t16\t1\t2\t3\tnan\t47\t8\t12\t0\r\n",
           "\n# a comment\nQGC WPL 110\n\n  # another\n0 0 3 16 1 2 3 NaN 47 8 12 0",
           "QGC  WPL\t110 \n 0  0 3 16 1.0 2e0 3 -nan 47.0 8 12 0 \n\n\n",
       }) {
    expect_same_items(parse_mission(same, "m"), expected);
  }
  EXPECT_EQ(parse_mission("\n#\nQGC WPL 110\n\n0 0 3 16 1 2 3 4 47 8 12 0", "m").items[0].line, 5);
}

TEST(Mission, FramesMapToAltitudes) {
  const auto frame_of = [](int frame) {
    return parse_mission(wpl("0 0 " + std::to_string(frame) + " 22 0 0 0 0 1 2 3 1"), "m")
        .items[0]
        .frame;
  };
  EXPECT_EQ(frame_of(0), AltitudeFrame::kMeanSeaLevel);
  EXPECT_EQ(frame_of(5), AltitudeFrame::kMeanSeaLevel);
  EXPECT_EQ(frame_of(3), AltitudeFrame::kAboveHome);
  EXPECT_EQ(frame_of(6), AltitudeFrame::kAboveHome);
  EXPECT_EQ(frame_of(10), AltitudeFrame::kAboveTerrain);
  EXPECT_EQ(frame_of(11), AltitudeFrame::kAboveTerrain);
}

// Only the first row can be home, and only as it is written for home.
TEST(Mission, HomeRowIsRecognised) {
  const std::string item = "1 0 3 16 0 0 0 0 1 2 3 1\n";
  const Mission with = parse_mission(wpl("0 1 0 16 0 0 0 0 47 8 488 1\n" + item), "m");
  EXPECT_TRUE(with.has_home);
  EXPECT_EQ(with.items.size(), 1U);
  for (const char* not_home : {"0 0 0 16 0 0 0 0 47 8 488 1\n", "0 1 3 16 0 0 0 0 47 8 488 1\n",
                               "0 1 0 22 0 0 0 0 47 8 488 1\n"}) {
    const Mission without = parse_mission(wpl(not_home + item), "m");
    EXPECT_FALSE(without.has_home);
    EXPECT_EQ(without.items.size(), 2U);
  }
}

TEST(Mission, JumpsAreCountedAsTheFileNumbersItsItems) {
  const auto target = [](const std::string& rows) {
    const Mission mission = parse_mission(wpl(rows), "m");
    return mission.items.back().param[0];
  };
  EXPECT_EQ(target("0 0 3 16 0 0 0 0 1 2 3 1\n1 0 2 177 0 5 0 0 0 0 0 1"), 0.0);
  EXPECT_EQ(target("1 0 3 16 0 0 0 0 1 2 3 1\n2 0 2 177 1 -1 0 0 0 0 0 1"), 0.0);
  const std::string waypoint =
      R"({"type": "SimpleItem", "command": 16, "frame": 3, "params": [0,0,0,null,1,2,3]})";
  const std::string jump =
      R"({"type": "SimpleItem", "command": 177, "frame": 2, "params": [2,1,0,0,0,0,0]})";
  const Mission json = parse_mission(plan(waypoint + "," + waypoint + "," + jump), "m");
  EXPECT_EQ(json.items[2].param[0], 1.0);
}

TEST(Mission, ErrorsOfTheTextForm) {
  expect_error("", "folder/m:1: ", "empty");
  expect_error("\xEF\xBB\xBF \r\n\t\n", "folder/m:1: ", "empty");
  expect_error("hello", "folder/m:1: ", "neither QGC WPL 110");
  expect_error("[1]", "folder/m:1: ", "neither QGC WPL 110");
  expect_error("# only a comment", "folder/m:1: ", "neither QGC WPL 110");
  expect_error("QGC WPL 100\n", "folder/m:1: ", "only \"QGC WPL 110\"");
  expect_error("QGC WPL 110 x\n", "folder/m:1: ", "\"QGC WPL 110 x\" is not supported");
  expect_error("QGC WPL 110\n", "folder/m:1: ", "no items");
  expect_error(wpl("0 1 0 16 0 0 0 0 47 8 488 1"), "folder/m:1: ", "no items");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 3"), "folder/m:2: ", "11 columns instead of 12");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 3 1 trailing"), "folder/m:2: ", "13 columns");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 3 1\ngarbage\n"), "folder/m:3: ", "1 columns");
  expect_error(wpl("x 0 3 16 0 0 0 0 1 2 3 1"), "folder/m:2: ", "seq = \"x\": not a whole number");
  expect_error(wpl("2 0 3 16 0 0 0 0 1 2 3 1"), "folder/m:2: ", "must be 0 or 1");
  expect_error(wpl("0 2 3 16 0 0 0 0 1 2 3 1"), "folder/m:2: ", "current = \"2\": must be 0 or 1");
  expect_error(wpl("0 0 3.5 16 0 0 0 0 1 2 3 1"), "folder/m:2: ", "frame = \"3.5\"");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 3 yes"), "folder/m:2: ", "autocontinue = \"yes\"");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 3 1\n2 0 3 16 0 0 0 0 1 2 3 1"),
               "folder/m:3: ", "seq 2 follows 0");
  expect_error(wpl("0 0 3 16 1,5 0 0 0 1 2 3 1"), "folder/m:2: ", "param1 = \"1,5\": not a number");
  expect_error(wpl("0 0 3 16 0 1e999 0 0 1 2 3 1"), "folder/m:2: ", "param2 = \"1e999\": out of");
  expect_error(wpl("0 0 3 16 0 0 inf 0 1 2 3 1"), "folder/m:2: ", "parameter 3 = inf: must lie");
  expect_error(wpl("0 0 3 16 0 0 0 0 90.1 2 3 1"), "folder/m:2: ", "latitude 90.1");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 -180.1 3 1"), "folder/m:2: ", "longitude -180.1");
  expect_error(wpl("0 0 3 16 0 0 0 0 nan 2 3 1"), "folder/m:2: ", "both be NaN");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 nan 1"), "folder/m:2: ", "altitude (parameter 7)");
  expect_error(wpl("0 1 0 16 0 0 0 0 91 8 488 1"), "folder/m:2: ", "latitude 91");
  expect_error(wpl("0 1 0 16 0 0 0 0 nan nan 488 1"), "folder/m:2: ", "home needs latitude");
  expect_error(wpl(std::string("0 0 3 16 0 0 0 0 1 2 3 1\0", 25)), "folder/m:2: ", "\"1\\x00\"");
}

/// Nothing that is flown lies outside of the air, and no parameter is that large.
TEST(Mission, AbsurdNumbersAreRefusedWithTheirLine) {
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 1e300 1"), "folder/m:2: ", "parameter 7 = 1e+300");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 1e5 1"), "folder/m:2: ", "altitude 100000 m: must lie");
  expect_error(wpl("0 0 3 16 0 0 0 0 1 2 -6000 1"), "folder/m:2: ", "altitude -6000 m");
  expect_error(wpl("0 1 0 16 0 0 0 0 47 8 1e9 1"), "folder/m:2: ", "altitude");
  expect_error(wpl("0 0 3 16 1e18 0 0 0 1 2 3 1"), "folder/m:2: ", "parameter 1 = 1e+18");
}

TEST(Mission, APlanSaysEverythingOnceAndNothingAfterItsEnd) {
  const std::string item = R"({"type": "SimpleItem", "command": 20, "frame": 2,
      "params": [0, 0, 0, 0, 0, 0, 0]})";
  EXPECT_EQ(parse_mission(plan(item), "m").items.size(), 1U);
  expect_error(plan(item) + std::string("\n\0", 2), "folder/m:5: ", "a byte of zero");
  expect_error(plan(item) + std::string("\0", 1) + plan(item), "folder/m:4: ", "a byte of zero");
  expect_error("{\"fileType\": \"Plan\", \"mission\": {\"items\": [],\n\"items\": [" + item + "]}}",
               "folder/m:2: ", "\"items\" is given twice");
  expect_error(plan(R"({"type": "SimpleItem", "command": 20, "command": 22})"),
               "folder/m:2: ", "\"command\" is given twice");
  // The same name in two objects is another matter.
  EXPECT_EQ(parse_mission(plan(item + "," + item), "m").items.size(), 2U);
}

TEST(Mission, APlanOfAnotherVersionIsRefused) {
  const std::string item = R"({"type": "SimpleItem", "command": 20, "frame": 2,
      "params": [0, 0, 0, 0, 0, 0, 0]})";
  const auto versions = [&](const std::string& file, const std::string& mission) {
    return R"({"fileType": "Plan", "version": )" + file + R"(, "mission": {"version": )" + mission +
           R"(, "items": [)" + item + "]}}";
  };
  EXPECT_EQ(parse_mission(versions("1", "2"), "m").items.size(), 1U);
  expect_error(versions("99", "2"), "folder/m:1: ", "version = \"99\": only 1 is understood");
  expect_error(versions("1", "3"), "folder/m:1: ", "mission.version = \"3\": only 2");
  expect_error(versions("\"1\"", "2"), "folder/m:1: ", "only 1 is understood");
}

TEST(Mission, UnsupportedItemsSayWhatIsSupported) {
  const std::string camera = error_of(wpl("0 0 3 16 0 0 0 0 1 2 3 1\n1 0 2 206 5 0 0 0 0 0 0 1"));
  EXPECT_EQ(camera,
            "folder/m:3: command 206 is not supported; commands are 16 waypoint, 17 loiter "
            "unlimited, 18 loiter turns, 19 loiter time, 20 return to launch, 21 land, 22 takeoff, "
            "93 delay, 112 condition delay, 115 condition yaw, 177 jump, 178 change speed");
  expect_error(wpl("0 0 4 16 0 0 0 0 1 2 3 1"), "folder/m:2: ",
               "frame 4 is not supported for command 16 (waypoint); frames are 0 or 5 (mean sea "
               "level), 3 or 6 (above home), 10 or 11 (above terrain)");
  expect_error(wpl("0 0 2 16 0 0 0 0 1 2 3 1"), "folder/m:2: ", "frame 2 is not supported");
  expect_error(wpl("0 0 1 178 1 3 0 0 0 0 0 1"), "folder/m:2: ", ", 2 (no position)");
  expect_error(wpl("0 0 3 -1 0 0 0 0 1 2 3 1"), "folder/m:2: ", "command -1 is not supported");
}

TEST(Mission, JumpsMustHaveATargetAndACount) {
  const std::string item = "0 0 3 16 0 0 0 0 1 2 3 1\n";
  expect_error(wpl(item + "1 0 2 177 7 1 0 0 0 0 0 1"),
               "folder/m:3: ", "jumps to item 7, which does not exist; the items are 0 to 1");
  expect_error(wpl(item + "1 0 2 177 0.5 1 0 0 0 0 0 1"), "folder/m:3: ", "whole numbers");
  expect_error(wpl(item + "1 0 2 177 0 -2 0 0 0 0 0 1"), "folder/m:3: ", "jump to 0, -2 times");
  expect_error(wpl(item + "1 0 2 177 0 nan 0 0 0 0 0 1"), "folder/m:3: ", "whole numbers");
  expect_error(plan(R"({"type": "SimpleItem", "command": 20, "frame": 2, "doJumpId": 4,
               "params": [0,0,0,0,0,0,0]},
              {"type": "SimpleItem", "command": 20, "frame": 2, "doJumpId": 4,
               "params": [0,0,0,0,0,0,0]},
              {"type": "SimpleItem", "command": 177, "frame": 2, "doJumpId": 5,
               "params": [4,1,0,0,0,0,0]})"),
               "folder/m:6: ", "several have that number");
}

TEST(Mission, ErrorsOfThePlanForm) {
  expect_error("{", "folder/m:1: ", "not valid JSON");
  expect_error("{\n\"fileType\": \"Plan\",\n}", "folder/m:3: ", "not valid JSON");
  expect_error("{} trailing", "folder/m:1: ", "not valid JSON");
  expect_error("{\"a\": 1e999}", "folder/m:1: ", "not valid JSON");
  expect_error("{\"a\": \"\xFF\"}", "folder/m:1: ", "not valid JSON");
  expect_error("{\"a\": " + std::string(100, '['), "folder/m:1: ", "nested too deeply");
  expect_error("{}", "folder/m:1: ", "\"fileType\" is missing");
  expect_error(R"({"fileType": "Fence"})", "folder/m:1: ", "must be \"Plan\"");
  expect_error(R"({"fileType": "Plan"})", "folder/m:1: ", "\"mission\" is missing");
  expect_error(R"({"fileType": "Plan", "mission": 3})", "folder/m:1: ", "must be an object");
  expect_error("{\"fileType\": \"Plan\",\n\"mission\": {}}",
               "folder/m:2: ", "\"items\" is missing");
  expect_error(R"({"fileType": "Plan", "mission": {"items": 3}})", "folder/m:1: ", "a list");
  expect_error(R"({"fileType": "Plan", "mission": {"items": []}})", "folder/m:1: ", "no items");
  expect_error(plan("true"), "folder/m:2: ", "an item must be an object");
  expect_error(plan("{}"), "folder/m:2: ", "\"type\" is missing");
  expect_error(plan(R"({"type": "ComplexItem", "complexItemType": "survey"})"),
               "folder/m:2: ", "item of type \"survey\" is not supported");
  expect_error(plan("{\"type\": \"ComplexItem\"}"), "folder/m:2: ", "\"ComplexItem\"");
  expect_error(plan(R"({"type": "SimpleItem"})"), "folder/m:2: ", "\"command\" is missing");
  expect_error(plan(R"({"type": "SimpleItem", "command": 16.5})"), "folder/m:2: ", "whole number");
  expect_error(plan(R"({"type": "SimpleItem", "command": 18446744073709551615})"),
               "folder/m:2: ", "whole number");
  expect_error(plan(R"({"type": "SimpleItem", "command": 16, "frame": "3"})"),
               "folder/m:2: ", "\"frame\" must be a whole number");
  const std::string head = R"({"type": "SimpleItem", "command": 16, "frame": 3, )";
  expect_error(plan(head + "\"params\": [1,2,3]}"), "folder/m:2: ", "a list of 7 numbers");
  expect_error(plan(head + "\"params\": [0,0,0,\"x\",1,2,3]}"), "folder/m:2: ", "numbers or null");
  expect_error(plan(head + "\"params\": [0,0,0,0,95,2,3]}"), "folder/m:2: ", "latitude 95");
  expect_error(plan(head + "\"autoContinue\": 1, \"params\": [0,0,0,0,1,2,3]}"),
               "folder/m:2: ", "true or false");
  expect_error(R"({"fileType": "Plan", "mission": {"items": [], "plannedHomePosition": [1, 2]}})",
               "folder/m:1: ", "plannedHomePosition must be");
  expect_error(R"({"fileType": "Plan", "mission": {"items": []}, "geoFence": {"polygons": [{}]}})",
               "folder/m:1: ", "geoFence.polygons is not empty");
  expect_error(
      R"({"fileType": "Plan", "mission": {"items": []}, "rallyPoints": {"points": [[1,2,3]]}})",
      "folder/m:1: ", "rallyPoints.points is not empty");
}

TEST(Mission, SizeIsLimited) {
  expect_error(std::string((4U << 20) + 1, ' '), "folder/m:1: ", "larger than 4 MiB");
  const std::string path = ::testing::TempDir() + "/large.plan";
  std::ofstream(path) << std::string((4U << 20) + 1, ' ');
  try {
    load_mission(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput) << "as from text";
    EXPECT_NE(std::string(error.what()).find("larger than 4 MiB"), std::string::npos);
  }
  std::string many = "QGC WPL 110\n";
  for (int i = 0; i <= 10'000; ++i) many += std::to_string(i) + " 0 2 20 0 0 0 0 0 0 0 1\n";
  expect_error(many, "folder/m:10002: ", "more than 10000 items");
}

TEST(Mission, TextFromFilesIsShortenedInMessages) {
  const std::string message =
      error_of(wpl("0 0 3 16 \x1b[31m" + std::string(5000, 'a') + " 0 0 0 1 2 3 1"));
  EXPECT_LT(message.size(), 120U);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(Mission, FilesThatCannotBeReadAreErrorsOfTheMachine) {
  for (const std::string& path : {mission_path("no_such_file.plan"), mission_path("")}) {
    try {
      load_mission(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kEnvironment);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
}

TEST(Mission, IsMovedAsAWhole) {
  const WorldOrigin origin;
  const LocalFrame frame = make_local_frame(origin);
  const Mission mission = load_mission("missions/simple.waypoints");
  const Mission moved = shifted(mission, {100.0, -50.0, -3.0}, origin);
  ASSERT_EQ(moved.items.size(), mission.items.size());
  for (std::size_t i = 0; i < mission.items.size(); ++i) {
    const MissionItem& from = mission.items[i];
    const MissionItem& to = moved.items[i];
    if (from.latitude_deg == 0.0) {
      EXPECT_EQ(to.latitude_deg, 0.0);
      continue;
    }
    const Vec3 a = geodetic_to_ned(frame, {from.latitude_deg, from.longitude_deg, 488.0});
    const Vec3 b = geodetic_to_ned(frame, {to.latitude_deg, to.longitude_deg, 488.0});
    EXPECT_NEAR(b.x - a.x, 100.0, 1e-3);
    EXPECT_NEAR(b.y - a.y, -50.0, 1e-3);
    EXPECT_EQ(to.altitude_m, from.altitude_m + 3.0);
  }
  EXPECT_EQ(shifted(mission, {}, origin).items[1].latitude_deg, mission.items[1].latitude_deg);
}

}  // namespace
}  // namespace tactus
