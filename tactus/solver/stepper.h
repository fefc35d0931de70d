// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One accepted step of a method: attempts, error control, projection, memory. It works on state and
// memory of its caller (the flight, or a probe of the guard search) and owns the scratch arrays.
//
//   step(at, limit)
//     k0 = remembered derivative, or f(x)
//     fixed      h = min(step_us, limit − at); take the step
//     adaptive   h = min(proposal, limit − at); repeat: take the step; if its error > 1, reduce h
//                (down to h_min, which is tried) and try again; a step of h_min across a guard is
//                accepted whatever its error, because the law may have a kink there; a step of one
//                microsecond, which cannot be cut, if its error is not out of all proportion:
//                that is counted (SolverTotals::kinks)
//     x = x_new; project; remember f(x) if it is known for these bits
//
// A step that is cut by `limit` may raise the proposal but not lower it, and leaves the
// controller's previous error alone: short intervals do not disturb the step size.

#include <cstdint>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/status.h"
#include "tactus/core/time.h"
#include "tactus/solver/config.h"
#include "tactus/solver/controller.h"
#include "tactus/solver/dense_output.h"
#include "tactus/solver/error_norm.h"
#include "tactus/solver/guard_values.h"
#include "tactus/solver/lie_rk4.h"
#include "tactus/solver/memory.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/starting_step.h"
#include "tactus/solver/system.h"
#include "tactus/solver/tableau.h"

namespace tactus {

template <Method>
struct MethodTraits;
template <>
struct MethodTraits<Method::kEuler> {
  using Tableau = EulerTableau;
};
template <>
struct MethodTraits<Method::kRk4> {
  using Tableau = Rk4Tableau;
};
template <>
struct MethodTraits<Method::kRk23> {
  using Tableau = BogackiShampineTableau;
};
template <>
struct MethodTraits<Method::kRk45> {
  using Tableau = DormandPrinceTableau;
};
template <>
struct MethodTraits<Method::kLieRk4> {
  using Tableau = Rk4Tableau;
};

/// Why a step failed.
struct StepFailure {
  Status status = Status::kOk;
  int index = -1;      ///< entry of the state, -1 if no single one is to blame
  double error = 0.0;  ///< in units of the tolerance
};

template <Method method, System S>
class Stepper {
 public:
  using Tableau = typename MethodTraits<method>::Tableau;
  using Memory = SolverMemory<S::kCapacity>;
  static constexpr int kStages = Tableau::kStages;
  static constexpr int kSumStages = kStages - (Tableau::kLastStageAtEnd ? 1 : 0);

  /// `dense`: the state inside a step will be asked for.
  TACTUS_HD Stepper(const S& system, const SolverConfig& config, Memory& memory, double* x,
                    bool dense)
      : system_(system), config_(config), memory_(memory), x_(x), dense_(dense) {}

  /// One accepted step from `at_us` to at most `limit_us`, both counted from the start of the
  /// interval. After a failure x is still the state at `at_us`.
  TACTUS_HD Status step(std::uint64_t at_us, std::uint64_t limit_us) {
    TACTUS_ASSERT(at_us < limit_us, "a step has a length");
    span_ = {at_us, limit_us - at_us};
    longest_attempt_us_ = 0;
    if (!find_first_stage()) return failure_.status;
    if constexpr (is_adaptive(method)) {
      if (!find_accepted_step()) return failure_.status;
    } else {
      if (config_.step_us != 0 && config_.step_us < span_.length_us) {
        span_.length_us = config_.step_us;
      }
      longest_attempt_us_ = span_.length_us;
      const Status status = attempt();
      if (status != Status::kOk) return diagnose(status).status;
    }
    finish_step();
    TACTUS_ASSERT(span_.length_us > 0 && span_.length_us <= limit_us - at_us,
                  "a step goes on, and is cut at its limit");
    TACTUS_ASSERT(longest_attempt_us_ >= span_.length_us, "the step itself is an attempt");
    return Status::kOk;
  }

  [[nodiscard]] TACTUS_HD StepSpan span() const { return span_; }  ///< of the last step or attempt
  /// How far ahead the last step looked, rejected attempts included.
  [[nodiscard]] TACTUS_HD std::uint64_t longest_attempt_us() const { return longest_attempt_us_; }
  [[nodiscard]] TACTUS_HD const StepFailure& failure() const { return failure_; }

  /// Attempts since the interval began; the guard search sets them back with the state.
  [[nodiscard]] TACTUS_HD std::uint64_t attempts() const { return attempts_; }
  TACTUS_HD void set_attempts(std::uint64_t attempts) {
    TACTUS_ASSERT(attempts <= config_.max_attempts, "attempts of an interval that went on");
    attempts_ = attempts;
  }

  /// Where the last step began; only if `dense` was asked for, as the next.
  [[nodiscard]] TACTUS_HD const double* start_state() const {
    TACTUS_ASSERT(dense_, "the start of a step that was asked to be kept");
    return x_start_;
  }

  /// The inside of the last step.
  [[nodiscard]] TACTUS_HD DenseOutput dense_output(TimeUs interval_start) {
    TACTUS_ASSERT(dense_, "dense output that was asked for");
    TACTUS_ASSERT(span_.length_us > 0, "a step that was taken");
    DenseOutput output;
    output.start = interval_start + DurationUs(span_.start_us);
    output.length = DurationUs(span_.length_us);
    output.size = system_.size();
    output.x0 = x_start_;
    output.x1 = x_;
    if (!has_end_derivative_) return output;
    output.f0 = w_.k[0];
    output.f1 = Tableau::kLastStageAtEnd ? w_.k[kStages - 1] : memory_.derivative;
    if constexpr (method == Method::kRk45) {
      weighted_sums<DenseRow<Tableau>, kStages>(1.0, w_.k, system_.size(), w_.stage);
      output.bump = w_.stage;
    }
    return output;
  }

 private:
  TACTUS_HD bool find_first_stage() {
    w_.stages_done = 1;
    if (memory_.step.derivative_valid) {
      copy_entries(memory_.derivative, w_.k[0], system_.size());
      return true;
    }
    ++memory_.totals.evaluations;
    const Status status = system_.derivative(span_.time_s(0.0), x_, w_.k[0]);
    if (status == Status::kOk) return true;
    w_.stages_done = 0;
    return fail(diagnose(status));
  }

  TACTUS_HD Status attempt() {
    w_.stages_done = 1;
    memory_.totals.evaluations += kStages - 1;
    if constexpr (method == Method::kLieRk4) {
      return lie_rk4_step(system_, span_, x_, w_);
    } else {
      return runge_kutta_step<Tableau>(system_, span_, x_, w_);
    }
  }

  /// Error of the last attempt; infinite if it has no usable result.
  TACTUS_HD ErrorEstimate estimate_error(Status status) {
    if (status != Status::kOk) return {math::infinity(), -1, ErrorGroup::kOther};
    weighted_sums<ErrorRow<Tableau>, kStages>(span_.length_s(), w_.k, system_.size(), w_.stage);
    return error_norm(config_, system_.groups(), x_, w_.x_new, w_.stage);
  }

  TACTUS_HD bool find_accepted_step() {
    StepMemory& step = memory_.step;
    if (step.proposal_us == 0) step.proposal_us = first_proposal_us();
    if (step.proposal_us < span_.length_us) span_.length_us = step.proposal_us;
    TACTUS_ASSERT(span_.length_us > 0, "a proposal is at least a microsecond");
    bool has_rejected = false;
    for (;;) {
      if (attempts_ == config_.max_attempts) return fail({Status::kTooManySteps, -1, 0.0});
      ++attempts_;
      if (span_.length_us > longest_attempt_us_) longest_attempt_us_ = span_.length_us;
      const Status status = attempt();
      const ErrorEstimate estimate = estimate_error(status);
      const bool is_shortest = span_.length_us <= config_.h_min_us;
      if (estimate.value <= 1.0 || (is_shortest && status == Status::kOk &&
                                    (contains_guard_crossing() || is_kink(estimate.value)))) {
        remember_step(estimate.value, has_rejected);
        return true;
      }
      ++memory_.totals.rejected;
      has_rejected = true;
      if (status != Status::kOk && starts_non_finite()) return fail(diagnose(status));
      if (is_shortest) {
        return fail(status != Status::kOk
                        ? diagnose(status)
                        : StepFailure{Status::kStepTooSmall, estimate.index, estimate.value});
      }
      step.proposal_us = reduced_step_us(estimate.value);
      TACTUS_ASSERT(step.proposal_us > 0 && step.proposal_us < span_.length_us,
                    "a rejected step is tried again with a shorter one");
      span_.length_us = step.proposal_us;
    }
  }

  /// A model may change its law where a guard fires. No step across that kink has a small error
  /// estimate, so the shortest one is taken: it ends in the event, at which the caller acts.
  TACTUS_HD bool contains_guard_crossing() const {
    if constexpr (HasGuards<S>) {
      GuardValuesOf<S> before;
      GuardValuesOf<S> after;
      evaluate_guards(system_, span_.start_us, x_, before);
      evaluate_guards(system_, span_.start_us + span_.length_us, w_.x_new, after);
      return after.first_fired_since(before) >= 0;
    } else {
      return false;
    }
  }

  /// A law whose slope jumps is off by about h² times the jump, and h ends at the resolution of the
  /// clock. A law that jumps itself, or a state that runs away, is off by far more.
  TACTUS_HD bool is_kink(double error) {
    constexpr double kLargestKink = 1000.0;
    if (span_.length_us > 1 || !(error <= kLargestKink)) return false;
    ++memory_.totals.kinks;
    return true;
  }

  TACTUS_HD std::uint64_t first_proposal_us() {
    if (config_.h_init_us != 0) return config_.h_init_us;
    ++memory_.totals.evaluations;
    return starting_step_us(system_, config_, Tableau::kErrorOrder, span_, x_, w_);
  }

  TACTUS_HD std::uint64_t reduced_step_us(double error) const {
    const double factor = factor_after_rejected(config_, Tableau::kErrorOrder, error);
    const std::uint64_t reduced_us =
        quantised_step_us(config_, factor * static_cast<double>(span_.length_us));
    return reduced_us < span_.length_us ? reduced_us : span_.length_us - 1;
  }

  TACTUS_HD void remember_step(double error, bool has_rejected) {
    StepMemory& step = memory_.step;
    double factor =
        factor_after_accepted(config_, Tableau::kErrorOrder, error, step.previous_error);
    if (has_rejected) factor = math::min(factor, 1.0);
    const std::uint64_t next_us =
        quantised_step_us(config_, factor * static_cast<double>(span_.length_us));
    const bool was_cut = span_.length_us < step.proposal_us;
    if (was_cut) {
      if (next_us > step.proposal_us) step.proposal_us = next_us;
      return;
    }
    TACTUS_ASSERT(next_us >= config_.h_min_us && next_us <= longest_step_us(config_),
                  "a proposal within the limits");
    step.proposal_us = next_us;
    step.previous_error = math::max(error, kSmallestRememberedError);
  }

  /// Carries x_new on. The derivative there is kept only if it belongs to these very bits.
  TACTUS_HD void finish_step() {
    const int n = system_.size();
    if (dense_) copy_entries(x_, x_start_, n);
    copy_entries(w_.x_new, x_, n);
    int changed = 0;
    if constexpr (HasProjection<S>) changed = system_.project(x_);
    TACTUS_ASSERT(changed >= 0 && changed <= n, "entries that the projection changed");
    ++memory_.totals.accepted;
    memory_.totals.projected += static_cast<std::uint64_t>(changed);
    memory_.step.derivative_valid = false;
    if constexpr (Tableau::kLastStageAtEnd) {
      copy_entries(w_.k[kStages - 1], memory_.derivative, n);
      memory_.step.derivative_valid = changed == 0;
      has_end_derivative_ = true;
    }
    if (dense_) find_end_derivative();
  }

  TACTUS_HD void find_end_derivative() {
    if constexpr (method == Method::kRk4 || method == Method::kLieRk4) {
      // The Hermite polynomial needs the derivative at the end, and the next step starts with it.
      // If it cannot be had, the next step will say so.
      ++memory_.totals.evaluations;
      const Status status = system_.derivative(span_.time_s(1.0), x_, memory_.derivative);
      has_end_derivative_ = status == Status::kOk && all_finite(memory_.derivative, system_.size());
      memory_.step.derivative_valid = has_end_derivative_;
    }
  }

  [[nodiscard]] TACTUS_HD bool starts_non_finite() const {
    return !all_finite(x_, system_.size()) || !all_finite(w_.k[0], system_.size());
  }

  TACTUS_HD bool fail(const StepFailure& failure) {
    TACTUS_ASSERT(failure.status != Status::kOk, "a failure has a reason");
    failure_ = failure;
    return false;
  }

  /// Turns "something is not finite" into the first place where it was: the state, then the stages
  /// in order, then the new state. Other reasons keep their status and name no entry.
  TACTUS_HD const StepFailure& diagnose(Status status) {
    TACTUS_ASSERT(w_.stages_done >= 0 && w_.stages_done <= kStages, "stages of this method");
    if (blame(Status::kNonFiniteState, x_)) return failure_;
    if (status == Status::kNonFiniteState || status == Status::kNonFiniteDerivative) {
      for (int stage = 0; stage < w_.stages_done; ++stage) {
        if (blame(Status::kNonFiniteDerivative, w_.k[stage])) return failure_;
      }
      const bool has_new_state = w_.stages_done >= kSumStages;
      if (has_new_state && blame(Status::kNonFiniteState, w_.x_new)) return failure_;
    }
    failure_ = {status, -1, math::infinity()};
    return failure_;
  }

  /// True, and noted, if an entry of v is not finite.
  TACTUS_HD bool blame(Status status, const double* v) {
    for (int i = 0; i < system_.size(); ++i) {
      if (math::is_finite(v[i])) continue;
      failure_ = {status, i, math::infinity()};
      return true;
    }
    return false;
  }

  const S& system_;
  const SolverConfig& config_;
  Memory& memory_;
  double* x_;
  bool dense_;
  bool has_end_derivative_ = false;
  StepSpan span_;
  std::uint64_t longest_attempt_us_ = 0;
  std::uint64_t attempts_ = 0;
  StepFailure failure_;
  StepArrays<S::kCapacity, kStages> w_;
  double x_start_[S::kCapacity];
};

}  // namespace tactus
