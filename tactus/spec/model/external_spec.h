// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How an external autopilot is found and talked to: [autopilot.px4], [autopilot.ardupilot] and
// [autopilot.outside] of a spec; and who may watch and steer the built-in one,
// [autopilot.ground_station]. A path that is not given comes from the environment.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/parameters/ardupilot_settings.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/autopilot/parameters/px4_library_parameters.h"
#include "tactus/spec/model/event.h"

namespace tactus {

struct ExternalSpec {
  Px4LibraryParameters px4_library;
  std::string px4_binary;
  std::string px4_romfs;
  std::string ardupilot_binary;
  std::string ardupilot_defaults;  ///< names of .parm files, separated by commas
  std::string parameters;          ///< "NAME=VALUE, NAME=VALUE": besides those from the aircraft
  std::string folder;
  std::int32_t instance = 0;
  bool wait = false;
  bool free = false;    ///< not under the conductor
  bool attach = false;  ///< others on this machine may talk to it, at its own ports
  LinkParameters link;
  /// Of `ardupilot_defaults` those inside the program, "@…", and what the others say, if it flies.
  std::vector<std::string> ardupilot_built_in;
  ArdupilotSettings ardupilot_given;

  [[nodiscard]] static constexpr bool is_attached(const ExternalSpec& spec) { return spec.attach; }

  /// Where programs, folders and files are does not decide a flight; what is in the files does.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("px4_library", "", self.px4_library);
    visit("px4_binary", "", left_out(self.px4_binary, "where a program is"));
    visit("px4_romfs", "", left_out(self.px4_romfs, "where its scripts are"));
    visit("ardupilot_binary", "", left_out(self.ardupilot_binary, "where a program is"));
    visit("ardupilot_defaults", "",
          left_out(self.ardupilot_defaults, "what the files say stands below"));
    visit("parameters", "", self.parameters);
    visit("folder", "", left_out(self.folder, "where it works"));
    visit("instance", "", self.instance);
    visit("wait", "", self.wait);
    visit("free", "", self.free);
    visit("attach", "",
          digested_if(self.attach, self, is_attached,
                      "other specs keep the digests from before there was such a key"));
    visit("link", "", self.link);
    constexpr char kNone[] = "specs without such files keep the digests from before there were any";
    visit("ardupilot_built_in", "", without_length(self.ardupilot_built_in, kNone));
    visit("ardupilot_given", "", without_length(self.ardupilot_given, kNone));
  }
};
static_assert(lists_every_field<ExternalSpec>());

/// A MAVLink ground station of a built-in autopilot.
struct GroundStationSpec {
  bool enabled = false;
  std::string host = "127.0.0.1";
  std::int32_t port = 14550;
  std::int32_t own_port = 0;   ///< 0: any free one
  std::int32_t system_id = 1;  ///< of the vehicle in MAVLink

  [[nodiscard]] static constexpr bool is_enabled(const GroundStationSpec& station) {
    return station.enabled;
  }
  [[nodiscard]] static constexpr bool has_another_id(const GroundStationSpec& station) {
    return station.enabled && station.system_id != 1;
  }

  /// Which station it is does not decide a flight; that one may steer it does.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    constexpr char kOlder[] = "other specs keep the digests from before there were ground stations";
    visit("enabled", "", digested_if(self.enabled, self, is_enabled, kOlder),
          "talk to one: docs/ground_station.md");
    visit("host", "", left_out(self.host, "where the station is"),
          "IPv4 address that receives the telemetry");
    visit("port", "", left_out(self.port, "where the station is"), "its UDP port");
    visit("own_port", "", left_out(self.own_port, "where the station finds it"),
          "UDP port of the vehicle; 0: any free one");
    visit("system_id", "", digested_if(self.system_id, self, has_another_id, kOlder),
          "MAVLink's number of the vehicle, 1 to 254");
  }
};
static_assert(lists_every_field<GroundStationSpec>());

/// Reads "MPC_XY_CRUISE=3, NAV_ACC_RAD=2". Throws Error(kBadInput) that names `where`.
std::vector<EmittedParameter> parse_parameters(std::string_view text, std::string_view where);

/// The parts between commas, without blanks around them; empty ones are left out.
std::vector<std::string_view> split_list(std::string_view text);

/// The names of parameters that events change, each once, in the order of the events: what
/// ParameterChange::index counts for an external autopilot.
std::vector<std::string> changed_parameters(const std::vector<Event>& events);

/// Position in that list. Which names there are, only the autopilot knows; throws Error(kBadInput)
/// if this one cannot be one of PX4's or ArduPilot's.
int changed_parameter_index(const std::vector<Event>& events, std::string_view name);

}  // namespace tactus
