// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/engine/sources.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/scenario/rehearsal.h"
#include "tactus/scenario/sensor_assembly.h"
#include "tactus/spec/schema/spec_places.h"
#include "tactus/spec/vehicle/vehicle_type.h"
#include "tactus/vehicle/command_delay.h"

namespace tactus {
namespace {

constexpr DurationUs kLongestMotorDelay{1'000'000};

constexpr std::string_view kLiftKeys[] = {"motor.kv_rpm_per_v",
                                          "motor.resistance_ohm",
                                          "propeller.radius_m",
                                          "propeller.static_thrust_coefficient",
                                          "motor.bus_current_limit_a",
                                          "motor.phase_current_limit_a",
                                          ".avionics_power_w",
                                          ".ocv_v",
                                          ".r0_ohm",
                                          ".soc0"};

// ---- scenario

ScenarioSetup make_scenario(const Spec& spec, const Plant& plant) {
  const TimelineSpec& time = spec.timeline;
  ScenarioSetup setup;
  setup.events = scenario_events(spec);
  setup.leaves = bus_leaves(vehicle_counts(spec));
  setup.watch_for = [&plant](const BusLeaf& leaf) { return plant.watch_for(leaf); };
  setup.autopilot_period = time.autopilot;
  setup.seed = spec.seed;
  ActionTargets& targets = setup.targets;
  targets.rotor_ids = spec.parts.rotors;
  targets.pack_ids = spec.parts.packs;
  for (const PackParameters& pack : vehicle_type(spec).packs(spec)) {
    targets.pack_empty_v.push_back(pack.ocv_v[0]);
  }
  targets.servo_count = plant.counts().servos;
  // The plant remembers this many commands, and one is given per tick.
  targets.longest_motor_delay = std::min(
      kLongestMotorDelay,
      time.autopilot.us == 0 ? kLongestMotorDelay : time.autopilot * (CommandDelay::kCapacity - 1));
  if (time.sensors.us != 0) {
    targets.longest_estimator_delay = longest_extra_delay(spec.estimator, time.sensors);
  }
  set_instrument_targets(spec, targets);
  // Also if the caller or a recording gives the commands: the events are the same.
  if (spec.autopilot != AutopilotKind::kNone) {
    targets.parameter_index = [&spec](std::string_view key, double value) {
      return parameter_index(spec, key, value);
    };
  }
  return setup;
}

WindParameters without_steps(const WindParameters& wind) {
  WindParameters rest = wind;
  rest.gust_count = 0;
  for (int i = 0; i < wind.gust_count; ++i) {
    if (wind.gusts[i].shape != GustShape::kStep) rest.gusts[rest.gust_count++] = wind.gusts[i];
  }
  return rest;
}

bool is_calm(const WindParameters& wind) {
  return wind.mean_W_m_s == Vec3{} && wind.turbulence == TurbulenceKind::kNone &&
         wind.gust_count == 0;
}

// ---- timeline

Schedule make_schedule(const Spec& spec) {
  const TimelineSpec& time = spec.timeline;
  if (time.end.us == 0) refuse_key("time.end_s", "0", "a run must last longer than that");
  Schedule schedule(TimeUs{} + time.end);
  schedule.set_period(Axis::kAutopilot, time.autopilot);
  schedule.set_period(Axis::kWind, time.wind);
  schedule.set_period(Axis::kSensors, time.sensors);
  schedule.set_period(Axis::kPhysics, time.physics);
  set_sensor_axes(spec.sensors, schedule);
  if (spec.log.mode == LogMode::kBoundary) schedule.set_period(Axis::kLog, spec.log.period);
  return schedule;
}

bool is_multiple(DurationUs period, DurationUs of) { return of.us != 0 && (period % of).us == 0; }

void add_notes(const Spec& spec, std::vector<std::string>& notes) {
  const TimelineSpec& time = spec.timeline;
  const DurationUs log = spec.log.period;
  const bool adds = spec.log.mode == LogMode::kBoundary && log.us != 0 &&
                    !is_multiple(log, time.autopilot) && !is_multiple(log, time.physics);
  if (adds) {
    notes.push_back(fmt::format(
        "log.period_s: {} is no multiple of the autopilot's or the physics' period, so the log "
        "adds boundaries of its own and the flight depends on it; log.mode = \"interpolate\" does "
        "not",
        to_text(log)));
  }
  for (std::string& note : vehicle_type(spec).notes(spec)) notes.push_back(std::move(note));
}

/// Every source but the autopilot.
void add_sources(const Spec& spec, bool builtin_flies, RunSetup& setup) {
  const TimelineSpec& time = spec.timeline;
  const ScenarioSetup scenario = make_scenario(spec, *setup.plant);
  setup.sources.push_back(std::make_unique<ScenarioSource>(scenario));
  rehearse(scenario, TimeUs{} + time.end);
  const WindParameters wind = without_steps(spec.world.wind);
  if (time.wind.us != 0) {
    setup.sources.push_back(std::make_unique<WindSource>(wind, spec.seed, time.wind));
  } else if (!is_calm(wind)) {
    refuse_key("time.wind_s", "[wind] is not calm, so it needs a period greater than zero");
  }
  if (time.sensors.us != 0) {
    setup.sources.push_back(
        std::make_unique<EstimatorSource>(spec.estimator, spec.seed, time.sensors));
    const LandedVehicle vehicle = landed_vehicle(spec, setup.plant->counts().motors);
    setup.sources.push_back(
        std::make_unique<LandDetectorSource>(spec.land_detector, vehicle, time.sensors));
  } else if (builtin_flies) {
    refuse_key("time.sensors_s", "the built-in autopilot needs an estimate: give it a period");
  }
  add_sensor_sources(spec, setup);
}

bool is_replaced(const std::vector<const Source*>& instead, Signal signal) {
  return std::any_of(instead.begin(), instead.end(),
                     [signal](const Source* source) { return source->info().writes.has(signal); });
}

void take_instead(const std::vector<const Source*>& instead, RunSetup& setup) {
  for (const Source* source : instead) {
    const SignalSet taken = source->info().writes;
    std::erase_if(setup.sources, [&](const std::unique_ptr<Source>& live) {
      return (live->info().writes & taken).bits != 0;
    });
    setup.sources.push_back(source->clone());
  }
}

/// What the lift follows from besides, as far as it was given: the mass may be right.
std::string lift_keys(const LoadedSpec& loaded) {
  std::string text;
  for (const ResolvedKey& key : loaded.provenance) {
    const bool decides = std::any_of(
        std::begin(kLiftKeys), std::end(kLiftKeys),
        [&](std::string_view name) { return std::string_view(key.key).ends_with(name); });
    if (!decides || !key.at) continue;
    text += fmt::format("{}{} = {}{}", text.empty() ? "" : ", ", key.key, key.value,
                        key.is_override() ? fmt::format(" ({})", key.origin()) : "");
  }
  return text;
}

}  // namespace

std::vector<Event> scenario_events(const Spec& spec) {
  std::vector<Event> events = spec.events;
  for (int i = 0; i < spec.world.wind.gust_count; ++i) {
    const Gust& gust = spec.world.wind.gusts[i];
    if (gust.shape != GustShape::kStep || gust.off <= gust.on) continue;
    Event event;
    const auto index = static_cast<std::size_t>(i);
    event.id = index < spec.gust_ids.size() ? "wind.gust." + spec.gust_ids[index]
                                            : fmt::format("wind.gust[{}]", i);
    event.trigger.at = gust.on;
    event.action.kind = ActionKind::kWindStep;
    event.action.vector = gust.velocity_W_m_s;
    event.action.duration = gust.off - gust.on;
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<EventRecord> event_records(const Run& run) {
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const auto* scenario = dynamic_cast<const ScenarioSource*>(source.get());
    if (scenario != nullptr) return scenario->records();
  }
  return {};
}

Assembly assemble(const Spec& spec, const AssembleOptions& options) {
  const bool by_caller = options.command_from == CommandFrom::kCaller;
  const bool flies = !by_caller && spec.autopilot != AutopilotKind::kNone;
  if (spec.timeline.autopilot.us == 0 && (by_caller || flies)) {
    refuse_key("time.autopilot_s", "an autopilot is to fly: give it a period");
  }
  RunSetup setup;
  setup.schedule = make_schedule(spec);
  setup.log_period = spec.log.period;
  setup.log_interpolates = spec.log.mode == LogMode::kInterpolate && spec.log.period.us != 0;
  setup.command_from = options.command_from;

  setup.plant = vehicle_type(spec).plant(spec);
  Bus start;
  setup.plant->publish_state(start);
  add_sources(spec, flies && spec.autopilot == AutopilotKind::kBuiltin, setup);
  // A replayed command needs no autopilot: it may not even be on this machine.
  if (flies && !is_replaced(options.instead, Signal::kCommand)) {
    setup.sources.push_back(std::make_unique<AutopilotSource>(
        make_autopilot(spec, options.external.get()), spec.timeline.autopilot));
  }
  if (by_caller && options.caller_autopilot != nullptr) {
    setup.sources.push_back(std::make_unique<AutopilotSource>(
        options.caller_autopilot, spec.timeline.autopilot, SourceMode::kCaller));
  }
  take_instead(options.instead, setup);
  if (options.plant_instead != nullptr) setup.plant = options.plant_instead->clone();

  auto monitor = std::make_unique<ExpectationMonitor>(
      ExpectationSetup{spec.expectations, scenario_events(spec), bus_leaves(vehicle_counts(spec)),
                       start.truth.position_W_m, vehicle_type(spec).flies(), by_caller || flies,
                       vehicle_type(spec).can_crash(), spec.autopilot});
  std::vector<std::string> notes;
  add_notes(spec, notes);
  return {Run(std::move(setup)), std::move(monitor), std::move(notes)};
}

Assembly assemble(const LoadedSpec& loaded, const AssembleOptions& options) {
  std::optional<Assembly> assembly;
  try {
    loaded.places->check([&] { assembly.emplace(assemble(loaded.spec, options)); });
  } catch (const PlacedError& error) {
    // The mass itself was checked when the spec was read.
    if (error.key() != "body.mass_kg") throw;
    const std::string message = std::string(error.what()).substr(error.at().prefix().size());
    throw PlacedError(error.code(), error.at(), error.key(),
                      fmt::format("{}. The lift follows from {}", message, lift_keys(loaded)));
  }
  return std::move(*assembly);
}

}  // namespace tactus
