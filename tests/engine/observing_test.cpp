// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Observing is free: with logs, recorders and hooks the flight is the same. And what is seen
// between boundaries lies on the trajectory.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr TimeUs kEnd{400'000};
constexpr DurationUs k333Hz{3'003};

/// A busy flight with a condition of the scenario that is found between boundaries.
RunSetup watched_setup(const SolverConfig& solver) {
  RunSetup setup = busy_setup(kEnd, solver);
  setup.sources.push_back(toy({.name = "watcher"}, [](SourceContext&) {},
                              {{WatchQuantity::kTilt, 0, 1.0, 0.01},
                               {WatchQuantity::kSpeed, 0, 1.0, 0.1},
                               {WatchQuantity::kVelocity, 0, 1.0, 0.02}}));
  return setup;
}

RunSetup logged(RunSetup setup, DurationUs period, bool interpolates) {
  if (!interpolates) setup.schedule.set_period(Axis::kLog, period);
  setup.log_period = period;
  setup.log_interpolates = interpolates;
  return setup;
}

class EveryHook : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage) const override { return true; }
  void after(Stage, const BoundaryView& view) override { last = view.bus; }
  Bus last;
};

struct Seen {
  Digest128 digest;
  RowList rows;
  BoundaryCounts boundaries;
  SolverTotals totals;
};

Seen look(RunSetup setup, bool hooked) {
  tactus::Run run(std::move(setup));
  Seen seen;
  EveryHook hook;
  WrittenList recorder;
  Observers observers;
  observers.sinks = {&seen.rows};
  if (hooked) {
    observers.hooks = {&hook};
    observers.recorders = {&recorder};
  }
  fly(run, observers);
  seen.digest = run.digest();
  seen.boundaries = run.boundaries();
  seen.totals = run.plant().totals();
  if (hooked) {
    EXPECT_EQ(recorder.times.size(), run.boundaries().total);
    EXPECT_TRUE(std::is_sorted(recorder.times.begin(), recorder.times.end()));
  }
  return seen;
}

class Observing : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] static SolverConfig solver() {
    return solver_for(GetParam(), GetParam() == Method::kEuler ? 250 : 1'000);
  }
};

TEST_P(Observing, DoesNotChangeTheFlight) {
  const Digest128 unseen = fly_alone(watched_setup(solver()));
  const SolverTotals unseen_totals = look(watched_setup(solver()), false).totals;
  for (const bool hooked : {false, true}) {
    const Seen at_50_hz = look(logged(watched_setup(solver()), DurationUs(20'000), false), hooked);
    const Seen at_250_hz = look(logged(watched_setup(solver()), DurationUs(4'000), false), hooked);
    const Seen at_333_hz = look(logged(watched_setup(solver()), k333Hz, true), hooked);
    EXPECT_EQ(at_50_hz.digest, unseen);
    EXPECT_EQ(at_250_hz.digest, unseen);
    EXPECT_EQ(at_333_hz.digest, unseen);
    EXPECT_EQ(at_50_hz.rows.rows.size(), 21U);
    EXPECT_EQ(at_250_hz.rows.rows.size(), 101U);
    EXPECT_EQ(at_333_hz.rows.rows.size(), kEnd.us / k333Hz.us + 1 + 1);
    for (const Seen* seen : {&at_50_hz, &at_250_hz, &at_333_hz}) {
      EXPECT_EQ(seen->rows.digest, unseen);
      EXPECT_EQ(seen->boundaries.log_only, 0U);
      EXPECT_GE(seen->boundaries.found, 2U);
      EXPECT_EQ(seen->boundaries.total, at_50_hz.boundaries.total);
      const auto difference = first_difference(seen->totals, unseen_totals);
      EXPECT_FALSE(difference) << difference->text();
    }
  }
  // Nothing to write to, or no period: no rows, and no harm.
  EXPECT_EQ(fly_alone(logged(watched_setup(solver()), k333Hz, true)), unseen);
  EXPECT_EQ(look(logged(watched_setup(solver()), DurationUs(0), true), false).rows.rows.size(), 0U);
}

TEST_P(Observing, InterpolatedRowsAreInOrderAndOnTheTrajectory) {
  const Seen between = look(logged(watched_setup(solver()), k333Hz, true), false);
  // The same instants as boundaries: a slightly different flight, the same physics.
  const Seen at = look(logged(watched_setup(solver()), k333Hz, false), false);
  EXPECT_GT(at.boundaries.log_only, 100U);
  ASSERT_EQ(between.rows.rows.size(), at.rows.rows.size());
  for (std::size_t i = 0; i < at.rows.rows.size(); ++i) {
    const Bus& a = between.rows.rows[i].bus;
    const Bus& b = at.rows.rows[i].bus;
    const std::uint64_t expected_us = std::min(i * k333Hz.us, kEnd.us);
    ASSERT_EQ(between.rows.rows[i].time.us, expected_us);
    ASSERT_EQ(at.rows.rows[i].time.us, expected_us);
    EXPECT_EQ(a.time.us, expected_us);
    const double tolerance = GetParam() == Method::kEuler ? 2e-2 : 2e-5;
    EXPECT_LT(norm(a.truth.position_W_m - b.truth.position_W_m), tolerance) << expected_us;
    EXPECT_LT(norm(a.truth.velocity_W_m_s - b.truth.velocity_W_m_s), tolerance) << expected_us;
    EXPECT_LT(norm(a.truth.rate_B_rad_s - b.truth.rate_B_rad_s), 10 * tolerance) << expected_us;
    EXPECT_NEAR(norm(a.truth.attitude), 1.0, 1e-14);
    EXPECT_EQ(a.command.motor[0] > 0.0, true);
    EXPECT_NEAR(a.esc[0].speed_rad_s, b.esc[0].speed_rad_s, 1e3 * tolerance) << expected_us;
    EXPECT_NEAR(a.loads.thrust_n[0], b.loads.thrust_n[0], 20 * tolerance) << expected_us;
    EXPECT_LT(norm(a.truth.acceleration_W_m_s2 - b.truth.acceleration_W_m_s2), 50 * tolerance)
        << expected_us;
    EXPECT_EQ(a.environment.wind_W_m_s.z, a.wind.velocity_W_m_s.z + a.disturbance.wind_W_m_s.z);
  }
}

TEST_P(Observing, ALinearWindIsSeenBetweenItsTicks) {
  RunSetup setup = busy_setup(TimeUs(100'000), solver(), WindRule::kLinear);
  const Seen seen = look(logged(std::move(setup), k333Hz, true), false);
  int between = 0;
  for (const RowList::Row& row : seen.rows.rows) {
    const WindSignal& wind = row.bus.wind;
    const Vec3 expected = wind.velocity_W_m_s +
                          to_seconds(row.time - wind.since) * wind.slope_W_m_s2 +
                          row.bus.disturbance.wind_W_m_s;
    EXPECT_LT(norm(row.bus.environment.wind_W_m_s - expected), 1e-12) << row.time.us;
    between += norm(wind.slope_W_m_s2) > 0.1 ? 1 : 0;
  }
  EXPECT_GT(between, 10);
}

INSTANTIATE_TEST_SUITE_P(Methods, Observing,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

TEST(ObservingAtOtherInstants, ALogAxisOfItsOwnIsCounted) {
  const Seen seen = look(logged(piloted_setup(TimeUs(100'000)), DurationUs(5'000), false), false);
  EXPECT_EQ(seen.boundaries.log_only, 15U);  // 5, 10, 15, 25 … 95 ms
  const Seen subset = look(logged(piloted_setup(TimeUs(100'000)), DurationUs(8'000), false), false);
  EXPECT_EQ(subset.boundaries.log_only, 0U);
}

}  // namespace
}  // namespace tactus
