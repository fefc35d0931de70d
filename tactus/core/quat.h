// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Attitude quaternions (w, x, y, z), Hamilton product; q_WB rotates body (FRD) into world (NED).
//
// A rotation divides by q·q instead of trusting |q| = 1, so a slightly long or short quaternion
// inside an integrator stage still rotates exactly and the right-hand side stays smooth in q.
// Angles between attitudes come from 2 asin(|q1 ∓ q2| / 2): acos of the dot product cannot see
// below 3e-8 rad.

#include "tactus/core/vec.h"

namespace tactus {

struct Quat {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

TACTUS_HD constexpr bool operator==(Quat a, Quat b) {
  return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}
TACTUS_HD constexpr Quat operator+(Quat a, Quat b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
TACTUS_HD constexpr Quat operator-(Quat a, Quat b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
TACTUS_HD constexpr Quat operator-(Quat a) { return {-a.w, -a.x, -a.y, -a.z}; }
TACTUS_HD constexpr Quat operator*(double s, Quat a) {
  return {s * a.w, s * a.x, s * a.y, s * a.z};
}

/// Hamilton product: first b, then a.
TACTUS_HD constexpr Quat operator*(Quat a, Quat b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

TACTUS_HD constexpr double dot(Quat a, Quat b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
TACTUS_HD constexpr double norm_squared(Quat a) { return dot(a, a); }
TACTUS_HD inline double norm(Quat a) { return math::sqrt(dot(a, a)); }
TACTUS_HD constexpr Quat conjugate(Quat a) { return {a.w, -a.x, -a.y, -a.z}; }
TACTUS_HD inline bool is_finite(Quat a) {
  return math::is_finite(a.w) && math::is_finite(a.x) && math::is_finite(a.y) &&
         math::is_finite(a.z);
}

/// q / |q|. The zero quaternion gives NaN: an attitude that vanished is an error, not the identity.
TACTUS_HD inline Quat normalized(Quat a) { return (1.0 / norm(a)) * a; }

/// Rotation matrix of q/|q|: v_W = R v_B for q_WB.
TACTUS_HD constexpr Mat3 rotation_matrix(Quat q) {
  const double s = 2.0 / norm_squared(q);
  const double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  const double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
  const double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  return {{{1.0 - (yy + zz), xy - wz, xz + wy},
           {xy + wz, 1.0 - (xx + zz), yz - wx},
           {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

TACTUS_HD constexpr Vec3 rotate(Quat q, Vec3 v) { return rotation_matrix(q) * v; }
TACTUS_HD constexpr Vec3 rotate_inverse(Quat q, Vec3 v) {
  return transpose_times(rotation_matrix(q), v);
}

/// q̇ = ½ q ⊗ (0, ω) for body rates ω.
TACTUS_HD constexpr Quat quaternion_rate(Quat q, Vec3 w_B) {
  return 0.5 * (q * Quat{0.0, w_B.x, w_B.y, w_B.z});
}

/// Unit quaternion of a rotation vector (axis times angle): exp of the group.
TACTUS_HD inline Quat exp_rotation(Vec3 rotation_rad) {
  const double half_angle = 0.5 * norm(rotation_rad);
  // sin(a)/a and cos(a); the series is exact to the last bit below 1e-4 and avoids 0/0.
  double sine_ratio = 1.0 - half_angle * half_angle / 6.0;
  double cosine = 1.0 - 0.5 * half_angle * half_angle;
  if (half_angle > 1e-4) {
    double sine = 0.0;
    math::sincos(half_angle, &sine, &cosine);
    sine_ratio = sine / half_angle;
  }
  const double s = 0.5 * sine_ratio;
  return {cosine, s * rotation_rad.x, s * rotation_rad.y, s * rotation_rad.z};
}

/// Rotation vector of a quaternion, |result| ≤ π: log of the group.
TACTUS_HD inline Vec3 log_rotation(Quat q) {
  if (q.w < 0.0) q = -q;
  const Vec3 v{q.x, q.y, q.z};
  const double sine = norm(v);
  // 2 atan2(s, w) / s → 2/w for small s (relative error s²/3 < 1e-17 there).
  const double scale = sine > 1e-9 ? 2.0 * math::atan2(sine, q.w) / sine : 2.0 / q.w;
  return scale * v;
}

/// Geodesic angle between two unit attitudes in [0, π], accurate down to zero.
TACTUS_HD inline double attitude_distance(Quat a, Quat b) {
  const double minus = norm(a - b);
  const double plus = norm(a + b);
  return 4.0 * math::asin(math::min(1.0, 0.5 * math::min(minus, plus)));
}

/// Roll, pitch, yaw about x, y, z, applied in the order yaw, pitch, roll (ZYX).
struct EulerAngles {
  double roll_rad = 0.0;
  double pitch_rad = 0.0;
  double yaw_rad = 0.0;
};

TACTUS_HD inline Quat from_euler(EulerAngles e) {
  double sr = 0.0, cr = 1.0, sp = 0.0, cp = 1.0, sy = 0.0, cy = 1.0;
  math::sincos(0.5 * e.roll_rad, &sr, &cr);
  math::sincos(0.5 * e.pitch_rad, &sp, &cp);
  math::sincos(0.5 * e.yaw_rad, &sy, &cy);
  return {cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
          cr * cp * sy - sr * sp * cy};
}

/// Inverse of from_euler. At pitch ±90° roll and yaw are not unique: roll is set to zero there.
TACTUS_HD inline EulerAngles to_euler(Quat q) {
  const Mat3 r = rotation_matrix(q);
  const double sine_pitch = -r.m[2][0];
  const double cosine_pitch = math::hypot(r.m[0][0], r.m[1][0]);
  EulerAngles e;
  e.pitch_rad = math::atan2(sine_pitch, cosine_pitch);
  if (cosine_pitch > 1e-9) {
    e.roll_rad = math::atan2(r.m[2][1], r.m[2][2]);
    e.yaw_rad = math::atan2(r.m[1][0], r.m[0][0]);
  } else {
    e.yaw_rad = math::atan2(-r.m[0][1], r.m[1][1]);
  }
  return e;
}

TACTUS_HD inline double yaw_of(Quat q) {
  const Mat3 r = rotation_matrix(q);
  return math::atan2(r.m[1][0], r.m[0][0]);
}

}  // namespace tactus
