// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Marks in field lists: what digests do not take as it is, and what cannot change in flight; why.
//
//   visit("where", "", left_out(self.where, "a place in a file"));
//   visit("lag_us", "us", digested_if(self.lag, self, [](const Fault& f) { return f.late; }, "…"));
//   visit("files", "", without_length(self.files, "…"));
//   visit("soc0", "1", fixed_in_flight(self.soc0, "acts at the start of a flight only"), "…");
//
// Everything else that walks the list meets the member itself. A condition is a function, so that
// lists_every_field can walk the list of an object that does not exist.

#include <type_traits>

#include "tactus/core/hd.h"

namespace tactus {

/// Not part of digests.
template <class T>
struct LeftOut {
  using MarkedMember = T;
  T* member;
  const char* why;

  [[nodiscard]] static constexpr bool in_digest() { return false; }
};

/// Part of digests if the condition holds for the object that it is a member of.
template <class T, class Owner>
struct DigestedIf {
  using MarkedMember = T;
  T* member;
  const Owner* owner;
  bool (*condition)(const Owner&);
  const char* why;

  [[nodiscard]] constexpr bool in_digest() const { return condition(*owner); }
};

/// A list of which digests take the elements, and not how many there are.
template <class T>
struct WithoutLength {
  using MarkedMember = T;
  T* member;
  const char* why;
};

inline constexpr const char* kOnlyAtStart = "acts at the start of a flight only";

/// A parameter that a flight which is under way cannot get another value of.
template <class T>
struct FixedInFlight {
  using MarkedMember = T;
  T* member;
  const char* why;

  [[nodiscard]] static constexpr bool in_digest() { return true; }
};

template <class T>
constexpr LeftOut<T> left_out(T& member, const char* why) {
  return {&member, why};
}

template <class T, class Owner>
constexpr DigestedIf<T, std::remove_const_t<Owner>> digested_if(
    T& member, Owner& owner, bool (*condition)(const std::type_identity_t<Owner>&),
    const char* why) {
  return {&member, &owner, condition, why};
}

template <class T>
constexpr WithoutLength<T> without_length(T& member, const char* why) {
  return {&member, why};
}

template <class T>
TACTUS_HD constexpr FixedInFlight<T> fixed_in_flight(T& member, const char* why) {
  return {&member, why};
}

template <class T>
inline constexpr bool kIsFixedInFlight = false;
template <class T>
inline constexpr bool kIsFixedInFlight<FixedInFlight<T>> = true;

template <class T>
concept MarkedField = requires {
  typename std::remove_cvref_t<T>::MarkedMember;
};

/// The member behind a mark; anything else is its own.
template <class T>
TACTUS_HD constexpr auto& unmarked(T&& member) {
  if constexpr (MarkedField<T>) {
    return *member.member;
  } else {
    return member;
  }
}

}  // namespace tactus
