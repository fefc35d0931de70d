// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The plant as the engine sees it: one virtual call per stage and per interval; inside `advance`
// everything is static.
//
//   publish_state    what follows from the state alone: position, velocity, attitude, rotor speeds
//   hold             take the input from the bus; true if it differs from what was held
//   publish_outputs  what also follows from the held input: accelerations, currents, forces
//   settle           jam and release rotors, snap direct actuators, fire guards that jumped
//   advance          integrate to `end`, or to the first event found before it
// A plant holds its state as plain data; clone() copies it (contract C9).

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/plant/watch.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/note.h"
#include "tactus/signal/validator.h"
#include "tactus/solver/memory.h"
#include "tactus/vehicle/rhs_tap.h"

namespace tactus {

/// What an observer wants to have from the inside of an interval. The flight stays the same.
struct IntervalObserver {
  DurationUs period;                               ///< of samples; 0: none
  std::function<void(TimeUs, const Bus&)> sample;  ///< called in order, after the interval
  RhsTap* tap = nullptr;                           ///< every evaluation of the right-hand side
};

class Plant {
 public:
  virtual ~Plant() = default;
  [[nodiscard]] virtual VehicleCounts counts() const = 0;

  /// What it knows; recordings hold nothing of the rest.
  [[nodiscard]] virtual SignalSet publishes() const { return kPlantSignals; }
  virtual void publish_state(Bus& bus) const = 0;
  virtual bool hold(const Bus& bus) = 0;
  virtual void publish_outputs(Bus& bus) const = 0;
  virtual void settle(Bus& bus) = 0;

  /// Returns the instant reached: `end`, or that of the first found event or own wake-up.
  virtual TimeUs advance(TimeUs end, WatchList watches, const Bus& bus,
                         IntervalObserver* observer) = 0;

  /// Which watch stands for a leaf of the bus; none: it can only be read at boundaries.
  [[nodiscard]] virtual std::optional<Watch> watch_for(const BusLeaf& leaf) const = 0;

  /// Throws Error if a fixed step over this interval cannot resolve the vehicle.
  virtual void require_step_resolves(DurationUs longest_interval) const = 0;

  /// Throws Error(kRunStopped) that names the first number that it remembers of this instant and
  /// that a recomputation from state and input does not give, bit for bit. Changes nothing.
  virtual void check_caches(TimeUs now) const { (void)now; }

  /// Continuous state and modes, in field-list order.
  virtual void add_state(Digest& digest) const = 0;
  /// Names of the same numbers in the same order ("state.velocity_ned_m_s.x", "modes.bus_down"),
  /// with offsets into the block.
  [[nodiscard]] virtual std::vector<BusLeaf> state_leaves() const = 0;
  [[nodiscard]] virtual const void* state_block() const = 0;
  [[nodiscard]] virtual const SolverTotals& totals() const = 0;
  /// Appends the events since the last call.
  virtual void take_notes(std::vector<Note>& notes) = 0;
  [[nodiscard]] virtual std::unique_ptr<Plant> clone() const = 0;

  /// Its state, as Source::save. Into a changed plant it goes if the state has the same shape.
  virtual void save(StateWriter& to) const;
  virtual void load(StateReader& from);
  /// Refuses what was loaded if it cannot be that of this instant.
  virtual void require_at(TimeUs now, const StateReader& from) const { (void)now, (void)from; }
};

}  // namespace tactus
