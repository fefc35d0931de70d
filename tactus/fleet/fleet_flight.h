// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A fleet in flight: the bridge with all that it needs, and what came of every vehicle.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/builtin_adapter.h"
#include "tactus/bridge/bridge.h"
#include "tactus/bridge/bridge_recorder.h"
#include "tactus/bridge/flight_mirror.h"
#include "tactus/fleet/fleet_file.h"
#include "tactus/flight/flight.h"
#include "tactus/flight/flight_recording.h"
#include "tactus/flight/flight_summary.h"
#include "tactus/record/recording_meta.h"
#include "tactus/scenario/expectations.h"

namespace tactus {

struct FleetOptions {
  std::size_t threads = 1;
  std::optional<TimeMode> mode;  ///< empty: that of the file, or the usual one if a station watches
  std::string record;            ///< folder for recordings; empty: none
  Tier tier = Tier::kPlant;
  BuildIdentity build;  ///< of the program that flies, for recordings
  std::function<bool()> interrupted;
  std::function<void(const std::string&)> tell;  ///< gets what the user has to do now
  std::function<void(Bridge&)> after_step;
};

/// Whether a ground station decides how fast it flies: one is enabled, and the file names no mode.
bool is_watched(const FleetPlan& plan);

/// Where FleetOptions::record puts its files.
std::string bridge_recording(const std::string& folder);
std::string vehicle_recording(const std::string& folder, VehicleId id);

/// One vehicle, after the flight.
struct FleetMember {
  VehicleId id = 0;
  std::string name;
  std::string simulator;
  Verdict verdict = Verdict::kPassed;
  std::string sentence;
  std::vector<ExpectationResult> results;
  std::vector<std::string> failures;  ///< expectations that did not come true
  std::vector<std::string> warnings;  ///< of its autopilot
  TimeUs end;
  std::optional<Digest128> digest;  ///< none: flown in an external simulator
  std::optional<Error> file_error;
  bool missing = false;  ///< its simulator is, at the end of the flight
};

/// The worst of all: 130 if one was interrupted, 4 if a simulator is missing, else 1 if one did not
/// pass.
ExitCode exit_code(const std::vector<FleetMember>& members);

class FleetFlight {
 public:
  /// Throws Error if something does not fit.
  FleetFlight(const FleetPlan& plan, const FleetOptions& options);

  /// To the end. Every file is closed afterwards, also if an error goes on.
  void fly();

  [[nodiscard]] Bridge& bridge() { return bridge_; }
  /// After the flight, by id.
  [[nodiscard]] std::vector<FleetMember> members();
  /// What went wrong with the bridge's own file after a complete flight.
  [[nodiscard]] const std::optional<Error>& file_error() const { return file_error_; }
  /// Everything that was written.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

 private:
  /// Observers of one vehicle.
  struct Observed {
    std::unique_ptr<FlightSummary> summary;
    std::unique_ptr<ExpectationMonitor> monitor;
    bool outside = false;      ///< in an external simulator
    TimeUs last;               ///< what comes later is not judged
    std::uint64_t frames = 0;  ///< seen from there
    std::unique_ptr<FlightRecording> recording;
    std::optional<Error> failure;  ///< why the recording ends before the flight
  };

  void add_simulator(const SimulatorPlan& plan);
  void add(const VehiclePlan& plan, const FleetOptions& options);
  /// The vehicle in a built-in simulator.
  void add_run(const VehiclePlan& plan, const std::shared_ptr<Autopilot>& autopilot,
               const FleetOptions& options);
  /// A recording of the vehicle in an external simulator.
  void add_recording(const VehiclePlan& plan, const std::shared_ptr<Autopilot>& autopilot,
                     const FleetOptions& options);
  [[nodiscard]] Recorder& recorder_of(const VehiclePlan& plan, const FleetOptions& options);
  /// After the start and after every step.
  void see();
  /// What an external simulator reports of the vehicle.
  void see_external(VehicleId id);
  /// False: its recording is over before the flight.
  bool sees(VehicleId id, FlightMirror& flight);
  [[nodiscard]] FleetMember flown_here(const VehiclePlan& plan) const;
  [[nodiscard]] FleetMember flown_externally(const VehiclePlan& plan);
  [[nodiscard]] bool is_dropped(VehicleId id) const;
  /// Without its simulator its flight came to no end.
  void judge_dropped(const VehiclePlan& plan, FleetMember& member) const;
  void begin_recording(std::unique_ptr<OutputFile> file, const BuildIdentity& build);
  void end_recording(bool complete);
  [[nodiscard]] TimeUs end() const;
  void close();
  void close_recording(VehicleId id, FlightMirror& flight);

  const FleetPlan* plan_;
  std::map<VehicleId, Observed> observed_;  ///< outlive the runs that they observe
  std::map<std::string, std::shared_ptr<BuiltinAdapter>> simulators_;
  std::map<VehicleId, std::unique_ptr<FlightMirror>>
      mirrors_;  ///< of external vehicles that are recorded
  Bridge bridge_;
  std::unique_ptr<BridgeRecorder> recorder_;
  std::optional<Error> file_error_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<std::string> files_;
};

}  // namespace tactus
