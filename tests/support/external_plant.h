// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The Iris in calm air as the plant of an external simulator, and the command line of such doubles.

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "tactus/plant/iris.h"
#include "tactus/signal/signals.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::testing {

class ExternalPlant {
 public:
  ExternalPlant() : vehicle_(make_multirotor(iris_parameters())) {
    flight_ = start_flight(vehicle_, input_, vehicle_.initial);
    solver_.method = Method::kRk4;
    solver_.step_us = 1000;
  }

  [[nodiscard]] TimeUs now() const { return flight_.now; }
  [[nodiscard]] WorldOrigin origin() const { return vehicle_.world.origin; }
  void drive(int motor, double command) { input_.motor_command[motor] = command; }
  void advance(DurationUs step) { fly(vehicle_, solver_, input_, flight_.now + step, flight_); }

  [[nodiscard]] Truth truth() const {
    const double* x = flight_.state.x;
    Truth truth;
    truth.position_W_m = load_vec3(x + vehicle_.layout.position);
    truth.velocity_W_m_s = load_vec3(x + vehicle_.layout.velocity);
    truth.attitude = load_quat(x + vehicle_.layout.attitude);
    truth.rate_B_rad_s = load_vec3(x + vehicle_.layout.rate);
    truth.specific_force_B_m_s2 = outputs(vehicle_, input_, flight_).specific_force_B_m_s2;
    return truth;
  }

 private:
  Multirotor vehicle_;
  MultirotorInput input_;
  MultirotorFlight flight_;
  SolverConfig solver_;
};

/// "--name number" in any order; a name alone is 1.
class DoubleOptions {
 public:
  DoubleOptions(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      if (std::strncmp(arguments[i], "--", 2) != 0) continue;
      const bool value = i + 1 < count && std::strncmp(arguments[i + 1], "--", 2) != 0;
      number_[arguments[i] + 2] = value ? std::strtoll(arguments[i + 1], nullptr, 10) : 1;
      if (value) text_[arguments[i] + 2] = arguments[i + 1];
    }
  }

  [[nodiscard]] long long at(const char* name, long long otherwise = -1) const {
    const auto found = number_.find(name);
    return found == number_.end() ? otherwise : found->second;
  }
  [[nodiscard]] bool has(const char* name) const { return number_.count(name) != 0; }
  /// Of "--name key=value": the key and the value.
  [[nodiscard]] std::pair<std::string, std::string> pair(const char* name) const {
    const auto found = text_.find(name);
    if (found == text_.end()) return {};
    const std::size_t sign = found->second.find('=');
    return {found->second.substr(0, sign), found->second.substr(sign + 1)};
  }

 private:
  std::map<std::string, long long> number_;
  std::map<std::string, std::string> text_;
};

}  // namespace tactus::testing
