// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The part of the bridge that waits: for frames, until a deadline; for those that are late to catch
// up; for those that have failed to be there again.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "tactus/bridge/bridge.h"
#include "tactus/bridge/bridge_seat.h"
#include "tactus/core/error.h"
#include "tactus/scenario/schema_enums.h"

namespace tactus {
namespace {

/// So that a user who wants to stop does not wait for a deadline.
constexpr std::uint64_t kLongestWait_ns = 100'000'000;
/// Between two attempts to connect again.
constexpr std::uint64_t kNextTry_ns = 500'000'000;
constexpr std::size_t kMostEvents = 10'000;
constexpr std::uint64_t kLongWait_ns = 10'000'000;

std::uint64_t in_ns(DurationUs duration) { return duration.us * 1000; }

}  // namespace

/// Nobody waits for it meanwhile.
void Bridge::connect_again(Seat& seat) {
  if (seat.connecting || !seat.thread->idle() || options_.clock->now_ns() < seat.next_try_ns) {
    return;
  }
  seat.connecting = true;
  keep_warnings(seat);
  seat.thread->connect(places_in(seat));
}

/// Whether it is there again.
void Bridge::look_for(Seat& seat, TimeUs time) {
  const std::uint64_t patience = patience_ns(seat);
  if (!seat.connecting) {
    if (patience > 1) options_.clock->sleep_until_ns(options_.clock->now_ns() + patience);
    return;
  }
  try {
    if (!seat.thread->wait(patience)) return;
    require_own_step(seat);
    seat.broken = false;
    tell_once(seat, time, "is connected again");
    seat.connecting = false;
  } catch (const std::exception& error) {
    tell_once(seat, time, fmt::format("cannot be connected again: {}", error.what()));
    has_broken(seat);
  }
}

/// With `hold` the bridge goes no faster than real time while it is late: otherwise a flight in the
/// only simulator would be over before that could be back.
std::uint64_t Bridge::patience_ns(const Seat& seat) const {
  return seat.state() == AdapterState::kLate ? in_ns(step_) : 1;
}

/// It has thrown. It gets a moment to be there again.
void Bridge::has_broken(Seat& seat) {
  seat.asked = seat.connecting = false;
  seat.broken = true;
  seat.next_try_ns = options_.clock->now_ns() + kNextTry_ns;
}

void Bridge::wait(TimeUs time) {
  for (auto& [name, one] : seats_) {
    if (one->thread == nullptr || one->state() == AdapterState::kDropped) continue;
    if (one->broken) {
      look_for(*one, time);
    } else if (!has_delivered(*one)) {
      wait_for(*one, time);
    }
  }
}

/// Before an interruption of this step.
bool Bridge::has_delivered(const Seat& seat) const {
  if (seat.asked) return false;
  return in_lockstep(seat) || seat.caught_up || !seat.frames.empty();
}

/// Its frames are of the instant that was asked for, and are waited for.
bool Bridge::in_lockstep(const Seat& seat) const {
  const bool waits = seat.in_process != nullptr || mode_.kind != TimeMode::Kind::kFreeRunning;
  return waits && seat.state() == AdapterState::kFine;
}

/// Somebody in lockstep has not delivered yet.
bool Bridge::is_waited_for() const {
  return std::any_of(seats_.begin(), seats_.end(), [this](const auto& one) {
    return one.second->asked && in_lockstep(*one.second);
  });
}

/// True: it has answered. False: its time is up, or the user wants to stop.
bool Bridge::await(Seat& seat, DurationUs deadline) {
  const std::uint64_t most = in_ns(deadline);
  while (!is_interrupted()) {
    const std::uint64_t waited = options_.clock->now_ns() - seat.asked_ns;
    if (most != 0 && waited >= most) return seat.thread->wait(1);
    const std::uint64_t left = most == 0 ? kLongestWait_ns : most - waited;
    if (seat.thread->wait(std::min(left, kLongestWait_ns))) return true;
  }
  return false;
}

void Bridge::wait_for(Seat& seat, TimeUs time) {
  const std::uint64_t begin = options_.clock->now_ns();
  const std::string failure = await_frames(seat, time);
  const std::uint64_t waited = options_.clock->now_ns() - begin;
  seat.report.wait.add(waited);
  note_wait(seat, time, waited);
  if (!failure.empty()) missed(seat, time, failure);
}

/// What was wrong; empty: nothing, or nobody waits for it.
std::string Bridge::await_frames(Seat& seat, TimeUs time) {
  const bool lockstep = in_lockstep(seat);
  const bool late = seat.state() == AdapterState::kLate;
  try {
    if (lockstep ? await(seat, seat.link.exchange_deadline)
                 : seat.thread->wait(patience_ns(seat))) {
      take_delivery(seat);
      if (!lockstep && !late) return {};
      if (catch_up(seat, time)) {
        seat.caught_up = late;
        return {};
      }
    }
  } catch (const RefusedFrame& error) {
    take_delivery(seat);
    return error.what();
  } catch (const std::exception& error) {
    has_broken(seat);
    return error.what();
  }
  if (is_interrupted() || (!lockstep && !is_silent(seat))) return {};
  return fmt::format("no answer within {}", to_text(seat.link.exchange_deadline));
}

/// One that is not waited for has a deadline all the same: it is told of then.
bool Bridge::is_silent(const Seat& seat) const {
  const std::uint64_t most = in_ns(seat.link.exchange_deadline);
  return seat.state() == AdapterState::kFree && most != 0 && seat.asked &&
         options_.clock->now_ns() - seat.asked_ns >= most;
}

void Bridge::take_delivery(Seat& seat) {
  seat.frames = seat.thread->take_frames();
  seat.asked = false;
  seat.report.step.add(options_.clock->now_ns() - seat.asked_ns);
}

/// One that was late, or was not waited for, may still be at an earlier instant. False: it does not
/// reach this one within its deadline.
bool Bridge::catch_up(Seat& seat, TimeUs time) {
  if (seat.adapter->now() >= time) return true;
  seat.asked_ns = options_.clock->now_ns();
  seat.thread->step(std::exchange(seat.commands, {}), time);
  seat.asked = true;
  if (!await(seat, seat.link.exchange_deadline)) return false;
  take_delivery(seat);
  return true;
}

/// Its frames were right.
void Bridge::recovered(Seat& seat, TimeUs time) {
  const bool caught_up = std::exchange(seat.caught_up, false);
  if (!caught_up && seat.state() != AdapterState::kFree) return;
  seat.trouble = false;
  seat.told.clear();
  if (!caught_up) return;
  seat.report.state = AdapterState::kFine;
  ++seat.report.recoveries;
  note(time, seat.who(), "is back in lockstep");
}

void Bridge::missed(Seat& seat, TimeUs time, const std::string& why) {
  seat.frames.clear();
  seat.caught_up = false;
  const bool fails = seat.link.late == LatePolicy::kFail;
  seat.broken = seat.broken && !fails;
  if (std::exchange(seat.trouble, true) && !fails) return;
  ++seat.report.misses;
  const std::string what = fmt::format("{} (for t = {} us; last in step at {} us; it waits for {})",
                                       why, time.us, now_.us, seat.adapter->waits_for());
  note(time, seat.who(),
       fmt::format("{} ({})", what, kNames<LatePolicy>[static_cast<std::size_t>(seat.link.late)]));
  switch (seat.link.late) {
    case LatePolicy::kFail:
      seat.adapter->interrupt();
      throw Error(ExitCode::kPeer, fmt::format("simulator {}: {}", seat.name, what));
    case LatePolicy::kHold: seat.report.state = AdapterState::kLate; break;
    case LatePolicy::kFreeRunning: seat.report.state = AdapterState::kFree; break;
    case LatePolicy::kDrop:
      seat.report.state = AdapterState::kDropped;
      seat.adapter->interrupt();
      break;
  }
}

/// One of this process that has failed, or one whose vehicle has. Several of its vehicles may have,
/// at the same instant.
void Bridge::drop(Seat& seat, TimeUs time, const std::string& why) {
  if (std::exchange(seat.report.state, AdapterState::kDropped) != AdapterState::kDropped) {
    ++seat.report.misses;
  }
  seat.commands.clear();
  note(time, seat.who(), why + " (drop)");
}

/// One that fails again and again in the same way would fill the list.
void Bridge::tell_once(Seat& seat, TimeUs time, const std::string& what) {
  if (events_.size() < kMostEvents && seat.told.insert(what).second) note(time, seat.who(), what);
}

void Bridge::note(TimeUs time, std::string who, std::string what) {
  if (events_.size() >= kMostEvents) return;
  if (events_.size() + 1 == kMostEvents) {
    who = "bridge";
    what = "further events are not kept";
  }
  events_.push_back({time, std::move(who), std::move(what)});
}

void Bridge::note_wait(const Seat& seat, TimeUs time, std::uint64_t ns) {
  if (ns < kLongWait_ns || long_waits_.size() >= kMostEvents) return;
  long_waits_.push_back({time, seat.who(), ns});
}

}  // namespace tactus
