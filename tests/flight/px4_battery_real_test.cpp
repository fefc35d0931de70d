// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a real PX4 does when our pack passes its levels, if TACTUS_PX4_SITL_BIN names its program
// (and TACTUS_PX4_SITL_ROMFS its start-up scripts, if they are elsewhere).

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tactus/core/error.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tests/golden/flown.h"
#include "tests/support/battery_chronicle.h"

namespace tactus {
namespace {

using testing::BatteryChronicle;
using testing::fly_spec;
using testing::spec_of;

/// On its mission, with a pack that is a fifth of the usual one: low after some 15 s of flight,
/// critical 13 s later.
class BatteryReactionOfRealPx4 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("TACTUS_PX4_SITL_BIN") == nullptr) {
      GTEST_SKIP() << "TACTUS_PX4_SITL_BIN is not set: no real PX4 was flown";
    }
  }
  static Spec mission(const std::string& end_s, const std::string& parameters) {
    return spec_of("extends = \"../aircraft/iris.toml\"\ntime = { end_s = " + end_s + " }\n" +
                   "autopilot = { kind = \"px4-sitl\", outside = { instance = 8, parameters = \"" +
                   parameters + "\" } }\n" + R"(
      wind = { turbulence = "none" }
      [[pack]]
      id = "main"
      capacity_ah = 1.0
      soc0 = 0.30
      low_soc = 0.25
      critical_soc = 0.20
      emergency_soc = 0.05
      [[expect]]
      id = "complete"
      remove = true
      [[expect]]
      id = "land"
      remove = true
    )");
  }
};

// PX4 gets the charge in whole percent, so its level is up to a percent off ours: 2.4 s of this
// flight. Then it holds for COM_FAIL_ACT_T (5 s), so that a pilot may object, and acts.
constexpr DurationUs kPercent{2'500'000};
constexpr DurationUs kReactsWithin{10'000'000};

TEST_F(BatteryReactionOfRealPx4, ActsAtCriticalAsComLowBatActSays) {
  const struct {
    const char* parameters;
    FlightMode expected;
  } cases[] = {{"COM_LOW_BAT_ACT=3", FlightMode::kReturn},
               {"COM_LOW_BAT_ACT=2", FlightMode::kLand},
               {"COM_LOW_BAT_ACT=0", FlightMode::kMission}};
  for (const auto& [parameters, expected] : cases) {
    Assembly flight = assemble(mission("55.0", parameters), {.external = external_autopilots()});
    EXPECT_TRUE(flight.notes.empty());
    BatteryChronicle seen;
    fly_spec(flight, {&seen});
    ASSERT_TRUE(seen.at(BatteryWarning::kLow) && seen.at(BatteryWarning::kCritical));
    const TimeUs critical = *seen.at(BatteryWarning::kCritical);
    // Low is no reason.
    EXPECT_EQ(seen.mode_at(critical - kPercent), FlightMode::kMission) << parameters;
    EXPECT_EQ(seen.mode_at(critical + kReactsWithin), expected) << parameters;
    EXPECT_EQ(seen.failsafe.has_value(), expected != FlightMode::kMission) << parameters;
    if (expected == FlightMode::kMission) continue;
    EXPECT_GT(seen.first(expected), critical - kPercent) << parameters;
  }
}

TEST_F(BatteryReactionOfRealPx4, ItsOwnLevelCountsAndTheFlightSaysSo) {
  Assembly flight =
      assemble(mission("45.0", "BAT_CRIT_THR=0.24"), {.external = external_autopilots()});
  ASSERT_EQ(flight.notes.size(), 1U);
  EXPECT_EQ(flight.notes[0].find("BAT_CRIT_THR = 0.24, given by autopilot.outside.parameters"), 0U);
  BatteryChronicle seen;
  fly_spec(flight, {&seen});
  ASSERT_TRUE(seen.at(BatteryWarning::kLow) && seen.first(FlightMode::kReturn));
  // 0.24 comes soon after our low, and it turns home before our critical.
  EXPECT_LT(*seen.first(FlightMode::kReturn), *seen.at(BatteryWarning::kLow) + kReactsWithin);
  const std::optional<TimeUs> critical = seen.at(BatteryWarning::kCritical);
  EXPECT_TRUE(!critical || *seen.first(FlightMode::kReturn) < *critical);
}

TEST_F(BatteryReactionOfRealPx4, ANameThatItDoesNotKnowIsRefused) {
  Assembly flight = assemble(mission("20.0", "COM_LOW_BAT_ACT=3, MPC_XY_CRUSE=3"),
                             {.external = external_autopilots()});
  try {
    fly_spec(flight, {});
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kPeer);
    const std::string text = error.what();
    EXPECT_NE(text.find("the vehicle did not take MPC_XY_CRUSE (no such parameter)"),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace tactus
