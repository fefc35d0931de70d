// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/outside_adapter.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

template <class Reading, std::size_t size>
void restamp(Reading (&readings)[size], TimeUs time) {
  for (Reading& reading : readings) reading.measured_at = time;
}

}  // namespace

void OutsideAdapter::fail(const std::string& what) const {
  throw Error(ExitCode::kPeer, peer() + " " + what);
}

void OutsideAdapter::refuse_value(const std::string& what) {
  const std::string text = "has sent what cannot be flown: " + what;
  if (!started_) fail(text);
  if (refused_.empty()) refused_ = text;
}

void OutsideAdapter::leave_out(const std::string& why) {
  const std::lock_guard lock(left_out_mutex_);
  ++left_out_;
  why_left_out_ = why;
}

void OutsideAdapter::answered() {
  const std::lock_guard lock(left_out_mutex_);
  left_out_ = 0;
}

std::string OutsideAdapter::left_out_text() const {
  const std::lock_guard lock(left_out_mutex_);
  if (left_out_ == 0) return {};
  return fmt::format("; {} times came what is no answer, the last: {}", left_out_, why_left_out_);
}

void OutsideAdapter::forget() {
  answered();
  vehicle_.reset();
  command_ = {};
  now_ = start_ = {};
  tracker_.forget();
  readings_ = {};
  readings_.tells = tells_;
  started_ = has_frame_ = false;
  changes_.forget();
  refused_.clear();
}

void OutsideAdapter::begin(const std::vector<VehiclePlace>& vehicles) {
  if (vehicles.size() > 1) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{} flies one vehicle, not {}: start one for each, on ports of their "
                            "own",
                            peer(), vehicles.size()));
  }
  forget();
  if (!vehicles.empty()) {
    TACTUS_ASSERT(vehicles.front().exchange.us > 0, "a vehicle that exchanges");
    vehicle_ = vehicles.front();
  }
  interrupted_ = false;
}

void OutsideAdapter::send(const ActuatorCommand& command) {
  if (vehicle_ && command.vehicle == vehicle_->vehicle) command_ = command;
}

void OutsideAdapter::release(VehicleId vehicle) {
  if (vehicle_ && vehicle == vehicle_->vehicle) command_ = {};
}

void OutsideAdapter::start_at(TimeUs time) {
  now_ = start_ = time;
  tracker_.restamp(time);
  restamp(readings_.imu, time);
  restamp(readings_.magnetometer, time);
  restamp(readings_.barometer, time);
  restamp(readings_.gps, time);
  restamp(readings_.airspeed, time);
  restamp(readings_.range_finder, time);
}

void OutsideAdapter::step_to(TimeUs time) {
  TACTUS_ASSERT(!started_ || time >= now_, "time that goes on");
  has_frame_ = false;
  interrupted_ = false;
  if (!std::exchange(started_, true)) start_at(time);
  has_frame_ = go_to(time);
  TACTUS_ASSERT(!has_frame_ || now_ >= time, "it goes there, or says that it was stopped");
}

bool OutsideAdapter::receive(SensorFrame& frame) {
  if (!std::exchange(has_frame_, false) || !vehicle_) return false;
  if (const std::string what = std::exchange(refused_, {}); !what.empty()) {
    throw RefusedFrame(fmt::format("vehicle {}: {} {}", vehicle_->vehicle, peer(), what));
  }
  if (now_.us % vehicle_->exchange.us != 0) return false;
  TACTUS_ASSERT(started_ && now_ >= start_, "frames come after the start");
  readings_.vehicle = vehicle_->vehicle;
  readings_.time = now_;
  tracker_.fill(readings_.imu[0].specific_force_B_m_s2, command_, readings_);
  changes_.see(readings_, tracker_.attitude_length());
  frame = readings_;
  return true;
}

std::vector<std::string> OutsideAdapter::change_warnings() const {
  std::vector<std::string> list = changes_.warnings();
  for (std::string& warning : list) warning = fmt::format("{}: {}", peer(), warning);
  return list;
}

}  // namespace tactus
