// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Every method has its order on every problem, attitude included; so has its dense output. A method
// that is not in this suite does not exist.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tests/solver/systems.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

double theoretical_order(Method method) {
  switch (method) {
    case Method::kEuler: return 1.0;
    case Method::kRk23: return 3.0;
    case Method::kRk4:
    case Method::kLieRk4: return 4.0;
    case Method::kRk45: return 5.0;
  }
  return 0.0;
}

/// Steps in microseconds for which the leading error term rules and rounding does not.
std::array<std::uint64_t, 3> order_steps(Method method) {
  switch (method) {
    case Method::kEuler: return {400, 200, 100};
    case Method::kRk23: return {8'000, 4'000, 2'000};
    case Method::kRk45: return {20'000, 10'000, 5'000};
    default: return {16'000, 8'000, 4'000};
  }
}

template <class S>
double global_error(Method method, std::uint64_t step_us) {
  const std::uint64_t end_us = 3'200'000;
  Flight<S> flight{{}, constant_step_config(method, step_us), {}, S::start(), {}};
  EXPECT_EQ(flight.fly_to(end_us).status, Status::kOk);
  EXPECT_EQ(flight.memory.totals.accepted, end_us / step_us);
  return S::distance(flight.x.data(), S::exact(1e-6 * static_cast<double>(end_us)).data());
}

/// Largest error of the dense output inside one step from the exact state.
template <class S>
double dense_error(Method method, std::uint64_t step_us) {
  Flight<S> flight{{}, constant_step_config(method, step_us), {}, S::start(), {}};
  double worst = 0.0;
  const auto look = [&](const DenseOutput& dense) {
    for (double theta = 0.1; theta < 0.95; theta += 0.1) {
      std::array<double, S::kCapacity> x{};
      dense.evaluate(theta, x.data());
      const double t = theta * to_seconds(dense.length);
      worst = std::max(worst, S::distance(x.data(), S::exact(t).data()));
    }
  };
  advance(flight.system, flight.config, flight.memory, TimeUs(0), TimeUs(step_us), flight.x.data(),
          look);
  return worst;
}

template <class S>
class OrderTest : public ::testing::Test {};
using Problems = ::testing::Types<Duffing, Growing, FreeBody>;
TYPED_TEST_SUITE(OrderTest, Problems);

TYPED_TEST(OrderTest, GlobalErrorShrinksWithTheOrder) {
  for (const Method method : kAllMethods) {
    std::array<double, 3> steps{}, errors{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint64_t step_us = order_steps(method)[i];
      steps[i] = static_cast<double>(step_us);
      errors[i] = global_error<TypeParam>(method, step_us);
    }
    const double order = measured_order(steps, errors);
    this->RecordProperty(to_text(method), std::to_string(order));
    EXPECT_NEAR(order, theoretical_order(method), 0.1)
        << to_text(method) << " errors " << errors[0] << " " << errors[1] << " " << errors[2];
  }
}

TYPED_TEST(OrderTest, DenseOutputHasItsLocalOrder) {
  for (const Method method : kAllMethods) {
    // Of one step: one more than the order of the interpolation.
    const double expected = method == Method::kEuler ? 2.0 : (method == Method::kRk45 ? 5.0 : 4.0);
    std::array<double, 3> steps{}, errors{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint64_t step_us = (method == Method::kEuler ? 4000u : 64000u) >> i;
      steps[i] = static_cast<double>(step_us);
      errors[i] = dense_error<TypeParam>(method, step_us);
    }
    EXPECT_GT(measured_order(steps, errors), expected - 0.15)
        << to_text(method) << " errors " << errors[0] << " " << errors[1] << " " << errors[2];
  }
}

TEST(DenseOutputTest, IsExactAtBothEnds) {
  for (const Method method : kAllMethods) {
    Flight<Duffing> flight{{}, constant_step_config(method, 10'000), {}, Duffing::start(), {}};
    advance(flight.system, flight.config, flight.memory, TimeUs(0), TimeUs(30'000), flight.x.data(),
            [&](const DenseOutput& dense) {
              std::array<double, 2> x{};
              dense.evaluate(0.0, x.data());
              EXPECT_EQ(x[0], dense.x0[0]);
              EXPECT_EQ(x[1], dense.x0[1]);
              dense.evaluate(1.0, x.data());
              EXPECT_EQ(x[0], flight.x[0]);
              EXPECT_EQ(x[1], flight.x[1]);
            });
  }
}

TEST(LieRk4Test, KeepsTheQuaternionAtLengthOneWithoutNormalisation) {
  for (const double scale : {1.0, 10.0, 0.01}) {
    Flight<FreeBody> flight{{}, default_config(Method::kLieRk4), {}, FreeBody::start(), {}};
    for (int i = 4; i < 7; ++i) flight.x[static_cast<std::size_t>(i)] *= scale;
    double worst = 0.0;
    for (std::uint64_t t = 1; t <= 60'000; ++t) {
      ASSERT_EQ(flight.fly_to(1000 * t).status, Status::kOk);
      worst = std::max(worst, std::fabs(norm(quat_at(flight.x.data(), 0)) - 1.0));
    }
    EXPECT_LT(worst, 1e-12) << "rates times " << scale;
    RecordProperty("drift_" + std::to_string(scale), std::to_string(worst * 1e15));
  }
}

TEST(LieRk4Test, ConstantRateIsExactAndDoesNotDrift) {
  for (const double rate : {0.3, 2.0, 17.0}) {
    Flight<FreeBody> flight{{}, default_config(Method::kLieRk4), {}, {}, {}};
    flight.x = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, rate};
    for (std::uint64_t t = 1; t <= 60'000; ++t) flight.fly_to(1000 * t);
    const Quat q = quat_at(flight.x.data(), 0);
    EXPECT_LT(std::fabs(norm(q) - 1.0), 1e-12) << rate;
    EXPECT_LT(attitude_distance(q, exp_rotation({0.0, 0.0, 60.0 * rate})), 1e-11) << rate;
  }
}

}  // namespace
}  // namespace tactus
