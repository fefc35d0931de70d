// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_mix.h"

#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr int kAxes = 6;

/// PX4 counts a motor as taking part in an axis from this entry of the pseudo-inverse on.
constexpr double kTakesPart = 1e-3;

/// Rows of B for one rotor.
struct Column {
  double row[kAxes];
};

Column wrench_of(const Px4Rotor& rotor) {
  const Vec3 axis = rotor.axis / norm(rotor.axis);
  const Vec3 force = rotor.thrust * axis;
  const Vec3 moment = cross(rotor.position_m, force) - rotor.moment_ratio_m * force;
  return {{moment.x, moment.y, moment.z, force.x, force.y, force.z}};
}

/// Solves A x = b for a positive definite A, which it overwrites, by elimination.
void solve(double a[kAxes][kAxes], double b[kAxes]) {
  for (int k = 0; k < kAxes; ++k) {
    for (int r = k + 1; r < kAxes; ++r) {
      const double factor = a[r][k] / a[k][k];
      for (int c = k; c < kAxes; ++c) a[r][c] -= factor * a[k][c];
      b[r] -= factor * b[k];
    }
  }
  for (int k = kAxes - 1; k >= 0; --k) {
    for (int c = k + 1; c < kAxes; ++c) b[k] -= a[k][c] * b[c];
    b[k] /= a[k][k];
  }
}

/// M = Bᵀ (B Bᵀ + ε)⁻¹: the pseudo-inverse to within ε, also where flat rotors leave rows empty.
void pseudo_inverse(const Px4Geometry& geometry, Px4Mix& mix) {
  Column column[kMaxMotors];
  double gram[kAxes][kAxes] = {};
  for (int i = 0; i < geometry.rotor_count; ++i) {
    column[i] = wrench_of(geometry.rotor[i]);
    for (int r = 0; r < kAxes; ++r) {
      for (int c = 0; c < kAxes; ++c) gram[r][c] += column[i].row[r] * column[i].row[c];
    }
  }
  double trace = 0.0;
  for (int r = 0; r < kAxes; ++r) trace += gram[r][r];
  for (int r = 0; r < kAxes; ++r) gram[r][r] += 1e-12 * trace;
  for (int i = 0; i < geometry.rotor_count; ++i) {
    double a[kAxes][kAxes];
    for (int r = 0; r < kAxes; ++r) {
      for (int c = 0; c < kAxes; ++c) a[r][c] = gram[r][c];
      mix.control[i][r] = column[i].row[r];
    }
    solve(a, mix.control[i]);
  }
}

double tilt_scale(const Px4Mix& mix, int rotor_count, int axis) {
  int taking_part = 0;
  double sum = 0.0;
  for (int i = 0; i < rotor_count; ++i) {
    const double entry = mix.control[i][axis];
    sum += entry * entry;
    if (math::abs(entry) > kTakesPart) ++taking_part;
  }
  return taking_part == 0 ? 1.0 : math::sqrt(sum / (0.5 * taking_part));
}

double yaw_scale(const Px4Mix& mix, int rotor_count) {
  double largest = mix.control[0][2];
  for (int i = 1; i < rotor_count; ++i) largest = math::max(largest, mix.control[i][2]);
  return largest;
}

double thrust_scale(const Px4Mix& mix, int rotor_count, int axis) {
  int taking_part = 0;
  double sum = 0.0;
  for (int i = 0; i < rotor_count; ++i) {
    const double entry = math::abs(mix.control[i][axis]);
    sum += entry;
    if (entry > 1e-7) ++taking_part;
  }
  return taking_part == 0 ? 0.0 : sum / taking_part;
}

}  // namespace

Px4Mix px4_mix(const Px4Geometry& geometry) {
  Px4Mix mix;
  const int n = geometry.rotor_count;
  pseudo_inverse(geometry, mix);
  double scale[kAxes] = {};
  scale[0] = math::max(tilt_scale(mix, n, 0), tilt_scale(mix, n, 1));
  scale[1] = scale[0];
  scale[2] = yaw_scale(mix, n);
  for (int axis = 3; axis < kAxes; ++axis) scale[axis] = thrust_scale(mix, n, axis);
  for (int axis = 3; axis < kAxes; ++axis) {
    if (scale[axis] == 0.0) scale[axis] = scale[kAxes - 1];
  }
  for (int i = 0; i < n; ++i) {
    for (int axis = 0; axis < kAxes; ++axis) mix.control[i][axis] /= scale[axis];
  }
  return mix;
}

}  // namespace tactus
