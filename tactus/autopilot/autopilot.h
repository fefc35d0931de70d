// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What flies the vehicle: once per tick of its axis it turns what it may know into a command. It
// never sees the faults, and the truth only if it is an external program that makes its own
// instruments from it (ArduPilot).

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tactus/autopilot/program_facts.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/signal/note.h"
#include "tactus/signal/signal_table.h"

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
#define TACTUS_VIEW(Kind, Kinds, member, members, Reading, most, ...) const Reading(&member)[most];
  TACTUS_INSTRUMENT_KINDS(TACTUS_VIEW)
#undef TACTUS_VIEW
  const Truth* truth;  ///< null unless sees_truth()
};

/// Everything but the truth, which only one that makes its own instruments gets.
AutopilotInput autopilot_input(const Bus& bus, TimeUs now, bool sees_truth);

/// The same tick with other orders.
AutopilotInput with_orders(const AutopilotInput& input, const HighLevelCommand& high_level);

struct AutopilotOutput {
  Command command;
  AutopilotStatus status;
};

/// For figures of speed, which are no part of a flight. Either may be empty.
struct FlightClocks {
  std::function<std::uint64_t()> now_ns;  ///< read before and after every step: a cheap one
  std::function<std::uint64_t()> cpu_ns;  ///< of this thread; read at the start and at the end
};

class Autopilot {
 public:
  virtual ~Autopilot() = default;
  [[nodiscard]] virtual const char* name() const = 0;

  /// Called at every tick, in order; `output` holds the previous answer.
  virtual void step(const AutopilotInput& input, AutopilotOutput& output) = 0;

  /// Makes its own instruments from the true motion.
  [[nodiscard]] virtual bool sees_truth() const { return false; }

  /// Names of the links over which bytes come from external programs: "px4", "px4_telemetry".
  [[nodiscard]] virtual std::vector<std::string> external_peers() const { return {}; }
  /// Appends what came over them since the last call.
  virtual void take_external_bytes(std::vector<ExternalBytes>& bytes) { (void)bytes; }
  /// Appends what happened since the last call, for logs and reports.
  virtual void take_notes(std::vector<Note>& notes) { (void)notes; }
  /// Sentences for the user about this flight: what could not be had, what to expect.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
  /// What the flight depends on besides its spec, as soon as it is known; of an external program.
  [[nodiscard]] virtual ProgramFacts program_facts() const { return {}; }

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
