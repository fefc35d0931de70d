// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Failures are loud and precise: which entry, at which step, and the state is the last good one.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tactus/core/error.h"
#include "tests/solver/systems.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

/// Five uncoupled decays; one derivative goes bad at a given time, or a status is returned.
struct Fragile {
  static constexpr int kCapacity = 8;
  StateGroups state_groups;
  int bad_entry = 3;
  double bad_value = math::canonical_nan();
  double bad_from_s = 1e9;
  double bad_until_s = 1e9;
  Status bad_status = Status::kOk;

  Fragile() {
    state_groups.add(ErrorGroup::kPosition, 0, 3);
    state_groups.add(ErrorGroup::kRotor, 3, 1);
  }
  static std::array<double, 8> start() { return {1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0}; }
  [[nodiscard]] int size() const { return 5; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  Status derivative(double t_s, const double* x, double* dx) const {
    for (int i = 0; i < 5; ++i) dx[i] = -x[i];
    if (t_s < bad_from_s || t_s > bad_until_s) return Status::kOk;
    if (bad_status == Status::kOk) dx[bad_entry] = bad_value;
    return bad_status;
  }
};

Flight<Fragile> fragile(Method method) {
  Flight<Fragile> flight{{}, default_config(method), {}, Fragile::start(), {}};
  flight.config.step_us = flight.config.h_max_us = 10'000;
  return flight;
}

TEST(FailureTest, NonFiniteDerivativeIsNamedWithinOneStep) {
  for (const Method method : kAllMethods) {
    for (const double value : {math::canonical_nan(), math::infinity(), -math::infinity()}) {
      auto flight = fragile(method);
      flight.system.bad_from_s = 0.0505;
      flight.system.bad_value = value;
      const AdvanceResult result = flight.fly_to(1'000'000);
      EXPECT_EQ(result.status, Status::kNonFiniteDerivative) << to_text(method);
      EXPECT_EQ(result.index, 3);
      EXPECT_EQ(result.group, ErrorGroup::kRotor);
      // A fixed step ends before the step that saw it; an adaptive one creeps up to the
      // microsecond.
      const std::uint64_t last_good_us = method == Method::kEuler ? 60'000 : 50'000;
      if (is_adaptive(method)) {
        EXPECT_NEAR(static_cast<double>(result.reached.us), 50'500.0, 1.0);
        EXPECT_EQ(result.step_us, 1u);
      } else {
        EXPECT_EQ(result.reached.us, last_good_us);
        EXPECT_EQ(result.step_us, 10'000u);
      }
      for (const double v : flight.x) EXPECT_TRUE(math::is_finite(v));
    }
  }
}

TEST(FailureTest, AStageWithoutWeightDoesNotHideANan) {
  // Only the second stage of Dormand–Prince, at a fifth of the step, sees it.
  auto flight = fragile(Method::kRk45);
  flight.config.h_init_us = flight.config.h_min_us = 10'000;
  flight.system.bad_from_s = 0.0019;
  flight.system.bad_until_s = 0.0021;
  const AdvanceResult result = flight.fly_to(10'000);
  EXPECT_EQ(result.status, Status::kNonFiniteDerivative);
  EXPECT_EQ(result.index, 3);
}

TEST(FailureTest, AdaptiveMethodsStepAroundWhatASmallerStepAvoids) {
  // A state that only too long a step reaches is not a failure.
  auto flight = fragile(Method::kRk45);
  flight.config.h_init_us = 10'000;
  flight.system.bad_from_s = 0.00199;
  flight.system.bad_until_s = 0.00201;
  EXPECT_EQ(flight.fly_to(20'000).status, Status::kOk);
  EXPECT_GT(flight.memory.totals.rejected, 0u);
}

TEST(FailureTest, NonFiniteStateIsNamed) {
  for (const Method method : kAllMethods) {
    auto flight = fragile(method);
    flight.x[2] = math::canonical_nan();
    const AdvanceResult result = flight.fly_to(20'000);
    EXPECT_EQ(result.status, Status::kNonFiniteState);
    EXPECT_EQ(result.index, 2);
    EXPECT_EQ(result.group, ErrorGroup::kPosition);
    EXPECT_EQ(result.reached.us, 0u);
  }
}

TEST(FailureTest, InactiveEntriesAreNeverTouched) {
  for (const Method method : kAllMethods) {
    auto flight = fragile(method);
    flight.x[5] = math::canonical_nan();
    EXPECT_EQ(flight.fly_to(20'000).status, Status::kOk);
    EXPECT_TRUE(math::is_nan(flight.x[5]));
    EXPECT_EQ(flight.x[6], 0.0);
  }
}

TEST(FailureTest, VanishedAttitudeIsAFailure) {
  for (const Method method : {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45}) {
    Flight<FreeBody> flight{{}, default_config(method), {}, {}, {}};
    EXPECT_EQ(flight.fly_to(1000).status, Status::kNonFiniteState) << to_text(method);
  }
}

TEST(FailureTest, StatusOfTheSystemIsPassedOn) {
  for (const Method method : kAllMethods) {
    auto flight = fragile(method);
    flight.system.bad_from_s = 0.0305;
    flight.system.bad_status = Status::kNoPowerSink;
    const AdvanceResult result = flight.fly_to(1'000'000);
    EXPECT_EQ(result.status, Status::kNoPowerSink) << to_text(method);
    EXPECT_EQ(result.index, -1);
    EXPECT_GE(result.reached.us, 30'000u);
    EXPECT_LE(result.reached.us, 40'000u);
  }
}

template <class Change>
void expect_refused(Change change, const std::string& word) {
  SolverConfig config = default_config(Method::kRk45);
  change(config);
  try {
    validate(config);
    ADD_FAILURE() << "accepted: " << word;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
  }
}

TEST(ConfigTest, DefaultsAreThoseOfTheMethods) {
  for (const Method method : kAllMethods) EXPECT_NO_THROW(validate(default_config(method)));
  EXPECT_EQ(default_config(Method::kRk23).position.rtol, 1e-6);
  EXPECT_EQ(default_config(Method::kRk45).rate.rtol, 1e-9);
  EXPECT_EQ(default_config(Method::kRk23).max_attempts, 10'000u);
  EXPECT_EQ(default_config(Method::kRk45).max_attempts, 50'000u);
  EXPECT_EQ(default_config(Method::kRk45).attitude_atol_rad, 1e-9);
  EXPECT_EQ(default_config(Method::kRk45).rotor.atol, 1e-4);
  EXPECT_TRUE(math::is_inf(default_config(Method::kRk23).rotor.atol));
}

TEST(ConfigTest, NonsenseIsRefusedByName) {
  expect_refused([](SolverConfig& c) { c.position.atol = 0.0; }, "solver.position.atol");
  expect_refused([](SolverConfig& c) { c.rotor.atol = math::canonical_nan(); }, "rotor.atol");
  expect_refused([](SolverConfig& c) { c.velocity.rtol = -1e-9; }, "velocity.rtol");
  expect_refused([](SolverConfig& c) { c.rate.rtol = math::infinity(); }, "rate.rtol");
  expect_refused([](SolverConfig& c) { c.attitude_atol_rad = 0.0; }, "attitude");
  expect_refused([](SolverConfig& c) { c.h_min_us = 0; }, "h_min_us");
  expect_refused([](SolverConfig& c) { c.h_max_us = 10, c.h_min_us = 11; }, "h_min_us");
  expect_refused([](SolverConfig& c) { c.h_max_us = 10, c.h_init_us = 11; }, "h_init_us");
  expect_refused([](SolverConfig& c) { c.h_init_us = 4, c.h_min_us = 5; }, "h_init_us");
  expect_refused([](SolverConfig& c) { c.step_us = ~std::uint64_t{0}; }, "step_us");
  expect_refused([](SolverConfig& c) { c.max_attempts = 0; }, "max_attempts");
  expect_refused([](SolverConfig& c) { c.safety = 1.5; }, "safety");
  expect_refused([](SolverConfig& c) { c.min_factor = 0.0; }, "min_factor");
  expect_refused([](SolverConfig& c) { c.max_factor = 1.0; }, "max_factor");
}

}  // namespace
}  // namespace tactus
