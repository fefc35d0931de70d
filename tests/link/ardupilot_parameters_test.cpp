// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is sent to ArduPilot, judged by the plant: ArduCopter's mixer and rate controller are
// written down here from their description, fed with the emitted values, and fly the aircraft.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/autopilot/airframe/thrust_curve.h"
#include "tactus/core/error.h"
#include "tactus/link/ardupilot/ardupilot_frame.h"
#include "tactus/link/ardupilot/ardupilot_parameters.h"
#include "tests/support/external_bench.h"
#include "tests/support/hover.h"

namespace tactus {
namespace {

using testing::value_of;

constexpr EmittedFor kFlight{.autopilot_period = DurationUs(1000),
                             .gps_delay = DurationUs(120'000)};
constexpr std::uint64_t kLoop_us = 2500;
constexpr double kLoop_s = 0.0025;

double density_ratio(const Multirotor& vehicle) {
  return air_density_at(vehicle.world, Vec3{}) / 1.225;
}

/// Thrust 0 to 1 of a motor to a command, as ArduPilot's thrust curve and PWM range do it.
class ThrustToCommand {
 public:
  explicit ThrustToCommand(const std::vector<EmittedParameter>& list)
      : expo_(value_of(list, "MOT_THST_EXPO")),
        lowest_(value_of(list, "MOT_SPIN_MIN")),
        highest_(value_of(list, "MOT_SPIN_MAX")) {}

  double operator()(double thrust) const {
    const double t = std::fmin(1.0, std::fmax(0.0, thrust));
    const double linear = 1.0 - expo_;
    const double ratio =
        expo_ == 0.0 ? t : (std::sqrt(linear * linear + 4.0 * expo_ * t) - linear) / (2.0 * expo_);
    return lowest_ + (highest_ - lowest_) * ratio;
  }

 private:
  double expo_, lowest_, highest_;
};

/// Angle P, rate PID with ArduPilot's filters, mixer and thrust curve: emitted values, otherwise
/// ArduPilot's defaults.
class ArdupilotModel {
 public:
  ArdupilotModel(const Multirotor& vehicle, const std::vector<EmittedParameter>& list)
      : to_command_(list),
        match_(match_frame(vehicle)),
        mix_(ardupilot_mix(*match_.frame)),
        hover_(value_of(list, "MOT_THST_HOVER")),
        compensation_(1.0 / density_ratio(vehicle)) {
    const char* const names[] = {"RLL", "PIT", "YAW"};
    for (int k = 0; k < 3; ++k) {
      p_[k] = value_of(list, fmt::format("ATC_RAT_{}_P", names[k]));
      i_[k] = value_of(list, fmt::format("ATC_RAT_{}_I", names[k]));
      d_[k] = value_of(list, fmt::format("ATC_RAT_{}_D", names[k]));
    }
    angle_p_[2] = value_of(list, "ATC_ANG_YAW_P");
  }

  void operator()(const testing::Euler& euler, const double* wanted, double* command) {
    double demand[3];
    for (int k = 0; k < 3; ++k) {
      const double rate = gyro_[k].update(euler.rate[k]);
      const double target = target_[k].update(angle_p_[k] * (wanted[k] - euler.angle[k]));
      double error = target - rate;
      if (k == 2) error = yaw_error_.update(error);
      const double slope = slope_[k].update((error - last_[k]) / kLoop_s);
      last_[k] = error;
      integral_[k] = std::fmin(0.5, std::fmax(-0.5, integral_[k] + i_[k] * error * kLoop_s));
      demand[k] = compensation_ * (p_[k] * error + integral_[k] + d_[k] * slope);
    }
    mix(demand, command);
  }

 private:
  /// Yaw gets the room that tilt leaves.
  void mix(const double* demand, double* command) const {
    const int n = match_.frame->motor_count;
    double thrust[kMaxMotors] = {};
    double yaw_share = 1.0;
    for (int k = 0; k < n; ++k) {
      const double* row = mix_.tilt_and_yaw[k];
      thrust[k] =
          compensation_ * hover_ * mix_.throttle[k] + row[0] * demand[0] + row[1] * demand[1];
      const double yaw = row[2] * demand[2];
      const double room = std::fmax(0.0, yaw > 0.0 ? 1.0 - thrust[k] : thrust[k]);
      if (std::fabs(yaw) > room) yaw_share = std::fmin(yaw_share, room / std::fabs(yaw));
    }
    for (int k = 0; k < n; ++k) {
      const double mixed = thrust[k] + yaw_share * mix_.tilt_and_yaw[k][2] * demand[2];
      command[match_.rotor[static_cast<std::size_t>(k)]] = to_command_(mixed);
    }
  }

  ThrustToCommand to_command_;
  FrameMatch match_;
  ArdupilotMix mix_;
  double hover_, compensation_;
  double p_[3], i_[3], d_[3];
  double angle_p_[3] = {4.5, 4.5, 0.0};
  double integral_[3] = {};
  double last_[3] = {};
  testing::LowPass2 gyro_[3] = {{20.0, kLoop_s}, {20.0, kLoop_s}, {20.0, kLoop_s}};
  testing::LowPass1 target_[3] = {{20.0, kLoop_s}, {20.0, kLoop_s}, {20.0, kLoop_s}};
  testing::LowPass1 slope_[3] = {{20.0, kLoop_s}, {20.0, kLoop_s}, {20.0, kLoop_s}};
  testing::LowPass1 yaw_error_{2.5, kLoop_s};
};

class ArdupilotParametersOf : public ::testing::TestWithParam<const char*> {
 protected:
  MultirotorParameters p_ = testing::shipped(GetParam());
  Multirotor vehicle_ = make_multirotor(p_);
  std::vector<EmittedParameter> list_ = ardupilot_parameters(vehicle_, kFlight);
};

TEST_P(ArdupilotParametersOf, HoverThrottleCarriesTheWeight) {
  // In thin air ArduPilot raises the throttle by itself.
  const double thrust = value_of(list_, "MOT_THST_HOVER") / density_ratio(vehicle_);
  const double command = ThrustToCommand(list_)(thrust);
  const MultirotorOutputs out = testing::on_thrust_stand(p_, testing::command_all(command));
  double lift = 0.0;
  for (int i = 0; i < p_.rotor_count; ++i) lift += out.thrust_n[i];
  const double weight = p_.body.mass_kg * gravity_at(vehicle_.world, Vec3{}).z;
  EXPECT_NEAR(lift / weight, 1.0, 1e-4);
}

TEST_P(ArdupilotParametersOf, IdlesTurnTheMotorsButDoNotLift) {
  const double arm = value_of(list_, "MOT_SPIN_ARM");
  EXPECT_LT(arm, value_of(list_, "MOT_SPIN_MIN"));
  EXPECT_LE(value_of(list_, "MOT_SPIN_MIN"), 0.25);
  const MultirotorOutputs idle = testing::on_thrust_stand(p_, testing::command_all(arm));
  const MultirotorOutputs full = testing::on_thrust_stand(p_, testing::command_all(1.0));
  EXPECT_GT(idle.thrust_n[0], 0.0);
  EXPECT_LT(idle.thrust_n[0], 0.02 * full.thrust_n[0]);
}

TEST_P(ArdupilotParametersOf, MotorsStandWhereTheFrameHasThem) {
  const FrameMatch match = match_frame(vehicle_);
  const std::vector<int> order = ardupilot_motor_order(vehicle_);
  EXPECT_EQ(match.rotor, order);
  EXPECT_EQ(value_of(list_, "FRAME_CLASS"), match.frame->frame_class);
  EXPECT_EQ(value_of(list_, "FRAME_TYPE"), match.frame->frame_type);
  ASSERT_EQ(order.size(), static_cast<std::size_t>(p_.rotor_count));
  for (std::size_t k = 0; k < order.size(); ++k) {
    const RotorParameters& rotor = p_.rotor[order[k]];
    const double angle = match.frame->motor[k].angle_deg * math::kDegToRad;
    const Vec3 arm{std::cos(angle), std::sin(angle), 0.0};
    const double along = dot(arm, rotor.position_B_m) / norm(rotor.position_B_m);
    EXPECT_GT(along, std::cos(30.0 * math::kDegToRad)) << k;
    EXPECT_EQ(match.frame->motor[k].yaw, rotor.reaction_sign) << k;
  }
}

TEST_P(ArdupilotParametersOf, AttitudeStepsAreWellDamped) {
  const double speed = hover_rotors(vehicle_).speed_rad_s[0];
  for (const auto& [axis, degrees] : {std::pair{0, 10.0}, {1, 10.0}, {2, 45.0}}) {
    ArdupilotModel model(vehicle_, list_);
    const testing::StepResponse response = testing::attitude_step(
        p_, kLoop_us, speed, axis, degrees * math::kDegToRad, std::ref(model));
    EXPECT_LT(response.overshoot, 0.25) << "axis " << axis;
    EXPECT_LT(response.settled_s, 3.0) << "axis " << axis;
    RecordProperty(fmt::format("axis_{}", axis),
                   fmt::format("overshoot {:.3f}, settled {:.2f} s, coupling {:.3f}",
                               response.overshoot, response.settled_s, response.coupling));
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, ArdupilotParametersOf,
                         ::testing::Values("iris", "iris_prior_art", "hexa", "racer", "heavy"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ArdupilotFrame, ShippedAircraftAreWhatTheyLookLike) {
  const auto frame = [](const char* name) {
    return std::string(match_frame(make_multirotor(testing::shipped(name))).frame->name);
  };
  EXPECT_EQ(frame("iris"), "quad X");
  EXPECT_EQ(frame("racer"), "quad X");
  EXPECT_EQ(frame("hexa"), "hexa X");
  EXPECT_EQ(frame("heavy"), "octaquad plus");  // four pairs, 45 degrees apart, turning apart
  const Multirotor hexa = make_multirotor(testing::shipped("hexa"));
  EXPECT_EQ(ardupilot_motor_order(hexa), (std::vector<int>{1, 4, 5, 2, 0, 3}));
}

/// Positions and senses, as ArduPilot's manual draws them, for frames we do not ship.
struct Layout {
  const char* name;
  int count;
  double first_deg;
  int first_sense;
  int frame_class;
  int frame_type;
};

TEST(ArdupilotFrame, RingsAreFound) {
  for (const Layout& layout :
       {Layout{"quad plus", 4, 0.0, -1, 1, 0}, Layout{"quad plus reversed", 4, 0.0, 1, 1, 6},
        Layout{"quad H", 4, 45.0, -1, 1, 3}, Layout{"hexa plus", 6, 0.0, -1, 2, 0},
        Layout{"octa plus", 8, 0.0, -1, 3, 0}, Layout{"octa X", 8, 22.5, -1, 3, 1},
        Layout{"octa X clockwise", 8, 22.5, 1, 3, 14}, Layout{"deca X", 10, 18.0, 1, 14, 1}}) {
    MultirotorParameters p = testing::shipped("iris");
    p.rotor_count = layout.count;
    p.power.motor_count = layout.count;
    for (int i = 0; i < layout.count; ++i) {
      const double angle = (layout.first_deg + 360.0 * i / layout.count) * math::kDegToRad;
      p.rotor[i] = p.rotor[0];
      p.rotor[i].position_B_m = {0.4 * std::cos(angle), 0.4 * std::sin(angle), 0.0};
      p.rotor[i].reaction_sign = i % 2 == 0 ? layout.first_sense : -layout.first_sense;
    }
    const FrameMatch match = match_frame(make_multirotor(p));
    EXPECT_STREQ(match.frame->name, layout.name);
    EXPECT_EQ(match.frame->frame_class, layout.frame_class);
    EXPECT_EQ(match.frame->frame_type, layout.frame_type);
    EXPECT_LT(match.largest_error_deg, 1e-6);
  }
}

TEST(ArdupilotFrame, MixIsThatOfTheManual) {
  const FrameMatch iris = match_frame(make_multirotor(testing::shipped("iris")));
  const ArdupilotMix quad = ardupilot_mix(*iris.frame);
  const double quad_x[4][3] = {
      {-0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0.5, 0.5, -0.5}, {-0.5, -0.5, -0.5}};
  const FrameMatch six = match_frame(make_multirotor(testing::shipped("hexa")));
  const ArdupilotMix hexa = ardupilot_mix(*six.frame);
  const double hexa_x[6][3] = {{-0.5, 0.0, -0.5},  {0.5, 0.0, 0.5},   {0.25, 0.5, -0.5},
                               {-0.25, -0.5, 0.5}, {-0.25, 0.5, 0.5}, {0.25, -0.5, -0.5}};
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(quad.tilt_and_yaw[k][axis], quad_x[k][axis], 1e-12);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(hexa.tilt_and_yaw[k][axis], hexa_x[k][axis], 1e-12);
  }
}

std::string refusal(const MultirotorParameters& p) {
  try {
    ardupilot_motor_order(make_multirotor(p));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "none";
}

TEST(ArdupilotFrame, RefusesWhatArdupilotDoesNotKnow) {
  const std::string octa = refusal(testing::shipped("octa"));
  EXPECT_NE(octa.find("ArduPilot's octa plus, but turn another way"), std::string::npos) << octa;
  EXPECT_NE(octa.find("reaction_sign = -1, +1, -1, +1, -1, +1, -1, +1"), std::string::npos) << octa;
  MultirotorParameters tri = testing::shipped("iris");
  tri.rotor_count = 3;
  tri.power.motor_count = 3;
  EXPECT_NE(refusal(tri).find("the 3 rotors form no frame"), std::string::npos);
}

TEST(ArdupilotParameters, LoopRateFollowsTheImu) {
  const Multirotor iris = make_multirotor(testing::shipped("iris"));
  const auto with_period = [&](std::uint64_t us) {
    return ardupilot_parameters(iris,
                                {.autopilot_period = DurationUs(us), .gps_delay = DurationUs(0)});
  };
  EXPECT_FALSE(testing::has(with_period(1000), "SCHED_LOOP_RATE"));
  EXPECT_EQ(value_of(with_period(1400), "SCHED_LOOP_RATE"), 300.0);
  EXPECT_EQ(value_of(with_period(2500), "SCHED_LOOP_RATE"), 200.0);
  EXPECT_EQ(value_of(with_period(4000), "SCHED_LOOP_RATE"), 100.0);
  EXPECT_THROW(with_period(20'000), Error);
}

TEST(ArdupilotParameters, BatteryAndGpsAreThoseOfTheAircraft) {
  const auto list = ardupilot_parameters(make_multirotor(testing::shipped("heavy")), kFlight);
  EXPECT_EQ(value_of(list, "BATT_CAPACITY"), 44000.0);  // two packs of 22 Ah
  EXPECT_EQ(value_of(list, "BATT_LOW_MAH"), 8800.0);
  EXPECT_EQ(value_of(list, "SIM_GPS1_LAG_MS"), 120.0);
  for (const EmittedParameter& parameter : list) {
    EXPECT_LE(parameter.name.size(), 16u) << parameter.name;
    EXPECT_TRUE(std::isfinite(parameter.value)) << parameter.name;
    EXPECT_FALSE(parameter.sitl_only) << parameter.name;
  }
}

}  // namespace
}  // namespace tactus
