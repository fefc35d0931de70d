// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Observers of a run, which do not change it: stage hooks, log sinks, recorders. They get const
// views, are not part of the run's value, and never add boundaries.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/signal/bus.h"
#include "tactus/signal/note.h"
#include "tactus/signal/schedule.h"
#include "tactus/signal/stage.h"
#include "tactus/solver/memory.h"
#include "tactus/vehicle/plant.h"

namespace tactus {

/// What there is to see at a boundary. After Stage::kLog it is what a log row shows: state at this
/// instant, inputs as held from now on, outputs with those inputs. In the stages before it is the
/// bus as the sources see it: what the plant derives from state and input (accelerations, currents,
/// forces) is then that of the input held so far, evaluated at ticks of sensors and autopilot and
/// at the end; at other boundaries no source reads it and it is that of the last such boundary.
struct BoundaryView {
  Due due;
  std::uint64_t boundary = 0;
  bool found = false;  ///< the boundary is an event that was found
  const Bus& bus;
  const SolverTotals& solver;
  const Plant& plant;
  const Digest& flight;  ///< the flight digest, up to and with the last boundary that it covers
};

/// Called after the stages it asks for, at every boundary. After kLog the boundary is complete;
/// kIntegrate is the interval after it and has nothing to show.
class StageHook {
 public:
  virtual ~StageHook() = default;
  [[nodiscard]] virtual bool wants(Stage stage) const = 0;
  virtual void after(Stage stage, const BoundaryView& view) = 0;
  /// Something happened: touchdown, brown-out, an event of the scenario …
  virtual void note(const Note& note) { (void)note; }
};

/// One row: continuous state at `time`, inputs as held from then on, and outputs with those inputs.
struct LogRow {
  TimeUs time;
  std::uint64_t boundary = 0;
  const Bus& bus;
  const SolverTotals& solver;
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void begin(const VehicleCounts& counts) = 0;
  virtual void row(const LogRow& row) = 0;
  /// Called exactly once, also after an error; `complete` says whether the run got to its end.
  virtual void end(Digest128 flight_digest, bool complete) = 0;
};

class Run;

/// Gets every signal at the boundary at which it was written, log rows, and what happened.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const Run& run) = 0;
  /// Before the scenario acts, if it reads outputs of the plant: what it sees.
  virtual void seen_by_scenario(const BoundaryView& view) { (void)view; }
  /// Whether it wants what the plant publishes.
  [[nodiscard]] virtual bool wants_outputs() const { return false; }
  /// What the plant publishes at this boundary, before sensors and autopilot: state at this instant
  /// and outputs with the input held so far. They are of this instant at every boundary.
  virtual void outputs(const BoundaryView& view) { (void)view; }
  /// The boundary is complete, its digest included.
  virtual void boundary(const BoundaryView& view, SignalSet written) = 0;
  [[nodiscard]] virtual bool wants_rows() const { return false; }
  virtual void row(const LogRow& row) { (void)row; }
  virtual void note(const Note& note) { (void)note; }
  /// Bytes that came from an external program; `peer` counts through Source::external_peers() of
  /// all sources.
  virtual void external_bytes(std::size_t peer, TimeUs time, std::span<const std::byte> bytes) {
    (void)peer, (void)time, (void)bytes;
  }
  /// Wants every evaluation of the right-hand side; null: does not.
  [[nodiscard]] virtual RhsTap* tap() { return nullptr; }
  virtual void end(Digest128 flight_digest, bool complete) = 0;
};

struct Observers {
  std::vector<StageHook*> hooks;
  std::vector<LogSink*> sinks;
  std::vector<Recorder*> recorders;
};

}  // namespace tactus
