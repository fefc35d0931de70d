// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies with an external simulator
// needs: double_hil_simulator

// The adapter for simulators that speak MAVLink HIL, against the one of the tests: a flight, what
// it learns, and every way in which such a simulator goes wrong.

#include "tactus/bridge/adapter/hil_adapter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

#include "tactus/link/net/socket.h"
#include "tests/support/external_flight.h"

namespace tactus {
namespace {

using testing::contains;
using testing::expect_goes_on_later;
using testing::expect_reason;
using testing::expect_silence;
using testing::expect_the_same_world;
using testing::ExternalDouble;
using testing::ExternalFlight;
using testing::Interrupter;
using testing::Trouble;

HilOptions options_for(std::uint16_t port) {
  HilOptions options;
  options.port = port;
  options.connect_deadline = DurationUs(20'000'000);
  return options;
}

/// A simulator, the adapter to it, and a flight over it.
struct Bench {
  explicit Bench(const std::string& how = "", DurationUs exchange = DurationUs(4'000))
      : simulator("hil_simulator", how),
        adapter(options_for(simulator.port())),
        flight(adapter, exchange) {}

  ExternalDouble simulator;
  HilAdapter adapter;
  ExternalFlight flight;
};

TEST(HilAdapter, BuiltinAutopilotTakesOffHoversAndLands) {
  Bench bench;
  bench.flight.connect();
  EXPECT_EQ(bench.adapter.capabilities().own_step, DurationUs(4'000));
  bench.flight.run(0.5);
  EXPECT_TRUE(bench.flight.frame.land.landed);
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(12.0);
  EXPECT_NEAR(bench.flight.frame.truth.height_m, 2.5, 0.05);
  EXPECT_FALSE(bench.flight.frame.land.ground_contact);
  EXPECT_LT(norm(bench.flight.frame.estimate.velocity_W_m_s), 0.2);
  bench.flight.want(FlightMode::kLand);
  bench.flight.run(25.0);
  EXPECT_TRUE(bench.flight.frame.land.landed);
  EXPECT_FALSE(bench.flight.output.status.armed);
  EXPECT_TRUE(bench.adapter.warnings().empty()) << bench.adapter.warnings().front();
}

TEST(HilAdapter, InstrumentsComeWithTheirUnits) {
  Bench bench("--second-imu");
  bench.flight.connect();
  bench.flight.run(1.0);
  const SensorFrame& f = bench.flight.frame;
  EXPECT_NEAR(f.imu[0].specific_force_B_m_s2.z, -9.80, 0.02);
  EXPECT_NEAR(f.imu[1].specific_force_B_m_s2.z, -9.80, 0.02);
  EXPECT_NEAR(f.magnetometer[0].field_B_gauss.z, 0.43, 1e-6);
  EXPECT_NEAR(f.barometer[0].pressure_pa, 95500.0, 0.01);
  EXPECT_NEAR(f.barometer[0].altitude_m, 488.0, 0.5);
  EXPECT_NEAR(f.barometer[0].temperature_c, 11.0, 1e-6);
  EXPECT_EQ(f.gps[0].fix, GpsFix::k3d);
  EXPECT_NEAR(f.gps[0].altitude_msl_m, 488.0, 0.5);
  EXPECT_NEAR(f.gps[0].horizontal_accuracy_m, 0.4, 1e-9);
  EXPECT_GE(f.gps[0].count, 9U);
  EXPECT_GE(f.imu[0].rate_count, 249U);
  EXPECT_EQ(f.imu[0].measured_at, f.time);
  EXPECT_EQ(f.estimate.measured_at, f.time);
  EXPECT_EQ(f.imu[1].measured_at.us + 4'000, f.time.us) << "what comes behind is of the next step";
  EXPECT_NEAR(norm(f.estimate.acceleration_W_m_s2), 0.0, 0.02);
}

TEST(HilAdapter, SameBitsHoweverTheStreamIsCut) {
  Digest128 digests[3];
  const char* const how[] = {"--second-imu", "--second-imu", "--second-imu --cut"};
  for (int i = 0; i < 3; ++i) {
    Bench bench(how[i]);
    bench.flight.connect();
    bench.flight.want(FlightMode::kTakeoff);
    bench.flight.run(2.0);
    EXPECT_GT(bench.flight.height_m(), 0.2);
    digests[i] = bench.flight.commands.result();
  }
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0], digests[2]);
}

TEST(HilAdapter, SeveralOfItsStepsInOneOfTheBridge) {
  Bench bench("--step-us 1000");
  bench.flight.connect();
  EXPECT_EQ(bench.adapter.capabilities().own_step, DurationUs(1'000));
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(4.0);
  EXPECT_GT(bench.flight.height_m(), 1.0);
  EXPECT_EQ(bench.adapter.now(), TimeUs(3'996'000));
}

TEST(HilAdapter, StepThatDoesNotDivideIsRefused) {
  const std::string error = Bench("--step-us 3000").flight.error_within(0.1);
  EXPECT_TRUE(contains(error, "steps by 3ms, which does not divide the exchange of 4ms")) << error;
}

TEST(HilAdapter, OneStateForTwoSensorsIsEnough) {
  Bench bench("--state-every 2");
  bench.flight.connect();
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(6.0);
  EXPECT_GT(bench.flight.height_m(), 2.0);
  EXPECT_LE(bench.flight.frame.time.us - bench.flight.frame.estimate.measured_at.us, 4'000U);
  EXPECT_TRUE(bench.adapter.warnings().empty());
}

TEST(HilAdapter, AltitudeThatIsDownIsAQuirk) {
  ExternalDouble simulator("hil_simulator", "--down");
  HilOptions options = options_for(simulator.port());
  options.quirks = {parse_hil_quirk("altitude_is_down")};
  HilAdapter adapter(options);
  ExternalFlight flight(adapter);
  flight.connect();
  flight.want(FlightMode::kTakeoff);
  flight.run(6.0);
  EXPECT_GT(flight.height_m(), 2.0);
  EXPECT_THROW(parse_hil_quirk("flies_backwards"), Error);
}

TEST(HilAdapter, PositionsCountFromTheOriginGiven) {
  ExternalDouble simulator("hil_simulator", "");
  HilOptions options = options_for(simulator.port());
  options.origin = WorldOrigin{.lat_deg = 47.397742 - 1e-3, .lon_deg = 8.545594, .alt_msl_m = 400};
  HilAdapter adapter(options);
  ExternalFlight flight(adapter);
  flight.connect();
  flight.run(0.1);
  EXPECT_NEAR(flight.frame.estimate.position_W_m.x, 111.2, 0.1);  // 1e-3 degrees of the meridian
  EXPECT_NEAR(flight.frame.estimate.position_W_m.y, 0.0, 0.02);
  EXPECT_NEAR(flight.frame.estimate.position_W_m.z, -88.0, 0.5);
  EXPECT_TRUE(flight.frame.land.landed);
}

TEST(HilAdapter, SimulatorThatConnectsToUs) {
  HilOptions options = options_for(0);
  options.listens = true;
  HilAdapter adapter(options);
  ExternalDouble simulator("hil_simulator", "--connect " + std::to_string(adapter.port()));
  ExternalFlight flight(adapter);
  flight.connect();
  flight.run(0.1);
  EXPECT_EQ(adapter.now(), TimeUs(96'000));
}

TEST(HilAdapter, AProgramThatOnlyProbesThePortDoesNotCount) {
  HilOptions options = options_for(0);
  options.listens = true;
  HilAdapter adapter(options);
  (void)TcpStream::connect(adapter.port(), Deadline::after(DurationUs(1'000'000)));  // and closes
  ExternalDouble simulator("hil_simulator", "--connect " + std::to_string(adapter.port()));
  ExternalFlight flight(adapter);
  flight.connect();
  flight.run(0.1);
  EXPECT_EQ(adapter.now(), TimeUs(96'000));
}

TEST(HilAdapter, ConnectsAgain) {
  Bench bench("--connections 3");
  for (int i = 0; i < 3; ++i) {
    ExternalFlight flight(bench.adapter);
    flight.connect();
    flight.want(FlightMode::kTakeoff);
    flight.run(2.0);
    EXPECT_GT(flight.height_m(), 0.2);
    bench.adapter.disconnect();
  }
}

TEST(HilAdapter, ConnectsAgainAfterItsPeerClosed) {
  Bench bench("--connections 2 --close-at 300");
  const std::string error = bench.flight.error_within(3.0);
  EXPECT_TRUE(contains(error, "has closed the connection")) << error;
  ExternalFlight flight(bench.adapter);
  flight.connect();
  flight.run(0.5);
  EXPECT_EQ(flight.frame.time, TimeUs(496'000));
}

TEST(HilAdapter, ConnectsAgainInTheAir) {
  expect_the_same_world<Bench>("--flies-on --connections 2");
}

TEST(HilAdapter, NoProgramThere) {
  std::uint16_t port = 0;
  {
    const TcpListener once(0, "a test");
    port = once.port();
  }
  HilOptions options = options_for(port);
  options.connect_deadline = DurationUs(200'000);
  HilAdapter adapter(options);
  const std::string error = ExternalFlight(adapter).error_within(1.0);
  EXPECT_TRUE(contains(error, "no program listens within 200ms")) << error;
}

TEST(HilAdapter, TwoVehiclesAreTooMany) {
  HilAdapter adapter(options_for(1));
  try {
    adapter.connect({{1, DurationUs(4'000)}, {2, DurationUs(4'000)}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
  }
}

TEST(HilAdapter, WrongChannelsAreRefused) {
  HilOptions options;
  options.channels.motor = {0, 1, 1, 2};
  EXPECT_THROW(HilAdapter{options}, Error);
  options.channels.motor = {0, 1, 2, 16};
  EXPECT_THROW(HilAdapter{options}, Error);
}

// ---- bytes of the real jMAVSim

/// Plays 150 instants that jMAVSim sent while the built-in autopilot climbed in it: three at the
/// first heartbeat, as it runs freely then, and one more for each reply.
class Replay {
 public:
  Replay() {
    std::ifstream file("tests/data/mavlink_jmavsim_climb.bin", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    mavlink::Parser parser;
    parser.feed(std::as_bytes(std::span(all)), [this](const mavlink::Frame& frame) {
      if (frame.id() == mavlink::HilSensor::kId) instants_.emplace_back();
      auto& instant = instants_.back();
      instant.insert(instant.end(), frame.bytes.begin(), frame.bytes.end());
    });
    thread_ = std::thread([this] { play(); });
  }
  ~Replay() { thread_.join(); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  [[nodiscard]] std::size_t instants() const { return instants_.size(); }

 private:
  void play() {
    auto stream = listener_.accept(Deadline::after(DurationUs(20'000'000)));
    std::size_t allowed = 3;
    std::size_t sent = 0;
    mavlink::Parser parser;
    std::vector<std::byte> bytes;
    while (stream && sent < instants_.size()) {
      for (; sent < std::min(allowed, instants_.size()); ++sent) {
        stream->send(instants_[sent], Deadline::after(DurationUs(20'000'000)));
      }
      bytes.clear();
      const ReceiveResult got = stream->receive(bytes, Deadline::after(DurationUs(20'000'000)));
      if (got != ReceiveResult::kData) return;
      parser.feed(bytes, [&](const mavlink::Frame& frame) {
        if (frame.id() == mavlink::HilActuatorControls::kId) ++allowed;
      });
    }
  }

  std::vector<std::vector<std::byte>> instants_;
  TcpListener listener_{0, "a test"};
  std::thread thread_;
};

TEST(HilAdapter, ReadsWhatTheRealJmavsimSends) {
  Replay replay;
  ASSERT_EQ(replay.instants(), 150U);
  HilOptions options = options_for(replay.port());
  options.quirks = {HilQuirk::kAltitudeIsDown};
  HilAdapter adapter(options);
  ExternalFlight flight(adapter);
  const std::string error = flight.error_within(4.0);
  EXPECT_TRUE(contains(error, "has closed the connection")) << error;
  EXPECT_EQ(adapter.capabilities().own_step, DurationUs(4'000));
  // Of the last instant, as a program in another language reads these bytes.
  const SensorFrame& f = flight.frame;
  EXPECT_DOUBLE_EQ(f.estimate.position_W_m.z, -0.787);
  EXPECT_DOUBLE_EQ(f.estimate.velocity_W_m_s.y, -0.02);
  EXPECT_DOUBLE_EQ(f.estimate.velocity_W_m_s.z, -1.51);
  EXPECT_NEAR(f.estimate.attitude.x, -0.0003376380482222885, 1e-9);
  EXPECT_NEAR(f.estimate.rate_B_rad_s.y, -0.008649943396449089, 1e-12);
  EXPECT_NEAR(f.estimate.angular_acceleration_B_rad_s2.y, (-0.00864994 - 0.02108410) / 0.004, 1e-3);
  EXPECT_NEAR(f.imu[0].specific_force_B_m_s2.z, -10.489811897277832, 1e-12);
  EXPECT_NEAR(f.imu[0].rate_B_rad_s.x, -0.002674525836482644, 1e-12);
  EXPECT_NEAR(f.magnetometer[0].field_B_gauss.z, 0.43270939588546753, 1e-12);
  EXPECT_NEAR(f.barometer[0].pressure_pa, 95587.97607421875, 1e-6);
  EXPECT_NEAR(f.barometer[0].altitude_m, 488.90966796875, 1e-9);
  EXPECT_EQ(f.imu[0].rate_count, 150U);
  EXPECT_EQ(f.gps[0].count, 12U);
  EXPECT_EQ(f.gps[0].fix, GpsFix::kNone);
  EXPECT_NEAR(f.gps[0].altitude_msl_m, 488.454, 1e-9);
  EXPECT_NEAR(f.gps[0].velocity_W_m_s.z, -1.24, 1e-12);
  EXPECT_NEAR(f.gps[0].horizontal_accuracy_m, 29.92, 1e-9);
  EXPECT_EQ(f.time.us - f.gps[0].measured_at.us, 24'000U);
  EXPECT_TRUE(adapter.warnings().empty());
}

TEST(HilAdapter, HintsAtTheQuirkOfJmavsim) {
  Replay replay;
  HilAdapter adapter(options_for(replay.port()));
  ExternalFlight(adapter).error_within(4.0);
  ASSERT_EQ(adapter.warnings().size(), 1U);
  EXPECT_TRUE(contains(adapter.warnings()[0], "altitude_is_down")) << adapter.warnings()[0];
}

// ---- misbehaviour

class HilTrouble : public ::testing::TestWithParam<Trouble> {};

TEST_P(HilTrouble, EndsWithItsReason) { expect_reason<Bench>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, HilTrouble,
    ::testing::Values(Trouble{"--die-at 300", "has closed the connection"},
                      Trouble{"--close-at 300", "has closed the connection"},
                      Trouble{"--close-at 0",
                              "has closed the connection before its first HIL_SENSOR"},
                      Trouble{"--noise-at 300", "without a HIL_SENSOR of a new instant"},
                      Trouble{"--flood-at 300", "without a HIL_SENSOR of a new instant"},
                      Trouble{"--stand-at 300", "stands still"},
                      Trouble{"--back-at 300", "has gone back in time"},
                      Trouble{"--jump-at 300", "has jumped from"},
                      Trouble{"--swap-at 300", "has jumped from"},
                      Trouble{"--free", "does not wait for HIL_ACTUATOR_CONTROLS"},
                      Trouble{"--ahead-at 300", "does not wait for HIL_ACTUATOR_CONTROLS"},
                      Trouble{"--no-state", "does not send HIL_STATE_QUATERNION"},
                      Trouble{"--drop-state-at 300", "has stopped sending HIL_STATE_QUATERNION"}));

TEST(HilAdapter, MuteSimulatorIsGivenUp) {
  ExternalDouble simulator("hil_simulator", "--mute");
  HilOptions options = options_for(simulator.port());
  options.connect_deadline = DurationUs(300'000);
  HilAdapter adapter(options);
  const std::string error = ExternalFlight(adapter).error_within(1.0);
  EXPECT_TRUE(contains(error, "has sent no HIL_SENSOR within 300ms")) << error;
}

TEST(HilAdapter, DuplicatesGarbageAndSlownessChangeNothing) {
  Digest128 digests[2];
  const char* const how[] = {"", "--twice-at 300 --garbage-at 320 --slow-at 340"};
  for (int i = 0; i < 2; ++i) {
    Bench bench(how[i]);
    bench.flight.connect();
    bench.flight.want(FlightMode::kTakeoff);
    bench.flight.run(3.0);
    digests[i] = bench.flight.commands.result();
    if (i == 1) {
      ASSERT_FALSE(bench.adapter.warnings().empty());
      EXPECT_TRUE(contains(bench.adapter.warnings()[0], "1 HIL_SENSOR came twice"));
    }
  }
  EXPECT_EQ(digests[0], digests[1]);
}

TEST(HilAdapter, InterruptedStepGoesOnLater) {
  expect_goes_on_later<Bench>("--slow-at 300", TimeUs(2'000'000));
}

TEST(HilAdapter, HangEndsWithInterrupt) {
  expect_silence<Bench>("--hang-at 300", "HIL_SENSOR from 127.0.0.1:");
}

TEST(HilAdapter, ConnectingEndsWithInterrupt) {
  HilOptions options = options_for(0);
  options.listens = true;
  options.connect_deadline = DurationUs{};
  HilAdapter adapter(options);
  const Interrupter interrupter(adapter);
  EXPECT_TRUE(contains(ExternalFlight(adapter).error_within(1.0), "did not connect"));
}

}  // namespace
}  // namespace tactus
