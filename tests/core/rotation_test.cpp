// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Laws of vectors, matrices and rotations, on random samples.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tactus/core/quat.h"
#include "tactus/core/vec.h"

namespace tactus {
namespace {

class Samples {
 public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 vector(double size = 1.0) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  Quat attitude() {
    Quat q;
    do {
      q = {number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)};
    } while (norm(q) < 0.1);
    return normalized(q);
  }

 private:
  std::mt19937_64 engine_{7};
};

void expect_near(Vec3 a, Vec3 b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Vec3, CrossIsOrthogonalAndFollowsLagrange) {
  Samples s;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = s.vector(), b = s.vector();
    EXPECT_NEAR(dot(cross(a, b), a), 0.0, 1e-15);
    EXPECT_NEAR(norm_squared(cross(a, b)),
                norm_squared(a) * norm_squared(b) - dot(a, b) * dot(a, b), 1e-14);
  }
}

TEST(Mat3, InverseAndTransposeFollowTheirLaws) {
  Samples s;
  for (int i = 0; i < 1000; ++i) {
    Mat3 a = Mat3::identity();
    for (auto& row : a.m) {
      for (double& value : row) value += s.number(-0.3, 0.3);
    }
    const Mat3 product = a * inverse(a);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(product.m[r][c], r == c ? 1.0 : 0.0, 1e-14);
    }
    const Vec3 v = s.vector(), w = s.vector();
    EXPECT_NEAR(dot(a * v, w), dot(v, transpose_times(a, w)), 1e-14);
    EXPECT_NEAR(determinant(a * a), determinant(a) * determinant(a), 1e-12);
    expect_near(outer(v, w) * v, dot(w, v) * v, 1e-15);
  }
}

// One law suite for every representation of a rotation.
struct ByQuaternion {
  static Quat make(Quat q) { return q; }
  static Quat compose(Quat a, Quat b) { return a * b; }
  static Quat invert(Quat a) { return conjugate(a); }
  static Vec3 apply(Quat a, Vec3 v) { return rotate(a, v); }
};
struct ByMatrix {
  static Mat3 make(Quat q) { return rotation_matrix(q); }
  static Mat3 compose(const Mat3& a, const Mat3& b) { return a * b; }
  static Mat3 invert(const Mat3& a) { return transpose(a); }
  static Vec3 apply(const Mat3& a, Vec3 v) { return a * v; }
};
struct ByRotationVector {
  static Vec3 make(Quat q) { return log_rotation(q); }
  static Vec3 compose(Vec3 a, Vec3 b) { return log_rotation(exp_rotation(a) * exp_rotation(b)); }
  static Vec3 invert(Vec3 a) { return -a; }
  static Vec3 apply(Vec3 a, Vec3 v) { return rotate(exp_rotation(a), v); }
};
struct ByEulerAngles {
  static EulerAngles make(Quat q) { return to_euler(q); }
  static EulerAngles compose(EulerAngles a, EulerAngles b) {
    return to_euler(from_euler(a) * from_euler(b));
  }
  static EulerAngles invert(EulerAngles a) { return to_euler(conjugate(from_euler(a))); }
  static Vec3 apply(EulerAngles a, Vec3 v) { return rotate(from_euler(a), v); }
};

template <class Representation>
class RotationLaws : public ::testing::Test {};
using Representations = ::testing::Types<ByQuaternion, ByMatrix, ByRotationVector, ByEulerAngles>;
TYPED_TEST_SUITE(RotationLaws, Representations);

TYPED_TEST(RotationLaws, GroupAndIsometry) {
  using R = TypeParam;
  Samples s;
  for (int i = 0; i < 2000; ++i) {
    const Quat qa = s.attitude(), qb = s.attitude();
    const auto a = R::make(qa), b = R::make(qb);
    const Vec3 v = s.vector(), w = s.vector();
    expect_near(R::apply(a, v), rotate(qa, v), 1e-13);
    expect_near(R::apply(R::compose(a, b), v), R::apply(a, R::apply(b, v)), 1e-13);
    expect_near(R::apply(R::invert(a), R::apply(a, v)), v, 1e-13);
    EXPECT_NEAR(dot(R::apply(a, v), R::apply(a, w)), dot(v, w), 1e-13);
    expect_near(cross(R::apply(a, v), R::apply(a, w)), R::apply(a, cross(v, w)), 1e-13);
  }
}

TEST(Quat, RotationDoesNotDependOnLength) {
  Samples s;
  for (int i = 0; i < 200; ++i) {
    const Quat q = s.attitude();
    const Vec3 v = s.vector();
    expect_near(rotate(1.7 * q, v), rotate(q, v), 4e-15);
    expect_near(rotate_inverse(q, rotate(q, v)), v, 4e-15);
  }
}

TEST(Quat, ExpAndLogAreInverseFromTinyToHalfTurn) {
  Samples s;
  for (const double size : {1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.1, 1.0, 3.14}) {
    for (int i = 0; i < 200; ++i) {
      Vec3 axis = s.vector();
      axis = axis / norm(axis);
      const Vec3 r = size * axis;
      const Quat q = exp_rotation(r);
      EXPECT_NEAR(norm(q), 1.0, 4e-16);
      expect_near(log_rotation(q), r, 1e-14 * size);
    }
  }
}

TEST(Quat, QuarterTurnYawTurnsNorthToEast) {
  const Quat q = from_euler({0.0, 0.0, math::kHalfPi});
  expect_near(rotate(q, {1, 0, 0}), {0, 1, 0}, 3e-16);
  EXPECT_NEAR(yaw_of(q), math::kHalfPi, 1e-15);
}

TEST(Quat, GimbalLockStillRotatesRight) {
  for (const double pitch : {math::kHalfPi, -math::kHalfPi}) {
    const Quat q = from_euler({0.3, pitch, -1.1});
    EXPECT_LT(attitude_distance(from_euler(to_euler(q)), q), 1e-7);
  }
}

TEST(Quat, RateMatchesTheExponential) {
  // d/dt exp(ω t) at t = 0, by a central difference whose error is 1e-10.
  const Vec3 w{0.3, -0.7, 1.1};
  const double h = 1e-5;
  const Quat difference = (1.0 / (2.0 * h)) * (exp_rotation(h * w) - exp_rotation(-h * w));
  const Quat rate = quaternion_rate(Quat{}, w);
  EXPECT_NEAR(difference.x, rate.x, 1e-10);
  EXPECT_NEAR(difference.y, rate.y, 1e-10);
  EXPECT_NEAR(difference.z, rate.z, 1e-10);
}

TEST(AttitudeDistance, IsExactDownToTheLastBitsAndIgnoresSign) {
  Samples s;
  for (const double angle : {0.0, 1e-15, 1e-12, 1e-8, 1e-3, 1.0, 3.0}) {
    for (int i = 0; i < 200; ++i) {
      const Quat q = s.attitude();
      Vec3 axis = s.vector();
      axis = axis / norm(axis);
      const Quat turned = q * exp_rotation(angle * axis);
      // Rounding of the two quaternions themselves is a few 1e-16.
      EXPECT_NEAR(attitude_distance(q, turned), angle, 1e-15 + 2e-15 * angle);
      EXPECT_EQ(attitude_distance(q, turned), attitude_distance(-q, turned));
    }
    const Quat q = s.attitude();
    EXPECT_EQ(attitude_distance(q, q), 0.0);
  }
}

}  // namespace
}  // namespace tactus
