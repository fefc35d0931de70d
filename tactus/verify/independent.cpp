// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole plant against an integrator that others wrote.

#include "tactus/plant/iris.h"
#include "tactus/verify/check.h"

namespace tactus::verify {
namespace {

constexpr char kTheme[] = "independent";

// The limits are those asked of RK45 at 1e-9 over ten seconds; the reference must know its own
// answer ten times better.
Rows sundials(const IndependentComparison& c) {
  return {{"SUNDIALS 1e-11 vs SUNDIALS 1e-13, position", c.own.position_m, 1e-8, "m"},
          {"SUNDIALS 1e-11 vs SUNDIALS 1e-13, attitude", c.own.attitude_rad, 1e-9, "rad"},
          {"rk45 1e-9 vs SUNDIALS 1e-13, position", c.tactus.position_m, 1e-7, "m"},
          {"rk45 1e-9 vs SUNDIALS 1e-13, attitude", c.tactus.attitude_rad, 1e-8, "rad"}};
}

}  // namespace

std::vector<Check> independent_checks(const IndependentIntegrator& independent) {
  const auto& compare = independent.compare;
  return {
      {"sundials_iris", kTheme, "Iris, commands and wind, 10 s, vs SUNDIALS (Fehlberg 8)",
       [compare] { return sundials(compare(iris_parameters())); }, independent.lacks},
      {"sundials_quadratic", kTheme, "the same with the quadratic propeller",
       [compare] { return sundials(compare(iris_quadratic_parameters())); }, independent.lacks}};
}

}  // namespace tactus::verify
