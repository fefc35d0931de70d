// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The standard normal distribution.
//
// Density: exp(-x^2/2) / sqrt(2 pi), the square split so that nothing of it is lost.
// Tail Q(x): below 1.3 one half minus the series of Abramowitz and Stegun 26.2.11, whose terms are
// all positive; above it the continued fraction 26.2.14. Relative error below 2e-15 up to x = 37;
// it ends with the doubles at 38.5.
// Quantile: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
// Statistics 37 (1988), function PPND16. Relative error below 1e-15.

#pragma once

namespace tactus::sweep {

[[nodiscard]] double normal_density(double x);

/// P(X > x). P(X < x) is normal_tail(-x).
[[nodiscard]] double normal_tail(double x);

/// x with P(X < x) = probability, which is within [0, 1]; infinite at its ends.
[[nodiscard]] double normal_quantile(double probability);

}  // namespace tactus::sweep
