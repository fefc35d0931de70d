// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in autopilot flown by a ground station that is scripted here.

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/link/mavlink_samples.h"
#include "tests/support/builtin_flight.h"
#include "tests/support/ground_station_bench.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::mission_item;
using testing::short_mission;
using testing::StationBench;
using namespace testing::station;  // NOLINT(google-build-using-namespace): numbers

// ---- telemetry

TEST(GroundStation, RatesAreThoseOfSimulatedTime) {
  StationBench bench;
  bench.run(10.0);
  EXPECT_EQ(bench.station.count<mavlink::Heartbeat>(), 10);
  EXPECT_EQ(bench.station.count<mavlink::SysStatus>(), 10);
  EXPECT_EQ(bench.station.count<mavlink::Attitude>(), 100);
  EXPECT_EQ(bench.station.count<mavlink::LocalPositionNed>(), 100);
  EXPECT_EQ(bench.station.count<mavlink::GlobalPositionInt>(), 50);
  EXPECT_EQ(bench.station.count<mavlink::BatteryStatus>(), 10);
  EXPECT_EQ(bench.station.count<mavlink::ExtendedSysState>(), 20);
  EXPECT_EQ(bench.station.count<mavlink::AutopilotVersion>(), 0);
  ASSERT_FALSE(bench.station.sequence.empty());
  for (std::size_t i = 0; i < bench.station.sequence.size(); ++i) {
    ASSERT_EQ(bench.station.sequence[i], static_cast<std::uint8_t>(i)) << "one counter for all";
  }
}

TEST(GroundStation, SendsWhatTheVehicleIs) {
  StationBench bench;
  bench.run(1.1);
  const auto heartbeat = bench.station.last<mavlink::Heartbeat>();
  EXPECT_EQ(bench.station.system, 1);
  EXPECT_EQ(heartbeat.type, 2);
  EXPECT_EQ(heartbeat.autopilot, 12);
  EXPECT_EQ(heartbeat.base_mode, 29);
  EXPECT_EQ(heartbeat.custom_mode, 0x03040000U) << "hold";
  EXPECT_EQ(heartbeat.system_status, 3);
  const auto place = bench.station.last<mavlink::GlobalPositionInt>();
  EXPECT_NEAR(place.lat, 473977420, 1);
  EXPECT_NEAR(place.lon, 85455940, 1);
  EXPECT_NEAR(place.alt, 488'120, 20) << "its centre of mass is 0.12 m above the ground";
  EXPECT_NEAR(place.relative_alt, 0, 5);
  const auto home = bench.station.last<mavlink::HomePosition>();
  EXPECT_EQ(home.latitude, place.lat);
  const auto power = bench.station.last<mavlink::SysStatus>();
  EXPECT_NEAR(power.voltage_battery, 1e3 * bench.bus().battery[0].voltage_v, 2.0);
  EXPECT_EQ(bench.station.last<mavlink::ExtendedSysState>().landed_state, 1);
}

TEST(GroundStation, AMessageIsHadOnRequestAndAtAnotherRate) {
  StationBench bench;
  bench.run(0.1);
  EXPECT_EQ(bench.command(kRequestMessage, {148}), kAccepted);
  EXPECT_EQ(bench.station.count<mavlink::AutopilotVersion>(), 1);
  EXPECT_NE(bench.station.last<mavlink::AutopilotVersion>().capabilities & 4U, 0U);
  EXPECT_EQ(bench.command(kCapabilities, {1}), kAccepted);
  EXPECT_EQ(bench.station.count<mavlink::AutopilotVersion>(), 2);
  EXPECT_EQ(bench.command(kRequestMessage, {300}), kDenied);
  EXPECT_EQ(bench.command(kSetInterval, {30, 20'000}), kAccepted);
  const int before = bench.station.count<mavlink::Attitude>();
  bench.run(2.0);
  EXPECT_EQ(bench.station.count<mavlink::Attitude>() - before, 100);
  EXPECT_EQ(bench.command(kSetInterval, {30, -1}), kAccepted);
  const int off = bench.station.count<mavlink::Attitude>();
  bench.run(2.0);
  EXPECT_EQ(bench.station.count<mavlink::Attitude>(), off);
}

/// Keeps what is sent.
class SilentPort final : public DatagramPort {
 public:
  explicit SilentPort(std::vector<std::byte>& sent) : sent_(&sent) {}
  void receive(TimeUs /*now*/, const Take& /*take*/) override {}
  void send(std::span<const std::byte> datagram) override {
    sent_->insert(sent_->end(), datagram.begin(), datagram.end());
  }
  [[nodiscard]] std::string name() const override { return "no partner"; }
  [[nodiscard]] std::unique_ptr<DatagramPort> clone() const override { return nullptr; }

 private:
  std::vector<std::byte>* sent_;
};

TEST(GroundStation, TheSystemFollowsFromTheVehiclesNumber) {
  testing::Flight flight({});
  std::vector<std::byte> sent;
  GroundStationSetup setup;
  setup.vehicle_id = 41;
  GroundStation station(std::make_unique<BuiltinAutopilot>(flight.autopilot), setup,
                        std::make_unique<SilentPort>(sent));
  const testing::ControlledFlight& world = flight.world;
  station.step(
      testing::without_instruments(world.flight.now, world.estimate, flight.land, flight.high_level,
                                   flight.parameter, world.battery, world.esc),
      flight.out);
  int frames = 0;
  mavlink::Parser parser;
  parser.feed(sent, [&](const mavlink::Frame& frame) {
    EXPECT_EQ(frame.system, 42);
    EXPECT_EQ(frame.component, 1);
    ++frames;
  });
  EXPECT_GT(frames, 8);
  EXPECT_EQ(station.clone(), nullptr);
}

// ---- flying

TEST(GroundStation, ArmsTakesOffReturnsAndLands) {
  StationBench bench;
  bench.run(1.0);
  EXPECT_EQ(bench.command(kArm, {1}), kAccepted);
  EXPECT_TRUE(bench.armed());
  bench.run(1.1);
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().base_mode, 29 + 128);
  EXPECT_EQ(take_off(bench), kAccepted);
  EXPECT_EQ(bench.mode(), FlightMode::kTakeoff);
  ASSERT_TRUE(bench.until([&] { return bench.height_m() > 2.4; }, 20.0));
  EXPECT_EQ(bench.command(kArm, {0}), kRejectedNow) << "it flies";
  EXPECT_TRUE(bench.station.said("disarm refused: in the air")) << bench.station.texts;
  EXPECT_EQ(bench.command(kReturn), kAccepted);
  EXPECT_EQ(bench.mode(), FlightMode::kReturn);
  bench.run(1.1);
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().custom_mode, 0x05040000U);
  EXPECT_EQ(set_mode(bench, 3), kAccepted) << "hold";
  EXPECT_EQ(bench.mode(), FlightMode::kHold);
  EXPECT_EQ(bench.command(kLand), kAccepted);
  EXPECT_TRUE(bench.until([&] { return !bench.armed(); }, 60.0));
  EXPECT_LT(bench.height_m(), 0.2);
  bench.run(1.1);
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().custom_mode, 0x03040000U);
}

TEST(GroundStation, SendsHowTheVehicleMoves) {
  StationBench bench;
  bench.run(1.0);
  EXPECT_EQ(bench.command(kArm, {1}), kAccepted);
  EXPECT_EQ(take_off(bench), kAccepted);
  ASSERT_TRUE(bench.until([&] { return bench.height_m() > 1.0; }, 20.0));
  const Truth& truth = bench.bus().truth;
  ASSERT_LT(truth.velocity_W_m_s.z, -0.3) << "it climbs";
  const auto local = bench.station.last<mavlink::LocalPositionNed>();
  EXPECT_NEAR(local.z, truth.position_W_m.z, 0.2);
  EXPECT_NEAR(local.vz, truth.velocity_W_m_s.z, 0.2);
  const auto global = bench.station.last<mavlink::GlobalPositionInt>();
  EXPECT_NEAR(0.01 * global.vz, truth.velocity_W_m_s.z, 0.2);
  EXPECT_NEAR(bench.station.last<mavlink::VfrHud>().climb, -truth.velocity_W_m_s.z, 0.2);
}

TEST(GroundStation, AModeThatIsChosenOnTheGroundIsFlownOnceArmed) {
  StationBench bench;
  bench.run(1.0);
  EXPECT_EQ(bench.command(kTakeoff, {0, 0, 0, kNan, kNan, kNan, 488.12F + 5.0F}), kAccepted);
  bench.run(1.1);
  EXPECT_FALSE(bench.armed());
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().custom_mode, 0x02040000U) << "takeoff";
  EXPECT_EQ(bench.command(kArm, {1}), kAccepted);
  ASSERT_TRUE(bench.until([&] { return bench.mode() == FlightMode::kHold; }, 30.0));
  bench.run(5.0);
  EXPECT_NEAR(bench.height_m(), 5.12, 0.1) << "as asked, above sea level";
}

TEST(GroundStation, SetModeAndCommandIntAreUnderstood) {
  StationBench bench;
  bench.run(1.0);
  mavlink::CommandInt arm;
  arm.target_system = arm.target_component = 1;
  arm.command = kArm;
  arm.param1 = 1;
  EXPECT_EQ(bench.answer_to(arm), kAccepted);
  mavlink::SetMode mode;
  mode.target_system = 1;
  mode.base_mode = 1;
  mode.custom_mode = 0x02040000U;
  EXPECT_EQ(bench.answer_to(mode), kAccepted);
  EXPECT_EQ(bench.mode(), FlightMode::kTakeoff);
}

TEST(GroundStation, RefusesWhatItCannotDo) {
  StationBench bench;
  bench.run(1.0);
  EXPECT_EQ(bench.command(kLand), kRejectedNow) << "it stands";
  EXPECT_TRUE(bench.station.said("mode land refused: not armed")) << bench.station.texts;
  EXPECT_EQ(set_mode(bench, 4), kRejectedNow) << "no mission";
  EXPECT_EQ(bench.command(kSetMode, {1, 3, 0}), kUnsupported) << "there are no sticks";
  EXPECT_EQ(bench.command(kSetMode, {0, 4, 3}), kUnsupported) << "not PX4's numbering";
  EXPECT_EQ(bench.command(kStart, {kNan}), kDenied);
  EXPECT_EQ(bench.command(kArm, {0.5}), kDenied);
  EXPECT_EQ(bench.command(kSetItem, {2}), kDenied);
  EXPECT_EQ(bench.command(192), kUnsupported) << "reposition";
  EXPECT_EQ(bench.command(kTakeoff, {0, 0, 0, 0, 0, 0, 100.0F}), kDenied) << "far below the ground";
  EXPECT_FALSE(bench.armed());
  EXPECT_EQ(bench.answer_to(mavlink::CommandLong{.target_system = 2, .command = kArm}), 255)
      << "for another vehicle";
}

TEST(GroundStation, NumbersThatAreNoneAreDenied) {
  StationBench bench;
  bench.run(1.0);
  const BuiltinParameters before = bench.vehicle().autopilot().parameters();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const int heartbeats = bench.station.count<mavlink::Heartbeat>();
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -1e30F, 0.5F}) {
    EXPECT_EQ(bench.command(kRequestMessage, {bad}), kDenied) << bad;
    EXPECT_EQ(bench.command(kSetInterval, {bad, 20'000}), kDenied) << bad;
    EXPECT_EQ(bench.command(kCapabilities, {bad}), kDenied) << bad;
    EXPECT_EQ(bench.command(kArm, {bad}), kDenied) << bad;
    EXPECT_EQ(bench.command(kSetItem, {bad}), kDenied) << bad;
    EXPECT_EQ(bench.command(kStart, {bad}), kDenied) << bad;
    EXPECT_EQ(bench.command(kSetMode, {1, bad, 3}), kDenied) << bad;
    EXPECT_EQ(bench.command(kSetMode, {bad, 4, 3}), kDenied) << bad;
    if (!math::is_nan(bad)) {
      EXPECT_EQ(bench.command(kTakeoff, {0, 0, 0, kNan, kNan, kNan, bad}), kDenied) << bad;
    }
    for (const std::string_view name : station_parameter_names()) {
      if (bad == 0.5F) continue;
      mavlink::ParamSet set;
      set.target_system = set.target_component = 1;
      mavlink::set_text(set.param_id, name);
      set.param_value = bad;
      set.param_type = 9;
      bench.station.send(set);
    }
    bench.run(0.01);
  }
  for (const float bad : {kNan, kInfinity, -kInfinity, 1e30F, -2.0F}) {
    EXPECT_EQ(bench.command(kSetInterval, {30, bad}), kDenied) << bad;
  }
  EXPECT_EQ(bench.command(kSetInterval, {30, -1.0F}), kAccepted) << "never";
  EXPECT_LE(bench.station.count<mavlink::Heartbeat>() - heartbeats, 2) << "none on request";
  EXPECT_FALSE(bench.armed());
  EXPECT_TRUE(bench.station.said("refused")) << bench.station.texts;
  std::vector<std::uint64_t> was;
  std::vector<std::uint64_t> is;
  for_each_value(before, [&was](const auto& leaf) { was.push_back(canonical_bits(leaf)); });
  for_each_value(bench.vehicle().autopilot().parameters(),
                 [&is](const auto& leaf) { is.push_back(canonical_bits(leaf)); });
  EXPECT_EQ(was, is);
}

TEST(GroundStation, TimesComeInSinglePrecision) {
  StationBench bench;
  bench.run(0.1);
  const auto set = [&bench](std::string_view name, float value) {
    mavlink::ParamSet message;
    message.target_system = message.target_component = 1;
    mavlink::set_text(message.param_id, name);
    message.param_value = value;
    message.param_type = 9;
    bench.station.send(message);
    bench.run(0.01);
    return bench.station.parameters[std::string(name)];
  };
  for (const float value : {0.01F, 0.004F, 0.1F, 2.7F, 3.3F, 0.0F}) {
    EXPECT_EQ(set("DISARM_DELAY", value), value);
  }
  EXPECT_EQ(set("EST_DELAY", 0.02F), 0.02F);
  EXPECT_EQ(bench.vehicle().autopilot().parameters().estimate_delay, DurationUs(20'000));
}

TEST(GroundStation, ArmingIsRefusedWithAReason) {
  StationBench bench(std::string(testing::kStandingIris) +
                     "[[event]]\nid = \"blind\"\nat_s = 0.5\ndo = \"sensor_fail\"\n"
                     "sensor = \"gps\"\n");
  bench.run(2.0);
  EXPECT_EQ(bench.command(kArm, {1}), kRejectedNow);
  EXPECT_TRUE(bench.station.said("arm refused: ")) << bench.station.texts;
}

// ---- parameters

TEST(GroundStation, ParametersAreListedReadAndSet) {
  StationBench bench;
  bench.run(0.1);
  mavlink::ParamRequestList list;
  list.target_system = list.target_component = 1;
  bench.station.send(list);
  bench.run(0.1);
  EXPECT_EQ(bench.station.parameters.size(), station_parameter_names().size());
  EXPECT_EQ(bench.station.last<mavlink::ParamValue>().param_count, bench.station.parameters.size());
  EXPECT_EQ(bench.station.parameters["CRUISE_SPEED"], 5.0F);
  EXPECT_EQ(bench.station.parameters["DISARM_DELAY"], 2.0F) << "seconds";
  EXPECT_EQ(bench.station.parameters["LOW_BAT_ACT"], 1.0F);
  mavlink::ParamSet set;
  set.target_system = set.target_component = 1;
  mavlink::set_text(set.param_id, "CRUISE_SPEED");
  set.param_value = 3.5F;
  set.param_type = 9;
  bench.station.send(set);
  bench.run(0.01);
  EXPECT_EQ(bench.station.parameters["CRUISE_SPEED"], 3.5F);
  EXPECT_EQ(bench.vehicle().autopilot().parameters().cruise_speed_m_s, 3.5);
  set.param_value = -1.0F;
  bench.station.send(set);
  bench.run(0.01);
  EXPECT_EQ(bench.station.parameters["CRUISE_SPEED"], 3.5F) << "the one in force";
  EXPECT_TRUE(bench.station.said("CRUISE_SPEED")) << bench.station.texts;
  const int told = bench.station.count<mavlink::ParamValue>();
  mavlink::set_text(set.param_id, "NO_SUCH");
  bench.station.send(set);
  mavlink::ParamRequestRead read;
  read.target_system = read.target_component = 1;
  mavlink::set_text(read.param_id, "MAX_TILT");
  read.param_index = -1;
  bench.station.send(read);
  bench.run(0.01);
  EXPECT_EQ(bench.station.count<mavlink::ParamValue>(), told + 1) << "only what there is";
  EXPECT_NEAR(bench.station.last<mavlink::ParamValue>().param_value, 35.0 * math::kDegToRad, 1e-6);
}

TEST(GroundStation, EveryParameterHasAShortNameOfItsOwn) {
  std::set<std::string_view> names;
  for (const std::string_view name : station_parameter_names()) {
    EXPECT_LE(name.size(), 16U) << name;
    names.insert(name);
  }
  std::size_t fields = 0;
  BuiltinParameters parameters;
  for_each_value(parameters, [&fields](const auto&) { ++fields; });
  EXPECT_EQ(names.size(), fields);
}

// ---- bad company

TEST(GroundStation, WithoutAPartnerTheFlightIsTheSame) {
  const char* const spec = "extends = \"../scenarios/default.toml\"\n[time]\nend_s = 20.0\n";
  StationBench with(spec);
  fly(with.flight.run, with.observers);
  Assembly without = assemble(testing::load_text(spec).spec);
  Observers none;
  fly(without.run, none);
  EXPECT_EQ(with.flight.run.digest(), without.run.digest());
  ASSERT_EQ(with.vehicle().warnings().size(), 1U);
  EXPECT_NE(with.vehicle().warnings()[0].find("no ground station answered"), std::string::npos);
}

TEST(GroundStation, GarbageChangesNothing) {
  StationBench bench;
  bench.run(0.1);
  std::mt19937 random(7);  // tidy: allow random, a test
  std::vector<std::byte> noise(1400);
  for (int i = 0; i < 400; ++i) {
    for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
    noise[0] = std::byte{mavlink::kMagic2};
    bench.station.send_bytes(noise);
    mavlink::CommandLong arm{.target_system = 1, .target_component = 1, .command = kArm};
    arm.param1 = 1;
    auto frame = mavlink::encode(arm, bench.station.sender);
    frame.data[frame.size - 1] ^= std::byte{1};
    bench.station.send_bytes(frame.bytes());
    bench.run(0.004);
  }
  EXPECT_FALSE(bench.armed());
  EXPECT_EQ(bench.vehicle().frames(), 0U);
  EXPECT_TRUE(bench.station.answers.empty());
  EXPECT_EQ(bench.command(kArm, {1}), kAccepted) << "it still listens";
}

TEST(GroundStation, AFloodIsBoundedPerTickAndLosesOrders) {
  StationBench bench;
  bench.run(0.1);
  mavlink::CommandLong mode{.target_system = 1, .target_component = 1, .command = kSetMode};
  mode.param1 = 1;
  mode.param2 = 4;
  mode.param3 = 3;
  for (int i = 0; i < 200; ++i) bench.station.send(mode);
  const std::uint64_t before = bench.vehicle().frames();
  bench.run(0.004);
  EXPECT_LE(bench.vehicle().frames() - before, 16U);
  bench.run(1.0);
  EXPECT_EQ(bench.station.answers.size(), 200U) << "all were answered in the end";
  bool some_rejected = false;
  for (const mavlink::CommandAck& answer : bench.station.answers) {
    some_rejected = some_rejected || answer.result == kRejectedNow;
  }
  EXPECT_TRUE(some_rejected) << "more orders than it keeps";
  EXPECT_EQ(bench.command(kArm, {1}), kAccepted);
}

/// Good frames with any content, most of them orders, parameters and missions for this vehicle.
TEST(GroundStation, AnyMessageIsSurvived) {
  StationBench bench(testing::kStandingIris, {{"time.end_s", "3000.0"}});
  bench.run(0.5);
  testing::Dice dice(11);
  constexpr std::uint16_t kCommands[] = {kReturn,       kLand,          kTakeoff, kSetMode,
                                         kSetItem,      kStart,         kArm,     kSetInterval,
                                         kCapabilities, kRequestMessage};
  const auto aim = [&dice, &kCommands]<class M>(M& message) {
    if constexpr (requires { message.target_system; }) message.target_system = 1;
    if constexpr (requires { message.target_component; }) message.target_component = 0;
    if constexpr (requires { message.mission_type; }) message.mission_type &= 1U;
    if constexpr (requires { message.count; }) message.count %= 4;
    if constexpr (requires { message.seq; }) message.seq %= 4;
    if constexpr (std::is_same_v<M, mavlink::CommandLong> ||
                  std::is_same_v<M, mavlink::CommandInt>) {
      message.command = kCommands[dice.below(std::size(kCommands))];
      if (dice.below(2) == 0) message.param1 = static_cast<float>(dice.below(3));
    }
    if constexpr (std::is_same_v<M, mavlink::ParamSet>) {
      const auto names = station_parameter_names();
      mavlink::set_text(message.param_id, names[dice.below(names.size())]);
      if (dice.below(2) == 0) message.param_value = static_cast<float>(dice.below(10));
    }
  };
  const std::uint64_t before = bench.vehicle().frames();
  const int rounds = static_cast<int>(testing::scaled(4000));
  for (int round = 0; round < rounds; ++round) {
    mavlink::for_each_message([&]<class M>() {
      if (dice.below(4) != 0) return;
      M message = testing::random_message<M>(dice);
      aim(message);
      bench.station.send(message);
    });
    bench.run(0.004 * static_cast<double>(1 + dice.below(50)));
  }
  EXPECT_GT(bench.vehicle().frames() - before, static_cast<std::uint64_t>(rounds));
  const int received = bench.station.count<mavlink::Heartbeat>();
  bench.command(kSetInterval, {0, 0});
  bench.run(2.1);
  EXPECT_GT(bench.station.count<mavlink::Heartbeat>(), received) << "it still sends";
}

TEST(GroundStation, TheSenderOfTheLatestValidMessageIsThePartner) {
  StationBench bench;
  bench.run(0.5);
  UdpSocket other(0, "a test");
  mavlink::Sender sender{254, 190};
  other.send_to(bench.station.vehicle(),
                mavlink::encode(mavlink::Heartbeat{.type = 6}, sender).bytes());
  const int before = bench.station.count<mavlink::Attitude>();
  bench.run(1.0);
  EXPECT_LE(bench.station.count<mavlink::Attitude>(), before + 1);
  std::vector<std::byte> datagram;
  int received = 0;
  while (other.receive(datagram, Deadline::now()) == ReceiveResult::kData) ++received;
  EXPECT_GT(received, 20);
}

TEST(GroundStation, ARestartForgetsOrdersAndKeepsTheMission) {
  StationBench bench;
  bench.run(1.0);
  ASSERT_EQ(bench.upload(short_mission()), 0);
  ASSERT_EQ(set_mode(bench, 4), kAccepted);
  auto& vehicle = const_cast<GroundStation&>(bench.vehicle());
  vehicle.restart();
  bench.run(1.1);
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().custom_mode, 0x03040000U) << "hold again";
  EXPECT_EQ(bench.bus().autopilot.mission_count, 4);
  EXPECT_EQ(bench.command(kStart), kAccepted);
}

// ---- a rover

TEST(GroundStation, DrivesARover) {
  StationBench bench(R"(
extends = "../aircraft/rover.toml"
[autopilot]
mission = ""
[[event]]
id = "arm"
remove = true
[[event]]
id = "start"
remove = true
[[expect]]
id = "complete"
remove = true
)");
  bench.run(1.0);
  EXPECT_EQ(bench.station.last<mavlink::Heartbeat>().type, 10);
  EXPECT_EQ(take_off(bench), kUnsupported);
  ASSERT_EQ(bench.upload({mission_item(0, 16, 4.0, 0.0, 0.0), mission_item(1, 16, 4.0, 3.0, 0.0)}),
            0);
  EXPECT_EQ(bench.upload(short_mission()), 5) << "it cannot take off";
  ASSERT_EQ(bench.command(kStart), kAccepted);
  ASSERT_TRUE(bench.until([&] { return bench.bus().autopilot.mission_finished; }, 60.0));
  EXPECT_NEAR(bench.bus().truth.position_W_m.y, 3.0, 1.1);
  EXPECT_EQ(bench.command(kReturn), kAccepted);
  EXPECT_TRUE(bench.until([&] { return !bench.armed(); }, 60.0));
}

}  // namespace
}  // namespace tactus
