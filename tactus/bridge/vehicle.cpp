// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/vehicle.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

AutopilotInput input_of(const SensorFrame& frame, TimeUs now, bool sees_truth) {
  return {now,
          frame.estimate,
          frame.land,
          frame.high_level,
          frame.parameter,
          frame.battery,
          frame.esc,
          frame.imu,
          frame.magnetometer,
          frame.barometer,
          frame.gps,
          frame.airspeed,
          frame.range_finder,
          sees_truth ? &frame.truth : nullptr};
}

}  // namespace

Vehicle::Vehicle(VehicleSetup setup) : setup_(std::move(setup)) {
  TACTUS_ASSERT(setup_.autopilot != nullptr, "a vehicle with an autopilot");
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
}

void Vehicle::take(const SensorFrame& frame) {
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
  if (frame_.powered) {
    if (!powered_) {
      setup_.autopilot->restart();
      output_ = {};
    }
    powered_ = true;
    setup_.autopilot->step(input_of(frame_, own_time(), setup_.autopilot->sees_truth()), output_);
  } else {
    powered_ = false;
    output_ = {};
  }
  if (!setup_.recorded) drop_words();
  answer_.time = frame_.time;
  answer_.command = output_.command;
  answer_.status = output_.status;
}

void Vehicle::take_scenario_notes(std::vector<Note>& notes) {
  if (setup_.scenario != nullptr) setup_.scenario->take_notes(notes);
}

void Vehicle::drop_words() {
  setup_.autopilot->take_notes(notes_);
  setup_.autopilot->take_outside(bytes_);
  take_scenario_notes(notes_);
  notes_.clear();
  bytes_.clear();
}

}  // namespace tactus
