// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Values that can be watched on a multirotor. The bus publishes the same functions, so a condition
// has the same bits inside an interval and at its boundary.

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/plant/multirotor_state.h"
#include "tactus/plant/rigid_body_watch.h"
#include "tactus/plant/watch.h"
#include "tactus/world/world.h"

namespace tactus {

/// `bus_v` may be null if no bus voltage is watched.
TACTUS_HD inline double watched_value(const MultirotorLayout& at, const World& world,
                                      const double* x, const double* bus_v, const Watch& watch) {
  TACTUS_ASSERT(watch.index >= 0, "an entry that exists");
  switch (watch.quantity) {
    case WatchQuantity::kRotorSpeed:
      TACTUS_ASSERT(at.rotor_speed + watch.index < at.charge, "a rotor of this vehicle");
      return x[at.rotor_speed + watch.index];
    case WatchQuantity::kStateOfCharge:
      TACTUS_ASSERT(at.charge + watch.index < at.rc_voltage, "a pack of this vehicle");
      return x[at.charge + watch.index];
    case WatchQuantity::kBusVoltage:
      TACTUS_ASSERT(bus_v != nullptr && watch.index < kMaxBuses, "a bus of this vehicle");
      return bus_v[watch.index];
    default:
      return rigid_body_value(world, x + at.position, x + at.velocity, x + at.attitude, x + at.rate,
                              watch);
  }
}

}  // namespace tactus
