// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Every number of a spec is set to what no vehicle has. The check must refuse it and say where, or
// the flight must begin and go on: what was said to be right never stops a run.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tactus/engine/run.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/spec_check.h"
#include "tactus/scenario/spec_keys.h"
#include "tests/scenario/spec_samples.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

bool is_number(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789+-.einf") == std::string::npos;
}

/// The value with each of its numbers replaced; empty: it holds none.
std::string replaced(const std::string& value, const std::string& by) {
  if (is_number(value)) return by;
  if (!value.starts_with("[")) return {};
  std::string out;
  std::string word;
  bool any = false;
  for (const char c : value + " ") {
    if (std::string_view("[]{}, =").find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    any = any || is_number(word);
    out += is_number(word) ? by : word;
    out += c;
    word.clear();
  }
  return any ? out : std::string();
}

using Overrides = std::vector<Override>;

void expect_refused_or_flown(const std::string& spec, Overrides overrides, const Override& change) {
  overrides.push_back({"time.end_s", "0.1"});
  overrides.push_back(change);
  const SpecCheck check = check_spec(spec, overrides);
  SCOPED_TRACE(spec + " --set " + change.key + "=" + change.value);
  for (const Error& mistake : check.mistakes) {
    const std::string message = mistake.what();
    EXPECT_EQ(mistake.code(), ExitCode::kBadInput) << message;
    const bool placed = message.starts_with("--set ") || message.find(".toml:") < message.find(' ');
    EXPECT_TRUE(placed) << message;
  }
  if (!check.mistakes.empty()) return;
  try {
    Assembly flight = assemble(*check.loaded);
    Observers observers;
    fly(flight.run, observers);
  } catch (const Error& error) {
    ADD_FAILURE() << "was right, but: " << error.what();
  }
}

void expect_all(const std::string& spec, const Overrides& start, std::string_view only = "") {
  std::vector<std::string> values = {"1e-300", "1e300", "1e18", "0", "-1", "nan"};
  if (testing::test_all()) values.insert(values.end(), {"1e-9", "1e-3", "1e3", "1e6", "-1e18"});
  if (testing::few_cases()) values.resize(2);
  for (const ResolvedKey& key : load_spec(find_spec(spec), start).provenance) {
    if (!key.key.starts_with(only) || key.key == "time.end_s") continue;
    for (const std::string& value : values) {
      const std::string text = replaced(key.value, value);
      if (!text.empty()) expect_refused_or_flown(spec, start, {key.key, text});
    }
  }
}

TEST(SpecRange, NumbersOfAStandingMultirotorAreRefusedOrFlown) { expect_all("instruments", {}); }

TEST(SpecRange, NumbersOfAFlyingMultirotorAreRefusedOrFlown) {
  expect_all("default", {{"initial.on_ground", "false"},
                         {"initial.position_ned_m", "[0.0, 0.0, -20.0]"},
                         {"initial.velocity_ned_m_s", "[1.0, 2.0, 0.5]"},
                         {"initial.rotor_speed_rad_s", "400.0"},
                         {"event.arm.at_s", "0.0"},
                         {"event.start.at_s", "0.004"}});
}

TEST(SpecRange, NumbersOfARoverAreRefusedOrDriven) { expect_all("rover_square", {}, "rover."); }

TEST(SpecRange, TheRangeIsSaid) {
  const std::string error = testing::error_of(testing::kSmallSpec + "[body]\nmass_kg = 1e-300\n");
  EXPECT_EQ(error,
            "t.toml:18:1: body.mass_kg = 1e-300: out of range; its size must be from 0.001 to "
            "100000 kg");
  EXPECT_EQ(testing::error_of(testing::kSmallSpec + "[propeller]\nradius_m = 1e6\n"),
            "t.toml:18:1: propeller.radius_m = 1e+06: out of range; its size must be from "
            "0.001 to 50 m");
}

TEST(SpecRange, FractionsAndAnglesShowTheRangeOfTheModel) {
  const std::string keys = keys_text();
  for (const char* row :
       {"| `pack.ID.soc0` | real | 1 | 0 to 1 |", "| `pack.ID.low_soc` | real | 1 | 0 to 1 |",
        "| `motor.efficiency` | real | 1 | 0 to 1 |",
        "| `rotor.ID.motor.dead_zone` | real | 1 | 0 to 1 |",
        "| `autopilot.max_tilt_rad` | real | rad | 0.0872665 to 1.39626 |",
        "| `world.latitude_deg` | real | deg | 0 to 90 |"}) {
    EXPECT_NE(keys.find(row), std::string::npos) << row;
  }
  const auto mistakes = [](const char* key, const char* value) {
    const std::vector<Override> overrides = {{key, value}};
    return check_spec("iris", overrides).mistakes.size();
  };
  EXPECT_EQ(mistakes("pack.main.soc0", "1"), 0U);
  EXPECT_EQ(mistakes("pack.main.soc0", "80"), 1U);
  EXPECT_EQ(mistakes("autopilot.max_tilt_rad", "1.39"), 0U);
  EXPECT_EQ(mistakes("autopilot.max_tilt_rad", "45"), 1U);
}

/// Rotor positions are often computed: cos(90 deg) is 6e-17.
TEST(SpecRange, EntriesOfPlacesMayBeTiny) {
  const std::vector<Override> overrides = {
      {"rotor.front_left.position_body_m", "[0.1515, -0.2450, 6.1e-17]"}};
  EXPECT_TRUE(check_spec("iris", overrides).mistakes.empty());
}

}  // namespace
}  // namespace tactus
