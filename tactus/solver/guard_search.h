// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Finding the first whole microsecond at which a guard has its new sign.
//
// The rule that decides everything here: a found event must leave the same bits as a run in which
// that instant was a boundary from the beginning. Such a run cuts its steps at the boundary, hence
//   - the state at the event comes from steps that were cut there, never from the interpolant;
//   - an attempt that reached beyond the event, even a rejected one, would have been another
//   attempt
//     in that run. So the search goes back to the last state before any such attempt (`Snapshot`);
//   - what the memory learned on the way is taken back too.
// The question "has a guard fired by t?" is therefore answered by a `probe`: from the snapshot,
// step with t as the end and look at the ends of the steps. The event is the t with probe(t) true
// and probe(t − 1) false. The dense output only says where to look first; typically two probes do.
// Adaptive steps to t and to t − 1 may differ by their error, so the steps to t can fire a hair
// before t although those to t − 1 do not fire: the event is then `due` at t, and reported there.

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/status.h"
#include "tactus/solver/config.h"
#include "tactus/solver/dense_output.h"
#include "tactus/solver/guard_values.h"
#include "tactus/solver/memory.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/stepper.h"
#include "tactus/solver/system.h"

namespace tactus {

/// The flight as it was at a step start. All attempts made before ended at or before `at_us`.
template <HasGuards S>
struct Snapshot {
  std::uint64_t at_us = 0;
  std::uint64_t horizon_us = 0;  ///< how far attempts made since then have reached
  std::uint64_t attempts = 0;
  StepMemory step;
  SolverTotals totals;
  double derivative[S::kCapacity];
  double x[S::kCapacity];
  GuardValuesOf<S> guards;

  TACTUS_HD void take(std::uint64_t now_us, std::uint64_t attempts_now, const S& system,
                      const SolverMemory<S::kCapacity>& memory, const double* state,
                      const GuardValuesOf<S>& values) {
    TACTUS_ASSERT(now_us >= at_us, "snapshots are taken in the order of time");
    TACTUS_ASSERT(values.count == system.guard_count(), "guards of this system");
    at_us = horizon_us = now_us;
    attempts = attempts_now;
    step = memory.step;
    totals = memory.totals;
    if (step.derivative_valid) copy_entries(memory.derivative, derivative, system.size());
    copy_entries(state, x, system.size());
    guards.copy_from(values);
  }

  TACTUS_HD void look_ahead(std::uint64_t reached_us) {
    if (reached_us > horizon_us) horizon_us = reached_us;
  }

  /// Puts the flight back. Totals of the flight go back, totals of work stay.
  TACTUS_HD void restore(const S& system, SolverMemory<S::kCapacity>& memory, double* state) const {
    memory.step = step;
    if (step.derivative_valid) copy_entries(derivative, memory.derivative, system.size());
    copy_entries(x, state, system.size());
    TACTUS_ASSERT(memory.totals.accepted >= totals.accepted, "steps since the snapshot");
    memory.totals.probes += memory.totals.accepted - totals.accepted;
    memory.totals.accepted = totals.accepted;
    memory.totals.rejected = totals.rejected;
    memory.totals.projected = totals.projected;
  }
};

struct FoundEvent {
  bool found = false;
  bool due = false;         ///< fired within the tolerance of the limit: report it at the limit
  bool is_final = false;    ///< the state in hand is the one at the event
  std::uint64_t at_us = 0;  ///< otherwise: fly again from the snapshot with this as the end
};

template <Method method, System S>
requires HasGuards<S>
class GuardSearch {
 public:
  using Values = GuardValuesOf<S>;

  TACTUS_HD GuardSearch(const S& system, const SolverConfig& config, SolverTotals& totals)
      : system_(system), config_(config), totals_(totals) {}

  /// Does a guard fire in the step just taken? `before` and `after` are the guards at its ends. A
  /// guard fires within a step only if it was quiet at the start of the step.
  TACTUS_HD FoundEvent find(const Snapshot<S>& snapshot, StepSpan span, const DenseOutput& dense,
                            const Values& before, const Values& after, std::uint64_t limit_us) {
    TACTUS_ASSERT(span.length_us > 0 && span.start_us + span.length_us <= limit_us,
                  "a step within the interval");
    TACTUS_ASSERT(snapshot.at_us <= span.start_us, "a snapshot from before the step");
    TACTUS_ASSERT(before.count == after.count, "guards of one system");
    std::uint64_t quiet_us = 0;
    for (std::uint64_t part = 1; part <= kSamples; ++part) {
      // The same as length · part / (kSamples + 1), without overflow.
      const std::uint64_t sample_us = span.length_us / (kSamples + 1) * part +
                                      span.length_us % (kSamples + 1) * part / (kSamples + 1);
      if (sample_us == quiet_us) continue;
      evaluate_inside(span, dense, sample_us);
      if (values_.first_fired_since(before) < 0) {
        quiet_us = sample_us;
        continue;
      }
      // The interpolant may be wrong by a hair near a touch: believe only a state.
      if (!has_fired_by(snapshot, span.start_us + sample_us)) continue;
      const std::uint64_t event_us =
          locate(snapshot, bisect_inside(span, dense, before, quiet_us, sample_us), limit_us);
      if (event_us < limit_us) return {.found = true, .at_us = event_us};
    }
    if (after.first_fired_since(before) < 0) return {};
    const std::uint64_t end_us = span.start_us + span.length_us;
    const FoundEvent at_limit{.found = true, .is_final = true, .at_us = end_us};
    if (end_us == limit_us && !has_fired_by(snapshot, end_us - 1)) return at_limit;
    const std::uint64_t event_us =
        locate(snapshot, bisect_inside(span, dense, before, quiet_us, span.length_us), limit_us);
    if (event_us < limit_us) return {.found = true, .at_us = event_us};
    return end_us == limit_us ? at_limit : FoundEvent{.due = true};
  }

 private:
  static constexpr std::uint64_t kSamples = 3;               ///< inside a step
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< no such instant

  TACTUS_HD void evaluate_inside(StepSpan span, const DenseOutput& dense, std::uint64_t offset_us) {
    TACTUS_ASSERT(offset_us <= span.length_us, "an instant within the step");
    const double theta = static_cast<double>(offset_us) / static_cast<double>(span.length_us);
    dense.evaluate(theta, x_);
    evaluate_guards(system_, span.start_us + offset_us, x_, values_);
  }

  /// First whole microsecond in (lo, hi] at which the interpolant has the new sign.
  TACTUS_HD std::uint64_t bisect_inside(StepSpan span, const DenseOutput& dense,
                                        const Values& before, std::uint64_t lo_us,
                                        std::uint64_t hi_us) {
    TACTUS_ASSERT(lo_us < hi_us && hi_us <= span.length_us, "an interval within the step");
    while (hi_us - lo_us > 1) {
      const std::uint64_t middle_us = lo_us + (hi_us - lo_us) / 2;
      evaluate_inside(span, dense, middle_us);
      (values_.first_fired_since(before) >= 0 ? hi_us : lo_us) = middle_us;
    }
    return span.start_us + hi_us;
  }

  /// Has a guard fired at the end of a step, if the flight since the snapshot is stepped with
  /// `t_us` as its end? A probe that fails has not fired: the flight itself will meet the failure.
  TACTUS_HD TACTUS_NOINLINE bool has_fired_by(const Snapshot<S>& snapshot, std::uint64_t t_us) {
    TACTUS_ASSERT(t_us >= snapshot.at_us, "a probe goes forward from the snapshot");
    SolverMemory<S::kCapacity> memory;
    memory.step = snapshot.step;
    if (snapshot.step.derivative_valid) {
      copy_entries(snapshot.derivative, memory.derivative, system_.size());
    }
    copy_entries(snapshot.x, x_, system_.size());
    last_.copy_from(snapshot.guards);
    Stepper<method, S> stepper(system_, config_, memory, x_, false);
    stepper.set_attempts(snapshot.attempts);
    bool has_fired = false;
    std::uint64_t at_us = snapshot.at_us;
    while (!has_fired && at_us < t_us && stepper.step(at_us, t_us) == Status::kOk) {
      at_us += stepper.span().length_us;
      evaluate_guards(system_, at_us, x_, values_);
      has_fired = values_.first_fired_since(last_) >= 0;
      last_.copy_from(values_);
    }
    totals_.evaluations += memory.totals.evaluations;
    totals_.probes += memory.totals.accepted;
    return has_fired;
  }

  /// The t with has_fired_by(t) and not has_fired_by(t − 1), searched from `guess_us` outwards,
  /// then by bisection. kNone if there is none up to the limit.
  TACTUS_HD std::uint64_t locate(const Snapshot<S>& snapshot, std::uint64_t guess_us,
                                 std::uint64_t limit_us) {
    TACTUS_ASSERT(guess_us > snapshot.at_us && guess_us <= limit_us, "a guess within reach");
    std::uint64_t lo_us = snapshot.at_us;
    std::uint64_t hi_us = guess_us;
    if (has_fired_by(snapshot, guess_us)) {
      for (std::uint64_t stride_us = 1; hi_us - lo_us > 1; stride_us *= 2) {
        const std::uint64_t t_us = hi_us - lo_us > stride_us ? hi_us - stride_us : lo_us + 1;
        if (!has_fired_by(snapshot, t_us)) {
          lo_us = t_us;
          break;
        }
        hi_us = t_us;
      }
    } else {
      lo_us = guess_us;
      for (std::uint64_t stride_us = 1;; stride_us *= 2) {
        if (lo_us >= limit_us) return kNone;
        hi_us = limit_us - lo_us > stride_us ? lo_us + stride_us : limit_us;
        if (has_fired_by(snapshot, hi_us)) break;
        lo_us = hi_us;
      }
    }
    while (hi_us - lo_us > 1) {
      const std::uint64_t middle_us = lo_us + (hi_us - lo_us) / 2;
      (has_fired_by(snapshot, middle_us) ? hi_us : lo_us) = middle_us;
    }
    TACTUS_ASSERT(hi_us > snapshot.at_us && hi_us <= limit_us, "an event within reach");
    return hi_us;
  }

  const S& system_;
  const SolverConfig& config_;
  SolverTotals& totals_;
  double x_[S::kCapacity];
  Values values_;
  Values last_;
};

}  // namespace tactus
