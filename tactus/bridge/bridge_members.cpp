// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Who is there: simulators that are registered, vehicles that are spawned and assigned to them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "tactus/bridge/bridge.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {

void Bridge::refuse(const std::string& message) { throw Error(ExitCode::kBadInput, message); }

std::string Bridge::VehicleSlot::who() const { return fmt::format("vehicle {}", vehicle->id()); }

SimulatorSession& Bridge::session(const std::string& name) const {
  const auto found = sessions_.find(name);
  if (found != sessions_.end()) return *found->second;
  refuse(fmt::format("there is no simulator {}; there are: {}", name,
                     sessions_.empty() ? "none" : fmt::format("{}", fmt::join(adapters(), ", "))));
}

Bridge::VehicleSlot& Bridge::slot(VehicleId id) const {
  const auto found = slots_.find(id);
  if (found != slots_.end()) return *found->second;
  refuse(fmt::format("there is no vehicle {}", id));
}

void Bridge::require_pause(const std::string& who) const {
  if (has_started() && !paused_) {
    refuse(who + ": the bridge flies; pause it first, then all stand at the same instant");
  }
  if (half_made_) refuse(who + ": a step was interrupted in the middle; make it first");
}

// ---- simulators

void Bridge::register_adapter(const std::string& name, std::shared_ptr<SimulatorAdapter> adapter,
                              const LinkParameters& link) {
  require_pause("simulator " + name);
  auto added = std::make_unique<SimulatorSession>(name, std::move(adapter), link, context_);
  if (has_started() && !added->is_in_process()) {
    refuse(fmt::format("simulator {} ({}) has a clock of its own: register it before the start",
                       name, added->adapter().kind()));
  }
  if (sessions_.contains(name)) {
    refuse(fmt::format("there is a simulator {} already; give it another name", name));
  }
  if (has_started()) added->connect({});
  sessions_.emplace(name, std::move(added));
  TACTUS_ASSERT(sessions_.contains(name), "a simulator that is there now");
}

void Bridge::unregister_adapter(const std::string& name) {
  SimulatorSession& gone = session(name);
  require_pause(gone.who());
  std::vector<VehicleId> assigned;
  for (const VehiclePlace& place : places_in(gone)) assigned.push_back(place.vehicle);
  if (!assigned.empty()) {
    refuse(fmt::format("simulator {} still has vehicles: {}; despawn or assign them first", name,
                       fmt::join(assigned, ", ")));
  }
  TACTUS_ASSERT(std::none_of(slots_.begin(), slots_.end(),
                             [&](const auto& one) { return one.second->session == &gone; }),
                "no vehicle is left in it");
  gone.disconnect();
  sessions_.erase(name);
}

SimulatorAdapter& Bridge::adapter(const std::string& name) { return session(name).adapter(); }

std::vector<std::string> Bridge::adapters() const {
  std::vector<std::string> names;
  for (const auto& [name, one] : sessions_) names.push_back(name);
  return names;
}

AdapterState Bridge::simulator_state(VehicleId id) const {
  return slot(id).session->adapter_state();
}

bool Bridge::simulator_is_missing(VehicleId id) const { return slot(id).session->is_missing(); }

std::vector<VehiclePlace> Bridge::places_in(const SimulatorSession& session) const {
  std::vector<VehiclePlace> places;
  for (const auto& [id, one] : slots_) {
    if (one->session == &session) places.push_back({id, one->vehicle->exchange()});
  }
  return places;
}

/// "vehicle 0: ", "vehicles 0, 1: ": those in it.
std::string Bridge::vehicles_text(const SimulatorSession& session) const {
  std::string ids;
  const std::vector<VehiclePlace> places = places_in(session);
  for (const VehiclePlace& one : places) {
    ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.vehicle);
  }
  if (ids.empty()) return {};
  return fmt::format("{} {}: ", places.size() == 1 ? "vehicle" : "vehicles", ids);
}

// ---- vehicles

Vehicle& Bridge::vehicle(VehicleId id) { return *slot(id).vehicle; }

std::vector<VehicleId> Bridge::vehicles() const {
  std::vector<VehicleId> ids;
  for (const auto& [id, one] : slots_) ids.push_back(id);
  return ids;
}

Vehicle& Bridge::spawn(VehicleSetup setup, const std::string& adapter) {
  require_pause(fmt::format("vehicle {}", setup.id));
  auto added = std::make_unique<VehicleSlot>();
  added->session = &session(adapter);
  added->vehicle = std::make_unique<Vehicle>(std::move(setup));
  const VehicleId id = added->vehicle->id();
  const std::uint16_t port = added->vehicle->mavlink_port();
  for (const auto& [other, one] : slots_) {
    if (other == id) refuse(fmt::format("there is a vehicle {} already", id));
    if (one->vehicle->mavlink_port() != port) continue;
    refuse(fmt::format("vehicles {} and {} have the same MAVLink port {}", other, id, port));
  }
  VehicleSlot& there = *slots_.emplace(id, std::move(added)).first->second;
  if (!has_started()) return *there.vehicle;
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
void Bridge::take_back(const VehicleSlot& refused) {
  SimulatorSession& session = *refused.session;
  const VehicleId id = refused.vehicle->id();
  slots_.erase(id);
  try {
    session.release(id);
  } catch (const std::exception&) {
  }
}

/// Its exchange of this instant, as all had theirs at time 0.
void Bridge::begin(VehicleSlot& slot) {
  SimulatorSession& session = *slot.session;
  const VehicleId id = slot.vehicle->id();
  TACTUS_ASSERT(has_started() && step_.us > 0, "a bridge that flies");
  session.require_lockstep();
  if (const std::string why = misfit(*slot.vehicle); !why.empty()) refuse(why);
  require_capabilities(session);
  slot.vehicle->begin_at(now_);
  session.admit({id, slot.vehicle->exchange()}, now_);
  SensorFrame frame;
  while (session.adapter().receive(frame)) {
    require_sound(frame);
    if (frame.vehicle == id) slot.vehicle->take(frame);
  }
  slot.vehicle->control();
  require_command(slot, slot.vehicle->command());
  session.adapter().send(slot.vehicle->command());
}

void Bridge::despawn(VehicleId id) {
  VehicleSlot& gone = slot(id);
  SimulatorSession& session = *gone.session;
  TACTUS_ASSERT(gone.session != nullptr, "a vehicle that is assigned");
  std::erase(due_, &gone);
  session.drop_commands_of(id);
  slots_.erase(id);
  if (has_started()) session.release(id);
}

void Bridge::assign(VehicleId id, const std::string& adapter) {
  VehicleSlot& moved = slot(id);
  SimulatorSession& to = session(adapter);
  if (moved.session == &to) return;
  if (!has_started()) {
    moved.session = &to;
    return;
  }
  require_pause(moved.who());
  SimulatorSession& from = *moved.session;
  try {
    hand_over(moved, to);
  } catch (const Error& error) {
    moved.session = &from;
    throw Error(error.code(), fmt::format("vehicle {} cannot go from simulator {} to {}: {}; "
                                          "despawn it and spawn a new one there",
                                          id, from.name(), to.name(), error.what()));
  }
}

void Bridge::hand_over(VehicleSlot& moved, SimulatorSession& to) {
  SimulatorSession& from = *moved.session;
  TACTUS_ASSERT(&from != &to, "to another simulator");
  from.require_lockstep();
  to.require_lockstep();
  moved.session = &to;
  require_capabilities(to);
  to.take_over(moved.vehicle->id(), from);
}

}  // namespace tactus
