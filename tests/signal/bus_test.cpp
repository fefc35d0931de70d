// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Names and values of single numbers on the bus against its field list, and what a port lets pass.

#include "tactus/signal/bus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

constexpr VehicleCounts kFull{kMaxMotors,
                              kMaxServos,
                              kMaxPacks,
                              kMaxBuses,
                              kMaxGearPoints,
                              {kMaxImus, kMaxMagnetometers, kMaxBarometers, kMaxGps, kMaxAirspeeds,
                               kMaxRangeFinders, kMaxOpticalFlows}};

/// Every leaf gets a value of its own type, extremes included.
Bus random_bus(std::mt19937_64& engine) {
  Bus bus;
  for_each_leaf(bus, [&engine](const LeafPath&, auto& leaf) {
    using T = std::remove_cvref_t<decltype(leaf)>;
    const std::uint64_t bits = engine();
    if constexpr (std::is_same_v<T, double>) {
      leaf = std::uniform_real_distribution<double>(-1e6, 1e6)(engine);
      if (bits % 50 == 0) leaf = std::numeric_limits<double>::quiet_NaN();
    } else if constexpr (std::is_same_v<T, bool>) {
      leaf = bits % 2 != 0;
    } else if constexpr (std::is_enum_v<T>) {
      leaf = static_cast<T>(bits % 256);
    } else {
      leaf = bits % 10 == 0 ? std::numeric_limits<T>::max() : static_cast<T>(bits);
    }
  });
  return bus;
}

TEST(BusLeaves, AreTheFieldListInItsOrderWithItsValues) {
  const std::vector<BusLeaf> leaves = bus_leaves(kFull);
  std::mt19937_64 engine(11);
  for (int round = 0; round < 20; ++round) {
    const Bus bus = random_bus(engine);
    std::size_t next = 0;
    for_each_leaf(bus, [&](const LeafPath& path, const auto& value) {
      if (path.text() == "version") return;
      ASSERT_LT(next, leaves.size());
      const BusLeaf& leaf = leaves[next++];
      ASSERT_EQ(leaf.name, path.text());
      EXPECT_EQ(leaf.unit, path.unit);
      EXPECT_EQ(leaf.meaning, path.meaning);
      const double expected = static_cast<double>(value);
      const double actual = leaf.value(bus);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(expected), std::bit_cast<std::uint64_t>(actual))
          << leaf.name;
    });
    EXPECT_EQ(next, leaves.size());
  }
}

TEST(BusDigest, IsThatOfItsLeavesOneByOne) {
  std::mt19937_64 engine{4};
  for (const VehicleCounts& counts :
       {kFull, VehicleCounts{4, 0, 1, 1, 4}, VehicleCounts{3, 1, 2}}) {
    const std::vector<BusLeaf> leaves = bus_leaves(counts);
    const BusDigest prepared(counts);
    for (int trial = 0; trial < 200; ++trial) {
      Bus bus = random_bus(engine);
      if (trial % 2 == 0) bus.autopilot.thrust_setpoint = -std::numeric_limits<double>::quiet_NaN();
      Digest expected, actual;
      for_each_leaf(bus, [&](const LeafPath& path, const auto& value) {
        const std::string name = path.text();
        const auto is_it = [&name](const BusLeaf& leaf) { return leaf.name == name; };
        if (std::none_of(leaves.begin(), leaves.end(), is_it)) return;
        expected.add(value);
      });
      prepared.add(bus, actual);
      ASSERT_EQ(expected.result(), actual.result()) << trial;
    }
  }
}

TEST(BusLeaves, HaveOneNameEach) {
  std::set<std::string> names;
  for (const BusLeaf& leaf : bus_leaves(kFull)) EXPECT_TRUE(names.insert(leaf.name).second);
  EXPECT_GT(names.size(), 200U);
}

/// Highest index + 1 among "prefix[i]…".
int elements(const std::vector<BusLeaf>& leaves, const std::string& prefix) {
  int count = 0;
  for (const BusLeaf& leaf : leaves) {
    if (!leaf.name.starts_with(prefix + "[")) continue;
    count = std::max(count, std::stoi(leaf.name.substr(prefix.size() + 1)) + 1);
  }
  return count;
}

TEST(BusLeaves, LeaveOutThePartsThatTheVehicleLacks) {
  const std::vector<BusLeaf> leaves = bus_leaves({3, 1, 2, 1, 5});
  for (const char* motors :
       {"faults.motor_stuck", "faults.thrust_scale", "faults.motor_delay_us", "esc",
        "loads.thrust_n", "loads.torque_nm", "loads.duty", "command.motor"}) {
    EXPECT_EQ(elements(leaves, motors), 3) << motors;
  }
  for (const char* servos : {"faults.servo_stuck", "loads.servo_output", "command.servo"}) {
    EXPECT_EQ(elements(leaves, servos), 1) << servos;
  }
  for (const char* packs : {"faults.pack", "battery"}) EXPECT_EQ(elements(leaves, packs), 2);
  for (const char* buses : {"power.bus_v", "power.bus_current_a"}) {
    EXPECT_EQ(elements(leaves, buses), 1) << buses;
  }
  EXPECT_EQ(elements(leaves, "loads.gear_force_n"), 5);
}

TEST(BusLeaves, NoArrayOfThePartsIsForgotten) {
  // A vehicle without parts has no element of anything on the bus.
  for (const BusLeaf& leaf : bus_leaves({})) {
    EXPECT_EQ(leaf.name.find('['), std::string::npos) << leaf.name;
  }
}

TEST(BusLeaves, AnUnknownNameIsAnErrorWithTheNearest) {
  const std::vector<BusLeaf> leaves = bus_leaves({4, 0, 1, 1, 4});
  EXPECT_EQ(find_leaf(leaves, "truth.height_m", "here").name, "truth.height_m");
  try {
    find_leaf(leaves, "truth.hieght_m", "event \"low\"");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    const std::string text = error.what();
    EXPECT_NE(text.find("event \"low\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"truth.hieght_m\""), std::string::npos) << text;
    EXPECT_NE(text.find("truth.height_m?"), std::string::npos) << text;
  }
  EXPECT_THROW(find_leaf(leaves, "esc[4].speed_rad_s", "here"), Error) << "it has four rotors";
}

TEST(BusLeaves, PartOfANameFindsTheName) {
  std::vector<std::string> names;
  for (const BusLeaf& leaf : bus_leaves({4, 0, 1, 1, 4})) names.push_back(leaf.name);
  EXPECT_EQ(near_texts("height", names).at(0), "truth.height_m");
  EXPECT_EQ(near_texts("vehicle.height_m", names).at(0), "truth.height_m");
  EXPECT_EQ(near_texts("truth.hieght_m", names).at(0), "truth.height_m");
  EXPECT_EQ(near_texts("esc[4].speed_rad_s", names).at(0), "esc[0].speed_rad_s");
}

template <class Action>
std::string stop_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kRunStopped);
    return error.what();
  }
  return "";
}

TEST(BusPort, LetsPassWhatWasDeclaredAndNothingElse) {
  Bus bus;
  bus.time = TimeUs(1234);
  BusPort port(bus, SignalSet::of(Signal::kTruth), SignalSet::of(Signal::kWind), "breeze");
  EXPECT_EQ(&port.read<Signal::kTruth>(), &bus.truth);
  EXPECT_EQ(&port.write<Signal::kWind>(), &bus.wind);
  EXPECT_EQ(&port.read<Signal::kWind>(), &bus.wind) << "a writer may look at what it wrote";
  const std::string read = stop_of([&] { (void)port.read<Signal::kFaults>(); });
  for (const char* part : {"1234", "breeze", "read", "faults"}) {
    EXPECT_NE(read.find(part), std::string::npos) << read;
  }
  const std::string written = stop_of([&] { (void)port.write<Signal::kTruth>(); });
  for (const char* part : {"1234", "breeze", "write", "truth"}) {
    EXPECT_NE(written.find(part), std::string::npos) << written;
  }
  EXPECT_NE(stop_of([&] { (void)port.read_all(); }), "");
  EXPECT_EQ(&BusPort(bus, SignalSet::all(), {}, "scenario").read_all(), &bus);
}

TEST(BusPort, KnowsWhatWasReachedForWriting) {
  Bus bus;
  BusPort port(bus, SignalSet::all(),
               SignalSet::of(Signal::kWind, Signal::kFaults, Signal::kMarker), "all");
  (void)port.read<Signal::kFaults>();
  (void)port.read_all();
  EXPECT_EQ(port.reached(), SignalSet{});
  port.write<Signal::kWind>() = {};
  EXPECT_EQ(port.reached(), SignalSet::of(Signal::kWind));
  (void)port.write_all(Signal::kMarker);
  EXPECT_EQ(port.reached(), SignalSet::of(Signal::kWind, Signal::kMarker));
  EXPECT_NE(stop_of([&] { (void)port.write<Signal::kTruth>(); }), "");
  EXPECT_EQ(port.reached(), SignalSet::of(Signal::kWind, Signal::kMarker));
}

template <Signal... signals>
void expect_parts(const Bus& bus, const BusPort& port) {
  std::set<const void*> parts;
  ((parts.insert(&port.read<signals>())), ...);
  EXPECT_EQ(parts.size(), sizeof...(signals)) << "two signals share a part of the bus";
  for (const void* part : parts) {
    EXPECT_GE(part, static_cast<const void*>(&bus));
    EXPECT_LT(part, static_cast<const void*>(&bus + 1));
  }
}

TEST(BusPort, EverySignalIsAPartOfItsOwn) {
  Bus bus;
  const BusPort port(bus, SignalSet::all(), {}, "all");
  expect_parts<Signal::kHighLevel, Signal::kParameter, Signal::kMarker, Signal::kFaults,
               Signal::kDisturbance, Signal::kWind, Signal::kTruth, Signal::kEnvironment,
               Signal::kBattery, Signal::kPower, Signal::kEsc, Signal::kLoads, Signal::kEstimate,
               Signal::kLand, Signal::kCommand, Signal::kAutopilot>(bus, port);
}

TEST(SignalTable, KnowsWhatFollowsFromTheStateFromTheFieldLists) {
  EXPECT_EQ(kStateSignals, SignalSet::of(Signal::kTruth, Signal::kBattery, Signal::kEsc));
  EXPECT_EQ(kOrders, SignalSet::of(Signal::kHighLevel, Signal::kParameter));
}

TEST(SignalTable, KnowsWhichNumbersCannotLeaveARange) {
  EXPECT_EQ(part_of_leaf("command.servo[3]").range.low, -1.0);
  EXPECT_EQ(part_of_leaf("battery[1].remaining").range.high, 1.0);
  for (const char* leaf :
       {"battery[1].voltage_v", "truth.position_ned_m.x", "command", "nothing"}) {
    EXPECT_FALSE(part_of_leaf(leaf).range.has_ends()) << leaf;
  }
}

TEST(SignalSet, SaysWhatItHolds) {
  constexpr SignalSet kSome = SignalSet::of(Signal::kTruth, Signal::kFaults);
  EXPECT_TRUE(kSome.has(Signal::kFaults));
  EXPECT_FALSE(kSome.has(Signal::kWind));
  EXPECT_EQ(to_text(kSome), "faults, truth");
  EXPECT_EQ(kSome & SignalSet::all(), kSome);
  // The names of the signals are those of the bus fields.
  std::string fields;
  const Bus bus;
  Bus::visit_fields(bus, [&fields](const std::string& name, const char*, auto&&, const char*) {
    if (name != "version" && name != "time_us") fields += (fields.empty() ? "" : ", ") + name;
  });
  EXPECT_EQ(to_text(SignalSet::all()), fields);
}

TEST(SignalSet, ReadsBackFromItsText) {
  for (const SignalSet signals : {SignalSet{}, SignalSet::of(Signal::kCommand), SignalSet::all(),
                                  SignalSet::of(Signal::kWind, Signal::kAutopilot)}) {
    EXPECT_EQ(signals_from_text(to_text(signals)), signals);
  }
  EXPECT_EQ(signals_from_text("command_delay, land"), SignalSet::of(Signal::kLand));
}

}  // namespace
}  // namespace tactus
