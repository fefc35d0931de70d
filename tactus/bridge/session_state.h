// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The states of a simulator's session with the bridge, and the only ways from one to another.
//
// What it is doing:
//
//    kUnconnected ──▶ kConnecting ──▶ kReady ──▶ kAsked ──▶ kDelivered
//                                      ▲  ▲         ▲            │ │
//                                      │  └─────────┼────────────┘ │   routed, or refused
//                                      │            └──────────────┘   behind: asked again
//                                      │
//       from kReady, kAsked: it threw  │
//              kBroken ◀────▶ kReconnecting
//
//    A simulator of this process computes at once: kReady ──▶ kDelivered. Disconnecting leads from
//    everywhere to kUnconnected, and as long as the bridge has not started kReady leads to
//    kConnecting: a start that failed connects all anew.
//
// How it keeps to the clock of the bridge, by its policy (LatePolicy):
//
//    kInStep ──▶ kFailed                       fail: the bridge is over
//    kInStep ◀─▶ kLate                         hold: until it has caught up
//    kInStep ──▶ kDropped                      drop
//    kInStep ──▶ kFreeMissing ◀─▶ kFree        free_running: missing until frames come
//    kInStep ──▶ kFree                         it cannot be held in lockstep

#include <cstdint>
#include <span>

#include "tactus/core/assert.h"

namespace tactus {

enum class SessionPhase : std::uint8_t {
  kUnconnected,  ///< its thread may still be on the way back from a connection that was given up
  kConnecting,
  kReady,         ///< nothing is asked of it; it may still be taking commands
  kAsked,         ///< for this instant, or, where it is not waited for, for an earlier one
  kDelivered,     ///< its frames are here and not routed yet
  kBroken,        ///< has thrown; is connected again after a while
  kReconnecting,  ///< the others go on meanwhile
};

enum class SessionStanding : std::uint8_t {
  kInStep,
  kLate,
  kFree,
  kFreeMissing,  ///< late or wrong, and nothing right has come since
  kDropped,
  kFailed,
};

template <class State>
struct Transition {
  State from;
  State to;
};

inline constexpr Transition<SessionPhase> kPhaseTransitions[] = {
    {SessionPhase::kUnconnected, SessionPhase::kConnecting},
    {SessionPhase::kUnconnected, SessionPhase::kUnconnected},
    {SessionPhase::kConnecting, SessionPhase::kReady},
    {SessionPhase::kConnecting, SessionPhase::kUnconnected},
    {SessionPhase::kReady, SessionPhase::kConnecting},
    {SessionPhase::kReady, SessionPhase::kAsked},
    {SessionPhase::kReady, SessionPhase::kDelivered},
    {SessionPhase::kReady, SessionPhase::kBroken},
    {SessionPhase::kReady, SessionPhase::kUnconnected},
    {SessionPhase::kAsked, SessionPhase::kDelivered},
    {SessionPhase::kAsked, SessionPhase::kBroken},
    {SessionPhase::kAsked, SessionPhase::kUnconnected},
    {SessionPhase::kDelivered, SessionPhase::kReady},
    {SessionPhase::kDelivered, SessionPhase::kAsked},
    {SessionPhase::kDelivered, SessionPhase::kUnconnected},
    {SessionPhase::kBroken, SessionPhase::kReconnecting},
    {SessionPhase::kBroken, SessionPhase::kUnconnected},
    {SessionPhase::kReconnecting, SessionPhase::kReady},
    {SessionPhase::kReconnecting, SessionPhase::kBroken},
    {SessionPhase::kReconnecting, SessionPhase::kUnconnected},
};

inline constexpr Transition<SessionStanding> kStandingTransitions[] = {
    {SessionStanding::kInStep, SessionStanding::kFailed},
    {SessionStanding::kInStep, SessionStanding::kLate},
    {SessionStanding::kLate, SessionStanding::kInStep},
    {SessionStanding::kInStep, SessionStanding::kDropped},
    {SessionStanding::kInStep, SessionStanding::kFreeMissing},
    {SessionStanding::kInStep, SessionStanding::kFree},
    {SessionStanding::kFree, SessionStanding::kFreeMissing},
    {SessionStanding::kFreeMissing, SessionStanding::kFree},
};

/// A state that changes only as its table says.
template <class State>
class StateMachine {
 public:
  /// `allowed` outlives it.
  constexpr StateMachine(State first, std::span<const Transition<State>> allowed)
      : state_(first), allowed_(allowed) {}

  [[nodiscard]] constexpr State state() const { return state_; }
  [[nodiscard]] constexpr bool is(State state) const { return state_ == state; }
  [[nodiscard]] constexpr bool may_go_to(State to) const {
    for (const Transition<State>& one : allowed_) {
      if (one.from == state_ && one.to == to) return true;
    }
    return false;
  }
  constexpr void go_to(State to) {
    TACTUS_ASSERT(may_go_to(to), "a transition that the table of states has");
    state_ = to;
  }

 private:
  State state_;
  std::span<const Transition<State>> allowed_;
};

}  // namespace tactus
