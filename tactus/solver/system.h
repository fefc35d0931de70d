// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a solver integrates: x' = f(t, x) over a packed array of doubles, of which the first
// `size()` entries are active. A system is a plain type with
//
//   static constexpr int kCapacity;                            room in the arrays it is handed
//   int size() const;                                          active entries
//   const StateGroups& groups() const;                         which entries belong together
//   Status derivative(double t_s, const double* x, double* dx) const;
//
// and, if it has them,
//
//   int project(double* x) const;               hard bounds, after each accepted step; how many
//                                               entries it changed
//   static constexpr int kGuardCapacity;        room in the array that guards() is handed
//   int guard_count() const;                    guards evaluated now, 0 switches all off
//   void guards(double t_s, const double* x, double* g) const;   quiet while g < 0, fires at g >= 0
//   bool far_from_events(double h_s, const double* x0, const double* x1, const double* g0,
//                        const double* g1) const;
//                                               no guard can fire within a step of that length with
//                                               these states and guards at its ends: saves a search
//                                               inside
//   bool depends_on_time() const;               false: derivative() and guards() ignore t_s
//
// t_s is the time since the start of the interval that is being integrated, in seconds.
// derivative() and guards() are pure: the same arguments give the same bits (contract C5). A system
// that does not declare depends_on_time() counts as time-dependent; its last derivative is then not
// carried from one interval to the next.

#include <concepts>
#include <cstdint>

#include "tactus/core/assert.h"
#include "tactus/core/hd.h"
#include "tactus/core/status.h"

namespace tactus {

/// Groups of state entries that share an error tolerance.
enum class ErrorGroup : std::uint8_t {
  kPosition,
  kVelocity,
  kAttitude,  ///< four entries: unit quaternion w, x, y, z, body to world
  kRate,
  kActuator,
  kActuatorRate,
  kRotor,
  kCharge,
  kPolarisation,
  kOther,  ///< never controlled: bristles, energy ledger
};

TACTUS_HD constexpr const char* to_text(ErrorGroup group) {
  switch (group) {
    case ErrorGroup::kPosition: return "position";
    case ErrorGroup::kVelocity: return "velocity";
    case ErrorGroup::kAttitude: return "attitude";
    case ErrorGroup::kRate: return "rate";
    case ErrorGroup::kActuator: return "actuator";
    case ErrorGroup::kActuatorRate: return "actuator_rate";
    case ErrorGroup::kRotor: return "rotor";
    case ErrorGroup::kCharge: return "charge";
    case ErrorGroup::kPolarisation: return "polarisation";
    case ErrorGroup::kOther: return "other";
  }
  return "unknown";
}

/// A run of neighbouring entries of one kind.
struct StateGroup {
  ErrorGroup kind = ErrorGroup::kOther;
  int begin = 0;
  int count = 0;
  int rate_begin = -1;  ///< attitude only: first of the three body rates that turn it; -1 if none
};

/// What neighbouring entries mean, for recordings: "velocity_ned_m_s", or one by itself.
struct StatePart {
  const char* name = "";
  const char* unit = "";
  int begin = 0;
  int count = 0;
};

/// The groups of a system, in the order of the state. Entries that no group names are `kOther`.
struct StateGroups {
  static constexpr int kMaxGroups = 16;
  static constexpr int kMaxAttitudes = 4;

  StateGroup group[kMaxGroups] = {};
  int count = 0;

  /// Adds a group; an empty one is left out.
  TACTUS_HD constexpr void add(ErrorGroup kind, int begin, int entries, int rate_begin = -1) {
    if (entries == 0) return;
    TACTUS_ASSERT(count < kMaxGroups, "too many state groups");
    TACTUS_ASSERT(entries > 0 && begin >= end(), "groups lie in the order of the state");
    TACTUS_ASSERT(kind != ErrorGroup::kAttitude || entries == 4, "an attitude has four entries");
    TACTUS_ASSERT(rate_begin == -1 || kind == ErrorGroup::kAttitude, "rates turn an attitude");
    TACTUS_ASSERT(rate_begin == -1 || rate_begin >= 0, "the first of three entries");
    group[count++] = {kind, begin, entries, rate_begin};
    TACTUS_ASSERT(attitudes() <= kMaxAttitudes, "too many attitudes");
  }

  /// First entry after the last group.
  [[nodiscard]] TACTUS_HD constexpr int end() const {
    return count == 0 ? 0 : group[count - 1].begin + group[count - 1].count;
  }

  [[nodiscard]] TACTUS_HD constexpr int attitudes() const {
    int found = 0;
    for (int g = 0; g < count; ++g) found += group[g].kind == ErrorGroup::kAttitude ? 1 : 0;
    return found;
  }
};

template <class T>
concept System = requires(const T& system, double t_s, const double* x, double* dx) {
  { T::kCapacity } -> std::convertible_to<int>;
  { system.size() } -> std::convertible_to<int>;
  { system.groups() } -> std::convertible_to<const StateGroups&>;
  { system.derivative(t_s, x, dx) } -> std::same_as<Status>;
};

template <class T>
concept HasGuards = requires(const T& system, double t_s, const double* x, double* g) {
  { T::kGuardCapacity } -> std::convertible_to<int>;
  { system.guard_count() } -> std::convertible_to<int>;
  system.guards(t_s, x, g);
};

template <class T>
concept HasProjection = requires(const T& system, double* x) {
  { system.project(x) } -> std::convertible_to<int>;
};

template <class T>
TACTUS_HD constexpr bool far_from_events(const T& system, double h_s, const double* x0,
                                         const double* x1, const double* g0, const double* g1) {
  if constexpr (requires { system.far_from_events(h_s, x0, x1, g0, g1); }) {
    return system.far_from_events(h_s, x0, x1, g0, g1);
  } else {
    return false;
  }
}

template <class T>
TACTUS_HD constexpr bool depends_on_time(const T& system) {
  if constexpr (requires { system.depends_on_time(); }) {
    return system.depends_on_time();
  } else {
    return true;
  }
}

}  // namespace tactus
