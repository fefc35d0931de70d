// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The multirotor as a solver sees it: derivative, projection and guards over one held interval.
//
// Guards, in this order (quiet while negative):
//   gear point k   touch: penetration; while touching, lift: height beyond the hysteresis
//   rotor i        turning: stops at zero speed; held: drive torque beyond break-away
//   pack j         empty
//   bus b          operating point lost | undervoltage | may restart | overvoltage begins or ends
//   watch w        what somebody outside asked for (watch.h)
// What an event does to the modes is in multirotor_events.h.

#include <limits>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/plant/multirotor.h"
#include "tactus/plant/multirotor_watch.h"
#include "tactus/solver/advance.h"

namespace tactus {

/// Zero speed is crossed by this much before a rotor counts as stopped, so that a rotor that has
/// just broken away is not stopped again by rounding.
inline constexpr double kStopSpeed_rad_s = 1e-3;
inline constexpr int kGuardsPerBus = 4;
inline constexpr double kOvervoltageRearm = 0.98;

template <class Shape>
struct MultirotorSystemOf {
  static constexpr int kCapacity = Shape::kCapacity;
  static constexpr int kGuardCapacity =
      kMaxGearPoints + kMaxMotors + kGuardsPerBus * kMaxBuses + kMaxPacks + kMaxWatches;

  Shape shape;
  const Multirotor* vehicle = nullptr;
  const MultirotorModes* modes = nullptr;
  const MultirotorInput* input = nullptr;
  bool watch = true;  ///< false: no guards (batch runs in free air)
  WatchList watches{};

  TACTUS_HD int size() const { return shape.layout().size; }
  TACTUS_HD decltype(auto) groups() const { return shape.groups(); }
  TACTUS_HD bool depends_on_time() const { return !(input->wind_slope_W_m_s2 == Vec3{}); }

  TACTUS_HD TACTUS_FLATTEN Status derivative(double t_s, const double* x, double* dx) const {
    return evaluate(shape, *vehicle, *modes, *input, t_s, x, dx, nullptr);
  }

  /// The derivative, and the outputs that come with it. `e`: the electrical solution, which it gets
  /// unless it is `solved` already.
  TACTUS_HD TACTUS_FLATTEN Status outputs(double t_s, const double* x, double* dx,
                                          MultirotorOutputs& out, detail::Electrical& e,
                                          bool solved) const {
    return evaluate(shape, *vehicle, *modes, *input, t_s, x, dx, e, solved, &out);
  }

  /// Hard bounds after a step (contract C5); returns how many entries it changed.
  TACTUS_HD int project(double* x) const {
    const MultirotorCounts& n = shape.counts();
    const MultirotorLayout& at = shape.layout();
    int changed = 0;
    for (int i = 0; i < n.rotors; ++i) {
      double& speed = x[at.rotor_speed + i];
      const double before = speed;
      if (clamp_entry(speed, -2.0 * kStopSpeed_rad_s, kInfinity) == 0) continue;
      ++changed;
      if (n.ledger) {
        const Vec3 w_B = load_vec3(x + at.rate);
        x[at.ledger + static_cast<int>(LedgerEntry::kProjection)] +=
            spin_energy_j(vehicle->rotor[i], w_B, speed) -
            spin_energy_j(vehicle->rotor[i], w_B, before);
      }
    }
    for (int j = 0; j < n.packs; ++j) changed += clamp_entry(x[at.charge + j], 0.0, kInfinity);
    changed += clamp_actuators(vehicle->motor_actuator, n.rotors, 0.0, x + at.motor_output,
                               x + at.motor_rate);
    changed += clamp_actuators(vehicle->servo_actuator, n.servos, -1.0, x + at.servo_output,
                               x + at.servo_rate);
    TACTUS_UNROLL
    for (int k = 0; k < n.gear_points; ++k) {
      if (bound_bristle(x + at.bristle + 2 * k)) ++changed;
    }
    return changed;
  }

  TACTUS_HD int guard_count() const {
    const MultirotorCounts& n = shape.counts();
    if (!watch) return 0;
    TACTUS_ASSERT(watches.count >= 0 && watches.count <= kMaxWatches, "watches that have room");
    return n.gear_points + n.rotors + kGuardsPerBus * n.buses + n.packs + watches.count;
  }

  TACTUS_HD void guards(double /*t_s*/, const double* x, double* g) const {
    detail::Electrical e;
    solve_and_guard(x, g, e);
  }

  /// The same, and the electrical solution that comes with it.
  TACTUS_HD TACTUS_FLATTEN void solve_and_guard(const double* x, double* g,
                                                detail::Electrical& e) const {
    detail::solve_electrical(shape, *vehicle, *modes, *input, x, e);
    guards_with(e, x, g);
  }

  /// The same where the electrical solution is known.
  TACTUS_HD TACTUS_FLATTEN void guards_with(const detail::Electrical& e, const double* x,
                                            double* g) const {
    const MultirotorCounts& n = shape.counts();
    const MultirotorLayout& at = shape.layout();
    const GroundFromBody ground =
        ground_from_body(vehicle->world.ground, load_vec3(x + at.position),
                         rotation_matrix(load_quat(x + at.attitude)));
    for (int k = 0; k < n.gear_points; ++k) *g++ = gear_guard(ground, k);
    for (int i = 0; i < n.rotors; ++i) *g++ = rotor_guard(e, x[at.rotor_speed + i], i);
    for (int j = 0; j < n.packs; ++j) {
      *g++ = has_bit(modes->pack_empty, j) ? -1.0 : empty_guard(x[at.charge + j]);
    }
    for (int b = 0; b < n.buses; ++b, g += kGuardsPerBus) bus_guards(e, b, g);
    for (int w = 0; w < watches.count; ++w) {
      const Watch& asked = watches.watch[w];
      const double value = watched_value(at, vehicle->world, x, e.solution.bus_v, asked);
      *g++ = asked.sign * (value - asked.threshold);
    }
  }

  /// Every guard is well below zero at both ends of a short step, and moves by less than a quarter
  /// of its distance to zero: then it does not come up and go down again in between, because steps
  /// resolve what moves (require_step_resolves, error control). Gear that touches is never well
  /// below zero; there both ends must also be so slow that it moves by less than that quarter.
  /// Watches are somebody else's business, so they are always looked at.
  TACTUS_HD bool far_from_events(double h_s, const double* x0, const double* x1, const double* g0,
                                 const double* g1) const {
    TACTUS_ASSERT(h_s > 0.0, "a step that goes on");
    if (h_s > kLongestUnwatched_s || watches.count > 0) return false;
    const MultirotorCounts& n = shape.counts();
    const std::uint32_t held = detail::held_rotors(*modes);
    int k = 0;
    const auto far = [&](double distance) {
      const double nearer = math::min(-g0[k], -g1[k]);
      const bool stays = math::abs(g1[k] - g0[k]) <= 0.25 * nearer;
      ++k;
      return nearer > distance && stays;
    };
    for (int i = 0; i < n.gear_points; ++i) {
      const bool touches = has_bit(modes->gear_touching, i);
      const double speed =
          touches ? math::max(gear_speed_bound(x0, i), gear_speed_bound(x1, i)) : 0.0;
      if (!far(touches ? 4.0 * h_s * speed : kNearGround_m + kFastFall_m_s * h_s)) return false;
    }
    for (int i = 0; i < n.rotors; ++i) {
      // What frees a rotor that is held, its drive and its supply, hardly moves within a step.
      if (!far(has_bit(held, i) ? 0.0 : kFastStop_rad_s2 * h_s)) return false;
    }
    for (const int end = k + n.packs + kGuardsPerBus * n.buses; k < end;) {
      if (!far(0.0)) return false;
    }
    return true;
  }

 private:
  static constexpr double kLongestUnwatched_s = 0.02;
  static constexpr double kNearGround_m = 0.02;
  static constexpr double kFastFall_m_s = 20.0;
  static constexpr double kFastStop_rad_s2 = 5000.0;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  TACTUS_HD static int clamp_entry(double& value, double low, double high) {
    const double bounded = math::clamp(value, low, high);
    if (bounded == value || math::is_nan(value)) return 0;
    value = bounded;
    return 1;
  }

  TACTUS_HD static int clamp_actuators(const ActuatorParameters& p, int count, double low,
                                       double* y, double* v) {
    int changed = 0;
    for (int i = 0; i < count; ++i) {
      if (p.kind != ActuatorKind::kDirect) changed += clamp_entry(y[i], low, 1.0);
      if (p.kind == ActuatorKind::kSecondOrder) {
        changed += clamp_entry(v[i], -p.rate_limit_per_s, p.rate_limit_per_s);
      }
    }
    return changed;
  }

  /// At least as fast as the point moves, by sums instead of roots.
  TACTUS_HD double gear_speed_bound(const double* x, int point) const {
    const auto sum = [](Vec3 v) { return math::abs(v.x) + math::abs(v.y) + math::abs(v.z); };
    const MultirotorLayout& at = shape.layout();
    return sum(load_vec3(x + at.velocity)) +
           sum(load_vec3(x + at.rate)) * sum(vehicle->gear.position_B_m[point]);
  }

  TACTUS_HD double gear_guard(const GroundFromBody& ground, int k) const {
    const double height = height_of(ground, vehicle->gear.position_B_m[k]);
    return contact_guard(vehicle->gear, height, has_bit(modes->gear_touching, k));
  }

  TACTUS_HD double rotor_guard(const detail::Electrical& e, double speed, int i) const {
    if (has_bit(modes->rotor_jammed, i)) return -1.0;
    if (!has_bit(modes->rotor_stopped, i)) return -speed - kStopSpeed_rad_s;
    const Rotor& rotor = vehicle->rotor[i];
    const double current = motor_current(rotor.motor, e.motor[i], e.solution.bus_v[rotor.bus]);
    return break_away_excess(rotor.motor, current, kBreakAwayMargin_nm);
  }

  TACTUS_HD void bus_guards(const detail::Electrical& e, int b, double* g) const {
    const PowerBus& bus = vehicle->network.bus[b];
    const double bus_v = e.solution.bus_v[b];
    if (has_bit(modes->bus_down, b)) {
      g[0] = g[1] = -1.0;
      const double no_load_v = no_load_voltage_v(bus, e.source);
      g[2] = has_bit(modes->bus_restarting, b) ? -1.0 : restart_guard_v(bus.parameters, no_load_v);
    } else {
      g[0] = brown_out_guard(e, b);
      g[1] = undervoltage_guard_v(bus.parameters, bus_v);
      g[2] = -1.0;
    }
    const double limit_v = bus.parameters.overvoltage_v;
    g[3] = has_bit(modes->bus_overvoltage, b) ? kOvervoltageRearm * limit_v - bus_v
                                              : overvoltage_guard_v(bus.parameters, bus_v);
  }

  TACTUS_HD double brown_out_guard(const detail::Electrical& e, int b) const {
    const BusCondition condition = e.solution.condition[b];
    if (condition == BusCondition::kDead) return 1.0;
    const auto& network = shape.network();
    const auto& bus = network.bus[b];
    const double top_v = condition == BusCondition::kOk ? e.solution.bus_v[b] : kInfinity;
    return brown_out_guard_w(
        BusProblemOf<std::remove_cvref_t<decltype(bus)>>{&bus, e.source, e.curve, e.avionics_w[b]},
        top_v, math::max(kPlenty * e.avionics_w[b], kPlenty_w));
  }

  /// What the packs can give beyond this many times the avionics' power, or beyond this power, is
  /// not looked for.
  static constexpr double kPlenty = 4.0;
  static constexpr double kPlenty_w = 40.0;
  /// Keeps a frictionless rotor at rest until something drives it.
  static constexpr double kBreakAwayMargin_nm = 1e-9;
};

using MultirotorSystem = MultirotorSystemOf<RunTimeShape>;

template <class Shape = RunTimeShape>
TACTUS_HD inline MultirotorSystemOf<Shape> make_system(const Multirotor& vehicle,
                                                       const MultirotorModes& modes,
                                                       const MultirotorInput& input,
                                                       WatchList watches = {}) {
  return {{&vehicle}, &vehicle, &modes, &input, true, watches};
}

}  // namespace tactus
