// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A session in one exchange: asking, waiting until a deadline, catching up, being connected again,
// and what follows from a missed deadline.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "tactus/bridge/simulator_session.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

/// So that a user who wants to stop does not wait for a deadline.
constexpr std::uint64_t kLongestWait_ns = 100'000'000;
/// Between two attempts to connect again.
constexpr std::uint64_t kNextTry_ns = 500'000'000;

std::uint64_t in_ns(DurationUs duration) { return duration.us * 1000; }

void require_sound(const ExchangeInstant& instant) {
  TACTUS_ASSERT(instant.step.us > 0 && instant.time.us % instant.step.us == 0,
                "an instant on the grid of the bridge");
  TACTUS_ASSERT(instant.time >= instant.last, "time that goes on");
}

}  // namespace

// ---- asking

/// One that is late, or was interrupted while it took commands, is at work yet: it is waited for,
/// and asked then.
void SimulatorSession::request(const ExchangeInstant& instant) {
  require_sound(instant);
  TACTUS_ASSERT(!standing_.is(SessionStanding::kFailed), "a bridge that is not over");
  if (is_in_process() || is_dropped()) return;
  if (has_no_connection()) return;
  TACTUS_ASSERT(thread_ != nullptr, "a simulator that was connected");
  const bool is_at_work = phase_.is(SessionPhase::kAsked);
  // One that is not waited for is silent since it was asked first.
  if (!is_at_work || adapter_state() != AdapterState::kFree) asked_ns_ = context_.clock.now_ns();
  if (is_at_work) return;
  try {
    if (thread_->wait(1)) {
      tell_released();
      thread_->step(std::exchange(commands_, {}), instant.time);
    }
    phase_.go_to(SessionPhase::kAsked);
  } catch (const std::exception& error) {
    has_thrown();
    missed(instant, error.what());
  }
}

void SimulatorSession::collect(std::uint64_t took_ns) {
  TACTUS_ASSERT(is_in_process() && !is_dropped(), "a simulator of this process that computes");
  TACTUS_ASSERT(frames_.empty(), "frames that were routed");
  report_.step.add(took_ns);
  SensorFrame frame;
  while (adapter_->receive(frame)) frames_.push_back(frame);
  phase_.go_to(SessionPhase::kDelivered);
}

// ---- waiting

/// Its frames are of the instant that was asked for, and are waited for.
bool SimulatorSession::is_in_lockstep(const ExchangeInstant& instant) const {
  return (is_in_process() || instant.is_awaited) && standing_.is(SessionStanding::kInStep);
}

bool SimulatorSession::is_awaited(const ExchangeInstant& instant) const {
  return phase_.is(SessionPhase::kAsked) && is_in_lockstep(instant);
}

/// With `hold` the bridge goes no faster than real time while it is late: otherwise a flight in the
/// only simulator would be over before that could be back.
std::uint64_t SimulatorSession::patience_ns(DurationUs step) const {
  return standing_.is(SessionStanding::kLate) ? in_ns(step) : 1;
}

void SimulatorSession::wait(const ExchangeInstant& instant) {
  require_sound(instant);
  if (is_in_process() || is_dropped()) return;
  switch (phase()) {
    case SessionPhase::kAsked: return await_delivery(instant);
    case SessionPhase::kBroken: {
      const std::uint64_t patience = patience_ns(instant.step);
      if (patience > 1) context_.clock.sleep_until_ns(context_.clock.now_ns() + patience);
      return;
    }
    case SessionPhase::kReconnecting: return await_reconnection(instant);
    case SessionPhase::kReady:      // its frames were refused in this exchange, and a later
    case SessionPhase::kDelivered:  // wait was interrupted
    case SessionPhase::kUnconnected:
    case SessionPhase::kConnecting: return;
  }
}

/// True: it has answered. False: its time is up, or the user wants to stop.
bool SimulatorSession::await(DurationUs deadline) {
  const std::uint64_t most = in_ns(deadline);
  while (!context_.is_interrupted()) {
    const std::uint64_t waited = context_.clock.now_ns() - asked_ns_;
    if (most != 0 && waited >= most) return thread_->wait(1);
    const std::uint64_t left = most == 0 ? kLongestWait_ns : most - waited;
    if (thread_->wait(std::min(left, kLongestWait_ns))) return true;
  }
  return false;
}

void SimulatorSession::await_delivery(const ExchangeInstant& instant) {
  TACTUS_ASSERT(thread_ != nullptr && !is_in_process(), "a simulator of another program");
  const std::uint64_t begin = context_.clock.now_ns();
  const std::string failure = await_frames(instant);
  const std::uint64_t waited = context_.clock.now_ns() - begin;
  report_.wait.add(waited);
  context_.log.note_wait(instant.time, who(), waited);
  if (!failure.empty()) missed(instant, failure);
}

/// What was wrong; empty: nothing, or it is not waited for.
std::string SimulatorSession::await_frames(const ExchangeInstant& instant) {
  const bool lockstep = is_in_lockstep(instant);
  const bool late = standing_.is(SessionStanding::kLate);
  try {
    if (lockstep ? await(link_.exchange_deadline) : thread_->wait(patience_ns(instant.step))) {
      take_delivery();
      if ((!lockstep && !late) || catch_up(instant.time)) return {};
    }
  } catch (const RefusedFrame& error) {
    take_delivery();
    return error.what();
  } catch (const std::exception& error) {
    has_thrown();
    return error.what();
  }
  if (context_.is_interrupted() || (!lockstep && !is_silent())) return {};
  return fmt::format("no answer within {}", to_text(link_.exchange_deadline));
}

/// One that is not waited for has a deadline all the same: it is told of then.
bool SimulatorSession::is_silent() const {
  const std::uint64_t most = in_ns(link_.exchange_deadline);
  return adapter_state() == AdapterState::kFree && most != 0 && phase_.is(SessionPhase::kAsked) &&
         context_.clock.now_ns() - asked_ns_ >= most;
}

void SimulatorSession::take_delivery() {
  TACTUS_ASSERT(phase_.is(SessionPhase::kAsked), "a simulator that was asked");
  frames_ = thread_->take_frames();
  report_.step.add(context_.clock.now_ns() - asked_ns_);
  phase_.go_to(SessionPhase::kDelivered);
}

/// One that was late, or was not waited for, may still be at an earlier instant, whose frames no
/// vehicle gets any more. False: it does not reach this one within its deadline.
bool SimulatorSession::catch_up(TimeUs time) {
  TACTUS_ASSERT(phase_.is(SessionPhase::kDelivered), "a simulator that has delivered");
  if (adapter_->now() >= time) return true;
  frames_.clear();
  asked_ns_ = context_.clock.now_ns();
  thread_->step(std::exchange(commands_, {}), time);
  phase_.go_to(SessionPhase::kAsked);
  if (!await(link_.exchange_deadline)) return false;
  take_delivery();
  return true;
}

// ---- being connected again

/// It gets a moment to be there again.
void SimulatorSession::has_thrown() {
  TACTUS_ASSERT(is_idle(), "a call that has returned");
  phase_.go_to(SessionPhase::kBroken);
  next_try_ns_ = context_.clock.now_ns() + kNextTry_ns;
}

bool SimulatorSession::wants_connection() const {
  return phase_.is(SessionPhase::kBroken) && !is_dropped() &&
         context_.clock.now_ns() >= next_try_ns_;
}

void SimulatorSession::connect_again(const std::vector<VehiclePlace>& vehicles) {
  TACTUS_ASSERT(wants_connection(), "a simulator that has thrown a while ago");
  phase_.go_to(SessionPhase::kReconnecting);
  keep_warnings();
  thread_->connect(vehicles);
}

void SimulatorSession::await_reconnection(const ExchangeInstant& instant) {
  TACTUS_ASSERT(phase_.is(SessionPhase::kReconnecting), "a connection that is under way");
  try {
    if (!thread_->wait(patience_ns(instant.step))) return;
    require_own_step(instant.step);
    tell_once(instant.time, "is connected again");
    phase_.go_to(SessionPhase::kReady);
  } catch (const std::exception& error) {
    tell_once(instant.time, fmt::format("cannot be connected again: {}", error.what()));
    has_thrown();
  }
}

/// One that fails again and again in the same way would fill the log.
void SimulatorSession::tell_once(TimeUs time, const std::string& what) {
  if (!context_.log.is_full() && told_.insert(what).second) context_.log.note(time, who(), what);
}

// ---- frames, right and wrong

bool SimulatorSession::is_strict(const ExchangeInstant& instant) const {
  const bool has_caught_up =
      standing_.is(SessionStanding::kLate) && phase_.is(SessionPhase::kDelivered);
  return is_in_lockstep(instant) || has_caught_up;
}

void SimulatorSession::accept_frames(TimeUs time) {
  if (!phase_.is(SessionPhase::kDelivered)) return;
  TACTUS_ASSERT(!standing_.is(SessionStanding::kFailed), "a bridge that is not over");
  const bool came = !frames_.empty();
  frames_.clear();
  phase_.go_to(SessionPhase::kReady);
  if (standing_.is(SessionStanding::kFreeMissing) && came) {
    standing_.go_to(SessionStanding::kFree);
    told_.clear();
  }
  if (!standing_.is(SessionStanding::kLate)) return;
  standing_.go_to(SessionStanding::kInStep);
  told_.clear();
  ++report_.recoveries;
  context_.log.note(time, who(), "is back in lockstep");
}

void SimulatorSession::refuse_frames(const ExchangeInstant& instant, const std::string& why) {
  missed(instant, why);
}

/// What follows is told when it begins, not at every instant that it lasts.
void SimulatorSession::missed(const ExchangeInstant& instant, const std::string& why) {
  frames_.clear();
  if (phase_.is(SessionPhase::kDelivered)) phase_.go_to(SessionPhase::kReady);
  if (is_missing()) return;
  ++report_.misses;
  const std::string what =
      fmt::format("{} (for t = {} us; last in step at {} us; it waits for {})", why,
                  instant.time.us, instant.last.us, adapter_->waits_for());
  const std::string policy(kNames<LatePolicy>[static_cast<std::size_t>(link_.late)]);
  context_.log.note(instant.time, who(), fmt::format("{} ({})", what, policy));
  punish(what);
}

void SimulatorSession::punish(const std::string& what) {
  TACTUS_ASSERT(!is_missing(), "what follows begins once");
  switch (link_.late) {
    case LatePolicy::kFail:
      standing_.go_to(SessionStanding::kFailed);
      adapter_->interrupt();
      throw Error(ExitCode::kPeer, fmt::format("simulator {}: {}", name(), what));
    case LatePolicy::kHold: return standing_.go_to(SessionStanding::kLate);
    case LatePolicy::kFreeRunning: return standing_.go_to(SessionStanding::kFreeMissing);
    case LatePolicy::kDrop:
      standing_.go_to(SessionStanding::kDropped);
      commands_.clear();
      adapter_->interrupt();
      return;
  }
}

void SimulatorSession::drop(TimeUs time, const std::string& why) {
  TACTUS_ASSERT(link_.late == LatePolicy::kDrop, "a simulator that its user wants to be dropped");
  if (!is_dropped()) {
    standing_.go_to(SessionStanding::kDropped);
    ++report_.misses;
  }
  commands_.clear();
  context_.log.note(time, who(), why + " (drop)");
}

// ---- commands

void SimulatorSession::give(const ActuatorCommand& command) {
  TACTUS_ASSERT(!is_dropped(), "a simulator that was not dropped");
  if (is_in_process()) {
    adapter_->send(command);
  } else {
    commands_.push_back(command);
  }
}

void SimulatorSession::send_commands(const ExchangeInstant& instant) {
  if (is_in_process() || commands_.empty() || !is_idle()) return;
  if (has_no_connection()) return commands_.clear();
  TACTUS_ASSERT(!is_dropped(), "commands of one that was dropped are dropped");
  asked_ns_ = context_.clock.now_ns();
  thread_->send(std::exchange(commands_, {}));
  if (!standing_.is(SessionStanding::kInStep)) return;
  std::string failure;
  try {
    if (await(link_.exchange_deadline) || context_.is_interrupted()) return;
    failure = fmt::format("takes no commands within {}", to_text(link_.exchange_deadline));
  } catch (const std::exception& error) {
    has_thrown();
    failure = error.what();
  }
  missed(instant, failure);
}

}  // namespace tactus
