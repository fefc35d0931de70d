// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies with every number of the specs at its ends

// Every number of a spec is set to what no vehicle has. The check must refuse it and say where, or
// the flight must begin and go on: what was said to be right never stops a run.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tactus/engine/run.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/spec_check.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tests/spec/spec_samples.h"
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

TEST(SpecRange, NumbersOfABallAreRefusedOrFlown) { expect_all("ball_drop", {}, "ball."); }

using Ranges = std::map<std::string, KeyRange>;

void collect(const SchemaTable& table, const std::string& path, Ranges& ranges) {
  for (const SchemaKey& key : table.keys) {
    if (math::is_finite(key.range.largest)) ranges[join_key(path, key.name)] = key.range;
  }
  for (const SchemaTable& inner : table.tables) collect(inner, join_key(path, inner.name), ranges);
  for (const SchemaList& list : table.lists) {
    for (const SchemaTable& entry : list.entries) {
      collect(entry, join_key(join_key(path, list.name), "ID"), ranges);
    }
  }
}

/// "rotor.left.motor.x" to "rotor.ID.motor.x"
std::string without_id(const std::string& key) {
  for (const std::string list : {"rotor.", "pack.", "bus.", "event.", "expect.", "wind.gust."}) {
    if (!key.starts_with(list)) continue;
    return list + "ID" + key.substr(std::min(key.size(), key.find('.', list.size())));
  }
  return key;
}

/// Of one rotor alone too: it may differ in single keys.
std::vector<ResolvedKey> keys_to_try(const std::string& spec, const Overrides& start) {
  const LoadedSpec loaded = load_spec(find_spec(spec), start);
  std::vector<ResolvedKey> keys = loaded.provenance;
  if (loaded.spec.parts.rotors.empty()) return keys;
  for (const ResolvedKey& key : loaded.provenance) {
    if (!key.key.starts_with("motor.") && !key.key.starts_with("propeller.")) continue;
    keys.push_back(key);
    keys.back().key = "rotor." + loaded.spec.parts.rotors.front() + "." + key.key;
  }
  return keys;
}

/// An integer stays one.
std::string as_written(double value, const std::string& like) {
  const bool whole = like.find_first_of(".e[") == std::string::npos;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

void expect_ends_of_ranges(const std::string& spec, const Overrides& start) {
  SpecDraft draft = SpecDraft::sample();
  Ranges ranges;
  collect(make_schema(draft), "", ranges);
  int tried = 0;
  for (const ResolvedKey& key : keys_to_try(spec, start)) {
    const auto range = ranges.find(without_id(key.key));
    if (range == ranges.end() || key.key == "time.end_s") continue;
    // A boundary per microsecond is slow, nothing else.
    if (key.key.starts_with("time.") || key.key.ends_with("period_s")) continue;
    ++tried;
    if (testing::few_cases() && tried % 10 != 0) continue;
    for (const double end : {range->second.smallest, range->second.largest}) {
      const std::string text = replaced(key.value, as_written(end, key.value));
      if (!text.empty()) expect_refused_or_flown(spec, start, {key.key, text});
    }
  }
  EXPECT_GT(tried, 80);
}

TEST(SpecRange, EndsOfRangesOfAStandingMultirotorAreRefusedOrFlown) {
  expect_ends_of_ranges("instruments", {});
}

TEST(SpecRange, EndsOfRangesOfAFlyingMultirotorAreRefusedOrFlown) {
  expect_ends_of_ranges("default", {{"initial.on_ground", "false"},
                                    {"initial.position_ned_m", "[0.0, 0.0, -20.0]"},
                                    {"initial.velocity_ned_m_s", "[1.0, 2.0, 0.5]"},
                                    {"initial.rotor_speed_rad_s", "400.0"},
                                    {"event.arm.at_s", "0.0"},
                                    {"event.start.at_s", "0.004"}});
}

TEST(SpecRange, EndsOfRangesOfARoverAreRefusedOrDriven) {
  expect_ends_of_ranges("rover_square", {{"event.arm.at_s", "0.0"}, {"event.start.at_s", "0.004"}});
}

TEST(SpecRange, WhatNoStepFollowsNamesTheNumberThatIsOutOfProportion) {
  const auto mistake = [](const char* key, const char* value) {
    const std::vector<Override> overrides = {{key, value}};
    const SpecCheck check = check_spec("default", overrides);
    return check.mistakes.size() == 1 ? std::string(check.mistakes.front().what()) : "";
  };
  for (const auto& [key, value] : std::vector<std::pair<const char*, const char*>>{
           {"rotor.front_right.motor.kv_rpm_per_v", "1"},
           {"rotor.front_right.propeller.radius_m", "5"},
           {"rotor.front_right.motor.viscous_friction_nm_s", "10"},
           {"motor.resistance_ohm", "1e-07"},
           {"motor.rotor_inertia_kg_m2", "1e-10"}}) {
    const std::string begin = fmt::format("--set {} = {}: the rotor's speed", key, value);
    EXPECT_TRUE(mistake(key, value).starts_with(begin)) << mistake(key, value);
  }
  EXPECT_NE(mistake("solver.h_min_us", "65535").find("1 to 10 us"), std::string::npos);
  EXPECT_NE(mistake("solver.max_attempts", "1").find("100 to 1e+12"), std::string::npos);
}

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

TEST(SpecRange, AFixedStepResolvesTheDragOfTheBody) {
  for (const char* value : {"linear_drag_n_s_m=1000", "angular_damping_nm_s=[0.0, 900.0, 0.0]"}) {
    const std::vector<Override> overrides = {{"solver.method", "rk4"},
                                             {"solver.step_us", "4000"},
                                             {"world.ground.present", "false"},
                                             parse_override(std::string("body.") + value)};
    const SpecCheck check = check_spec("free_fall", overrides);
    ASSERT_EQ(check.mistakes.size(), 1U) << value;
    EXPECT_NE(std::string(check.mistakes.front().what()).find("of the body with rk4"),
              std::string::npos)
        << check.mistakes.front().what();
  }
}

TEST(SpecRange, TheSizeOfAVectorIsItsLength) {
  const auto mistake = [](const char* key, const char* value) {
    const std::vector<Override> overrides = {{"initial.on_ground", "false"}, {key, value}};
    const SpecCheck check = check_spec("calm", overrides);
    return check.mistakes.empty() ? "" : std::string(check.mistakes.front().what());
  };
  EXPECT_EQ(mistake("initial.velocity_ned_m_s", "[0.0, 0.0, -900.0]").find("out of range"),
            std::string::npos);
  for (const char* value : {"[900.0, 900.0, 0.0]", "[1e300, 0.0, 0.0]", "[0.0, -1001.0, 0.0]"}) {
    EXPECT_NE(mistake("initial.velocity_ned_m_s", value).find("must be from 0 to 1000 m/s"),
              std::string::npos)
        << value;
  }
  EXPECT_NE(mistake("rotor.front_left.position_body_m", "[80.0, 80.0, 0.0]").find("0 to 100 m"),
            std::string::npos);
}

/// Rotor positions are often computed: cos(90 deg) is 6e-17.
TEST(SpecRange, EntriesOfPlacesMayBeTiny) {
  const std::vector<Override> overrides = {
      {"rotor.front_left.position_body_m", "[0.1515, -0.2450, 6.1e-17]"}};
  EXPECT_TRUE(check_spec("iris", overrides).mistakes.empty());
}

}  // namespace
}  // namespace tactus
