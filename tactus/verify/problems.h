// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Small systems with closed solutions, and the free rigid body. Truth comes from the C++ library
// and Boost.Math, not from core/math.h.

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdint>

#include "tactus/core/error.h"
#include "tactus/core/quat.h"
#include "tactus/solver/advance.h"

namespace tactus::verify {

/// Integrates a system with memory and state of its own; an error of the solver throws.
template <System S>
struct SmallFlight {
  S system;
  SolverConfig config;
  std::array<double, S::kCapacity> x{};
  SolverMemory<S::kCapacity> memory{};
  TimeUs now{};

  void fly_to(TimeUs end) {
    const AdvanceResult result = advance(system, config, memory, now, end, x.data());
    if (result.status != Status::kOk) {
      throw Error(ExitCode::kRunStopped, to_text(result.status));
    }
    now = end;
  }
};

/// Adaptive with one tolerance for everything that a small system has.
inline SolverConfig adaptive_config(double tolerance) {
  SolverConfig config = default_config(Method::kRk45);
  config.position = config.velocity = config.rate = {tolerance, tolerance};
  config.attitude_atol_rad = tolerance;
  return config;
}

inline SolverConfig fixed_config(Method method, std::uint64_t step_us) {
  SolverConfig config = default_config(method);
  config.step_us = step_us;
  return config;
}

/// θ'' = −ω0² sin θ from rest at θ0; with `linear` θ instead of sin θ: the harmonic oscillator.
///   θ = 2 asin(k cd(ω0 t, k)),  k = sin(θ0/2)   (Landau and Lifshitz I, §11)
struct Pendulum {
  static constexpr int kCapacity = 2;
  double omega0 = 2.0 * M_PI;
  double start_rad = 1.0;
  bool linear = false;
  StateGroups state_groups;

  Pendulum(double start, bool is_linear) : start_rad(start), linear(is_linear) {
    state_groups.add(ErrorGroup::kPosition, 0, 1);
    state_groups.add(ErrorGroup::kVelocity, 1, 1);
  }
  [[nodiscard]] std::array<double, 2> start() const { return {start_rad, 0.0}; }
  [[nodiscard]] double exact(double t) const {
    if (linear) return start_rad * std::cos(omega0 * t);
    const double k = std::sin(0.5 * start_rad);
    return 2.0 * std::asin(k * boost::math::jacobi_cd(k, omega0 * t));
  }
  [[nodiscard]] double distance(const double* x, double t) const {
    return std::fabs(x[0] - exact(t));
  }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    dx[0] = x[1];
    dx[1] = -omega0 * omega0 * (linear ? x[0] : math::sin(x[0]));
    return Status::kOk;
  }
};

/// x' = x (1 + cos 3t): x = exp(t + ⅓ sin 3t). Its clock is part of the right-hand side.
struct Driven {
  static constexpr int kCapacity = 1;
  StateGroups state_groups;

  Driven() { state_groups.add(ErrorGroup::kPosition, 0, 1); }
  [[nodiscard]] std::array<double, 1> start() const { return {1.0}; }
  [[nodiscard]] double distance(const double* x, double t) const {
    return std::fabs(x[0] - std::exp(t + std::sin(3.0 * t) / 3.0));
  }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  Status derivative(double t_s, const double* x, double* dx) const {
    dx[0] = x[0] * (1.0 + math::cos(3.0 * t_s));
    return Status::kOk;
  }
};

/// Two bodies, μ = 1, semi-major axis 1, from the pericentre: x, y, x', y'.
struct Kepler {
  static constexpr int kCapacity = 4;
  double eccentricity = 0.0;
  StateGroups state_groups;

  explicit Kepler(double e) : eccentricity(e) {
    state_groups.add(ErrorGroup::kPosition, 0, 2);
    state_groups.add(ErrorGroup::kVelocity, 2, 2);
  }
  [[nodiscard]] std::array<double, 4> start() const {
    const double e = eccentricity;
    return {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))};
  }
  /// Kepler's equation E − e sin E = t by Newton's method.
  [[nodiscard]] double distance(const double* x, double t) const {
    const long double e = eccentricity;
    long double anomaly = t;
    for (int i = 0; i < 50; ++i) {
      anomaly -= (anomaly - e * std::sin(anomaly) - static_cast<long double>(t)) /
                 (1.0L - e * std::cos(anomaly));
    }
    const long double px = std::cos(anomaly) - e;
    const long double py = std::sqrt(1.0L - e * e) * std::sin(anomaly);
    return static_cast<double>(std::hypot(x[0] - px, x[1] - py));
  }
  static double energy(const double* x) {
    return 0.5 * (x[2] * x[2] + x[3] * x[3]) - 1.0 / std::hypot(x[0], x[1]);
  }
  static double momentum(const double* x) { return x[0] * x[3] - x[1] * x[2]; }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    const double r2 = x[0] * x[0] + x[1] * x[1];
    const double s = -1.0 / (r2 * math::sqrt(r2));
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = s * x[0];
    dx[3] = s * x[1];
    return Status::kOk;
  }
};

/// Jacobi's solution of the free body (Landau and Lifshitz I, §37) for I1 < I2 < I3, ω3 > 0 and
/// L² > 2 T I2:  ω = (A1 cn, A2 sn, A3 dn)(s t + u0, k). The attitude follows from L being constant
/// in the world: with L along z, cos θ = I3 ω3 / L, ψ = atan2(I1 ω1, I2 ω2), and the precession
/// φ' = L (I1 ω1² + I2 ω2²) / (L² − I3² ω3²) by Gauss quadrature of the exact ω.
class FreeBody {
 public:
  FreeBody(Vec3 inertia, Vec3 rate) : i_{inertia.x, inertia.y, inertia.z} {
    const double energy2 =
        i_[0] * rate.x * rate.x + i_[1] * rate.y * rate.y + i_[2] * rate.z * rate.z;
    const double l1 = i_[0] * rate.x, l2 = i_[1] * rate.y, l3 = i_[2] * rate.z;
    const double momentum2 = l1 * l1 + l2 * l2 + l3 * l3;
    const double low = energy2 * i_[2] - momentum2, high = momentum2 - energy2 * i_[0];
    momentum_ = std::sqrt(momentum2);
    a_[0] = std::sqrt(low / (i_[0] * (i_[2] - i_[0])));
    a_[1] = std::sqrt(low / (i_[1] * (i_[2] - i_[1])));
    a_[2] = std::sqrt(high / (i_[2] * (i_[2] - i_[0])));
    k_ = std::sqrt((i_[1] - i_[0]) * low / ((i_[2] - i_[1]) * high));
    speed_ = std::sqrt((i_[2] - i_[1]) * high / (i_[0] * i_[1] * i_[2]));
    phase_ = boost::math::ellint_1(k_, std::atan2(rate.y / a_[1], rate.x / a_[0]));
  }

  [[nodiscard]] Vec3 rate(double t) const {
    double cn = 0.0, dn = 0.0;
    const double sn = boost::math::jacobi_elliptic(k_, speed_ * t + phase_, &cn, &dn);
    return {a_[0] * cn, a_[1] * sn, a_[2] * dn};
  }

  /// Body to world for a body that starts with its axes along the world's.
  [[nodiscard]] Quat attitude(double t) const {
    return conjugate(to_momentum_frame(0.0)) * to_momentum_frame(t);
  }

 private:
  static Quat turn_z(double angle) { return {std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)}; }
  static Quat turn_x(double angle) { return {std::cos(0.5 * angle), std::sin(0.5 * angle), 0, 0}; }

  [[nodiscard]] Quat to_momentum_frame(double t) const {
    const Vec3 w = rate(t);
    const double l1 = i_[0] * w.x, l2 = i_[1] * w.y, l3 = i_[2] * w.z;
    return turn_z(precession(t)) * turn_x(std::atan2(std::hypot(l1, l2), l3)) *
           turn_z(std::atan2(l1, l2));
  }

  [[nodiscard]] double precession(double t_end) const {
    const auto rate_of_turn = [this](double t) {
      const Vec3 w = rate(t);
      const double l1 = i_[0] * w.x, l2 = i_[1] * w.y;
      return momentum_ * (l1 * w.x + l2 * w.y) / (l1 * l1 + l2 * l2);
    };
    constexpr int kPieces = 64;
    double sum = 0.0;
    for (int i = 0; i < kPieces; ++i) {
      sum += boost::math::quadrature::gauss<double, 15>::integrate(
          rate_of_turn, t_end * i / kPieces, t_end * (i + 1) / kPieces);
    }
    return sum;
  }

  double i_[3];
  double a_[3] = {};
  double momentum_ = 0.0;
  double k_ = 0.0;
  double speed_ = 0.0;
  double phase_ = 0.0;
};

}  // namespace tactus::verify
