// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Turbulence as unit-variance discrete processes; wind.h scales and turns them. With time in units
// of T = L/V (scale length over speed) the spectra of MIL-F-8785C, 3.7, are, x = ω T,
//   Dryden       along  (2/π) / (1 + x²)              across, down  (1/π) (1 + 3x²) / (1 + x²)²
//   von Kármán   along  (2/π) / (1 + (1.339x)²)^(5/6)
//                across, down  (1/π) (1 + 8/3 (1.339x)²) / (1 + (1.339x)²)^(11/6)
// per unit of x ≥ 0, integral one. (MIL-HDBK-1797 writes 2L for L across and down: the same.)
//
// Every axis is a sum of independent sections with stationary covariance I, driven by white ξ and
// discretised exactly, θ = Δt/(τT):
//   first order  ż = −z + √2 ξ;   z⁺ = φ z + √(1 − φ²) n,  φ = e^(−θ)
//   pair         ż1 = −z1 + √2 ξ,  ż2 = 2 z1 − z2 − √2 ξ (Laguerre basis), output a z1 + b z2;
//                z⁺ = Φ z + L n,  Φ = e^(−θ) [1 0; 2θ 1],  L Lᵀ = I − ΦΦᵀ
//                spectrum (2τ/π) ((a + b)² + (a − b)² y²) / (1 + y²)²,  y = τx
// Dryden is exact: one first-order section, or one pair with tilt −15°. Von Kármán is the sum of
// five first-order sections, or a pair and four, fitted (minimax in log S): within 0.8 % of the
// formulas for 0.003 ≤ x ≤ 300, total variance exactly one (fitted here; the tests measure it).
// Because the states have covariance I whatever T is, a change of T, V or σ makes no transient.
// Noise is keyed by tick: tick 0 draws the stationary start, tick n the step from n − 1 to n.
// Valid for Δt > 0, T > 0. Assumes frozen turbulence; the vehicle is a point (no angular gusts).

#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/core/vec.h"

namespace tactus {

enum class TurbulenceKind : std::uint8_t { kNone, kOrnsteinUhlenbeck, kDryden, kVonKarman };

inline constexpr int kTurbulenceFirstOrders = 5;
inline constexpr int kTurbulenceStates = 2 + kTurbulenceFirstOrders;

/// Per axis (along, across, down): the pair, then the first-order sections. Unused ones are zero.
struct TurbulenceState {
  double z[3][kTurbulenceStates] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("z", "1", self.z, "unit-variance states per axis");
  }
};
static_assert(lists_every_field<TurbulenceState>());

/// The sections of one axis; variances add up to one, τ is in units of T.
struct TurbulenceShape {
  double pair_variance = 0.0;
  double pair_tau = 1.0;
  double pair_a = 1.0;
  double pair_b = 0.0;
  int first_orders = 0;
  double variance[kTurbulenceFirstOrders] = {};
  double tau[kTurbulenceFirstOrders] = {};
};

TACTUS_HD constexpr TurbulenceShape turbulence_shape(TurbulenceKind kind, int axis) {
  if (kind == TurbulenceKind::kNone) return {};
  if (kind == TurbulenceKind::kVonKarman && axis == 0) {
    return {.first_orders = 5,
            .variance = {0.621999, 0.244388, 0.091634, 0.030843, 0.011136},
            .tau = {1.327884, 0.678279, 0.150976, 0.028038, 0.004694}};
  }
  if (kind == TurbulenceKind::kVonKarman) {
    return {.pair_variance = 0.578863,
            .pair_tau = 1.312224,
            .pair_a = 0.960362382880298,
            .pair_b = -0.278754539960297,
            .first_orders = 4,
            .variance = {0.277780, 0.096453, 0.034502, 0.012402},
            .tau = {0.496818, 0.112739, 0.021488, 0.003537}};
  }
  if (kind == TurbulenceKind::kDryden && axis != 0) {
    return {.pair_variance = 1.0, .pair_a = 0.9659258262890683, .pair_b = -0.25881904510252074};
  }
  return {.first_orders = 1, .variance = {1.0}, .tau = {1.0}};
}

namespace detail {

/// sinh θ − θ without cancellation, for 0 ≤ θ ≤ 1 (the next term is below 1e-16 of it).
TACTUS_HD constexpr double sinh_minus_argument(double theta) {
  const double s = theta * theta;
  double sum = 1.0;
  for (int k = 8; k >= 2; --k) sum = 1.0 + s / (2.0 * k * (2.0 * k + 1.0)) * sum;
  return theta * s / 6.0 * sum;
}

/// z⁺ = φ z + √(1 − φ²) n
TACTUS_HD inline double advance_first_order(double z, double theta, double n) {
  const double q = math::expm1(-theta);
  return (1.0 + q) * z + math::sqrt(-q * (2.0 + q)) * n;
}

/// z⁺ = Φ z + L n with L Lᵀ = I − ΦΦᵀ, E = 1 − e^(−2θ):
///   L11 = √E, L21 = −2θ e^(−2θ) / L11, L22² = (E² − 4θ² e^(−2θ)) / E,
/// whose numerator is 4 e^(−2θ) (sinh θ − θ)(sinh θ + θ), of order θ⁴: written so for short steps.
TACTUS_HD inline void advance_pair(double& z1, double& z2, double theta, double n1, double n2) {
  const double q = math::expm1(-theta);
  const double phi = 1.0 + q;
  const double e2 = phi * phi;
  const double complement = -q * (2.0 + q);
  double numerator = complement * complement - 4.0 * theta * theta * e2;
  if (theta < 1.0) {
    const double excess = sinh_minus_argument(theta);
    numerator = 4.0 * e2 * excess * (excess + 2.0 * theta);
  }
  const double l11 = math::sqrt(complement);
  const double l21 = -2.0 * theta * e2 / l11;
  const double l22 = math::sqrt(numerator / complement);
  z2 = phi * (2.0 * theta * z1 + z2) + l21 * n1 + l22 * n2;
  z1 = phi * z1 + l11 * n1;
}

/// Standard normal values of one axis and tick: [0], [1] for the pair, the rest in order.
struct AxisNoise {
  double n[kTurbulenceStates + 1] = {};
};

TACTUS_HD inline AxisNoise axis_noise(const RandomStream& stream, std::uint64_t tick, int axis,
                                      const TurbulenceShape& shape) {
  constexpr std::uint32_t kChannelsPerAxis = 4;
  const std::uint32_t channel = kChannelsPerAxis * static_cast<std::uint32_t>(axis);
  AxisNoise noise;
  if (shape.pair_variance > 0.0) stream.normal_pair(tick, channel, noise.n[0], noise.n[1]);
  for (int i = 0; i < shape.first_orders; i += 2) {
    stream.normal_pair(tick, channel + 1 + static_cast<std::uint32_t>(i / 2), noise.n[2 + i],
                       noise.n[3 + i]);
  }
  return noise;
}

}  // namespace detail

/// The state at tick 0, drawn from the stationary distribution.
TACTUS_HD inline TurbulenceState start_turbulence(TurbulenceKind kind, const RandomStream& stream) {
  TurbulenceState state;
  for (int axis = 0; axis < 3; ++axis) {
    const TurbulenceShape shape = turbulence_shape(kind, axis);
    const detail::AxisNoise noise = detail::axis_noise(stream, 0, axis, shape);
    for (int i = 0; i < 2 + shape.first_orders; ++i) state.z[axis][i] = noise.n[i];
  }
  return state;
}

/// From tick − 1 to tick, dt_s apart, with the time scales T of the three axes.
TACTUS_HD inline void advance_turbulence(TurbulenceKind kind, const RandomStream& stream,
                                         std::uint64_t tick, double dt_s, Vec3 time_scale_s,
                                         TurbulenceState& state) {
  TACTUS_ASSERT(dt_s > 0.0, "a step that goes on");
  TACTUS_ASSERT(time_scale_s.x > 0.0 && time_scale_s.y > 0.0 && time_scale_s.z > 0.0,
                "processes that forget");
  const double time_scale[3] = {time_scale_s.x, time_scale_s.y, time_scale_s.z};
  for (int axis = 0; axis < 3; ++axis) {
    const TurbulenceShape shape = turbulence_shape(kind, axis);
    TACTUS_ASSERT(shape.first_orders >= 0 && shape.first_orders <= kTurbulenceFirstOrders,
                  "states that have room");
    const detail::AxisNoise noise = detail::axis_noise(stream, tick, axis, shape);
    const double steps = dt_s / time_scale[axis];
    double* z = state.z[axis];
    if (shape.pair_variance > 0.0) {
      detail::advance_pair(z[0], z[1], steps / shape.pair_tau, noise.n[0], noise.n[1]);
    }
    for (int i = 0; i < shape.first_orders; ++i) {
      z[2 + i] = detail::advance_first_order(z[2 + i], steps / shape.tau[i], noise.n[2 + i]);
    }
  }
}

/// Unit-variance velocity of the three axes.
TACTUS_HD inline Vec3 turbulence_output(TurbulenceKind kind, const TurbulenceState& state) {
  double sum[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const TurbulenceShape shape = turbulence_shape(kind, axis);
    const double* z = state.z[axis];
    sum[axis] = math::sqrt(shape.pair_variance) * (shape.pair_a * z[0] + shape.pair_b * z[1]);
    for (int i = 0; i < shape.first_orders; ++i) {
      sum[axis] += math::sqrt(shape.variance[i]) * z[2 + i];
    }
  }
  return {sum[0], sum[1], sum[2]};
}

/// Standard deviations and time scales of the axes along, across and down.
struct TurbulenceScales {
  Vec3 sigma_m_s;
  Vec3 time_s;
};

inline constexpr double kMinTurbulenceHeight_m = 3.0;
inline constexpr double kMaxTurbulenceHeight_m = 300.0;

/// Low-altitude model of MIL-F-8785C, 3.7.3, h in feet, clamped to 3 … 300 m:
///   L_down = h,  L_along = L_across = h / (0.177 + 0.000823 h)^1.2,
///   σ_down = 0.1 W20,  σ_along = σ_across = σ_down / (0.177 + 0.000823 h)^0.4
/// W20 is the mean wind 20 feet above ground; `speed_m_s` > 0 the speed through the air.
TACTUS_HD inline TurbulenceScales low_altitude_scales(double height_m, double speed_m_s,
                                                      double w20_m_s) {
  TACTUS_ASSERT(speed_m_s > 0.0 && w20_m_s >= 0.0, "a speed through the air, and a wind");
  constexpr double kFoot_m = 0.3048;
  const double h = math::clamp(height_m, kMinTurbulenceHeight_m, kMaxTurbulenceHeight_m);
  const double ratio = math::pow(0.177 + 0.000823 * (h / kFoot_m), 0.4);
  const double length = h / (ratio * ratio * ratio);
  const double sigma_down = 0.1 * w20_m_s;
  const double sigma = sigma_down / ratio;
  return {{sigma, sigma, sigma_down}, {length / speed_m_s, length / speed_m_s, h / speed_m_s}};
}

}  // namespace tactus
