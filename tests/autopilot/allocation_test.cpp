// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/airframe/allocation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/random.h"
#include "tests/support/controlled_flight.h"

namespace tactus {
namespace {

using testing::heavy_like;
using testing::hexa_like;
using testing::octa_like;
using testing::place_rotors;
using testing::racer_like;

/// An airframe with its limits.
struct Frame {
  explicit Frame(const MultirotorParameters& p, std::uint32_t lost = 0)
      : model(make_airframe_model(make_multirotor(p))), allocation(make_allocation(model, lost)) {
    for (int i = 0; i < model.rotor_count; ++i) {
      low[i] = model.rotor[i].idle_thrust_n;
      high[i] = model.rotor[i].curve.max_thrust_n;
    }
  }

  Wrench give(const Wrench& demand) {
    allocate(allocation, demand, low, high, thrust);
    for (int i = 0; i < model.rotor_count; ++i) {
      if (((allocation.lost_mask >> i) & 1U) != 0) {
        EXPECT_EQ(thrust[i], 0.0);
        continue;
      }
      EXPECT_GE(thrust[i], low[i]) << i;
      EXPECT_LE(thrust[i], high[i]) << i;
    }
    return wrench_of(allocation, thrust);
  }

  AirframeModel model;
  Allocation allocation;
  double low[kMaxMotors] = {};
  double high[kMaxMotors] = {};
  double thrust[kMaxMotors] = {};
};

void expect_equal(const Wrench& a, const Wrench& b, double scale) {
  EXPECT_NEAR(a.torque_B_nm.x, b.torque_B_nm.x, 1e-9 * scale);
  EXPECT_NEAR(a.torque_B_nm.y, b.torque_B_nm.y, 1e-9 * scale);
  EXPECT_NEAR(a.torque_B_nm.z, b.torque_B_nm.z, 1e-9 * scale);
  EXPECT_NEAR(a.lift_n, b.lift_n, 1e-9 * scale);
}

/// Rotors leaning inwards and sideways: every moment comes from every rotor.
MultirotorParameters tilted_hexa() {
  MultirotorParameters p = hexa_like();
  for (int i = 0; i < p.rotor_count; ++i) {
    const Vec3 r = p.rotor[i].position_B_m;
    const double side = i % 2 == 0 ? 0.4 : -0.4;
    const Vec3 axis{-0.3 * r.x - side * r.y, -0.3 * r.y + side * r.x, 1.0};
    p.rotor[i].axis_B = (1.0 / norm(axis)) * axis;
  }
  return p;
}

std::vector<MultirotorParameters> frames() {
  return {iris_parameters(), racer_like(), hexa_like(), octa_like(), heavy_like(), tilted_hexa()};
}

TEST(Allocation, GivesTheDemandWhileNoLimitIsMet) {
  for (const MultirotorParameters& p : frames()) {
    Frame f(p);
    const Vec3 tilt = f.allocation.hover_tilt_nm;
    const double yaw = f.allocation.hover_yaw_nm;
    const double weight = f.model.hover_thrust_n;
    EXPECT_GT(yaw, 0.0);
    for (const double s : {-0.3, 0.0, 0.3}) {
      for (const double r : {-0.3, 0.2}) {
        const Wrench demand{{s * tilt.x, r * tilt.y, 0.3 * yaw}, weight};
        expect_equal(f.give(demand), demand, weight);
      }
    }
  }
}

TEST(Allocation, EffectivenessIsThatOfThePlant) {
  // The moment of the plant's own forces at hover speed with one rotor faster, against B u.
  const Multirotor vehicle = make_multirotor(tilted_hexa());
  const AirframeModel model = make_airframe_model(vehicle);
  const Allocation allocation = make_allocation(model, 0);
  for (int i = 0; i < model.rotor_count; ++i) {
    MultirotorInput input;
    MultirotorState state = vehicle.initial;
    state.x[vehicle.layout.position + 2] = -100.0;
    for (int k = 0; k < model.rotor_count; ++k) {
      // Drive and load balance, so that no spin-up reaction adds to the moment.
      const double share = k == i ? 0.4 : 0.36;
      const double thrust = share * model.rotor[k].curve.max_thrust_n;
      double low = 0.0;
      double high = model.rotor[k].curve.speed_rad_s[ThrustCurve::kIntervals];
      for (int b = 0; b < 60; ++b) {
        const double middle = 0.5 * (low + high);
        (thrust_at_speed_n(model.rotor[k].curve, middle) < thrust ? low : high) = middle;
      }
      state.x[vehicle.layout.rotor_speed + k] = low;
      input.motor_command[k] = 0.5;
    }
    MultirotorFlight flight = start_flight(vehicle, input, state);
    const MultirotorOutputs out = outputs(vehicle, input, flight);
    Vec3 moment;
    Vec3 force;
    for (int k = 0; k < model.rotor_count; ++k) {
      const Rotor& rotor = vehicle.rotor[k];
      const Vec3 thrust_B = -out.thrust_n[k] * rotor.axis_B;
      moment += cross(rotor.position_B_m, thrust_B) -
                (rotor.spin * out.rotor_torque_nm[k]) * rotor.axis_B;
      force += thrust_B;
    }
    const Wrench w = wrench_of(allocation, out.thrust_n);
    const double size = norm(moment);
    EXPECT_NEAR(w.torque_B_nm.x, moment.x, 0.02 * size + 1e-9);
    EXPECT_NEAR(w.torque_B_nm.y, moment.y, 0.02 * size + 1e-9);
    EXPECT_NEAR(w.torque_B_nm.z, moment.z, 0.02 * size + 1e-9);
    EXPECT_NEAR(w.lift_n, -force.z, 1e-9 * w.lift_n);
  }
}

TEST(Allocation, GivesYawUpBeforeLiftAndLiftBeforeTilt) {
  for (const MultirotorParameters& p : frames()) {
    Frame f(p);
    const Vec3 tilt = f.allocation.hover_tilt_nm;
    const double weight = f.model.hover_thrust_n;

    // Far too much yaw: roll, pitch and lift stay whole.
    const Wrench yaw{{0.4 * tilt.x, -0.3 * tilt.y, 50.0 * f.allocation.hover_yaw_nm}, weight};
    const Wrench a = f.give(yaw);
    EXPECT_NEAR(a.torque_B_nm.x, yaw.torque_B_nm.x, 1e-4 * tilt.x);
    EXPECT_NEAR(a.torque_B_nm.y, yaw.torque_B_nm.y, 1e-4 * tilt.y);
    EXPECT_NEAR(a.lift_n, weight, 1e-3 * weight);
    EXPECT_GT(a.torque_B_nm.z, 0.0);

    // Full lift and some tilt: lift gives way, tilt stays.
    const Wrench lift{{0.5 * tilt.x, 0.3 * tilt.y, 0.0}, f.model.max_thrust_n};
    const Wrench b = f.give(lift);
    EXPECT_NEAR(b.torque_B_nm.x, lift.torque_B_nm.x, 1e-3 * tilt.x);
    EXPECT_NEAR(b.torque_B_nm.y, lift.torque_B_nm.y, 1e-3 * tilt.y);
    EXPECT_LT(b.lift_n, lift.lift_n);
    EXPECT_GT(b.lift_n, 0.5 * lift.lift_n);

    // No lift at all and some tilt: lift rises just enough.
    const Wrench none{{0.5 * tilt.x, 0.0, 0.0}, 0.0};
    const Wrench c = f.give(none);
    EXPECT_NEAR(c.torque_B_nm.x, none.torque_B_nm.x, 1e-3 * tilt.x);
    EXPECT_LT(c.lift_n, weight);

    // More tilt than there is: its direction stays.
    const Wrench huge{{40.0 * tilt.x, 20.0 * tilt.x, 0.0}, weight};
    const Wrench d = f.give(huge);
    EXPECT_GT(d.torque_B_nm.x, 0.5 * tilt.x);
    EXPECT_NEAR(d.torque_B_nm.y, 0.5 * d.torque_B_nm.x, 0.02 * d.torque_B_nm.x);
  }
}

TEST(Allocation, AnyDemandStaysWithinTheLimits) {
  const RandomStream random(7, "allocation_test");
  for (const MultirotorParameters& p : frames()) {
    for (const std::uint32_t lost : {0U, 1U, 4U}) {
      Frame f(p, lost);
      for (std::uint64_t k = 0; k < 200; ++k) {
        const auto any = [&](std::uint64_t j) { return 4.0 * random.uniform(4 * k + j) - 2.0; };
        const double weight = f.model.hover_thrust_n;
        const Wrench given =
            f.give({{0.3 * weight * any(0), 0.3 * weight * any(1), 0.05 * weight * any(2)},
                    2.0 * weight * any(3)});
        EXPECT_TRUE(is_finite(given.torque_B_nm) && math::is_finite(given.lift_n));
      }
    }
  }
}

/// Every corner of the null space counts: seven rotors can balance an eighth that runs at full
/// thrust, yaw included, though no multiple of the pseudo-inverse's columns does.
TEST(Allocation, SevenRotorsBalanceOneAtFullThrust) {
  for (int i = 0; i < 8; ++i) {
    Frame f(octa_like(), 1U << i);
    const AirframeRotor& stuck = f.model.rotor[i];
    const double full_n = stuck.curve.max_thrust_n;
    const Wrench demand{-full_n * stuck.torque_per_thrust_B_m, f.model.hover_thrust_n - full_n};
    const Wrench given = f.give(demand);
    const Vec3 missing = given.torque_B_nm - demand.torque_B_nm;
    EXPECT_LT(math::hypot(missing.x, missing.y), 1e-3 * norm(demand.torque_B_nm));
    EXPECT_NEAR(given.lift_n, demand.lift_n, 0.01 * f.model.hover_thrust_n);
    EXPECT_LT(math::abs(missing.z), 0.02 * f.allocation.hover_yaw_nm);
  }
}

/// No point within the limits that a random search finds is better: tilt, then lift, then yaw.
TEST(Allocation, NoFeasiblePointGivesMoreTilt) {
  const RandomStream random(11, "allocation_test");
  for (const MultirotorParameters& p : frames()) {
    Frame f(p);
    const Vec3 tilt = f.allocation.hover_tilt_nm;
    for (std::uint64_t k = 0; k < 20; ++k) {
      const double angle = math::kTwoPi * random.uniform(k);
      const Vec3 wanted{8.0 * tilt.x * math::cos(angle), 8.0 * tilt.y * math::sin(angle), 0.0};
      const Vec3 u = wanted / norm(wanted);
      const double given = dot(f.give({wanted, f.model.hover_thrust_n}).torque_B_nm, u);
      // Along u, with nothing across it, the most is reached where every rotor is at a limit or the
      // cross moment binds: Lagrange's bound over the multiplier of the cross moment.
      double most = math::infinity();
      for (int m = -200; m <= 200; ++m) {
        double bound = 0.0;
        for (int i = 0; i < f.model.rotor_count; ++i) {
          const double along =
              f.allocation.effectiveness[0][i] * u.x + f.allocation.effectiveness[1][i] * u.y;
          const double across =
              f.allocation.effectiveness[1][i] * u.x - f.allocation.effectiveness[0][i] * u.y;
          const double gain = along + 0.01 * m * across;
          bound += gain * (gain > 0.0 ? f.high[i] : f.low[i]);
        }
        most = math::min(most, bound);
      }
      EXPECT_GT(given, 0.98 * math::min(most, norm(wanted))) << k;
      EXPECT_LT(given, 1.001 * most) << k;
    }
  }
}

TEST(Allocation, OctaKeepsYawWithoutAnyOneRotor) {
  for (int i = 0; i < 8; ++i) {
    Frame f(octa_like(), 1U << i);
    EXPECT_TRUE(f.allocation.controls_yaw);
    EXPECT_TRUE(f.allocation.controls_tilt);
    const Wrench hover{{0.0, 0.0, 0.5 * f.allocation.hover_yaw_nm}, f.model.hover_thrust_n};
    expect_equal(f.give(hover), hover, f.model.hover_thrust_n);
  }
}

TEST(Allocation, HexaGivesYawUpAndKeepsTheRest) {
  const Frame whole(hexa_like());
  for (int i = 0; i < 6; ++i) {
    Frame f(hexa_like(), 1U << i);
    EXPECT_FALSE(f.allocation.controls_yaw);
    EXPECT_TRUE(f.allocation.controls_tilt);
    for (const double s : {-0.3, 0.3}) {
      const Vec3 tilt = s * whole.allocation.hover_tilt_nm;
      const Wrench given = f.give({{tilt.x, tilt.y, 0.0}, f.model.hover_thrust_n});
      EXPECT_NEAR(given.torque_B_nm.x, tilt.x, 1e-3);
      EXPECT_NEAR(given.torque_B_nm.y, tilt.y, 1e-3);
      EXPECT_NEAR(given.lift_n, f.model.hover_thrust_n, 1e-2);
    }
    // A hover alone keeps yaw close to balance: the opposite rotor idles.
    const Wrench hover = f.give({{}, f.model.hover_thrust_n});
    EXPECT_LT(math::abs(hover.torque_B_nm.z), 0.1 * whole.allocation.hover_yaw_nm);
  }
}

TEST(Allocation, QuadWithoutARotorCannotHover) {
  for (int i = 0; i < 4; ++i) {
    const Frame f(iris_parameters(), 1U << i);
    EXPECT_FALSE(f.allocation.controls_tilt);
    EXPECT_FALSE(f.allocation.controls_yaw);
  }
}

}  // namespace
}  // namespace tactus
