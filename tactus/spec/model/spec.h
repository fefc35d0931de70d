// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Everything that decides a flight, resolved: what a spec file gives after inheritance, merge and
// checks, and what assembly.h builds a Run from.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/builtin_parameters.h"
#include "tactus/core/digest.h"
#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/sensor/sensors_spec.h"
#include "tactus/solver/config.h"
#include "tactus/spec/model/event.h"
#include "tactus/spec/model/external_spec.h"
#include "tactus/spec/model/vehicle_spec.h"
#include "tactus/world/world.h"

namespace tactus {

/// Periods of the axes; 0: the axis is not used.
struct TimelineSpec {
  DurationUs end{60'000'000};
  DurationUs autopilot{4'000};
  DurationUs wind{20'000};
  DurationUs sensors{4'000};
  DurationUs physics;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("end_us", "us", self.end, "length of the run");
    visit("autopilot_us", "us", self.autopilot, "period of the autopilot");
    visit("wind_us", "us", self.wind, "period of the wind");
    visit("sensors_us", "us", self.sensors, "period of the estimator and the land detector");
    visit("physics_us", "us", self.physics, "longest interval of integration; 0: none of its own");
  }
};
static_assert(lists_every_field<TimelineSpec>());

enum class LogMode : std::uint8_t { kBoundary, kInterpolate };

struct LogSpec {
  DurationUs period{20'000};
  LogMode mode = LogMode::kBoundary;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    constexpr const char* kOneAxis = "a recording has one log axis";
    visit("period_us", "us", fixed_in_flight(self.period, kOneAxis), "between rows; 0: no log");
    visit("mode", "", fixed_in_flight(self.mode, kOneAxis), "rows at boundaries, or interpolated");
  }
};
static_assert(lists_every_field<LogSpec>());

/// Where the vehicle starts. On the ground it stands on its gear, whatever the height says.
struct InitialSpec {
  bool on_ground = true;
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
  double rotor_speed_rad_s = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("on_ground", "", self.on_ground,
          "at rest on its gear and on the slope; height and tilt follow");
    visit("position_ned_m", "m", self.position_W_m, "from the world origin");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "over ground");
    visit("attitude_wxyz", "1", self.attitude, "quaternion, body to world");
    visit("rate_body_rad_s", "rad/s", self.rate_B_rad_s, "angular velocity");
    visit("rotor_speed_rad_s", "rad/s", self.rotor_speed_rad_s, "of all rotors");
  }
};
static_assert(lists_every_field<InitialSpec>());

enum class AutopilotKind : std::uint8_t { kBuiltin, kNone, kPx4Library, kPx4Sitl, kArdupilot };

/// Another process: it can neither be copied nor brought to the middle of a flight.
constexpr bool is_external_program(AutopilotKind kind) {
  return kind == AutopilotKind::kPx4Sitl || kind == AutopilotKind::kArdupilot;
}

struct Spec {
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  VehicleSpec vehicle;
  PartIds parts;
  WorldParameters world;
  std::vector<std::string> gust_ids;
  InitialSpec initial;
  TimelineSpec timeline;
  LogSpec log;
  SolverConfig solver;
  EstimatorParameters estimator;
  LandDetectorParameters land_detector;
  SensorsSpec sensors;
  AutopilotKind autopilot = AutopilotKind::kBuiltin;
  BuiltinParameters builtin;
  ExternalSpec external;
  GroundStationSpec ground_station;
  std::string mission_path;  ///< empty: no mission
  Vec3 mission_shift_W_m;    ///< `mission` is where this has moved it
  Mission mission;
  std::vector<Event> events;
  std::vector<Expectation> expectations;
  Digest128 digest;  ///< of the resolved content: the spec hash in logs

  /// In the order of the members. So is the digest, but for the world: spec_digest.cpp.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("name", "", left_out(self.name, "what it is called decides nothing"));
    visit("description", "", left_out(self.description, "words for people"));
    visit("seed", "", self.seed);
    visit("vehicle", "", self.vehicle);
    visit("parts", "", self.parts);
    visit("world", "", self.world);
    visit("gust_ids", "", left_out(self.gust_ids, "only names of what `wind` holds"));
    visit("initial", "", self.initial);
    visit("timeline", "", self.timeline);
    visit("log", "", self.log);
    visit("solver", "", self.solver);
    visit("estimator", "", self.estimator);
    visit("land_detector", "", self.land_detector);
    visit("sensors", "", self.sensors);
    visit("autopilot", "", self.autopilot);
    visit("builtin", "", self.builtin);
    visit("external", "", self.external);
    visit("ground_station", "", self.ground_station);
    visit("mission_path", "", left_out(self.mission_path, "`mission` is what the file holds"));
    visit("mission_shift_ned_m", "m",
          left_out(self.mission_shift_W_m, "`mission` is what this has moved"));
    visit("mission", "", self.mission);
    visit("events", "", self.events);
    visit("expectations", "", self.expectations);
    visit("digest", "", left_out(self.digest, "of all the others"));
  }
};
static_assert(lists_every_field<Spec>());

/// Whether programs that Tactus did not start may take part in the flight, and people live in it.
inline bool takes_visitors(const Spec& spec) {
  return spec.ground_station.enabled ||
         (spec.external.attach && is_external_program(spec.autopilot));
}

/// The multirotor of a spec, which must hold one.
inline const MultirotorParameters& multirotor_of(const Spec& spec) {
  return std::get<MultirotorParameters>(spec.vehicle);
}
inline MultirotorParameters& multirotor_of(Spec& spec) {
  return std::get<MultirotorParameters>(spec.vehicle);
}

}  // namespace tactus
