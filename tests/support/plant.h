// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Small conveniences for plant tests.

#include <random>
#include <vector>

#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::testing {

/// Collects events.
class EventList : public PlantEventSink {
 public:
  struct Entry {
    TimeUs time;
    PlantEvent event;
  };
  void on_event(TimeUs time, PlantEvent event) override { entries.push_back({time, event}); }

  [[nodiscard]] int count(PlantEventKind kind) const {
    int n = 0;
    for (const Entry& entry : entries) n += entry.event.kind == kind ? 1 : 0;
    return n;
  }

  std::vector<Entry> entries;
};

/// A state somewhere in the flight envelope, every part of it excited.
inline MultirotorState random_state(const Multirotor& vehicle, std::mt19937_64& engine) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const MultirotorLayout& at = vehicle.layout;
  MultirotorState s = vehicle.initial;
  for (int i = 0; i < 3; ++i) {
    s.x[at.position + i] = number(-50, 50);
    s.x[at.velocity + i] = number(-8, 8);
    s.x[at.rate + i] = number(-4, 4);
  }
  s.x[at.position + 2] -= 60.0;
  const Quat q = normalized({number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)});
  store(s.x + at.attitude, q);
  for (int i = 0; i < vehicle.counts.rotors; ++i) s.x[at.rotor_speed + i] = number(10, 900);
  for (int j = 0; j < vehicle.counts.packs; ++j) s.x[at.charge + j] = number(0.05, 1.0);
  for (int k = at.rc_voltage; k < at.motor_output; ++k) s.x[k] = number(-0.1, 0.2);
  for (int k = at.motor_output; k < at.motor_rate; ++k) s.x[k] = number(0, 1);
  for (int k = at.motor_rate; k < at.bristle; ++k) s.x[k] = number(-1, 1);
  for (int k = at.bristle; k < at.ledger; ++k) s.x[k] = number(-0.6, 0.6);
  return s;
}

inline MultirotorInput random_input(std::mt19937_64& engine) {
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  MultirotorInput input;
  for (double& command : input.motor_command) command = number(0, 1);
  for (double& command : input.servo_command) command = number(-1, 1);
  input.wind_W_m_s = {number(-8, 8), number(-8, 8), number(-3, 3)};
  return input;
}

/// Same command on every rotor.
inline MultirotorInput command_all(double command) {
  MultirotorInput input;
  for (double& c : input.motor_command) c = command;
  return input;
}

}  // namespace tactus::testing
