// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The part of the bridge that starts: whether all fits together, and connecting.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tactus/bridge/bridge.h"
#include "tactus/bridge/bridge_seat.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr DurationUs kLongestDefaultStep{20'000};
constexpr std::size_t kMostEarlierWarnings = 20;

}  // namespace

void Bridge::plan_step() {
  std::uint64_t common = 0;
  std::uint64_t fastest = 0;
  for (const auto& [id, one] : riders_) {
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
  for (const auto& [id, one] : riders_) {
    const std::string why = misfit(*one->vehicle);
    if (!why.empty()) refuse(fmt::format("{}: {}", one->who(), why));
  }
}

/// Why its exchanges are not at instants of the bridge; empty: they are.
std::string Bridge::misfit(const Vehicle& vehicle) const {
  const std::uint64_t exchange = vehicle.exchange().us;
  if (exchange % step_.us == 0) return {};
  const std::uint64_t less = exchange / step_.us * step_.us;
  const std::uint64_t more = less + step_.us;
  return fmt::format("exchange_us = {} is no multiple of step_us = {}; {}", exchange, step_.us,
                     less == 0 ? fmt::format("the nearest is {}", more)
                               : fmt::format("nearest are {} and {}", less, more));
}

void Bridge::require_capabilities(Seat& seat) {
  const SimulatorCapabilities able = seat.adapter->capabilities();
  const auto assigned = std::count_if(riders_.begin(), riders_.end(), [&seat](const auto& one) {
    return one.second->seat == &seat;
  });
  if (assigned > able.most_vehicles) {
    refuse(fmt::format("simulator {} ({}) holds {} at most, but {} vehicles are assigned to it",
                       seat.name, seat.adapter->kind(), able.most_vehicles, assigned));
  }
  if (able.lockstep) return;
  if (seat.link.late != LatePolicy::kFreeRunning) {
    refuse(
        fmt::format("simulator {} ({}) cannot be held in lockstep; late = \"free_running\" lets "
                    "it run free",
                    seat.name, seat.adapter->kind()));
  }
  seat.report.state = AdapterState::kFree;
  warnings_.push_back(fmt::format(
      "simulator {} runs free: its vehicles see what it delivers, when it does", seat.name));
}

std::vector<VehiclePlace> Bridge::places_in(const Seat& seat) const {
  std::vector<VehiclePlace> places;
  for (const auto& [id, one] : riders_) {
    if (one->seat == &seat) places.push_back({id, one->vehicle->exchange()});
  }
  return places;
}

/// False: interrupted.
bool Bridge::connect_all() {
  try {
    for (auto& [name, one] : seats_) connect(*one);
    for (auto& [name, one] : seats_) {
      if (await_connection(*one)) continue;
      give_up_connecting();
      return false;
    }
    return true;
  } catch (...) {
    give_up_connecting();
    throw;
  }
}

/// After a start that was interrupted or failed somebody may still be connecting: nobody else may
/// ask it anything then.
void Bridge::require_settled(const Seat& seat) {
  if (seat.thread == nullptr || seat.thread->settle()) return;
  throw Error(ExitCode::kPeer,
              fmt::format("simulator {} ({}) has not returned from the connection that was given "
                          "up; it waits for {}; start again when that is over",
                          seat.name, seat.adapter->kind(), seat.adapter->waits_for()));
}

/// Also again: then who was there is left first.
void Bridge::connect(Seat& seat) {
  if (seat.in_process != nullptr) {
    seat.adapter->disconnect();
    seat.adapter->connect(places_in(seat));
    return;
  }
  if (seat.thread == nullptr) seat.thread = std::make_unique<AdapterThread>(seat.adapter);
  seat.asked_ns = options_.clock->now_ns();
  seat.thread->connect(places_in(seat));
}

/// "vehicle 0: ", "vehicles 0, 1: ": those in it.
std::string Bridge::riders_text(const Seat& seat) const {
  std::string ids;
  const std::vector<VehiclePlace> places = places_in(seat);
  for (const VehiclePlace& one : places) {
    ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.vehicle);
  }
  if (ids.empty()) return {};
  return fmt::format("{} {}: ", places.size() == 1 ? "vehicle" : "vehicles", ids);
}

/// False: interrupted.
bool Bridge::await_connection(Seat& seat) {
  if (seat.thread == nullptr) return true;
  bool there = false;
  try {
    there = await(seat, seat.link.connect_deadline);
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("simulator {}: {}{} (while connecting, t = {})", seat.name,
                            riders_text(seat), error.what(), to_text(now_)));
  }
  note_wait(seat, now_, options_.clock->now_ns() - seat.asked_ns);
  if (there || is_interrupted()) return there;
  throw Error(ExitCode::kPeer,
              fmt::format("simulator {} ({}): not ready within {}; it waits for {}", seat.name,
                          seat.adapter->kind(), to_text(seat.link.connect_deadline),
                          seat.adapter->waits_for()));
}

void Bridge::give_up_connecting() {
  for (auto& [name, one] : seats_) {
    if (one->thread != nullptr && !one->thread->idle()) one->adapter->interrupt();
  }
}

/// Known once it is connected.
void Bridge::require_own_step(const Seat& seat) const {
  const DurationUs own = seat.adapter->capabilities().own_step;
  if (own.us == 0 || step_.us % own.us == 0) return;
  refuse(fmt::format("simulator {} ({}) steps by {} us, which does not divide step_us = {}",
                     seat.name, seat.adapter->kind(), own.us, step_.us));
}

void Bridge::start() {
  if (begun_) return;
  if (!started_) {
    for (const auto& [name, one] : seats_) require_settled(*one);
    plan_step();
    warnings_.clear();
    for (auto& [name, one] : seats_) require_capabilities(*one);
    if (!connect_all()) return;
    for (const auto& [name, one] : seats_) require_own_step(*one);
    started_ = true;
  }
  begun_ = exchange(now_);
  if (!begun_) return;
  for (auto& [name, one] : seats_) collect_warnings(*one);
  pace_.anchor(now_, mode_);
}

void Bridge::collect_warnings(Seat& seat) {
  if (seat.thread != nullptr && !seat.thread->idle()) return;
  seat.warnings = seat.adapter->warnings();
}

/// Its adapter begins anew and forgets them.
void Bridge::keep_warnings(Seat& seat) {
  seat.warnings.clear();
  for (std::string& warning : seat.adapter->warnings()) {
    const auto& told = seat.earlier_warnings;
    if (told.size() >= kMostEarlierWarnings) return;
    if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
    seat.earlier_warnings.push_back(std::move(warning));
  }
}

std::vector<std::string> Bridge::warnings() const {
  std::vector<std::string> all = warnings_;
  for (const auto& [name, one] : seats_) {
    for (const auto* part : {&one->earlier_warnings, &one->warnings}) {
      for (const std::string& warning : *part) all.push_back(one->who() + ": " + warning);
    }
  }
  return all;
}

}  // namespace tactus
