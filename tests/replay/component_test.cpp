// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: replays each component of several flights

// Battery and propulsion alone on what the rest of the plant gave them: the recorded outputs and
// states bit for bit with every integrator, and a change of parameters shows in the component that
// it belongs to and in no other.

#include "tactus/replay/component/component_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tests/support/recorded.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::load_text;
using testing::record;

constexpr PlantComponent kBoth[] = {PlantComponent::kBattery, PlantComponent::kPropulsion};

/// Without an autopilot: it falls on its gear, drives stick, a rotor jams and is freed, blades and
/// cells go, the plug falls out for longer than the bus can wait, and heights are found in flight.
constexpr char kTossed[] = R"(
  extends = "../aircraft/iris.toml"
  time = { end_s = 1.6 }
  initial = { on_ground = false, position_ned_m = [0.0, 0.0, -0.3] }
  autopilot = { kind = "none", mission = "" }
  wind = { rule = "linear" }
  [[bus]]
  id = "main"
  restart_delay_s = 0.05
  [[event]]
  id = "arm"
  remove = true
  [[event]]
  id = "start"
  at_s = 0.05
  do = "motor_stuck"
  rotor = "front_left"
  value = 0.7
  [[event]]
  id = "second"
  at_s = 0.12
  do = "motor_stuck"
  rotor = "rear_right"
  value = 0.65
  [[event]]
  id = "low"
  when = "truth.height_m below 0.2"
  do = "pack_cell_drop"
  pack = "main"
  value = 0.7
  [[event]]
  id = "blade"
  at_s = 0.3
  do = "thrust_loss"
  rotor = "front_left"
  value = 0.4
  [[event]]
  id = "jam"
  at_s = 0.5003
  do = "rotor_jam"
  rotor = "rear_right"
  duration_s = 0.2
  [[event]]
  id = "warm"
  at_s = 0.7
  do = "pack_resistance"
  pack = "main"
  value = 1.5
  [[event]]
  id = "plug"
  at_s = 0.9
  do = "pack_disconnect"
  pack = "main"
  duration_s = 0.1
  [[event]]
  id = "charge"
  when = "battery[0].remaining below 0.9995"
  do = "marker"
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

/// Two packs on two buses, motors that brake into them and act late, an estimator and an autopilot.
constexpr char kLifted[] = R"(
  extends = "../aircraft/heavy.toml"
  time = { end_s = 2.5 }
  autopilot = { mission = "", takeoff_height_m = 2.0 }
  motor_actuator = { kind = "second_order", natural_frequency_rad_s = 80.0 }
  [[event]]
  id = "arm"
  at_s = 0.1
  [[event]]
  id = "start"
  at_s = 0.2
  do = "takeoff"
  [[event]]
  id = "late"
  at_s = 1.2
  do = "motor_delay"
  rotor = "front_right"
  lag_s = 0.0105
  [[event]]
  id = "lost"
  at_s = 2.0
  do = "pack_disconnect"
  pack = "b"
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

std::vector<Override> with_method(Method method) {
  std::vector<Override> overrides{{"solver.method", to_text(method)}};
  if (!is_adaptive(method)) {
    overrides.push_back({"solver.step_us", method == Method::kEuler ? "250" : "1000"});
  }
  return overrides;
}

/// Text that reads back as the same value.
std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string one_ulp_above(double value) { return exact(std::nextafter(value, HUGE_VAL)); }

/// For what acts on a state only: an ulp of a rate is lost in the sum with the state.
std::string slightly_above(double value) { return exact(value * (1.0 + 1e-8)); }

std::string text(const ComponentOutcome& outcome) {
  if (!outcome.first) return "equal";
  const ComponentDifference& first = *outcome.first;
  return first.leaf + " at " + std::to_string(first.time.us) + " us: recorded " +
         std::to_string(first.recorded) + ", computed " + std::to_string(first.computed) + ", " +
         std::to_string(first.ulps) + " ulps; " + std::to_string(outcome.different) + " of " +
         std::to_string(outcome.numbers);
}

std::size_t count_events(const Recording& recording, std::string_view what) {
  const Table& events = recording.require("events");
  const RowField& field = *events.layout.find("/events/what");
  std::size_t found = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    found += tactus::text(field, events.row(i).data()) == what ? 1 : 0;
  }
  return found;
}

class ComponentReplay : public ::testing::TestWithParam<Method> {};

TEST_P(ComponentReplay, HasTheRecordedBits) {
  for (const char* const spec : {kTossed, kLifted}) {
    const auto recording = record(load_text(spec, with_method(GetParam())), Tier::kEvaluations);
    const std::size_t boundaries = recording->require("boundary").size();
    for (const PlantComponent component : kBoth) {
      const ComponentOutcome outcome = replay_component(*recording, component);
      EXPECT_TRUE(outcome.equal()) << to_text(component) << ": " << text(outcome);
      EXPECT_EQ(outcome.tier, Tier::kEvaluations);
      EXPECT_EQ(outcome.state_instants, boundaries - 1);
      EXPECT_GT(outcome.output_instants, 0.5 * static_cast<double>(boundaries));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ComponentReplay,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& with) { return std::string(to_text(with.param)); });

/// Two of the shipped flights with the most faults, or all of them with TACTUS_TEST_ALL.
std::vector<std::string> shipped() {
  if (!testing::test_all()) return {"brown_out", "motor_faults"};
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(data_root() + "/scenarios")) {
    if (file.is_regular_file()) names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(ComponentReplayOf, ShippedFlightsHasTheRecordedBits) {
  for (const std::string& name : shipped()) {
    const LoadedSpec loaded = load_spec(find_spec(name));
    const bool takes_hours = loaded.spec.timeline.end.us > 600'000'000;
    if (takes_hours || !std::holds_alternative<MultirotorParameters>(loaded.spec.vehicle)) continue;
    const auto recording = record(loaded, Tier::kEvaluations);
    for (const PlantComponent component : kBoth) {
      const ComponentOutcome outcome = replay_component(*recording, component);
      EXPECT_TRUE(outcome.equal()) << name << ", " << to_text(component) << ": " << text(outcome);
      EXPECT_EQ(outcome.state_instants, recording->require("boundary").size() - 1);
    }
  }
}

TEST(ComponentReplayOf, TheTossedVehicleMeetsWhatItShould) {
  const auto recording = record(load_text(kTossed), Tier::kPlant);
  EXPECT_GT(count_events(*recording, "touchdown"), 0U);
  EXPECT_GT(count_events(*recording, "rotor started"), 1U);
  EXPECT_GT(count_events(*recording, "bus restarted"), 0U);
}

TEST(ComponentReplayOf, TierOneComparesOutputsOnly) {
  const auto recording = record(load_text(kTossed), Tier::kComponents);
  for (const PlantComponent component : kBoth) {
    const ComponentOutcome outcome = replay_component(*recording, component);
    EXPECT_TRUE(outcome.equal()) << text(outcome);
    EXPECT_EQ(outcome.tier, Tier::kComponents);
    EXPECT_EQ(outcome.state_instants, 0U);
    EXPECT_GT(outcome.output_instants, 300U);
  }
}

struct Change {
  Override override;
  PlantComponent owner;
};

/// A change of a constant is found where it belongs and nowhere else.
TEST(ComponentReplayOf, ShowsAChangeInItsOwnComponent) {
  const LoadedSpec loaded = load_text(kLifted);
  const auto recording = record(loaded, Tier::kEvaluations);
  const MultirotorParameters& p = multirotor_of(loaded.spec);
  const Change changes[] = {
      {{"pack.a.r0_ohm", one_ulp_above(p.power.pack[0].r0_ohm)}, PlantComponent::kBattery},
      {{"pack.b.capacity_ah", slightly_above(p.power.pack[1].capacity_ah)},
       PlantComponent::kBattery},
      {{"propeller.static_thrust_coefficient",
        one_ulp_above(p.rotor[0].propeller.static_thrust_coefficient)},
       PlantComponent::kPropulsion},
      {{"motor.rotor_inertia_kg_m2", slightly_above(p.rotor[0].motor.rotor_inertia_kg_m2)},
       PlantComponent::kPropulsion},
      {{"propeller.kind", "quadratic"}, PlantComponent::kPropulsion},
      {{"motor.resistance_ohm", one_ulp_above(p.rotor[0].motor.resistance_ohm)},
       PlantComponent::kPropulsion},
      {{"motor_actuator.damping_ratio", slightly_above(p.motor_actuator.damping_ratio)},
       PlantComponent::kPropulsion},
  };
  for (const Change& change : changes) {
    const std::vector<Override> overrides{change.override};
    for (const PlantComponent component : kBoth) {
      const ComponentOutcome outcome = replay_component(*recording, component, overrides);
      EXPECT_EQ(outcome.equal(), component != change.owner)
          << change.override.key << " in " << to_text(component) << ": " << text(outcome);
    }
  }
}

TEST(ComponentReplayOf, NamesWhatDiffersFirst) {
  const auto recording = record(load_text(kTossed), Tier::kComponents);
  const std::vector<Override> weaker{{"pack.main.r0_ohm", "0.5"}};
  const ComponentOutcome outcome = replay_component(*recording, PlantComponent::kBattery, weaker);
  ASSERT_TRUE(outcome.first);
  EXPECT_EQ(outcome.first->leaf, "battery[0].current_a");
  EXPECT_GT(outcome.first->recorded, outcome.first->computed);
  EXPECT_GT(outcome.first->ulps, 1000U);
  EXPECT_GT(outcome.different, 1U);
}

/// With error control on the rotors the component decides the steps too: as recorded they are the
/// recorded ones, and others ask for evaluations that are not recorded.
TEST(ComponentReplayOf, FollowsStepsThatDependOnIt) {
  std::vector<Override> controlled = with_method(Method::kRk45);
  controlled.push_back({"solver.rotor.atol", "1e-6"});
  const auto recording = record(load_text(kTossed, controlled), Tier::kEvaluations);
  const ComponentOutcome same = replay_component(*recording, PlantComponent::kPropulsion);
  EXPECT_TRUE(same.equal()) << text(same);
  const std::vector<Override> lighter{{"motor.rotor_inertia_kg_m2", "5e-6"}};
  const ComponentOutcome other = replay_component(*recording, PlantComponent::kPropulsion, lighter);
  ASSERT_TRUE(other.first);
  EXPECT_EQ(other.first->leaf, "rhs_trace.t_s");
}

TEST(ComponentReplayOf, ARunThatWasStoppedIsComparedAsFarAsItGoes) {
  Recording cut = *record(load_text(kTossed), Tier::kEvaluations);
  const std::size_t boundaries = cut.require("boundary").size();
  cut.end.complete = false;
  for (Table& table : cut.tables) {
    if (table.layout.name != "rhs_trace") continue;
    table.rows.resize(table.size() / 2 * table.layout.row_size);
  }
  for (const PlantComponent component : kBoth) {
    const ComponentOutcome outcome = replay_component(cut, component);
    EXPECT_TRUE(outcome.equal()) << text(outcome);
    EXPECT_GT(outcome.state_instants, boundaries / 10);
    EXPECT_LT(outcome.state_instants, boundaries - 1);
  }
}

void expect_refusal(const Recording& recording, const std::vector<Override>& overrides,
                    const std::string& reason) {
  try {
    (void)replay_component(recording, PlantComponent::kBattery, overrides);
    ADD_FAILURE() << "not refused: " << reason;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(ComponentReplayOf, RefusesWhatItCannotReplay) {
  const std::vector<Override> shorter{{"time.end_s", "0.1"}};
  const auto tier0 = record(load_text(kTossed, shorter), Tier::kPlant);
  expect_refusal(*tier0, {}, "at tier 1");
  const auto tier1 = record(load_text(kTossed, shorter), Tier::kComponents);
  expect_refusal(*tier1, {{"motor_actuator.kind", "first_order"}}, "the states that it had");
  const auto rover = record(load_text(R"(
    extends = "../aircraft/rover.toml"
    time = { end_s = 0.1 }
  )"),
                            Tier::kComponents);
  expect_refusal(*rover, {}, "has no battery");
}

}  // namespace
}  // namespace tactus
