// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Beta, binomial and Student distributions.
//
// x^a (1-x)^b / B(a, b) after Loader, "Fast and accurate computation of binomial probabilities"
// (2000): as a product with the errors of Stirling's formula and the deviances, nothing large is
// subtracted, so it keeps about 14 digits for millions of samples.
// Regularised incomplete beta function: continued fraction DLMF 8.17.22, of the smaller side.
// Quantiles: bisection over the doubles, to the last bit of the function.

#pragma once

#include <cstdint>

namespace tactus::sweep {

/// log of x^a y^b / B(a, b) for y = 1 - x, which is given because it may have more digits; x and y
/// within (0, 1), a and b positive.
[[nodiscard]] double log_beta_kernel(double a, double b, double x, double y);

/// P(X < x) of a beta distribution, I_x(a, b); y = 1 - x.
[[nodiscard]] double beta_below(double a, double b, double x, double y);

/// x with P(X < x) = probability, which is within (0, 1).
[[nodiscard]] double beta_quantile(double a, double b, double probability);

/// P(K <= most) of the number K of successes among `count`, each of this probability.
[[nodiscard]] double binomial_at_most(std::uint64_t most, std::uint64_t count, double probability);

/// P(|T| > t) of Student's distribution.
[[nodiscard]] double student_two_sided(double t, double degrees_of_freedom);

/// t with P(|T| <= t) = confidence, which is within (0, 1).
[[nodiscard]] double student_half_width(double confidence, double degrees_of_freedom);

}  // namespace tactus::sweep
