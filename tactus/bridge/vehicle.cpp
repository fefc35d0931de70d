// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/vehicle.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {

Vehicle::Vehicle(VehicleSetup setup) : setup_(std::move(setup)), powered_(setup_.autopilot) {
  if (setup_.id > kLargestVehicleId) {
    throw Error(ExitCode::kBadInput,
                fmt::format("vehicle {}: ids go from 0 to {}", setup_.id, kLargestVehicleId));
  }
  if (setup_.exchange.us == 0) {
    throw Error(ExitCode::kBadInput,
                fmt::format("vehicle {}: exchange_us = 0; give it a period", setup_.id));
  }
  if (setup_.mavlink_port == 0) {
    setup_.mavlink_port = default_mavlink_port(setup_.id);
  }
  answer_.vehicle = setup_.id;
  TACTUS_ASSERT(setup_.autopilot != nullptr, "a vehicle with an autopilot");
}

void Vehicle::begin_at(TimeUs now) {
  TACTUS_ASSERT(!has_frame_, "a vehicle that has not flown");
  epoch_ = now;
}

void Vehicle::take(const SensorFrame& frame) {
  TACTUS_ASSERT(frame.vehicle == setup_.id, "a frame of this vehicle");
  if (frame.time < epoch_) {
    throw Error(ExitCode::kPeer,
                fmt::format("vehicle {}: a frame of {} us came, but it was spawned at {} us",
                            setup_.id, frame.time.us, epoch_.us));
  }
  if (has_frame_ && frame.time <= frame_.time) {
    throw Error(ExitCode::kPeer,
                fmt::format("vehicle {}: a frame of {} us came after one of {} us; time must go on",
                            setup_.id, frame.time.us, frame_.time.us));
  }
  const HighLevelCommand high_level = frame_.high_level;
  const ParameterChange parameter = frame_.parameter;
  frame_ = frame;
  has_frame_ = true;
  if (frame.plays_scenario) return;
  frame_.high_level = high_level;
  frame_.parameter = parameter;
  if (setup_.scenario == nullptr) return;
  frame_.time = own_time();
  setup_.scenario->play(frame_);
  frame_.time = frame.time;
}

void Vehicle::control() {
  TACTUS_ASSERT(has_frame_, "a vehicle with a frame");
  powered_.step(frame_.powered, autopilot_input(frame_, own_time(), autopilot().sees_truth()));
  if (!setup_.recorded) drop_unrecorded();
  TACTUS_ASSERT(frame_.time >= epoch_, "an instant of the vehicle's own time");
  answer_.time = frame_.time;
  answer_.command = powered_.output().command;
  answer_.status = powered_.output().status;
}

void Vehicle::take_scenario_notes(std::vector<Note>& notes) {
  if (setup_.scenario != nullptr) setup_.scenario->take_notes(notes);
}

void Vehicle::drop_unrecorded() {
  setup_.autopilot->take_notes(notes_);
  setup_.autopilot->take_external_bytes(bytes_);
  take_scenario_notes(notes_);
  notes_.clear();
  bytes_.clear();
}

}  // namespace tactus
