// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/bridge/vehicle.h"
#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/spec/model/spec.h"

namespace tactus {
namespace {

// Lines 1 to 6 of most files here; what a test adds stands from line 7 on.
constexpr char kSimulator[] = "[[simulator]]\nname = \"a\"\n";
constexpr char kVehicle[] = "[[vehicle]]\nid = 0\nsimulator = \"a\"\nspec = \"default\"\n";

FleetPlan load(const std::string& text, const FleetChanges& changes = {}) {
  const std::string path = ::testing::TempDir() + "/fleet_file.toml";
  std::ofstream(path) << text;
  return load_fleet(path, changes);
}

/// The message without the folder: "fleet_file.toml:7:1: …".
std::string refusal(const std::string& text, const FleetChanges& changes = {},
                    ExitCode code = ExitCode::kBadInput) {
  try {
    load(text, changes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    const std::string what = error.what();
    const std::size_t file = what.rfind("/fleet_file.toml");
    return file == std::string::npos ? what : what.substr(file + 1);
  }
  return "accepted";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// A line of the file that is wrong, the key that the message names, and a part of its reason.
struct Mistake {
  const char* line;
  const char* key;
  const char* reason;
};

/// The mistake stands at the end of `before`.
void expect_refused(const std::string& before, const std::string& after,
                    const std::vector<Mistake>& mistakes) {
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  for (const Mistake& one : mistakes) {
    SCOPED_TRACE(one.line);
    const std::string text = refusal(std::string(before).append(one.line).append("\n" + after));
    expect_parts(text, {"fleet_file.toml:" + std::to_string(line) + ":", one.key, one.reason});
  }
}

TEST(FleetFile, TakesEveryKey) {
  const FleetPlan plan = load(R"(
name = "pair"
description = "of two"
[time]
end_s = 60
step_us = 2000
mode = "scaled"
factor = 2
[[simulator]]
name = "ours"
[[simulator]]
name = "theirs"
kind = "hil"
port = 4570
listens = true
quirks = ["altitude_is_down"]
motor_channels = [0, 1, 2, 3]
connect_deadline_s = 3.0
exchange_deadline_s = 0.5
late = "hold"
[[simulator]]
name = "physics"
kind = "json"
port = 9012
connect_deadline_s = "off"
exchange_deadline_s = "off"
channels = 32
rate_hz = 400
[[vehicle]]
id = 7
simulator = "ours"
spec = "default"
seed = 9
exchange_us = 8000
position_ned_m = [1.0, 2.0, 0.0]
heading_deg = 90
mission_shift_ned_m = [1.0, 2.0, 0.0]
mavlink_port = 15000
[vehicle.set]
wind.mean_ned_m_s = [3.0, 0.0, 0.0]
)");
  EXPECT_EQ(plan.name, "pair");
  EXPECT_EQ(plan.description, "of two");
  EXPECT_EQ(plan.end, DurationUs(60'000'000));
  EXPECT_EQ(plan.step, DurationUs(2000));
  EXPECT_EQ(plan.mode.kind, TimeMode::Kind::kScaled);
  EXPECT_EQ(plan.mode.factor, 2.0);
  ASSERT_EQ(plan.simulators.size(), 3U);
  const SimulatorPlan& hil = plan.simulators[1];
  EXPECT_EQ(hil.kind, SimulatorKind::kHil);
  EXPECT_EQ(hil.hil.port, 4570);
  EXPECT_TRUE(hil.hil.listens);
  EXPECT_EQ(hil.hil.quirks.size(), 1U);
  EXPECT_EQ(hil.hil.channels.motor, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(hil.link.connect_deadline, DurationUs(3'000'000));
  EXPECT_EQ(hil.hil.connect_deadline, DurationUs(3'000'000));
  EXPECT_EQ(hil.link.exchange_deadline, DurationUs(500'000));
  EXPECT_EQ(hil.link.late, LatePolicy::kHold);
  EXPECT_EQ(plan.simulators[2].json.port, 9012);
  EXPECT_EQ(plan.simulators[2].link.connect_deadline, DurationUs(0)) << "none";
  EXPECT_EQ(plan.simulators[2].link.exchange_deadline, DurationUs(0)) << "none";
  EXPECT_EQ(plan.simulators[2].json.channels, 32);
  EXPECT_EQ(plan.simulators[2].json.rate_hz, 400);
  ASSERT_EQ(plan.vehicles.size(), 1U);
  const Spec& spec = plan.vehicles[0].loaded.spec;
  EXPECT_EQ(plan.vehicles[0].id, 7);
  EXPECT_EQ(plan.vehicles[0].mavlink_port, 15000);
  EXPECT_EQ(spec.seed, 9U);
  EXPECT_EQ(spec.timeline.autopilot, DurationUs(8000));
  EXPECT_EQ(spec.timeline.end, DurationUs(60'000'000));
  EXPECT_EQ(spec.initial.position_W_m, (Vec3{1.0, 2.0, 0.0}));
  EXPECT_EQ(spec.mission_shift_W_m, (Vec3{1.0, 2.0, 0.0}));
  EXPECT_EQ(spec.world.wind.mean_W_m_s, (Vec3{3.0, 0.0, 0.0}));
  EXPECT_FALSE(spec.ground_station.enabled);
}

TEST(FleetFile, MistakesOfTheFleetAndItsTime) {
  const std::string rest = std::string(kSimulator) + kVehicle;
  expect_refused("", rest,
                 {{"name = 1", "name = 1", "must be a text"},
                  {"description = true", "description", "must be a text"},
                  {"nmae = \"x\"", "nmae", "name"},
                  {"time = 3", "time = 3", "must be a table"}});
  expect_refused("", "", {{"vehicle = 3", "vehicle = 3", "[[vehicle]]"}});
  expect_refused("[time]\n", rest,
                 {{"end_s = \"x\"", "time.end_s", "must be a number"},
                  {"end_s = -1.0", "time.end_s", ""},
                  {"step_us = 1.5", "time.step_us", "whole number from 0"},
                  {"step_us = -4", "time.step_us", "whole number from 0"},
                  {"mode = 1", "time.mode", "must be a text"},
                  {"mode = \"lockstp\"", "time.mode", "lockstep"},
                  {"factor = \"x\"", "time.factor", "must be a number"},
                  {"factor = 2.0", "time.factor = 2.0", "is for mode = \"scaled\""},
                  {"step = 4000", "time.step", "step_us"}});
  expect_refused("[time]\nmode = \"scaled\"\n", rest,
                 {{"factor = 0.0", "time.factor = 0.0", "from 0.001 to 1000000"},
                  {"factor = -1", "time.factor = -1", "from 0.001 to 1000000"},
                  {"factor = nan", "time.factor = nan", "from 0.001 to 1000000"},
                  {"factor = 1e-16", "time.factor = 1e-16", "from 0.001 to 1000000"}});
  expect_parts(refusal(kSimulator), {"fleet_file.toml:1:1: vehicle: is missing", "[[vehicle]]"});
  expect_parts(refusal(""), {"fleet_file.toml:1:1: vehicle: is missing"});
}

TEST(FleetFile, MistakesOfASimulator) {
  const std::string named = "[[simulator]]\nname = \"b\"\n";
  const std::string rest = std::string(kSimulator) + kVehicle;
  expect_refused("[[simulator]]\n", rest,
                 {{"name = 3", "simulator.name", "must be a text"},
                  {"name = \"\"", "simulator.name", "must not be empty"}});
  expect_parts(refusal("[[simulator]]\nkind = \"hil\"\n" + rest),
               {"fleet_file.toml:1:", "simulator.name: is missing"});
  expect_parts(refusal(kSimulator + rest), {"fleet_file.toml:4:", "simulator.name", "already"});
  expect_refused(named, rest,
                 {{"kind = 3", "simulator.kind", "must be a text"},
                  {"kind = \"hill\"", "simulator.kind", "hil"},
                  {"connect_deadline_s = \"x\"", "simulator.connect_deadline_s", "number"},
                  {"connect_deadline_s = -1.0", "simulator.connect_deadline_s", ""},
                  {"connect_deadline_s = 0", "simulator.connect_deadline_s", "\"off\""},
                  {"exchange_deadline_s = 0.0", "simulator.exchange_deadline_s", "\"off\""},
                  {"exchange_deadline_s = false", "simulator.exchange_deadline_s", "number"},
                  {"late = \"hodl\"", "simulator.late", "hold"},
                  {"late = 2", "simulator.late", "must be a text"},
                  {"latte = \"hold\"", "simulator.latte", "late"},
                  {"port = 4560", "simulator.port", "unknown key"}});
  const std::string hil = named + "kind = \"hil\"\n";
  expect_refused(hil, rest,
                 {{"port = 0", "simulator.port", "from 1 to 65535"},
                  {"port = 65536", "simulator.port", "from 1 to 65535"},
                  {"port = \"x\"", "simulator.port", "whole number"},
                  {"listens = 1", "simulator.listens", "true or false"},
                  {"quirks = \"x\"", "simulator.quirks", "list"},
                  {"quirks = [1]", "simulator.quirks = 1", "must be a text"},
                  {"quirks = [\"up\"]", "simulator.quirks", "altitude_is_down"},
                  {"motor_channels = 3", "simulator.motor_channels", "list"},
                  {"motor_channels = [16]", "simulator.motor_channels = 16", "from -1 to 15"},
                  {"motor_channels = [99]", "simulator.motor_channels = 99", "from -1 to 15"},
                  {"motor_channels = [1, 1]", "simulator.motor_channels = 1", "used already"},
                  {"servo_channels = [0, 0]", "simulator.servo_channels = 0", "used already"},
                  {"servo_channels = [0, 1, 2, 3, 4, 5, 6, 7, 8]", "servo_channels", "at most 8"},
                  {"servo_channels = [\"x\"]", "simulator.servo_channels = \"x\"", "-1 to 15"},
                  {"channels = 16", "simulator.channels", "unknown key"}});
  const std::string json = named + "kind = \"json\"\n";
  expect_refused(json, rest,
                 {{"port = 0", "simulator.port", "from 1 to 65535"},
                  {"channels = 15", "simulator.channels", "from 16 to 32"},
                  {"channels = 17", "simulator.channels = 17", "must be 16 or 32"},
                  {"motor_channels = [16]", "simulator.motor_channels = 16", "from -1 to 15"},
                  {"rate_hz = 0", "simulator.rate_hz", "from 1 to 10000"},
                  {"quirks = []", "simulator.quirks", "unknown key"}});
}

/// A simulator of the kind with these lines, and in it a vehicle of the spec.
std::string in_external(const std::string& kind, const std::string& lines,
                        const std::string& spec) {
  return "[[simulator]]\nname = \"a\"\nkind = \"" + kind + "\"\n" + lines +
         "[[vehicle]]\nid = 3\nsimulator = \"a\"\nspec = \"" + spec + "\"\n";
}

// What has no channel would never be sent.
TEST(FleetFile, EveryMotorHasAChannel) {
  struct Craft {
    std::string spec;
    int motors;
  };
  for (Craft craft :
       {Craft{"scenarios/default.toml", 4}, {"aircraft/hexa.toml", 6}, {"aircraft/octa.toml", 8}}) {
    SCOPED_TRACE(craft.spec);
    craft.spec = data_root() + "/" + craft.spec;
    for (const char* const kind : {"hil", "json"}) {
      const FleetPlan plan = load(in_external(kind, "", craft.spec));
      const SimulatorPlan& a = plan.simulators.at(0);
      const bool hil = a.kind == SimulatorKind::kHil;
      EXPECT_EQ(hil ? a.hil.vehicle.motors : a.json.vehicle.motors, craft.motors);
      const ChannelMap& map = hil ? a.hil.channels : a.json.channel_map;
      for (int i = 0; i < craft.motors; ++i) EXPECT_EQ(map.of_motor(i), i);
      const std::string last = std::to_string(craft.motors - 1);
      expect_parts(refusal(in_external(kind, "servo_channels = [" + last + "]\n", craft.spec)),
                   {"fleet_file.toml:4:19: simulator.servo_channels = " + last, "used already"});
      const std::string next = std::to_string(craft.motors);
      load(in_external(kind, "servo_channels = [" + next + "]\n", craft.spec));
      expect_parts(refusal(in_external(kind, "motor_channels = [0, 1, 2]\n", craft.spec)),
                   {"fleet_file.toml:4:", "motor_channels: has 3 channels",
                    "vehicle 3 has " + next + " motors"});
    }
  }
}

TEST(FleetFile, ExternalSimulatorsGetTheWorldOfTheSpec) {
  const std::string mars = "set.world.gravity.uniform_m_s2 = 3.71\n";
  for (const char* const kind : {"hil", "json"}) {
    const FleetPlan plan =
        load(in_external(kind, "", data_root() + "/scenarios/default.toml") + mars);
    const SimulatorPlan& a = plan.simulators.at(0);
    const bool hil = a.kind == SimulatorKind::kHil;
    EXPECT_EQ((hil ? a.hil.world : a.json.world).gravity.uniform_m_s2, 3.71);
  }
}

TEST(FleetFile, ARoverHasServosOnly) {
  for (const char* const kind : {"hil", "json"}) {
    const FleetPlan plan = load(in_external(kind, "servo_channels = [0, 1]\n", "rover_square"));
    EXPECT_EQ(plan.simulators.at(0).hil.vehicle.motors, 0);
    EXPECT_EQ(plan.simulators.at(0).json.vehicle.motors, 0);
    expect_parts(refusal(in_external(kind, "", "rover_square")),
                 {"fleet_file.toml:1:1: simulator.servo_channels: vehicle 3 is a rover"});
    const std::string motors = "servo_channels = [0, 1]\nmotor_channels = [2]\n";
    expect_parts(refusal(in_external(kind, motors, "rover_square")),
                 {"fleet_file.toml:5:", "simulator.motor_channels: has 1 channels", "0 motors"});
  }
}

TEST(FleetFile, MistakesOfAVehicle) {
  const std::string before = std::string(kSimulator) + kVehicle;
  expect_refused(before, "",
                 {{"sede = 1", "vehicle.sede", "seed"},
                  {"seed = \"x\"", "seed", "vehicle 0: "},
                  {"seed = -1", "seed", "vehicle 0: "},
                  {"autopilot = \"px5\"", "autopilot.kind", "px4"},
                  {"exchange_us = 0", "vehicle.exchange_us", "from 1"},
                  {"exchange_us = 4000.0", "vehicle.exchange_us", "whole number"},
                  {"position_ned_m = 3", "initial.position_ned_m", "vehicle 0: "},
                  {"position_ned_m = [0.0, 0.0]", "initial.position_ned_m", "vehicle 0: "},
                  {"heading_deg = \"east\"", "vehicle.heading_deg", "must be a number"},
                  {"mission = 3", "vehicle.mission", "must be a text"},
                  {"autopilot = 3", "vehicle.autopilot", "must be a text"},
                  {"mission_shift_ned_m = \"x\"", "autopilot.mission_shift_ned_m", "vehicle 0: "},
                  {"mavlink_port = 0", "vehicle.mavlink_port", "from 1 to 65535"},
                  {"mavlink_port = 70000", "vehicle.mavlink_port", "from 1 to 65535"},
                  {"mavlink_port = \"x\"", "vehicle.mavlink_port", "whole number"},
                  {"ground_station = 1", "vehicle.ground_station", "true or false"},
                  {"set = 3", "vehicle.set", "must be a table"},
                  {"set.wind.mean = 3", "wind.mean", "mean_ned_m_s"},
                  {"set.body.mass_kg = -1.0", "body.mass_kg", "vehicle 0: "}});
  expect_parts(refusal(before + "mission = \"nowhere.plan\"\n", {}, ExitCode::kEnvironment),
               {"fleet_file.toml:7:", "autopilot.mission", "nowhere.plan"});
}

TEST(FleetFile, WhatDoesNotFitTogetherHasAPlace) {
  const std::string before = std::string(kSimulator) + kVehicle;
  expect_refused(before, "[time]\nstep_us = 3000\n",
                 {{"exchange_us = 4000", "vehicle.exchange_us", "no multiple of time.step_us"}});
  expect_parts(refusal(before + "[time]\nstep_us = 3000\n"),
               {"fleet_file.toml:6:1: vehicle.exchange_us: vehicle 0: ", "exchange_us = 4000"});
  expect_refused(before, "", {{"autopilot = \"none\"", "vehicle.autopilot", "needs one"}});
  const std::string json = "[[simulator]]\nname = \"a\"\nkind = \"json\"\n";
  const std::string spec = "spec = \"default\"\n";
  expect_refused(json + kVehicle + "[[vehicle]]\nid = 1\n", spec,
                 {{"simulator = \"a\"", "vehicle.simulator", "flies one vehicle"}});
  // Any number of them, without going through all for each.
  std::string many;
  for (int i = 0; i < 10'000; ++i) {
    many += "[[simulator]]\nname = \"" + std::to_string(i) + "\"\n";
  }
  expect_parts(refusal(many + kVehicle), {":509:1: simulator: there are 10000; at most 254"});
}

TEST(FleetFile, NothingIsNestedWithoutEnd) {
  std::string parts = "a";
  for (int i = 0; i < 40'000; ++i) parts += ".a";
  const std::string before = std::string(kSimulator) + kVehicle;
  for (const std::string& text : {parts + " = 1\n", "[" + parts + "]\n", "set." + parts + " = 1\n",
                                  "set = {" + parts + " = 1}\n"}) {
    expect_parts(refusal(before + text), {"fleet_file.toml:7:", "nested more than 64 deep"});
  }
}

TEST(FleetFile, AnExternalVehicleHasAnEstimateWithEveryExchange) {
  const std::string external =
      "[[simulator]]\nname = \"a\"\nkind = \"json\"\n" + std::string(kVehicle);
  const auto sensors = [&](const std::string& more) {
    return load(external + more).vehicles[0].loaded.spec.timeline.sensors;
  };
  EXPECT_EQ(sensors("exchange_us = 2000\n"), DurationUs(2000));
  EXPECT_EQ(sensors("exchange_us = 2000\nset.time.sensors_s = 0.001\n"), DurationUs(1000));
  EXPECT_EQ(load(std::string(kSimulator) + kVehicle + "exchange_us = 2000\n")
                .vehicles[0]
                .loaded.spec.timeline.sensors,
            DurationUs(4000))
      << "one of ours flies as its spec says";
}

TEST(FleetFile, WhoAVehicleIsAndWhereItFlies) {
  const std::string simulator = kSimulator;
  const std::string rest = "simulator = \"a\"\nspec = \"default\"\n";
  expect_refused(simulator + "[[vehicle]]\n", rest,
                 {{"id = -1", "vehicle.id", "from 0 to 253"},
                  {"id = 254", "vehicle.id", "from 0 to 253"},
                  {"id = 1.0", "vehicle.id", "whole number"},
                  {"id = \"x\"", "vehicle.id", "whole number"}});
  expect_parts(refusal(simulator + "[[vehicle]]\n" + rest),
               {"fleet_file.toml:3:", "vehicle.id: is missing"});
  expect_parts(refusal(simulator + kVehicle + kVehicle), {":8:1:", "vehicle.id = 0", "already"});
  expect_refused(simulator + "[[vehicle]]\nid = 0\n", "spec = \"default\"\n",
                 {{"simulator = \"b\"", "vehicle.simulator", "there is no such simulator"},
                  {"simulator = 1", "vehicle.simulator", "must be a text"}});
  expect_parts(refusal(simulator + "[[vehicle]]\nid = 0\nspec = \"default\"\n"),
               {"fleet_file.toml:3:", "vehicle.simulator: is missing"});
  expect_refused(simulator + "[[vehicle]]\nid = 0\nsimulator = \"a\"\n", "",
                 {{"spec = 1", "vehicle.spec", "must be a text"},
                  {"spec = \"nothing\"", "vehicle 0", "nothing"}});
  expect_parts(refusal(simulator + "[[vehicle]]\nid = 0\nsimulator = \"a\"\n"),
               {"fleet_file.toml:3:", "vehicle.spec: is missing"});
  FleetChanges wrong;
  wrong.specs = {{"body.mass_kg", "-1.0"}};
  expect_parts(refusal(simulator + kVehicle, wrong),
               {"fleet_file.toml:6:", "vehicle 0: --set body.mass_kg"});
}

/// A vehicle of the built-in simulator "a".
std::string vehicle(int id, const std::string& more = "") {
  return "[[vehicle]]\nid = " + std::to_string(id) + "\nsimulator = \"a\"\nspec = \"standby\"\n" +
         more;
}

TEST(FleetFile, GroundStationsHavePortsAndSystemsByTheId) {
  FleetChanges all;
  all.ground_stations = true;
  const FleetPlan plan =
      load(kSimulator + vehicle(0) + vehicle(3) + vehicle(5, "ground_station = false\n") +
               vehicle(6, "mavlink_port = 15000\n") + vehicle(7, "autopilot = \"px4-lib\"\n"),
           all);
  const auto station = [&](std::size_t i) { return plan.vehicles[i].loaded.spec.ground_station; };
  EXPECT_TRUE(station(0).enabled);
  EXPECT_EQ(station(0).host, "127.0.0.1");
  EXPECT_EQ(station(0).port, 14550);
  EXPECT_EQ(station(0).system_id, 1);
  EXPECT_EQ(station(1).port, 14553);
  EXPECT_EQ(station(1).system_id, 4);
  EXPECT_FALSE(station(2).enabled);
  EXPECT_EQ(station(3).port, 15000);
  EXPECT_FALSE(station(4).enabled) << "PX4 has its own";

  const FleetPlan one = load(kSimulator + vehicle(0) + vehicle(1, "ground_station = true\n"));
  EXPECT_FALSE(one.vehicles[0].loaded.spec.ground_station.enabled);
  EXPECT_TRUE(one.vehicles[1].loaded.spec.ground_station.enabled);
  const std::string set =
      "[vehicle.set]\nautopilot.ground_station.enabled = true\n"
      "autopilot.ground_station.port = 15001\n";
  const FleetPlan told = load(kSimulator + vehicle(4, set));
  EXPECT_EQ(told.vehicles[0].mavlink_port, 15001);
  EXPECT_EQ(told.vehicles[0].loaded.spec.ground_station.system_id, 5);
  expect_parts(
      refusal(kSimulator + vehicle(1, "ground_station = true\nautopilot = \"px4-sitl\"\n")),
      {":7:1: vehicle.ground_station = true: ", "builtin"});
}

TEST(FleetFile, NoTwoNeedTheSamePort) {
  const std::string px4 = "autopilot = \"px4-sitl\"\n";
  const std::string ardupilot = "autopilot = \"ardupilot\"\n";
  const std::string waits =
      ardupilot + "[vehicle.set]\nautopilot.outside.wait = true\nautopilot.outside.free = true\n";
  const std::string free = "[vehicle.set]\nautopilot.outside.free = true\n";
  const std::string same = "[vehicle.set]\nautopilot.outside.instance = 4\n";
  const std::string instance = same + "autopilot.outside.free = true\n";
  const auto both = [](const std::string& a, const std::string& b) {
    return refusal(kSimulator + a + b);
  };
  expect_parts(both(vehicle(0), vehicle(1, "mavlink_port = 14550\n")),
               {":11:1: ", "vehicle 1 needs UDP port 14550", "vehicle 0 has", "mavlink_port"});
  expect_parts(both(vehicle(0, px4 + free), vehicle(30)),
               {":11:1: ", "vehicle 30 needs UDP port 14580", "PX4's MAVLink"});
  expect_parts(both(vehicle(9), vehicle(1, px4 + instance)), {"accepted"});
  expect_parts(both(vehicle(2, px4 + same), vehicle(3, px4 + same)), {"accepted"});
  expect_parts(both(vehicle(2, px4 + instance), vehicle(3, px4 + instance)),
               {"vehicle 3 needs UDP port 18574", "vehicle 2", "autopilot.outside.instance"});
  expect_parts(both(vehicle(10), vehicle(1, waits)),
               {"vehicle 1 needs UDP port 14560", "ArduPilot's MAVLink", "vehicle 10"});
  EXPECT_EQ(both(vehicle(10), vehicle(1, ardupilot)), "accepted") << "free ports";
  EXPECT_EQ(both(vehicle(0, px4), vehicle(1, px4)), "accepted");
  EXPECT_EQ(both(vehicle(2, ardupilot), vehicle(3, ardupilot)), "accepted");
  const std::string attached = same + "autopilot.outside.attach = true\n";
  expect_parts(both(vehicle(2, px4 + attached), vehicle(3, px4 + attached)),
               {"vehicle 3 needs UDP port 18574", "vehicle 2", "autopilot.outside.instance"});
  expect_parts(both(vehicle(2, ardupilot + attached), vehicle(3, ardupilot + attached)),
               {"vehicle 3 needs ", "vehicle 2", "autopilot.outside.instance"});

  const std::string hil = "[[simulator]]\nname = \"h\"\nkind = \"hil\"\n";
  const std::string json = "[[simulator]]\nname = \"j\"\nkind = \"json\"\n";
  expect_parts(both(hil, vehicle(0, px4 + free)),
               {"vehicle 0 needs TCP port 4560", "simulator h", "port of the other"});
  expect_parts(both(json, vehicle(0, waits)), {"vehicle 0 needs UDP port 9002", "simulator j"});
  EXPECT_EQ(both(hil, vehicle(1, px4)), "accepted");
}

}  // namespace
}  // namespace tactus
