// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/builtin_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
void BuiltinAdapter::add(VehicleId vehicle, Run run, Observers observers) {
  TACTUS_ASSERT(run.command_from() == CommandFrom::kCaller, "a run that the bridge can command");
  require_absent(vehicle);
  flights_.insert(
      place_of(vehicle),
      std::make_unique<Flight>(Flight{vehicle, std::move(run), std::move(observers), {}, {}, {}}));
}

void BuiltinAdapter::require_absent(VehicleId vehicle) {
  const auto at = place_of(vehicle);
  if (at == flights_.end() || (*at)->vehicle != vehicle) return;
  throw Error(ExitCode::kBadInput, fmt::format("vehicle {} is in this simulator already", vehicle));
}

BuiltinAdapter::Flights::iterator BuiltinAdapter::place_of(VehicleId vehicle) {
  return std::lower_bound(
      flights_.begin(), flights_.end(), vehicle,
      [](const std::unique_ptr<Flight>& there, VehicleId id) { return there->vehicle < id; });
}

void BuiltinAdapter::admit(const VehiclePlace& vehicle, TimeUs now) {
  Flight& one = accept(vehicle);
  TACTUS_ASSERT(!one.opened && one.run.now() == TimeUs(), "a run that has not begun");
  one.epoch = now;
  now_ = now;
  next_frame_ = 0;
  advance(one, now);
}

void BuiltinAdapter::take_over(VehicleId vehicle, SimulatorAdapter& from) {
  auto* const other = dynamic_cast<BuiltinAdapter*>(&from);
  if (other == nullptr) {
    throw Error(ExitCode::kBadInput,
                fmt::format("a {} simulator cannot hand over what it flies", from.kind()));
  }
  (void)other->flight(vehicle);  // must be there
  require_absent(vehicle);
  const auto moved = other->place_of(vehicle);
  TACTUS_ASSERT(other != this && moved != other->flights_.end(), "a flight of another simulator");
  flights_.insert(place_of(vehicle), std::move(*moved));
  other->flights_.erase(moved);
  now_ = other->now_;
}

void BuiltinAdapter::release(VehicleId vehicle) {
  const auto gone = place_of(vehicle);
  if (gone == flights_.end() || (*gone)->vehicle != vehicle) return;
  const std::unique_ptr<Flight> last = std::move(*gone);
  flights_.erase(gone);
  if (last->opened) tactus::close(last->run, last->observers);
}

BuiltinAdapter::Flight& BuiltinAdapter::flight(VehicleId vehicle) {
  const auto found = place_of(vehicle);
  if (found != flights_.end() && (*found)->vehicle == vehicle) return **found;
  throw Error(ExitCode::kBadInput, fmt::format("vehicle {} is not in this simulator", vehicle));
}

const Run& BuiltinAdapter::run(VehicleId vehicle) const {
  return const_cast<BuiltinAdapter*>(this)->flight(vehicle).run;
}

SimulatorCapabilities BuiltinAdapter::capabilities() const {
  return {.lockstep = true, .most_vehicles = kLargestVehicleId + 1};
}

void BuiltinAdapter::connect(const std::vector<VehiclePlace>& vehicles) {
  for (const VehiclePlace& place : vehicles) accept(place);
}

BuiltinAdapter::Flight& BuiltinAdapter::accept(const VehiclePlace& place) {
  Flight& one = flight(place.vehicle);
  const DurationUs period = one.run.schedule().period(Axis::kAutopilot);
  if (period != place.exchange) {
    throw Error(ExitCode::kBadInput,
                fmt::format("vehicle {} exchanges every {}, but its run has a tick of the "
                            "autopilot every {}; give both the same",
                            place.vehicle, to_text(place.exchange), to_text(period)));
  }
  one.exchange = place.exchange;
  return one;
}

void BuiltinAdapter::run_task(std::size_t task, TimeUs time) {
  TACTUS_ASSERT(task < flights_.size(), "a task of this simulator");
  if (task == 0) {
    now_ = time;
    next_frame_ = 0;
  }
  Flight& one = *flights_[task];
  try {
    advance(one, time);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("vehicle {}: {}", one.vehicle, error.what()));
  }
}

void BuiltinAdapter::advance(Flight& one, TimeUs time) {
  one.has_frame = false;
  // One that was not spawned stands still.
  if (one.run.finished() || one.exchange.us == 0) return;
  TACTUS_ASSERT(time >= one.epoch, "an instant of the vehicle's own time");
  const TimeUs own = TimeUs() + (time - one.epoch);
  if ((own.us % one.exchange.us) != 0) return;
  if (!one.opened) {
    open(one.run, one.observers);
    one.opened = true;
  }
  Progress progress = Progress::kBoundary;
  while (progress == Progress::kBoundary) progress = proceed(one.run, one.observers);
  if (progress == Progress::kFinished) return;
  TACTUS_ASSERT(one.run.now() == own, "a run that is at the time of the bridge");
  one.answered = false;
  one.frame.vehicle = one.vehicle;
  one.frame.plays_scenario = true;
  copy_signals(one.run.bus(), one.frame);
  one.frame.time = time;
  one.has_frame = true;
}

bool BuiltinAdapter::receive(SensorFrame& frame) {
  while (next_frame_ < flights_.size() && !flights_[next_frame_]->has_frame) ++next_frame_;
  if (next_frame_ == flights_.size()) return false;
  Flight& one = *flights_[next_frame_++];
  frame = one.frame;
  one.has_frame = false;
  return true;
}

void BuiltinAdapter::send(const ActuatorCommand& command) {
  Flight& one = flight(command.vehicle);
  if (one.answered || one.run.finished()) return;
  give_command(one.run, command.command, command.status);
  one.answered = true;
  if (one.run.schedule().current().end) proceed(one.run, one.observers);
}

void BuiltinAdapter::close() {
  std::exception_ptr first;
  for (const std::unique_ptr<Flight>& one : flights_) {
    if (!one->opened) continue;
    one->opened = false;
    try {
      tactus::close(one->run, one->observers);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tactus
