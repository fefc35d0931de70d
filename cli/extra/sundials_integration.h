// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The multirotor integrated by SUNDIALS (ARKODE, Fehlberg 8(7)) instead of a solver of Tactus. The
// right-hand side, the guards and what an event does are the same; tableau, error control,
// interpolation and the search for events are not ours.
//
// ARKODE is started afresh at every boundary. After each of its steps the guards are evaluated, at
// the end and at three points inside on its dense output; the first whole microsecond at which one
// has fired is found by bisection there, and the interval is integrated again to that instant.
// Nothing is remembered from one interval to the next, so copies may share an object.
// What includes this links sundials_arkode and sundials_nvecserial.

#include <arkode/arkode_erkstep.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tactus/core/error.h"
#include "tactus/replay/compare/compare.h"
#include "tactus/solver/guard_values.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus::cli {

class SundialsMultirotor {
 public:
  explicit SundialsMultirotor(double tolerance) : tolerance_(tolerance) {
    require(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
  }
  ~SundialsMultirotor() {
    if (solver_ != nullptr) ERKStepFree(&solver_);
    if (state_ != nullptr) N_VDestroy(state_);
    if (inside_ != nullptr) N_VDestroy(inside_);
    SUNContext_Free(&context_);
  }
  SundialsMultirotor(const SundialsMultirotor&) = delete;
  SundialsMultirotor& operator=(const SundialsMultirotor&) = delete;

  /// As integrate() of multirotor_flight.h; of the configuration nothing is used.
  bool integrate(const Multirotor& vehicle, const MultirotorInput& held, WatchList watches,
                 TimeUs end, MultirotorFlight& flight, MultirotorSamples* samples) {
    const TimeUs target = std::min(end, next_restart(flight.modes));
    const MultirotorSystem system = make_system(vehicle, flight.modes, held, watches);
    begin(system, flight);
    const std::uint64_t length_us = (target - flight.now).us;
    std::uint64_t reached_us = advance_to(length_us, flight.now, samples);
    bool fired = reached_us <= length_us;
    if (reached_us < length_us) {
      fired = false;
      // The dense output may be early by a hair: trust only a state.
      for (int attempt = 0; attempt < kAttempts && !fired; ++attempt) {
        begin(system, flight);
        reached_us = std::min(reached_us + (attempt == 0 ? 0U : 1U), length_us);
        go_straight_to(reached_us);
        fired = has_fired(N_VGetArrayPointer(state_));
      }
    }
    finish(vehicle, std::min(reached_us, length_us), fired, flight, samples);
    return fired;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr int kSamples = 3;   ///< inside a step
  static constexpr int kAttempts = 8;  ///< to end on the new side of a guard

  void begin(const MultirotorSystem& system, const MultirotorFlight& flight) {
    system_ = &system;
    if (solver_ == nullptr) create();
    std::copy_n(flight.state.x, system.size(), N_VGetArrayPointer(state_));
    require(ERKStepReInit(solver_, call, 0.0, state_), "ERKStepReInit");
    evaluate_guards(system, 0, flight.state.x, before_);
  }

  void create() {
    const sunindextype size = system_->size();
    state_ = N_VNew_Serial(size, context_);
    inside_ = N_VNew_Serial(size, context_);
    require(state_ == nullptr || inside_ == nullptr ? -1 : 0, "N_VNew_Serial");
    N_VConst(0.0, state_);
    solver_ = ERKStepCreate(call, 0.0, state_, context_);
    require(solver_ == nullptr ? -1 : 0, "ERKStepCreate");
    require(ERKStepSetUserData(solver_, this), "ERKStepSetUserData");
    require(ERKStepSetTableNum(solver_, ARKODE_FEHLBERG_13_7_8), "ERKStepSetTableNum");
    require(ERKStepSStolerances(solver_, tolerance_, tolerance_), "ERKStepSStolerances");
    require(ERKStepSetMaxNumSteps(solver_, 1'000'000), "ERKStepSetMaxNumSteps");
    // A kink of the right-hand side (stick and slip) may cost many rejections in a row.
    require(ERKStepSetMaxErrTestFails(solver_, 1000), "ERKStepSetMaxErrTestFails");
  }

  /// To that end, or until a guard has fired within a step; returns when, kNone: none has.
  std::uint64_t advance_to(std::uint64_t length_us, TimeUs start, MultirotorSamples* samples) {
    const double length_s = to_seconds(DurationUs(length_us));
    require(ERKStepSetStopTime(solver_, length_s), "ERKStepSetStopTime");
    for (double t_s = 0.0; t_s < length_s;) {
      const double from_s = t_s;
      require(ERKStepEvolve(solver_, length_s, state_, &t_s, ARK_ONE_STEP), "ERKStepEvolve");
      if (samples != nullptr) sample(start, from_s, t_s, length_us, *samples);
      const std::uint64_t event_us = find_event(from_s, t_s, length_us);
      if (event_us != kNone) return event_us;
    }
    return kNone;
  }

  void go_straight_to(std::uint64_t end_us) {
    const double end_s = to_seconds(DurationUs(end_us));
    require(ERKStepSetStopTime(solver_, end_s), "ERKStepSetStopTime");
    double reached_s = 0.0;
    require(ERKStepEvolve(solver_, end_s, state_, &reached_s, ARK_NORMAL), "ERKStepEvolve");
  }

  [[nodiscard]] const double* state_at(double t_s) {
    require(ERKStepGetDky(solver_, t_s, 0, inside_), "ERKStepGetDky");
    return N_VGetArrayPointer(inside_);
  }

  [[nodiscard]] bool has_fired(const double* x) {
    evaluate_guards(*system_, 0, x, after_);  // the multirotor's guards do not depend on the time
    return after_.first_fired_since(before_) >= 0;
  }

  std::uint64_t find_event(double from_s, double to_s, std::uint64_t length_us) {
    double quiet_s = from_s;
    for (int part = 1; part <= kSamples + 1; ++part) {
      const bool at_end = part == kSamples + 1;
      const double t_s = at_end ? to_s : from_s + (to_s - from_s) * part / (kSamples + 1);
      if (has_fired(at_end ? N_VGetArrayPointer(state_) : state_at(t_s))) {
        return bisect(quiet_s, t_s, length_us);
      }
      quiet_s = t_s;
    }
    before_.copy_from(after_);
    return kNone;
  }

  /// First whole microsecond after `quiet_s` at which a guard has fired, which it has at `fired_s`.
  std::uint64_t bisect(double quiet_s, double fired_s, std::uint64_t length_us) {
    auto lo_us = static_cast<std::uint64_t>(std::floor(quiet_s * 1e6));
    auto hi_us = std::min(length_us, static_cast<std::uint64_t>(std::ceil(fired_s * 1e6)));
    while (hi_us - lo_us > 1) {
      const std::uint64_t middle_us = lo_us + (hi_us - lo_us) / 2;
      const bool fired = has_fired(state_at(to_seconds(DurationUs(middle_us))));
      (fired ? hi_us : lo_us) = middle_us;
    }
    return std::max<std::uint64_t>(hi_us, 1);
  }

  void sample(TimeUs start, double from_s, double to_s, std::uint64_t length_us,
              MultirotorSamples& samples) {
    const std::uint64_t period_us = samples.period.us;
    for (std::uint64_t at_us = period_us - start.us % period_us; at_us < length_us;
         at_us += period_us) {
      const double at_s = to_seconds(DurationUs(at_us));
      if (at_s <= from_s || at_s > to_s) continue;
      auto& out = samples.samples.emplace_back();
      out.time = start + DurationUs(at_us);
      std::copy_n(state_at(at_s), system_->size(), out.x);
    }
  }

  void finish(const Multirotor& vehicle, std::uint64_t reached_us, bool fired,
              MultirotorFlight& flight, MultirotorSamples* samples) {
    const auto normalise = [&vehicle](double* x) {
      double* const q = x + vehicle.layout.attitude;
      store(q, normalized(load_quat(q)));
    };
    SolverTotals& totals = flight.memory.totals;
    std::copy_n(N_VGetArrayPointer(state_), system_->size(), flight.state.x);
    normalise(flight.state.x);
    totals.projected += static_cast<std::uint64_t>(system_->project(flight.state.x));
    flight.now = flight.now + DurationUs(reached_us);
    flight.memory.invalidate_derivative();
    long steps = 0;
    long rejected = 0;
    require(ERKStepGetNumSteps(solver_, &steps), "ERKStepGetNumSteps");
    require(ERKStepGetNumErrTestFails(solver_, &rejected), "ERKStepGetNumErrTestFails");
    totals.accepted += static_cast<std::uint64_t>(steps);
    totals.rejected += static_cast<std::uint64_t>(rejected);
    totals.evaluations += evaluations_;
    totals.events += fired ? 1U : 0U;
    evaluations_ = 0;
    if (samples == nullptr) return;
    samples->drop_from(flight.now);
    for (auto& taken : samples->samples) normalise(taken.x);
  }

  /// A state at which the model has no answer makes ARKODE try a shorter step.
  static int call(realtype t, N_Vector x, N_Vector dx, void* user) {
    auto* const self = static_cast<SundialsMultirotor*>(user);
    ++self->evaluations_;
    const Status status =
        self->system_->derivative(t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
    return status == Status::kOk ? 0 : 1;
  }

  static void require(int status, const char* what) {
    if (status >= 0) return;
    throw Error(ExitCode::kRunStopped, fmt::format("SUNDIALS: {} returned {}", what, status));
  }

  double tolerance_;
  SUNContext context_ = nullptr;
  void* solver_ = nullptr;
  N_Vector state_ = nullptr;
  N_Vector inside_ = nullptr;
  const MultirotorSystem* system_ = nullptr;  ///< of the present interval
  GuardValuesOf<MultirotorSystem> before_;
  GuardValuesOf<MultirotorSystem> after_;
  std::uint64_t evaluations_ = 0;
};

/// The tolerance is relative and absolute (SI units), per entry of the state and step.
inline Integration sundials_integration(double tolerance) {
  Integration out;
  out.name = fmt::format("sundials {:g}", tolerance);
  out.solver = default_config(Method::kRk45);
  const auto sundials = std::make_shared<SundialsMultirotor>(tolerance);
  out.instead = [sundials](const Multirotor& vehicle, const SolverConfig&,
                           const MultirotorInput& held, WatchList watches, TimeUs end,
                           MultirotorFlight& flight, MultirotorSamples* samples) {
    return sundials->integrate(vehicle, held, watches, end, flight, samples);
  };
  return out;
}

}  // namespace tactus::cli
