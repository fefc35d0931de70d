// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What comes from simulators and what goes to them, checked before a vehicle or a simulator gets
// it.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/bridge/bridge.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/signal/validator.h"

namespace tactus {

void Bridge::route(const ExchangeInstant& instant) {
  due_.clear();
  for (auto& [id, one] : slots_) one->is_fresh = false;
  for (auto& [name, one] : sessions_) route(*one, instant);
  std::sort(due_.begin(), due_.end(), [](const VehicleSlot* a, const VehicleSlot* b) {
    return a->vehicle->id() < b->vehicle->id();
  });
  frames_ready_ns_ = options_.clock->now_ns();
}

void Bridge::route(SimulatorSession& session, const ExchangeInstant& instant) {
  TACTUS_ASSERT(instant.time >= instant.last, "time that goes on");
  std::string failure;
  try {
    take_frames(session, instant);
  } catch (const Error& error) {
    std::erase_if(due_, [&session](const VehicleSlot* one) { return one->session == &session; });
    failure = error.what();
  }
  if (failure.empty()) {
    session.accept_frames(instant.time);
  } else {
    session.refuse_frames(instant, failure);
  }
  TACTUS_ASSERT(session.frames().empty(), "no frame is routed twice");
}

/// What any simulator tells, before an autopilot or a recorder sees it.
void Bridge::require_sound(const SensorFrame& frame) {
  const std::string wrong = wrong_value(frame);
  if (wrong.empty()) return;
  throw Error(ExitCode::kPeer, fmt::format("a frame of vehicle {} holds {}", frame.vehicle, wrong));
}

void Bridge::take_frames(SimulatorSession& session, const ExchangeInstant& instant) {
  const bool is_strict = session.is_strict(instant);
  std::vector<SensorFrame>& frames = session.frames();
  std::stable_sort(frames.begin(), frames.end(), [](const SensorFrame& a, const SensorFrame& b) {
    return a.vehicle < b.vehicle;
  });
  for (const SensorFrame& frame : frames) require_sound(frame);
  for (const SensorFrame& frame : frames) {
    if (!session.has_released(frame.vehicle)) take_frame(session, frame, is_strict, instant.time);
  }
  if (is_strict && !context_.is_interrupted()) require_complete(session, instant.time);
}

void Bridge::take_frame(const SimulatorSession& session, const SensorFrame& frame, bool is_strict,
                        TimeUs time) {
  const auto found = slots_.find(frame.vehicle);
  if (found == slots_.end() || found->second->session != &session) {
    throw Error(
        ExitCode::kPeer,
        fmt::format("a frame of vehicle {} came, which is not in this simulator", frame.vehicle));
  }
  if (is_strict && frame.time != time) {
    throw Error(ExitCode::kPeer, fmt::format("a frame of vehicle {} with time {} us came at {} us",
                                             frame.vehicle, frame.time.us, time.us));
  }
  VehicleSlot& slot = *found->second;
  TACTUS_ASSERT(slot.vehicle->id() == frame.vehicle, "slots are found by the id of their vehicle");
  slot.vehicle->take(frame);
  if (!std::exchange(slot.is_fresh, true)) due_.push_back(&slot);
}

/// Every vehicle that is due has its frame.
void Bridge::require_complete(const SimulatorSession& session, TimeUs time) const {
  for (const auto& [id, one] : slots_) {
    if (one->session != &session || one->is_fresh || !one->vehicle->is_due(time)) continue;
    if (!session.adapter().is_over(id)) {
      throw Error(ExitCode::kPeer, fmt::format("no frame of vehicle {}", id));
    }
  }
}

/// One that is not in range stops the flight wherever it flies, recorded or not.
void Bridge::require_command(const VehicleSlot& from, const ActuatorCommand& command) {
  try {
    validate_command(command.command, command.time, from.vehicle->autopilot().name());
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", from.who(), error.what()));
  }
}

void Bridge::give(const VehicleSlot& from, const ActuatorCommand& command) {
  TACTUS_ASSERT(from.session != nullptr, "a vehicle that is assigned");
  SimulatorSession& session = *from.session;
  if (session.is_dropped()) return;
  try {
    require_command(from, command);
    session.give(command);
  } catch (const Error& error) {
    if (session.late_policy() != LatePolicy::kDrop) throw;
    session.drop(command.time, error.what());
  }
}

}  // namespace tactus
