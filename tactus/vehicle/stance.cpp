// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/stance.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {
namespace {

constexpr Vec3 kUp_W{0.0, 0.0, -1.0};
/// Forces and moments balance to this part of the weight.
constexpr double kBalanced = 1e-11;
/// How long it is left alone on a slope, until it has come to rest.
constexpr TimeUs kWait(10'000'000);
constexpr int kMostSteps = 2000;
constexpr double kMostTilt_rad = 0.1;  ///< of a single step
constexpr double kFallen = 0.2;        ///< cosine of the tilt at which it has fallen over
constexpr double kSlowest = 0.25;      ///< of the change of the pseudo time step from step to step
constexpr double kFastest = 4.0;

/// The shortest rotation that takes one unit vector to another; none for equal ones.
Quat rotation_between(Vec3 from, Vec3 to) {
  TACTUS_ASSERT(
      math::abs(norm_squared(from) - 1.0) < 1e-6 && math::abs(norm_squared(to) - 1.0) < 1e-6,
      "unit vectors");
  const Vec3 axis = cross(from, to);
  const double sine = norm(axis);
  if (sine == 0.0 && dot(from, to) > 0.0) return {};
  if (sine == 0.0) return {0.0, 1.0, 0.0, 0.0};  // upside down: about the x axis
  return exp_rotation((math::atan2(sine, dot(from, to)) / sine) * axis);
}

struct Stance {
  Vec3 position_W_m;
  Quat q_WB;
};

class Standing {
 public:
  Standing(const Multirotor& vehicle, double north_m, double east_m, double heading_rad)
      : vehicle_(vehicle),
        gear_(vehicle.gear),
        n_W_(vehicle.world.ground.normal_W),
        north_m_(north_m),
        east_m_(east_m),
        q_place_(rotation_between(kUp_W, n_W_) * from_euler({0.0, 0.0, heading_rad})) {
    weight_n_ = vehicle.body.mass_kg * gravity_at(vehicle.world, position_at(0.0)).z;
  }

  std::optional<Stance> find() {
    touch();
    if (weight_n_ > 0.0) {  // without weight it only touches
      sink();
      if (!settle()) return std::nullopt;
    }
    return Stance{position_at(pose_.height_m), pose_.q_WB};
  }

 private:
  struct Pose {
    double height_m = 0.0;  ///< of the centre of mass, along the ground normal
    Quat q_WB;
  };

  /// Where the height along the normal is this one.
  [[nodiscard]] Vec3 position_at(double height_m) const {
    return point_above(vehicle_.world.ground, north_m_, east_m_, height_m);
  }

  /// Parallel to the ground, the lowest point just touching.
  void touch() {
    pose_.q_WB = q_place_;
    for (int k = 0; k < gear_.count; ++k) {
      const double below_m = -dot(n_W_, rotate(q_place_, gear_.position_B_m[k]));
      pose_.height_m = k == 0 ? below_m : math::max(pose_.height_m, below_m);
      arm_m_ = math::max(arm_m_, norm(gear_.position_B_m[k]));
    }
  }

  [[nodiscard]] double normal_weight_n() const { return -weight_n_ * n_W_.z; }

  /// The height at which the gear carries the weight, tilt as it is.
  void sink() {
    // Newton's method comes monotonously from where the lowest point alone would carry it.
    pose_.height_m -= math::pow(normal_weight_n() / gear_.stiffness_n_m15, 2.0 / 3.0);
    for (int step = 0; step < kMostSteps; ++step) {
      const Balance b = balance_at(pose_);
      const double excess_n = b.normal_n - normal_weight_n();
      if (math::abs(excess_n) <= kBalanced * normal_weight_n()) return;
      pose_.height_m += excess_n / b.slope_n_m;
    }
  }

  /// What the gear does in a pose, and how that changes with it. Tilts are taken times the arm, so
  /// that all three are metres and newtons.
  struct Balance {
    double normal_n = 0.0;
    double slope_n_m = 0.0;  ///< −∂N/∂height
    Vec3 left_n;       ///< force along the normal, moments about the two tilt axes over the arm
    Mat3 stiffness{};  ///< −∂left/∂(height, tilts): positive definite where it stands firmly
  };

  [[nodiscard]] Balance balance_at(const Pose& pose) const {
    Balance b;
    const Vec3 tilt_W[2] = {vehicle_.world.ground_axes.e1_W, vehicle_.world.ground_axes.e2_W};
    for (int k = 0; k < gear_.count; ++k) {
      const Vec3 r_W = rotate(pose.q_WB, gear_.position_B_m[k]);
      const double depth = -(pose.height_m + dot(n_W_, r_W));
      if (depth <= 0.0) continue;
      const double root = math::sqrt(depth);
      const double normal = gear_.stiffness_n_m15 * depth * root;
      const double slope = 1.5 * gear_.stiffness_n_m15 * root;
      b.normal_n += normal;
      b.slope_n_m += slope;
      const Vec3 arm = moments(r_W);
      b.left_n += normal * arm;
      for (int c = 0; c < 3; ++c) {
        const Vec3 turned_W = c == 0 ? Vec3{} : cross(tilt_W[c - 1], r_W) / arm_m_;
        const double pressed = c == 0 ? 1.0 : dot(n_W_, turned_W);
        const Vec3 change =
            (slope * pressed) * arm - normal * (c == 0 ? Vec3{} : moments(turned_W));
        b.stiffness.m[0][c] += slope * pressed;
        b.stiffness.m[1][c] += change.y;
        b.stiffness.m[2][c] += change.z;
      }
    }
    b.left_n.x -= normal_weight_n();
    return b;
  }

  /// What a unit of N at this point adds: to the force, and to the moments of an upward push.
  [[nodiscard]] Vec3 moments(Vec3 r_W) const {
    const Vec3 moment_W = cross(r_W, kUp_W) / arm_m_;
    return {1.0, dot(vehicle_.world.ground_axes.e1_W, moment_W),
            dot(vehicle_.world.ground_axes.e2_W, moment_W)};
  }

  [[nodiscard]] double unbalance(const Balance& b) const { return norm(b.left_n) / weight_n_; }

  static bool firm(const Mat3& k) {
    return k.m[0][0] > 0.0 && k.m[0][0] * k.m[1][1] - k.m[0][1] * k.m[1][0] > 0.0 &&
           determinant(k) > 0.0;
  }

  /// Pseudo-transient continuation: implicit steps of a heavily damped motion, which grow as the
  /// unbalanced force falls and end as those of Newton's method. So it tips as a real vehicle
  /// would, and finds no pose that is not stable.
  bool settle() {
    Balance b = balance_at(pose_);
    double softness_m_n = 1.0 / b.slope_n_m;
    for (int step = 0; step < kMostSteps; ++step) {
      const double before = unbalance(b);
      if (before <= kBalanced) return firm(b.stiffness);
      const Mat3 matrix = b.stiffness + Mat3::diagonal((1.0 / softness_m_n) * Vec3{1.0, 1.0, 1.0});
      if (!firm(matrix)) {
        softness_m_n *= kSlowest;
        continue;
      }
      move(inverse(matrix) * b.left_n);
      if (dot(n_W_, rotate(pose_.q_WB, rotate_inverse(q_place_, n_W_))) < kFallen) return false;
      b = balance_at(pose_);
      softness_m_n *= math::clamp(before / unbalance(b), kSlowest, kFastest);
    }
    return false;
  }

  void move(Vec3 change_m) {
    const double most_m = kMostTilt_rad * arm_m_;
    const double length_m = norm(change_m);
    if (length_m > most_m) change_m = (most_m / length_m) * change_m;
    const Vec3 tilt_W = (change_m.y * vehicle_.world.ground_axes.e1_W +
                         change_m.z * vehicle_.world.ground_axes.e2_W) /
                        arm_m_;
    pose_ = {pose_.height_m + change_m.x, normalized(exp_rotation(tilt_W) * pose_.q_WB)};
  }

  const Multirotor& vehicle_;
  const GearParameters& gear_;
  Vec3 n_W_;
  double north_m_;
  double east_m_;
  Quat q_place_;  ///< heading on the slope
  double weight_n_ = 0.0;
  double arm_m_ = 0.0;  ///< the longest
  Pose pose_;
};

/// On a slope that it does not slide down.
bool is_held_by_friction(const Multirotor& vehicle) {
  const Vec3 n = vehicle.world.ground.normal_W;
  const double tangent = math::hypot(n.x, n.y) / -n.z;
  return tangent > 0.0 && tangent < vehicle.gear.friction;
}

}  // namespace

void stand(const Multirotor& vehicle, double north_m, double east_m, double heading_rad,
           MultirotorState& state) {
  TACTUS_ASSERT(vehicle.world.ground.present && vehicle.gear.count > 0,
                "there is something to stand on");
  const std::optional<Stance> found = Standing(vehicle, north_m, east_m, heading_rad).find();
  // Hanging from points above it, in the ground, is no stance.
  if (!found || height_m(vehicle.world, found->position_W_m) < 0.0) {
    refuse_key("gear.positions_body_m",
               "it would fall over where it starts, the centre of mass is "
               "not above its gear; move points, or let it start in the air with "
               "initial.on_ground");
  }
  TACTUS_ASSERT(is_unit_length(norm(found->q_WB)), "a stance is a rotation");
  const MultirotorLayout& at = vehicle.layout;
  store(state.x + at.position, found->position_W_m);
  store(state.x + at.attitude, found->q_WB);
  if (!is_held_by_friction(vehicle)) return;
  MultirotorState waiting = vehicle.initial;
  std::copy_n(state.x + at.position, 3, waiting.x + at.position);
  std::copy_n(state.x + at.attitude, 4, waiting.x + at.attitude);
  MultirotorFlight flight = start_flight(vehicle, {}, waiting);
  try {
    fly(vehicle, default_config(Method::kRk45), {}, kWait, flight);
  } catch (const Error& error) {
    refuse_key("world.ground.normal_ned", fmt::format("the vehicle does not come to rest on this "
                                                      "slope, where it starts: {}",
                                                      error.what()));
  }
  std::copy_n(flight.state.x + at.position, 3, state.x + at.position);
  std::copy_n(flight.state.x + at.attitude, 4, state.x + at.attitude);
  std::copy_n(flight.state.x + at.bristle, 2 * vehicle.counts.gear_points, state.x + at.bristle);
}

}  // namespace tactus
