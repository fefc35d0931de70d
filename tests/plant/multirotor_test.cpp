// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of the coupled plant: balance of power, momentum, symmetry, signs, faults.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_system.h"
#include "tests/support/hover.h"
#include "tests/support/plant.h"
#include "tests/support/prior_art.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::command_all;

/// Every part at once: tilted rotors, full inertia, three packs on two buses, two RC pairs,
/// avionics, lagged actuators, servos, gear, braking motors, both drags.
MultirotorParameters everything() {
  MultirotorParameters p = iris_parameters();
  p.rotor_count = 6;
  p.power.motor_count = 6;
  for (int i = 0; i < 6; ++i) {
    p.rotor[i] = p.rotor[0];
    const double angle = M_PI / 3.0 * i;
    p.rotor[i].position_B_m = {0.3 * std::cos(angle), 0.3 * std::sin(angle), -0.02 * i};
    const Vec3 axis{0.2 * std::sin(angle), -0.2 * std::cos(angle), 1.0};
    p.rotor[i].axis_B = axis / norm(axis);
    p.rotor[i].reaction_sign = i % 2 == 0 ? 1 : -1;
    p.rotor[i].motor.mode = i % 3 == 0 ? MotorMode::kDamped : MotorMode::kDrive;
  }
  p.body.inertia_kg_m2 = {{{0.03, 0.002, -0.001}, {0.002, 0.04, 0.003}, {-0.001, 0.003, 0.06}}};
  p.body.linear_drag_n_s_m = 0.1;
  p.body.drag_area_m2 = {0.01, 0.012, 0.03};
  p.body.angular_damping_nm_s = {0.01, 0.02, 0.005};
  p.power.bus_count = 2;
  p.power.pack_count = 3;
  for (int j = 1; j < 3; ++j) p.power.pack[j] = p.power.pack[0];
  p.power.pack[1].r0_ohm *= 2.0;
  p.power.pack[2].rc_count = 2;
  p.power.pack[2].rc[1] = {0.004, 300.0};
  p.power.pack_bus[2] = 1;
  p.power.bus[1] = p.power.bus[0];
  p.power.bus[0].avionics_power_w = 12.0;
  p.power.bus[1].avionics_power_w = 4.0;
  for (int i = 3; i < 6; ++i) p.power.motor_bus[i] = 1;
  p.servo_count = 2;
  p.servo_actuator.kind = ActuatorKind::kSecondOrder;
  p.motor_actuator.kind = ActuatorKind::kFirstOrder;
  p.ledger = true;
  return p;
}

World normal_gravity() { return make_world({.gravity = {.kind = GravityKind::kWgs84}}); }

struct Point {
  Multirotor vehicle;
  MultirotorModes modes;
  MultirotorInput input;
  MultirotorState state;
  double dx[kMultirotorCapacity] = {};
  MultirotorOutputs out;
  MultirotorEnergy energy{};

  void evaluate_here() {
    ASSERT_EQ(
        evaluate(RunTimeShape{&vehicle}, vehicle, modes, input, 0.0, state.x, dx, &out, &energy),
        Status::kOk);
  }
};

/// Sources minus losses minus storage, relative to the power that moves.
double power_residual(const MultirotorEnergy& energy) {
  const auto flow = [&](LedgerEntry e) { return energy.flow_w[static_cast<int>(e)]; };
  const double sources = flow(LedgerEntry::kChemical) + flow(LedgerEntry::kRotorAir) +
                         flow(LedgerEntry::kDragAir) + flow(LedgerEntry::kContact) +
                         flow(LedgerEntry::kGravity);
  const double losses = flow(LedgerEntry::kPackLoss) + flow(LedgerEntry::kEscLoss) +
                        flow(LedgerEntry::kCopperLoss) + flow(LedgerEntry::kFrictionLoss) +
                        flow(LedgerEntry::kAvionics);
  double gross = std::fabs(energy.storing_w);
  for (const double w : energy.flow_w) gross += std::fabs(w);
  return std::fabs(sources - losses - energy.storing_w) / gross;
}

TEST(Multirotor, PowerBalancesInEveryRightHandSide) {
  std::mt19937_64 engine{11};
  for (const MultirotorParameters& p :
       {everything(), iris_parameters(), testing::prior_art_iris(), testing::prior_art_octa()}) {
    Point point{make_multirotor(p), {}, {}, {}, {}, {}};
    double worst = 0.0;
    for (long i = 0; i < testing::scaled(40000); ++i) {
      point.state = testing::random_state(point.vehicle, engine);
      point.input = testing::random_input(engine);
      if (i % 5 == 0) point.input.pack[0].voltage_offset_v = -0.4;
      if (i % 7 == 0) point.input.motor_off_mask = 2;
      point.modes.rotor_stopped = i % 4 == 0 ? 1U : 0U;
      if (point.modes.rotor_stopped != 0) point.state.x[point.vehicle.layout.rotor_speed] = 0.0;
      point.evaluate_here();
      worst = std::fmax(worst, power_residual(point.energy));
      for (const LedgerEntry loss : {LedgerEntry::kPackLoss, LedgerEntry::kEscLoss,
                                     LedgerEntry::kCopperLoss, LedgerEntry::kFrictionLoss}) {
        if (i % 5 == 0 && loss == LedgerEntry::kPackLoss) continue;  // a fault may charge the pack
        ASSERT_GE(point.energy.flow_w[static_cast<int>(loss)], 0.0);
      }
    }
    EXPECT_LT(worst, 1e-12);
  }
}

/// Level within 0.1 rad, lowest foot within 5 mm of the ground, moving mostly sideways.
MultirotorState random_touch(const Multirotor& vehicle, std::mt19937_64& engine) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const MultirotorLayout& at = vehicle.layout;
  MultirotorState s = testing::random_state(vehicle, engine);
  const Quat q = from_euler({number(-0.1, 0.1), number(-0.1, 0.1), number(-3.0, 3.0)});
  store(s.x + at.attitude, q);
  store(s.x + at.velocity, Vec3{number(-3, 3), number(-3, 3), number(-0.3, 0.3)});
  double lowest = 1e9;
  for (int k = 0; k < vehicle.counts.gear_points; ++k) {
    const Vec3 foot_W = load_vec3(s.x + at.position) + rotate(q, vehicle.gear.position_B_m[k]);
    lowest = std::fmin(lowest, height_m(vehicle.world, foot_W));
  }
  s.x[at.position + 2] += lowest - number(-0.005, 0.005);
  return s;
}

TEST(Multirotor, PowerBalancesWhileTheFeetSlideOnTheGround) {
  std::mt19937_64 engine{12};
  for (const MultirotorParameters& p : {everything(), iris_parameters()}) {
    Point point{make_multirotor(p, normal_gravity()), {}, {}, {}, {}, {}};
    point.modes.gear_touching = ~0U;
    double worst = 0.0;
    long touching = 0, braking = 0;
    const long count = testing::scaled(40000);
    for (long i = 0; i < count; ++i) {
      point.state = random_touch(point.vehicle, engine);
      point.input = testing::random_input(engine);
      point.evaluate_here();
      worst = std::fmax(worst, power_residual(point.energy));
      const double contact_w = point.energy.flow_w[static_cast<int>(LedgerEntry::kContact)];
      touching += contact_w != 0.0 ? 1 : 0;
      braking += contact_w < 0.0 ? 1 : 0;
    }
    EXPECT_LT(worst, 1e-12);
    EXPECT_GT(touching, count / 3);
    EXPECT_GT(braking, count / 6);
  }
}

TEST(Multirotor, SymmetricQuadHasNoMomentAndNoSideForce) {
  Point point{make_multirotor(testing::prior_art_iris()), {}, {}, {}, {}, {}};
  MultirotorParameters p = testing::prior_art_iris();
  const double arm = 0.2;
  const Vec3 corners[4] = {{arm, arm, 0}, {-arm, -arm, 0}, {arm, -arm, 0}, {-arm, arm, 0}};
  for (int i = 0; i < 4; ++i) p.rotor[i].position_B_m = corners[i];
  point.vehicle = make_multirotor(p);
  point.state = point.vehicle.initial;
  point.input = command_all(0.6);
  for (int i = 0; i < 4; ++i) point.state.x[point.vehicle.layout.rotor_speed + i] = 220.0;
  point.evaluate_here();
  const Vec3 moment = p.body.inertia_kg_m2 * point.out.angular_acceleration_B_rad_s2;
  const double thrust = 4.0 * point.out.thrust_n[0];
  EXPECT_LE(std::fabs(moment.x), 1e-15 * thrust * arm);
  EXPECT_LE(std::fabs(moment.y), 1e-15 * thrust * arm);
  EXPECT_LE(std::fabs(moment.z), 1e-15 * thrust * arm);
  EXPECT_EQ(point.out.acceleration_W_m_s2.x, 0.0);
  EXPECT_EQ(point.out.acceleration_W_m_s2.y, 0.0);
}

/// Commands at which every motor carries the air torque and the friction of its rotor.
void drive_steadily(Point& point) {
  for (int pass = 0; pass < 50; ++pass) {  // the bus voltage sags with the commands: iterate
    point.evaluate_here();
    for (int i = 0; i < point.vehicle.counts.rotors; ++i) {
      const Motor& motor = point.vehicle.rotor[i].motor;
      const double speed = point.state.x[point.vehicle.layout.rotor_speed + i];
      const double torque = point.out.rotor_torque_nm[i] + motor.coulomb_torque_nm +
                            motor.viscous_friction_nm_s * speed;
      const double volts = motor.torque_constant_nm_a * speed +
                           motor.resistance_ohm * torque / motor.torque_constant_nm_a;
      point.input.motor_command[i] = volts / point.out.power.bus_v[0];
    }
  }
  point.evaluate_here();
}

TEST(Multirotor, YawRollAndPitchFollowTheirSigns) {
  Point point{make_multirotor(testing::prior_art_iris()), {}, {}, {}, {}, {}};
  point.state = point.vehicle.initial;
  const auto accelerate = [&](std::initializer_list<int> faster) {
    for (int i = 0; i < 4; ++i) point.state.x[point.vehicle.layout.rotor_speed + i] = 200.0;
    for (const int i : faster) point.state.x[point.vehicle.layout.rotor_speed + i] = 230.0;
    point.input = command_all(0.5);
    drive_steadily(point);
    const Vec3 wdot = point.out.angular_acceleration_B_rad_s2;
    for (int i = 0; i < 4; ++i) {  // steady in space: what is left is the turning of the airframe
      EXPECT_NEAR(point.dx[point.vehicle.layout.rotor_speed + i],
                  -point.vehicle.rotor[i].spin * wdot.z, 1e-6);
    }
    return wdot;
  };
  EXPECT_GT(accelerate({0, 1}).z, 0.1);  // positive reaction sign turns the nose right
  EXPECT_LT(accelerate({2, 3}).z, -0.1);
  EXPECT_GT(accelerate({2, 1}).x, 0.1);  // left rotors (y < 0) faster: roll right
  EXPECT_LT(accelerate({0, 3}).x, -0.1);
  EXPECT_GT(accelerate({0, 2}).y, 0.1);  // front rotors faster: nose up
  EXPECT_LT(accelerate({1, 3}).y, -0.1);
}

TEST(Multirotor, FasterRotorYawsTheBodyByItsSpinUpReaction) {
  // With the air removed only the motors act: what the rotor gains, the body loses.
  Point point{make_multirotor(testing::prior_art_iris()), {}, {}, {}, {}, {}};
  for (int i = 0; i < 4; ++i) point.vehicle.rotor[i].propeller.torque_constant_m5 = 0.0;
  for (int i = 0; i < 4; ++i) point.vehicle.rotor[i].propeller.thrust_constant_m4 = 0.0;
  point.state = point.vehicle.initial;
  for (int i = 0; i < 4; ++i) point.state.x[point.vehicle.layout.rotor_speed + i] = 100.0;
  point.input.motor_command[0] = point.input.motor_command[1] = 0.8;
  point.evaluate_here();
  const Vec3 wdot = point.out.angular_acceleration_B_rad_s2;
  EXPECT_GT(wdot.z, 0.0);
  double rotor_momentum_rate = 0.0;
  for (int i = 0; i < 4; ++i) {
    const Rotor& r = point.vehicle.rotor[i];
    rotor_momentum_rate +=
        r.motor.rotor_inertia_kg_m2 * r.spin * point.dx[point.vehicle.layout.rotor_speed + i];
  }
  const Vec3 body_rate = point.vehicle.body.inertia_kg_m2 * wdot;
  EXPECT_NEAR(body_rate.z + rotor_momentum_rate, 0.0, 1e-12 * body_rate.z);
}

TEST(Multirotor, JamHandsTheMomentumToTheBody) {
  std::mt19937_64 engine{5};
  const Multirotor vehicle = make_multirotor(everything(), normal_gravity());
  for (int trial = 0; trial < 200; ++trial) {
    MultirotorState s = testing::random_state(vehicle, engine);
    MultirotorModes modes;
    const Vec3 before = angular_momentum_B(vehicle, s.x);
    const double energy = stored_energy_j(vehicle, s.x);
    jam_rotor(vehicle, trial % 6, s.x, modes);
    const Vec3 after = angular_momentum_B(vehicle, s.x);
    EXPECT_LT(norm(after - before), 1e-12 * norm(before));
    EXPECT_EQ(s.x[vehicle.layout.rotor_speed + trial % 6], 0.0);
    EXPECT_LT(stored_energy_j(vehicle, s.x), energy);  // a jam is inelastic
    EXPECT_TRUE(has_bit(modes.rotor_jammed, trial % 6));
  }
}

TEST(Multirotor, TorqueFreeFlightConservesAngularMomentumWithSpinningRotors) {
  // No air, no gravity, motors off and frictionless: L in world axes and energy stay.
  MultirotorParameters p = everything();
  p.body.linear_drag_n_s_m = 0.0;
  p.body.drag_area_m2 = {};
  p.body.angular_damping_nm_s = {};
  p.gear.count = 0;
  p.motor_actuator.kind = ActuatorKind::kDirect;
  for (int i = 0; i < 6; ++i) {
    p.rotor[i].motor.no_load_current_a = 0.0;
    p.rotor[i].motor.viscous_friction_nm_s = 0.0;
    p.rotor[i].propeller.kind = PropellerKind::kQuadratic;
  }
  Multirotor vehicle = make_multirotor(p);
  for (Rotor& r : vehicle.rotor) {
    r.propeller.thrust_constant_m4 = r.propeller.torque_constant_m5 = 0.0;
  }
  std::mt19937_64 engine{3};
  MultirotorState s = testing::random_state(vehicle, engine);
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < vehicle.counts.rc_pairs; ++k) {
      s.x[vehicle.layout.rc_voltage + j * vehicle.counts.rc_pairs + k] = 0.0;
    }
  }
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, s);
  flight.modes = {};
  const auto momentum_W = [&] {
    return rotate(load_quat(flight.state.x + vehicle.layout.attitude),
                  angular_momentum_B(vehicle, flight.state.x));
  };
  const Vec3 before = momentum_W();
  SolverConfig config;
  config.method = Method::kRk45;
  config.rate = {1e-12, 1e-12};
  config.attitude_atol_rad = 1e-12;
  config.rotor = {1e-12, 1e-12};
  fly(vehicle, config, input, TimeUs(5'000'000), flight);
  EXPECT_LT(norm(momentum_W() - before), 1e-9 * norm(before));
}

TEST(Multirotor, SpecificForceIsAccelerationMinusGravity) {
  std::mt19937_64 engine{9};
  Point point{make_multirotor(everything(), normal_gravity()), {}, {}, {}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    point.state = testing::random_state(point.vehicle, engine);
    point.input = testing::random_input(engine);
    point.evaluate_here();
    const Quat q = load_quat(point.state.x + point.vehicle.layout.attitude);
    const Vec3 g_W = gravity_at(point.vehicle.world, load_vec3(point.state.x));
    const Vec3 expected = rotate_inverse(q, point.out.acceleration_W_m_s2 - g_W);
    EXPECT_LT(norm(expected - point.out.specific_force_B_m_s2), 1e-12 * (1.0 + norm(expected)));
  }
}

TEST(Multirotor, FreeFallFollowsGalileo) {
  MultirotorParameters p = testing::prior_art_iris();
  p.body.linear_drag_n_s_m = 0.0;
  const Multirotor vehicle = make_multirotor(p);
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, vehicle.initial);
  SolverConfig config;
  config.step_us = 10'000;
  fly(vehicle, config, input, TimeUs(1'000'000), flight);
  EXPECT_NEAR(flight.state.x[5], 9.80665, 1e-12);
  EXPECT_NEAR(flight.state.x[2], 0.5 * 9.80665, 1e-12);
}

TEST(Multirotor, HoverStaysPut) {
  const Multirotor vehicle = make_multirotor(testing::prior_art_iris());
  const testing::OperatingPoint hover = testing::hover_point(vehicle, 0.0);
  MultirotorFlight flight;
  flight.state = hover.state;
  const MultirotorInput input = command_all(hover.command);
  SolverConfig config;
  config.step_us = 1000;
  fly(vehicle, config, input, TimeUs(100'000), flight);
  EXPECT_NEAR(flight.state.x[0], 0.0, 1e-9);
  EXPECT_NEAR(flight.state.x[1], 0.0, 1e-9);
  EXPECT_NEAR(flight.state.x[2], 0.0, 1e-4);  // the pack sags a little in a tenth of a second
}

/// Some entries zero, of either sign: there a product left out could show.
void put_zeros(std::mt19937_64& engine, double* values, int count) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t choice = engine() % 4;
    if (choice < 2) values[i] = choice == 0 ? 0.0 : -0.0;
  }
}

template <class Shape>
void expect_the_same_bits(const Multirotor& vehicle) {
  ASSERT_TRUE(Shape::fits(vehicle));
  std::mt19937_64 engine{2};
  for (int trial = 0; trial < 2000; ++trial) {
    MultirotorState s = testing::random_state(vehicle, engine);
    MultirotorInput input = testing::random_input(engine);
    MultirotorModes modes;
    if (trial % 4 == 1) modes.rotor_stopped = 5;
    if (trial % 4 >= 2) {
      put_zeros(engine, s.x + vehicle.layout.velocity, 3);
      put_zeros(engine, s.x + vehicle.layout.rate, 3);
      put_zeros(engine, s.x + vehicle.layout.rotor_speed, vehicle.counts.rotors);
    }
    if (trial % 8 >= 6) {
      input.wind_W_m_s = {};
      input.wind_slope_W_m_s2 = {};
    }
    double a[kMultirotorCapacity], b[kMultirotorCapacity];
    evaluate(RunTimeShape{&vehicle}, vehicle, modes, input, 0.0, s.x, a, nullptr);
    evaluate(Shape{&vehicle}, vehicle, modes, input, 0.0, s.x, b, nullptr);
    for (int i = 0; i < vehicle.layout.size; ++i) {
      ASSERT_EQ(math::to_bits(a[i]), math::to_bits(b[i])) << trial << ' ' << i << ' ' << a[i];
    }
  }
}

TEST(Multirotor, ShapesKnownToTheCompilerGiveTheSameBits) {
  constexpr MultirotorCounts kQuad{.rotors = 4, .gear_points = 4};
  constexpr PropellerKind kQuadratic = PropellerKind::kQuadratic;
  constexpr PropellerKind kBlades = PropellerKind::kBladeElement;
  MultirotorParameters p = iris_parameters();
  const Multirotor blades = make_multirotor(p);
  expect_the_same_bits<FixedShape<kQuad, RotorModels{.propeller = kBlades}>>(blades);
  expect_the_same_bits<FixedShape<kQuad, RotorModels{.propeller = kBlades, .upright = true}>>(
      blades);
  for (int i = 0; i < p.rotor_count; ++i) p.rotor[i].propeller.kind = kQuadratic;
  const Multirotor quadratic = make_multirotor(p);
  expect_the_same_bits<FixedShape<kQuad>>(quadratic);
  expect_the_same_bits<FixedShape<kQuad, RotorModels{.upright = true}>>(quadratic);
  // Where no other spin takes the signs of zeros away.
  for (int i = 0; i < p.rotor_count; ++i) p.rotor[i].reaction_sign = 1;
  expect_the_same_bits<FixedShape<kQuad, RotorModels{.upright = true}>>(make_multirotor(p));
  p.rotor[2].axis_B = {0.1, 0.0, 0.9949874371066199};
  using Upright = FixedShape<kQuad, RotorModels{.upright = true}>;
  EXPECT_FALSE(Upright::fits(make_multirotor(p)));
}

TEST(Multirotor, AKnownCircuitGivesTheSameBits) {
  MultirotorParameters p = iris_parameters();
  p.power.bus[0].avionics_power_w = 12.0;
  const Multirotor vehicle = make_multirotor(p);
  std::mt19937_64 engine{5};
  for (int trial = 0; trial < 500; ++trial) {
    const MultirotorState s = testing::random_state(vehicle, engine);
    const MultirotorInput input = testing::random_input(engine);
    MultirotorModes modes;
    if (trial % 5 == 1) modes.rotor_jammed = 2;
    if (trial % 5 == 2) modes.bus_down = 1;
    if (trial % 5 == 3) modes.pack_empty = 1;
    const MultirotorSystem system = make_system(vehicle, modes, input);
    double a[kMultirotorCapacity], b[kMultirotorCapacity];
    double guards_a[MultirotorSystem::kGuardCapacity], guards_b[MultirotorSystem::kGuardCapacity];
    MultirotorOutputs out_a, out_b;
    detail::Electrical circuit;
    const Status status = system.outputs(0.0, s.x, a, out_a, circuit, false);
    ASSERT_EQ(system.outputs(0.0, s.x, b, out_b, circuit, true), status);
    for (int i = 0; i < vehicle.layout.size; ++i) ASSERT_EQ(a[i], b[i]) << i;
    EXPECT_EQ(out_a.thrust_n[0], out_b.thrust_n[0]);
    EXPECT_EQ(out_a.power.load_current_a[0], out_b.power.load_current_a[0]);
    system.guards(0.0, s.x, guards_a);
    system.guards_with(circuit, s.x, guards_b);
    for (int k = 0; k < system.guard_count(); ++k) ASSERT_EQ(guards_a[k], guards_b[k]) << k;
  }
}

TEST(Multirotor, LostBladeAndMotorOffActOnTheirRotorOnly) {
  Point point{make_multirotor(testing::prior_art_iris()), {}, {}, {}, {}, {}};
  point.state = point.vehicle.initial;
  for (int i = 0; i < 4; ++i) point.state.x[point.vehicle.layout.rotor_speed + i] = 200.0;
  point.input = command_all(0.6);
  point.evaluate_here();
  const MultirotorOutputs whole = point.out;
  point.input.thrust_scale[2] = 0.5;
  point.input.motor_off_mask = 1;
  point.evaluate_here();
  EXPECT_EQ(point.out.thrust_n[2], 0.5 * whole.thrust_n[2]);
  EXPECT_EQ(point.out.thrust_n[1], whole.thrust_n[1]);
  EXPECT_EQ(point.out.motor_current_a[0], 0.0);
  EXPECT_LT(point.dx[point.vehicle.layout.rotor_speed], 0.0);  // the rotor slows
}

TEST(MultirotorParametersTest, ANonFiniteNumberAnywhereIsRefusedByName) {
  const MultirotorParameters good = iris_parameters();
  ASSERT_NO_THROW(make_multirotor(good));
  std::ptrdiff_t count = 0;
  for_each_leaf(good, [&](const LeafPath&, const auto&) { ++count; });
  for (std::ptrdiff_t target = 0; target < count; ++target) {
    MultirotorParameters bad = good;
    std::ptrdiff_t position = 0;
    std::string name;
    for_each_leaf(bad, [&](const LeafPath& path, auto& value) {
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, double>) {
        if (position == target) {
          value = std::nan("");
          name = path.text();
        }
      }
      ++position;
    });
    if (name.empty()) continue;
    try {
      make_multirotor(bad);
      ADD_FAILURE() << name << " = NaN was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::kBadInput);
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << name << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace tactus
