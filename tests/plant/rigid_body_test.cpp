// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a rigid body and its rotors may be, and the drag law.

#include "tactus/plant/rigid_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tactus/core/error.h"
#include "tactus/plant/iris.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {
namespace {

/// The message must begin with where and key, so that a user finds the line to change.
template <class Check>
void expect_refused(const std::string& expected, Check check) {
  try {
    check();
    ADD_FAILURE() << "accepted: " << expected;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
  }
}

/// The tensor with these principal moments in axes turned by q.
Mat3 turned(Vec3 principal, Quat q) {
  const Mat3 r = rotation_matrix(q);
  Mat3 result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      result.m[i][j] = r.m[i][0] * principal.x * r.m[j][0] + r.m[i][1] * principal.y * r.m[j][1] +
                       r.m[i][2] * principal.z * r.m[j][2];
    }
  }
  return result;
}

TEST(RigidBodyValidation, NamesWhatIsWrong) {
  struct Case {
    std::function<void(RigidBodyParameters&)> break_it;
    const char* expected;
  };
  using P = RigidBodyParameters;
  const Case cases[] = {
      {[](P& p) { p.mass_kg = 0.0; }, "body.mass_kg = 0"},
      {[](P& p) { p.mass_kg = -1.0; }, "body.mass_kg = -1"},
      {[](P& p) { p.mass_kg = std::nan(""); }, "body.mass_kg = nan"},
      {[](P& p) { p.inertia_kg_m2.m[1][1] = std::numeric_limits<double>::infinity(); },
       "body.inertia_kg_m2 = inf"},
      {[](P& p) { p.inertia_kg_m2.m[0][1] = 0.001; }, "must be symmetric"},
      {[](P& p) {
         p.inertia_kg_m2 = Mat3::diagonal({0.01, 0.01, 0.0});
       },
       "body.inertia_kg_m2 (smallest principal moment)"},
      {[](P& p) {
         p.inertia_kg_m2 = {{{0.02, 0.03, 0}, {0.03, 0.02, 0}, {0, 0, 0.04}}};
       },
       "must be positive definite"},
      {[](P& p) {
         p.inertia_kg_m2 = Mat3::diagonal({0.01, 0.01, 0.021});
       },
       "body.inertia_kg_m2 (largest principal moment)"},
      {[](P& p) { p.linear_drag_n_s_m = -0.1; }, "body.linear_drag_n_s_m = -0.1"},
      {[](P& p) { p.drag_area_m2.y = -0.01; }, "body.drag_area_m2 = -0.01"},
      {[](P& p) { p.angular_damping_nm_s.z = -0.02; }, "body.angular_damping_nm_s = -0.02"},
  };
  EXPECT_NO_THROW(validate(P{}, "body"));
  for (const Case& c : cases) {
    P p;
    c.break_it(p);
    expect_refused(c.expected, [&] { validate(p, "body"); });
  }
}

TEST(RigidBodyValidation, JudgesPrincipalMomentsInWhateverAxes) {
  for (int i = 0; i < 50; ++i) {
    const Quat q = from_euler({0.3 * i, 0.2 * std::sin(i), 1.1 * i});
    RigidBodyParameters p;
    p.inertia_kg_m2 = turned({0.01, 0.02, 0.0299}, q);
    EXPECT_NO_THROW(validate(p, "body"));
    p.inertia_kg_m2 = turned({0.01, 0.02, 0.0301}, q);
    expect_refused("no body has such an inertia", [&] { validate(p, "body"); });
    p.inertia_kg_m2 = turned({-0.0001, 0.02, 0.02}, q);
    expect_refused("must be positive definite", [&] { validate(p, "body"); });
  }
}

TEST(RigidBodyValidation, AFlatPlateIsTheLimit) {
  RigidBodyParameters p;
  p.inertia_kg_m2 = Mat3::diagonal({0.01, 0.02, 0.03});  // all mass in one plane
  EXPECT_NO_THROW(validate(p, "body"));
}

TEST(MultirotorValidation, NamesWhatIsWrong) {
  struct Case {
    std::function<void(MultirotorParameters&)> break_it;
    const char* expected;
  };
  using P = MultirotorParameters;
  const Case cases[] = {
      {[](P& p) { p.rotor_count = 0; }, "multirotor.rotor_count = 0"},
      {[](P& p) { p.rotor_count = 13; }, "multirotor.rotor_count = 13"},
      {[](P& p) { p.power.motor_count = 3; }, "power.motor_count = 3: must equal rotor_count = 4"},
      {[](P& p) {
         p.rotor[2].axis_B = {0.0, 0.0, 1.01};
       },
       "rotor[2].axis_body (length) = 1.01"},
      {[](P& p) { p.rotor[1].axis_B = {}; }, "rotor[1].axis_body (length) = 0"},
      {[](P& p) { p.rotor[3].reaction_sign = 0; }, "rotor[3].reaction_sign = 0"},
      {[](P& p) { p.rotor[0].reaction_sign = 2; }, "rotor[0].reaction_sign = 2"},
      {[](P& p) { p.rotor[0].motor.rotor_inertia_kg_m2 = 0.0; },
       "rotor[0].motor.rotor_inertia_kg_m2 = 0"},
      // Each rotor is possible by itself, together they are heavier than what they are part of.
      {[](P& p) {
         for (RotorParameters& rotor : p.rotor) rotor.motor.rotor_inertia_kg_m2 = 0.02;
       },
       "it must include the rotors"},
      {[](P& p) { p.body.linear_drag_n_s_m = -1.0; }, "body.linear_drag_n_s_m = -1"},
  };
  EXPECT_NO_THROW(make_multirotor(iris_parameters()));
  for (const Case& c : cases) {
    P p = iris_parameters();
    c.break_it(p);
    expect_refused(c.expected, [&] { make_multirotor(p); });
  }
}

TEST(QuadraticDrag, OpposesTheMotionOfEachAxis) {
  RigidBodyParameters p;
  p.drag_area_m2 = {0.01, 0.02, 0.03};
  const Vec3 f = quadratic_drag_B(p, 1.2, {3.0, -4.0, 0.5});
  EXPECT_NEAR(f.x, -0.5 * 1.2 * 0.01 * 9.0, 1e-15);
  EXPECT_NEAR(f.y, 0.5 * 1.2 * 0.02 * 16.0, 1e-15);
  EXPECT_NEAR(f.z, -0.5 * 1.2 * 0.03 * 0.25, 1e-15);
}

}  // namespace
}  // namespace tactus
