// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies every shipped scenario

// Every shipped aircraft and scenario flies as its own [[expect]] blocks say.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_root() + "/" + folder)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Flown {
  Run run;
  FlightOutcome outcome;
};

Flown fly_spec(const std::string& name, std::vector<Override> overrides = {}) {
  Assembly flight = assemble(load_spec(find_spec(name), overrides).spec);
  Observers observers;
  observers.hooks.push_back(flight.monitor.get());
  fly(flight.run, observers);
  return {std::move(flight.run), flight.monitor->outcome()};
}

std::string explain(const FlightOutcome& outcome) {
  std::string text = outcome.crash_message;
  for (const ExpectationResult& result : outcome.results) {
    if (!result.passed) text += "\n" + result.id + ": " + result.message;
  }
  return text;
}

class ShippedFlight : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedFlight, DoesWhatItsExpectationsSay) {
  const Flown flown = fly_spec(GetParam());
  EXPECT_TRUE(flown.outcome.passed()) << explain(flown.outcome);
}

std::string name_of_test(const ::testing::TestParamInfo<std::string>& test) { return test.param; }

INSTANTIATE_TEST_SUITE_P(Aircraft, ShippedFlight, ::testing::ValuesIn(names_in("aircraft")),
                         name_of_test);

/// Scenarios with tests of their own are left out.
std::vector<std::string> passing_scenarios() {
  std::vector<std::string> names = names_in("scenarios");
  std::erase(names, "iris_motor_off");
  std::erase(names, "hover_24h");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, ShippedFlight, ::testing::ValuesIn(passing_scenarios()),
                         name_of_test);

TEST(ShippedFlights, QuadrotorWithoutAMotorCrashesAndSaysSo) {
  const Flown flown = fly_spec("iris_motor_off");
  EXPECT_TRUE(flown.outcome.crashed());
  EXPECT_FALSE(flown.outcome.passed());
  EXPECT_GT(flown.outcome.crash_time, TimeUs{20'000'000});
  EXPECT_FALSE(flown.outcome.crash_message.empty());
}

/// The whole day only in the long test run.
TEST(ShippedFlights, HoversForADayAndEndsAtTheMicrosecond) {
  const long end_s = testing::scaled(testing::sanitized() ? 4'000 : 86'400);
  const Flown flown = fly_spec("hover_24h", {{"time.end_s", std::to_string(end_s)}});
  EXPECT_EQ(flown.run.now(), TimeUs{static_cast<std::uint64_t>(end_s) * 1'000'000});
  EXPECT_TRUE(flown.outcome.passed()) << explain(flown.outcome);
}

}  // namespace
}  // namespace tactus
