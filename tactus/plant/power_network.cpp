// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/power_network.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {
namespace {

std::string element(std::string_view where, const char* key, int index) {
  return fmt::format("{}.{}[{}]", where, key, index);
}

/// Every member has one bus by construction; the index must name an existing one.
void validate_membership(std::string_view where, const char* key, const int* bus, int count,
                         int bus_count) {
  for (int i = 0; i < count; ++i) {
    if (bus[i] < 0 || bus[i] >= bus_count) {
      refuse(where, fmt::format("{}[{}]", key, i), bus[i],
             fmt::format("there is no such bus; buses are numbered 0 to {}", bus_count - 1));
    }
  }
}

/// Two packs without resistance: their currents are not defined, whatever the voltages.
void refuse_ideal_packs_in_parallel(const PowerNetworkParameters& p, std::string_view where) {
  for (int i = 0; i < p.pack_count; ++i) {
    for (int j = 0; j < i; ++j) {
      if (p.pack_bus[i] == p.pack_bus[j] && p.pack[i].r0_ohm <= 0.0 && p.pack[j].r0_ohm <= 0.0) {
        refuse(element(where, "pack", i), "r0_ohm", p.pack[i].r0_ohm,
               fmt::format("packs {} and {} on bus {} are two ideal packs in parallel: the current "
                           "between them is not defined; give each its series resistance",
                           j, i, p.pack_bus[i]));
      }
    }
  }
}

/// Highest voltage of a full pack on the bus; 0 if there is none.
double full_voltage_v(const PowerNetworkParameters& p, int bus) {
  TACTUS_ASSERT(bus >= 0 && bus < p.bus_count, "a bus that exists");
  double highest = 0.0;
  for (int j = 0; j < p.pack_count; ++j) {
    if (p.pack_bus[j] == bus)
      highest = math::max(highest, p.pack[j].ocv_v[p.pack[j].ocv_count - 1]);
  }
  return highest;
}

void validate_bus(const PowerBusParameters& bus, double full_v, const std::string& where) {
  require_not_negative(where, "avionics_power_w", bus.avionics_power_w);
  require_not_negative(where, "undervoltage_v", bus.undervoltage_v);
  require_not_negative(where, "overvoltage_v", bus.overvoltage_v);
  require_positive(where, "restart_v", bus.restart_v);
  if (bus.undervoltage_v >= bus.restart_v) {
    refuse(
        where, "undervoltage_v", bus.undervoltage_v,
        fmt::format("must be below restart_v = {} V, or the bus would restart into its own cut-off",
                    bus.restart_v));
  }
  if (bus.restart_v >= full_v) {
    refuse(where, "restart_v", bus.restart_v,
           fmt::format("must be below the {} V of a full pack on this bus, or the bus could never "
                       "restart",
                       full_v));
  }
  if (bus.overvoltage_v > 0.0 && bus.overvoltage_v <= full_v) {
    refuse(
        where, "overvoltage_v", bus.overvoltage_v,
        fmt::format("must be above the {} V of a full pack on this bus (0 = not watched)", full_v));
  }
}

}  // namespace

void validate(const PowerNetworkParameters& p, std::string_view where) {
  require_within(where, "bus_count", p.bus_count, 1, kMaxBuses);
  require_within(where, "pack_count", p.pack_count, 1, kMaxPacks);
  require_within(where, "motor_count", p.motor_count, 0, kMaxMotors);
  validate_membership(where, "pack_bus", p.pack_bus, p.pack_count, p.bus_count);
  validate_membership(where, "motor_bus", p.motor_bus, p.motor_count, p.bus_count);
  refuse_ideal_packs_in_parallel(p, where);
  for (int j = 0; j < p.pack_count; ++j) validate(p.pack[j], element(where, "pack", j));
  for (int b = 0; b < p.bus_count; ++b) {
    const double full_v = full_voltage_v(p, b);
    if (full_v == 0.0) {
      refuse(where, "pack_bus", b, "no pack is on this bus; add one or remove the bus");
    }
    validate_bus(p.bus[b], full_v, element(where, "bus", b));
  }
}

PowerNetwork make_power_network(const PowerNetworkParameters& p, std::string_view where) {
  validate(p, where);
  PowerNetwork network;
  network.bus_count = p.bus_count;
  network.pack_count = p.pack_count;
  network.motor_count = p.motor_count;
  for (int b = 0; b < p.bus_count; ++b) network.bus[b].parameters = p.bus[b];
  for (int j = 0; j < p.pack_count; ++j) {
    network.pack[j] = make_pack(p.pack[j], element(where, "pack", j));
    PowerBus& bus = network.bus[p.pack_bus[j]];
    TACTUS_ASSERT(bus.pack_count < kMaxPacks, "each pack is on one bus");
    bus.pack[bus.pack_count++] = j;
  }
  for (int i = 0; i < p.motor_count; ++i) {
    PowerBus& bus = network.bus[p.motor_bus[i]];
    TACTUS_ASSERT(bus.motor_count < kMaxMotors, "each motor is on one bus");
    bus.motor[bus.motor_count++] = i;
  }
  int packs = 0;
  int motors = 0;
  for (int b = 0; b < network.bus_count; ++b) {
    TACTUS_ASSERT(network.bus[b].pack_count > 0, "a bus that has a supply");
    packs += network.bus[b].pack_count;
    motors += network.bus[b].motor_count;
  }
  TACTUS_ASSERT(packs == network.pack_count && motors == network.motor_count,
                "every part is on one bus");
  return network;
}

}  // namespace tactus
