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
#include "tactus/vehicle/instant_cache.h"
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

/// Applies whatever fires at this instant. Returns the number of events. `cache`: of the flight as
/// it stands; gets the guards and the circuit, and is cleared where an event changes the flight.
int settle(const Multirotor& vehicle, const MultirotorInput& input, MultirotorFlight& flight,
           PlantEventSink* sink = nullptr, InstantCache* cache = nullptr);

/// The guards of the plant at this instant and the circuit they are of. Returns how many there are.
int guards_at(const Multirotor& vehicle, const MultirotorInput& input,
              const MultirotorFlight& flight, double* g, detail::Electrical& circuit);

using MultirotorSamples = StateSamples<kMultirotorCapacity>;

/// One advance with the input held, settled before: to `end`, to a scheduled restart, or to the
/// first event found, whichever comes first. True if a guard or a watch fired at `flight.now`.
/// `tap`: called with every evaluation of the right-hand side; the flight has the same bits.
/// `cache`: of the flight as it stands; afterwards of the instant reached.
bool integrate(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
               WatchList watches, TimeUs end, MultirotorFlight& flight,
               MultirotorSamples* samples = nullptr, RhsTap* tap = nullptr,
               InstantCache* cache = nullptr);

/// Flies from `flight.now` to `end` with the input held. Refuses a fixed step that the vehicle's
/// gear, actuators, rotors or packs do not survive.
void fly(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& input,
         TimeUs end, MultirotorFlight& flight, PlantEventSink* sink = nullptr);

/// Derived outputs at this instant, `since_hold` after the start of the held interval.
/// `cache`: of the flight as it stands; its circuit is used if it has one, and its new_derivative()
/// is filled. `derivative`: gets the derivative where there is no cache.
MultirotorOutputs outputs(const Multirotor& vehicle, const MultirotorInput& input,
                          const MultirotorFlight& flight, DurationUs since_hold = {},
                          InstantCache* cache = nullptr, double* derivative = nullptr);

/// A blade that is whole has 1; noise of a motor may give more for a moment.
inline constexpr double kMostThrustScale = 2.0;

/// Length of an attitude that counts as a rotation; solvers keep it far closer.
inline bool is_unit_length(double length) { return math::abs(length - 1.0) <= 1e-6; }

/// Whether modes are of a vehicle with these counts, and consistent.
bool fits(const MultirotorCounts& counts, const MultirotorModes& modes);

/// Throws Error naming the field and its value when a held input is out of its range.
void validate(const Multirotor& vehicle, const MultirotorInput& input, TimeUs now);

/// "rotor_speed_rad_s[2]": name of an entry of the packed state.
std::string state_entry_name(const MultirotorCounts& counts, int index);

extern template AdvanceResult advance(const MultirotorSystem& system, const SolverConfig& config,
                                      SolverMemory<kMultirotorCapacity>& memory, TimeUs t0,
                                      TimeUs t1, double* x, NoObserver&& observer);

}  // namespace tactus
