// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_process.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "tactus/conductor/channel.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

// Its airframe for an external simulator, without one of its own.
constexpr const char* kModel = "none_iris";

std::string value_text(const EmittedParameter& parameter) {
  if (!parameter.integer) return format_double(parameter.value);
  bool fits = false;
  return format_integer(math::to_int64(math::round(parameter.value), fits));
}

void forget_earlier_flights(const std::string& folder) {
  std::error_code ignored;
  for (const char* file : {"parameters.bson", "parameters_backup.bson", "dataman"}) {
    fs::remove(fs::path(folder) / file, ignored);
  }
}

}  // namespace

Px4Ports px4_ports(std::int32_t instance) {
  constexpr std::int32_t kLastOwnPort = 9;  // beyond it PX4 sends to the port that we send from
  const auto port = [instance](std::int32_t first) {
    return static_cast<std::uint16_t>(first + instance);
  };
  Px4Ports ports;
  ports.hil = port(4560);
  ports.mavlink = port(14580);
  ports.own = instance > kLastOwnPort ? std::uint16_t{0} : port(14540);
  ports.others = {{Transport::kUdp, port(18570), "PX4's link to a ground station"},
                  {Transport::kUdp, port(14280), "PX4's link to a payload"},
                  {Transport::kUdp, port(13030), "PX4's link to a gimbal"}};
  return ports;
}

std::vector<UsedPort> used_ports(const Px4Ports& ports) {
  std::vector<UsedPort> used = ports.others;
  used.push_back({Transport::kTcp, ports.hil, "for PX4's instruments"});
  used.push_back({Transport::kUdp, ports.mavlink, "PX4's MAVLink"});
  if (ports.own != 0) used.push_back({Transport::kUdp, ports.own, "for PX4's MAVLink"});
  return used;
}

std::string px4_romfs(const Px4SitlParameters& parameters) {
  if (!parameters.romfs.empty()) return fs::absolute(parameters.romfs).string();
  return (fs::absolute(parameters.binary).parent_path().parent_path() / "etc").string();
}

void validate(const Px4SitlParameters& parameters, std::string_view where) {
  if (parameters.instance < 0 || parameters.instance > kMaxPx4Instance) {
    refuse_key(std::string(where), fmt::format("instance {} is out of range, 0 to {}",
                                               parameters.instance, kMaxPx4Instance));
  }
  if (parameters.wait) return;
  if (parameters.binary.empty()) {
    refuse_key(std::string(where),
               "which PX4? Name your build's program, …/build/px4_sitl_default/bin/px4 "
               "(autopilot.px4.binary; --px4-bin of `tactus run`), or start it yourself and use "
               "autopilot.outside.wait = true");
  }
  const std::string why_not = why_not_startable(parameters.binary);
  if (!why_not.empty()) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}; build PX4 with \"make px4_sitl_default\" and name its "
                            "build/px4_sitl_default/bin/px4 (autopilot.px4.binary)",
                            parameters.binary, why_not));
  }
  const std::string romfs = px4_romfs(parameters);
  std::error_code ignored;
  if (!fs::exists(fs::path(romfs) / "init.d-posix" / "rcS", ignored)) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: no init.d-posix/rcS there, PX4's start-up scripts; name the "
                            "folder \"etc\" of its build with autopilot.px4.romfs",
                            romfs));
  }
}

ProcessParameters px4_process(const Px4SitlParameters& parameters,
                              const std::vector<EmittedParameter>& settings) {
  ProcessParameters process;
  process.name = "PX4";
  process.folder = parameters.folder;
  // -d: no shell of its own; the last argument: where its scripts are.
  process.command = {parameters.binary, "-d", "-i", fmt::format("{}", parameters.instance),
                     px4_romfs(parameters)};
  process.forgotten = "PX4_PARAM_";  // those of a shell would set parameters without a word
  process.environment = {{"PX4_SIM_MODEL", kModel},
                         // Older releases of PX4 know this name for the battery simulator.
                         {"PX4_PARAM_SIM_BAT_ENABLE", "0"},
                         // Settings of the user's shell for other simulators.
                         {"PX4_SIM_HOSTNAME", ""},
                         {"PX4_SIM_HOST_ADDR", ""},
                         {"PX4_SIM_SPEED_FACTOR", ""},
                         {"PX4_SIMULATOR", ""}};
  if (!parameters.trace.empty()) {
    process.environment.emplace_back(conductor::kTraceVariable, parameters.trace);
  }
  process.environment.reserve(process.environment.size() + settings.size());
  for (const EmittedParameter& setting : settings) {
    process.environment.emplace_back("PX4_PARAM_" + setting.name, value_text(setting));
  }
  if (!parameters.folder.empty()) forget_earlier_flights(parameters.folder);
  return process;
}

}  // namespace tactus
