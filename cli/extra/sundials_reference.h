// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// SUNDIALS as an independent integrator: the explicit Runge–Kutta pair of Fehlberg, orders 8 and 7,
// in ARKODE (Reynolds et al., ACM TOMS 49, 2023). It shares the right-hand side with the solvers of
// Tactus and nothing else: neither tableau nor error control nor interpolation.
// What includes this links sundials_arkode and sundials_nvecserial.

#include <arkode/arkode_erkstep.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "tactus/core/error.h"

namespace tactus::verify {

/// Integrates x' = f(t, x); started afresh at the beginning of every interval.
class SundialsReference {
 public:
  using RightHandSide = std::function<void(double t_s, const double* x, double* dx)>;

  /// The tolerance is relative and absolute (SI units), per entry and step.
  SundialsReference(RightHandSide f, std::vector<double> x, double tolerance)
      : f_(std::move(f)), x_(std::move(x)) {
    require(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    vector_ = N_VMake_Serial(static_cast<sunindextype>(x_.size()), x_.data(), context_);
    require(vector_ == nullptr ? -1 : 0, "N_VMake_Serial");
    solver_ = ERKStepCreate(call, 0.0, vector_, context_);
    require(solver_ == nullptr ? -1 : 0, "ERKStepCreate");
    require(ERKStepSetUserData(solver_, this), "ERKStepSetUserData");
    require(ERKStepSetTableNum(solver_, ARKODE_FEHLBERG_13_7_8), "ERKStepSetTableNum");
    require(ERKStepSStolerances(solver_, tolerance, tolerance), "ERKStepSStolerances");
    require(ERKStepSetMaxNumSteps(solver_, 1'000'000), "ERKStepSetMaxNumSteps");
  }
  ~SundialsReference() {
    ERKStepFree(&solver_);
    N_VDestroy(vector_);
    SUNContext_Free(&context_);
  }
  SundialsReference(const SundialsReference&) = delete;
  SundialsReference& operator=(const SundialsReference&) = delete;

  /// One interval; t_s starts at zero in it.
  void advance(double duration_s) {
    require(ERKStepReInit(solver_, call, 0.0, vector_), "ERKStepReInit");
    require(ERKStepSetStopTime(solver_, duration_s), "ERKStepSetStopTime");
    double reached_s = 0.0;
    const int status = ERKStepEvolve(solver_, duration_s, vector_, &reached_s, ARK_NORMAL);
    require(status, "ERKStepEvolve");
  }

  [[nodiscard]] const std::vector<double>& x() const { return x_; }

 private:
  static int call(realtype t, N_Vector x, N_Vector dx, void* self) {
    static_cast<SundialsReference*>(self)->f_(t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
    return 0;
  }
  static void require(int status, const char* what) {
    if (status >= 0) return;
    throw Error(ExitCode::kRunStopped, fmt::format("SUNDIALS: {} returned {}", what, status));
  }

  RightHandSide f_;
  std::vector<double> x_;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr;
  void* solver_ = nullptr;
};

}  // namespace tactus::verify
