// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From a spec to a run that can be flown: vehicle, start, sources, schedule, and the monitor of
// what is expected. Here are the checks that need more than one part of the spec.
//
//   Assembly flight = assemble(load_spec("default.toml"));
//   Observers observers;
//   observers.hooks.push_back(flight.monitor.get());
//   fly(flight.run, observers);
//   flight.monitor->outcome()

#include <memory>
#include <string>
#include <vector>

#include "tactus/engine/run.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/scenario/expectations.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

struct AssembleOptions {
  /// kCaller: no autopilot of the spec runs; the caller answers at each of its ticks.
  CommandFrom command_from = CommandFrom::kSource;
  /// kCaller: the autopilot that the caller answers with, so that recorders get what it hears and
  /// says, as if it ran here. Null: it is not known who answers.
  std::shared_ptr<Autopilot> caller_autopilot{};
  /// Take the place of live sources, as replay_source.h does: a live source that writes one of
  /// their signals is left out as a whole. They are copied.
  std::vector<const Source*> instead{};
  /// Takes the place of the plant, as replay_plant.h does; copied. Null: the plant of the spec.
  const Plant* plant_instead = nullptr;
  /// Makes autopilots other than the built-in one; null: there are none.
  std::shared_ptr<const ExternalAutopilots> external{};
};

struct Assembly {
  Run run;
  std::unique_ptr<ExpectationMonitor> monitor;
  std::vector<std::string> notes;  ///< sentences for the user; nothing is wrong
};

/// Throws Error(kBadInput) that names what does not fit together.
Assembly assemble(const Spec& spec, const AssembleOptions& options = {});

/// The same for a spec that was read: errors say where the key that decides was written.
Assembly assemble(const LoadedSpec& loaded, const AssembleOptions& options = {});

/// The events of the spec, and after them one per step-shaped gust of [wind]: so a gust begins and
/// ends at its own instants and not at ticks of the wind.
std::vector<Event> scenario_events(const Spec& spec);

/// What has come of each of them; empty if the scenario of the run is a replay.
std::vector<EventRecord> event_records(const Run& run);

}  // namespace tactus
