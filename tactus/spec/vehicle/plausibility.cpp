// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Rules about a multirotor that an engineer knows. Each examines the vehicle and adds
// at most one warning per part. A new rule is a function and a line in kRules.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tactus/autopilot/airframe/allocation.h"
#include "tactus/core/math.h"
#include "tactus/plant/multirotor.h"
#include "tactus/spec/vehicle/hover_figures.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

/// The vehicle, standing on a thrust stand where the flight begins.
struct Airframe : HoverFigures {
  const Spec& spec;
  const MultirotorParameters& parameters;
  Multirotor vehicle;

  Airframe(const Spec& of, const Multirotor& flown)
      : HoverFigures(hover_figures(multirotor_of(of), flown)),
        spec(of),
        parameters(multirotor_of(of)),
        vehicle(flown) {}
};

using PlausibilityRule = void (*)(const Airframe& airframe, SpecWarnings& warnings);

std::string rotor_key(int i, const char* key) { return fmt::format("rotor[{}].{}", i, key); }
std::string pack_key(const Airframe& a, int j, const char* key) {
  return fmt::format("pack.{}.{}", a.spec.parts.packs[static_cast<std::size_t>(j)], key);
}

// ---- power

/// Resting voltages of one cell. LiPo and Li-ion cells lose 4 % and more between 70 % and 30 % of
/// their charge; LiFePO4 cells hardly 2 %, and they are full at a lower voltage.
struct CellChemistry {
  const char* name;
  double empty_v;
  double lowest_full_v;
  double highest_full_v;
};
constexpr CellChemistry kLithiumIon{"LiPo and Li-ion cells", 2.5, 4.0, 4.4};
constexpr CellChemistry kIronPhosphate{"LiFePO4 cells, as its flat middle shows,", 2.0, 3.3, 3.7};

const CellChemistry& chemistry_of(const Pack& pack) {
  constexpr double kFlat = 0.03;
  const double fall_v = open_circuit_voltage_v(pack, 0.7) - open_circuit_voltage_v(pack, 0.3);
  return fall_v < kFlat * open_circuit_voltage_v(pack, 0.5) ? kIronPhosphate : kLithiumIon;
}

/// A flat curve is a supply on the ground, not a pack.
bool is_supply(const PackParameters& pack) {
  return pack.ocv_v[0] == pack.ocv_v[pack.ocv_count - 1];
}

void cells_fit_curve(const Airframe& a, SpecWarnings& warnings) {
  const PowerNetworkParameters& power = a.parameters.power;
  for (int j = 0; j < power.pack_count; ++j) {
    const PackParameters& pack = power.pack[j];
    if (pack.cell_count == 0 || is_supply(pack)) continue;
    const double empty_v = pack.ocv_v[0] / pack.cell_count;
    const double full_v = pack.ocv_v[pack.ocv_count - 1] / pack.cell_count;
    const CellChemistry& cell = chemistry_of(a.vehicle.network.pack[j]);
    if (empty_v >= cell.empty_v && full_v >= cell.lowest_full_v && full_v <= cell.highest_full_v) {
      continue;
    }
    warnings.push_back(
        {pack_key(a, j, "cell_count"),
         fmt::format("the open-circuit curve is {:.2f} V to {:.2f} V per cell; {} rest at {} V or "
                     "more when empty and at {:.1f} V to {:.1f} V when full",
                     empty_v, full_v, cell.name, cell.empty_v, cell.lowest_full_v,
                     cell.highest_full_v)});
  }
}

void buses_come_up(const Airframe& a, SpecWarnings& warnings) {
  const PowerNetworkParameters& power = a.parameters.power;
  for (int j = 0; j < power.pack_count; ++j) {
    const int bus = power.pack_bus[j];
    const double volts = open_circuit_voltage_v(a.vehicle.network.pack[j], power.pack[j].soc0);
    if (power.bus[bus].undervoltage_v < volts) continue;
    warnings.push_back(
        {fmt::format("bus.{}.undervoltage_v", a.spec.parts.buses[static_cast<std::size_t>(bus)]),
         fmt::format("pack \"{}\" gives {:.2f} V without load: the bus is down "
                     "from the start",
                     a.spec.parts.packs[static_cast<std::size_t>(j)], volts)});
  }
}

void packs_are_charged(const Airframe& a, SpecWarnings& warnings) {
  const PowerNetworkParameters& power = a.parameters.power;
  for (int j = 0; j < power.pack_count; ++j) {
    const PackParameters& pack = power.pack[j];
    if (pack.soc0 > pack.critical_soc) continue;
    warnings.push_back(
        {pack_key(a, j, "soc0"),
         fmt::format("the flight begins below critical_soc = {}", pack.critical_soc)});
  }
}

/// The best cells hold 300 Wh per kg.
void packs_can_be_carried(const Airframe& a, SpecWarnings& warnings) {
  const PowerNetworkParameters& power = a.parameters.power;
  for (int j = 0; j < power.pack_count; ++j) {
    const PackParameters& pack = power.pack[j];
    const double full_v = pack.ocv_v[pack.ocv_count - 1];
    const double energy_wh_kg = pack.capacity_ah * full_v / a.parameters.body.mass_kg;
    if (is_supply(pack) || energy_wh_kg <= 400.0) continue;
    warnings.push_back({pack_key(a, j, "capacity_ah"),
                        fmt::format("with {:.1f} V this is {:.0f} Wh per kg of the whole vehicle; "
                                    "cells alone hold 300 at most (mAh instead of Ah?)",
                                    full_v, energy_wh_kg)});
  }
}

/// How long the places of a mission take at cruise speed; nothing if it repeats or never ends.
std::optional<double> mission_time_s(const Spec& spec) {
  const LocalFrame frame = make_local_frame(spec.world.origin);
  Vec3 at = spec.initial.position_W_m;
  double time_s = 0.0;
  for (const MissionItem& item : spec.mission.items) {
    if (item.command == MissionCommand::kDoJump ||
        item.command == MissionCommand::kLoiterUnlimited ||
        item.command == MissionCommand::kDoChangeSpeed) {
      return std::nullopt;
    }
    const bool holds =
        item.command == MissionCommand::kWaypoint || item.command == MissionCommand::kLoiterTime ||
        item.command == MissionCommand::kDelay || item.command == MissionCommand::kConditionDelay;
    if (holds && item.param[0] > 0.0) time_s += item.param[0];
    if (!has_place(item)) continue;
    const Vec3 to = position_of(frame, {item.latitude_deg, item.longitude_deg});
    time_s += math::hypot(to.x - at.x, to.y - at.y) / spec.builtin.cruise_speed_m_s;
    at = to;
  }
  return time_s;
}

void packs_last(const Airframe& a, SpecWarnings& warnings) {
  const double lasts_s = a.endurance_s();
  if (!(lasts_s > 0.0)) return;
  const std::optional<double> mission_s = mission_time_s(a.spec);
  const std::string lasts = fmt::format("{:.2f} Ah last {:.0f} s in a hover, which draws {:.1f} A",
                                        a.charge_ah, lasts_s, a.current_a);
  if (mission_s && lasts_s < *mission_s) {
    warnings.push_back({pack_key(a, 0, "capacity_ah"),
                        fmt::format("{}; the mission takes at least {:.0f} s", lasts, *mission_s)});
  } else if (lasts_s < 60.0) {
    warnings.push_back({pack_key(a, 0, "capacity_ah"), lasts});
  }
}

// ---- thrust

/// Of the bus that sags most at full command; empty: none does by much.
std::string sag_text(const Airframe& a) {
  const PowerNetworkParameters& power = a.parameters.power;
  double worst = 0.75;
  std::string text;
  for (int j = 0; j < power.pack_count; ++j) {
    const int bus = power.pack_bus[j];
    const double open_v = open_circuit_voltage_v(a.vehicle.network.pack[j], power.pack[j].soc0);
    if (a.full.bus_v[bus] >= worst * open_v) continue;
    worst = a.full.bus_v[bus] / open_v;
    text = fmt::format(
        "; bus \"{}\" falls from {:.1f} V to {:.1f} V by then: look at r0_ohm of its "
        "packs and at avionics_power_w",
        a.spec.parts.buses[static_cast<std::size_t>(bus)], open_v, a.full.bus_v[bus]);
  }
  return text;
}

void lifts_enough(const Airframe& a, SpecWarnings& warnings) {
  if (a.thrust_to_weight() < 1.2) {
    warnings.push_back(
        {"body.mass_kg",
         fmt::format("the rotors lift {:.1f} N at full command, {:.3f} times the weight; {}{}",
                     a.full.lift_n, a.thrust_to_weight(),
                     a.thrust_to_weight() <= 1.0
                         ? "it cannot take off"
                         : "below 1.2 nothing is left to climb and to hold against wind",
                     sag_text(a))});
  } else if (a.hover && a.hover->command > 0.8) {
    warnings.push_back({"body.mass_kg", fmt::format("a hover needs {:.0f} % of the command; above "
                                                    "80 % little is left for control",
                                                    100.0 * a.hover->command)});
  }
}

void tips_are_subsonic(const Airframe& a, SpecWarnings& warnings) {
  const double sound_m_s = air_at(a.vehicle.world, Vec3{}).speed_of_sound_m_s;
  for (int i = 0; i < a.vehicle.counts.rotors; ++i) {
    const double tip_m_s = a.full.speed_rad_s[i] * a.parameters.rotor[i].propeller.radius_m;
    if (tip_m_s <= 0.9 * sound_m_s) continue;
    warnings.push_back(
        {rotor_key(i, "propeller.radius_m"),
         fmt::format("at full command the blade tips move with {:.0f} m/s, Mach {:.2f}; above 0.9 "
                     "no propeller follows these models (kv, voltage or size is wrong)",
                     tip_m_s, tip_m_s / sound_m_s)});
    return;  // all rotors are alike, most often
  }
}

void motors_may_draw_hover_current(const Airframe& a, SpecWarnings& warnings) {
  if (!a.hover) return;
  for (int i = 0; i < a.vehicle.counts.rotors; ++i) {
    const MotorParameters& motor = a.parameters.rotor[i].motor;
    const double current_a = a.hover->torque_nm[i] / a.vehicle.rotor[i].motor.torque_constant_nm_a +
                             motor.no_load_current_a;
    if (current_a <= 0.9 * motor.phase_current_limit_a) continue;
    warnings.push_back(
        {rotor_key(i, "motor.phase_current_limit_a"),
         fmt::format("a hover takes {:.1f} A per motor: nothing is left for control", current_a)});
    return;
  }
}

/// Spin inertia of bell and propeller grows with the fourth power of the radius: 0.05 to 0.4 kg/m2
/// times that from 28-inch carbon to 5-inch racing propellers.
void rotor_inertia_fits_size(const Airframe& a, SpecWarnings& warnings) {
  constexpr double kLowest_kg_per_m2 = 0.01;
  constexpr double kHighest_kg_per_m2 = 1.5;
  for (int i = 0; i < a.vehicle.counts.rotors; ++i) {
    const RotorParameters& rotor = a.parameters.rotor[i];
    const double radius_m = rotor.propeller.radius_m;
    const double scale_m4 = radius_m * radius_m * radius_m * radius_m;
    const double inertia_kg_m2 = rotor.motor.rotor_inertia_kg_m2;
    if (inertia_kg_m2 >= kLowest_kg_per_m2 * scale_m4 &&
        inertia_kg_m2 <= kHighest_kg_per_m2 * scale_m4) {
      continue;
    }
    warnings.push_back(
        {rotor_key(i, "motor.rotor_inertia_kg_m2"),
         fmt::format("rotors of {:.3g} m radius have {:.1g} to {:.1g} kg m^2, motor bell included; "
                     "it decides how fast the thrust follows the command",
                     radius_m, 0.04 * scale_m4, 0.5 * scale_m4)});
    return;
  }
}

// ---- geometry

/// How two rotors with (nearly) parallel axes lie to each other, seen along the axis of the first.
struct RotorSpacing {
  bool parallel;
  double along_m;
  double across_m;
  double reach_m;  ///< sum of the radii
};

RotorSpacing spacing(const RotorParameters& first, const RotorParameters& second) {
  const Vec3 axis = first.axis_B;
  const Vec3 between = second.position_B_m - first.position_B_m;
  return {math::abs(dot(axis, second.axis_B)) >= 0.9, math::abs(dot(between, axis)),
          norm(between - dot(between, axis) * axis),
          first.propeller.radius_m + second.propeller.radius_m};
}

bool are_a_coaxial_pair(const RotorParameters& first, const RotorParameters& second) {
  const RotorSpacing s = spacing(first, second);
  return s.parallel && s.across_m <= 0.05 * s.reach_m &&
         first.reaction_sign != second.reaction_sign;
}

/// Whether all rotors come in coaxial pairs: then both of a pair may stand in one point of the
/// model. A single such pair is a slip.
bool is_coaxial(const MultirotorParameters& p) {
  const auto end = p.rotor + p.rotor_count;
  return std::all_of(p.rotor, end, [&](const RotorParameters& rotor) {
    return std::any_of(p.rotor, end, [&](const RotorParameters& other) {
      return are_a_coaxial_pair(rotor, other);
    });
  });
}

/// Blades meet if two hubs of one plane are nearer than the radii.
void propellers_are_apart(const Airframe& a, SpecWarnings& warnings) {
  const MultirotorParameters& p = a.parameters;
  const bool coaxial = is_coaxial(p);
  for (int j = 1; j < p.rotor_count; ++j) {
    for (int i = 0; i < j; ++i) {
      const RotorSpacing s = spacing(p.rotor[i], p.rotor[j]);
      const bool pair = coaxial && are_a_coaxial_pair(p.rotor[i], p.rotor[j]);
      if (!s.parallel || pair || s.along_m > 0.05 * s.reach_m || s.across_m >= s.reach_m) continue;
      const std::string& other = a.spec.parts.rotors[static_cast<std::size_t>(i)];
      warnings.push_back(
          {rotor_key(j, "position_body_m"),
           fmt::format("its propeller meets that of \"{}\": the hubs are {:.3f} m apart, the radii "
                       "add up to {:.3f} m",
                       other, s.across_m, s.reach_m)});
      return;
    }
  }
}

/// Whether the origin lies outside of the points, seen from above: then some half circle is empty.
bool origin_is_outside(const std::vector<Vec3>& points) {
  std::vector<double> angles;
  angles.reserve(points.size());
  for (const Vec3& point : points) angles.push_back(math::atan2(point.y, point.x));
  std::sort(angles.begin(), angles.end());
  double widest = angles.front() + 2.0 * math::kPi - angles.back();
  for (std::size_t i = 1; i < angles.size(); ++i) {
    widest = math::max(widest, angles[i] - angles[i - 1]);
  }
  return widest > math::kPi + 1e-9;
}

/// Whether some thrusts give lift = weight and no moment, each rotor that lifts at no less than a
/// quarter of its share: one that hardly turns has nothing left to take away.
bool hovers_at_rest(const AirframeModel& model) {
  const Allocation mix = make_allocation(model, 0);
  const double share = model.hover_thrust_n / model.max_thrust_n;
  double lowest_n[kMaxMotors] = {};
  double thrust_n[kMaxMotors] = {};
  for (int i = 0; i < model.rotor_count; ++i) {
    if (model.rotor[i].lift_per_thrust > 0.0) lowest_n[i] = 0.25 * share * mix.strength_n[i];
  }
  allocate(mix, {Vec3{}, model.hover_thrust_n}, lowest_n, mix.strength_n, thrust_n);
  for (const auto& row : mix.effectiveness) {
    if (&row == &mix.effectiveness[3]) continue;  // the lift is there by its limits
    double sum_nm = 0.0;
    double size_nm = 0.0;
    for (int i = 0; i < model.rotor_count; ++i) {
      sum_nm += row[i] * thrust_n[i];
      size_nm += math::abs(row[i] * thrust_n[i]);
    }
    if (math::abs(sum_nm) > 0.02 * size_nm) return false;
  }
  return true;
}

/// The rotor that would have to turn the other way, for the most yaw; -1: no single one does it.
int rotor_of_wrong_sign(const MultirotorParameters& given, const World& world) {
  MultirotorParameters p = given;
  int wrong = -1;
  double most_nm = 0.0;
  for (int i = 0; i < p.rotor_count; ++i) {
    p.rotor[i].reaction_sign = -p.rotor[i].reaction_sign;
    const AirframeModel model = make_airframe_model(make_multirotor(p, world));
    const Allocation mix = make_allocation(model, 0);
    p.rotor[i].reaction_sign = -p.rotor[i].reaction_sign;
    if (!mix.controls_yaw || mix.hover_yaw_nm <= most_nm || !hovers_at_rest(model)) continue;
    wrong = i;
    most_nm = mix.hover_yaw_nm;
  }
  return wrong;
}

void rotors_balance(const Airframe& a, const AirframeModel& model, SpecWarnings& warnings) {
  if (hovers_at_rest(model)) return;
  const int wrong = rotor_of_wrong_sign(a.parameters, a.vehicle.world);
  if (wrong >= 0) {
    warnings.push_back({rotor_key(wrong, "reaction_sign"),
                        "the rotors' reaction torques do not balance in a hover; they do if this "
                        "rotor turns the other way"});
  } else {
    warnings.push_back({rotor_key(0, "position_body_m"),
                        "the moments of the rotors do not balance in a hover, if every rotor is to "
                        "carry a quarter of its share; look at positions, axes and reaction_sign"});
  }
}

/// As the built-in autopilot would mix them.
void rotors_control_attitude(const Airframe& a, SpecWarnings& warnings) {
  if (!a.hover || a.thrust_to_weight() < 1.2) return;
  std::vector<Vec3> lifting;
  for (int i = 0; i < a.vehicle.counts.rotors; ++i) {
    if (a.vehicle.rotor[i].axis_B.z > 0.0) lifting.push_back(a.vehicle.rotor[i].position_B_m);
  }
  const AirframeModel model = make_airframe_model(a.vehicle);
  const Allocation mix = make_allocation(model, 0);
  if (!mix.controls_tilt || lifting.size() < 3 || origin_is_outside(lifting)) {
    warnings.push_back(
        {rotor_key(0, "position_body_m"),
         "the rotors cannot hold roll and pitch in a hover; positions count from the "
         "centre of mass, which must lie between them"});
  } else if (!mix.controls_yaw) {
    warnings.push_back({rotor_key(0, "reaction_sign"),
                        "the rotors cannot hold the heading in a hover; half of them must turn the "
                        "other way"});
  } else {
    rotors_balance(a, model, warnings);
  }
}

void gear_carries(const Airframe& a, SpecWarnings& warnings) {
  const GearParameters& gear = a.parameters.gear;
  if (!a.vehicle.world.ground.present || gear.count == 0) return;
  const std::vector<Vec3> points(gear.position_B_m, gear.position_B_m + gear.count);
  const bool below =
      std::any_of(points.begin(), points.end(), [](const Vec3& point) { return point.z > 0.0; });
  const char* const key = "gear.positions_body_m";
  if (!below) {
    warnings.push_back({key, "no point lies below the centre of mass: z counts downwards"});
  } else if (points.size() < 3 || origin_is_outside(points)) {
    warnings.push_back({key,
                        "the vehicle tips over: its centre of mass does not lie between three "
                        "or more points"});
  }
}

/// Radius of gyration against the farthest part that is known.
void inertia_fits_size(const Airframe& a, SpecWarnings& warnings) {
  const MultirotorParameters& p = a.parameters;
  double size_m = 0.0;
  for (int i = 0; i < p.rotor_count; ++i) {
    size_m = math::max(size_m, norm(p.rotor[i].position_B_m) + p.rotor[i].propeller.radius_m);
  }
  for (int i = 0; i < 3; ++i) {
    const double gyration_m = math::sqrt(p.body.inertia_kg_m2.m[i][i] / p.body.mass_kg);
    if (gyration_m <= size_m && gyration_m >= 0.03 * size_m) continue;
    warnings.push_back(
        {"body.inertia_kg_m2",
         fmt::format("with {} kg the mass would lie {:.3g} m from the {} axis (radius of "
                     "gyration), and the vehicle reaches {:.3g} m",
                     p.body.mass_kg, gyration_m, "xyz"[i], size_m)});
    return;
  }
}

/// Where the mission goes, against the ground plane; landing is meant to end on it.
void mission_stays_above_ground(const Airframe& a, SpecWarnings& warnings) {
  const Spec& spec = a.spec;
  if (!a.vehicle.world.ground.present) return;
  for (const MissionItem& item : spec.mission.items) {
    const bool aloft = has_place(item) && item.command != MissionCommand::kLand &&
                       item.frame != AltitudeFrame::kAboveTerrain;
    if (!aloft) continue;
    Vec3 at =
        position_of(a.vehicle.world, {item.latitude_deg, item.longitude_deg, item.altitude_m});
    if (item.frame != AltitudeFrame::kMeanSeaLevel) at.z = -item.altitude_m;
    const double height_m = tactus::height_m(a.vehicle.world, at);
    if (height_m >= 0.0) continue;
    warnings.push_back(
        {"autopilot.mission", fmt::format("{}:{}: this place is {:.1f} m below the ground",
                                          spec.mission.name, item.line, -height_m)});
    return;
  }
}

// ---- control

void control_is_fast(const Airframe& a, SpecWarnings& warnings) {
  if (a.spec.autopilot == AutopilotKind::kNone) return;
  const auto check = [&](const char* key, DurationUs period, const char* what) {
    if (period <= DurationUs{50'000}) return;
    warnings.push_back({key, fmt::format("{} every {:g} s: no multirotor is held upright by less "
                                         "than 20 per second (ms instead of s?)",
                                         what, to_seconds(period))});
  };
  check("time.autopilot_s", a.spec.timeline.autopilot, "the autopilot acts");
  check("time.sensors_s", a.spec.timeline.sensors, "the autopilot gets an estimate");
}

constexpr PlausibilityRule kRules[] = {cells_fit_curve,
                                       buses_come_up,
                                       packs_are_charged,
                                       packs_can_be_carried,
                                       packs_last,
                                       lifts_enough,
                                       tips_are_subsonic,
                                       motors_may_draw_hover_current,
                                       rotor_inertia_fits_size,
                                       propellers_are_apart,
                                       rotors_control_attitude,
                                       gear_carries,
                                       inertia_fits_size,
                                       mission_stays_above_ground,
                                       control_is_fast};

}  // namespace

SpecWarnings multirotor_warnings(const Spec& spec, const Multirotor& vehicle) {
  SpecWarnings warnings;
  const Airframe airframe(spec, vehicle);
  for (const PlausibilityRule rule : kRules) rule(airframe, warnings);
  return warnings;
}

}  // namespace tactus
