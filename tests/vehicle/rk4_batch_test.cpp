// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The step for batches and the fixed shape are other ways through the same arithmetic: they must
// give the bits of `advance` with the shape read at run time.

#include <gtest/gtest.h>

#include "tactus/plant/iris.h"
#include "tactus/solver/rk4_batch.h"
#include "tactus/vehicle/multirotor_system.h"

namespace tactus {
namespace {

constexpr MultirotorCounts kIris{
    .rotors = 4, .servos = 0, .packs = 1, .buses = 1, .rc_pairs = 1, .gear_points = 4};
using IrisShape = FixedShape<kIris>;

TEST(Rk4Batch, HasTheBitsOfAdvance) {
  constexpr int kSteps = 500;
  const Multirotor vehicle = make_multirotor(iris_quadratic_parameters());
  ASSERT_TRUE(IrisShape::fits(vehicle));
  MultirotorInput input;
  for (int i = 0; i < 4; ++i) input.motor_command[i] = 0.5 + 0.02 * i;
  input.wind_W_m_s = {2.0, -1.0, 0.3};
  input.wind_slope_W_m_s2 = {0.5, 0.0, 0.0};
  const MultirotorModes modes;
  MultirotorState expected = vehicle.initial;
  expected.x[vehicle.layout.position + 2] = -0.13;  // falls, touches, tips over
  for (int i = 0; i < 4; ++i) expected.x[vehicle.layout.rotor_speed + i] = 300.0 + 10.0 * i;
  MultirotorState batch = expected;

  MultirotorSystem ordinary = make_system(vehicle, modes, input);
  ordinary.watch = false;
  SolverConfig config = default_config(Method::kRk4);
  config.step_us = 1'000;
  SolverMemory<kMultirotorCapacity> memory;
  ASSERT_EQ(advance(ordinary, config, memory, TimeUs(0), TimeUs(kSteps * 1'000), expected.x).status,
            Status::kOk);

  const MultirotorSystemOf<IrisShape> fixed{{&vehicle}, &vehicle, &modes, &input, false};
  double sum[IrisShape::kCapacity];
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    ASSERT_EQ(rk4_batch_step(fixed, {step * 1'000, 1'000}, &batch.x[0], &sum[0]), Status::kOk);
  }
  for (int i = 0; i < vehicle.layout.size; ++i) {
    EXPECT_EQ(math::to_bits(batch.x[i]), math::to_bits(expected.x[i])) << "entry " << i;
  }
}

TEST(Rk4Batch, LeavesTheStateAndSaysSoWhenItIsNotFinite) {
  const Multirotor vehicle = make_multirotor(iris_quadratic_parameters());
  MultirotorInput input;
  const MultirotorModes modes;
  const MultirotorSystemOf<IrisShape> system{{&vehicle}, &vehicle, &modes, &input, false};
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.velocity] = math::canonical_nan();
  double sum[IrisShape::kCapacity];
  EXPECT_EQ(rk4_batch_step(system, {0, 1'000}, &state.x[0], &sum[0]), Status::kNonFiniteState);
  EXPECT_EQ(state.x[vehicle.layout.attitude], 1.0);
}

TEST(FixedShape, FitsOnlyWhatItWasMadeFor) {
  EXPECT_FALSE(IrisShape::fits(make_multirotor(iris_parameters())));  // other propeller
  const World no_ground = make_world({.ground = {.present = false}});
  EXPECT_FALSE(IrisShape::fits(make_multirotor(iris_quadratic_parameters(), no_ground)));
}

}  // namespace
}  // namespace tactus
