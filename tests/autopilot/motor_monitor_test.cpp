// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/motor_monitor.h"

#include <gtest/gtest.h>

#include "tactus/core/random.h"
#include "tests/support/controlled_flight.h"

namespace tactus {
namespace {

using testing::ControlledFlight;

FlightSetpoint hover() {
  FlightSetpoint setpoint;
  setpoint.position_W_m = {0.0, 0.0, -20.0};
  return setpoint;
}

/// Hovers, breaks something, hovers on.
template <class Break>
ControlledFlight fly_with_fault(const MultirotorParameters& p, Break&& break_it) {
  ControlledFlight f(p);
  f.follow(hover(), 2.0);
  break_it(f);
  f.follow(hover(), 6.0);
  return f;
}

TEST(MotorMonitor, FindsAMotorWithoutDriveSoon) {
  for (const MultirotorParameters& p :
       {testing::hexa_like(), testing::octa_like(), testing::heavy_like()}) {
    for (int i = 0; i < p.rotor_count; ++i) {
      const ControlledFlight f = fly_with_fault(
          p, [i](ControlledFlight& flight) { flight.input.motor_off_mask = 1U << i; });
      EXPECT_EQ(f.control.motor_lost_mask(), 1U << i);
      EXPECT_EQ(f.status.motor_lost_mask, 1U << i);
      EXPECT_GE(to_seconds(f.control.motor_lost_at()), 2.1);
      EXPECT_LT(to_seconds(f.control.motor_lost_at()), 2.3);
      EXPECT_EQ(f.command.motor[i], f.control.model().rotor[i].idle_command);
      EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.3);
    }
  }
}

TEST(MotorMonitor, OctaKeepsItsHeadingHexaGivesItUp) {
  const auto without_first = [](ControlledFlight& f) { f.input.motor_off_mask = 1; };
  const ControlledFlight octa = fly_with_fault(testing::octa_like(), without_first);
  EXPECT_TRUE(octa.control.yaw_controlled());
  EXPECT_NEAR(yaw_of(octa.attitude()), 0.0, 0.02);
  const ControlledFlight hexa = fly_with_fault(testing::hexa_like(), without_first);
  EXPECT_FALSE(hexa.control.yaw_controlled());
  EXPECT_LT(math::abs(hexa.estimate.rate_B_rad_s.z), 2.0);
}

TEST(MotorMonitor, FindsAJammedRotor) {
  const ControlledFlight f = fly_with_fault(testing::octa_like(), [](ControlledFlight& flight) {
    jam_rotor(flight.vehicle, 3, flight.flight.state.x, flight.flight.modes);
  });
  EXPECT_EQ(f.control.motor_lost_mask(), 8U);
  EXPECT_LT(to_seconds(f.control.motor_lost_at()), 2.2);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.3);
}

TEST(MotorMonitor, FindsAMotorStuckAtAHighDrive) {
  ControlledFlight f(testing::octa_like());
  f.follow(hover(), 2.0);
  for (int k = 0; k < 2000; ++k) {
    f.tick([&](const ControlInput& in) { f.control.step(in, hover(), f.command, f.status); },
           [&] { f.input.motor_command[2] = 0.8; });
  }
  EXPECT_EQ(f.control.motor_lost_mask(), 4U);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.5);
}

/// At full drive no multiple of the pseudo-inverse balances the others.
TEST(MotorMonitor, AnOctaHoldsItsPlaceWithAMotorStuckAtFullDrive) {
  ControlledFlight f(testing::octa_like());
  f.follow(hover(), 2.0);
  double worst = 0.0;
  for (int k = 0; k < 2000; ++k) {
    f.tick([&](const ControlInput& in) { f.control.step(in, hover(), f.command, f.status); },
           [&] { f.input.motor_command[2] = 1.0; });
    worst = math::max(worst, norm(f.position() - Vec3{0.0, 0.0, -20.0}));
  }
  EXPECT_EQ(f.control.motor_lost_mask(), 4U);
  EXPECT_LT(worst, 2.0);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.5);
}

TEST(MotorMonitor, AnIntermittentMotorComesBackLaterEachTime) {
  ControlledFlight f(testing::octa_like());
  f.follow(hover(), 2.0);
  double trusted_after_s = 0.0;
  for (int loss = 0; loss < 3; ++loss) {
    f.input.motor_off_mask = 2;
    f.follow(hover(), 1.0);
    ASSERT_EQ(f.control.motor_lost_mask(), 2U);
    f.input.motor_off_mask = 0;
    const TimeUs repaired = f.flight.now;
    TimeUs trusted;
    f.follow(hover(), 6.0, [&] {
      if (trusted == TimeUs{} && f.control.motor_lost_mask() == 0) trusted = f.flight.now;
    });
    ASSERT_EQ(f.control.motor_lost_mask(), 0U) << "and stays";
    EXPECT_GT(to_seconds(trusted - repaired), 1.8 * trusted_after_s);
    trusted_after_s = to_seconds(trusted - repaired);
    EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.1);
  }
  EXPECT_GT(trusted_after_s, 4.0);
}

/// A windmill turns without drawing current.
TEST(MotorMonitor, ARotorThatOnlyWindmillsStaysLost) {
  ControlledFlight f(testing::octa_like());
  f.follow(hover(), 2.0);
  f.input.motor_off_mask = 2;
  for (const double up_m_s : {0.0, 2.0, 4.0, 8.0}) {
    f.input.wind_W_m_s = {6.0, 0.0, -up_m_s};
    f.follow(hover(), 4.0);
    EXPECT_EQ(f.control.motor_lost_mask(), 2U) << up_m_s;
  }
}

/// Opens and closes every plug: the controllers are back `restart` after that.
void interrupt_supply(ControlledFlight& f, double seconds, double restart_s) {
  for (BatteryStatus& pack : f.battery) pack.connected = false;
  f.input.motor_off_mask = 0xfff;
  f.follow(hover(), seconds);
  for (BatteryStatus& pack : f.battery) pack.connected = true;
  f.follow(hover(), restart_s);
  f.input.motor_off_mask = 0;
}

TEST(MotorMonitor, ALoosePlugIsNotALostMotor) {
  for (const MultirotorParameters& p :
       {iris_parameters(), testing::hexa_like(), testing::octa_like()}) {
    for (const double seconds : {0.02, 0.1, 0.2}) {
      ControlledFlight f(p);
      FlightSetpoint away = hover();
      away.position_W_m.x = 3.0;
      f.follow(away, 0.6);  // tilted: commands differ
      interrupt_supply(f, seconds, 0.1);
      f.follow(hover(), 8.0, [&] { EXPECT_EQ(f.control.motor_lost_mask(), 0U); });
      EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.3);
    }
  }
}

TEST(MotorMonitor, ABusThatDiesTakesItsRotorsAndGivesThemBack) {
  ControlledFlight f(testing::heavy_like());
  std::uint32_t on_bus = 0;
  for (int i = 0; i < 8; ++i) on_bus |= f.vehicle.rotor[i].bus == 1 ? 1U << i : 0U;
  f.follow(hover(), 2.0);
  f.battery[1].connected = false;
  f.input.motor_off_mask = on_bus;
  f.follow(hover(), 0.3);
  EXPECT_EQ(f.control.motor_lost_mask(), on_bus);
  EXPECT_LT(to_seconds(f.control.motor_lost_at()), 2.15);
  f.follow(hover(), 5.0);
  EXPECT_EQ(f.control.motor_lost_mask(), on_bus);
  f.battery[1].connected = true;
  f.input.motor_off_mask = 0;
  f.follow(hover(), 6.0);
  EXPECT_EQ(f.control.motor_lost_mask(), 0U);
  EXPECT_LT(norm(f.position() - Vec3{0.0, 0.0, -20.0}), 0.2);
}

TEST(MotorMonitor, StaysQuietInRoughAir) {
  const RandomStream random(3, "motor_monitor_test");
  for (const MultirotorParameters& p :
       {iris_parameters(), testing::racer_like(), testing::heavy_like()}) {
    ControlledFlight f(p);
    FlightSetpoint setpoint = hover();
    for (std::uint64_t k = 0; k < 40; ++k) {
      const Vec3 gust = random.normal3(2 * k);
      f.input.wind_W_m_s = {5.0 * gust.x, 5.0 * gust.y, 2.0 * gust.z};
      const Vec3 place = random.normal3(2 * k + 1);
      setpoint.position_W_m = {10.0 * place.x, 10.0 * place.y, -30.0 + 5.0 * place.z};
      setpoint.yaw_rad = place.x;
      f.follow(setpoint, 1.0);
      ASSERT_EQ(f.control.motor_lost_mask(), 0U) << k;
    }
  }
}

TEST(MotorMonitor, NamesTheSupplyWhenMostAreSlow) {
  const AirframeModel model = make_airframe_model(make_multirotor(iris_parameters()));
  MotorMonitorState state;
  EscStatus esc[kMaxMotors];
  Command command;
  for (double& motor : command.motor) motor = 0.55;
  const SupplyView supply{model.nominal_bus_v, 0};
  std::uint64_t k = 0;
  const auto watch = [&](std::uint64_t ticks) {
    for (const std::uint64_t end = k + ticks; k < end; ++k) {
      monitor_motors(model, TimeUs(4'000 * k), DurationUs{4'000}, esc, command, supply, state);
    }
    return state.lost_mask;
  };
  EXPECT_EQ(watch(1300), 0U);
  // Two of them come back: the others are lost after all, once they had time to start.
  esc[1] = esc[2] = {model.hover_speed_rad_s, model.rotor[1].hover_current_a};
  EXPECT_EQ(watch(150), 0U);
  EXPECT_EQ(watch(450), 0b1001U);
}

TEST(MotorMonitor, PredictsTheSpeedOfTheRealMotor) {
  ControlledFlight f(iris_parameters(), 0.0);
  FlightSetpoint setpoint;
  setpoint.idle = true;
  f.follow(setpoint, 1.0);
  setpoint.idle = false;
  setpoint.velocity_W_m_s = {0.0, 0.0, -1.0};
  f.follow(setpoint, 3.0);
  const MotorMonitorState& monitor = f.control.state().monitor;
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(monitor.expected_rad_s[i], f.esc[i].speed_rad_s, 0.05 * f.esc[i].speed_rad_s);
  }
}

}  // namespace
}  // namespace tactus
