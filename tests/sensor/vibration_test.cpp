// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/vibration.h"

#include <gtest/gtest.h>

#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr double kReference_rad_s = 500.0;

// One rotor at a constant speed: a sinusoid at its frequency, amplitude ∝ speed².
TEST(Vibration, FollowsTheRotor) {
  for (const double speed : {0.0, 250.0, 500.0, 1000.0}) {
    const EscStatus rotor[1] = {{speed, 0.0}};
    RotorAngles angles;
    for (int k = 0; k < 200; ++k) {
      const Vec3 v = step_vibration(rotor, kReference_rad_s, k == 0 ? 0.0 : 1e-3, false, angles);
      const double amplitude = math::square(speed / kReference_rad_s);
      EXPECT_NEAR(v.x, amplitude * math::cos(speed * 1e-3 * k), 1e-9);
      EXPECT_NEAR(v.y, amplitude * math::sin(speed * 1e-3 * k), 1e-9);
      EXPECT_GE(angles.angle_rad[0], 0.0);
      EXPECT_LT(angles.angle_rad[0], math::kTwoPi);
    }
  }
}

// A longer interval sees the mean of the shorter ones: the step does not change the signal.
TEST(Vibration, MeanIsTheSameSignalAtEveryRate) {
  const EscStatus rotors[4] = {{620.0, 0.0}, {655.0, 0.0}, {590.0, 0.0}, {700.0, 0.0}};
  RotorAngles slow;
  RotorAngles fast;
  step_vibration(rotors, kReference_rad_s, 0.0, true, slow);
  step_vibration(rotors, kReference_rad_s, 0.0, true, fast);
  double loudest = 0.0;
  for (int k = 0; k < 500; ++k) {
    Vec3 mean;
    for (int i = 0; i < 4; ++i) {
      mean += 0.25 * step_vibration(rotors, kReference_rad_s, 1e-3, true, fast);
    }
    EXPECT_LT(norm(step_vibration(rotors, kReference_rad_s, 4e-3, true, slow) - mean), 1e-9);
    loudest = math::max(loudest, math::abs(mean.x));
  }
  EXPECT_GT(loudest, 1.0);
}

// Against the average of 10000 instants.
TEST(Vibration, MeanIsTheIntegral) {
  const EscStatus rotor[1] = {{800.0, 0.0}};
  RotorAngles angles;
  RotorAngles fine;
  step_vibration(rotor, kReference_rad_s, 0.0, true, angles);
  step_vibration(rotor, kReference_rad_s, 0.0, false, fine);
  const int n = 10'000;
  const double dt_s = 5e-3;
  Vec3 sum;
  step_vibration(rotor, kReference_rad_s, -0.5 * dt_s / n, false, fine);  // to mid-points
  for (int i = 0; i < n; ++i) {
    sum += step_vibration(rotor, kReference_rad_s, dt_s / n, false, fine) / n;
  }
  EXPECT_LT(norm(step_vibration(rotor, kReference_rad_s, dt_s, true, angles) - sum), 1e-7);
}

// While the rotor spins up the angle is the integral of its speed.
TEST(Vibration, AngleIsTheIntegralOfTheSpeed) {
  RotorAngles angles;
  double speed = 0.0;
  for (int k = 0; k <= 100; ++k) {
    speed = 3.0 * k;
    const EscStatus rotor[1] = {{speed, 0.0}};
    step_vibration(rotor, kReference_rad_s, k == 0 ? 0.0 : 4e-3, true, angles);
  }
  const double turned = 0.5 * speed * 0.4;
  EXPECT_NEAR(math::wrap_pi(angles.angle_rad[0] - turned), 0.0, 1e-9);
}

// Equal rotors at one speed do not shake in step.
TEST(Vibration, RotorsAreNotInStep) {
  const EscStatus rotors[2] = {{600.0, 0.0}, {600.0, 0.0}};
  RotorAngles together;
  RotorAngles alone;
  double loudest = 0.0;
  double single = 0.0;
  for (int k = 0; k < 100; ++k) {
    const double dt_s = k == 0 ? 0.0 : 1e-3;
    loudest = math::max(
        loudest, math::abs(step_vibration(rotors, kReference_rad_s, dt_s, false, together).x));
    single = math::max(
        single, math::abs(step_vibration({rotors, 1}, kReference_rad_s, dt_s, false, alone).x));
  }
  EXPECT_LT(loudest, 1.5 * single);
}

}  // namespace
}  // namespace tactus
