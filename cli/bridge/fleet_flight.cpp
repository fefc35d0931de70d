// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/bridge/fleet_flight.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tactus/core/fp_environment.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/scenario/assembly.h"

namespace tactus::cli {
namespace {

BridgeOptions bridge_options(const FleetPlan& plan, const FleetOptions& options) {
  BridgeOptions out;
  out.step = plan.step;
  out.threads = options.threads;
  out.interrupted = options.interrupted;
  return out;
}

std::unique_ptr<Autopilot> autopilot_of(const Spec& spec,
                                        const std::function<bool()>& interrupted) {
  OutsideHelp help;
  help.interrupted = interrupted;
  if (spec.vehicle == VehicleKind::kRover) return make_autopilot(spec, nullptr, help);
  const Multirotor vehicle = make_multirotor(spec.multirotor);
  return make_autopilot(spec, &vehicle, help);
}

void create_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!failure) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("--record {}: cannot create the folder: {}", folder, failure.message()));
}

}  // namespace

FleetFlight::FleetFlight(const FleetPlan& plan, const FleetOptions& options)
    : plan_(&plan), bridge_(bridge_options(plan, options)) {
  require_same_bits();
  if (!options.record.empty()) create_folder(options.record);
  for (const SimulatorPlan& simulator : plan.simulators) {
    const auto adapter = std::make_shared<BuiltinAdapter>();
    simulators_.emplace(simulator.name, adapter);
    bridge_.register_adapter(simulator.name, adapter, simulator.link);
  }
  for (const VehiclePlan& vehicle : plan.vehicles) add(vehicle, options);
  bridge_.set_time_mode(options.mode.value_or(plan.mode));
  bridge_.after_step = options.after_step;
}

void FleetFlight::add(const VehiclePlan& plan, const FleetOptions& options) {
  const Spec& spec = plan.loaded.spec;
  if (spec.autopilot == AutopilotKind::kNone) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("vehicle {}: autopilot.kind = \"none\": the bridge needs one", plan.id));
  }
  AssembleOptions outside;
  outside.command_from = CommandFrom::kOutside;
  Assembly assembly = assemble(spec, outside);
  Onlookers& seen = onlookers_[plan.id];
  seen.plan = &plan;
  seen.notes = assembly.notes;
  seen.summary = std::make_unique<FlightSummary>(assembly.run.counts());
  seen.monitor = std::move(assembly.monitor);
  Observers observers;
  observers.hooks = {seen.summary.get(), seen.monitor.get()};
  if (!options.record.empty()) {
    const std::string path = fmt::format("{}/vehicle_{}.h5", options.record, plan.id);
    seen.recording = std::make_unique<FlightRecording>(
        plan.loaded, RecordOptions{path, options.tier, DurationUs{}});
    observers.recorders.push_back(&seen.recording->recorder());
    files_.push_back(path);
  }
  simulators_.at(plan.simulator)->add(plan.id, std::move(assembly.run), std::move(observers));

  VehicleSetup vehicle;
  vehicle.id = plan.id;
  vehicle.name = spec.name;
  vehicle.exchange = spec.timeline.autopilot;
  vehicle.autopilot = autopilot_of(spec, options.interrupted);
  vehicle.mavlink_port = plan.mavlink_port;
  bridge_.spawn(std::move(vehicle), plan.simulator);
}

void FleetFlight::fly() {
  constexpr TimeUs kNoEnd{std::uint64_t{1} << 62U};
  try {
    bridge_.run_until(plan_->end.us == 0 ? kNoEnd : TimeUs() + plan_->end);
  } catch (...) {
    try {
      close();
    } catch (...) {  // what stopped the fleet matters more than what a file says while closing
    }
    throw;
  }
  close();
}

void FleetFlight::close() {
  bridge_.stop();
  for (const auto& [name, simulator] : simulators_) simulator->close();
}

std::vector<FleetMember> FleetFlight::members() const {
  std::vector<FleetMember> all;
  for (const auto& [id, seen] : onlookers_) {
    const Run& run = simulators_.at(seen.plan->simulator)->run(id);
    FleetMember member{id, seen.plan->simulator,
                       flight_of(seen.plan->loaded.spec, run, *seen.summary, *seen.monitor)};
    member.flight.notes = seen.notes;
    if (seen.recording) {
      member.flight.recording = seen.recording->file();
      member.flight.file_error = seen.recording->error();
    }
    all.push_back(std::move(member));
  }
  return all;
}

}  // namespace tactus::cli
