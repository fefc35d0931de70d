// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What happens to the multirotor at an instant: found events flip its modes, faults act on its
// state. Called at boundaries only, by the driver of the plant.

#include <cstdint>
#include <string>

#include "tactus/core/time.h"
#include "tactus/vehicle/multirotor_system.h"

namespace tactus {

enum class PlantEventKind : std::uint8_t {
  kTouchdown,  ///< gear point touched the ground
  kLiftoff,    ///< gear point left it
  kRotorStopped,
  kRotorStarted,
  kBrownOut,       ///< the bus lost its operating point: its packs cannot supply the avionics
  kUndervoltage,   ///< the bus fell to its cut-off
  kBusRestarting,  ///< voltage is back, the restart delay runs
  kBusRestarted,
  kOvervoltage,
  kOvervoltageEnded,
  kPackEmpty,
};

const char* to_text(PlantEventKind kind);

struct PlantEvent {
  PlantEventKind kind;
  int index;  ///< gear point, rotor, bus or pack
};

/// Modes at the start of a run: rotors without speed are stopped, gear below ground touches, a bus
/// without an operating point is down.
MultirotorModes initial_modes(const Multirotor& vehicle, const MultirotorInput& input,
                              const double* x);

/// Applies the event that guard `guard` stands for. The caller evaluates the guards again
/// afterwards.
PlantEvent apply_guard(const Multirotor& vehicle, int guard, TimeUs now, double* x,
                       MultirotorModes& modes);

/// "bus 0, undervoltage": what a guard watches, for messages.
std::string guard_name(const Multirotor& vehicle, int guard);

/// First restart that is due at or before `now`, applied; `index` is −1 if there is none.
PlantEvent apply_due_restart(const Multirotor& vehicle, TimeUs now, MultirotorModes& modes);

/// The next scheduled restart; `TimeUs::us` is the largest integer if there is none.
TimeUs next_restart(const MultirotorModes& modes);

/// Locks a rotor to the airframe. Its angular momentum goes to the body; the other rotors keep
/// theirs about their axes. Total angular momentum is conserved.
void jam_rotor(const Multirotor& vehicle, int rotor, double* x, MultirotorModes& modes);

/// Frees a jammed rotor; it is then held by static friction until driven.
void release_rotor(int rotor, MultirotorModes& modes);

/// Angular momentum of body and rotors in body axes.
Vec3 angular_momentum_B(const Multirotor& vehicle, const double* x);

/// Kinetic energy of body and rotors plus the energy in the packs' RC pairs.
double stored_energy_j(const Multirotor& vehicle, const double* x);

}  // namespace tactus
