// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What flies the vehicle: once per tick of its axis it turns what it may know into a command. It
// never sees the truth or the faults; they are not among its inputs.

#include <memory>

#include "tactus/core/signals.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"

namespace tactus {

/// Views of the bus, valid during one step.
struct AutopilotInput {
  TimeUs now;
  const Estimate& estimate;
  const LandStatus& land;
  const HighLevelCommand& high_level;
  const ParameterChange& parameter;
  const BatteryStatus (&battery)[kMaxPacks];
  const EscStatus (&esc)[kMaxMotors];
};

struct AutopilotOutput {
  Command command;
  AutopilotStatus status;
};

class Autopilot {
 public:
  virtual ~Autopilot() = default;
  [[nodiscard]] virtual const char* name() const = 0;

  /// Called at every tick, in order; `output` holds the previous answer.
  virtual void step(const AutopilotInput& input, AutopilotOutput& output) = 0;

  /// Back to the state after power-up (its supply was lost). `output` of the next step starts
  /// empty.
  virtual void restart() = 0;

  /// A copy that continues identically (contract C9); null if this autopilot cannot be copied.
  [[nodiscard]] virtual std::unique_ptr<Autopilot> clone() const = 0;

  /// Its state; load() takes it into one that was built alike. Throw Error(kBadInput) if this
  /// autopilot cannot be saved.
  virtual void save(StateWriter& to) const;
  virtual void load(StateReader& from);
};

}  // namespace tactus
