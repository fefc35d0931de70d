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
#define TACTUS_MEMBER(Kind, Kinds, member, members, ...) int members = 0;
  TACTUS_INSTRUMENT_KINDS(TACTUS_MEMBER)
#undef TACTUS_MEMBER

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
// clang-format off
#define TACTUS_ENUMERATOR(Kind, Kinds, ...) k##Kinds,
  TACTUS_INSTRUMENT_KINDS(TACTUS_ENUMERATOR)
#undef TACTUS_ENUMERATOR
  kOne,  ///< there is always one
  // clang-format on
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
#define TACTUS_VISIT(Kind, Kinds, member, members, Reading, most, one, many, ...) \
  visit(one, many, carried.members, most);
  TACTUS_INSTRUMENT_KINDS(TACTUS_VISIT)
#undef TACTUS_VISIT
}

constexpr int count_of(const VehicleCounts& counts, CountOf what) {
  int found = 1;
  int position = 0;
  for_each_count(counts, [&](const char*, const char*, int count, int) {
    if (position++ == static_cast<int>(what)) found = count;
  });
  return found;
}

/// As a function of its own, for field lists.
template <CountOf what>
constexpr int count_of(const VehicleCounts& counts) {
  return count_of(counts, what);
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

/// Whether digests and recordings tell of it: of everything up to range finders even where a
/// vehicle has none, of kinds that came later only where they, or still later ones, are fitted. So
/// flights without them keep their digests and their files.
constexpr bool is_told(const VehicleCounts& counts, CountOf what) {
  if (what <= CountOf::kRangeFinders || what == CountOf::kOne) return true;
  for (CountOf later = what; later != CountOf::kOne;
       later = static_cast<CountOf>(static_cast<int>(later) + 1)) {
    if (count_of(counts, later) > 0) return true;
  }
  return false;
}

/// Those counts, in their order: what recordings hold.
template <class Visitor>
constexpr void for_each_told_count(const VehicleCounts& counts, Visitor&& visit) {
  int position = 0;
  for_each_count(counts, [&](const char*, const char*, int count, int) {
    if (is_told(counts, static_cast<CountOf>(position++))) visit(count);
  });
}

/// "4 motors, 0 servos, 1 pack, 1 bus, 4 gear points, 1 IMU": instruments only if there are some.
std::string to_text(const VehicleCounts& counts);

}  // namespace tactus
