// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A conducted program with a simulator that is not ours, and with whatever else there is on this
// machine: its ports are real ones. Its time follows the simulator (simulator_clock.h), message by
// message; while it waits for its simulator to come, time stands. So with a simulator in lockstep
// it does the same in every run. Without one its time goes at a given speed.

#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/socket.h"

namespace tactus {

struct ConductOptions {
  double speed = 1.0;  ///< of its time without a simulator, times real time; 0: as fast as it goes
  Interrupted interrupted{};
};

/// Until the program has ended or the user wants to stop. Throws Error(kEnvironment) if a port that
/// it wants is taken.
TurnEnd conduct(ConductedProgram& program, const ConductOptions& options);

}  // namespace tactus
