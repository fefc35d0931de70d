// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/external/external_autopilots.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/flight/external/program_path.h"
#include "tactus/link/ardupilot/ardupilot_parameters.h"
#include "tactus/link/ardupilot/ardupilot_sitl.h"
#include "tactus/link/net/outside_network.h"
#include "tactus/link/px4/px4_library.h"
#include "tactus/link/px4/px4_parameters.h"
#include "tactus/link/px4/px4_sitl.h"

namespace tactus {
namespace {

/// A reading per step, or none at all: anything else would lose or repeat what the IMU measured.
void require_imu_in_step(const Spec& spec, bool needs_one) {
  const int imus = instrument_counts(spec.sensors).imus;
  if (imus == 0 && needs_one) {
    refuse_key("autopilot.kind",
               "px4-sitl reads instruments, but no IMU is on board: "
               "sensors.fitted = true and sensors.imu.count = 1 put one there");
  }
  const DurationUs period = spec.sensors.imu.period;
  if (imus == 0 || period.us == 0 || period == spec.timeline.autopilot) return;
  refuse_key("sensors.imu.period_s",
             fmt::format("{} is not the autopilot's period, {}; an external "
                         "autopilot gets one reading per step (0: the autopilot's)",
                         to_text(period), to_text(spec.timeline.autopilot)));
}

std::shared_ptr<const Mission> mission_of(const Spec& spec) {
  if (spec.mission.items.empty()) return nullptr;
  return std::make_shared<const Mission>(spec.mission);
}

/// The names that the spec gives.
std::vector<std::string> named_parameters(const Spec& spec) {
  std::vector<std::string> names;
  for (EmittedParameter& given :
       parse_parameters(spec.external.parameters, "autopilot.outside.parameters")) {
    names.push_back(std::move(given.name));
  }
  return names;
}

std::unique_ptr<Autopilot> make_px4_library(const Spec& spec, const Multirotor& vehicle,
                                            const ExternalAutopilotOptions& options) {
  Px4LibraryParameters parameters = spec.external.px4_library;
  parameters.library =
      given_path(parameters.library, kPx4LibraryVariable, "autopilot.px4.library", "--px4-lib");
  Px4LibraryFlight flight;
  flight.parameters =
      with_given(px4_parameters(vehicle, emitted_for(spec, spec.timeline.autopilot)), spec);
  flight.changeable = changed_parameters(spec.events);
  if (!spec.mission.items.empty()) flight.mission = spec.mission;
  flight.context = plan_context(spec);
  flight.motor_count = vehicle.counts.rotors;
  flight.servo_count = vehicle.counts.servos;
  flight.period = spec.timeline.autopilot;
  flight.clocks = options.clocks;
  return std::make_unique<Px4Library>(std::move(parameters), std::move(flight));
}

/// Null: no other may talk to it.
std::unique_ptr<OutsideNetwork> network_of(const Spec& spec, const char* program,
                                           const ExternalAutopilotOptions& options) {
  if (!spec.external.attach) return nullptr;
  if (spec.external.free) {
    refuse_key("autopilot.outside.attach",
               "is for programs under the conductor; one that flies free has its ports on this "
               "machine in any case");
  }
  if (options.outside) return options.outside();
  return std::make_unique<MachineNetwork>(program);
}

std::unique_ptr<Autopilot> make_px4_sitl(const Spec& spec, const Multirotor& vehicle,
                                         const ExternalAutopilotOptions& options) {
  require_imu_in_step(spec, true);
  const ExternalSpec& external = spec.external;
  Px4SitlParameters parameters;
  if (!external.wait) {
    parameters.binary =
        given_path(external.px4_binary, kPx4BinaryVariable, "autopilot.px4.binary", "--px4-bin");
    parameters.romfs = path_or_variable(external.px4_romfs, kPx4RomfsVariable);
  }
  parameters.folder = external.folder;
  parameters.instance = external.instance;
  parameters.wait = external.wait;
  parameters.free = external.free;
  Px4Flight flight;
  flight.parameters =
      with_given(px4_parameters(vehicle, emitted_for(spec, spec.timeline.autopilot)), spec);
  flight.named = named_parameters(spec);
  flight.changeable = changed_parameters(spec.events);
  flight.mission = mission_of(spec);
  flight.home = spec.world.origin;
  flight.motor_count = vehicle.counts.rotors;
  flight.pack_count = vehicle.counts.packs;
  flight.sensors = spec.sensors;
  flight.period = spec.timeline.autopilot;
  return std::make_unique<Px4Sitl>(
      parameters, external.link, std::move(flight), options.interrupted,
      ConductedSurroundings{network_of(spec, "PX4", options), options.tell});
}

std::unique_ptr<Autopilot> make_ardupilot(const Spec& spec, const Multirotor& vehicle,
                                          const ExternalAutopilotOptions& options) {
  require_imu_in_step(spec, false);
  const ExternalSpec& external = spec.external;
  ArdupilotParameters parameters;
  if (!external.wait) {
    parameters.binary = given_path(external.ardupilot_binary, kArdupilotVariable,
                                   "autopilot.ardupilot.binary", "--ardupilot-bin");
  }
  parameters.built_in = external.ardupilot_built_in;
  parameters.given = external.ardupilot_given;
  parameters.folder = external.folder;
  parameters.instance = external.instance;
  parameters.wait = external.wait;
  parameters.free = external.free;
  parameters.attach = external.attach;
  ArdupilotFlight flight;
  flight.emitted =
      with_given(ardupilot_parameters(vehicle, emitted_for(spec, spec.timeline.autopilot)), spec);
  flight.named = named_parameters(spec);
  flight.changeable = changed_parameters(spec.events);
  flight.mission = mission_of(spec);
  flight.home = spec.world.origin;
  flight.heading_rad = yaw_of(spec.initial.attitude);
  flight.period = spec.timeline.autopilot;
  flight.instruments = instrument_counts(spec.sensors);
  return std::make_unique<ArdupilotSitl>(
      parameters, external.link, vehicle, std::move(flight), options.interrupted,
      ConductedSurroundings{network_of(spec, "ArduPilot", options), options.tell});
}

class Makers final : public ExternalAutopilots {
 public:
  explicit Makers(ExternalAutopilotOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::unique_ptr<Autopilot> make(const Spec& spec,
                                                const Multirotor& vehicle) const override {
    switch (spec.autopilot) {
      case AutopilotKind::kPx4Library: return make_px4_library(spec, vehicle, options_);
      case AutopilotKind::kPx4Sitl: return make_px4_sitl(spec, vehicle, options_);
      case AutopilotKind::kArdupilot: return make_ardupilot(spec, vehicle, options_);
      case AutopilotKind::kBuiltin:
      case AutopilotKind::kNone: break;
    }
    refuse_key("autopilot.kind", "this one is not an external one");
  }

  [[nodiscard]] std::unique_ptr<Autopilot> with_ground_station(
      std::unique_ptr<BuiltinVehicle> autopilot, const Spec& spec) const override {
    return tactus::with_ground_station(std::move(autopilot), spec, options_.from_ground_station);
  }

 private:
  ExternalAutopilotOptions options_;
};

}  // namespace

std::vector<EmittedParameter> with_given(std::vector<EmittedParameter> emitted, const Spec& spec) {
  for (EmittedParameter& given :
       parse_parameters(spec.external.parameters, "autopilot.outside.parameters")) {
    std::erase_if(emitted, [&](const EmittedParameter& old) { return old.name == given.name; });
    emitted.push_back(std::move(given));
  }
  return emitted;
}

EmittedFor emitted_for(const Spec& spec, DurationUs autopilot_period) {
  // The receiver delivers at its ticks only.
  const DurationUs latency = spec.sensors.gps.parameters.latency;
  const DurationUs period = spec.sensors.gps.period;
  const std::uint64_t ticks = period.us == 0 ? 0 : (latency.us + period.us - 1) / period.us;
  return {autopilot_period, period.us == 0 ? latency : period * ticks, spec.sensors};
}

std::shared_ptr<const ExternalAutopilots> external_autopilots(ExternalAutopilotOptions options) {
  return std::make_shared<const Makers>(std::move(options));
}

}  // namespace tactus
