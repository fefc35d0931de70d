// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Small fleets of the built-in simulator and the built-in autopilot.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/bridge/adapter/builtin_adapter.h"
#include "tactus/bridge/bridge.h"
#include "tactus/files/disk_files.h"
#include "tactus/fleet/fleet_file.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::testing {

/// The default flight with a seed of its own, cut short.
inline Spec fleet_spec(int id, const std::string& end_s = "12.0") {
  const std::vector<Override> changes = {{"seed", std::to_string(id + 1)}, {"time.end_s", end_s}};
  return load_spec(find_spec("default"), changes).spec;
}

inline Digest128 fly_alone(const Spec& spec) {
  Assembly flight = assemble(spec);
  Observers none;
  fly(flight.run, none);
  return flight.run.digest();
}

inline void add_builtin(BuiltinAdapter& adapter, VehicleId id, const Spec& spec,
                        const std::vector<StageHook*>& hooks) {
  AssembleOptions by_caller;
  by_caller.command_from = CommandFrom::kCaller;
  adapter.add(id, std::move(assemble(spec, by_caller).run),
              {.hooks = hooks, .sinks = {}, .recorders = {}});
}

inline VehicleSetup builtin_vehicle(VehicleId id, const Spec& spec) {
  VehicleSetup setup;
  setup.id = id;
  setup.exchange = spec.timeline.autopilot;
  setup.autopilot = make_autopilot(spec, nullptr);
  return setup;
}

/// A vehicle of a fleet file in a built-in simulator, with its recording in memory.
class RecordedVehicle {
 public:
  explicit RecordedVehicle(VehiclePlan plan, Tier tier = Tier::kComponents)
      : plan_(std::move(plan)), recorder_(recorder_setup(tier), sink_) {
    setup_.id = plan_.id;
    setup_.exchange = plan_.loaded.spec.timeline.autopilot;
    setup_.mavlink_port = plan_.mavlink_port;
    set_autopilot(make_autopilot(plan_.loaded.spec, external_autopilots().get()));
  }
  void set_autopilot(std::shared_ptr<Autopilot> autopilot) {
    setup_.autopilot = std::move(autopilot);
  }
  [[nodiscard]] const std::shared_ptr<Autopilot>& autopilot() const { return setup_.autopilot; }
  void add_to(BuiltinAdapter& adapter, Bridge& bridge, const std::string& simulator) {
    AssembleOptions by_caller;
    by_caller.command_from = CommandFrom::kCaller;
    by_caller.caller_autopilot = setup_.autopilot;
    adapter.add(plan_.id, std::move(assemble(plan_.loaded.spec, by_caller).run),
                {.hooks = {}, .sinks = {}, .recorders = {&recorder_}});
    setup_.recorded = true;
    bridge.spawn(std::move(setup_), simulator);
  }
  [[nodiscard]] const LoadedSpec& loaded() const { return plan_.loaded; }
  /// After the simulator was closed.
  [[nodiscard]] std::shared_ptr<const Recording> recording() const { return sink_.recording(); }

 private:
  [[nodiscard]] StreamRecorderSetup recorder_setup(Tier tier) const {
    StreamRecorderSetup setup;
    setup.meta = recording_meta(plan_.loaded, tier, {});
    setup.wind_is_linear = plan_.loaded.spec.world.wind.rule == WindRule::kLinear;
    return setup;
  }

  VehiclePlan plan_;
  MemorySink sink_;
  StreamRecorder recorder_;
  VehicleSetup setup_;
};

struct FleetFlight {
  int vehicles = 1;
  std::size_t threads = 1;
  std::vector<int> order{};  ///< of registration; empty: by id
  std::vector<std::string> simulators{"left", "right"};
  std::function<void(Bridge&)> after_step{};
  std::vector<StageHook*> hooks{};  ///< observe every vehicle
  std::string end_s = "12.0";
  /// Where the bridge finds a simulator; as it is unless a test puts something in between.
  std::function<std::shared_ptr<SimulatorAdapter>(std::shared_ptr<BuiltinAdapter>)> wrap{};
};

/// Flight digests by vehicle. Even ids fly in "left", odd ones in "right".
inline std::vector<Digest128> fly_bridged(const FleetFlight& how) {
  Bridge bridge({.threads = how.threads});
  std::vector<std::shared_ptr<BuiltinAdapter>> adapters;
  for (const std::string& name : how.simulators) {
    adapters.push_back(std::make_shared<BuiltinAdapter>());
    if (how.wrap) {
      bridge.register_adapter(name, how.wrap(adapters.back()));
    } else {
      bridge.register_adapter(name, adapters.back());
    }
  }
  const auto simulator_of = [&](int id) {
    const std::string wanted = id % 2 == 0 ? "left" : "right";
    return how.simulators[0] == wanted ? std::size_t{0} : std::size_t{1};
  };
  for (int i = 0; i < how.vehicles; ++i) {
    const int id = how.order.empty() ? i : how.order[static_cast<std::size_t>(i)];
    const Spec spec = fleet_spec(id, how.end_s);
    add_builtin(*adapters[simulator_of(id)], static_cast<VehicleId>(id), spec, how.hooks);
    bridge.spawn(builtin_vehicle(static_cast<VehicleId>(id), spec),
                 how.simulators[simulator_of(id)]);
  }
  bridge.after_step = how.after_step;
  bridge.run_until(TimeUs(1'000'000'000));
  for (const auto& adapter : adapters) adapter->close();
  std::vector<Digest128> digests;
  digests.reserve(static_cast<std::size_t>(how.vehicles));
  for (int id = 0; id < how.vehicles; ++id) {
    digests.push_back(adapters[simulator_of(id)]->run(static_cast<VehicleId>(id)).digest());
  }
  return digests;
}

}  // namespace tactus::testing
