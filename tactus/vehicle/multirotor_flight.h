// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A multirotor in flight: its state as one copyable value, and the loop that carries it over one
// interval of held input.
//
//   settle: while a guard fires at this instant, apply its event        (at most 8 passes)
//   repeat until the end of the interval:
//     advance to the end, to a scheduled restart, or to a found event
//     settle
//
// On failure the flight stands at the instant before the failed step and an Error says what, where,
// when and why.

#include <string>

#include "tactus/core/time.h"
#include "tactus/solver/advance.h"
#include "tactus/solver/config.h"
#include "tactus/solver/memory.h"
#include "tactus/solver/sampler.h"
#include "tactus/vehicle/multirotor_events.h"
#include "tactus/vehicle/multirotor_system.h"
#include "tactus/vehicle/rhs_tap.h"

namespace tactus {

inline constexpr int kMaxGuardPasses = 8;
inline constexpr int kMaxEventsPerSecond = 1000;

/// Found events within the current window of a second.
struct EventWindow {
  TimeUs start;
  int count = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("start_us", "us", self.start);
    visit("count", "", self.count, "events since then");
  }
};
static_assert(lists_every_field<EventWindow>());

/// Copy it mid-flight and both copies continue identically (contract C9).
struct MultirotorFlight {
  TimeUs now;
  MultirotorState state;
  MultirotorModes modes;
  SolverMemory<kMultirotorCapacity> memory;
  EventWindow events;
};

/// Called with every event, in order. May be null.
class PlantEventSink {
 public:
  virtual ~PlantEventSink() = default;
  virtual void on_event(TimeUs time, PlantEvent event) = 0;
};

/// A flight that starts at t = 0 in the given state. Throws Error if this process cannot keep the
/// same bits (contract C4) or the state is not one: a non-finite entry, an attitude that is not a
/// unit quaternion.
MultirotorFlight start_flight(const Multirotor& vehicle, const MultirotorInput& input,
                              const MultirotorState& state);

/// What is known about the present instant of a flight, so that it is not computed again: same bits
/// and counts, less work. A change of state, modes or input makes it invalid.
struct KnownInstant {
  double derivative[kMultirotorCapacity];
  double guards[MultirotorSystem::kGuardCapacity];  ///< those of the plant, not the watches
  detail::Electrical electrical;                    ///< comes with the guards
  MultirotorOutputs outputs;
  bool has_derivative = false;
  bool has_guards = false;
  bool has_outputs = false;

  void forget() { has_derivative = has_guards = has_outputs = false; }
};

/// Applies whatever fires at this instant. Returns the number of events. `known`: gets the guards
/// and the circuit.
int settle(const Multirotor& vehicle, const MultirotorInput& input, MultirotorFlight& flight,
           PlantEventSink* sink = nullptr, KnownInstant* known = nullptr);

using MultirotorSamples = StateSamples<kMultirotorCapacity>;

/// One advance with the input held, settled before: to `end`, to a scheduled restart, or to the
/// first event found, whichever comes first. True if a guard or a watch fired at `flight.now`.
/// `tap`: called with every evaluation of the right-hand side; the flight has the same bits.
/// `known`: of the instant now; afterwards of the one reached.
bool integrate(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
               WatchList watches, TimeUs end, MultirotorFlight& flight,
               MultirotorSamples* samples = nullptr, RhsTap* tap = nullptr,
               KnownInstant* known = nullptr);

/// Flies from `flight.now` to `end` with the input held. Refuses a fixed step that the vehicle's
/// gear, actuators, rotors or packs do not survive.
void fly(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& input,
         TimeUs end, MultirotorFlight& flight, PlantEventSink* sink = nullptr);

/// Derived outputs at this instant, `since_hold` after the start of the held interval.
/// `known`: of this instant; its circuit is used if it is known, its derivative is set (whether it
/// is the one that a solver starts with, the caller knows).
MultirotorOutputs outputs(const Multirotor& vehicle, const MultirotorInput& input,
                          const MultirotorFlight& flight, DurationUs since_hold = {},
                          KnownInstant* known = nullptr);

/// A blade that is whole has 1; noise of a motor may give more for a moment.
inline constexpr double kMostThrustScale = 2.0;

/// Throws Error naming the field and its value when a held input is out of its range.
void validate(const Multirotor& vehicle, const MultirotorInput& input, TimeUs now);

/// "rotor_speed_rad_s[2]": name of an entry of the packed state.
std::string state_entry_name(const MultirotorCounts& counts, int index);

extern template AdvanceResult advance(const MultirotorSystem& system, const SolverConfig& config,
                                      SolverMemory<kMultirotorCapacity>& memory, TimeUs t0,
                                      TimeUs t1, double* x, NoObserver&& observer);

}  // namespace tactus
