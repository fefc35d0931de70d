// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Attitude steps of every shipped multirotor, flown by the gains that its own parameters lead to:
// 10° of roll and of pitch and 45° of yaw overshoot by less than a quarter and have settled in 3 s,
// on the true state and on the noisy, delayed estimate that flights use by default.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/sensor/estimator.h"
#include "tactus/spec/reader/load_spec.h"
#include "tests/support/controlled_flight.h"

namespace tactus {
namespace {

using testing::ControlledFlight;

constexpr double kHeight_m = 50.0;
constexpr double kStep_s = 4.0;

std::vector<std::string> multirotors() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(data_root() + "/aircraft")) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  std::erase_if(names, [](const std::string& name) {
    return !std::holds_alternative<MultirotorParameters>(
        load_spec(find_spec("aircraft/" + name + ".toml")).spec.vehicle);
  });
  return names;
}

struct Response {
  double overshoot = 0.0;  ///< of the step
  double settled_s = 0.0;  ///< when it was outside the tolerance for the last time
};

/// Flies by attitude, on an estimate of a given kind.
class StepFlight {
 public:
  StepFlight(const Spec& spec, EstimatorKind kind)
      : f_(multirotor_of(spec), kHeight_m, spec.timeline.autopilot),
        estimator_(spec.estimator),
        random_(spec.seed, "step_response_test") {
    estimator_.kind = kind;
    setpoint_.thrust_n = f_.control.model().hover_thrust_n;
    hold(1.0, [] {});
  }

  Response step(EulerAngles goal, double EulerAngles::*axis, double tolerance_rad) {
    setpoint_.attitude = from_euler(goal);
    const TimeUs start = f_.flight.now;
    const double size = goal.*axis;
    Response response;
    hold(kStep_s, [&] {
      const double value = to_euler(f_.attitude()).*axis;
      response.overshoot = math::max(response.overshoot, value / size - 1.0);
      if (math::abs(value - size) > tolerance_rad) {
        response.settled_s = to_seconds(f_.flight.now - start);
      }
    });
    EXPECT_EQ(f_.control.motor_lost_mask(), 0U);
    return response;
  }

 private:
  template <class Look>
  void hold(double seconds, Look&& look) {
    const TimeUs end = f_.flight.now + duration_from_seconds(seconds, "seconds");
    while (f_.flight.now < end) {
      f_.tick([&](const ControlInput& in) {
        estimate(in.now);
        f_.control.step_attitude(in, setpoint_, f_.command, f_.status);
      });
      look();
    }
  }

  void estimate(TimeUs now) {
    Truth truth;
    truth.position_W_m = f_.estimate.position_W_m;
    truth.velocity_W_m_s = f_.estimate.velocity_W_m_s;
    truth.attitude = f_.estimate.attitude;
    truth.rate_B_rad_s = f_.estimate.rate_B_rad_s;
    truth.acceleration_W_m_s2 = f_.estimate.acceleration_W_m_s2;
    truth.angular_acceleration_B_rad_s2 = f_.estimate.angular_acceleration_B_rad_s2;
    f_.estimate =
        step_estimator(make_estimator(estimator_, f_.period), random_, truth, {}, now, state_);
  }

  ControlledFlight f_;
  EstimatorParameters estimator_;
  RandomStream random_;
  EstimatorState state_;
  AttitudeSetpoint setpoint_;
};

class StepResponse : public ::testing::TestWithParam<std::string> {
 protected:
  void fly_all(EstimatorKind kind) {
    struct Step {
      const char* name;
      double EulerAngles::*axis;
      double size_deg;
    };
    const Spec spec = load_spec(find_spec("aircraft/" + GetParam() + ".toml")).spec;
    for (const Step& step :
         {Step{"roll", &EulerAngles::roll_rad, 10.0}, Step{"pitch", &EulerAngles::pitch_rad, 10.0},
          Step{"yaw", &EulerAngles::yaw_rad, 45.0}}) {
      SCOPED_TRACE(step.name);
      EulerAngles goal;
      goal.*step.axis = step.size_deg * math::kDegToRad;
      const double tolerance_deg = math::max(0.05 * step.size_deg, 0.5);
      StepFlight flight(spec, kind);
      const Response response = flight.step(goal, step.axis, tolerance_deg * math::kDegToRad);
      EXPECT_LT(response.overshoot, 0.25);
      EXPECT_LT(response.settled_s, 3.0);
    }
  }
};

TEST_P(StepResponse, SettlesOnTheTrueState) { fly_all(EstimatorKind::kTruth); }

TEST_P(StepResponse, SettlesOnTheNoisyEstimate) { fly_all(EstimatorKind::kNoisy); }

INSTANTIATE_TEST_SUITE_P(Aircraft, StepResponse, ::testing::ValuesIn(multirotors()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tactus
