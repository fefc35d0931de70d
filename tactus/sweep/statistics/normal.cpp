// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/statistics/normal.h"

#include <array>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"

namespace tactus::sweep {
namespace {

constexpr double kInverseRootTwoPi = 0x1.9884533d43651p-2;

using Coefficients = std::array<double, 8>;

double polynomial(const Coefficients& c, double x) {
  double sum = c[7];
  for (std::size_t i = 7; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

// Ratios of polynomials of the middle, and of r = sqrt(-log of the tail) up to 5 and beyond.
constexpr Coefficients kMiddleAbove = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                       1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                       4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                       3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr Coefficients kMiddleBelow = {1.0,
                                       4.2313330701600911252e+1,
                                       6.8718700749205790830e+2,
                                       5.3941960214247511077e+3,
                                       2.1213794301586595867e+4,
                                       3.9307895800092710610e+4,
                                       2.8729085735721942674e+4,
                                       5.2264952788528545610e+3};
constexpr Coefficients kTailAbove = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                     5.76949722146069140550e0,  3.64784832476320460504e0,
                                     1.27045825245236838258e0,  2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kTailBelow = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
constexpr Coefficients kFarTailAbove = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                        1.78482653991729133580e0,  2.96560571828504891230e-1,
                                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients kFarTailBelow = {1.0,
                                        5.99832206555887937690e-1,
                                        1.36929880922735805310e-1,
                                        1.48753612908506148525e-2,
                                        7.86869131145613259100e-4,
                                        1.84631831751005468180e-5,
                                        1.42151175831644588870e-7,
                                        2.04426310338993978564e-15};

}  // namespace

double normal_density(double x) {
  const double head = math::detail::head(x);
  const double rest = x - head;
  return kInverseRootTwoPi * math::exp(-0.5 * head * head) * math::exp(-0.5 * rest * (x + head));
}

double normal_tail(double x) {
  if (math::is_nan(x)) return math::canonical_nan();
  if (x < -1.3) return 1.0 - normal_tail(-x);
  if (x <= 1.3) {
    // x + x^3/3 + x^5/(3 5) + ...
    double term = x;
    double sum = x;
    for (int i = 3; math::abs(term) > 0x1p-55 * math::abs(sum); i += 2) {
      term *= x * x / i;
      sum += term;
    }
    return 0.5 - normal_density(x) * sum;
  }
  if (x > 39.0) return 0.0;
  // x + 1/(x + 2/(x + 3/(x + ...))), from behind; so many that the rest is below 2^-60.
  const double terms = 20.0 + 300.0 / (x * x);
  double fraction = x;
  for (double i = math::floor(terms); i >= 1.0; i -= 1.0) fraction = x + i / fraction;
  return normal_density(x) / fraction;
}

double normal_quantile(double probability) {
  TACTUS_ASSERT(probability >= 0.0 && probability <= 1.0, "a probability");
  const double q = probability - 0.5;
  if (math::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleAbove, r) / polynomial(kMiddleBelow, r);
  }
  const double tail = q < 0.0 ? probability : 1.0 - probability;
  if (tail == 0.0) return math::copysign(math::infinity(), q);
  const double r = math::sqrt(-math::log(tail));
  const double x = r <= 5.0
                       ? polynomial(kTailAbove, r - 1.6) / polynomial(kTailBelow, r - 1.6)
                       : polynomial(kFarTailAbove, r - 5.0) / polynomial(kFarTailBelow, r - 5.0);
  return math::copysign(x, q);
}

}  // namespace tactus::sweep
