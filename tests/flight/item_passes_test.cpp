// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/item_passes.h"

#include <gtest/gtest.h>

#include <string>

namespace tactus {
namespace {

Mission mission_of(std::initializer_list<MissionCommand> commands) {
  Mission mission;
  for (const MissionCommand command : commands) {
    mission.items.emplace_back();
    mission.items.back().command = command;
  }
  return mission;
}

/// "item: times" of every item that was done.
std::string told(const Mission& mission, const std::vector<FlightFacts::Step>& steps) {
  std::string text;
  for (const ItemPasses& passes : item_passes(mission, steps)) {
    text += std::to_string(passes.item) + ":";
    for (const TimeUs time : passes.times) text += " " + std::to_string(time.us);
    text += "; ";
  }
  return text;
}

constexpr auto kTakeoff = MissionCommand::kTakeoff;
constexpr auto kWaypoint = MissionCommand::kWaypoint;
constexpr auto kSpeed = MissionCommand::kDoChangeSpeed;
constexpr auto kJump = MissionCommand::kDoJump;

TEST(ItemPasses, ALoopPassesItsItemsEveryTime) {
  Mission mission = mission_of({kTakeoff, kSpeed, kWaypoint, kWaypoint, kJump, kSpeed, kWaypoint});
  mission.items[4].param[0] = 2;
  EXPECT_EQ(told(mission, {{TimeUs(1), -1, 0},
                           {TimeUs(10), 0, 2},
                           {TimeUs(20), 2, 3},
                           {TimeUs(30), 3, 2},
                           {TimeUs(40), 2, 3},
                           {TimeUs(50), 3, 6},
                           {TimeUs(60), 6, 7}}),
            "0: 10; 1: 10; 2: 20 40; 3: 30 50; 4: 30 50; 5: 50; 6: 60; ");
}

TEST(ItemPasses, AJumpForwardPassesOver) {
  Mission mission = mission_of({kTakeoff, kJump, kWaypoint, kSpeed, kWaypoint});
  mission.items[1].param[0] = 3;
  EXPECT_EQ(told(mission, {{TimeUs(1), -1, 0}, {TimeUs(10), 0, 4}}), "0: 10; 1: 10; 3: 10; ");
}

TEST(ItemPasses, ItemsAtTheStartAndAtTheEnd) {
  const Mission mission = mission_of({kSpeed, kTakeoff, kSpeed});
  EXPECT_EQ(told(mission, {{TimeUs(1), -1, 1}}), "0: 1; ");
  EXPECT_EQ(told(mission, {{TimeUs(1), -1, 1}, {TimeUs(9), 1, 3}}), "0: 1; 1: 9; 2: 9; ");
}

TEST(ItemPasses, AMissionThatIsUnknownStillReportsWhatWasFlown) {
  EXPECT_EQ(told({}, {{TimeUs(1), -1, 0}, {TimeUs(9), 0, 1}}), "0: 9; ");
}

}  // namespace
}  // namespace tactus
