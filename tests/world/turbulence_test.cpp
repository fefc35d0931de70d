// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: statistics of long series

#include "tactus/world/turbulence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tactus/world/wind.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr double kPi = std::numbers::pi;

// --- truth: one-sided spectra of unit variance per unit of x = ωL/V, MIL-F-8785C -----------------

double dryden(int axis, double x) {
  const double s = x * x;
  return axis == 0 ? 2.0 / kPi / (1.0 + s) : (1.0 + 3.0 * s) / (kPi * (1.0 + s) * (1.0 + s));
}

double von_karman(int axis, double x) {
  const double s = 1.339 * 1.339 * x * x;
  return axis == 0 ? 2.0 / kPi * std::pow(1.0 + s, -5.0 / 6.0)
                   : (1.0 + 8.0 / 3.0 * s) / kPi * std::pow(1.0 + s, -11.0 / 6.0);
}

double truth(TurbulenceKind kind, int axis, double x) {
  return kind == TurbulenceKind::kDryden ? dryden(axis, x) : von_karman(axis, x);
}

// --- estimate: Welch's method with a Hann window and half overlap --------------------------------

void fft(std::vector<std::complex<double>>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1) {
    const std::complex<double> step = std::polar(1.0, -2.0 * kPi / static_cast<double>(length));
    for (std::size_t i = 0; i < n; i += length) {
      std::complex<double> w = 1.0;
      for (std::size_t k = 0; k < length / 2; ++k, w *= step) {
        const std::complex<double> u = a[i + k];
        const std::complex<double> v = a[i + k + length / 2] * w;
        a[i + k] = u + v;
        a[i + k + length / 2] = u - v;
      }
    }
  }
}

/// Enough samples for the limits below at either scale; six times as many in the full run.
long samples(long least) { return std::max(least, testing::scaled(6 * least)); }

class Welch {
 public:
  Welch(std::size_t size, double dt) : size_(size), dt_(dt), power_(size / 2) {}

  void add(double value) {
    segment_.push_back(value);
    if (segment_.size() < size_) return;
    std::vector<std::complex<double>> a(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const double turn = static_cast<double>(i) / static_cast<double>(size_);
      a[i] = segment_[i] * (0.5 - 0.5 * std::cos(2.0 * kPi * turn));
    }
    fft(a);
    for (std::size_t k = 0; k < power_.size(); ++k) power_[k] += std::norm(a[k]);
    ++segments_;
    segment_.erase(segment_.begin(), segment_.begin() + static_cast<std::ptrdiff_t>(size_ / 2));
  }

  /// Mean of (estimate / expected) over the bins with lo ≤ ω < hi; the spectrum is one-sided in ω.
  double mean_ratio(double lo, double hi, const std::function<double(double)>& expected) const {
    const double n = static_cast<double>(size_);
    const double scale = dt_ / (0.375 * n * kPi * static_cast<double>(segments_));
    double sum = 0.0;
    int count = 0;
    for (std::size_t k = 2; k < power_.size(); ++k) {
      const double omega = 2.0 * kPi * static_cast<double>(k) / (n * dt_);
      if (omega < lo || omega >= hi) continue;
      sum += power_[k] * scale / expected(omega);
      ++count;
    }
    EXPECT_GT(count, 2) << "band too narrow: " << lo << " " << hi;
    return sum / count;
  }

 private:
  std::size_t size_;
  double dt_;
  std::vector<double> power_;
  std::vector<double> segment_;
  int segments_ = 0;
};

std::vector<Welch> estimate(TurbulenceKind kind, double dt, std::size_t size, long count,
                            std::uint64_t seed) {
  std::vector<Welch> axes(3, Welch(size, dt));
  const RandomStream stream(seed, "wind");
  TurbulenceState state = start_turbulence(kind, stream);
  for (long tick = 1; tick <= count; ++tick) {
    const Vec3 u = turbulence_output(kind, state);
    axes[0].add(u.x);
    axes[1].add(u.y);
    axes[2].add(u.z);
    advance_turbulence(kind, stream, static_cast<std::uint64_t>(tick), dt, {1.0, 1.0, 1.0}, state);
  }
  return axes;
}

void expect_bands(const std::vector<Welch>& axes, const std::vector<double>& edges,
                  TurbulenceKind kind, double limit) {
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const double ratio = axes[static_cast<std::size_t>(axis)].mean_ratio(
          edges[i], edges[i + 1], [&](double x) { return truth(kind, axis, x); });
      EXPECT_NEAR(ratio, 1.0, limit) << "axis " << axis << ", x from " << edges[i];
      worst = std::max(worst, std::abs(ratio - 1.0));
    }
  }
  ::testing::Test::RecordProperty("worst_ratio", std::to_string(worst));
}

// --- laws without statistics ---------------------------------------------------------------------

/// Continuous spectrum of the sections of an axis, from the equations in the header.
double section_sum(const TurbulenceShape& shape, double x) {
  const double y = shape.pair_tau * x;
  const double plus = shape.pair_a + shape.pair_b;
  const double minus = shape.pair_a - shape.pair_b;
  double sum = shape.pair_variance * shape.pair_tau / kPi * 2.0 *
               (plus * plus + minus * minus * y * y) / ((1.0 + y * y) * (1.0 + y * y));
  for (int i = 0; i < shape.first_orders; ++i) {
    const double z = shape.tau[i] * x;
    sum += shape.variance[i] * shape.tau[i] * 2.0 / kPi / (1.0 + z * z);
  }
  return sum;
}

TEST(TurbulenceShape, SpectraAreThoseOfTheSpecification) {
  for (double x = 0.003; x <= 300.0; x *= 1.01) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(section_sum(turbulence_shape(TurbulenceKind::kDryden, axis), x) / dryden(axis, x),
                  1.0, 1e-14);
      EXPECT_NEAR(
          section_sum(turbulence_shape(TurbulenceKind::kVonKarman, axis), x) / von_karman(axis, x),
          1.0, 0.008)
          << axis << " " << x;
    }
  }
}

TEST(TurbulenceShape, VariancesAddUpToOne) {
  for (const auto kind :
       {TurbulenceKind::kOrnsteinUhlenbeck, TurbulenceKind::kDryden, TurbulenceKind::kVonKarman}) {
    for (int axis = 0; axis < 3; ++axis) {
      const TurbulenceShape shape = turbulence_shape(kind, axis);
      double sum = shape.pair_variance;
      for (int i = 0; i < shape.first_orders; ++i) sum += shape.variance[i];
      EXPECT_NEAR(sum, 1.0, 1e-15);
      EXPECT_NEAR(shape.pair_a * shape.pair_a + shape.pair_b * shape.pair_b, 1.0, 1e-15);
    }
  }
}

/// One step of the pair as matrices: z⁺ = Φ z + L n.
struct PairStep {
  double phi[2][2];
  double l[2][2];
};

PairStep pair_step(double theta) {
  PairStep step{};
  for (int j = 0; j < 2; ++j) {
    double z[2] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0};
    detail::advance_pair(z[0], z[1], theta, 0.0, 0.0);
    double n[2] = {0.0, 0.0};
    detail::advance_pair(n[0], n[1], theta, j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0);
    for (int i = 0; i < 2; ++i) {
      step.phi[i][j] = z[i];
      step.l[i][j] = n[i];
    }
  }
  return step;
}

TEST(TurbulenceStep, KeepsTheCovarianceAtIdentityForEveryStepLength) {
  for (double theta = 1e-9; theta < 1000.0; theta *= 1.3) {
    const PairStep s = pair_step(theta);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const double covariance = s.phi[i][0] * s.phi[j][0] + s.phi[i][1] * s.phi[j][1] +
                                  s.l[i][0] * s.l[j][0] + s.l[i][1] * s.l[j][1];
        EXPECT_NEAR(covariance, i == j ? 1.0 : 0.0, 1e-15) << theta;
      }
    }
    const double z = detail::advance_first_order(1.0, theta, 0.0);
    const double n = detail::advance_first_order(0.0, theta, 1.0);
    EXPECT_NEAR(z * z + n * n, 1.0, 1e-15) << theta;
  }
}

TEST(TurbulenceStep, TwoHalfStepsAreOneStep) {
  // Exact discretisation: Φ(2θ) = Φ(θ)², and the noise of two steps has the covariance of one. L22
  // is compared relatively: it is tiny for short steps and would be lost by cancellation.
  for (double theta = 1e-9; theta < 20.0; theta *= 1.7) {
    const PairStep half = pair_step(theta);
    const PairStep full = pair_step(2.0 * theta);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const double square = half.phi[i][0] * half.phi[0][j] + half.phi[i][1] * half.phi[1][j];
        EXPECT_NEAR(full.phi[i][j], square, 1e-14) << theta;
      }
    }
    // det(L Lᵀ) = e^(−2θ) (4 sinh² θ − 4 θ²), the exact value from its power series or closed form.
    const double t = 2.0 * theta;
    const double determinant = std::pow(full.l[0][0] * full.l[1][1], 2.0);
    const double series = t * t * t * t / 3.0 * (1.0 + t * t * 2.0 / 15.0 + t * t * t * t / 105.0);
    const double exact =
        std::exp(-2.0 * t) *
        (t < 0.02 ? 4.0 * series : 4.0 * std::pow(std::sinh(t), 2.0) - 4.0 * t * t);
    EXPECT_NEAR(determinant / exact, 1.0, 1e-11) << t;
  }
}

// --- statistics ----------------------------------------------------------------------------------

TEST(TurbulenceSpectrum, DrydenIsWithinFivePercentUpToAFifthOfNyquist) {
  const double dt = 0.1;
  const double fifth = 0.2 * kPi / dt;
  const auto axes = estimate(TurbulenceKind::kDryden, dt, 4096, samples(2'000'000), 3);
  expect_bands(axes, {0.03, 0.15, 0.3, 0.6, 1.0, 1.5, 2.2, 3.2, 4.5, 0.9 * fifth, fifth},
               TurbulenceKind::kDryden, 0.05);
}

TEST(TurbulenceSpectrum, VonKarmanIsWithinTenPercentFromAHundredthToTen) {
  // Long steps for the low bands, short ones for the high bands.
  const auto slow = estimate(TurbulenceKind::kVonKarman, 0.3, 8192, samples(2'000'000), 4);
  expect_bands(slow, {0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0}, TurbulenceKind::kVonKarman, 0.1);
  const auto fast = estimate(TurbulenceKind::kVonKarman, 0.03, 4096, samples(1'000'000), 5);
  expect_bands(fast, {0.7, 1.0, 1.5, 2.2, 3.3, 5.0, 7.0, 9.0, 10.0}, TurbulenceKind::kVonKarman,
               0.1);
}

/// A hover at zero ground speed in 5 m/s of wind: V is 5 m/s, so spectrum and variance are defined.
void expect_hover_spectrum(TurbulenceKind kind, DurationUs period, const std::vector<double>& edges,
                           double limit) {
  const double height = 5.0, wind = 5.0, angle = 0.7;
  WindParameters p;
  p.mean_W_m_s = {wind * std::cos(angle), wind * std::sin(angle), 0.0};
  p.turbulence = kind;
  const WindInput hover{height, {}};
  const RandomStream stream(6, "wind");
  TimeUs t{};
  WindState state = start_wind(p, stream, hover, t);

  std::vector<Welch> axes(3, Welch(16384, to_seconds(period)));
  double square[3] = {};
  const long count = samples(2'000'000);
  for (long i = 0; i < count; ++i) {
    const Vec3 w = step_wind(p, stream, hover, t, period, state).value_W_m_s - p.mean_W_m_s;
    t += period;
    const double u[3] = {std::cos(angle) * w.x + std::sin(angle) * w.y,
                         std::cos(angle) * w.y - std::sin(angle) * w.x, w.z};
    for (int axis = 0; axis < 3; ++axis) {
      axes[static_cast<std::size_t>(axis)].add(u[axis]);
      square[axis] += u[axis] * u[axis];
    }
  }

  const double base = 0.177 + 0.000823 * height / 0.3048;
  const double sigma[3] = {0.5 / std::pow(base, 0.4), 0.5 / std::pow(base, 0.4), 0.5};
  const double length[3] = {height / std::pow(base, 1.2), height / std::pow(base, 1.2), height};
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double variance = sigma[axis] * sigma[axis];
    const double scale = length[axis] / wind;
    EXPECT_NEAR(square[axis] / static_cast<double>(count) / variance, 1.0, 0.05);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const double ratio = axes[static_cast<std::size_t>(axis)].mean_ratio(
          edges[i] / scale, edges[i + 1] / scale,
          [&](double omega) { return variance * scale * truth(kind, axis, omega * scale); });
      EXPECT_NEAR(ratio, 1.0, limit) << "axis " << axis << ", x from " << edges[i];
      worst = std::max(worst, std::abs(ratio - 1.0));
    }
  }
  ::testing::Test::RecordProperty("worst_ratio", std::to_string(worst));
}

TEST(TurbulenceSpectrum, DrydenHoldsInAHover) {
  // The time scale of the vertical axis is 1 s: x = 4.2 is a fifth of its Nyquist frequency.
  expect_hover_spectrum(TurbulenceKind::kDryden, DurationUs(150'000),
                        {0.1, 0.4, 0.8, 1.6, 3.2, 4.2}, 0.05);
}

TEST(TurbulenceSpectrum, VonKarmanHoldsInAHover) {
  expect_hover_spectrum(TurbulenceKind::kVonKarman, DurationUs(30'000),
                        {0.2, 0.7, 1.5, 3.0, 6.0, 10.0}, 0.1);
}

class AnyTurbulence : public ::testing::TestWithParam<TurbulenceKind> {};

TEST_P(AnyTurbulence, HasUnitVarianceOverManyCorrelationTimes) {
  const RandomStream stream(11, "wind");
  TurbulenceState state = start_turbulence(GetParam(), stream);
  const double dt = 0.2;
  const long count = samples(72'000);  // 14,400 correlation times
  double square[3] = {}, mean[3] = {};
  for (long tick = 1; tick <= count; ++tick) {
    const Vec3 u = turbulence_output(GetParam(), state);
    const double values[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; ++i) {
      square[i] += values[i] * values[i];
      mean[i] += values[i];
    }
    advance_turbulence(GetParam(), stream, static_cast<std::uint64_t>(tick), dt, {1.0, 1.0, 1.0},
                       state);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(square[i] / static_cast<double>(count), 1.0, 0.05) << "axis " << i;
    EXPECT_NEAR(mean[i] / static_cast<double>(count), 0.0, 0.05) << "axis " << i;
  }
}

TEST_P(AnyTurbulence, StartsStationaryAndChangesOfScaleMakeNoTransient) {
  // Ensemble over seeds: unit variance at the start, and at every tick after T jumps by a hundred.
  constexpr int kTicks = 6;
  const long seeds = testing::scaled(400'000);
  double square[kTicks][3] = {};
  for (long seed = 0; seed < seeds; ++seed) {
    const RandomStream stream(static_cast<std::uint64_t>(seed), "wind");
    TurbulenceState state = start_turbulence(GetParam(), stream);
    for (int tick = 0; tick < kTicks; ++tick) {
      const Vec3 u = turbulence_output(GetParam(), state);
      square[tick][0] += u.x * u.x;
      square[tick][1] += u.y * u.y;
      square[tick][2] += u.z * u.z;
      const double scale = tick < 2 ? 10.0 : 0.1;
      advance_turbulence(GetParam(), stream, static_cast<std::uint64_t>(tick) + 1, 0.1,
                         {scale, scale, scale}, state);
    }
  }
  for (const auto& tick : square) {
    for (const double sum : tick) EXPECT_NEAR(sum / static_cast<double>(seeds), 1.0, 0.04);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyTurbulence,
                         ::testing::Values(TurbulenceKind::kOrnsteinUhlenbeck,
                                           TurbulenceKind::kDryden, TurbulenceKind::kVonKarman));

TEST(TurbulenceScales, FollowTheLowAltitudeModelAndItsClamps) {
  // At 1000 ft the specification has L = 1000 ft and equal intensities; 300 m is just below.
  const TurbulenceScales top = low_altitude_scales(300.0, 2.0, 10.0);
  EXPECT_NEAR(top.time_s.x * 2.0, 304.8, 0.02 * 304.8);
  EXPECT_NEAR(top.sigma_m_s.x, 1.0, 0.01);
  EXPECT_DOUBLE_EQ(top.sigma_m_s.z, 1.0);
  EXPECT_EQ(low_altitude_scales(5000.0, 2.0, 10.0).time_s, top.time_s);
  EXPECT_EQ(low_altitude_scales(-1.0, 2.0, 10.0).time_s,
            low_altitude_scales(3.0, 2.0, 10.0).time_s);
  // 100 ft: L_along = 100 / 0.2593^1.2 ft = 505.2 ft, σ_along / σ_down = 0.2593^−0.4 = 1.716
  const TurbulenceScales low = low_altitude_scales(30.48, 1.0, 10.0);
  EXPECT_NEAR(low.time_s.y / 0.3048, 505.2, 0.2);
  EXPECT_NEAR(low.sigma_m_s.y / low.sigma_m_s.z, 1.716, 1e-3);
  EXPECT_DOUBLE_EQ(low.time_s.z, 30.48);
}

}  // namespace
}  // namespace tactus
