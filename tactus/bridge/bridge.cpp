// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "tactus/bridge/bridge_seat.h"
#include "tactus/core/error.h"
#include "tactus/engine/validator.h"

namespace tactus {
namespace {

constexpr std::uint64_t kPausedSleep_ns = 10'000'000;

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

Bridge::Bridge(BridgeOptions options)
    : options_(std::move(options)), team_(options_.threads), pace_(*options_.clock) {}

Bridge::~Bridge() = default;

// ---- who is there

Bridge::Seat& Bridge::seat(const std::string& name) {
  const auto found = seats_.find(name);
  if (found != seats_.end()) return *found->second;
  refuse(fmt::format("there is no simulator {}; there are: {}", name,
                     seats_.empty() ? "none" : fmt::format("{}", fmt::join(adapters(), ", "))));
}

Bridge::Rider& Bridge::rider(VehicleId id) {
  const auto found = riders_.find(id);
  if (found != riders_.end()) return *found->second;
  refuse(fmt::format("there is no vehicle {}", id));
}

void Bridge::register_adapter(const std::string& name, std::shared_ptr<SimulatorAdapter> adapter,
                              const LinkParameters& link) {
  require_pause("simulator " + name);
  auto added = std::make_unique<Seat>();
  added->name = name;
  added->in_process = dynamic_cast<InProcessSimulator*>(adapter.get());
  added->adapter = std::move(adapter);
  added->link = link;
  added->report.name = name;
  added->report.kind = added->adapter->kind();
  if (started_ && added->in_process == nullptr) {
    refuse(fmt::format("simulator {} ({}) has a clock of its own: register it before the start",
                       name, added->adapter->kind()));
  }
  if (seats_.contains(name)) {
    refuse(fmt::format("there is a simulator {} already; give it another name", name));
  }
  if (started_) added->adapter->connect({});
  seats_.emplace(name, std::move(added));
}

void Bridge::require_pause(const std::string& who) const {
  if (started_ && !paused_) {
    refuse(who + ": the bridge flies; pause it first, then everybody stands at the same instant");
  }
  if (half_made_) refuse(who + ": a step was interrupted in the middle; make it first");
}

void Bridge::unregister_adapter(const std::string& name) {
  Seat& gone = seat(name);
  require_pause(gone.who());
  std::vector<VehicleId> assigned;
  for (const auto& [id, one] : riders_) {
    if (one->seat == &gone) assigned.push_back(id);
  }
  if (!assigned.empty()) {
    refuse(fmt::format("simulator {} still has vehicles: {}; despawn or assign them first", name,
                       fmt::join(assigned, ", ")));
  }
  leave(gone);
  seats_.erase(name);
}

SimulatorAdapter& Bridge::adapter(const std::string& name) { return *seat(name).adapter; }

std::vector<std::string> Bridge::adapters() const {
  std::vector<std::string> names;
  for (const auto& [name, one] : seats_) names.push_back(name);
  return names;
}

Vehicle& Bridge::spawn(VehicleSetup setup, const std::string& adapter) {
  require_pause(fmt::format("vehicle {}", setup.id));
  Seat& place = seat(adapter);
  auto added = std::make_unique<Rider>();
  added->vehicle = std::make_unique<Vehicle>(std::move(setup));
  added->seat = &place;
  const VehicleId id = added->vehicle->id();
  const std::uint16_t port = added->vehicle->mavlink_port();
  for (const auto& [other, one] : riders_) {
    if (other == id) refuse(fmt::format("there is a vehicle {} already", id));
    if (one->vehicle->mavlink_port() != port) continue;
    refuse(fmt::format("vehicles {} and {} have the same MAVLink port {}", other, id, port));
  }
  Rider& there = *riders_.emplace(id, std::move(added)).first->second;
  if (!started_) return *there.vehicle;
  try {
    begin(there);
  } catch (const Error& error) {
    take_back(there);
    throw Error(error.code(),
                fmt::format("vehicle {} in simulator {}: {}", id, adapter, error.what()));
  } catch (...) {
    take_back(there);
    throw;
  }
  return *there.vehicle;
}

/// It was refused: that is what the user hears, not what else goes wrong.
void Bridge::take_back(const Rider& refused) {
  Seat& place = *refused.seat;
  const VehicleId id = refused.vehicle->id();
  riders_.erase(id);
  try {
    release(place, id);
  } catch (const std::exception&) {
  }
}

/// Its exchange of this instant, as all had theirs at time 0.
void Bridge::begin(Rider& rider) {
  Seat& place = *rider.seat;
  const VehicleId id = rider.vehicle->id();
  require_lockstep(place);
  if (const std::string why = misfit(*rider.vehicle); !why.empty()) refuse(why);
  require_capabilities(place);
  release_left(place);
  rider.vehicle->begin_at(now_);
  place.adapter->admit({id, rider.vehicle->exchange()}, now_);
  place.left.erase(id);
  SensorFrame frame;
  while (place.adapter->receive(frame)) {
    require_sound(frame);
    if (frame.vehicle == id) rider.vehicle->take(frame);
  }
  rider.vehicle->control();
  require_command(rider, rider.vehicle->command());
  place.adapter->send(rider.vehicle->command());
}

/// It may still be at work on what came before.
void Bridge::require_lockstep(const Seat& seat) {
  const bool at_work = seat.thread != nullptr && (seat.asked || !seat.thread->idle());
  if (seat.state() != AdapterState::kFine || at_work) {
    refuse(fmt::format("simulator {} is not in lockstep", seat.name));
  }
}

void Bridge::despawn(VehicleId id) {
  Rider& gone = rider(id);
  Seat& place = *gone.seat;
  std::erase(due_, &gone);
  std::erase_if(place.commands,
                [id](const ActuatorCommand& command) { return command.vehicle == id; });
  riders_.erase(id);
  if (started_) release(place, id);
}

void Bridge::release(Seat& place, VehicleId id) {
  place.left.insert(id);
  if (place.thread != nullptr && !place.thread->idle()) {  // late, and at work yet
    place.to_release.push_back(id);
  } else {
    place.adapter->release(id);
  }
}

void Bridge::release_left(Seat& place) {
  for (const VehicleId id : std::exchange(place.to_release, {})) place.adapter->release(id);
}

void Bridge::assign(VehicleId id, const std::string& adapter) {
  Rider& moved = rider(id);
  Seat& to = seat(adapter);
  if (moved.seat == &to) return;
  if (!started_) {
    moved.seat = &to;
    return;
  }
  require_pause(moved.who());
  Seat& from = *moved.seat;
  try {
    hand_over(moved, to);
  } catch (const Error& error) {
    moved.seat = &from;
    throw Error(error.code(), fmt::format("vehicle {} cannot go from simulator {} to {}: {}; "
                                          "despawn it and spawn a new one there",
                                          id, from.name, to.name, error.what()));
  }
}

void Bridge::hand_over(Rider& moved, Seat& to) {
  Seat& from = *moved.seat;
  require_lockstep(from);
  require_lockstep(to);
  moved.seat = &to;
  require_capabilities(to);
  to.adapter->take_over(moved.vehicle->id(), *from.adapter);
  to.left.erase(moved.vehicle->id());
}

Vehicle& Bridge::vehicle(VehicleId id) { return *rider(id).vehicle; }

AdapterState Bridge::simulator_state(VehicleId id) const {
  return const_cast<Bridge*>(this)->rider(id).seat->state();
}

bool Bridge::simulator_is_missing(VehicleId id) const {
  return const_cast<Bridge*>(this)->rider(id).seat->trouble;
}

std::vector<VehicleId> Bridge::vehicles() const {
  std::vector<VehicleId> ids;
  for (const auto& [id, one] : riders_) ids.push_back(id);
  return ids;
}

// ---- the step

void Bridge::step() {
  start();
  if (!begun_) return;
  const std::uint64_t begin = options_.clock->now_ns();
  const TimeUs next = now_ + step_;
  if (!exchange(next)) return;
  now_ = next;
  step_time_.add(options_.clock->now_ns() - begin);
}

/// False: interrupted while somebody was waited for; the next call goes on with it.
bool Bridge::exchange(TimeUs time) {
  if (std::exchange(half_made_, std::nullopt) != time) {
    request(time);
    compute(time);
  }
  wait(time);
  if (is_interrupted() && is_waited_for()) {
    half_made_ = time;
    return false;
  }
  route(time);
  control();
  send(time);
  return true;
}

void Bridge::request(TimeUs time) {
  for (auto& [name, one] : seats_) {
    if (one->thread == nullptr || one->state() == AdapterState::kDropped) continue;
    if (one->broken) {
      connect_again(*one);
    } else {
      ask(*one, time);
    }
  }
}

/// One that is late, or was interrupted while it took commands, is at work yet: it is waited for,
/// and asked then.
void Bridge::ask(Seat& seat, TimeUs time) {
  seat.asked_ns = options_.clock->now_ns();
  try {
    if (!seat.asked && seat.thread->wait(1)) {
      release_left(seat);
      seat.thread->step(std::exchange(seat.commands, {}), time);
    }
    seat.asked = true;
  } catch (const std::exception& error) {
    has_broken(seat);
    missed(seat, time, error.what());
  }
}

/// Anew for each step: vehicles come to a simulator and go without our knowing.
void Bridge::plan_lanes() {
  lanes_.clear();
  for (auto& [name, one] : seats_) {
    if (one->in_process == nullptr || one->state() == AdapterState::kDropped) continue;
    const std::size_t count = one->in_process->lanes();
    for (std::size_t lane = 0; lane < count; ++lane) lanes_.push_back({one.get(), lane, {}});
  }
}

void Bridge::compute(TimeUs time) {
  plan_lanes();
  const std::uint64_t begin = options_.clock->now_ns();
  team_.for_each(lanes_.size(), [this, time](std::size_t i) { compute(lanes_[i], time); });
  const std::uint64_t took = options_.clock->now_ns() - begin;
  for (const Lane& lane : lanes_) {
    if (!lane.failure.empty()) drop(*lane.seat, time, lane.failure);
  }
  for (auto& [name, one] : seats_) {
    if (one->in_process != nullptr && one->state() != AdapterState::kDropped) collect(*one, took);
  }
}

/// One that computes here has nobody to wait for and nobody to connect to again: if it fails, it is
/// dropped where the user wants that, and otherwise all is over.
void Bridge::compute(Lane& lane, TimeUs time) {
  try {
    lane.seat->in_process->step_lane(lane.number, time);
  } catch (const Error& error) {
    if (lane.seat->link.late != LatePolicy::kDrop) throw;
    lane.failure = error.what();
  }
}

void Bridge::collect(Seat& seat, std::uint64_t took_ns) {
  seat.report.step.add(took_ns);
  seat.caught_up = seat.state() == AdapterState::kLate;
  seat.frames.clear();
  SensorFrame frame;
  while (seat.adapter->receive(frame)) seat.frames.push_back(frame);
}

void Bridge::route(TimeUs time) {
  due_.clear();
  for (auto& [id, one] : riders_) one->fresh = false;
  for (auto& [name, one] : seats_) route(*one, time);
  std::sort(due_.begin(), due_.end(),
            [](const Rider* a, const Rider* b) { return a->vehicle->id() < b->vehicle->id(); });
  frames_ready_ns_ = options_.clock->now_ns();
}

void Bridge::route(Seat& seat, TimeUs time) {
  std::string failure;
  try {
    take_frames(seat, time);
    if (seat.caught_up || !seat.frames.empty()) recovered(seat, time);
  } catch (const Error& error) {
    std::erase_if(due_, [&seat](const Rider* one) { return one->seat == &seat; });
    failure = error.what();
  }
  seat.frames.clear();
  if (!failure.empty()) missed(seat, time, failure);
}

/// What a simulator of anybody's tells, before an autopilot or a recorder sees it.
void Bridge::require_sound(const SensorFrame& frame) {
  const std::string wrong = wrong_value(frame);
  if (wrong.empty()) return;
  throw Error(ExitCode::kPeer, fmt::format("a frame of vehicle {} holds {}", frame.vehicle, wrong));
}

void Bridge::take_frames(Seat& seat, TimeUs time) {
  const bool strict = in_lockstep(seat) || seat.caught_up;
  std::stable_sort(
      seat.frames.begin(), seat.frames.end(),
      [](const SensorFrame& a, const SensorFrame& b) { return a.vehicle < b.vehicle; });
  for (const SensorFrame& frame : seat.frames) require_sound(frame);
  for (const SensorFrame& frame : seat.frames) {
    if (seat.left.contains(frame.vehicle)) continue;  // despawned
    const auto found = riders_.find(frame.vehicle);
    if (found == riders_.end() || found->second->seat != &seat) {
      throw Error(ExitCode::kPeer, fmt::format("a frame of vehicle {} came, which is not in this "
                                               "simulator",
                                               frame.vehicle));
    }
    if (strict && frame.time != time) {
      throw Error(ExitCode::kPeer,
                  fmt::format("a frame of vehicle {} with time {} us came at {} us", frame.vehicle,
                              frame.time.us, time.us));
    }
    found->second->vehicle->take(frame);
    if (!std::exchange(found->second->fresh, true)) due_.push_back(found->second.get());
  }
  if (!strict || is_interrupted()) return;
  for (const auto& [id, one] : riders_) {
    if (one->seat != &seat || one->fresh || !one->vehicle->is_due(time)) continue;
    if (!seat.adapter->is_over(id)) {
      throw Error(ExitCode::kPeer, fmt::format("no frame of vehicle {}", id));
    }
  }
}

void Bridge::control() {
  team_.for_each(due_.size(), [this](std::size_t i) {
    const Rider& one = *due_[i];
    try {
      one.vehicle->control();
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", one.who(), error.what()));
    }
  });
}

void Bridge::send(TimeUs time) {
  for (const Rider* one : due_) {
    ActuatorCommand command = one->vehicle->command();
    command.time = one->vehicle->frame().time;
    send(*one, command);
  }
  for (auto& [name, one] : seats_) {
    if (one->thread != nullptr && !one->commands.empty() && one->thread->idle()) send(*one, time);
  }
  const std::uint64_t took = options_.clock->now_ns() - frames_ready_ns_;
  for (std::size_t i = 0; i < due_.size(); ++i) latency_.add(took);
}

/// One that is not in range stops the flight wherever it flies, recorded or not.
void Bridge::require_command(const Rider& from, const ActuatorCommand& command) {
  try {
    validate_command(command.command, command.time, from.vehicle->autopilot().name());
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", from.who(), error.what()));
  }
}

void Bridge::send(const Rider& from, const ActuatorCommand& command) {
  Seat& seat = *from.seat;
  if (seat.state() == AdapterState::kDropped) return;
  try {
    require_command(from, command);
    if (seat.in_process != nullptr) {
      seat.adapter->send(command);
    } else {
      seat.commands.push_back(command);
    }
  } catch (const Error& error) {
    if (seat.link.late != LatePolicy::kDrop) throw;
    drop(seat, command.time, error.what());
  }
}

void Bridge::send(Seat& seat, TimeUs time) {
  if (seat.broken) return seat.commands.clear();
  seat.asked_ns = options_.clock->now_ns();
  seat.thread->send(std::exchange(seat.commands, {}));
  if (seat.state() != AdapterState::kFine) return;
  std::string failure;
  try {
    if (await(seat, seat.link.exchange_deadline) || is_interrupted()) return;
    failure = fmt::format("takes no commands within {}", to_text(seat.link.exchange_deadline));
  } catch (const std::exception& error) {
    has_broken(seat);
    failure = error.what();
  }
  missed(seat, time, failure);
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

bool Bridge::is_interrupted() const { return options_.interrupted && options_.interrupted(); }

bool Bridge::finished() const {
  return !riders_.empty() && std::all_of(riders_.begin(), riders_.end(), [](const auto& one) {
    const Rider& rider = *one.second;
    return rider.seat->state() == AdapterState::kDropped ||
           rider.seat->adapter->is_over(rider.vehicle->id());
  });
}

void Bridge::run_until(TimeUs end) {
  if (is_interrupted()) return;  // a start that was interrupted is not made again
  start();
  const auto stops = [this] { return is_interrupted(); };
  while (now_ < end && !finished() && !is_interrupted()) {
    if (paused_) {
      options_.clock->sleep_until_ns(options_.clock->now_ns() + kPausedSleep_ns);
      if (after_step) after_step(*this);
      continue;
    }
    pace_.wait_for(now_ + step_, stops);
    if (is_interrupted()) return;
    step();
    if (after_step) after_step(*this);
  }
}

void Bridge::stop() {
  for (auto& [name, one] : seats_) leave(*one);
}

void Bridge::leave(Seat& seat) {
  if (seat.thread == nullptr) {
    collect_warnings(seat);
    seat.adapter->disconnect();
    return;
  }
  if (!seat.thread->idle()) seat.adapter->interrupt();
  if (!seat.thread->settle()) return;
  collect_warnings(seat);
  seat.thread->disconnect();
  seat.thread->settle();
}

std::vector<AdapterReport> Bridge::reports() const {
  std::vector<AdapterReport> all;
  for (const auto& [name, one] : seats_) all.push_back(one->report);
  return all;
}

}  // namespace tactus
