// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The part of the bridge that starts: whether all fits together, and connecting.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tactus/bridge/bridge.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr DurationUs kLongestDefaultStep{20'000};

}  // namespace

void Bridge::plan_step() {
  std::uint64_t common = 0;
  std::uint64_t fastest = 0;
  for (const auto& [id, one] : slots_) {
    const std::uint64_t exchange = one->vehicle->exchange().us;
    common = std::gcd(common, exchange);
    fastest = fastest == 0 ? exchange : std::min(fastest, exchange);
  }
  step_ = options_.step;
  if (step_.us == 0) {
    const bool fits = common != 0 && common <= kLongestDefaultStep.us;
    step_ = DurationUs(fits ? common : std::gcd(common, kLongestDefaultStep.us));
  }
  if (fastest != 0 && step_.us > fastest) {
    refuse(
        fmt::format("step_us = {}, but a vehicle exchanges every {} us; a step must not be "
                    "longer",
                    step_.us, fastest));
  }
  TACTUS_ASSERT(step_.us > 0, "a step that goes on");
  for (const auto& [id, one] : slots_) {
    const std::string why = misfit(*one->vehicle);
    if (!why.empty()) refuse(fmt::format("{}: {}", one->who(), why));
  }
}

/// Why its exchanges are not at instants of the bridge; empty: they are.
std::string Bridge::misfit(const Vehicle& vehicle) const {
  TACTUS_ASSERT(step_.us > 0, "a step that was planned");
  const std::uint64_t exchange = vehicle.exchange().us;
  if (exchange % step_.us == 0) return {};
  const std::uint64_t less = exchange / step_.us * step_.us;
  const std::uint64_t more = less + step_.us;
  return fmt::format("exchange_us = {} is no multiple of step_us = {}; {}", exchange, step_.us,
                     less == 0 ? fmt::format("the nearest is {}", more)
                               : fmt::format("nearest are {} and {}", less, more));
}

void Bridge::require_capabilities(SimulatorSession& session) {
  const SimulatorAdapter& adapter = session.adapter();
  const SimulatorCapabilities able = adapter.capabilities();
  const std::size_t assigned = places_in(session).size();
  TACTUS_ASSERT(able.most_vehicles >= 0, "capabilities of an adapter");
  if (assigned > static_cast<std::size_t>(able.most_vehicles)) {
    refuse(fmt::format("simulator {} ({}) holds {} at most, but {} vehicles are assigned to it",
                       session.name(), adapter.kind(), able.most_vehicles, assigned));
  }
  if (able.lockstep) return;
  if (session.late_policy() != LatePolicy::kFreeRunning) {
    refuse(
        fmt::format("simulator {} ({}) cannot be held in lockstep; late = \"free_running\" lets "
                    "it run free",
                    session.name(), adapter.kind()));
  }
  session.run_free();
  warnings_.push_back(fmt::format(
      "simulator {} runs free: its vehicles see what it delivers, when it does", session.name()));
}

/// False: interrupted.
bool Bridge::connect_all() {
  try {
    for (auto& [name, one] : sessions_) one->connect(places_in(*one));
    for (auto& [name, one] : sessions_) {
      if (one->await_connection(now_, vehicles_text(*one))) continue;
      give_up_connecting();
      return false;
    }
    return true;
  } catch (...) {
    give_up_connecting();
    throw;
  }
}

void Bridge::give_up_connecting() {
  for (auto& [name, one] : sessions_) one->give_up_connecting();
}

void Bridge::start() {
  TACTUS_ASSERT(!life_.is(Life::kOver), "a bridge that is over is only stopped");
  if (life_.is(Life::kFlying)) return;
  if (life_.is(Life::kNotStarted)) {
    // After a start that was interrupted or failed one may still be connecting.
    for (const auto& [name, one] : sessions_) one->require_settled();
    plan_step();
    warnings_.clear();
    for (auto& [name, one] : sessions_) require_capabilities(*one);
    if (!connect_all()) return;
    for (const auto& [name, one] : sessions_) {
      TACTUS_ASSERT(one->phase() == SessionPhase::kReady, "all are connected");
    }
    for (const auto& [name, one] : sessions_) one->require_own_step(step_);
    life_.go_to(Life::kConnected);
  }
  TACTUS_ASSERT(now_ == TimeUs(), "the first exchange is at time 0");
  if (!exchange(now_)) return;
  life_.go_to(Life::kFlying);
  for (auto& [name, one] : sessions_) one->collect_warnings();
  pace_.anchor(now_, mode_);
}

}  // namespace tactus
