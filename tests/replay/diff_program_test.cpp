// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Flights of autopilots that are programs of others: recordings of ours stand for them.

#include "tactus/replay/diff/diff_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "tests/support/diff_flights.h"

namespace tactus {
namespace {

using testing::flipped;
using testing::Flown;
using testing::said;

const ProgramFacts kMain = {{"program", "px4, build id 12ab"}, {"processor", "one"}};

/// As if that program had flown it.
Recording flown_by(const Recording& ours, const ProgramFacts& facts) {
  Recording recording = ours;
  for (ParameterRecord& parameter : recording.meta.parameters) {
    if (parameter.key == "autopilot.kind") parameter.value = "\"px4-sitl\"";
  }
  const std::string text = to_text(facts);
  const auto bytes = std::as_bytes(std::span(text));
  recording.blobs.push_back(
      {"/external/autopilot_program", {{TimeUs(0), {bytes.begin(), bytes.end()}}}});
  return recording;
}

bool says(const DiffReport& report, const std::string& words) {
  return said(report).find(words) != std::string::npos;
}

struct Flights {
  const std::unique_ptr<Source> other =
      flipped(Signal::kCommand, "command.motor[2]", TimeUs(400'000));
  std::shared_ptr<const Recording> a = Flown{}.record();
  std::shared_ptr<const Recording> b = Flown{testing::loaded(), other.get()}.record();
};

TEST(DiffProgram, AnotherBuildIsTheCauseWithItsFirstMotorCommand) {
  const Flights flights;
  const ProgramFacts stable = {{"program", "px4, build id 34cd"}, {"processor", "two"}};
  const DiffReport report = diff(flown_by(*flights.a, kMain), flown_by(*flights.b, stable));
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.cause->component, Component::kAutopilot);
  EXPECT_TRUE(says(report,
                   "the autopilot's program differs: px4, build id 12ab and px4, build id "
                   "34cd"))
      << said(report);
  ASSERT_TRUE(report.motor);
  EXPECT_EQ(report.motor->time, TimeUs(400'000));
  EXPECT_EQ(report.motor->equal_until, TimeUs(396'000));
  EXPECT_EQ(report.motor->value.leaf, "command.motor[2]");
  EXPECT_EQ(report.motor->value.ulps, 1U);
  const auto note = [&report](const char* text) {
    return std::ranges::count(report.notes, text) == 1;
  };
  EXPECT_TRUE(note("autopilot's program: px4, build id 12ab and px4, build id 34cd"));
  EXPECT_TRUE(note("autopilot's processor: one and two"));
}

TEST(DiffProgram, TheSameBuildOnAnotherProcessor) {
  const Flights flights;
  const ProgramFacts there = {kMain[0], {"processor", "two"}};
  const DiffReport report = diff(flown_by(*flights.a, kMain), flown_by(*flights.b, there));
  EXPECT_TRUE(says(report, "program is the same, but not its processor")) << said(report);
}

TEST(DiffProgram, NothingDiffersButTheFlight) {
  const Flights flights;
  const DiffReport report = diff(flown_by(*flights.a, kMain), flown_by(*flights.b, kMain));
  EXPECT_TRUE(says(report, "it was not under the conductor")) << said(report);
}

TEST(DiffProgram, OneThatSaysNothingOfItsProgramIsComparedAllTheSame) {
  const Flights flights;
  const DiffReport report = diff(flown_by(*flights.a, {}), flown_by(*flights.b, kMain));
  ASSERT_TRUE(report.motor);
  EXPECT_FALSE(says(report, "program differs")) << said(report);
}

TEST(DiffProgram, TheBuiltInAutopilotIsNoProgramOfOthers) {
  const Flights flights;
  const DiffReport report = diff(*flights.a, *flights.b);
  EXPECT_EQ(report.verdict, DiffVerdict::kDifferent);
  EXPECT_FALSE(report.motor);
}

TEST(DiffProgram, EqualFlightsOfTwoBuildsAreEqual) {
  const Flown flown;
  const ProgramFacts stable = {{"program", "px4, build id 34cd"}};
  const DiffReport report =
      diff(flown_by(*flown.record(), kMain), flown_by(*flown.record(), stable));
  EXPECT_EQ(report.verdict, DiffVerdict::kEqual);
  EXPECT_FALSE(report.motor);
}

}  // namespace
}  // namespace tactus
