// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A multirotor in flight with the input that it holds. State, modes, input and all that is
// remembered of them (solver's derivative, instant_cache.h, whether guards are settled) have this
// one owner: they change only by the operations below, each of which clears what no longer holds.

#include <functional>
#include <memory>

#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/vehicle/instant_cache.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {

/// Carries the flight over one interval, as integrate() of multirotor_flight.h does: another
/// integrator under the same plant.
using IntegrateMultirotor = std::function<bool(
    const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
    WatchList watches, TimeUs end, MultirotorFlight& flight, MultirotorSamples* samples)>;

class HeldFlight {
 public:
  /// At t = 0 with all commands zero. Throws like start_flight().
  HeldFlight(std::shared_ptr<const Multirotor> vehicle, const MultirotorState& initial);

  [[nodiscard]] const Multirotor& vehicle() const { return *vehicle_; }
  [[nodiscard]] const MultirotorFlight& flight() const { return flight_; }
  [[nodiscard]] const MultirotorInput& held() const { return held_; }
  [[nodiscard]] DurationUs since_hold() const { return flight_.now - held_since_; }
  /// Of state, modes and held input as they are.
  [[nodiscard]] const MultirotorOutputs& outputs() const;

  /// True: it differs from what was held. Throws like validate() if it is out of range.
  bool hold(const MultirotorInput& input, TimeUs now);
  void jam(int rotor);
  void release(int rotor);
  /// Applies what fires at this instant, if something changed since the last time. False: it did
  /// not.
  bool settle(PlantEventSink* sink);
  /// integrate() of multirotor_flight.h; `instead` takes its place where there is one.
  void advance(const SolverConfig& config, WatchList watches, TimeUs end,
               MultirotorSamples* samples, RhsTap* tap, const IntegrateMultirotor& instead);

  /// Throws Error(kRunStopped) that names the first entry that is remembered and not what a
  /// recomputation gives, bit for bit, or a guard that fires though all are said to be settled.
  void check_caches() const;

  /// All but whether it is settled, which stands after other things in a saved state.
  void save(StateWriter& to) const;
  void load(StateReader& from);
  void save_settled(StateWriter& to) const { to.add(!is_settled_); }
  void load_settled(StateReader& from);

 private:
  friend struct InstantCacheMistake;  // tests: what a wrong entry leads to

  void has_changed();
  void check_solver_memory() const;
  void check_instant() const;
  void check_end_stage() const;

  std::shared_ptr<const Multirotor> vehicle_;
  MultirotorInput held_;
  TimeUs held_since_;
  MultirotorFlight flight_;
  mutable InstantCache cache_;
  bool is_settled_ = false;  ///< no guard fires: nothing has changed since all were applied
};

}  // namespace tactus
