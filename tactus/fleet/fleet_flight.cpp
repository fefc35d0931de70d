// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/fleet/fleet_flight.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "tactus/bridge/adapter/hil_adapter.h"
#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/bridge/scenario_orders.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/version.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

BridgeOptions bridge_options(const FleetPlan& plan, const FleetOptions& options) {
  BridgeOptions out;
  out.step = plan.step;
  out.threads = options.threads;
  out.interrupted = options.interrupted;
  return out;
}

std::shared_ptr<Autopilot> autopilot_of(const Spec& spec, const FleetOptions& options) {
  const auto external =
      external_autopilots({.interrupted = options.interrupted, .tell = options.tell});
  return make_autopilot(spec, external.get());
}

/// What a summary reports; the rest is not known of a vehicle in an external simulator.
VehicleCounts counts_of(const Spec& spec) {
  const VehicleCounts all = vehicle_counts(spec);
  return {.motors = all.motors, .packs = all.packs};
}

void create_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure) return;
  throw Error(
      ExitCode::kEnvironment,
      fmt::format("{}: cannot create this folder for recordings: {}", folder, failure.message()));
}

std::unique_ptr<OutputFile> new_recording(const std::string& path) {
  return std::make_unique<OutputFile>(path, kRecordingRules);
}

/// What is wrong with one of the fleet is reported where the fleet file names it.
template <class Action>
void at_its_place(const TomlPosition& at, const std::string& who, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    throw PlacedError(error.code(), at, who, fmt::format("{}: {}", who, error.what()));
  }
}

/// Who flies where, as keys of a fleet file.
std::vector<ParameterRecord> parameters_of(const FleetPlan& plan) {
  std::vector<ParameterRecord> all;
  for (const SimulatorPlan& one : plan.simulators) {
    const auto add = [&](const char* key, std::string value, const char* unit) {
      all.push_back({fmt::format("simulator.{}.{}", one.name, key), std::move(value), unit});
    };
    add("late", kNames<LatePolicy>[static_cast<std::size_t>(one.link.late)], "");
    add("connect_deadline_us", std::to_string(one.link.connect_deadline.us), "us");
    add("exchange_deadline_us", std::to_string(one.link.exchange_deadline.us), "us");
  }
  for (const VehiclePlan& one : plan.vehicles) {
    const auto add = [&](const char* key, std::string value, const char* unit) {
      all.push_back({fmt::format("vehicle.{}.{}", one.id, key), std::move(value), unit});
    };
    add("simulator", one.simulator, "");
    add("name", one.loaded.spec.name, "");
    add("seed", std::to_string(one.loaded.spec.seed), "");
    add("exchange_us", std::to_string(one.loaded.spec.timeline.autopilot.us), "us");
  }
  return all;
}

}  // namespace

bool is_watched(const FleetPlan& plan) {
  return plan.mode.kind == TimeMode::Kind::kLockstep &&
         std::any_of(plan.vehicles.begin(), plan.vehicles.end(),
                     [](const VehiclePlan& one) { return one.loaded.spec.ground_station.enabled; });
}

std::string bridge_recording(const std::string& folder) { return folder + "/bridge.h5"; }

std::string vehicle_recording(const std::string& folder, VehicleId id) {
  return fmt::format("{}/vehicle_{}.h5", folder, id);
}

FleetFlight::FleetFlight(const FleetPlan& plan, const FleetOptions& options)
    : plan_(&plan), bridge_(bridge_options(plan, options)) {
  require_same_bits();
  std::unique_ptr<OutputFile> recording;
  if (!options.record.empty()) {
    create_folder(options.record);
    // The first of all files: who has it has the folder.
    recording = new_recording(bridge_recording(options.record));
  }
  for (const SimulatorPlan& simulator : plan.simulators) {
    at_its_place(simulator.at, "simulator." + simulator.name, [&] { add_simulator(simulator); });
  }
  for (const VehiclePlan& vehicle : plan.vehicles) {
    at_its_place(vehicle.at, fmt::format("vehicle {}", vehicle.id), [&] { add(vehicle, options); });
  }
  bridge_.set_time_mode(options.mode.value_or(is_watched(plan) ? usual_mode(true) : plan.mode));
  if (recording) begin_recording(std::move(recording), options.build);
  bridge_.after_step = [this, then = options.after_step](Bridge& bridge) {
    see();
    if (then) then(bridge);
  };
}

void FleetFlight::begin_recording(std::unique_ptr<OutputFile> file, const BuildIdentity& build) {
  RecordingMeta meta;
  meta.program = fmt::format("tactus {}", kVersion);
  meta.commit = build.commit;
  meta.compiler = build.compiler;
  meta.name = plan_->name;
  meta.parameters = parameters_of(*plan_);
  files_.push_back(file->path());
  recorder_ = std::make_unique<BridgeRecorder>(std::move(file), meta);
}

/// A file whose last bytes cannot be written does not take the outcome of the flights away.
void FleetFlight::end_recording(bool complete) {
  if (!recorder_) return;
  const std::chrono::duration<double> flying = std::chrono::steady_clock::now() - begin_;
  try {
    recorder_->end(bridge_, complete, flying.count());
  } catch (const Error& error) {
    file_error_ = error;
  }
}

void FleetFlight::add_simulator(const SimulatorPlan& plan) {
  std::shared_ptr<SimulatorAdapter> adapter;
  switch (plan.kind) {
    case SimulatorKind::kBuiltin: {
      const auto ours = std::make_shared<BuiltinAdapter>();
      simulators_.emplace(plan.name, ours);
      adapter = ours;
      break;
    }
    case SimulatorKind::kHil: adapter = std::make_shared<HilAdapter>(plan.hil); break;
    case SimulatorKind::kJson: adapter = std::make_shared<JsonAdapter>(plan.json); break;
  }
  bridge_.register_adapter(plan.name, std::move(adapter), plan.link);
}

void FleetFlight::add(const VehiclePlan& plan, const FleetOptions& options) {
  const Spec& spec = plan.loaded.spec;
  VehicleSetup vehicle;
  vehicle.id = plan.id;
  vehicle.name = spec.name;
  vehicle.exchange = spec.timeline.autopilot;
  vehicle.autopilot = autopilot_of(spec, options);
  vehicle.mavlink_port = plan.mavlink_port;
  if (simulators_.contains(plan.simulator)) {
    add_run(plan, vehicle.autopilot, options);
    vehicle.recorded = true;
  } else {
    vehicle.scenario = std::make_unique<ScenarioOrders>(spec);
    observed_[plan.id].summary =
        std::make_unique<FlightSummary>(vehicle_type(spec), counts_of(spec));
    vehicle.recorded = !options.record.empty();
    if (vehicle.recorded) add_recording(plan, vehicle.autopilot, options);
  }
  bridge_.spawn(std::move(vehicle), plan.simulator);
}

void FleetFlight::add_run(const VehiclePlan& plan, const std::shared_ptr<Autopilot>& autopilot,
                          const FleetOptions& options) {
  AssembleOptions by_caller;
  by_caller.command_from = CommandFrom::kCaller;
  by_caller.caller_autopilot = autopilot;
  Assembly assembly = assemble(plan.loaded.spec, by_caller);
  Observed& seen = observed_[plan.id];
  seen.summary =
      std::make_unique<FlightSummary>(vehicle_type(plan.loaded.spec), assembly.run.counts());
  seen.monitor = std::move(assembly.monitor);
  Observers observers;
  observers.hooks = {seen.summary.get(), seen.monitor.get()};
  if (!options.record.empty()) observers.recorders.push_back(&recorder_of(plan, options));
  simulators_.at(plan.simulator)->add(plan.id, std::move(assembly.run), std::move(observers));
}

void FleetFlight::add_recording(const VehiclePlan& plan,
                                const std::shared_ptr<Autopilot>& autopilot,
                                const FleetOptions& options) {
  Observers observers;
  observers.recorders.push_back(&recorder_of(plan, options));
  mirrors_.emplace(
      plan.id, std::make_unique<FlightMirror>(plan.loaded.spec, autopilot, std::move(observers)));
}

Recorder& FleetFlight::recorder_of(const VehiclePlan& plan, const FleetOptions& options) {
  files_.push_back(vehicle_recording(options.record, plan.id));
  auto& recording = observed_[plan.id].recording;
  recording = std::make_unique<FlightRecording>(
      plan.loaded,
      RecordOptions{new_recording(files_.back()), options.tier, DurationUs{}, options.build});
  return recording->recorder();
}

void FleetFlight::see() {
  if (recorder_) recorder_->see(bridge_);
  for (const auto& one : observed_) {
    if (!one.second.monitor) see_external(one.first);
  }
  std::erase_if(mirrors_, [this](const auto& one) { return !sees(one.first, *one.second); });
}

void FleetFlight::see_external(VehicleId id) {
  const Vehicle& vehicle = bridge_.vehicle(id);
  if (!vehicle.has_frame()) return;
  Bus bus;
  copy_signals(vehicle.frame(), bus);
  bus.time = vehicle.frame().time;
  bus.truth = vehicle.frame().truth;
  bus.autopilot = vehicle.command().status;
  Observed& seen = observed_.at(id);
  Due due;  // its flight begins with the first frame
  due.time = seen.frames == 0 ? TimeUs() : TimeUs() + (bus.time - vehicle.epoch());
  due.axes = 1U << static_cast<unsigned>(Axis::kAutopilot);
  seen.summary->see(due, seen.frames++, bus);
}

bool FleetFlight::sees(VehicleId id, FlightMirror& flight) {
  try {
    if (is_dropped(id)) {
      flight.close();
      return false;
    }
    flight.see(bridge_.vehicle(id), bridge_.now());
    if (!flight.finished()) return true;
    bridge_.vehicle(id).drop_recording();
    close_recording(id, flight);
    return false;
  } catch (const Error& error) {
    if (bridge_.now() == TimeUs()) throw;  // nothing has been flown yet
    observed_[id].failure = error;
    bridge_.vehicle(id).drop_recording();
  }
  try {
    flight.close();
  } catch (const Error&) {  // the first one is what the user hears
  }
  return false;
}

TimeUs FleetFlight::end() const {
  constexpr TimeUs kNoEnd{std::uint64_t{1} << 62U};
  return plan_->end.us == 0 ? kNoEnd : TimeUs() + plan_->end;
}

void FleetFlight::fly() {
  try {
    bridge_.start();
    see();
    bridge_.run_until(end());
  } catch (...) {
    try {
      close();
    } catch (...) {  // what stopped the fleet matters more than what a file says while closing
    }
    end_recording(false);
    throw;
  }
  close();
  end_recording(bridge_.finished() || bridge_.now() >= end());
  // That of a vehicle in an external simulator comes with its first frame.
  std::erase_if(files_, [](const std::string& file) {
    std::error_code unknown;
    return !std::filesystem::exists(file, unknown);
  });
}

/// Everything, whatever one of them throws; the first error goes on afterwards. What a recording
/// says is an error of its file only.
void FleetFlight::close() {
  std::exception_ptr first;
  const auto attempt = [&first](auto&& action) {
    try {
      action();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  attempt([this] { bridge_.stop(); });
  for (const auto& one : mirrors_) {
    attempt([&] { close_recording(one.first, *one.second); });
  }
  for (const auto& one : simulators_) {
    attempt([&] { one.second->close(); });
  }
  if (first) std::rethrow_exception(first);
}

void FleetFlight::close_recording(VehicleId id, FlightMirror& flight) {
  try {
    flight.close();
  } catch (const Error& error) {
    observed_[id].failure = error;
  }
}

}  // namespace tactus
