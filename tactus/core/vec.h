// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Three-vectors and 3×3 matrices with a fixed order of operations: every sum is written out, left
// to right, so that all compilers and the GPU round alike (contract C4; why not Eigen: decision
// 0001).

#include "tactus/core/hd.h"
#include "tactus/core/math.h"

namespace tactus {

struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

TACTUS_HD constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
TACTUS_HD constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
TACTUS_HD constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
TACTUS_HD constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
TACTUS_HD constexpr Vec3 operator*(Vec3 a, double s) { return s * a; }
TACTUS_HD constexpr Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
TACTUS_HD constexpr Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
TACTUS_HD constexpr Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
TACTUS_HD constexpr bool operator==(Vec3 a, Vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

TACTUS_HD constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
TACTUS_HD constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TACTUS_HD constexpr Vec3 multiply_elements(Vec3 a, Vec3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
TACTUS_HD constexpr double norm_squared(Vec3 a) { return dot(a, a); }
TACTUS_HD inline double norm(Vec3 a) { return math::sqrt(dot(a, a)); }
TACTUS_HD inline bool is_finite(Vec3 a) {
  return math::is_finite(a.x) && math::is_finite(a.y) && math::is_finite(a.z);
}

/// Row-major 3×3 matrix.
struct Mat3 {
  double m[3][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

  TACTUS_HD static constexpr Mat3 identity() { return diagonal({1.0, 1.0, 1.0}); }
  TACTUS_HD static constexpr Mat3 diagonal(Vec3 d) {
    return {{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}};
  }
};

TACTUS_HD constexpr Vec3 operator*(const Mat3& a, Vec3 v) {
  return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
          a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
          a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

/// Mᵀ v without forming the transpose.
TACTUS_HD constexpr Vec3 transpose_times(const Mat3& a, Vec3 v) {
  return {a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
          a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
          a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}

TACTUS_HD constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    }
  }
  return c;
}

TACTUS_HD constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
  }
  return c;
}

TACTUS_HD constexpr Mat3 operator*(double s, const Mat3& a) {
  Mat3 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c.m[i][j] = s * a.m[i][j];
  }
  return c;
}

TACTUS_HD constexpr Mat3 transpose(const Mat3& a) {
  Mat3 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[j][i];
  }
  return c;
}

/// a bᵀ
TACTUS_HD constexpr Mat3 outer(Vec3 a, Vec3 b) {
  return {{{a.x * b.x, a.x * b.y, a.x * b.z},
           {a.y * b.x, a.y * b.y, a.y * b.z},
           {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

TACTUS_HD constexpr double determinant(const Mat3& a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/// Inverse by cofactors; the caller has made sure that the matrix is regular (an inertia is).
TACTUS_HD constexpr Mat3 inverse(const Mat3& a) {
  const double s = 1.0 / determinant(a);
  const auto& m = a.m;
  return {
      {{s * (m[1][1] * m[2][2] - m[1][2] * m[2][1]), s * (m[0][2] * m[2][1] - m[0][1] * m[2][2]),
        s * (m[0][1] * m[1][2] - m[0][2] * m[1][1])},
       {s * (m[1][2] * m[2][0] - m[1][0] * m[2][2]), s * (m[0][0] * m[2][2] - m[0][2] * m[2][0]),
        s * (m[0][2] * m[1][0] - m[0][0] * m[1][2])},
       {s * (m[1][0] * m[2][1] - m[1][1] * m[2][0]), s * (m[0][1] * m[2][0] - m[0][0] * m[2][1]),
        s * (m[0][0] * m[1][1] - m[0][1] * m[1][0])}}};
}

}  // namespace tactus
