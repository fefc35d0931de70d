// link: rapidcheck
// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Found events: the first whole microsecond with the new sign, and the same bits as if that instant
// had been scheduled.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/solver/systems.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

/// A mass on a spring that hits a stiff, damped wall: beyond the wall the right-hand side is
/// another one, so adaptive steps that reach into it are rejected. Guards: the wall, a speed, a
/// second wall with the same place. A quaternion turns along.
struct Bouncer {
  static constexpr int kCapacity = 9;
  static constexpr int kGuardCapacity = 3;
  StateGroups state_groups;
  double frequency = 1.0;
  double wall = 0.5;
  double stiffness = 0.0;
  double speed_limit = 1e9;
  bool has_guards = true;

  Bouncer() {
    state_groups.add(ErrorGroup::kPosition, 0, 1);
    state_groups.add(ErrorGroup::kVelocity, 1, 1);
    state_groups.add(ErrorGroup::kAttitude, 2, 4, 6);
    state_groups.add(ErrorGroup::kRate, 6, 3);
  }
  static std::array<double, 9> start() { return {0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.3, -0.5, 0.8}; }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    const double depth = x[0] > wall ? x[0] - wall : 0.0;
    dx[0] = x[1];
    dx[1] = -frequency * frequency * x[0] - stiffness * depth * (1.0 + 0.1 * x[1]);
    const Quat dq = quaternion_rate(quat_at(x, 2), {x[6], x[7], x[8]});
    dx[2] = dq.w;
    dx[3] = dq.x;
    dx[4] = dq.y;
    dx[5] = dq.z;
    dx[6] = -x[7] * x[8] + 0.1 * x[0];
    dx[7] = 0.5 * x[8] * x[6];
    dx[8] = 0.2 * x[6] * x[7];
    return Status::kOk;
  }
  [[nodiscard]] int guard_count() const { return has_guards ? 3 : 0; }
  void guards(double, const double* x, double* g) const {
    g[0] = x[1] - speed_limit;
    g[1] = x[0] - wall;
    g[2] = x[0] - wall;
  }
};

Flight<Bouncer> bouncer(Method method) {
  Flight<Bouncer> flight{{}, default_config(method), {}, Bouncer::start(), {}};
  flight.config.step_us = 10'000;
  return flight;
}

/// The laws of a found event, for a flight that starts quiet and is asked to fly to `end_us`.
/// Returns whether there was one.
bool check_event_laws(const Flight<Bouncer>& start, std::uint64_t end_us) {
  Flight<Bouncer> found = start;
  const AdvanceResult result = found.fly_to(end_us);
  RC_ASSERT(result.status == Status::kOk);
  if (result.guard < 0) {
    RC_ASSERT(result.reached.us == end_us);
    return false;
  }
  std::array<double, 3> g{};
  found.system.guards(0.0, found.x.data(), g.data());
  RC_ASSERT(g[static_cast<std::size_t>(result.guard)] >= 0.0);

  // Scheduled beforehand: the same bits, the same memory, the same guard.
  Flight<Bouncer> scheduled = start;
  const AdvanceResult again = scheduled.fly_to(result.reached.us);
  RC_ASSERT(again.guard == result.guard);
  RC_ASSERT(scheduled.same_future(found));

  // Scheduled in a run that does not evaluate guards: still the same bits.
  Flight<Bouncer> blind = start;
  blind.system.has_guards = false;
  // (It may fail there instead: only a guard excuses the kink at the wall.)
  if (blind.fly_to(result.reached.us).status == Status::kOk) RC_ASSERT(blind.same_bits(found));

  // One microsecond earlier nothing has fired.
  Flight<Bouncer> earlier = start;
  const AdvanceResult before = earlier.fly_to(result.reached.us - 1);
  RC_ASSERT(before.guard == -1);
  RC_ASSERT(before.reached.us == result.reached.us - 1);

  // Both go on alike, beyond the wall.
  found.system.has_guards = scheduled.system.has_guards = false;
  found.fly_to(end_us + 50'000);
  scheduled.fly_to(end_us + 50'000);
  RC_ASSERT(found.same_future(scheduled));
  return true;
}

TEST(EventTest, IsTheFirstMicrosecondWithTheNewSign) {
  for (const Method method : kAllMethods) {
    auto flight = bouncer(method);
    flight.config.step_us = method == Method::kEuler ? 10 : 10'000;
    const AdvanceResult result = flight.fly_to(10'000'000);
    EXPECT_EQ(result.status, Status::kOk);
    EXPECT_EQ(result.guard, 1) << "the lower one of two that fire together";
    // x = sin t reaches 0.5 at π/6.
    const double exact_us = 1e6 * std::asin(0.5);
    const double tolerance_us = method == Method::kEuler ? 4.0 : 1.0;
    EXPECT_NEAR(static_cast<double>(result.reached.us), std::ceil(exact_us), tolerance_us)
        << to_text(method);
    EXPECT_EQ(flight.memory.totals.events, 1u);
  }
}

TEST(EventTest, RandomFlightsObeyTheLaws) {
  const std::string count = "max_success=" + std::to_string(scaled(400'000));
  setenv("RC_PARAMS", count.c_str(), 0);
  long events = 0;
  const bool holds = rc::check("laws of found events", [&] {
    auto flight = bouncer(
        *rc::gen::elementOf(std::vector<Method>(std::begin(kAllMethods), std::end(kAllMethods))));
    flight.config.step_us = static_cast<std::uint64_t>(*rc::gen::inRange(1'000, 60'000));
    const double exponent = *rc::gen::inRange(-9, -3);
    const double tolerance = std::pow(10.0, exponent);
    flight.config.position = flight.config.velocity = flight.config.rate = {tolerance, tolerance};
    flight.config.attitude_atol_rad = tolerance;
    flight.system.frequency = 0.001 * *rc::gen::inRange(100, 20'000);
    flight.system.wall = 0.001 * *rc::gen::inRange(1, 1000) / flight.system.frequency;
    flight.system.stiffness = *rc::gen::elementOf(std::vector<double>{0.0, 1e3, 1e5});
    flight.system.speed_limit = 0.001 * *rc::gen::inRange(-900, 3000);
    // Sometimes with a history, so that the memory is not fresh.
    const int history = *rc::gen::inRange(0, 3);
    Flight<Bouncer> before = flight;
    before.system.has_guards = false;
    before.system.stiffness = 0.0;
    before.fly_to(static_cast<std::uint64_t>(history) * 7'003);
    flight.x = before.x;
    flight.memory = before.memory;
    flight.now = before.now;
    flight.memory.invalidate_derivative();
    // Start on this side: a kink on the way out, which no guard announces, may rightly be refused.
    if (flight.x[0] >= flight.system.wall) flight.x[0] = -flight.x[0];
    const auto length_us = static_cast<std::uint64_t>(*rc::gen::inRange(1, 3'000'000));
    events += check_event_laws(flight, flight.now.us + length_us) ? 1 : 0;
  });
  EXPECT_TRUE(holds);
  EXPECT_GT(events, scaled(400'000) / 4);
}

TEST(EventTest, AStepThatFiresAHairEarlyIsReportedWhereTheScheduledRunFires) {
  // Found by the random flights: the steps to 31193 cross the wall at 31192 by 5e-8, those to 31192
  // stay short of it by 7e-9, both within the tolerance of 1e-5.
  auto flight = bouncer(Method::kRk23);
  flight.config.position = flight.config.velocity = flight.config.rate = {1e-5, 1e-5};
  flight.config.attitude_atol_rad = 1e-5;
  flight.system.frequency = 0.001 * 9634;
  flight.system.wall = 0.001 * 296 / flight.system.frequency;
  flight.system.stiffness = 1e5;
  for (const std::uint64_t end_us : {31'193u, 31'194u, 31'200u, 40'000u}) {
    auto found = flight;
    const AdvanceResult result = found.fly_to(end_us);
    EXPECT_EQ(result.guard, 1);
    EXPECT_EQ(result.reached.us, 31'193u) << end_us;
  }
  auto earlier = flight;
  EXPECT_EQ(earlier.fly_to(31'192).guard, -1);
}

TEST(EventTest, RejectedAttemptsBeyondTheEventLeaveNoTrace) {
  // A hard wall: the first attempts reach into it and are rejected; in the scheduled run they never
  // happen. Without going back to before them the two runs would differ.
  for (const Method method : {Method::kRk23, Method::kRk45}) {
    auto flight = bouncer(method);
    flight.system.stiffness = 1e7;
    flight.config.h_init_us = 400'000;
    auto scheduled = flight;
    const AdvanceResult result = flight.fly_to(5'000'000);
    ASSERT_EQ(result.guard, 1);
    scheduled.fly_to(result.reached.us);
    EXPECT_TRUE(scheduled.same_future(flight)) << to_text(method);
  }
}

TEST(EventTest, AtTheVeryEndOfTheIntervalIsReported) {
  for (const Method method : kAllMethods) {
    auto flight = bouncer(method);
    const AdvanceResult found = flight.fly_to(10'000'000);
    auto exact = bouncer(method);
    const AdvanceResult result = exact.fly_to(found.reached.us);
    EXPECT_EQ(result.reached, found.reached);
    EXPECT_EQ(result.guard, found.guard);
  }
}

TEST(EventTest, EarlierOfTwoGuardsWinsWhateverItsIndex) {
  for (const Method method : kAllMethods) {
    auto flight = bouncer(method);
    flight.x[0] = -0.9;
    flight.x[1] = 0.2;
    flight.system.wall = 0.0;
    flight.system.speed_limit = 0.5;  // reached on the way to the wall
    EXPECT_EQ(flight.fly_to(10'000'000).guard, 0);
    flight = bouncer(method);
    flight.x[0] = -0.9;
    flight.x[1] = 0.2;
    flight.system.wall = -0.89;
    flight.system.speed_limit = 0.5;
    EXPECT_EQ(flight.fly_to(10'000'000).guard, 1);
  }
}

TEST(EventTest, NearMissDoesNotFireAndBarelyTouchingTerminates) {
  for (const Method method : {Method::kRk4, Method::kRk45, Method::kLieRk4}) {
    for (const double gap : {1e-3, 1e-5, 0.0, -1e-13, -1e-9, -1e-6, -1e-4}) {
      auto flight = bouncer(method);
      flight.config.step_us = 1'000;
      flight.config.position = flight.config.velocity = {1e-9, 1e-9};
      flight.system.wall = 1.0 + gap;
      const AdvanceResult result = flight.fly_to(20'000'000);
      EXPECT_EQ(result.status, Status::kOk);
      if (gap >= 1e-5) {
        EXPECT_EQ(result.guard, -1) << gap;
      }
      if (gap == -1e-4) {
        EXPECT_EQ(result.guard, 1) << gap;
      }
    }
  }
}

TEST(EventTest, ShortCrossingInsideAStepIsSeenBySampling) {
  // In and out within one step: over the wall for 41 ms of a step of 100 ms.
  auto flight = bouncer(Method::kRk4);
  flight.config.step_us = 100'000;
  flight.x[0] = 0.0;
  flight.x[1] = 1.0;
  flight.system.wall = std::cos(0.0205);
  const std::uint64_t quarter_us = 1'570'796;
  flight.now = TimeUs(0);
  flight.fly_to(quarter_us - 50'000);
  const AdvanceResult result = flight.fly_to(quarter_us + 50'000);
  EXPECT_EQ(result.guard, 1);
  EXPECT_NEAR(static_cast<double>(result.reached.us), 1'570'796.0 - 20'500.0, 300.0);
}

TEST(EventTest, AGuardThatHasFiredIsQuietUntilItWasNegativeAgain) {
  auto flight = bouncer(Method::kRk45);
  flight.config.h_max_us = 50'000;
  const AdvanceResult first = flight.fly_to(60'000'000);
  ASSERT_EQ(first.guard, 1);
  const AdvanceResult second = flight.fly_to(60'000'000);
  ASSERT_EQ(second.guard, 1);
  EXPECT_NEAR(static_cast<double>(second.reached.us - first.reached.us), 2e6 * math::kPi, 10.0);
}

TEST(EventTest, GuardsDoNotDisturbTheFlight) {
  for (const Method method : kAllMethods) {
    auto watched = bouncer(method);
    watched.system.wall = 1e6;
    auto blind = watched;
    blind.system.has_guards = false;
    for (std::uint64_t t = 1; t < 100; ++t) {
      watched.fly_to(t * 33'333);
      blind.fly_to(t * 33'333);
      ASSERT_TRUE(watched.same_bits(blind)) << to_text(method);
    }
    EXPECT_EQ(watched.memory.totals.accepted, blind.memory.totals.accepted);
    EXPECT_EQ(watched.memory.totals.probes, 0u);
  }
}

TEST(EventTest, NotANumberIsAFailureNotAnEvent) {
  auto flight = bouncer(Method::kRk4);
  flight.system.speed_limit = math::canonical_nan();
  flight.fly_to(1000);
  flight.system.speed_limit = 10.0;
  flight.fly_to(2000);
  struct LateNan : Bouncer {
    void guards(double t_s, const double* x, double* g) const {
      Bouncer::guards(t_s, x, g);
      if (t_s > 0.015) g[0] = math::canonical_nan();
    }
  };
  Flight<LateNan> late{{}, flight.config, {}, Bouncer::start(), {}};
  const AdvanceResult result = late.fly_to(100'000);
  EXPECT_EQ(result.status, Status::kNonFiniteState);
  EXPECT_EQ(result.guard, 0);
  EXPECT_NEAR(static_cast<double>(result.reached.us), 15'000.0, 2.0);
}

}  // namespace
}  // namespace tactus
