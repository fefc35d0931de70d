// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A noisy motor: statistics of what is drawn, when it changes and ends, that nothing shifts it, and
// what it does to a flight.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/state_archive.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tests/golden/flown.h"
#include "tests/support/scenario_player.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

Action noise(const std::string& rotor, double value, std::uint64_t correlation_us = 0) {
  Action action = plain(ActionKind::kMotorNoise, rotor, value);
  action.correlation = DurationUs(correlation_us);
  return action;
}

double scale(const Bus& bus, int rotor) { return bus.faults.thrust_scale[rotor]; }
double first_scale(const Bus& bus) { return scale(bus, 0); }

/// The factors of a rotor at the ticks of the autopilot.
std::vector<double> factors(const Player& player, int rotor) {
  std::vector<double> out;
  for (const Bus& seen : player.seen) {
    if (seen.time.us % kAutopilotPeriod.us == 0) out.push_back(scale(seen, rotor));
  }
  return out;
}

std::vector<double> played(std::vector<Event> events, int rotor, std::uint64_t end_us = 1'000'000) {
  Player player(std::move(events), end_us);
  player.play();
  return factors(player, rotor);
}

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
  std::vector<double> correlation;  ///< by lag in ticks
};

Moments moments(const std::vector<double>& x, int lags) {
  Moments out;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) out.mean += v / n;
  for (const double v : x) out.deviation += (v - out.mean) * (v - out.mean) / n;
  for (int lag = 0; lag <= lags; ++lag) {
    double sum = 0.0;
    for (std::size_t i = static_cast<std::size_t>(lag); i < x.size(); ++i) {
      sum += (x[i] - out.mean) * (x[i - static_cast<std::size_t>(lag)] - out.mean) / n;
    }
    out.correlation.push_back(sum / out.deviation);
  }
  out.deviation = std::sqrt(out.deviation);
  return out;
}

TEST(MotorNoise, WhiteHasItsDeviationAndForgetsAtOnce) {
  const Moments m =
      moments(played({at_time("a", 0, noise("front_right", 0.1))}, 0, 200'000'000), 3);
  EXPECT_NEAR(m.mean, 1.0, 4.0 * 0.1 / std::sqrt(20'000.0));
  EXPECT_NEAR(m.deviation, 0.1, 4.0 * 0.1 / std::sqrt(2.0 * 20'000.0));
  for (int lag = 1; lag <= 3; ++lag) {
    EXPECT_NEAR(m.correlation[static_cast<std::size_t>(lag)], 0.0, 0.03) << lag;
  }
}

TEST(MotorNoise, CorrelatedFadesWithItsTimeAndHasTheSameDeviation) {
  // 50 ms at ticks of 10 ms: a fifth of it per tick.
  const Moments m =
      moments(played({at_time("a", 0, noise("front_right", 0.1, 50'000))}, 0, 1'000'000'000), 10);
  EXPECT_NEAR(m.mean, 1.0, 0.005);
  EXPECT_NEAR(m.deviation, 0.1, 0.003);
  for (int lag = 1; lag <= 10; ++lag) {
    EXPECT_NEAR(m.correlation[static_cast<std::size_t>(lag)], std::exp(-0.2 * lag), 0.03) << lag;
  }
}

TEST(MotorNoise, StaysBetweenNothingAndTwiceTheThrust) {
  const std::vector<double> x = played({at_time("a", 0, noise("front_right", 0.5)),
                                        at_time("b", 0, noise("front_right", 0.5, 30'000))},
                                       0, 100'000'000);
  bool reaches_zero = false;
  bool reaches_most = false;
  for (const double v : x) {
    EXPECT_GE(v, 0.0);
    EXPECT_LE(v, kMostThrustScale);
    reaches_zero = reaches_zero || v == 0.0;
    reaches_most = reaches_most || v == kMostThrustScale;
  }
  EXPECT_TRUE(reaches_zero && reaches_most);
}

TEST(MotorNoise, ChangesAtTicksAndEndsToTheMicrosecond) {
  Player player({at_time("a", 12'345, lasting(noise("front_right", 0.1), 40'000))});
  player.play();
  EXPECT_EQ(player.changes(first_scale), (Times{12'345, 20'000, 30'000, 40'000, 50'000, 52'345}));
  EXPECT_EQ(first_scale(player.bus), 1.0);
  EXPECT_EQ(player.changes([](const Bus& bus) { return scale(bus, 1); }), Times{});
}

TEST(MotorNoise, AddsNoBoundaries) {
  Player with({at_time("a", 20'000, noise("front_right", 0.1))});
  Player without({at_time("a", 20'000, plain(ActionKind::kMarker))});
  with.play();
  without.play();
  EXPECT_EQ(with.seen.size(), without.seen.size());
}

TEST(MotorNoise, RestoreEndsItAndComposesWithALoss) {
  Player player({at_time("loss", 0, plain(ActionKind::kThrustLoss, "front_right", 0.5)),
                 at_time("noise", 0, noise("front_right", 0.1)),
                 at_time("whole", 50'000, plain(ActionKind::kMotorRestore, "front_right"))});
  Player alone({at_time("noise", 0, noise("front_right", 0.1))});
  player.play();
  alone.play();
  const std::vector<double> both = factors(player, 0);
  const std::vector<double> one = factors(alone, 0);
  for (std::size_t tick = 0; tick < 5; ++tick) {
    EXPECT_EQ(both[tick], 0.5 * one[tick]);
    EXPECT_NE(one[tick], 1.0);
  }
  for (std::size_t tick = 5; tick < both.size(); ++tick) EXPECT_EQ(both[tick], 1.0);
}

TEST(MotorNoise, OneMotorDoesNotShiftAnother) {
  const std::vector<double> alone = played({at_time("b", 30'000, noise("rear_left", 0.1))}, 1);
  // Others before it, of its rotor or not, with a correlation or not, at other times.
  const std::vector<double> among = played(
      {at_time("a", 0, noise("front_right", 0.2, 20'000)),
       at_time("c", 15'000, lasting(noise("rear_left", 0.3), 10'000)),
       at_time("b", 30'000, noise("rear_left", 0.1)), at_time("d", 0, noise("rear_right", 0.1))},
      1);
  for (std::size_t tick = 3; tick < alone.size(); ++tick) EXPECT_EQ(alone[tick], among[tick]);
}

TEST(MotorNoise, AnEventThatActsAgainIsStillOneNoise) {
  Event again = at_time("a", 0, lasting(noise("front_right", 0.1), 70'000));
  again.trigger.mode = TriggerMode::kRepeat;
  again.trigger.every = DurationUs(20'000);
  EXPECT_EQ(played({again}, 0), played({at_time("a", 0, noise("front_right", 0.1))}, 0));
}

TEST(MotorNoise, RotorsAndEventsAndSeedsAreIndependent) {
  const auto draw = [](const char* id, const char* rotor, int index) {
    return played({at_time(id, 0, noise(rotor, 0.1))}, index);
  };
  const std::vector<double> first = draw("a", "front_right", 0);
  EXPECT_EQ(first, draw("a", "front_right", 0));
  EXPECT_NE(first, draw("b", "front_right", 0));
  EXPECT_NE(first, draw("a", "rear_left", 1));
  ScenarioSetup other = setup_of({at_time("a", 0, noise("front_right", 0.1))});
  other.seed = 1;
  Player player({});
  player.source = ScenarioSource(other);
  player.play();
  EXPECT_NE(first[0], factors(player, 0)[0]);
}

TEST(MotorNoise, GoesOnFromASavedState) {
  const std::vector<Event> events = {at_time("a", 0, noise("front_right", 0.1, 40'000)),
                                     at_time("b", 5'000, noise("front_left", 0.1)),
                                     at_time("c", 5'000, wind({1, 0, 0}, 70'000))};
  Player whole(events);
  for (int i = 0; i < 5; ++i) whole.step();
  StateWriter saved;
  whole.source.save(saved);
  Player copy(events);
  StateReader from(saved.bytes());
  copy.source.load(from);
  EXPECT_TRUE(from.at_end());
  copy.schedule = whole.schedule;
  copy.bus = whole.bus;
  copy.boundary = whole.boundary;
  whole.seen.clear();
  whole.play();
  copy.play();
  ASSERT_EQ(whole.seen.size(), copy.seen.size());
  for (std::size_t i = 0; i < whole.seen.size(); ++i) {
    EXPECT_FALSE(first_difference(whole.seen[i].faults, copy.seen[i].faults)) << i;
  }
}

std::string refusal(Event event, DurationUs period = kAutopilotPeriod) {
  ScenarioSetup setup = setup_of({std::move(event)});
  setup.autopilot_period = period;
  try {
    const ScenarioSource source(setup);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

TEST(MotorNoise, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(at_time("a", 0, noise("front_right", 0.6))),
            "test.toml:1:1: event \"a\".value = 0.6: must lie between 0 and 0.5");
  EXPECT_EQ(refusal(at_time("a", 0, noise("tail", 0.1))),
            "test.toml:1:1: event \"a\": there is no rotor \"tail\"; allowed: front_right, "
            "rear_left, front_left, rear_right");
  EXPECT_EQ(refusal(at_time("a", 0, noise("front_right", 0.1)), {}),
            "test.toml:1:1: event \"a\": motor_noise changes at ticks of the autopilot, but "
            "time.autopilot_s = 0");
}

// ---- a flight

/// The Iris with instruments takes off in still air; ten seconds of hover count.
constexpr char kHover[] = R"(
  extends = "../aircraft/iris.toml"
  seed = 3
  time = { end_s = 22.0 }
  wind = { turbulence = "none" }
  estimator = { kind = "truth" }
  sensors = { fitted = true }
  [[event]]
  id = "start"
  do = "takeoff"
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

constexpr char kNoisy[] = R"(
  [[event]]
  id = "rough"
  at_s = 12.0
  do = "motor_noise"
  rotor = "front_right"
  value = 0.1
)";

/// RMS over the hover: of the body rates, and of how the vertical force, true and as the
/// accelerometer has it, changes from one reading to the next.
class Seismograph final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& view) override {
    const ImuReading& imu = view.bus.imu[0];
    if (imu.force_count == last_.force_count) return;
    if (view.bus.time >= TimeUs(12'100'000)) {
      ++n_;
      const double true_change = view.bus.truth.specific_force_B_m_s2.z - last_force_m_s2_;
      const double change = imu.specific_force_B_m_s2.z - last_.specific_force_B_m_s2.z;
      true_force_ += true_change * true_change;
      force_ += change * change;
      rate_ += norm_squared(view.bus.truth.rate_B_rad_s);
    }
    last_ = imu;
    last_force_m_s2_ = view.bus.truth.specific_force_B_m_s2.z;
  }
  [[nodiscard]] double true_force_m_s2() const { return std::sqrt(true_force_ / n_); }
  [[nodiscard]] double force_m_s2() const { return std::sqrt(force_ / n_); }
  [[nodiscard]] double rate_rad_s() const { return std::sqrt(rate_ / n_); }

 private:
  ImuReading last_;
  double last_force_m_s2_ = 0.0;
  int n_ = 0;
  double true_force_ = 0.0;
  double force_ = 0.0;
  double rate_ = 0.0;
};

TEST(MotorNoise, ShakesTheVehicleAndItsInstruments) {
  Assembly quiet = assemble(spec_of(kHover));
  Assembly noisy = assemble(spec_of(std::string(kHover) + kNoisy));
  Seismograph before;
  Seismograph after;
  fly_spec(quiet, {&before});
  EXPECT_TRUE(fly_spec(noisy, {&after}).passed());
  // A tenth of a quarter of the weight up and down, √2 times that from one reading to the next; the
  // accelerometer has it on top of its own noise. The arm of that force turns the body.
  EXPECT_NEAR(after.true_force_m_s2(), std::sqrt(2.0) * 0.1 * 9.81 / 4.0, 0.03);
  EXPECT_LT(before.true_force_m_s2(), 0.001);
  EXPECT_GT(after.force_m_s2(), 1.1 * before.force_m_s2());
  EXPECT_GT(after.rate_rad_s(), 3.0 * before.rate_rad_s());
  EXPECT_NE(quiet.run.digest(), noisy.run.digest());
}

}  // namespace
}  // namespace tactus
