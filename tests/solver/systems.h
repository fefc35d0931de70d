// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Small systems with known solutions, shared by the solver tests. Truth comes from closed forms
// (Jacobi elliptic functions of Boost.Math), never from the solvers themselves.

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tactus/solver/advance.h"

namespace tactus::testing {

inline constexpr Method kAllMethods[] = {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45,
                                         Method::kLieRk4};

/// State, memory and configuration of one small flight.
template <class S>
struct Flight {
  static constexpr int kSize = S::kCapacity;

  S system;
  SolverConfig config;
  SolverMemory<kSize> memory;
  std::array<double, kSize> x{};
  TimeUs now;

  AdvanceResult fly_to(std::uint64_t end_us) {
    const AdvanceResult result = advance(system, config, memory, now, TimeUs(end_us), x.data());
    now = result.reached;
    return result;
  }
  [[nodiscard]] bool same_bits(const Flight& other) const {
    return now == other.now &&
           std::memcmp(x.data(), other.x.data(), sizeof(double) * x.size()) == 0;
  }
  /// Everything that decides the further flight.
  [[nodiscard]] bool same_future(const Flight& other) const {
    const StepMemory& a = memory.step;
    const StepMemory& b = other.memory.step;
    return same_bits(other) && a.proposal_us == b.proposal_us &&
           a.previous_error == b.previous_error && a.derivative_valid == b.derivative_valid;
  }
};

/// A method that is made to take steps of one length, so that its order can be measured.
inline SolverConfig constant_step_config(Method method, std::uint64_t step_us) {
  SolverConfig config = default_config(method);
  config.step_us = step_us;
  config.h_init_us = config.h_max_us = step_us;
  config.max_attempts = 1'000'000'000;
  config.attitude_atol_rad = math::infinity();
  config.position = config.velocity = config.rate = {0.0, math::infinity()};
  return config;
}

/// x'' = −x − x³ from rest at A: x = A cn(Ωt, k), Ω² = 1 + A², k² = A² / (2 Ω²).
struct Duffing {
  static constexpr int kCapacity = 2;
  static constexpr double kAmplitude = 1.5;
  StateGroups state_groups;

  Duffing() {
    state_groups.add(ErrorGroup::kPosition, 0, 1);
    state_groups.add(ErrorGroup::kVelocity, 1, 1);
  }
  static std::array<double, 2> start() { return {kAmplitude, 0.0}; }
  static std::array<double, 2> exact(double t) {
    const double omega = std::sqrt(1.0 + kAmplitude * kAmplitude);
    const double k = kAmplitude / (std::sqrt(2.0) * omega);
    double cn = 0.0, dn = 0.0;
    const double sn = boost::math::jacobi_elliptic(k, omega * t, &cn, &dn);
    return {kAmplitude * cn, -kAmplitude * omega * sn * dn};
  }
  static double distance(const double* a, const double* b) {
    return std::hypot(a[0] - b[0], a[1] - b[1]);
  }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    dx[0] = x[1];
    dx[1] = -x[0] - x[0] * x[0] * x[0];
    return Status::kOk;
  }
};

/// x' = t x: x = exp(½ t²).
struct Growing {
  static constexpr int kCapacity = 1;
  StateGroups state_groups;

  Growing() { state_groups.add(ErrorGroup::kPosition, 0, 1); }
  static std::array<double, 1> start() { return {1.0}; }
  static std::array<double, 1> exact(double t) { return {std::exp(0.5 * t * t)}; }
  static double distance(const double* a, const double* b) { return std::fabs(a[0] - b[0]); }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  Status derivative(double t_s, const double* x, double* dx) const {
    dx[0] = t_s * x[0];
    return Status::kOk;
  }
};

/// A free body with three different moments of inertia: q (4), ω (3).
/// ω from Jacobi's solution (Landau & Lifshitz I, §37) for I1 < I2 < I3 and L² > 2 T I2; the
/// attitude from angular momentum along the world's z axis: cos θ = I3 ω3 / L, ψ = atan2(I1 ω1, I2
/// ω2) and φ' = L (I1 ω1² + I2 ω2²) / (L² − I3² ω3²), integrated by Gauss quadrature of the exact
/// ω.
struct FreeBody {
  static constexpr int kCapacity = 7;
  static constexpr double kInertia[3] = {1.0, 2.0, 3.0};
  static constexpr double kOmega1 = 2.1;  ///< rates at t = 0: (kOmega1, 0, kOmega3)
  static constexpr double kOmega3 = 2.9;
  StateGroups state_groups;

  FreeBody() {
    state_groups.add(ErrorGroup::kAttitude, 0, 4, 4);
    state_groups.add(ErrorGroup::kRate, 4, 3);
  }
  static Vec3 exact_rate(double t) {
    const auto& i = kInertia;
    const double energy2 = i[0] * kOmega1 * kOmega1 + i[2] * kOmega3 * kOmega3;
    const double momentum2 = i[0] * i[0] * kOmega1 * kOmega1 + i[2] * i[2] * kOmega3 * kOmega3;
    const double a1 = std::sqrt((energy2 * i[2] - momentum2) / (i[0] * (i[2] - i[0])));
    const double a2 = std::sqrt((energy2 * i[2] - momentum2) / (i[1] * (i[2] - i[1])));
    const double a3 = std::sqrt((momentum2 - energy2 * i[0]) / (i[2] * (i[2] - i[0])));
    const double k = std::sqrt((i[1] - i[0]) * (energy2 * i[2] - momentum2) /
                               ((i[2] - i[1]) * (momentum2 - energy2 * i[0])));
    const double speed =
        std::sqrt((i[2] - i[1]) * (momentum2 - energy2 * i[0]) / (i[0] * i[1] * i[2]));
    double cn = 0.0, dn = 0.0;
    const double sn = boost::math::jacobi_elliptic(k, speed * t, &cn, &dn);
    return {a1 * cn, a2 * sn, a3 * dn};
  }
  static double precession(double t_end) {
    const auto rate = [](double t) {
      const Vec3 w = exact_rate(t);
      const double l1 = kInertia[0] * w.x, l2 = kInertia[1] * w.y, l3 = kInertia[2] * w.z;
      const double momentum = std::sqrt(l1 * l1 + l2 * l2 + l3 * l3);
      return momentum * (l1 * w.x + l2 * w.y) / (l1 * l1 + l2 * l2);
    };
    double sum = 0.0;
    const int pieces = 40;
    for (int i = 0; i < pieces; ++i) {
      sum += boost::math::quadrature::gauss<double, 15>::integrate(rate, t_end * i / pieces,
                                                                   t_end * (i + 1) / pieces);
    }
    return sum;
  }
  static std::array<double, 7> exact(double t) {
    const Vec3 w = exact_rate(t);
    const double l1 = kInertia[0] * w.x, l2 = kInertia[1] * w.y, l3 = kInertia[2] * w.z;
    const double tilt = std::atan2(std::hypot(l1, l2), l3);
    // Body to world: turn by φ about z, tilt about x, spin ψ about z.
    const Quat q = exp_rotation({0.0, 0.0, precession(t)}) * exp_rotation({tilt, 0.0, 0.0}) *
                   exp_rotation({0.0, 0.0, std::atan2(l1, l2)});
    return {q.w, q.x, q.y, q.z, w.x, w.y, w.z};
  }
  static std::array<double, 7> start() { return exact(0.0); }
  static double distance(const double* a, const double* b) {
    return attitude_distance(normalized(quat_at(a, 0)), normalized(quat_at(b, 0)));
  }
  [[nodiscard]] int size() const { return kCapacity; }
  [[nodiscard]] const StateGroups& groups() const { return state_groups; }
  [[nodiscard]] bool depends_on_time() const { return false; }
  Status derivative(double, const double* x, double* dx) const {
    const Vec3 w{x[4], x[5], x[6]};
    const Quat dq = quaternion_rate(quat_at(x, 0), w);
    dx[0] = dq.w;
    dx[1] = dq.x;
    dx[2] = dq.y;
    dx[3] = dq.z;
    dx[4] = (kInertia[1] - kInertia[2]) / kInertia[0] * w.y * w.z;
    dx[5] = (kInertia[2] - kInertia[0]) / kInertia[1] * w.z * w.x;
    dx[6] = (kInertia[0] - kInertia[1]) / kInertia[2] * w.x * w.y;
    return Status::kOk;
  }
};

/// Slope of log(error) over log(step), least squares.
template <std::size_t n>
double measured_order(const std::array<double, n>& steps, const std::array<double, n>& errors) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double lx = std::log(steps[i]), ly = std::log(errors[i]);
    sx += lx;
    sy += ly;
    sxx += lx * lx;
    sxy += lx * ly;
  }
  return (static_cast<double>(n) * sxy - sx * sy) / (static_cast<double>(n) * sxx - sx * sx);
}

}  // namespace tactus::testing
