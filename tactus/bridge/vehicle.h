// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A vehicle of the bridge: an autopilot with the last frame it got and the last command it gave.
// Where it flies is up to a simulator.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/powered_autopilot.h"
#include "tactus/bridge/adapter/frame.h"

namespace tactus {

/// Orders for a vehicle whose simulator plays no scenario.
class VehicleScenario {
 public:
  virtual ~VehicleScenario() = default;
  /// Fills in what the pilot wants at the instant of the frame, and changes of parameters.
  virtual void play(SensorFrame& frame) = 0;
  /// Appends which events acted since the last call.
  virtual void take_notes(std::vector<Note>& notes) { (void)notes; }
};

struct VehicleSetup {
  VehicleId id = 0;
  std::string name;  ///< for people
  DurationUs exchange{4000};
  std::shared_ptr<Autopilot> autopilot;
  /// What the autopilot hears and says is taken by the run of a built-in simulator
  /// (AssembleOptions::caller_autopilot) or by a FlightMirror. Otherwise it is dropped.
  bool recorded = false;
  std::unique_ptr<VehicleScenario> scenario;  ///< null: the simulator plays it
  std::uint16_t mavlink_port = 0;             ///< 0: 14550 + id
};

class Vehicle {
 public:
  explicit Vehicle(VehicleSetup setup);

  [[nodiscard]] VehicleId id() const { return setup_.id; }
  [[nodiscard]] const std::string& name() const { return setup_.name; }
  [[nodiscard]] DurationUs exchange() const { return setup_.exchange; }
  [[nodiscard]] std::uint16_t mavlink_port() const { return setup_.mavlink_port; }
  [[nodiscard]] const Autopilot& autopilot() const { return *setup_.autopilot; }
  [[nodiscard]] bool is_due(TimeUs time) const {
    return (time - epoch_).us % setup_.exchange.us == 0;
  }

  /// Spawned at this instant of the bridge: its own time begins here. Before its first frame.
  void begin_at(TimeUs now);
  [[nodiscard]] TimeUs epoch() const { return epoch_; }

  [[nodiscard]] bool has_frame() const { return has_frame_; }
  /// The last that was taken; its time is that of the vehicle.
  [[nodiscard]] const SensorFrame& frame() const { return frame_; }
  [[nodiscard]] const ActuatorCommand& command() const { return answer_; }

  /// A frame of this vehicle. Time goes on: throws Error(kPeer) if it is not later than the last
  /// one.
  void take(const SensorFrame& frame);
  /// Runs the autopilot on the last frame; there is one. Throws what the autopilot throws; the last
  /// command stands then.
  void control();
  /// From now on what the autopilot hears and says is dropped.
  void drop_recording() { setup_.recorded = false; }
  /// Of its own scenario, as VehicleScenario::take_notes.
  void take_scenario_notes(std::vector<Note>& notes);

 private:
  void drop_unrecorded();
  [[nodiscard]] TimeUs own_time() const { return TimeUs() + (frame_.time - epoch_); }

  VehicleSetup setup_;
  TimeUs epoch_;
  SensorFrame frame_;
  bool has_frame_ = false;
  PoweredAutopilot powered_;
  std::vector<Note> notes_;
  std::vector<ExternalBytes> bytes_;
  ActuatorCommand answer_;
};

}  // namespace tactus
