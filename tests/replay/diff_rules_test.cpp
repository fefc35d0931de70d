// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What counts as a difference, with which recordings, and what is said when something is missing.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/replay/diff/diff.h"
#include "tests/support/diff_flights.h"

namespace tactus {
namespace {

using testing::expect_instant;
using testing::flipped;
using testing::Flown;
using testing::kFlight;
using testing::loaded;
using testing::one_ulp_up;
using testing::said;
using testing::true_divergence;
using testing::Witness;
using testing::witnessed;

const char* const kOneEvent = "event.gust.at_s";

TEST(DiffRules, AnEventAtAnotherInstantIsTheScenarios) {
  const Flown a;
  const Flown on_tick{loaded({{kOneEvent, "0.504"}}), nullptr};
  const DiffReport report = diff(*a.record(), *on_tick.record());
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(500'000)) << said(report);
  EXPECT_EQ(report.cause->component, Component::kScenario) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kCause);
}

TEST(DiffRules, AnInstantThatOnlyOneHasIsADifferenceAndSaysWhoAskedForIt) {
  const Flown a{loaded({{kOneEvent, "0.4995"}}), nullptr};
  const Flown b;
  const DiffReport report = diff(*a.record(), *b.record());
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(499'500)) << said(report);
  const ValueDifference& first = report.divergence->values.front();
  EXPECT_EQ(first.leaf, "boundary.asked_by");
  EXPECT_EQ(first.a, "scheduled");
  EXPECT_EQ(first.b, "(none)");
  EXPECT_EQ(report.cause->component, Component::kScenario) << said(report);
}

Flown dropped(const std::vector<Override>& changes) {
  return {load_spec(find_spec("ball_drop"), changes), nullptr};
}

TEST(DiffRules, OfTwoBallsTheirParameterIsTheCause) {
  const std::vector<Override> soon = {{"time.end_s", "0.2"}};
  const std::vector<Override> heavier = {{"time.end_s", "0.2"}, {"ball.mass_kg", "2.5"}};
  const DiffReport report = diff(*dropped(soon).record(), *dropped(heavier).record());
  ASSERT_TRUE(report.cause) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kCause) << said(report);
  EXPECT_EQ(report.cause->component, Component::kRigidBody) << said(report);
  EXPECT_NE(said(report).find("ball.mass_kg = 2.0 and 2.5"), std::string::npos) << said(report);
}

TEST(DiffRules, TheTouchOfABallIsItsContact) {
  EXPECT_EQ(owner_of_leaf("modes.touching"), Component::kContact);
  EXPECT_EQ(phase_of_leaf("modes.touching"), Phase::kState);
  EXPECT_EQ(owner_of_leaf("modes.bus_down"), Component::kBattery);
  EXPECT_EQ(owner_of_leaf("state.bristle[3]"), Component::kContact);
  EXPECT_EQ(owner_of_leaf("state.left_speed_m_s"), Component::kPropulsion);
}

TEST(DiffRules, WhatASignalSaysOfItsPartsDecides) {
  for (const char* leaf : {"loads.gear_force_n[2]", "loads.impact_speed_m_s"}) {
    EXPECT_EQ(owner_of_leaf(leaf), Component::kContact) << leaf;
    EXPECT_EQ(phase_of_leaf(leaf), Phase::kOutputs) << leaf;
  }
  EXPECT_EQ(owner_of_leaf("loads.duty[0]"), Component::kPropulsion);
  for (const char* leaf : {"truth.attitude.w", "esc[1].speed_rad_s", "battery[0].remaining"}) {
    EXPECT_EQ(phase_of_leaf(leaf), Phase::kState) << leaf;
  }
  for (const char* leaf : {"truth.air_velocity_body_m_s.x", "esc[1].current_a"}) {
    EXPECT_EQ(phase_of_leaf(leaf), Phase::kOutputs) << leaf;
  }
}

TEST(DiffRules, ATouchdownThatOnlyOneFindsIsNamed) {
  const std::vector<Override> fall = {{"initial.position_ned_m", "[0.0, 0.0, -0.3]"},
                                      {"initial.rotor_speed_rad_s", "0.0"},
                                      {"event.arm.at_s", "1.1"},
                                      {"event.start.at_s", "1.15"}};
  std::vector<Override> longer = fall;
  longer.push_back({"gear.positions_body_m",
                    "[[0.1, 0.12, 0.1201], [-0.1, -0.12, 0.12], [0.1, -0.12, 0.12], "
                    "[-0.1, 0.12, 0.12]]"});
  const Flown a{loaded(fall), nullptr};
  const Flown b{loaded(longer), nullptr};
  const DiffReport report = diff(*a.record(), *b.record());
  expect_instant(report, true_divergence(a, b));
  EXPECT_EQ(report.divergence->values.front().b, "found") << said(report);
  EXPECT_EQ(report.cause->component, Component::kContact) << said(report);
}

TEST(DiffRules, AJamIsTheScenariosThoughTheStateJumpsAtTheSameInstant) {
  const std::string text = std::string(kFlight) + R"(
  [[event]]
  id = "jam"
  at_s = 0.4
  do = "rotor_jam"
  rotor = "front_left"
)";
  const Flown jams{load_spec_text(text, data_root() + "/scenarios/diff.toml"), nullptr};
  const Flown later{load_spec_text(text, data_root() + "/scenarios/diff.toml",
                                   std::vector<Override>{{"event.jam.at_s", "0.8"}}),
                    nullptr};
  const DiffReport report = diff(*jams.record(), *later.record());
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(400'000));
  EXPECT_EQ(report.cause->component, Component::kScenario) << said(report);
  EXPECT_EQ(report.divergence->values.front().phase, Phase::kScenario);
}

TEST(DiffRules, AnotherSeedIsSaid) {
  const DiffReport report =
      diff(*Flown{}.record(), *Flown{loaded({{"seed", "4"}}), nullptr}.record());
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(0));
  EXPECT_EQ(report.cause->component, Component::kWind) << said(report);
  EXPECT_NE(said(report).find("seed = 3 and 4"), std::string::npos) << said(report);
}

TEST(DiffRules, ObserversMakeNoDifferenceToTheFlight) {
  const Flown often;
  const Flown seldom{loaded({{"log.period_s", "0.04"}}), nullptr};
  EXPECT_EQ(diff(*often.record(), *seldom.record()).verdict, DiffVerdict::kAbsorbed);
  const Flown never{loaded({{"log.period_s", "0.0"}}), nullptr};
  EXPECT_EQ(diff(*often.record(), *never.record()).verdict, DiffVerdict::kAbsorbed);
}

TEST(DiffRules, TierZeroFindsTheInstantAndSaysWhatItLacksForTheCause) {
  const std::unique_ptr<Source> source =
      flipped(Signal::kWind, "wind.velocity_ned_m_s.x", TimeUs(400'000));
  const Flown a;
  const Flown b{loaded(), source.get()};
  const DiffReport report = diff(*a.record(Tier::kPlant), *b.record(Tier::kPlant));
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(400'000)) << said(report);
  EXPECT_EQ(report.cause->component, Component::kWind);
  EXPECT_EQ(report.cause->blame, Blame::kUnknown);
  EXPECT_NE(said(report).find("tier 1"), std::string::npos) << said(report);
  const DiffReport mixed = diff(*a.record(Tier::kPlant), *b.record());
  EXPECT_EQ(mixed.divergence->time, report.divergence->time);
  EXPECT_EQ(mixed.cause->blame, Blame::kUnknown);
  EXPECT_FALSE(mixed.notes.empty());
  EXPECT_EQ(diff(*a.record(Tier::kPlant), *a.record(Tier::kEvaluations)).verdict,
            DiffVerdict::kEqual);
}

/// The plant's inputs are there at every tier, so tier 0 knows when it was the plant.
TEST(DiffRules, TierZeroFindsThePlant) {
  const Flown a;
  const Flown b{loaded({one_ulp_up("pack.main.r0_ohm")}), nullptr};
  const DiffReport report = diff(*a.record(Tier::kPlant), *b.record(Tier::kPlant));
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.cause->component, Component::kBattery) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kCause);
}

TEST(DiffRules, AnIncompleteRecordingIsComparedAsFarAsItGoes) {
  const Flown a;
  int boundaries = 0;
  const std::shared_ptr<const Recording> part =
      fly_recorded(a.spec, Tier::kComponents, {}, {}, [&boundaries] {
        return ++boundaries > 100;
      }).recording;
  ASSERT_FALSE(part->end.complete);
  const DiffReport equal = diff(*part, *a.record());
  EXPECT_EQ(equal.verdict, DiffVerdict::kEqual) << said(equal);
  EXPECT_EQ(equal.notes.size(), 1U);
  EXPECT_EQ(equal.compared_until, part->end.time);
  const std::unique_ptr<Source> late =
      flipped(Signal::kCommand, "command.motor[0]", TimeUs(800'000));
  const std::shared_ptr<const Recording> other = Flown{loaded(), late.get()}.record();
  EXPECT_EQ(diff(*part, *other).verdict, DiffVerdict::kEqual);
  EXPECT_EQ(diff(*a.record(), *other).verdict, DiffVerdict::kDifferent);
}

TEST(DiffRules, AFlightThatEndsEarlierDiffersThere) {
  const Flown a;
  const Flown b{loaded({{"time.end_s", "1.0"}}), nullptr};
  const DiffReport report = diff(*a.record(), *b.record());
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(1'000'000)) << said(report);
  EXPECT_EQ(report.cause->component, Component::kTimeline) << said(report);
}

TEST(DiffRules, AnotherNameIsAnotherSpecWithTheSameFlight) {
  const Flown a;
  const Flown b{loaded({{"name", "other"}}), nullptr};
  EXPECT_EQ(diff(*a.record(), *b.record()).verdict, DiffVerdict::kAbsorbed);
}

TEST(DiffRules, AnEventFoundAtAnotherInstantIsWithinATolerance) {
  const Flown a;
  const std::shared_ptr<const Recording> recorded = a.record();
  Recording moved = *recorded;
  // The same flight with one boundary found beside the ticks.
  for (Table& table : moved.tables) {
    if (table.layout.name != "boundary") continue;
    const std::size_t row_size = table.layout.row_size;
    std::vector<std::byte> extra(table.row(10).begin(), table.row(10).end());
    put(table.layout.fields[0], 0, table.time(10).us + 7, extra.data());
    extra[table.layout.find("/time/boundary_found")->offset] = std::byte{1};
    const auto after = table.rows.begin() + static_cast<std::ptrdiff_t>(11 * row_size);
    table.rows.insert(after, extra.begin(), extra.end());
  }
  EXPECT_EQ(diff(*recorded, moved).verdict, DiffVerdict::kDifferent);
  const DiffReport report = diff(*recorded, moved, {1e-9});
  EXPECT_EQ(report.verdict, DiffVerdict::kEqual) << said(report);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_TRUE(report.notes[0].starts_with("1 instant of events")) << report.notes[0];
}

TEST(DiffRules, ToleranceAcceptsAndStillFindsWhereTheBitsDiffer) {
  const Flown a;
  const Flown slightly{loaded({one_ulp_up("body.mass_kg")}), nullptr};
  EXPECT_EQ(diff(*a.record(), *slightly.record(), {1e-6}).verdict, DiffVerdict::kAbsorbed);
  const Flown heavier{loaded({{"body.mass_kg", "1.50000003"}}), nullptr};
  const DiffReport report = diff(*a.record(), *heavier.record(), {1e-7});
  ASSERT_TRUE(report.divergence) << said(report);
  EXPECT_GT(report.divergence->time, TimeUs(0)) << said(report);
  EXPECT_EQ(report.cause->blame, Blame::kConsequence);
  EXPECT_NE(said(report).find("from t = 0 us on"), std::string::npos) << said(report);
  EXPECT_NE(said(report).find("body.mass_kg"), std::string::npos) << said(report);
}

std::vector<DigestChain::Link> chain_of(const Flown& flown) {
  Assembly flight = assemble(flown.spec.spec, flown.options());
  DigestChain chain;
  Observers observers;
  observers.recorders.push_back(&chain);
  fly(flight.run, observers);
  return chain.links();
}

TEST(DiffRules, ChainsAloneBracketTheDivergence) {
  const std::unique_ptr<Source> source =
      flipped(Signal::kCommand, "command.motor[0]", TimeUs(600'000));
  const Flown a;
  const Flown b{loaded(), source.get()};
  const std::optional<ChainDifference> chains = diff_chains(chain_of(a), chain_of(b));
  ASSERT_TRUE(chains);
  EXPECT_EQ(chains->equal_until, TimeUs(0));
  EXPECT_EQ(chains->differs_at, TimeUs(1'000'000));
  EXPECT_FALSE(diff_chains(chain_of(a), chain_of(a)));
  const DiffReport report = diff(*a.record(), *b.record());
  ASSERT_TRUE(report.chain);
  EXPECT_EQ(report.chain->differs_at, chains->differs_at);
  EXPECT_FALSE(report.chain->signals.empty());
}

TEST(DiffRules, BisectionFindsAnyLink) {
  for (std::uint64_t size = 0; size < 20; ++size) {
    for (std::uint64_t parts_at = 0; parts_at <= size; ++parts_at) {
      std::vector<DigestChain::Link> a;
      std::vector<DigestChain::Link> b;
      for (std::uint64_t i = 0; i < size; ++i) {
        a.push_back({TimeUs(i), {1, i}});
        b.push_back({TimeUs(i), {i < parts_at ? 1U : 2U, i}});
      }
      const std::optional<ChainDifference> found = diff_chains(a, b);
      ASSERT_EQ(found.has_value(), parts_at < size);
      if (parts_at < size) {
        EXPECT_EQ(found->differs_at, TimeUs(parts_at));
      }
    }
  }
}

TEST(DiffRules, ARecordingThatHoldsOnlyDigestsOfWhatDiffersSaysSo) {
  // Without a log nothing of tier 0 shows the autopilot's report.
  const std::unique_ptr<Source> source =
      flipped(Signal::kCommand, "autopilot.position_setpoint_ned_m.x", TimeUs(600'000));
  Flown a{loaded({{"log.period_s", "0.0"}}), nullptr};
  Flown b{a.spec, source.get()};
  const DiffReport report = diff(*a.record(Tier::kPlant), *b.record(Tier::kPlant));
  ASSERT_TRUE(report.divergence);
  EXPECT_EQ(report.divergence->time, TimeUs(1'000'000));
  EXPECT_EQ(report.divergence->equal_until, TimeUs(0));
  EXPECT_EQ(report.cause->blame, Blame::kUnknown);
}

TEST(DiffRules, GrowthIsThatOfTheTrueMotions) {
  const Flown a;
  const Flown b{loaded({{"body.mass_kg", "1.51"}}), nullptr};
  const std::vector<Witness::Entry> in_a = witnessed(a);
  const std::vector<Witness::Entry> in_b = witnessed(b);
  for (const Tier tier : {Tier::kPlant, Tier::kComponents}) {
    const DiffReport report = diff(*a.record(tier), *b.record(tier));
    ASSERT_FALSE(report.growth.empty());
    EXPECT_EQ(report.growth.back().after, DurationUs(1'200'000));
    double most_m = 0.0;
    double most_rad = 0.0;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
      const bool logged = in_a[i].time.us % 20'000 == 0;
      if (in_a[i].time <= TimeUs(1'000'000) || (tier == Tier::kPlant && !logged)) continue;
      most_m =
          std::max(most_m, norm(in_a[i].bus.truth.position_W_m - in_b[i].bus.truth.position_W_m));
      most_rad = std::max(
          most_rad, attitude_distance(in_a[i].bus.truth.attitude, in_b[i].bus.truth.attitude));
    }
    EXPECT_EQ(report.growth.back().position_m, most_m);
    EXPECT_EQ(report.growth.back().attitude_rad, most_rad);
  }
}

TEST(DiffRules, ARerunOfARecordingIsEqual) {
  const std::shared_ptr<const Recording> recording = Flown{}.record();
  const auto rerun = [&recording](const std::vector<Override>& overrides) {
    const LoadedSpec spec = recorded_spec(*recording, overrides);
    return diff(*recording, *fly_recorded(spec, recording->meta.tier, {}).recording);
  };
  EXPECT_EQ(rerun({}).verdict, DiffVerdict::kEqual);
  const DiffReport heavier = rerun({{"body.mass_kg", "1.6"}});
  EXPECT_EQ(heavier.cause->component, Component::kRigidBody) << said(heavier);
}

TEST(DiffRules, ARoverIsComparedToo) {
  const std::string file = find_spec("rover_square");
  const auto fly = [&file](std::vector<Override> overrides) {
    overrides.push_back({"time.end_s", "5.0"});
    return fly_recorded(load_spec(file, overrides), Tier::kComponents, {}).recording;
  };
  EXPECT_EQ(diff(*fly({}), *fly({})).verdict, DiffVerdict::kEqual);
  const DiffReport report = diff(*fly({}), *fly({{"seed", "77"}}));
  EXPECT_NE(report.verdict, DiffVerdict::kEqual) << said(report);
}

}  // namespace
}  // namespace tactus
