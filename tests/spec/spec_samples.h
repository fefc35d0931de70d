// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Specs that together give every key a use, and a folder for files that extend each other.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"

namespace tactus::testing {

/// The least that flies.
inline const std::string kSmallSpec = R"(
[vehicle]
kind = "multirotor"
[solver]
method = "rk45"
[[rotor]]
id = "left"
position_body_m = [0.1, -0.2, 0.0]
[[rotor]]
id = "right"
position_body_m = [0.1, 0.2, 0.0]
reaction_sign = -1
[[pack]]
id = "pack"
[[bus]]
id = "main"
)";

/// Every action, every trigger and every expectation; blade-element propellers.
inline const std::string kRichSpec = kSmallSpec + R"(
[motor_actuator]
kind = "second_order"
rate_limit_per_s = 40.0
[servo_actuator]
count = 2
kind = "second_order"
[gear]
positions_body_m = [[0.1, 0.1, 0.1], [0.1, -0.1, 0.1], [-0.1, 0.0, 0.1]]
[sensors.optical_flow]
count = 1
[sensors]
fitted = true
[[wind.gust]]
id = "puff"
velocity_ned_m_s = [1.0, 0.0, 0.0]
at_s = 3.0
duration_s = 0.03
[[event]]
id = "arm"
at_s = 1.0
do = "arm"
snap = "autopilot"
[[event]]
id = "tick"
at_s = 0.5
mode = "repeat"
every_s = 0.25
do = "marker"
[[event]]
id = "step"
at_step = 3
do = "wind_step"
vector = [1.0, 0.0, 0.0]
duration_s = 2.0
[[event]]
id = "high"
when = "truth.height_m above 10"
mode = "repeat"
hysteresis = 0.5
delay_s = 0.1
do = "motor_stuck"
rotor = "left"
value = 0.5
[[event]]
id = "then"
after = "high"
do = "motor_intermittent"
rotor = "right"
on_s = 0.1
off_s = 0.2
[[event]]
id = "late"
at_s = 4.0
do = "motor_delay"
rotor = "left"
lag_s = 0.02
[[event]]
id = "drop"
at_s = 5.0
do = "pack_cell_drop"
pack = "pack"
value = 0.5
[[event]]
id = "servo"
at_s = 6.0
do = "servo_stuck"
servo = 1
value = -0.5
[[event]]
id = "gps"
at_s = 7.0
do = "sensor_fail"
sensor = "gps"
[[event]]
id = "gyro"
at_s = 7.5
do = "sensor_noise"
instrument = "gyroscope0"
value = 3.0
[[event]]
id = "bias"
at_s = 8.0
do = "estimator_bias"
quantity = "velocity"
vector = [0.1, 0.0, 0.0]
[[event]]
id = "tune"
at_s = 9.0
do = "parameter"
parameter = "cruise_speed_m_s"
value = 3.0
[[event]]
id = "rough"
at_s = 9.5
do = "motor_noise"
rotor = "left"
value = 0.1
correlation_s = 0.02
[[expect]]
id = "item"
kind = "reach_item"
item = 2
by_s = 30.0
[[expect]]
id = "fence"
kind = "stay_inside"
radius_m = 50.0
low_m = -1.0
high_m = 60.0
from_s = 2.0
by_s = 40.0
[[expect]]
id = "speed"
kind = "signal_max"
signal = "truth.height_m"
limit = 30.0
[[expect]]
id = "end"
kind = "final"
signal = "truth.height_m"
value = 0.0
tolerance = 0.5
[[expect]]
id = "alive"
kind = "survive"
event = "gps"
)";

/// The other models.
inline const std::string kQuadraticSpec = kSmallSpec + R"(
[propeller]
kind = "quadratic"
[motor_actuator]
kind = "first_order"
[servo_actuator]
count = 1
kind = "first_order"
[world.gravity]
kind = "spherical"
[wind]
turbulence = "ornstein_uhlenbeck"
)";

inline const std::string kRoverSpec = R"(
[vehicle]
kind = "rover"
[rover]
max_speed_m_s = 1.5
[solver]
method = "rk45"
[[event]]
id = "arm"
at_s = 1
do = "arm"
)";

inline const std::string kBallSpec = R"(
[vehicle]
kind = "ball"
[ball]
mass_kg = 2.0
inertia_kg_m2 = [[0.01, 0.001, 0.0], [0.001, 0.02, 0.0], [0.0, 0.0, 0.02]]
reference_area_m2 = 0.05
reference_length_m = [0.2, 0.3, 0.3]
drag_coefficient = [1.0, 1.0, 1.0]
rate_damping_coefficient = [0.3, 0.4, 0.4]
spin_damping_coefficient = [0.1, 0.1, 0.1]
[ball.contact]
positions_body_m = [[0.0, 0.0, 0.1], [0.0, 0.0, -0.1]]
stiffness_n_m15 = 8.0e5
damping_s_m = 1.5
friction = 0.7
bristle_m = 0.003
elastic_fraction = 0.5
bristle_damping_s_m = 2.0
relaxation_s = 0.03
touch_hysteresis_m = 2.0e-6
[solver]
method = "rk45"
[autopilot]
kind = "none"
)";

/// What loading says when it must fail.
inline std::string error_of(const std::string& text, const std::string& file = "t.toml",
                            std::span<const Override> overrides = {},
                            ExitCode code = ExitCode::kBadInput) {
  try {
    load_spec_text(text, file, overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error in:\n" << text;
  return {};
}

/// A folder of its own that disappears.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("tactus_spec_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  /// Writes a file and gives its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace tactus::testing
