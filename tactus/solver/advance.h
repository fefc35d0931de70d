// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Integration over one interval with held inputs, the only door to the solvers.
//
//   advance(system, config, memory, t0, t1, x):
//     forget the remembered derivative if the system depends on time (its clock starts again)
//     while t < t1
//       take one accepted step, cut at t1                                    stepper.h
//       let the observer look at its dense output                            dense_output.h
//       if a guard went from g < 0 to g >= 0 within it                       guard_search.h
//         locate the first whole µs with the new sign
//         go back to the last state before any attempt that reached beyond it, and integrate again
//         with that µs as the end: same bits as if it had been scheduled
//         return it
//
// What a failure leaves behind: `status` says why, x and `reached` are the last accepted state, the
// other fields name the step and the entry. The memory is usable (a copy of x and memory from
// before the interval is not needed), but the flight is over: nothing was clamped or skipped.
// Status: kNonFiniteState/kNonFiniteDerivative (fixed methods at once, adaptive ones after h_min),
// kStepTooSmall, kTooManySteps, kInvalidArgument (t1 < t0), or what the system itself returned.
//
// A guard that is already >= 0 at t0 is the caller's business. `reached` may be t1 with a guard
// set.

#include <cstdint>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/status.h"
#include "tactus/core/time.h"
#include "tactus/solver/config.h"
#include "tactus/solver/dense_output.h"
#include "tactus/solver/guard_search.h"
#include "tactus/solver/memory.h"
#include "tactus/solver/stepper.h"
#include "tactus/solver/system.h"

namespace tactus {

/// How an interval ended.
struct AdvanceResult {
  Status status = Status::kOk;
  TimeUs reached;  ///< x is the state at this instant, also after a failure
  int guard = -1;  ///< lowest guard that fired at `reached`, -1 if none; the caller looks at others

  // After a failure.
  ErrorGroup group = ErrorGroup::kOther;  ///< of the entry
  int index = -1;             ///< entry of the state that is not finite or worst; -1: not known
  std::uint64_t step_us = 0;  ///< length of the step that failed
  double error = 0.0;         ///< its error in units of the tolerance
};

/// An observer is called with the dense output of every accepted step; the view lives as long as
/// the call. When a guard fires, steps are taken back and flown again: a report that does not start
/// where the one before ended replaces everything from its start on.
struct NoObserver {
  TACTUS_HD void operator()(const DenseOutput&) const {}
};

namespace detail {

TACTUS_HD inline ErrorGroup group_of(const StateGroups& groups, int index) {
  TACTUS_ASSERT(groups.count >= 0 && groups.count <= StateGroups::kMaxGroups, "groups that exist");
  for (int g = 0; g < groups.count; ++g) {
    const StateGroup& group = groups.group[g];
    if (index >= group.begin && index < group.begin + group.count) return group.kind;
  }
  return ErrorGroup::kOther;
}

template <Method method, System S>
TACTUS_HD inline AdvanceResult failed(const Stepper<method, S>& stepper, const S& system,
                                      TimeUs reached) {
  const StepFailure& failure = stepper.failure();
  TACTUS_ASSERT(failure.status != Status::kOk, "a step that has failed");
  TACTUS_ASSERT(failure.index < system.size(), "an entry of the state");
  AdvanceResult result;
  result.status = failure.status;
  result.reached = reached;
  result.group = group_of(system.groups(), failure.index);
  result.index = failure.index;
  result.step_us = stepper.span().length_us;
  result.error = failure.error;
  return result;
}

template <Method method, System S, class Observer>
TACTUS_HD inline AdvanceResult advance_unguarded(
    const S& system, const SolverConfig& config, SolverMemory<S::kCapacity>& memory, TimeUs t0,
    TimeUs t1, double* x,  // NOLINT(readability-non-const-parameter): the stepper writes it
    Observer& observer) {
  constexpr bool kObserved = !std::is_same_v<std::remove_cvref_t<Observer>, NoObserver>;
  Stepper<method, S> stepper(system, config, memory, x, kObserved);
  const std::uint64_t end_us = (t1 - t0).us;
  std::uint64_t at_us = 0;
  while (at_us < end_us) {
    if (stepper.step(at_us, end_us) != Status::kOk) {
      return failed(stepper, system, t0 + DurationUs(at_us));
    }
    at_us += stepper.span().length_us;
    if constexpr (kObserved) observer(stepper.dense_output(t0));
  }
  TACTUS_ASSERT(at_us == end_us, "the last step ends with the interval");
  AdvanceResult result;
  result.reached = t1;
  return result;
}

/// A guard that is NaN cannot be quiet: it ends the run instead of firing.
template <int Capacity>
TACTUS_HD inline AdvanceResult fired(const GuardValues<Capacity>& before,
                                     const GuardValues<Capacity>& after, TimeUs reached) {
  AdvanceResult result;
  result.reached = reached;
  result.guard = after.first_fired_since(before);
  TACTUS_ASSERT(result.guard >= 0, "an event is reported for a guard that fired");
  if (math::is_nan(after.g[result.guard])) result.status = Status::kNonFiniteState;
  return result;
}

template <Method method, System S, class Observer>
TACTUS_HD inline AdvanceResult advance_guarded(const S& system, const SolverConfig& config,
                                               SolverMemory<S::kCapacity>& memory, TimeUs t0,
                                               TimeUs t1, double* x, Observer& observer) {
  constexpr bool kObserved = !std::is_same_v<std::remove_cvref_t<Observer>, NoObserver>;
  Stepper<method, S> stepper(system, config, memory, x, true);
  GuardSearch<method, S> search(system, config, memory.totals);
  Snapshot<S> snapshot;
  GuardValuesOf<S> before;
  GuardValuesOf<S> after;
  GuardValuesOf<S> before_due;
  bool is_due = false;  // a guard has fired and is to be reported at the end
  evaluate_guards(system, 0, x, before);
  const std::uint64_t interval_us = (t1 - t0).us;
  std::uint64_t end_us = (t1 - t0).us;
  std::uint64_t at_us = 0;
  while (at_us < end_us) {
    if (at_us >= snapshot.horizon_us) {
      snapshot.take(at_us, stepper.attempts(), system, memory, x, before);
    }
    if (stepper.step(at_us, end_us) != Status::kOk) {
      return failed(stepper, system, t0 + DurationUs(at_us));
    }
    snapshot.look_ahead(at_us + stepper.longest_attempt_us());
    const std::uint64_t step_end_us = at_us + stepper.span().length_us;
    TACTUS_ASSERT(step_end_us > at_us && step_end_us <= end_us, "a step goes on, and is cut");
    evaluate_guards(system, step_end_us, x, after);
    const double step_s = to_seconds(DurationUs(stepper.span().length_us));
    const bool is_far =
        far_from_events(system, step_s, stepper.start_state(), x, before.g, after.g);
    if (is_far && !kObserved) {
      at_us = step_end_us;
      before.copy_from(after);
      continue;
    }
    const DenseOutput dense = stepper.dense_output(t0);
    const FoundEvent event =
        is_far ? FoundEvent{} : search.find(snapshot, stepper.span(), dense, before, after, end_us);
    if (event.found && !event.is_final) {
      TACTUS_ASSERT(event.at_us > snapshot.at_us && event.at_us < end_us,
                    "an event after the snapshot and before the end shortens the interval");
      end_us = event.at_us;
      at_us = snapshot.at_us;
      stepper.set_attempts(snapshot.attempts);
      snapshot.restore(system, memory, x);
      before.copy_from(snapshot.guards);
      snapshot.horizon_us = at_us;
      is_due = false;
      continue;
    }
    if (event.due && !is_due) {
      is_due = true;
      before_due.copy_from(before);
    }
    observer(dense);
    at_us = step_end_us;
    if (event.found) {
      TACTUS_ASSERT(event.at_us == at_us, "the state in hand is that of the event");
      ++memory.totals.events;
      return fired(before, after, t0 + DurationUs(at_us));
    }
    before.copy_from(after);
  }
  if (is_due && after.first_fired_since(before_due) >= 0) {
    ++memory.totals.events;
    return fired(before_due, after, t0 + DurationUs(at_us));
  }
  // An event that cut the interval and does not fire when flown again leaves it at the cut.
  TACTUS_ASSERT(at_us == end_us && end_us <= interval_us, "the last step ends with the interval");
  AdvanceResult result;
  result.reached = t0 + DurationUs(at_us);
  return result;
}

}  // namespace detail

/// `advance` with the method known at compile time, for programs that use only one (the GPU).
template <Method method, System S, class Observer = NoObserver>
TACTUS_HD inline AdvanceResult advance_with(const S& system, const SolverConfig& config,
                                            SolverMemory<S::kCapacity>& memory, TimeUs t0,
                                            TimeUs t1, double* x, Observer&& observer = {}) {
  TACTUS_ASSERT(x != nullptr, "a state to integrate");
  TACTUS_ASSERT(system.size() >= 0 && system.size() <= S::kCapacity, "a state that has room");
  TACTUS_ASSERT(system.groups().end() <= system.size(), "groups of entries that exist");
  AdvanceResult result;
  result.reached = t0;
  if (t1.us < t0.us) {
    result.status = Status::kInvalidArgument;
    return result;
  }
  if (depends_on_time(system)) memory.invalidate_derivative();
  if constexpr (HasGuards<S>) {
    TACTUS_ASSERT(system.guard_count() >= 0 && system.guard_count() <= S::kGuardCapacity,
                  "guards that have room");
    if (system.guard_count() > 0) {
      return detail::advance_guarded<method>(system, config, memory, t0, t1, x, observer);
    }
  }
  return detail::advance_unguarded<method>(system, config, memory, t0, t1, x, observer);
}

/// Integrates x from t0 to t1, or to the first guard that fires in between.
template <System S, class Observer = NoObserver>
TACTUS_HD inline AdvanceResult advance(const S& system, const SolverConfig& config,
                                       SolverMemory<S::kCapacity>& memory, TimeUs t0, TimeUs t1,
                                       double* x, Observer&& observer = {}) {
  switch (config.method) {
    case Method::kEuler:
      return advance_with<Method::kEuler>(system, config, memory, t0, t1, x, observer);
    case Method::kRk4:
      return advance_with<Method::kRk4>(system, config, memory, t0, t1, x, observer);
    case Method::kRk23:
      return advance_with<Method::kRk23>(system, config, memory, t0, t1, x, observer);
    case Method::kRk45:
      return advance_with<Method::kRk45>(system, config, memory, t0, t1, x, observer);
    case Method::kLieRk4:
      return advance_with<Method::kLieRk4>(system, config, memory, t0, t1, x, observer);
  }
  AdvanceResult result;
  result.status = Status::kInvalidArgument;
  result.reached = t0;
  return result;
}

}  // namespace tactus
