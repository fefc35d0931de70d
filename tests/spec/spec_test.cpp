// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: rapidcheck

// Inheritance, merge, overrides, events, names of specs and the starter.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/reader/spec_starter.h"
#include "tactus/spec/vehicle/vehicle_type.h"
#include "tests/spec/spec_samples.h"

namespace tactus {
namespace {

using testing::error_of;
using testing::kRichSpec;
using testing::kSmallSpec;
using testing::TestFolder;

Spec load(const std::string& text, const std::vector<Override>& overrides = {}) {
  return load_spec_text(text, "t.toml", overrides).spec;
}

std::string origin_of(const LoadedSpec& loaded, const std::string& key) {
  for (const ResolvedKey& resolved : loaded.provenance) {
    if (resolved.key == key) return resolved.origin();
  }
  return "(not shown)";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

TEST(Spec, DefaultsAreThoseOfTheStructs) {
  const Spec spec = load(kSmallSpec);
  EXPECT_EQ(multirotor_of(spec).body.mass_kg, RigidBodyParameters{}.mass_kg);
  EXPECT_EQ(multirotor_of(spec).rotor_count, 2);
  EXPECT_EQ(spec.parts.rotors, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(multirotor_of(spec).rotor[1].reaction_sign, -1);
  EXPECT_EQ(spec.timeline.autopilot, DurationUs(4000));
}

TEST(Spec, IntegersAreReals_OtherTypesAreStrict) {
  EXPECT_EQ(multirotor_of(load(kSmallSpec + "[body]\nmass_kg = 2")).body.mass_kg, 2.0);
  expect_contains(error_of(kSmallSpec + "[servo_actuator]\ncount = 1.0"), "must be an integer");
  expect_contains(error_of(kSmallSpec + "[vehicle]"), "t.toml:");
}

TEST(Spec, SyntaxErrorsHaveAPlace) {
  EXPECT_TRUE(error_of("a = \n").starts_with("t.toml:1:"));
  EXPECT_TRUE(error_of("[a\n").starts_with("t.toml:1:"));
  EXPECT_TRUE(error_of("name = \"x\"\n[=]\n").starts_with("t.toml:2:"));
}

TEST(Spec, RotorsTakeTheCommonMotorAndMayDiffer) {
  const Spec spec = load(kSmallSpec + R"(
[motor]
resistance_ohm = 0.2
kv_rpm_per_v = 900
)",
                         {{"rotor.left.motor.resistance_ohm", "0.3"}});
  EXPECT_EQ(multirotor_of(spec).rotor[0].motor.resistance_ohm, 0.3);
  EXPECT_EQ(multirotor_of(spec).rotor[0].motor.kv_rpm_per_v, 900.0);
  EXPECT_EQ(multirotor_of(spec).rotor[1].motor.resistance_ohm, 0.2);
}

TEST(Spec, ListsOfAPackMustAgree) {
  const std::string pack = kSmallSpec +
                           "[[wind.gust]]\nid=\"g\"\nat_s=1\nduration_s=1\n"
                           "velocity_ned_m_s=[0,0,1]\n";
  const Spec three =
      load(pack, {{"pack.pack.ocv_soc", "[0, 0.5, 1]"}, {"pack.pack.ocv_v", "[10, 11, 12]"}});
  EXPECT_EQ(multirotor_of(three).power.pack[0].ocv_count, 3);
  const std::vector<Override> unequal = {{"pack.pack.ocv_v", "[10, 11, 12]"}};
  expect_contains(error_of(pack, "t.toml", unequal), "ocv_soc has 2 elements and ocv_v has 3");
}

TEST(Spec, TimesAreWholeMicroseconds) {
  EXPECT_EQ(load(kSmallSpec + "[time]\nend_s = 8.3").timeline.end, DurationUs(8'300'000));
  const std::string error = error_of(kSmallSpec + "[time]\nend_s = 0.0000015");
  expect_contains(error, "time.end_s");
  expect_contains(error, "0.000001 s and 0.000002 s");
}

TEST(Spec, ValidatorsSpeakOfFilesAndKeys) {
  EXPECT_EQ(error_of("name = \"x\"\n" + kSmallSpec + "[body]\nmass_kg = -1"),
            "t.toml:19:1: body.mass_kg = -1: must be greater than zero");
  // A value that is not in the file is marked as a default.
  const std::vector<Override> low = {{"bus.main.restart_v", "1"}};
  expect_contains(error_of(kSmallSpec, "t.toml", low), "bus.main.undervoltage_v = 6 (default): ");
}

TEST(Spec, WhatBelongsToAnotherVehicleIsRefused) {
  expect_contains(error_of(testing::kRoverSpec + "[body]\nmass_kg = 1"),
                  "body: is not used by vehicle.kind = \"rover\"");
  expect_contains(error_of(kSmallSpec + "[rover]\ntrack_m = 1"), "rover: is not used");
}

// --- extends -------------------------------------------------------------------------------------

TEST(Extends, TheFileItselfWins_LaterBasesOverEarlier) {
  const TestFolder folder;
  folder.write("a.toml", kSmallSpec + "[body]\nmass_kg = 1\ndrag_area_m2 = [1, 1, 1]\n");
  folder.write("b.toml", "[body]\nmass_kg = 2\nlinear_drag_n_s_m = 0.5\n");
  const std::string c = folder.write(
      "c.toml", "extends = [\"a.toml\", \"b.toml\"]\n[body]\nlinear_drag_n_s_m = 0.25");
  const LoadedSpec loaded = load_spec(c);
  const RigidBodyParameters& body = multirotor_of(loaded.spec).body;
  EXPECT_EQ(body.mass_kg, 2.0);
  EXPECT_EQ(body.drag_area_m2.x, 1.0);
  EXPECT_EQ(body.linear_drag_n_s_m, 0.25);
  EXPECT_EQ(origin_of(loaded, "body.mass_kg"), folder.file("b.toml") + ":2");
  EXPECT_EQ(origin_of(loaded, "body.linear_drag_n_s_m"), c + ":3");
  EXPECT_EQ(origin_of(loaded, "body.angular_damping_nm_s"), "default");
}

TEST(Spec, ParameterFilesOfArdupilotArePartOfIt) {
  const TestFolder folder;
  const auto text = [](const std::string& kind, const std::string& files) {
    return kSmallSpec + "[autopilot]\nkind = \"" + kind +
           "\"\n[autopilot.ardupilot]\ndefaults = \"" + files + "\"\n";
  };
  const auto loaded = [&](const std::string& files) {
    return load_spec_text(text("ardupilot", files), folder.file("leaf.toml"));
  };
  folder.write("a.parm", "WPNAV_SPEED 500\nRTL_ALT 1000\n");
  folder.write("b.parm", "WPNAV_SPEED 750\n");
  folder.write("moved/b.parm", "# the same\n\nWPNAV_SPEED = 750\n");
  const LoadedSpec both = loaded("@ROMFS/copter.parm, a.parm, b.parm");
  EXPECT_EQ(both.spec.external.ardupilot_built_in, std::vector<std::string>{"@ROMFS/copter.parm"});
  EXPECT_EQ(both.spec.external.ardupilot_given,
            (ArdupilotSettings{{"RTL_ALT", 1000.0}, {"WPNAV_SPEED", 750.0}}));
  EXPECT_EQ(loaded("@ROMFS/copter.parm,a.parm,moved/b.parm").spec.digest, both.spec.digest);
  EXPECT_NE(loaded("@ROMFS/copter.parm,b.parm,a.parm").spec.digest, both.spec.digest);
  EXPECT_NE(loaded("a.parm, b.parm").spec.digest, both.spec.digest);
  folder.write("b.parm", "WPNAV_SPEED 751\n");
  EXPECT_NE(loaded("@ROMFS/copter.parm,a.parm,b.parm").spec.digest, both.spec.digest);

  // What a recording keeps stands alone.
  ASSERT_EQ(both.files.size(), 2u);
  const LoadedSpec again = load_spec_text(both.resolved, "elsewhere.toml", {}, both.files);
  EXPECT_EQ(again.spec.digest, both.spec.digest);

  expect_contains(
      error_of(text("ardupilot", "c.parm"), folder.file("leaf.toml"), {}, ExitCode::kEnvironment),
      "autopilot.ardupilot.defaults = \"c.parm\": there is");
  folder.write("c.parm", "WPNAV_SPEED fast\n");
  expect_contains(error_of(text("ardupilot", "c.parm"), folder.file("leaf.toml")),
                  "c.parm:1: WPNAV_SPEED");
  EXPECT_NO_THROW(load_spec_text(text("builtin", "nowhere.parm"), "t.toml"));
}

TEST(Extends, PathsBelongToTheFileTheyAreWrittenIn) {
  const TestFolder folder;
  folder.write("missions/m.waypoints",
               "QGC WPL 110\n0\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t12\t1\n");
  folder.write("aircraft/base.toml",
               kSmallSpec + "[autopilot]\nmission = \"../missions/m.waypoints\"\n");
  const std::string leaf =
      folder.write("deep/er/leaf.toml", "extends = \"../../aircraft/base.toml\"\n");
  EXPECT_EQ(load_spec(leaf).spec.mission.items.size(), 1u);
}

TEST(Extends, MistakesInABaseNameTheBase) {
  const TestFolder folder;
  const std::string base = folder.write("base.toml", kSmallSpec + "[body]\nmas_kg = 1\n");
  const std::string leaf = folder.write("leaf.toml", "extends = \"base.toml\"\n");
  EXPECT_TRUE(error_of("extends = \"base.toml\"\n", leaf).starts_with(base + ":18:1: body.mas_kg"));
}

TEST(Extends, CyclesListTheChain) {
  const TestFolder folder;
  folder.write("a.toml", "extends = \"b.toml\"\n");
  folder.write("b.toml", "extends = \"./a.toml\"\n");
  const std::string error = error_of("extends = \"b.toml\"\n", folder.file("a.toml"));
  EXPECT_TRUE(error.starts_with(folder.file("b.toml") + ":1:1: extends")) << error;
  expect_contains(error, folder.file("a.toml") + " -> " + folder.file("b.toml") + " -> ");
}

TEST(Extends, ADiamondIsNoCycle) {
  const TestFolder folder;
  folder.write("base.toml", kSmallSpec);
  folder.write("l.toml", "extends = \"base.toml\"\n[body]\nmass_kg = 1.25\n");
  folder.write("r.toml", "extends = \"base.toml\"\n");
  const std::string top = folder.write("top.toml", "extends = [\"r.toml\", \"l.toml\"]\n");
  EXPECT_EQ(multirotor_of(load_spec(top).spec).body.mass_kg, 1.25);
}

TEST(Extends, UnreadableFilesAreTheEnvironment) {
  const std::string error =
      error_of("extends = \"no.toml\"\n", "here/t.toml", {}, ExitCode::kEnvironment);
  EXPECT_TRUE(error.starts_with("here/t.toml:1:1: extends = \"no.toml\"")) << error;
  EXPECT_THROW(load_spec("no/such/file.toml"), Error);
}

TEST(Extends, BareNamesThatAreNoFileBesideAreShippedOnes) {
  const TestFolder data;
  data.write("aircraft/small.toml", kSmallSpec + "[body]\nmass_kg = 1.25\n");
  data.write("aircraft/both.toml", "");
  data.write("scenarios/both.toml", kSmallSpec);
  data.write("missions/m.waypoints",
             "QGC WPL 110\n0\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t12\t1\n");
  const TestFolder own;
  own.write("beside.toml", kSmallSpec + "[body]\nmass_kg = 1.75\n");
  data.write("aircraft/beside.toml", "");
  ASSERT_EQ(setenv("TACTUS_DATA", data.file("").c_str(), 1), 0);
  const std::string leaf = own.file("leaf.toml");
  const auto mass = [&](const std::string& name) {
    return multirotor_of(load_spec_text("extends = \"" + name + "\"\n", leaf).spec).body.mass_kg;
  };
  EXPECT_EQ(mass("small.toml"), 1.25);
  EXPECT_EQ(mass("small"), 1.25);
  EXPECT_EQ(mass("both"), RigidBodyParameters{}.mass_kg);
  EXPECT_EQ(mass("beside.toml"), 1.75);
  const std::string mission = kSmallSpec + "[autopilot]\nmission = \"";
  EXPECT_EQ(load_spec_text(mission + "m.waypoints\"\n", leaf).spec.mission.items.size(), 1u);

  const ExitCode code = ExitCode::kEnvironment;
  const std::string error = error_of("extends = \"smal.toml\"\n", leaf, {}, code);
  expect_contains(error, "there is neither a file " + own.file("smal.toml"));
  expect_contains(error, "aircraft; did you mean small.toml?");
  expect_contains(error_of(mission + "n.waypoints\"\n", leaf, {}, code),
                  "missions; did you mean m.waypoints?");
  // A path is a path.
  expect_contains(error_of("extends = \"./small.toml\"\n", leaf, {}, code),
                  "there is no file " + own.file("small.toml"));
  ASSERT_EQ(unsetenv("TACTUS_DATA"), 0);
}

// --- merge on meaning ----------------------------------------------------------------------------

class MergeTest : public ::testing::Test {
 protected:
  /// `over` extends the small spec plus `base`.
  LoadedSpec merged(const std::string& base, const std::string& over) {
    folder_.write("base.toml", kSmallSpec + base);
    return load_spec(folder_.write("over.toml", "extends = \"base.toml\"\n" + over));
  }
  std::string merge_error(const std::string& base, const std::string& over) {
    folder_.write("base.toml", kSmallSpec + base);
    return error_of("extends = \"base.toml\"\n" + over, folder_.file("over.toml"));
  }
  TestFolder folder_;
};

constexpr char kTensor[] =
    "[body]\ninertia_kg_m2 = [[0.2, 0.01, 0], [0.01, 0.2, 0], [0, 0, 0.3]]\n";
constexpr char kDiagonal[] = "[body]\ninertia_diagonal_kg_m2 = [0.1, 0.1, 0.15]\n";

TEST_F(MergeTest, TensorAndDiagonalReplaceEachOther) {
  EXPECT_EQ(multirotor_of(merged(kDiagonal, kTensor).spec).body.inertia_kg_m2.m[0][1], 0.01);
  const Mat3 diagonal = multirotor_of(merged(kTensor, kDiagonal).spec).body.inertia_kg_m2;
  EXPECT_EQ(diagonal.m[0][0], 0.1);
  EXPECT_EQ(diagonal.m[0][1], 0.0);
  expect_contains(merge_error("", std::string(kTensor) + "inertia_diagonal_kg_m2 = [1, 1, 1]\n"),
                  "over.toml:4:1: body.inertia_diagonal_kg_m2 = [1, 1, 1]: cannot be combined");
}

TEST_F(MergeTest, EulerAndQuaternionReplaceEachOther) {
  const std::string euler = "[initial]\neuler_deg = [0, 0, 180]\n";
  const std::string quaternion = "[initial]\nattitude_wxyz = [0, 1, 0, 0]\n";
  EXPECT_NEAR(merged(quaternion, euler).spec.initial.attitude.z, 1.0, 1e-15);
  EXPECT_EQ(merged(euler, quaternion).spec.initial.attitude.x, 1.0);
  expect_contains(merge_error("", euler + "attitude_wxyz = [1, 0, 0, 0]\n"), "cannot be combined");
}

TEST_F(MergeTest, EntriesMergeByIdInheritedFirst) {
  const Spec spec = merged("", R"(
[[rotor]]
id = "third"
position_body_m = [-0.2, 0, 0]
[[rotor]]
id = "left"
reaction_sign = -1
)")
                        .spec;
  EXPECT_EQ(spec.parts.rotors, (std::vector<std::string>{"left", "right", "third"}));
  EXPECT_EQ(multirotor_of(spec).rotor[0].reaction_sign, -1);
  EXPECT_EQ(multirotor_of(spec).rotor[0].position_B_m.y, -0.2);
}

TEST_F(MergeTest, EntriesCanBeRemoved) {
  const Spec spec = merged("", "[[rotor]]\nid = \"left\"\nremove = true\n").spec;
  EXPECT_EQ(spec.parts.rotors, (std::vector<std::string>{"right"}));
  expect_contains(merge_error("", "[[rotor]]\nid = \"x\"\nremove = true\n"),
                  "over.toml:4:1: rotor.x.remove = true: there is no inherited entry");
  expect_contains(merge_error("", "[[rotor]]\nid = \"left\"\nremove = true\nreaction_sign = 1\n"),
                  "has no other keys");
}

TEST_F(MergeTest, AnIdIsGivenOncePerFile) {
  expect_contains(merge_error("",
                              "[[event]]\nid=\"a\"\nat_s=1\ndo=\"arm\"\n"
                              "[[event]]\nid=\"a\"\nat_s=2\ndo=\"arm\"\n"),
                  "over.toml:7:1: event.id = \"a\": is given twice in this file");
}

TEST_F(MergeTest, AnotherTriggerOrActionReplacesTheOldOne) {
  const std::string base =
      "[[event]]\nid=\"e\"\nat_s=1\ndo=\"motor_stuck\"\nrotor=\"left\"\nvalue=0.5\n";
  const Event when =
      merged(base, "[[event]]\nid=\"e\"\nwhen=\"truth.height_m above 3\"\n").spec.events[0];
  EXPECT_EQ(when.trigger.kind, TriggerKind::kWhen);
  EXPECT_EQ(when.action.value, 0.5);
  const Event arm = merged(base, "[[event]]\nid=\"e\"\ndo=\"arm\"\n").spec.events[0];
  EXPECT_EQ(arm.action.kind, ActionKind::kArm);
  EXPECT_EQ(arm.trigger.at, TimeUs(1'000'000));
}

TEST_F(MergeTest, SplittingAFileAnywhereChangesNothing) {
  // Law: keys spread over a chain of files give the spec that one file with all of them gives.
  const std::vector<std::string> parts = {
      "[body]\nmass_kg = 1.25\n",
      "[wind]\nmean_ned_m_s = [1, 2, 0]\n",
      "[time]\nend_s = 12\n",
      "[gear]\nfriction = 0.5\n",
      "[[event]]\nid = \"a\"\nat_s = 1\ndo = \"arm\"\n",
      "[[event]]\nid = \"b\"\nat_s = 2\ndo = \"takeoff\"\n",
  };
  std::string all = kSmallSpec;
  for (const std::string& part : parts) all += part;
  const Digest128 whole = load(all).digest;
  EXPECT_TRUE(rc::check("split into a chain", [&](const std::vector<bool>& cuts) {
    std::string text = kSmallSpec;
    int files = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i < cuts.size() && cuts[i]) {
        const std::string name = "chain" + std::to_string(files++) + ".toml";
        folder_.write(name, text);
        text = "extends = \"" + name + "\"\n";
      }
      text += parts[i];
    }
    RC_ASSERT(load_spec(folder_.write("leaf.toml", text)).spec.digest == whole);
  }));
}

// --- overrides -----------------------------------------------------------------------------------

TEST(Override, EqualsTheSameKeyInAFile) {
  const LoadedSpec loaded =
      load_spec_text(kRichSpec, "t.toml",
                     std::vector<Override>{parse_override("body.mass_kg = 1.25"),
                                           parse_override("wind.turbulence=dryden"),
                                           parse_override("event.high.when=truth.height_m below 2"),
                                           parse_override("rotor.left.position_body_m=[0, 1, 0]")});
  EXPECT_EQ(multirotor_of(loaded.spec).body.mass_kg, 1.25);
  EXPECT_EQ(loaded.spec.world.wind.turbulence, TurbulenceKind::kDryden);
  EXPECT_EQ(multirotor_of(loaded.spec).rotor[0].position_B_m.y, 1.0);
  EXPECT_EQ(loaded.spec.events[3].trigger.comparison, Comparison::kBelow);
  EXPECT_EQ(loaded.spec.events[3].trigger.threshold, 2.0);
  EXPECT_EQ(origin_of(loaded, "body.mass_kg"), "--set");
  EXPECT_EQ(load(kSmallSpec, {{"body.mass_kg", "1.25"}}).digest,
            load(kSmallSpec + "[body]\nmass_kg = 1.25\n").digest);
}

TEST(Override, ErrorsNameTheOption) {
  const auto error = [](const std::string& text) {
    return error_of(kRichSpec, "t.toml", std::vector<Override>{parse_override(text)});
  };
  EXPECT_EQ(error("body.mass_kg=-1"), "--set body.mass_kg = -1: must be greater than zero");
  expect_contains(error("body.mas_kg=1"), "did you mean mass_kg?");
  expect_contains(error("body.mass_kg=heavy"), "= heavy: must be a number, in kg");
  expect_contains(error("time.end_s=long"), "must be a number, in s");
  expect_contains(error("motor.kv=3"), "did you mean kv_rpm_per_v?");
  expect_contains(error("rotor.middle.reaction_sign=1"), "one of left, right");
  expect_contains(error("rotor.left=1"), "NAME.ID.KEY");
  expect_contains(error("body.mass_kg.x=1"), "is a value, not a table");
  expect_contains(error("wind.turbulence=drydn"), "must be one of none, ornstein_uhlenbeck");
  EXPECT_THROW(parse_override("body.mass_kg"), Error);
  EXPECT_THROW(parse_override("=1"), Error);
}

TEST(Override, RemovesEntriesAndUnsetsPaths) {
  EXPECT_EQ(load(kRichSpec, {{"expect.alive.remove", "true"}}).expectations.size(), 4u);
  EXPECT_TRUE(load(kSmallSpec, {{"autopilot.mission", ""}}).mission_path.empty());
}

// --- events and expectations ---------------------------------------------------------------------

TEST(SpecEvents, AreReadInOrderWithTheirPlace) {
  const Spec spec = load(kRichSpec);
  ASSERT_EQ(spec.events.size(), 13u);
  EXPECT_TRUE(spec.events[0].trigger.snap_to_autopilot);
  EXPECT_EQ(spec.events[1].trigger.every, DurationUs(250'000));
  EXPECT_EQ(spec.events[2].trigger.step, 3u);
  EXPECT_EQ(spec.events[3].trigger.signal, "truth.height_m");
  EXPECT_EQ(spec.events[3].trigger.delay, DurationUs(100'000));
  EXPECT_EQ(spec.events[4].trigger.after, "high");
  EXPECT_EQ(spec.events[5].action.delay, DurationUs(20'000));
  EXPECT_EQ(spec.events[7].action.target, "1");
  EXPECT_EQ(spec.events[8].action.target, "gps");
  EXPECT_EQ(spec.events[12].action.correlation, DurationUs(20'000));
  EXPECT_TRUE(spec.events[0].where.starts_with("t.toml:"));
  EXPECT_EQ(spec.expectations[1].by, TimeUs(40'000'000));
  EXPECT_EQ(spec.expectations[2].by, TimeUs(~std::uint64_t{0}));
}

TEST(SpecEvents, MistakesAreNamed) {
  const auto error = [](const std::string& event) {
    return error_of(kSmallSpec + "[[event]]\nid = \"e\"\n" + event);
  };
  const std::string arm = "do = \"arm\"\n";
  expect_contains(error(arm), "give at_s, at_step, when or after");
  expect_contains(error(arm + "at_s = 1\nat_step = 3"), "cannot be combined with at_s");
  expect_contains(error(arm + "at_s = 1\nevery_s = 3"), "at_s with mode once does not use it");
  expect_contains(error(arm + "at_s = 1\nmode = \"repeat\""), "event.e.every_s: is missing");
  expect_contains(error(arm + "at_s = 1\nmode = \"latched\""), "latched is for when");
  expect_contains(error(arm + "at_s = 1\nvalue = 3"), "do = \"arm\" does not use it");
  expect_contains(error(arm + "when = \"truth.height_m over 3\""), "SIGNAL above NUMBER");
  expect_contains(error(arm + "when = \"truth.height_m above three\""), "is not a number");
  expect_contains(error(arm + "when = \"truth.heigt_m above 3\""), "truth.height_m");
  expect_contains(error(arm + "when = \"height above 3\""), "did you mean truth.height_m?");
  expect_contains(error(arm + "when = \"height above 3\""), "tactus spec signals");
  expect_contains(error(arm + "after = \"f\""), "there is no event of this id");
  expect_contains(error(arm + "after = \"e\""), "waits for itself");
  expect_contains(error("at_s = 1\ndo = \"motor_off\""), "event.e.rotor: is missing");
  expect_contains(error("at_s = 1\ndo = \"motor_off\"\nrotor = \"lft\""), "did you mean left?");
  expect_contains(error("at_s = 1\ndo = \"motor_stuck\"\nrotor = \"left\"\nvalue = 1.5"),
                  "must lie between 0 and 1");
  expect_contains(error("at_s = 1\ndo = \"servo_stuck\"\nservo = 0\nvalue = 0"),
                  "the vehicle has 0 servos");
  const std::string noise = "do = \"motor_noise\"\nat_s = 1\n";
  expect_contains(error(noise), "event.e.rotor: is missing; do = \"motor_noise\" needs it");
  expect_contains(error(noise + "rotor = \"left\"\nvalue = 0.6"), "must lie between 0 and 0.5");
  expect_contains(error(noise + "rotor = \"left\"\nvalue = 0.1\nlag_s = 1"),
                  "does not use it (it uses rotor, value, duration_s, correlation_s)");
  expect_contains(error(arm + "at_s = 1\ncorrelation_s = 1"), "do = \"arm\" does not use it");
}

TEST(SpecExpectations, MistakesAreNamed) {
  const auto error = [](const std::string& expect) {
    return error_of(kSmallSpec + "[[expect]]\nid = \"e\"\n" + expect);
  };
  expect_contains(error("kind = \"signal_max\"\nlimit = 1"), "expect.e.signal: is missing");
  expect_contains(error("kind = \"survive\"\nevent = \"x\""), "there is no event of this id");
  expect_contains(error("kind = \"land_by\"\nlimit = 1"), "kind = \"land_by\" does not use it");
  expect_contains(error("kind = \"stay_inside\"\nlow_m = 1"), "belong together");
  expect_contains(error("kind = \"stay_inside\""), "give radius_m, or low_m and high_m");
  expect_contains(error("kind = \"final\"\nsignal = \"truth.hight_m\"\nvalue = 0\ntolerance = 1"),
                  "truth.height_m");
  expect_contains(error("kind = \"mission_complete\"\nby_s = -1"), "expect.e.by_s");
}

TEST(SpecEvents, ParametersAreTheKeysOfAutopilot) {
  SpecDraft draft = SpecDraft::sample();
  const SchemaTable schema = make_schema(draft);
  for (const SchemaKey& key : schema.table("autopilot")->keys) {
    if (key.name == "kind" || key.name.starts_with("mission")) continue;
    EXPECT_NO_THROW(builtin_parameter_index(key.name)) << key.name;
  }
}

// --- all mistakes at once ------------------------------------------------------------------------

std::vector<std::string> mistakes_in(const std::string& text,
                                     const std::vector<Override>& overrides = {}) {
  std::vector<std::string> out;
  for (const Error& mistake : spec_mistakes_in_text(text, "t.toml", overrides)) {
    out.emplace_back(mistake.what());
  }
  return out;
}

TEST(SpecMistakes, AreAllFoundInTheOrderOfTheFile) {
  const std::string text = R"([vehicle]
kind = "multirotor"
[body]
mas_kg = 1
mass_kg = -1
drag_area_m2 = "large"
[motor]
resistance_ohm = -1
[wind]
turbulence = "drydn"
[[bus]]
id = "main"
[[pack]]
id = "pack"
r0_ohm = -1
[[rotor]]
id = "left"
position_body_m = [0, 1, 0]
reaction_sign = 7
bus = "man"
[[event]]
id = "e"
at_s = 1
do = "motor_off"
rotor = "lft"
[[event]]
id = "f"
after = "e"
do = "arm"
[[event]]
id = "g"
when = "height above 3"
do = "arm"
[[expect]]
id = "x"
kind = "survive"
event = "h"
)";
  const std::vector<std::string> found =
      mistakes_in(text, {{"wind.gust.x.at_s", "1"}, {"seed", "many"}});
  std::vector<std::string> places;
  for (const std::string& mistake : found) {
    places.push_back(mistake.substr(0, mistake.find(" = ")));
  }
  EXPECT_EQ(places, (std::vector<std::string>{
                        "t.toml:4:1: body.mas_kg", "t.toml:5:1: body.mass_kg",
                        "t.toml:6:1: body.drag_area_m2", "t.toml:8:1: motor.resistance_ohm",
                        "t.toml:10:1: wind.turbulence", "t.toml:15:1: pack.pack.r0_ohm",
                        "t.toml:19:1: rotor.left.reaction_sign", "t.toml:20:1: rotor.left.bus",
                        "t.toml:25:1: event.e.rotor",
                        "t.toml:32:1: event.g.when: there is no signal \"height\"; did you mean "
                        "truth.height_m? (`tactus spec signals` lists them all)",
                        "t.toml:37:1: expect.x.event", "--set wind.gust.x.at_s", "--set seed"}));
}

TEST(SpecMistakes, ConsequencesAreNotReported) {
  // A rotor that is misspelt is not a missing one; what names a broken entry is right.
  EXPECT_EQ(mistakes_in(kSmallSpec + "[[event]]\nid = \"e\"\nat_s = 1\ndo = \"fly\"\n"
                                     "[[event]]\nid = \"f\"\nafter = \"e\"\ndo = \"arm\"\n")
                .size(),
            1u);
  std::string misspelt = kSmallSpec;
  while (misspelt.find("[[rotor]]") != std::string::npos) {
    misspelt.replace(misspelt.find("[[rotor]]"), 9, "[[rotr]]");
  }
  EXPECT_EQ(mistakes_in(misspelt).size(), 1u);
  EXPECT_EQ(mistakes_in("a = \n").size(), 1u);
  EXPECT_TRUE(mistakes_in(kRichSpec).empty());
}

TEST(SpecMistakes, OfABaseAreFoundToo_Once) {
  const TestFolder folder;
  const std::string base = folder.write("base.toml", kSmallSpec + "[body]\nmas_kg = 1\n");
  folder.write("l.toml", "extends = \"base.toml\"\n");
  const std::string top =
      folder.write("top.toml", "extends = [\"l.toml\", \"base.toml\"]\nsed = 1\n");
  const std::vector<Error> found = spec_mistakes(top);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(std::string(found[0].what()).starts_with(base + ":18:1: body.mas_kg"));
  EXPECT_TRUE(std::string(found[1].what()).starts_with(top + ":2:1: sed"));
}

// --- files, starter ------------------------------------------------------------------------------

TEST(FindSpec, PathsFirst_ThenScenariosThenAircraft) {
  const TestFolder folder;
  const std::string own = folder.write("own.toml", "");
  folder.write("scenarios/both.toml", "");
  folder.write("aircraft/both.toml", "");
  folder.write("aircraft/plane.toml", "");
  ASSERT_EQ(setenv("TACTUS_DATA", folder.file("").c_str(), 1), 0);
  EXPECT_EQ(find_spec(own), own);
  EXPECT_TRUE(find_spec("both").ends_with("scenarios/both.toml"));
  EXPECT_TRUE(find_spec("plane.toml").ends_with("aircraft/plane.toml"));
  try {
    find_spec("bth");
    ADD_FAILURE();
  } catch (const Error& error) {
    expect_contains(error.what(), "did you mean both? (scenarios: both; aircraft: both, plane;");
  }
  ASSERT_EQ(unsetenv("TACTUS_DATA"), 0);
}

TEST(Starter, Flies) {
  for (const char* const kind : vehicle_type_names()) {
    const Spec spec = load(starter_spec(kind));
    EXPECT_STREQ(vehicle_type(spec).name(), kind);
    ASSERT_FALSE(spec.expectations.empty());
    Assembly flight = assemble(spec);
    Observers observers;
    observers.hooks.push_back(flight.monitor.get());
    fly(flight.run, observers);
    const FlightOutcome outcome = flight.monitor->outcome();
    EXPECT_TRUE(outcome.passed()) << outcome.crash_message << outcome.results.front().message;
  }
}

}  // namespace
}  // namespace tactus
