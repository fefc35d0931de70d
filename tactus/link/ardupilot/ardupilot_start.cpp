// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/files/output_file.h"
#include "tactus/link/net/process.h"

namespace tactus {

namespace {

constexpr std::int32_t kLastInstance = 253;  // system 255 of MAVLink is our own
constexpr double kDefaultLoopRate_hz = 400.0;
constexpr double kFramesPerLoop = 1.8;

/// Shortest text that ArduPilot's single precision reads back.
std::string value_text(double value) { return fmt::format("{}", static_cast<float>(value)); }

/// Its ports of instance N are 10 N higher.
std::uint16_t port_of(std::int32_t first, std::int32_t instance) {
  return static_cast<std::uint16_t>(first + 10 * instance);
}

}  // namespace

std::uint8_t ardupilot_system(const ArdupilotParameters& parameters) {
  return static_cast<std::uint8_t>(parameters.wait ? 1 : parameters.instance + 1);
}

ArdupilotPorts ardupilot_ports(const ArdupilotParameters& parameters) {
  if (!parameters.wait) return {};
  return {port_of(9002, parameters.instance), port_of(14550, parameters.instance)};
}

std::vector<UsedPort> used_ports(const ArdupilotParameters& parameters) {
  std::vector<UsedPort> used = {
      {Transport::kUdp, port_of(9003, parameters.instance), "ArduPilot's JSON"},
      {Transport::kUdp, port_of(5501, parameters.instance), "ArduPilot's remote control"}};
  if (parameters.attach) {
    used.push_back({Transport::kTcp, port_of(5762, parameters.instance), "ArduPilot's MAVLink"});
    used.push_back({Transport::kTcp, port_of(5763, parameters.instance), "ArduPilot's MAVLink"});
  }
  const ArdupilotPorts ports = ardupilot_ports(parameters);
  if (ports.json != 0) used.push_back({Transport::kUdp, ports.json, "for ArduPilot's JSON"});
  if (ports.mavlink != 0) {
    used.push_back({Transport::kUdp, ports.mavlink, "for ArduPilot's MAVLink"});
  }
  return used;
}

void check_program(const ArdupilotParameters& parameters) {
  if (parameters.instance < 0 || parameters.instance > kLastInstance) {
    refuse("autopilot", "instance", parameters.instance, "must be 0 to 253");
  }
  if (parameters.wait) return;
  if (parameters.binary.empty()) {
    throw Error(ExitCode::kBadInput,
                "autopilot \"ardupilot\" needs the path of arducopter (autopilot.ardupilot.binary; "
                "--ardupilot-bin of `tactus run`), or autopilot.outside.wait = true for one that "
                "you start");
  }
  const std::string why_not = why_not_startable(parameters.binary);
  if (!why_not.empty()) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}; give the path of arducopter (autopilot.ardupilot.binary)",
                            parameters.binary, why_not));
  }
}

ArdupilotSettings ardupilot_settings(const ArdupilotParameters& parameters,
                                     const std::vector<EmittedParameter>& emitted,
                                     bool range_finder) {
  ArdupilotSettings settings;
  settings["BATT_MONITOR"] = 4;  // reads the voltage and current that we send
  settings["FLTMODE_CH"] = 0;    // no mode switch of a pilot who is not there
  settings["AUTO_OPTIONS"] = 3;  // a mission may be armed and started without a pilot's throttle
  // By default the log opens when it arms, and the clock then runs until a thread has done so.
  settings["LOG_DISARMED"] = 1;
  if (range_finder) {
    settings["RNGFND1_TYPE"] = 100;   // that of the simulator
    settings["RNGFND1_ORIENT"] = 25;  // down
  }
  for (const EmittedParameter& parameter : emitted) settings[parameter.name] = parameter.value;
  for (const auto& [name, value] : parameters.given) settings[name] = value;
  return settings;
}

std::string to_text(const ArdupilotSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += name + " " + value_text(value) + "\n";
  return text;
}

void write_settings(const ArdupilotSettings& settings, const std::string& path) {
  OutputFile file(path, {.replaces = true});
  file.append(to_text(settings));
  file.require_written();
  file.publish();
}

void require_frame_rate(DurationUs period, const ArdupilotSettings& settings) {
  const double loop_hz = setting_of(settings, "SCHED_LOOP_RATE", kDefaultLoopRate_hz);
  const double frame_hz = 1e6 / static_cast<double>(period.us);
  if (frame_hz >= kFramesPerLoop * loop_hz) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format(
          "the autopilot's period of {} gives ArduPilot {:.4g} frames per second, but it arms only "
          "with {:g}, 1.8 times its loop rate (SCHED_LOOP_RATE {:g}): choose a period of {}us or "
          "less, for instance 1ms, or a SCHED_LOOP_RATE of {:g} or less",
          to_text(period), frame_hz, kFramesPerLoop * loop_hz, loop_hz,
          math::floor(1e6 / (kFramesPerLoop * loop_hz)), math::floor(frame_hz / kFramesPerLoop)));
}

std::string ardupilot_home(const WorldOrigin& home, double heading_rad) {
  return fmt::format("{:.7f},{:.7f},{:.3f},{:.2f}", home.lat_deg, home.lon_deg, home.alt_msl_m,
                     heading_rad * math::kRadToDeg);
}

std::vector<std::string> ardupilot_command(const ArdupilotParameters& parameters,
                                           const ArdupilotStart& start) {
  std::string defaults;
  for (const std::string& file : parameters.built_in) defaults += file + ",";
  defaults += start.settings_file;
  // Faster than this it never is, so it never waits for the wall clock.
  const char* const free_running = "1000";
  std::vector<std::string> command{
      parameters.binary,
      "--model",
      "JSON:127.0.0.1",
      "--speedup",
      free_running,
      "-I",
      std::to_string(parameters.instance),
      "--sysid",
      std::to_string(ardupilot_system(parameters)),
      "--home",
      ardupilot_home(start.home, start.heading_rad),
      "--defaults",
      defaults,
      "--serial0",
      fmt::format("udpclient:127.0.0.1:{}", start.telemetry_port),
      "--start-time",
      "1700000000",
      "--sim-port-out",
      std::to_string(start.json_port),
  };
  if (start.wipe) command.emplace_back("--wipe");
  // Its default would wait for a connection; 3 and 4 are its simulated GPS receivers.
  const std::pair<int, const char*> others[] = {{1, parameters.attach ? "tcp:2" : "none"},
                                                {2, parameters.attach ? "tcp:3" : "none"},
                                                {5, "none"},
                                                {6, "none"},
                                                {7, "none"},
                                                {8, "none"}};
  for (const auto& [port, where] : others) {
    command.push_back(fmt::format("--serial{}", port));
    command.emplace_back(where);
  }
  return command;
}

}  // namespace tactus
