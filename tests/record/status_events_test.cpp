// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/status_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tests/golden/flown.h"

namespace tactus {
namespace {

using Texts = std::vector<std::string>;

Texts texts(std::span<const StatusEvent> events) {
  Texts out;
  for (const StatusEvent& event : events) {
    out.push_back(fmt::format("{}|{}|{}|{}", event.who, event.what, event.detail, event.index));
  }
  return out;
}

TEST(StatusEvents, WhatWasSoBeforeIsNoEvent) {
  Bus bus;
  bus.autopilot.armed = true;
  bus.autopilot.mode = FlightMode::kHold;
  bus.land.landed = true;
  StatusEvents events(bus);
  EXPECT_TRUE(events.see(bus).empty());
  EXPECT_TRUE(events.see(bus).empty());
}

TEST(StatusEvents, EveryChangeIsReportedOnceWithItsReason) {
  Bus bus;
  StatusEvents events;
  bus.land.landed = true;
  bus.autopilot.refusal = ArmingRefusal::kNoBattery;
  EXPECT_EQ(texts(events.see(bus)),
            (Texts{"land_detector|landed||0", "autopilot|refuses|no_battery|2"}));
  bus.land.landed = false;
  bus.autopilot.refusal = ArmingRefusal::kNone;
  bus.autopilot.armed = true;
  bus.autopilot.mode = FlightMode::kMission;
  bus.autopilot.mission_item = 0;
  EXPECT_EQ(texts(events.see(bus)), (Texts{"land_detector|not landed||0", "autopilot|armed||0",
                                           "autopilot|mode|mission|2"}));
  bus.autopilot.mission_item = 2;
  EXPECT_EQ(texts(events.see(bus)), (Texts{"autopilot|item done||0"}));
  bus.autopilot.failsafe = Failsafe::kMotorLost;
  bus.autopilot.mode = FlightMode::kReturn;
  bus.autopilot.mission_item = -1;
  bus.autopilot.motor_lost_mask = 0b101;
  bus.autopilot.yaw_given_up = true;
  EXPECT_EQ(
      texts(events.see(bus)),
      (Texts{"autopilot|failsafe|motor_lost|4", "autopilot|mode|return|4",
             "autopilot|motor lost||0", "autopilot|motor lost||2", "autopilot|yaw given up||0"}));
  bus.autopilot.motor_lost_mask = 0b100;
  bus.autopilot.failsafe = Failsafe::kNone;
  bus.autopilot.mission_item = 2;
  EXPECT_EQ(texts(events.see(bus)),
            (Texts{"autopilot|failsafe|none|0", "autopilot|motor trusted again||0"}));
  bus.autopilot.mission_finished = true;
  bus.autopilot.mission_item = -1;
  EXPECT_EQ(texts(events.see(bus)),
            (Texts{"autopilot|item done||2", "autopilot|mission finished||0"}));
  EXPECT_TRUE(events.see(bus).empty());
}

TEST(StatusEvents, ARecordingListsTheEventsOfItsFlight) {
  const LoadedSpec loaded = load_spec_text(R"(
    extends = "../aircraft/iris.toml"
    time = { end_s = 6.0 }
    autopilot = { mission = "", takeoff_height_m = 2.0 }
    [[event]]
    id = "start"
    do = "takeoff"
    [[event]]
    id = "down"
    at_s = 4.0
    do = "land"
  )",
                                           data_root() + "/scenarios/story.toml");
  Assembly flight = assemble(loaded.spec);
  MemorySink memory;
  StreamRecorder recorder({recording_meta(loaded, Tier::kPlant, {})}, memory);
  Observers observers;
  observers.recorders = {&recorder};
  fly(flight.run, observers);
  const auto recording = memory.recording();
  const Table& events = recording->require("events");
  const std::vector<RowField>& fields = events.layout.fields;
  Texts story;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::byte* const row = events.row(i).data();
    const std::string who = text(fields[1], row);
    EXPECT_GE(events.time(i), events.time(i == 0 ? 0 : i - 1));
    if (who == "plant") continue;
    story.push_back(who + " " + text(fields[2], row) + " " + text(fields[3], row));
  }
  const Texts expected{"land_detector landed ",  "scenario acts arm",
                       "autopilot armed ",       "scenario acts start",
                       "autopilot mode takeoff", "land_detector not landed ",
                       "scenario acts down",     "autopilot mode land"};
  EXPECT_EQ(story, expected);
}

}  // namespace
}  // namespace tactus
