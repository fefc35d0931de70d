// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::uint64_t kPausedSleep_ns = 10'000'000;

BridgeOptions checked(BridgeOptions options) {
  TACTUS_ASSERT(options.clock != nullptr, "a bridge with a clock");
  return options;
}

}  // namespace

Bridge::Bridge(BridgeOptions options)
    : options_(checked(std::move(options))),
      context_{*options_.clock, options_.interrupted, log_},
      pool_(options_.threads),
      pace_(*options_.clock) {}

Bridge::~Bridge() = default;

// ---- the step

void Bridge::step() {
  start();
  if (!life_.is(Life::kFlying)) return;
  TACTUS_ASSERT(step_.us > 0, "a step that was planned at the start");
  const std::uint64_t begin = options_.clock->now_ns();
  const TimeUs next = now_ + step_;
  if (!exchange(next)) return;
  TACTUS_ASSERT(now_ + step_ == next, "time goes on by exactly the step");
  now_ = next;
  step_time_.add(options_.clock->now_ns() - begin);
}

ExchangeInstant Bridge::instant_at(TimeUs time) const {
  TACTUS_ASSERT(time == now_ || time == now_ + step_, "this instant, or the next");
  return {.time = time,
          .last = now_,
          .step = step_,
          .is_awaited = mode_.kind != TimeMode::Kind::kFreeRunning};
}

/// False: interrupted while a simulator was waited for; the next call goes on with it.
bool Bridge::exchange(TimeUs time) {
  const ExchangeInstant instant = instant_at(time);
  try {
    exchange_all(instant);
  } catch (...) {
    life_.go_to(Life::kOver);
    throw;
  }
  return half_made_ != time;
}

void Bridge::exchange_all(const ExchangeInstant& instant) {
  TACTUS_ASSERT(!half_made_ || *half_made_ == instant.time, "an interrupted step is made first");
  if (!std::exchange(half_made_, std::nullopt)) {
    request(instant);
    compute(instant.time);
  }
  wait(instant);
  if (context_.is_interrupted() && is_awaited(instant)) {
    half_made_ = instant.time;
    return;
  }
  TACTUS_ASSERT(!half_made_, "an exchange that goes through");
  route(instant);
  control();
  send(instant);
}

void Bridge::request(const ExchangeInstant& instant) {
  for (auto& [name, one] : sessions_) {
    if (one->wants_connection()) {
      one->connect_again(places_in(*one));
    } else {
      one->request(instant);
    }
  }
}

/// Anew for each step: vehicles come to a simulator and go without our knowing.
void Bridge::plan_tasks() {
  tasks_.clear();
  for (auto& [name, one] : sessions_) {
    if (!one->is_in_process() || one->is_dropped()) continue;
    const std::size_t count = one->in_process().task_count();
    for (std::size_t i = 0; i < count; ++i) tasks_.push_back({one.get(), i, {}});
  }
}

void Bridge::compute(TimeUs time) {
  plan_tasks();
  const std::uint64_t begin = options_.clock->now_ns();
  pool_.for_each(tasks_.size(), [this, time](std::size_t i) { compute(tasks_[i], time); });
  const std::uint64_t took = options_.clock->now_ns() - begin;
  for (const SimulatorTask& task : tasks_) {
    TACTUS_ASSERT(task.session != nullptr, "a task of a simulator");
    if (!task.failure.empty()) task.session->drop(time, task.failure);
  }
  for (auto& [name, one] : sessions_) {
    if (one->is_in_process() && !one->is_dropped()) one->collect(took);
  }
}

/// A simulator that computes here has nothing to wait for and nothing to connect to again: if it
/// fails, it is dropped where the user wants that, and otherwise all is over.
void Bridge::compute(SimulatorTask& task, TimeUs time) {
  try {
    task.session->in_process().run_task(task.number, time);
  } catch (const Error& error) {
    if (task.session->late_policy() != LatePolicy::kDrop) throw;
    task.failure = error.what();
  }
}

void Bridge::wait(const ExchangeInstant& instant) {
  for (auto& [name, one] : sessions_) one->wait(instant);
}

/// A simulator in lockstep has not delivered yet.
bool Bridge::is_awaited(const ExchangeInstant& instant) const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [&](const auto& one) { return one.second->is_awaited(instant); });
}

void Bridge::control() {
  pool_.for_each(due_.size(), [this](std::size_t i) {
    const VehicleSlot& one = *due_[i];
    TACTUS_ASSERT(one.is_fresh, "a control loop runs on a frame of this instant");
    try {
      one.vehicle->control();
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", one.who(), error.what()));
    }
  });
}

void Bridge::send(const ExchangeInstant& instant) {
  for (const VehicleSlot* one : due_) {
    ActuatorCommand command = one->vehicle->command();
    command.time = one->vehicle->frame().time;
    TACTUS_ASSERT(command.vehicle == one->vehicle->id(), "a command of this vehicle");
    give(*one, command);
  }
  for (auto& [name, one] : sessions_) one->send_commands(instant);
  const std::uint64_t took = options_.clock->now_ns() - frames_ready_ns_;
  for (std::size_t i = 0; i < due_.size(); ++i) latency_.add(took);
}

// ---- running

void Bridge::set_time_mode(const TimeMode& mode) {
  validate(mode);
  mode_ = mode;
  pace_.anchor(now_, mode_);
}

void Bridge::set_paused(bool paused) {
  paused_ = paused;
  if (!paused_) pace_.anchor(now_, mode_);
}

bool Bridge::finished() const {
  return !slots_.empty() && std::all_of(slots_.begin(), slots_.end(), [](const auto& one) {
    const VehicleSlot& slot = *one.second;
    return slot.session->is_dropped() || slot.session->adapter().is_over(slot.vehicle->id());
  });
}

void Bridge::run_until(TimeUs end) {
  if (context_.is_interrupted()) return;  // a start that was interrupted is not made again
  start();
  const auto stops = [this] { return context_.is_interrupted(); };
  while (now_ < end && !finished() && !context_.is_interrupted()) {
    if (paused_) {
      options_.clock->sleep_until_ns(options_.clock->now_ns() + kPausedSleep_ns);
      if (after_step) after_step(*this);
      continue;
    }
    pace_.wait_for(now_ + step_, stops);
    if (context_.is_interrupted()) return;
    step();
    if (after_step) after_step(*this);
  }
}

void Bridge::stop() {
  for (auto& [name, one] : sessions_) one->disconnect();
  if (has_started()) life_.go_to(Life::kOver);
}

// ---- what there is to tell

std::vector<AdapterReport> Bridge::reports() const {
  std::vector<AdapterReport> all;
  for (const auto& [name, one] : sessions_) all.push_back(one->report());
  return all;
}

std::vector<std::string> Bridge::warnings() const {
  std::vector<std::string> all = warnings_;
  for (const auto& [name, one] : sessions_) {
    for (const std::string& warning : one->warnings()) all.push_back(one->who() + ": " + warning);
  }
  return all;
}

}  // namespace tactus
