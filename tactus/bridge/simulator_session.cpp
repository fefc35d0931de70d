// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a session is, how it is connected and left, and vehicles that come and go. The exchange is
// in simulator_exchange.cpp.

#include "tactus/bridge/simulator_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::size_t kMostEarlierWarnings = 20;

}  // namespace

const char* to_text(AdapterState state) {
  switch (state) {
    case AdapterState::kFine: return "lockstep";
    case AdapterState::kLate: return "late";
    case AdapterState::kDropped: return "dropped";
    case AdapterState::kFree: return "free running";
  }
  return "unknown";
}

SimulatorSession::SimulatorSession(std::string name, std::shared_ptr<SimulatorAdapter> adapter,
                                   const LinkParameters& link, const SessionContext& context)
    : adapter_(std::move(adapter)),
      in_process_(dynamic_cast<InProcessSimulator*>(adapter_.get())),
      link_(link),
      context_(context) {
  TACTUS_ASSERT(adapter_ != nullptr, "a session with an adapter");
  report_.name = std::move(name);
  report_.kind = adapter_->kind();
}

bool SimulatorSession::is_missing() const {
  switch (standing()) {
    case SessionStanding::kInStep:
    case SessionStanding::kFree: return false;
    case SessionStanding::kLate:
    case SessionStanding::kFreeMissing:
    case SessionStanding::kDropped:
    case SessionStanding::kFailed: return true;
  }
  return true;
}

AdapterState SimulatorSession::adapter_state() const {
  switch (standing()) {
    case SessionStanding::kInStep:
    case SessionStanding::kFailed: return AdapterState::kFine;
    case SessionStanding::kLate: return AdapterState::kLate;
    case SessionStanding::kFree:
    case SessionStanding::kFreeMissing: return AdapterState::kFree;
    case SessionStanding::kDropped: return AdapterState::kDropped;
  }
  return AdapterState::kFine;
}

AdapterReport SimulatorSession::report() const {
  AdapterReport report = report_;
  report.state = adapter_state();
  return report;
}

// ---- warnings

std::vector<std::string> SimulatorSession::warnings() const {
  std::vector<std::string> all = earlier_warnings_;
  all.insert(all.end(), warnings_.begin(), warnings_.end());
  return all;
}

void SimulatorSession::collect_warnings() {
  if (is_idle()) warnings_ = adapter_->warnings();
}

/// Its adapter begins anew and forgets them.
void SimulatorSession::keep_warnings() {
  warnings_.clear();
  for (std::string& warning : adapter_->warnings()) {
    if (earlier_warnings_.size() >= kMostEarlierWarnings) return;
    const auto& told = earlier_warnings_;
    if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
    earlier_warnings_.push_back(std::move(warning));
  }
  TACTUS_ASSERT(earlier_warnings_.size() <= kMostEarlierWarnings, "a bounded list");
}

// ---- connection

void SimulatorSession::require_settled() {
  if (thread_ == nullptr || thread_->settle()) return;
  throw Error(ExitCode::kPeer,
              fmt::format("simulator {} ({}) has not returned from the connection that was given "
                          "up; it waits for {}; start again when that is over",
                          name(), adapter_->kind(), adapter_->waits_for()));
}

void SimulatorSession::run_free() {
  if (!standing_.is(SessionStanding::kFree)) standing_.go_to(SessionStanding::kFree);
}

void SimulatorSession::connect(const std::vector<VehiclePlace>& vehicles) {
  phase_.go_to(SessionPhase::kConnecting);
  if (is_in_process()) {
    adapter_->disconnect();
    adapter_->connect(vehicles);
    phase_.go_to(SessionPhase::kReady);
    return;
  }
  if (thread_ == nullptr) thread_ = std::make_unique<AdapterThread>(adapter_);
  TACTUS_ASSERT(is_idle(), "a thread that has returned (require_settled)");
  asked_ns_ = context_.clock.now_ns();
  thread_->connect(vehicles);
}

bool SimulatorSession::await_connection(TimeUs now, const std::string& vehicles_text) {
  if (is_in_process()) return true;
  TACTUS_ASSERT(phase_.is(SessionPhase::kConnecting) && thread_ != nullptr,
                "a connection that is under way");
  bool there = false;
  try {
    there = await(link_.connect_deadline);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("simulator {}: {}{} (while connecting, t = {})", name(),
                                          vehicles_text, error.what(), to_text(now)));
  }
  context_.log.note_wait(now, who(), context_.clock.now_ns() - asked_ns_);
  if (there) phase_.go_to(SessionPhase::kReady);
  if (there || context_.is_interrupted()) return there;
  throw Error(
      ExitCode::kPeer,
      fmt::format("simulator {} ({}): not ready within {}; it waits for {}", name(),
                  adapter_->kind(), to_text(link_.connect_deadline), adapter_->waits_for()));
}

void SimulatorSession::give_up_connecting() {
  if (!phase_.is(SessionPhase::kConnecting)) return;
  if (!is_idle()) adapter_->interrupt();
  phase_.go_to(SessionPhase::kUnconnected);
}

void SimulatorSession::require_own_step(DurationUs step) const {
  TACTUS_ASSERT(step.us > 0, "a step that was planned");
  const DurationUs own = adapter_->capabilities().own_step;
  if (own.us == 0 || step.us % own.us == 0) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("simulator {} ({}) steps by {} us, which does not divide step_us = {}",
                          name(), adapter_->kind(), own.us, step.us));
}

void SimulatorSession::disconnect() {
  phase_.go_to(SessionPhase::kUnconnected);
  if (thread_ == nullptr) {
    collect_warnings();
    adapter_->disconnect();
    return;
  }
  if (!is_idle()) adapter_->interrupt();
  if (!thread_->settle()) return;
  collect_warnings();
  thread_->disconnect();
  thread_->settle();
}

// ---- vehicles come and go

InProcessSimulator& SimulatorSession::in_process() const {
  TACTUS_ASSERT(is_in_process(), "a simulator of this process");
  return *in_process_;
}

/// It may still be at work on what came before.
void SimulatorSession::require_lockstep() const {
  const bool at_work = !is_in_process() && (phase_.is(SessionPhase::kAsked) || !is_idle());
  if (standing_.is(SessionStanding::kInStep) && !at_work) return;
  throw Error(ExitCode::kBadInput, fmt::format("simulator {} is not in lockstep", name()));
}

void SimulatorSession::admit(const VehiclePlace& vehicle, TimeUs now) {
  TACTUS_ASSERT(phase_.is(SessionPhase::kReady) && is_idle(), "a simulator that stands still");
  tell_released();
  adapter_->admit(vehicle, now);
  released_.erase(vehicle.vehicle);
}

void SimulatorSession::take_over(VehicleId vehicle, const SimulatorSession& from) {
  TACTUS_ASSERT(phase_.is(SessionPhase::kReady) && is_idle(), "a simulator that stands still");
  TACTUS_ASSERT(from.phase_.is(SessionPhase::kReady) && from.is_idle(),
                "a simulator that stands still");
  adapter_->take_over(vehicle, *from.adapter_);
  released_.erase(vehicle);
}

void SimulatorSession::release(VehicleId vehicle) {
  released_.insert(vehicle);
  if (is_idle()) {
    adapter_->release(vehicle);
  } else {
    to_release_.push_back(vehicle);
  }
}

void SimulatorSession::tell_released() {
  TACTUS_ASSERT(is_idle(), "an adapter that is not at work");
  for (const VehicleId id : std::exchange(to_release_, {})) adapter_->release(id);
}

void SimulatorSession::drop_commands_of(VehicleId vehicle) {
  std::erase_if(commands_,
                [vehicle](const ActuatorCommand& command) { return command.vehicle == vehicle; });
}

}  // namespace tactus
