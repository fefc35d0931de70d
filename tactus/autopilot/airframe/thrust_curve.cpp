// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/airframe/thrust_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/plant/multirotor.h"

namespace tactus {
namespace {

constexpr int kBisections = 34;
constexpr int kCommandBisections = 26;  // 1.5e-8
constexpr int kVoltageBisections = 26;  // 50 V to 1e-6 V
constexpr int kFitPoints = 20;

/// Halves an interval, for a surplus that is positive up to some place and not beyond it. That
/// place is searched by false position (the Illinois rule: an end that stays counts half), and a
/// half on which the surplus is known needs no evaluation: some ten instead of thirty, for the same
/// bits wherever rounding does not give the surplus two changes of its sign.
class Halving {
 public:
  Halving() = default;
  Halving(double low, double high, int times) : low_(low), high_(high), left_(times) {
    TACTUS_ASSERT(math::is_finite(low) && math::is_finite(high), "no interval to halve");
    halve();
  }

  [[nodiscard]] bool done() const { return left_ == 0; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

  /// Where to evaluate next; at the end the middle of the last halving.
  [[nodiscard]] double place() const {
    if (done()) return middle_;
    if (!below_.known || !above_.known) return next_;
    const double x =
        (below_.x * above_.surplus - above_.x * below_.surplus) / (above_.surplus - below_.surplus);
    return x > below_.x && x < above_.x ? x : next_;
  }

  void add(double x, double surplus) {
    const bool is_below = surplus > 0.0;
    Seen& end = is_below ? below_ : above_;
    Seen& other = is_below ? above_ : below_;
    if (end.known && was_below_ == is_below) other.surplus *= 0.5;
    end = {x, surplus, true};
    was_below_ = is_below;
    halve();
  }

 private:
  struct Seen {
    double x = 0.0;
    double surplus = 0.0;
    bool known = false;
  };

  void halve() {
    for (; left_ > 0; --left_) {
      next_ = 0.5 * (low_ + high_);
      const bool is_below = below_.known && next_ <= below_.x;
      const bool is_above = above_.known && next_ >= above_.x;
      if (!is_below && !is_above) return;
      (is_below ? low_ : high_) = middle_ = next_;
    }
  }

  double low_ = 0.0;
  double high_ = 0.0;
  int left_ = 0;
  double middle_ = 0.0;  ///< of the last halving
  double next_ = 0.0;
  Seen below_;
  Seen above_;
  bool was_below_ = false;
};

double air_at_origin(const Multirotor& vehicle) { return air_density_at(vehicle.world, Vec3{}); }

PropellerLoad still_air_load(const Multirotor& vehicle, int rotor, double density_kg_m3,
                             double speed_rad_s) {
  return propeller_load(vehicle.rotor[rotor].propeller, speed_rad_s,
                        {.climb_m_s = 0.0,
                         .in_plane_speed_squared_m2_s2 = 0.0,
                         .density_kg_m3 = density_kg_m3,
                         .ground_height_m = math::infinity()});
}

/// Where motor and propeller balance.
double steady_speed(const Multirotor& vehicle, int rotor, double density_kg_m3, double command,
                    double bus_v) {
  const Motor& motor = vehicle.rotor[rotor].motor;
  Halving search(0.0, bus_v / motor.torque_constant_nm_a, kBisections);
  while (!search.done()) {
    const double speed = search.place();
    const double current = motor_current(motor, motor_electrical(motor, command, speed), bus_v);
    search.add(speed, motor_torque(motor, current, speed, false) -
                          still_air_load(vehicle, rotor, density_kg_m3, speed).torque_nm);
  }
  return search.low();
}

/// Bus voltages of the initial packs with the rotors at these speeds.
void solve_buses(const Multirotor& vehicle, const SteadyRotors& at, double* bus_v) {
  MultirotorState state = vehicle.initial;
  MultirotorInput input;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    input.motor_command[i] = at.command;
    state.x[vehicle.layout.rotor_speed + i] = at.speed_rad_s[i];
    if (vehicle.counts.motor_actuator_order > 0) {
      state.x[vehicle.layout.motor_output + i] = at.command;
    }
  }
  detail::Electrical electrical;
  detail::solve_electrical(RunTimeShape{&vehicle}, vehicle, {}, input, state.x, electrical);
  for (int b = 0; b < vehicle.counts.buses; ++b) bus_v[b] = electrical.solution.bus_v[b];
}

}  // namespace

SteadyRotors steady_rotors(const Multirotor& vehicle, double command) {
  const double density_kg_m3 = air_at_origin(vehicle);
  SteadyRotors at;
  double solved_v[kMaxBuses] = {};
  solve_buses(vehicle, at, solved_v);  // motors off
  at.command = command;
  // Each pack hangs on one bus, so the buses are searched side by side.
  Halving search[kMaxBuses];
  const std::span buses(search, static_cast<std::size_t>(vehicle.counts.buses));
  for (int b = 0; b < vehicle.counts.buses; ++b) search[b] = {0.0, solved_v[b], kVoltageBisections};
  while (true) {
    for (int b = 0; b < vehicle.counts.buses; ++b) at.bus_v[b] = search[b].place();
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const double bus_v = at.bus_v[vehicle.rotor[i].bus];
      at.speed_rad_s[i] = steady_speed(vehicle, i, density_kg_m3, command, bus_v);
    }
    if (std::all_of(buses.begin(), buses.end(), [](const Halving& b) { return b.done(); })) break;
    solve_buses(vehicle, at, solved_v);
    for (int b = 0; b < vehicle.counts.buses; ++b) {
      search[b].add(at.bus_v[b], solved_v[b] - at.bus_v[b]);
    }
  }
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const PropellerLoad load = still_air_load(vehicle, i, density_kg_m3, at.speed_rad_s[i]);
    at.thrust_n[i] = load.thrust_n;
    at.torque_nm[i] = load.torque_nm;
    at.lift_n += vehicle.rotor[i].axis_B.z * load.thrust_n;
  }
  return at;
}

SteadyRotors hover_rotors(const Multirotor& vehicle) {
  const double weight_n = tactus::weight_n(vehicle.world, vehicle.body.mass_kg, Vec3{});
  const double most_n = steady_rotors(vehicle, 1.0).lift_n;
  if (!(most_n > weight_n)) {
    refuse_key(
        "body.mass_kg", fmt::format("{}", vehicle.body.mass_kg),
        fmt::format("the rotors lift {:.1f} N at full command and the weight is {:.1f} N, so "
                    "no autopilot can be set up to hover",
                    most_n, weight_n));
  }
  Halving search(0.0, 1.0, kCommandBisections);
  while (!search.done()) {
    const double command = search.place();
    search.add(command, weight_n - steady_rotors(vehicle, command).lift_n);
  }
  return steady_rotors(vehicle, search.high());
}

double thrust_slope_n(const Multirotor& vehicle, const SteadyRotors& at, int rotor) {
  constexpr double kStep = 1e-3;
  const double density_kg_m3 = air_at_origin(vehicle);
  const auto thrust_n = [&](double command) {
    const double bus_v = at.bus_v[vehicle.rotor[rotor].bus];
    const double speed = steady_speed(vehicle, rotor, density_kg_m3, command, bus_v);
    return still_air_load(vehicle, rotor, density_kg_m3, speed).thrust_n;
  };
  return (thrust_n(at.command + kStep) - thrust_n(at.command - kStep)) / (2.0 * kStep);
}

double fit_curvature(const Multirotor& vehicle, CommandRange range) {
  const double most_n = steady_rotors(vehicle, range.highest).lift_n;
  double product = 0.0;
  double square = 0.0;
  for (int k = 1; k < kFitPoints; ++k) {
    const double c = static_cast<double>(k) / kFitPoints;
    const double command = range.lowest + c * (range.highest - range.lowest);
    const double t = steady_rotors(vehicle, command).lift_n / most_n;
    const double bend = c * c - c;  // t − c = k · bend
    product += (t - c) * bend;
    square += bend * bend;
  }
  return math::clamp(product / square, 0.0, 1.0);
}

}  // namespace tactus
