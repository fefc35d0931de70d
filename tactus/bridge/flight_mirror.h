// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A vehicle in an external simulator as a flight like ours, for observers of flights:
// recorders, hooks, logs. It is a run with the boundaries of the spec in which nothing is computed.
// What the simulator owns (motion, estimate, instruments, land detector) is what the newest frame
// says, the scenario is what the vehicle's own one wanted, and the command is what was sent.
//
// So its recording holds what the autopilot saw and did, at every exchange. What frames never hold
// (air, loads, power), or the first one does not (SensorFrame::holds), is not in it. Where no frame
// came, because the simulator was late, the last one stands; before the first, that one.

#include <memory>

#include "tactus/bridge/vehicle.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/run.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

class FlightMirror {
 public:
  /// `autopilot`: the vehicle's, whose messages recorders get (VehicleSetup::recorded). The
  /// observers must live until close(), and so must the spec.
  FlightMirror(const Spec& spec, std::shared_ptr<Autopilot> autopilot, Observers observers);
  ~FlightMirror();
  FlightMirror(const FlightMirror&) = delete;
  FlightMirror& operator=(const FlightMirror&) = delete;

  /// After the start of the bridge and after each of its steps, until close(); `now` is the
  /// bridge's. Its own time is the vehicle's. With the first frame the observers are opened. Throws
  /// Error, also if a frame holds what no flight may hold.
  void see(Vehicle& vehicle, TimeUs now);
  /// Closes the observers, for good. They get the last messages of an autopilot that failed.
  void close();

  [[nodiscard]] bool finished() const { return run_ != nullptr && run_->finished(); }

 private:
  struct Messages;
  struct Newest;  ///< what the parts of the run share
  class AutopilotMessages;

  [[nodiscard]] std::unique_ptr<Run> make_run() const;
  void begin(const Vehicle& vehicle);
  void collect(Messages& messages);
  void proceed_once();
  void take_final_output();

  const Spec* spec_;
  std::shared_ptr<Autopilot> autopilot_;
  Observers observers_;
  std::shared_ptr<Newest> newest_;
  std::unique_ptr<Run> run_;  ///< null: no frame yet, or closed
  bool closed_ = false;
  TimeUs epoch_;
  bool failed_ = false;  ///< the run has thrown: it stands in the middle of a boundary
};

}  // namespace tactus
