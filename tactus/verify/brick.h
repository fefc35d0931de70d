// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A multirotor whose rotors stand still and which meets neither air nor ground: a free rigid body,
// flown by the plant itself.

#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::verify {

inline Multirotor make_brick(Vec3 inertia_kg_m2) {
  MultirotorParameters p;
  p.body.inertia_kg_m2 = Mat3::diagonal(inertia_kg_m2);
  for (RotorParameters& rotor : p.rotor) {
    rotor.motor.rotor_inertia_kg_m2 = 1e-6;
    rotor.motor.resistance_ohm = 1e6;  // no pole that would limit the step
  }
  WorldParameters world{.ground = {.present = false}};
  world.gravity.uniform_m_s2 = 1e-6;  // stays at the altitude of its air
  return make_multirotor(p, make_world(world));
}

/// At rest at the origin, turning, all rotors held: they are part of the body.
class BrickFlight {
 public:
  BrickFlight(const Multirotor& brick, const SolverConfig& config, Vec3 rate_rad_s)
      : brick_(brick), config_(config) {
    MultirotorState state = brick.initial;
    store(state.x + brick.layout.rate, rate_rad_s);
    flight_ = start_flight(brick, {}, state);
  }
  void fly_to(TimeUs end) { fly(brick_, config_, {}, end, flight_); }
  [[nodiscard]] Quat attitude() const {
    return load_quat(flight_.state.x + brick_.layout.attitude);
  }
  [[nodiscard]] Vec3 rate() const { return load_vec3(flight_.state.x + brick_.layout.rate); }

 private:
  const Multirotor& brick_;
  SolverConfig config_;
  MultirotorFlight flight_;
};

}  // namespace tactus::verify
