// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is sent to PX4, judged by the plant: PX4's allocator and rate controller are written down
// here from their description, fed with the emitted values alone, and fly the aircraft.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/autopilot/airframe/thrust_curve.h"
#include "tactus/core/error.h"
#include "tactus/link/px4/px4_parameters.h"
#include "tests/support/external_bench.h"
#include "tests/support/hover.h"

namespace tactus {
namespace {

using testing::value_of;

constexpr EmittedFor kFlight{.autopilot_period = DurationUs(4000),
                             .gps_delay = DurationUs(120'000)};
constexpr double kStep_s = 0.004;

using Matrix = std::vector<std::vector<double>>;

Matrix zeros(std::size_t rows, std::size_t columns) {
  return Matrix(rows, std::vector<double>(columns, 0.0));
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c = zeros(a.size(), b[0].size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < b[0].size(); ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

/// By the iteration of Ben-Israel and Cohen: X ← X (2 − B X).
Matrix pseudo_inverse(const Matrix& b) {
  double squares = 0.0;
  for (const auto& row : b) {
    for (const double entry : row) squares += entry * entry;
  }
  Matrix x = zeros(b[0].size(), b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b[0].size(); ++j) x[j][i] = b[i][j] / squares;
  }
  for (int round = 0; round < 100; ++round) {
    Matrix rest = product(b, x);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      for (std::size_t j = 0; j < rest.size(); ++j) rest[i][j] = (i == j ? 2.0 : 0.0) - rest[i][j];
    }
    x = product(x, rest);
  }
  return x;
}

/// PX4's allocator: controls of the motors per unit of roll, pitch, yaw, x, y, z.
Matrix px4_allocator(const std::vector<EmittedParameter>& list) {
  const auto n = static_cast<std::size_t>(value_of(list, "CA_ROTOR_COUNT"));
  Matrix b = zeros(6, n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto get = [&](const char* part) {
      return value_of(list, fmt::format("CA_ROTOR{}_{}", i, part));
    };
    const Vec3 r{get("PX"), get("PY"), get("PZ")};
    const Vec3 a{get("AX"), get("AY"), get("AZ")};
    const Vec3 m = get("CT") * (cross(r, a) - get("KM") * a);
    const Vec3 f = get("CT") * a;
    const double column[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
    for (std::size_t k = 0; k < 6; ++k) b[k][i] = column[k];
  }
  Matrix mix = pseudo_inverse(b);
  const auto rms = [&](std::size_t axis) {
    double sum = 0.0;
    int count = 0;
    for (const auto& row : mix) {
      sum += row[axis] * row[axis];
      if (std::fabs(row[axis]) > 1e-3) ++count;
    }
    return std::sqrt(sum / (count / 2.0));
  };
  const double tilt = std::fmax(rms(0), rms(1));
  double yaw = 0.0;
  double lift = 0.0;
  for (const auto& row : mix) {
    yaw = std::fmax(yaw, row[2]);
    lift += std::fabs(row[5]) / static_cast<double>(n);
  }
  const double scale[6] = {tilt, tilt, yaw, lift, lift, lift};
  for (auto& row : mix) {
    for (std::size_t k = 0; k < 6; ++k) row[k] /= scale[k];
  }
  return mix;
}

/// Attitude P, rate PID with PX4's filters, allocator and thrust model: emitted values, otherwise
/// PX4's defaults.
class Px4Model {
 public:
  explicit Px4Model(const std::vector<EmittedParameter>& list)
      : mix_(px4_allocator(list)),
        hover_(value_of(list, "MPC_THR_HOVER")),
        bend_(value_of(list, "THR_MDL_FAC")) {
    const char* const names[] = {"ROLL", "PITCH", "YAW"};
    for (int k = 0; k < 3; ++k) {
      p_[k] = value_of(list, fmt::format("MC_{}RATE_P", names[k]));
      i_[k] = value_of(list, fmt::format("MC_{}RATE_I", names[k]));
      d_[k] = value_of(list, fmt::format("MC_{}RATE_D", names[k]));
    }
    angle_p_[2] = value_of(list, "MC_YAW_P");
  }

  void operator()(const testing::Euler& euler, const double* wanted, double* command) {
    double torque[3];
    for (int k = 0; k < 3; ++k) {
      const double rate = gyro_[k].update(euler.rate[k]);
      const double turn = turn_[k].update((rate - last_[k]) / kStep_s);
      last_[k] = rate;
      const double error = angle_p_[k] * (wanted[k] - euler.angle[k]) - rate;
      torque[k] = p_[k] * error + integral_[k] - d_[k] * turn;
      integral_[k] = std::fmin(0.3, std::fmax(-0.3, integral_[k] + i_[k] * error * kStep_s));
    }
    torque[2] = yaw_.update(torque[2]);
    const double lift = -hover_ / (std::cos(euler.angle[0]) * std::cos(euler.angle[1]));
    // Yaw is mixed last and cut first, so that it never costs tilt.
    std::vector<double> control(mix_.size());
    double yaw_share = 1.0;
    for (std::size_t n = 0; n < mix_.size(); ++n) {
      control[n] = mix_[n][5] * lift + mix_[n][0] * torque[0] + mix_[n][1] * torque[1];
      const double yaw = mix_[n][2] * torque[2];
      const double room = std::fmax(0.0, yaw > 0.0 ? 1.0 - control[n] : control[n]);
      if (std::fabs(yaw) > room) yaw_share = std::fmin(yaw_share, room / std::fabs(yaw));
    }
    for (std::size_t n = 0; n < mix_.size(); ++n) {
      const double mixed = control[n] + yaw_share * mix_[n][2] * torque[2];
      command[n] = px4_motor_signal(std::fmin(1.0, std::fmax(0.0, mixed)), bend_);
    }
  }

 private:
  Matrix mix_;
  double hover_, bend_;
  double p_[3], i_[3], d_[3];
  double angle_p_[3] = {4.0, 4.0, 0.0};
  double integral_[3] = {};
  double last_[3] = {};
  testing::LowPass2 gyro_[3] = {{40.0, kStep_s}, {40.0, kStep_s}, {40.0, kStep_s}};
  testing::LowPass1 turn_[3] = {{20.0, kStep_s}, {20.0, kStep_s}, {20.0, kStep_s}};
  testing::LowPass1 yaw_{2.0, kStep_s};
};

class Px4ParametersOf : public ::testing::TestWithParam<const char*> {
 protected:
  MultirotorParameters p_ = testing::shipped(GetParam());
  Multirotor vehicle_ = make_multirotor(p_);
  std::vector<EmittedParameter> list_ = px4_parameters(vehicle_, kFlight);
};

TEST_P(Px4ParametersOf, GeometryIsThatOfTheAircraft) {
  EXPECT_EQ(value_of(list_, "CA_AIRFRAME"), 0.0);
  EXPECT_EQ(value_of(list_, "CA_ROTOR_COUNT"), p_.rotor_count);
  const World no_ground = make_world({.ground = {.present = false}});
  const testing::OperatingPoint hover = testing::hover_point(make_multirotor(p_, no_ground), 0.0);
  for (int i = 0; i < p_.rotor_count; ++i) {
    const auto get = [&](const char* part) {
      return value_of(list_, fmt::format("CA_ROTOR{}_{}", i, part));
    };
    EXPECT_EQ(get("PX"), p_.rotor[i].position_B_m.x);
    EXPECT_EQ(get("PY"), p_.rotor[i].position_B_m.y);
    EXPECT_EQ(get("PZ"), p_.rotor[i].position_B_m.z);
    EXPECT_EQ(get("AZ"), -1.0);
    EXPECT_EQ(get("CT"), 6.5);
    const double ratio = hover.out.rotor_torque_nm[i] / hover.out.thrust_n[i];
    EXPECT_NEAR(get("KM"), p_.rotor[i].reaction_sign * ratio, 1e-6);
    EXPECT_EQ(value_of(list_, fmt::format("PWM_MAIN_FUNC{}", i + 1)), 101.0 + i);
  }
}

TEST_P(Px4ParametersOf, HoverThrustCarriesTheWeight) {
  const double command =
      px4_motor_signal(value_of(list_, "MPC_THR_HOVER"), value_of(list_, "THR_MDL_FAC"));
  const MultirotorOutputs out = testing::on_thrust_stand(p_, testing::command_all(command));
  double lift = 0.0;
  for (int i = 0; i < p_.rotor_count; ++i) lift += out.thrust_n[i];
  const double weight = p_.body.mass_kg * gravity_at(vehicle_.world, Vec3{}).z;
  EXPECT_NEAR(lift / weight, 1.0, 1e-4);
  EXPECT_LT(value_of(list_, "MPC_THR_MIN"), 0.5 * value_of(list_, "MPC_THR_HOVER"));
}

/// A small setpoint about each axis turns the body that way, alone, and as fast as the gains count
/// on: P times acceleration per setpoint is the crossover.
TEST_P(Px4ParametersOf, SetpointsTurnTheBodyTheirWay) {
  const Matrix mix = px4_allocator(list_);
  const double bend = value_of(list_, "THR_MDL_FAC");
  const double hover = value_of(list_, "MPC_THR_HOVER");
  const char* const names[] = {"ROLL", "PITCH", "YAW"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr double kSetpoint = 0.02;
    MultirotorInput input;
    for (std::size_t n = 0; n < mix.size(); ++n) {
      input.motor_command[n] = px4_motor_signal(hover + kSetpoint * mix[n][axis], bend);
    }
    const Vec3 moment = testing::moment_of(p_, testing::on_thrust_stand(p_, input));
    const Vec3 turn = inverse(p_.body.inertia_kg_m2) * moment;
    const double acceleration[3] = {turn.x, turn.y, turn.z};
    const double gain = acceleration[axis] / kSetpoint;
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == axis) continue;
      EXPECT_LT(std::fabs(acceleration[other]), 0.02 * acceleration[axis]);
    }
    const double crossover = gain * value_of(list_, fmt::format("MC_{}RATE_P", names[axis]));
    const double tilt_lag_s = value_of(list_, "MC_ROLLRATE_D") / value_of(list_, "MC_ROLLRATE_P");
    const double wanted = axis == 2 ? 5.0 : std::fmin(30.0, 1.0 / tilt_lag_s);
    if (axis == 2 && value_of(list_, "MC_YAWRATE_P") == 0.6) {
      EXPECT_GT(crossover, 3.0);  // limited by PX4's range
    } else {
      EXPECT_NEAR(crossover / wanted, 1.0, 0.03) << names[axis];
    }
  }
}

TEST_P(Px4ParametersOf, AttitudeStepsAreWellDamped) {
  const double speed = hover_rotors(vehicle_).speed_rad_s[0];
  for (const auto& [axis, degrees] : {std::pair{0, 10.0}, {1, 10.0}, {2, 45.0}}) {
    Px4Model px4(list_);
    const testing::StepResponse response =
        testing::attitude_step(p_, 4000, speed, axis, degrees * math::kDegToRad, std::ref(px4));
    EXPECT_LT(response.overshoot, 0.25) << "axis " << axis;
    EXPECT_LT(response.settled_s, 3.0) << "axis " << axis;
    EXPECT_LT(response.coupling, 0.2) << "axis " << axis;
    RecordProperty(fmt::format("axis_{}", axis),
                   fmt::format("overshoot {:.3f}, settled {:.2f} s, coupling {:.3f}",
                               response.overshoot, response.settled_s, response.coupling));
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, Px4ParametersOf, ::testing::ValuesIn(testing::kMultirotors),
                         [](const auto& test) { return std::string(test.param); });

/// The judge can say no: PX4's defaults do not suit a racer, which turns ten times as easily as
/// the aircraft they were made for.
TEST(Px4Parameters, DefaultGainsWouldNotDo) {
  const MultirotorParameters p = testing::shipped("racer");
  std::vector<EmittedParameter> list = px4_parameters(make_multirotor(p), kFlight);
  for (EmittedParameter& parameter : list) {
    if (parameter.name == "MC_ROLLRATE_P") parameter.value = 0.15;
    if (parameter.name == "MC_ROLLRATE_I") parameter.value = 0.2;
    if (parameter.name == "MC_ROLLRATE_D") parameter.value = 0.003;
  }
  Px4Model px4(list);
  const testing::StepResponse response =
      testing::attitude_step(p, 4000, 1000.0, 0, 10.0 * math::kDegToRad, std::ref(px4));
  EXPECT_TRUE(response.overshoot > 0.25 || response.settled_s > 3.0);
}

TEST(Px4Parameters, SensorsFollowTheFlight) {
  const Multirotor iris = make_multirotor(testing::shipped("iris"));
  const auto usual = px4_parameters(iris, kFlight);
  EXPECT_EQ(value_of(usual, "SENS_GPS0_DELAY"), 120.0);
  EXPECT_EQ(value_of(usual, "SIM_BAT_DRAIN"), 0.0);
  EXPECT_EQ(value_of(usual, "BAT_CRIT_THR"), 0.10);
  EXPECT_FALSE(testing::has(usual, "IMU_INTEG_RATE"));
  const auto fast =
      px4_parameters(iris, {.autopilot_period = DurationUs(1000), .gps_delay = DurationUs(0)});
  EXPECT_EQ(value_of(fast, "IMU_INTEG_RATE"), 1000.0);
  EXPECT_EQ(value_of(fast, "IMU_GYRO_RATEMAX"), 1000.0);
  EXPECT_EQ(value_of(fast, "SENS_GPS0_DELAY"), 0.0);
  const auto double_rate =
      px4_parameters(iris, {.autopilot_period = DurationUs(2000), .gps_delay = DurationUs(0)});
  EXPECT_EQ(value_of(double_rate, "IMU_INTEG_RATE"), 500.0);
  EXPECT_EQ(value_of(double_rate, "IMU_GYRO_RATEMAX"), 800.0);  // as PX4 has it for multirotors
}

TEST(Px4Parameters, NamesFitPx4AndOnlyProcessesGetOutputs) {
  const auto list = px4_parameters(make_multirotor(testing::shipped("octa")), kFlight);
  for (const EmittedParameter& parameter : list) {
    EXPECT_LE(parameter.name.size(), 16u) << parameter.name;
    EXPECT_TRUE(std::isfinite(parameter.value)) << parameter.name;
    EXPECT_FALSE(parameter.why.empty()) << parameter.name;
    const bool of_controllers = parameter.name.starts_with("CA_") ||
                                parameter.name.starts_with("MC_") ||
                                parameter.name.starts_with("MPC_");
    EXPECT_EQ(parameter.sitl_only, !of_controllers) << parameter.name;
  }
}

TEST(Px4Parameters, UnequalRotorsGetUnequalStrength) {
  MultirotorParameters p = testing::shipped("iris");
  p.rotor[0].propeller.static_thrust_coefficient *= 1.1;
  const auto list = px4_parameters(make_multirotor(p), kFlight);
  EXPECT_GT(value_of(list, "CA_ROTOR0_CT"), 1.03 * value_of(list, "CA_ROTOR1_CT"));
  EXPECT_NEAR(value_of(list, "CA_ROTOR1_CT"), value_of(list, "CA_ROTOR2_CT"), 1e-9);
}

TEST(Px4Parameters, RefusesRotorsThatCannotYaw) {
  MultirotorParameters p = testing::shipped("iris");
  for (int i = 0; i < 4; ++i) p.rotor[i].reaction_sign = 1;
  try {
    px4_parameters(make_multirotor(p), kFlight);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("yaw"), std::string::npos) << error.what();
  }
}

TEST(Px4Parameters, MotorSignalInvertsTheThrustModel) {
  for (const double bend : {0.0, 0.2, 0.57, 1.0}) {
    for (const double c : {0.0, 0.1, 0.5, 1.0}) {
      EXPECT_NEAR(px4_motor_signal(model_thrust(bend, c), bend), c, 1e-12);
    }
  }
}

}  // namespace
}  // namespace tactus
