// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/external_adapter.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

void restamp_instruments(Bus& readings, TimeUs time) {
  const auto restamp = [time](auto& instruments) {
    for (auto& instrument : instruments) instrument.measured_at = time;
  };
#define TACTUS_RESTAMP(Kind, Kinds, member, ...) restamp(readings.member);
  TACTUS_INSTRUMENT_KINDS(TACTUS_RESTAMP)
#undef TACTUS_RESTAMP
}

}  // namespace

void ExternalAdapter::fail(const std::string& what) const {
  throw Error(ExitCode::kPeer, peer() + " " + what);
}

void ExternalAdapter::refuse_value(const std::string& what) {
  const std::string text = "has sent what cannot be flown: " + what;
  if (!started_) fail(text);
  if (refused_.empty()) refused_ = text;
}

void ExternalAdapter::leave_out(const std::string& why) {
  const std::lock_guard lock(left_out_mutex_);
  ++left_out_;
  why_left_out_ = why;
}

void ExternalAdapter::answered() {
  const std::lock_guard lock(left_out_mutex_);
  left_out_ = 0;
}

std::string ExternalAdapter::left_out_text() const {
  const std::lock_guard lock(left_out_mutex_);
  if (left_out_ == 0) return {};
  return fmt::format("; {} times came what is no answer, the last: {}", left_out_, why_left_out_);
}

void ExternalAdapter::forget() {
  answered();
  vehicle_.reset();
  command_ = {};
  now_ = start_ = {};
  tracker_.forget();
  readings_ = {};
  readings_.holds = holds_;
  started_ = has_frame_ = false;
  changes_.forget();
  refused_.clear();
}

void ExternalAdapter::begin(const std::vector<VehiclePlace>& vehicles) {
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

void ExternalAdapter::send(const ActuatorCommand& command) {
  if (vehicle_ && command.vehicle == vehicle_->vehicle) command_ = command;
}

void ExternalAdapter::release(VehicleId vehicle) {
  if (vehicle_ && vehicle == vehicle_->vehicle) command_ = {};
}

void ExternalAdapter::start_at(TimeUs time) {
  now_ = start_ = time;
  tracker_.restamp(time);
  restamp_instruments(readings_, time);
}

void ExternalAdapter::step_to(TimeUs time) {
  TACTUS_ASSERT(!started_ || time >= now_, "time that goes on");
  has_frame_ = false;
  interrupted_ = false;
  if (!std::exchange(started_, true)) start_at(time);
  has_frame_ = go_to(time);
  TACTUS_ASSERT(!has_frame_ || now_ >= time, "it goes there, or says that it was stopped");
}

bool ExternalAdapter::receive(SensorFrame& frame) {
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

std::vector<std::string> ExternalAdapter::change_warnings() const {
  std::vector<std::string> list = changes_.warnings();
  for (std::string& warning : list) warning = fmt::format("{}: {}", peer(), warning);
  return list;
}

}  // namespace tactus
