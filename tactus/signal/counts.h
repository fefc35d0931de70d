// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How many of each part a vehicle has. The rest of the bus is unused and left out of logs.

#include <cstdint>
#include <string>

#include "tactus/signal/limits.h"

namespace tactus {

/// How many instruments of each kind the vehicle carries.
struct InstrumentCounts {
  int imus = 0;
  int magnetometers = 0;
  int barometers = 0;
  int gps = 0;
  int airspeeds = 0;
  int range_finders = 0;

  [[nodiscard]] constexpr bool any() const { return *this != InstrumentCounts{}; }
  constexpr bool operator==(const InstrumentCounts&) const = default;
};

struct VehicleCounts {
  int motors = 0;
  int servos = 0;
  int packs = 0;
  int buses = 0;
  int gear_points = 0;
  InstrumentCounts instruments{};
};

/// What there can be several of, in the order of for_each_count().
enum class CountOf : std::uint8_t {
  kMotors,
  kServos,
  kPacks,
  kBuses,
  kGearPoints,
  kImus,
  kMagnetometers,
  kBarometers,
  kGps,
  kAirspeeds,
  kRangeFinders,
  kOne,  ///< there is always one
};
inline constexpr CountOf kFirstInstrumentCount = CountOf::kImus;

/// Every count with its names and its limit: visit("motor", "motors", count, most).
template <class Counts, class Visitor>
constexpr void for_each_count(Counts& counts, Visitor&& visit) {
  visit("motor", "motors", counts.motors, kMaxMotors);
  visit("servo", "servos", counts.servos, kMaxServos);
  visit("pack", "packs", counts.packs, kMaxPacks);
  visit("bus", "buses", counts.buses, kMaxBuses);
  visit("gear point", "gear points", counts.gear_points, kMaxGearPoints);
  auto& carried = counts.instruments;
  visit("IMU", "IMUs", carried.imus, kMaxImus);
  visit("magnetometer", "magnetometers", carried.magnetometers, kMaxMagnetometers);
  visit("barometer", "barometers", carried.barometers, kMaxBarometers);
  visit("GPS", "GPS", carried.gps, kMaxGps);
  visit("airspeed sensor", "airspeed sensors", carried.airspeeds, kMaxAirspeeds);
  visit("range finder", "range finders", carried.range_finders, kMaxRangeFinders);
}

constexpr int count_of(const VehicleCounts& counts, CountOf what) {
  int found = 1;
  int position = 0;
  for_each_count(counts, [&](const char*, const char*, int count, int) {
    if (position++ == static_cast<int>(what)) found = count;
  });
  return found;
}

/// How many a vehicle can have.
constexpr int most_of(CountOf what) {
  int found = 1;
  int position = 0;
  const VehicleCounts none;
  for_each_count(none, [&](const char*, const char*, int, int most) {
    if (position++ == static_cast<int>(what)) found = most;
  });
  return found;
}
static_assert(most_of(CountOf::kOne) == 1 && most_of(CountOf::kRangeFinders) == kMaxRangeFinders);

/// "4 motors, 0 servos, 1 pack, 1 bus, 4 gear points, 1 IMU": instruments only if there are some.
std::string to_text(const VehicleCounts& counts);

}  // namespace tactus
