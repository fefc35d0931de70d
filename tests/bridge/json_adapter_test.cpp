// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies with an external simulator
// needs: double_json_physics

// The adapter for physics programs that speak ArduPilot's JSON, against the one of the tests: a
// flight, lost and surplus datagrams, and every way in which such a program goes wrong.

#include "tactus/bridge/adapter/json_adapter.h"

#include <gtest/gtest.h>

#include <thread>

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
using testing::Trouble;

JsonOptions options_for(std::uint16_t port) {
  JsonOptions options;
  options.port = port;
  options.ask_again = DurationUs(50'000);
  options.connect_deadline = DurationUs(20'000'000);
  return options;
}

struct Bench {
  explicit Bench(const std::string& how = "", DurationUs exchange = DurationUs(4'000))
      : physics("json_physics", how),
        adapter(options_for(physics.port())),
        flight(adapter, exchange) {}

  ExternalDouble physics;
  JsonAdapter adapter;
  ExternalFlight flight;
};

TEST(JsonAdapter, BuiltinAutopilotTakesOffHoversAndLands) {
  Bench bench;
  bench.flight.connect();
  EXPECT_EQ(bench.adapter.capabilities().own_step, DurationUs(1'000));
  bench.flight.run(0.5);
  EXPECT_TRUE(bench.flight.frame.land.landed);
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(12.0);
  EXPECT_NEAR(bench.flight.frame.truth.height_m, 2.5, 0.05);
  EXPECT_FALSE(bench.flight.frame.land.ground_contact);
  bench.flight.want(FlightMode::kLand);
  bench.flight.run(25.0);
  EXPECT_TRUE(bench.flight.frame.land.landed);
  EXPECT_FALSE(bench.flight.output.status.armed);
  EXPECT_EQ(bench.flight.frame.imu[0].rate_count, 5 + 4 * (bench.flight.frame.time.us / 4'000));
}

TEST(JsonAdapter, LossesDuplicatesAndBacklogsChangeNothing) {
  const char* const how[] = {"",
                             "--lose-every 700",
                             "--deaf-every 700",
                             "--twice-every 3",
                             "--old-every 3",
                             "--late-every 3",
                             "--garbage-every 5",
                             "--other-sender-every 5",
                             "--burst-every 500",
                             "--slow-at 900",
                             "--angles",
                             "--start-ms 2500000"};
  Digest128 expected;
  for (const char* const options : how) {
    Bench bench(options);
    bench.flight.connect();
    bench.flight.want(FlightMode::kTakeoff);
    bench.flight.run(2.0);
    EXPECT_GT(bench.flight.height_m(), 0.2) << options;
    const Digest128 digest = bench.flight.commands.result();
    if (options == how[0]) expected = digest;
    // Angles go through other roundings.
    if (!contains(options, "angles")) {
      EXPECT_EQ(digest, expected) << options;
    }
    const JsonCounts& counts = bench.adapter.counts();
    EXPECT_EQ(counts.jumps, 0U) << options;
    if (contains(options, "lose") || contains(options, "deaf") || contains(options, "slow")) {
      EXPECT_GE(counts.asked_again, 1U) << options;
    }
    if (contains(options, "twice") || contains(options, "old-") || contains(options, "late")) {
      EXPECT_GT(counts.old, 100U) << options;
    }
    if (contains(options, "garbage")) {
      EXPECT_GT(counts.garbage, 100U);
    }
    if (contains(options, "other-sender")) {
      EXPECT_GT(counts.other_senders, 100U);
    }
  }
}

TEST(JsonAdapter, WhatElseItSends) {
  Bench bench("--extras");
  bench.flight.connect();
  bench.flight.run(1.0);
  const SensorFrame& f = bench.flight.frame;
  EXPECT_NEAR(f.battery[0].voltage_v, 11.1, 1e-6);
  EXPECT_NEAR(f.battery[0].current_a, 7.5, 1e-6);
  EXPECT_NEAR(f.range_finder[0].distance_m, 3.5, 1e-6);
  EXPECT_TRUE(f.range_finder[0].in_range);
  EXPECT_NEAR(f.airspeed[0].differential_pressure_pa, 61.25, 1e-3);
  EXPECT_NEAR(f.imu[0].specific_force_B_m_s2.z, -9.80, 0.02);
}

TEST(JsonAdapter, PlacesCountFromTheOriginGiven) {
  ExternalDouble physics("json_physics", "--places");
  JsonOptions options = options_for(physics.port());
  options.origin = WorldOrigin{.lat_deg = 47.397742 - 1e-3, .lon_deg = 8.545594, .alt_msl_m = 400};
  JsonAdapter adapter(options);
  ExternalFlight flight(adapter);
  flight.connect();
  flight.run(0.1);
  EXPECT_NEAR(flight.frame.estimate.position_W_m.x, 111.2, 0.1);  // 1e-3 degrees of the meridian
  EXPECT_NEAR(flight.frame.estimate.position_W_m.z, -88.0, 0.5);
}

TEST(JsonAdapter, ThirtyTwoChannelsAndAnotherOrder) {
  ExternalDouble physics("json_physics", "");
  JsonOptions options = options_for(physics.port());
  options.channels = 32;
  options.channel_map.motor = {0, 1, 2, 3};
  options.channel_map.servo = {30, 31};
  JsonAdapter adapter(options);
  ExternalFlight flight(adapter);
  flight.connect();
  flight.want(FlightMode::kTakeoff);
  flight.run(3.0);
  EXPECT_GT(flight.height_m(), 0.5);
  options.channel_map.servo = {3};
  EXPECT_THROW(JsonAdapter{options}, Error);
  options.channels = 20;
  EXPECT_THROW(JsonAdapter{options}, Error);
}

TEST(JsonAdapter, StepsOfThirdsOfAMicrosecondAddUp) {
  // 1200 Hz: the program cannot step by whole microseconds, three steps are 2.5 ms.
  Bench bench("--rate 1200", DurationUs(5'000));
  bench.flight.connect();
  bench.flight.run(1.0);
  EXPECT_EQ(bench.adapter.now(), TimeUs(995'000));
}

TEST(JsonAdapter, StepThatDoesNotDivideIsRefused) {
  const std::string error = Bench("--step-us 3000").flight.error_within(0.1);
  EXPECT_TRUE(contains(error, "steps by 0.003 s, which does not divide the exchange of 4ms"))
      << error;
}

TEST(JsonAdapter, ConnectsAgainAndTheFlightStartsAnew) {
  Bench bench("--start-ms 3000");
  for (int i = 0; i < 3; ++i) {
    ExternalFlight flight(bench.adapter);
    flight.connect();
    EXPECT_EQ(bench.adapter.now(), TimeUs(0));
    flight.want(FlightMode::kTakeoff);
    flight.run(2.0);
    EXPECT_GT(flight.height_m(), 0.2);
    EXPECT_LT(flight.height_m(), 5.0);
    bench.adapter.disconnect();
  }
}

TEST(JsonAdapter, ConnectsAgainInTheAir) {
  expect_the_same_world<Bench>("--flies-on --places");
  expect_the_same_world<Bench>("--flies-on");
}

TEST(JsonAdapter, OneThatIsReleasedHasItsMotorsOff) {
  Bench bench;
  bench.flight.connect();
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(5.0);
  const double before_m_s = bench.flight.frame.truth.velocity_W_m_s.z;
  bench.adapter.release(testing::kVehicle);
  for (int i = 0; i < 100; ++i) {
    bench.adapter.step_to(bench.adapter.now() + DurationUs(4'000));
    ASSERT_TRUE(bench.adapter.receive(bench.flight.frame));
  }
  EXPECT_GT(bench.flight.frame.truth.velocity_W_m_s.z, before_m_s + 1.0) << "it falls";
}

TEST(JsonAdapter, NoProgramThere) {
  JsonOptions options = options_for(9);
  options.connect_deadline = DurationUs(300'000);
  JsonAdapter adapter(options);
  const std::string error = ExternalFlight(adapter).error_within(1.0);
  EXPECT_TRUE(contains(error, "does not answer servo packets within 300ms; start it first"))
      << error;
}

TEST(JsonAdapter, StartedBeforeItsPhysics) {
  std::uint16_t port = 0;
  {
    const UdpSocket once(0, "a test");
    port = once.port();
  }
  JsonAdapter adapter(options_for(port));
  ExternalFlight flight(adapter);
  std::thread early([&] { flight.connect(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ExternalDouble physics("json_physics", "--port " + std::to_string(port));
  early.join();
  flight.run(0.5);
  EXPECT_EQ(flight.frame.time, TimeUs(496'000));
}

// ---- misbehaviour

class JsonTrouble : public ::testing::TestWithParam<Trouble> {};

TEST_P(JsonTrouble, EndsWithItsReason) { expect_reason<Bench>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, JsonTrouble,
    ::testing::Values(
        Trouble{"--noise-at 900", "sends answers that are unreadable: its text cannot"},
        Trouble{"--no-gyro", "has sent what cannot be flown: it lacks imu.gyro"},
        Trouble{"--no-lockstep", "says no_lockstep"}, Trouble{"--uneven", "does not keep one step"},
        Trouble{"--stand-at 900", "stands still"}, Trouble{"--creep-at 900", "hardly goes on"},
        Trouble{"--flood-at 900", "floods us"}, Trouble{"--back-at 900", "has gone back in time"},
        Trouble{"--jump-at 900", "has jumped from"}));

class JsonSilence : public ::testing::TestWithParam<const char*> {};

TEST_P(JsonSilence, EndsWithInterrupt) {
  expect_silence<Bench>(GetParam(), "a JSON answer from 127.0.0.1:");
}

INSTANTIATE_TEST_SUITE_P(All, JsonSilence, ::testing::Values("--die-at 900", "--hang-at 900"));

TEST(JsonAdapter, InterruptedStepGoesOnLater) {
  expect_goes_on_later<Bench>("--slow-at 900", TimeUs(1'500'000));
}

}  // namespace
}  // namespace tactus
