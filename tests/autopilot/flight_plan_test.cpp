// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/flight_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tactus/autopilot/mission/mission_progress.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

MissionItem item(MissionCommand command, double p1 = 0.0, double p2 = 0.0, double p3 = 0.0,
                 double p4 = std::nan("")) {
  MissionItem made;
  made.command = command;
  made.param[0] = p1;
  made.param[1] = p2;
  made.param[2] = p3;
  made.param[3] = p4;
  made.latitude_deg = 47.397742;
  made.longitude_deg = 8.545594;
  made.altitude_m = 12.0;
  return made;
}

/// Takeoff first, then the given items; lines are counted from 2.
Mission mission_of(std::initializer_list<MissionItem> items) {
  Mission mission;
  mission.name = "test.waypoints";
  mission.items.push_back(item(MissionCommand::kTakeoff));
  for (const MissionItem& each : items) mission.items.push_back(each);
  for (std::size_t i = 0; i < mission.items.size(); ++i) {
    mission.items[i].line = static_cast<int>(i) + 2;
  }
  return mission;
}

Leg last_leg(const MissionItem& it, const PlanContext& context = {}) {
  return compile_flight_plan(mission_of({it}), context).legs.back();
}

void expect_refused(const Mission& mission, const std::string& words,
                    const PlanContext& context = {}) {
  try {
    compile_flight_plan(mission, context);
    ADD_FAILURE() << "accepted; expected: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(FlightPlan, PlacesAreMetresFromTheOrigin) {
  MissionItem it = item(MissionCommand::kWaypoint);
  it.latitude_deg += 1e-4;
  it.longitude_deg -= 1e-4;
  const Leg leg = last_leg(it);
  // Meridian and normal radius at 47.4°: 6.370e6 and 6.390e6 m.
  EXPECT_NEAR(leg.position_W_m.x, 11.118, 2e-3);
  EXPECT_NEAR(leg.position_W_m.y, -7.551, 2e-3);
  EXPECT_EQ(leg.position_W_m.z, -12.0);
  EXPECT_TRUE(leg.above_home);
  EXPECT_TRUE(std::isnan(leg.yaw_rad));
}

TEST(FlightPlan, AltitudeFrames) {
  PlanContext context;
  context.ground.down_m = 3.0;
  MissionItem it = item(MissionCommand::kWaypoint);
  it.frame = AltitudeFrame::kMeanSeaLevel;
  it.altitude_m = 500.0;
  EXPECT_EQ(last_leg(it, context).position_W_m.z, -12.0);
  EXPECT_FALSE(last_leg(it, context).above_home);
  it.frame = AltitudeFrame::kAboveTerrain;
  it.altitude_m = 20.0;
  EXPECT_EQ(last_leg(it, context).position_W_m.z, -17.0);
  EXPECT_FALSE(last_leg(it, context).above_home);
  it.frame = AltitudeFrame::kMission;
  expect_refused(mission_of({it}), "test.waypoints:3: frame 2");
}

TEST(FlightPlan, ParametersOfEveryKind) {
  const Leg waypoint = last_leg(item(MissionCommand::kWaypoint, 2.5, 3.0, 0.0, 90.0));
  EXPECT_EQ(waypoint.hold.us, 2'500'000u);
  EXPECT_EQ(waypoint.acceptance_m, 3.0);
  EXPECT_NEAR(waypoint.yaw_rad, 0.5 * M_PI, 1e-15);
  const Leg turns = last_leg(item(MissionCommand::kLoiterTurns, 2.0, 0.0, -8.0, 1.0));
  EXPECT_EQ(turns.until, LoiterUntil::kTurns);
  EXPECT_EQ(turns.turns, 2.0);
  EXPECT_EQ(turns.radius_m, -8.0);
  EXPECT_TRUE(std::isnan(turns.yaw_rad)) << "parameter 4 of turns is not a heading";
  EXPECT_EQ(last_leg(item(MissionCommand::kLoiterTime, 220.0)).hold.us, 220'000'000u);
  EXPECT_EQ(last_leg(item(MissionCommand::kDelay, 5.0, -1.0, -1.0, -1.0)).hold.us, 5'000'000u);
  const Leg speed = last_leg(item(MissionCommand::kDoChangeSpeed, 3.0, 0.8, -1.0));
  EXPECT_EQ(speed.speed_kind, SpeedKind::kDescent);
  EXPECT_EQ(speed.speed_m_s, 0.8);
  const Leg yaw = last_leg(item(MissionCommand::kConditionYaw, 90.0, 30.0, -1.0, 1.0));
  EXPECT_EQ(yaw.yaw_direction, -1);
  EXPECT_TRUE(yaw.yaw_relative);
}

TEST(FlightPlan, WhatCannotBeFlownNamesItsLine) {
  using enum MissionCommand;
  expect_refused(mission_of({item(kDoJump, 7.0, 1.0)}), "test.waypoints:3: jumps to item 7");
  expect_refused(mission_of({item(kDoJump, 1.0, 1.0)}), "jumps in a circle");
  expect_refused(mission_of({item(kDoJump, 0.5, 1.0)}), "whole number");
  expect_refused(mission_of({item(kWaypoint, -1.0)}), "test.waypoints:3: hold time");
  expect_refused(mission_of({item(kWaypoint, 0.0000015)}), "test.waypoints:3: hold time");
  expect_refused(mission_of({item(kWaypoint, 1.0, 0.0, 2.0)}), "cannot be passed by");
  expect_refused(mission_of({item(kLoiterTurns, 2.0)}), "turns need a radius");
  expect_refused(mission_of({item(kDelay, -1.0, 12.0)}), "time of day");
  expect_refused(mission_of({item(kDoChangeSpeed, 1.0, 0.0)}), "speed (parameter 2) = 0");
  expect_refused(mission_of({item(kDoChangeSpeed, 1.0, 3.0, 50.0)}), "throttle");
  expect_refused(mission_of({item(kLand), item(kWaypoint)}), "test.waypoints:4: is never reached");
  MissionItem far = item(kWaypoint);
  far.latitude_deg = 52.0;
  expect_refused(mission_of({far}), "100 km");
  far.latitude_deg = -47.397742;  // the other side of the Earth: near on the tangent plane
  far.longitude_deg = 8.545594 - 180.0;
  expect_refused(mission_of({far}), "100 km");
  far.longitude_deg = 8.545594;
  far.latitude_deg = 91.0;
  expect_refused(mission_of({far}), "not a place on the earth");
  MissionItem low = item(kTakeoff);
  low.altitude_m = 0.0;
  expect_refused(mission_of({low}), "above the ground");
}

TEST(FlightPlan, TakeoffComesFirstOnTheGroundOnly) {
  Mission mission = mission_of({item(MissionCommand::kWaypoint)});
  mission.items.erase(mission.items.begin());
  expect_refused(mission, "test.waypoints:3: the vehicle stands on the ground");
  PlanContext context;
  context.from_ground = false;
  EXPECT_EQ(compile_flight_plan(mission, context).legs.size(), 1u);
  context = {};
  context.flies = false;
  EXPECT_EQ(compile_flight_plan(mission, context).legs.size(), 1u);
  expect_refused(mission_of({}), "cannot take off", context);
}

TEST(FlightPlan, AnEmptyMissionIsAnEmptyPlan) {
  const FlightPlan plan = compile_flight_plan({}, {});
  MissionProgress progress;
  start_mission(plan, progress);
  EXPECT_EQ(current_leg(plan, progress), nullptr);
}

TEST(MissionProgress, JumpsRepeatAndSpeedsApplyOnTheWay) {
  using enum MissionCommand;
  const FlightPlan plan =
      compile_flight_plan(mission_of({item(kWaypoint), item(kDoChangeSpeed, 1.0, 3.0),
                                      item(kWaypoint), item(kDoJump, 1.0, 2.0), item(kLand)}),
                          {});
  MissionProgress progress;
  start_mission(plan, progress);
  std::string flown;
  while (!progress.finished) {
    flown += std::to_string(progress.item);
    if (progress.item == 3) {
      EXPECT_EQ(progress.speed_m_s[0], 3.0);
      const Leg* next = following_leg(plan, progress);
      EXPECT_EQ(next, &plan.legs[flown.size() < 7 ? 1 : 5]) << "after " << flown;
    }
    complete_leg(plan, progress);
  }
  EXPECT_EQ(flown, "01313135");
  EXPECT_EQ(progress.items_reached, 6);
}

TEST(MissionProgress, JumpsThatLeadNowhereDoNotHang) {
  // The jump back crosses a waypoint, but a second jump skips it.
  using enum MissionCommand;
  const FlightPlan plan = compile_flight_plan(
      mission_of({item(kDoJump, 3.0, 1e6), item(kWaypoint), item(kDoJump, 1.0, -1.0)}), {});
  MissionProgress progress;
  start_mission(plan, progress);
  for (int i = 0; i < 10; ++i) complete_leg(plan, progress);
  EXPECT_FALSE(progress.finished);
}

}  // namespace
}  // namespace tactus
