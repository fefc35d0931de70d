// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/multirotor_events.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "tactus/core/assert.h"

namespace tactus {
namespace {

PlantEvent bus_event(const Multirotor& vehicle, int bus, int which, TimeUs now,
                     MultirotorModes& modes) {
  TACTUS_ASSERT(bus >= 0 && bus < vehicle.counts.buses, "a bus of this vehicle");
  const PowerBusParameters& p = vehicle.network.bus[bus].parameters;
  switch (which) {
    case 0:
    case 1:
      TACTUS_ASSERT(!has_bit(modes.bus_down, bus), "a bus goes down once");
      modes.bus_down |= bit(bus);
      if (p.esc == EscBrownOut::kStaysOff) modes.bus_escs_off |= bit(bus);
      return {which == 0 ? PlantEventKind::kBrownOut : PlantEventKind::kUndervoltage, bus};
    case 2:
      TACTUS_ASSERT(has_bit(modes.bus_down, bus) && !has_bit(modes.bus_restarting, bus),
                    "a bus that is down begins its restart once");
      modes.bus_restarting |= bit(bus);
      modes.bus_restart_us[bus] = (now + p.restart_delay).us;
      return {PlantEventKind::kBusRestarting, bus};
    default:
      modes.bus_overvoltage ^= bit(bus);
      return {has_bit(modes.bus_overvoltage, bus) ? PlantEventKind::kOvervoltage
                                                  : PlantEventKind::kOvervoltageEnded,
              bus};
  }
}

/// Which part a guard belongs to, and its number within that part.
enum class GuardPart { kGear, kRotor, kPack, kBus };
struct GuardPlace {
  GuardPart part;
  int index;
};

GuardPlace place_of(const MultirotorCounts& n, int guard) {
  TACTUS_ASSERT(guard >= 0, "no guard fired");
  if (guard < n.gear_points) return {GuardPart::kGear, guard};
  guard -= n.gear_points;
  if (guard < n.rotors) return {GuardPart::kRotor, guard};
  guard -= n.rotors;
  if (guard < n.packs) return {GuardPart::kPack, guard};
  guard -= n.packs;
  TACTUS_ASSERT(guard < kGuardsPerBus * n.buses, "guard index beyond the last guard");
  return {GuardPart::kBus, guard};
}

void book_impact(const Multirotor& vehicle, double lost_j, double* x) {
  if (!vehicle.counts.ledger) return;
  TACTUS_ASSERT(x != nullptr && vehicle.layout.ledger < vehicle.layout.size, "a ledger to write");
  x[vehicle.layout.ledger + static_cast<int>(LedgerEntry::kImpactLoss)] += lost_j;
}

}  // namespace

const char* to_text(PlantEventKind kind) {
  switch (kind) {
    case PlantEventKind::kTouchdown: return "touchdown";
    case PlantEventKind::kLiftoff: return "liftoff";
    case PlantEventKind::kRotorStopped: return "rotor stopped";
    case PlantEventKind::kRotorStarted: return "rotor started";
    case PlantEventKind::kBrownOut: return "brown-out";
    case PlantEventKind::kUndervoltage: return "undervoltage";
    case PlantEventKind::kBusRestarting: return "bus restarting";
    case PlantEventKind::kBusRestarted: return "bus restarted";
    case PlantEventKind::kOvervoltage: return "overvoltage";
    case PlantEventKind::kOvervoltageEnded: return "overvoltage ended";
    case PlantEventKind::kPackEmpty: return "pack empty";
  }
  return "unknown";
}

MultirotorModes initial_modes(const Multirotor& vehicle, const MultirotorInput& input,
                              const double* x) {
  TACTUS_ASSERT(x != nullptr, "a state to start from");
  MultirotorModes modes;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    if (x[vehicle.layout.rotor_speed + i] == 0.0) modes.rotor_stopped |= bit(i);
  }
  // Whatever already stands on the ground, is empty or lacks power at the start is so silently. A
  // rotor that is driven at once starts by an ordinary event.
  MultirotorState state;
  double g[MultirotorSystem::kGuardCapacity];
  const MultirotorSystem system = make_system(vehicle, modes, input);
  for (int k = 0; k < system.guard_count(); ++k) {
    if (place_of(vehicle.counts, k).part == GuardPart::kRotor) continue;
    system.guards(0.0, x, g);
    if (g[k] >= 0.0) apply_guard(vehicle, k, TimeUs(0), state.x, modes);
  }
  return modes;
}

PlantEvent apply_guard(const Multirotor& vehicle, int guard, TimeUs now, double* x,
                       MultirotorModes& modes) {
  const GuardPlace place = place_of(vehicle.counts, guard);
  const int i = place.index;
  switch (place.part) {
    case GuardPart::kGear:
      modes.gear_touching ^= bit(i);
      return {
          has_bit(modes.gear_touching, i) ? PlantEventKind::kTouchdown : PlantEventKind::kLiftoff,
          i};
    case GuardPart::kRotor: {
      TACTUS_ASSERT(!has_bit(modes.rotor_jammed, i), "a jammed rotor stays where it is");
      double& speed = x[vehicle.layout.rotor_speed + i];
      const Vec3 w_B = load_vec3(x + vehicle.layout.rate);
      book_impact(vehicle, spin_energy_j(vehicle.rotor[i], w_B, speed), x);
      speed = 0.0;
      modes.rotor_stopped ^= bit(i);
      return {has_bit(modes.rotor_stopped, i) ? PlantEventKind::kRotorStopped
                                              : PlantEventKind::kRotorStarted,
              i};
    }
    case GuardPart::kPack:
      TACTUS_ASSERT(!has_bit(modes.pack_empty, i), "a pack is cut off once");
      modes.pack_empty |= bit(i);
      return {PlantEventKind::kPackEmpty, i};
    case GuardPart::kBus: break;
  }
  return bus_event(vehicle, i / kGuardsPerBus, i % kGuardsPerBus, now, modes);
}

std::string guard_name(const Multirotor& vehicle, int guard) {
  const GuardPlace place = place_of(vehicle.counts, guard);
  const char* const bus_guards[kGuardsPerBus] = {"operating point", "undervoltage", "restart",
                                                 "overvoltage"};
  switch (place.part) {
    case GuardPart::kGear: return fmt::format("gear point {} touches or lifts", place.index);
    case GuardPart::kRotor: return fmt::format("rotor {} stops or starts", place.index);
    case GuardPart::kPack: return fmt::format("pack {} is empty", place.index);
    case GuardPart::kBus: break;
  }
  return fmt::format("bus {}, {}", place.index / kGuardsPerBus,
                     bus_guards[place.index % kGuardsPerBus]);
}

PlantEvent apply_due_restart(const Multirotor& vehicle, TimeUs now, MultirotorModes& modes) {
  for (int b = 0; b < vehicle.counts.buses; ++b) {
    if (!has_bit(modes.bus_restarting, b) || modes.bus_restart_us[b] > now.us) continue;
    TACTUS_ASSERT(has_bit(modes.bus_down, b), "a bus that restarts was down");
    modes.bus_down &= ~bit(b);
    modes.bus_restarting &= ~bit(b);
    return {PlantEventKind::kBusRestarted, b};
  }
  return {PlantEventKind::kBusRestarted, -1};
}

TimeUs next_restart(const MultirotorModes& modes) {
  std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
  for (int b = 0; b < kMaxBuses; ++b) {
    const std::uint64_t due_us = modes.bus_restart_us[b];
    if (has_bit(modes.bus_restarting, b) && due_us < next) next = due_us;
  }
  return TimeUs(next);
}

void jam_rotor(const Multirotor& vehicle, int rotor, double* x, MultirotorModes& modes) {
  TACTUS_ASSERT(rotor >= 0 && rotor < vehicle.counts.rotors, "a rotor of this vehicle");
  TACTUS_ASSERT(x != nullptr, "a state to act on");
  const MultirotorLayout& at = vehicle.layout;
  const Rotor& jammed = vehicle.rotor[rotor];
  double& speed = x[at.rotor_speed + rotor];
  const double energy_j = stored_energy_j(vehicle, x);
  modes.rotor_jammed |= bit(rotor);
  modes.rotor_stopped |= bit(rotor);
  // The lock gives the body the impulse J s Ω a; turning rotors are free about their axes.
  const Vec3 impulse_B = (jammed.motor.rotor_inertia_kg_m2 * jammed.spin * speed) * jammed.axis_B;
  const std::uint32_t held = modes.rotor_stopped | modes.rotor_jammed;
  const Vec3 change_B =
      detail::turning_inertia_inverse(RunTimeShape{&vehicle}, vehicle, held) * impulse_B;
  store(x + at.rate, load_vec3(x + at.rate) + change_B);
  speed = 0.0;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    if (has_bit(held, i)) continue;
    x[at.rotor_speed + i] -= vehicle.rotor[i].spin * dot(vehicle.rotor[i].axis_B, change_B);
  }
  book_impact(vehicle, energy_j - stored_energy_j(vehicle, x), x);
}

void release_rotor(int rotor, MultirotorModes& modes) {
  TACTUS_ASSERT(rotor >= 0 && rotor < kMaxMotors, "a rotor that there can be");
  TACTUS_ASSERT(has_bit(modes.rotor_stopped, rotor), "a jammed rotor stands still");
  modes.rotor_jammed &= ~bit(rotor);
}

Vec3 angular_momentum_B(const Multirotor& vehicle, const double* x) {
  Vec3 momentum = vehicle.body.inertia_kg_m2 * load_vec3(x + vehicle.layout.rate);
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    const Rotor& rotor = vehicle.rotor[i];
    const double speed = x[vehicle.layout.rotor_speed + i];
    momentum += (rotor.motor.rotor_inertia_kg_m2 * rotor.spin * speed) * rotor.axis_B;
  }
  return momentum;
}

double stored_energy_j(const Multirotor& vehicle, const double* x) {
  const MultirotorLayout& at = vehicle.layout;
  const Vec3 v = load_vec3(x + at.velocity);
  const Vec3 w = load_vec3(x + at.rate);
  double energy =
      0.5 * vehicle.body.mass_kg * dot(v, v) + 0.5 * dot(w, vehicle.body.inertia_kg_m2 * w);
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    energy += spin_energy_j(vehicle.rotor[i], w, x[at.rotor_speed + i]);
  }
  const RunTimeShape shape{&vehicle};
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    energy += rc_energy_j(vehicle.network.pack[j], detail::pack_state(shape, x, j));
  }
  return energy;
}

}  // namespace tactus
