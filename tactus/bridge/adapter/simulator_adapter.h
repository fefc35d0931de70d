// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A simulator as the bridge sees it. To add one, implement this class and register it; nothing
// else changes (examples/new_adapter.cpp).
//
// One step, as the bridge makes it:
//   send(command) for every vehicle that has answered its last frame
//   step_to(t)    t is a multiple of the bridge's step and later than now()
//   receive(f)    until it returns false: one frame per vehicle that is due at t
// Before the first step step_to(0) asks for the frames of the start. One that has thrown is
// disconnected and connected again where the user wants that (late = "hold", "free_running"); the
// first step_to() after it says what time it is then.
//
// All calls but interrupt() come from one thread at a time. A call that waits for another program
// returns by itself when interrupt() was called; the bridge calls it when a deadline has passed.
// Trouble with the simulator is Error(kPeer) that names it and what was wrong. What it sends is
// checked on arrival: a value that cannot be flown is RefusedFrame.

#include <cstddef>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/frame.h"
#include "tactus/core/error.h"
#include "tactus/core/time.h"

namespace tactus {

/// Thrown by receive(): the simulator has reached the instant, but what it says of it cannot be
/// flown. It counts as a missed deadline; the connection stands.
class RefusedFrame : public Error {
 public:
  explicit RefusedFrame(const std::string& message) : Error(ExitCode::kPeer, message) {}
};

struct SimulatorCapabilities {
  bool lockstep = true;  ///< waits for commands before it goes on
  int most_vehicles = 1;
  /// step_to() goes by multiples of this; 0: any.
  DurationUs own_step{};
};

/// A vehicle that is to fly in a simulator.
struct VehiclePlace {
  VehicleId vehicle = 0;
  DurationUs exchange{};  ///< between two of its frames, a multiple of the bridge's step
};

class SimulatorAdapter {
 public:
  virtual ~SimulatorAdapter() = default;
  /// Kind of simulator: "builtin", "hil", "json".
  [[nodiscard]] virtual const char* kind() const = 0;
  [[nodiscard]] virtual SimulatorCapabilities capabilities() const = 0;

  /// `vehicles` by id; known from now on are those and no others. Throws Error(kBadInput) if it
  /// cannot hold them, Error(kPeer) if the simulator is not there.
  virtual void connect(const std::vector<VehiclePlace>& vehicles) = 0;
  /// After it connect() may come again. Does nothing if there is no connection.
  virtual void disconnect() = 0;

  /// Takes in a vehicle that is spawned in flight, while all stand still at `now`: receive() gives
  /// its frame of this instant, and exchanges count from here. Throws Error(kBadInput) if it
  /// cannot.
  virtual void admit(const VehiclePlace& vehicle, TimeUs now) {
    (void)vehicle, (void)now;
    throw Error(ExitCode::kBadInput, "it takes in vehicles before the start only");
  }
  /// Takes over a vehicle in flight from another simulator, while all stand still: it flies on as
  /// if it had always been here, and `from` does not know it any more. Throws Error(kBadInput) if
  /// it cannot; then nothing has changed.
  virtual void take_over(VehicleId vehicle, SimulatorAdapter& from) {
    (void)vehicle, (void)from;
    throw Error(ExitCode::kBadInput, "it takes over no vehicle in flight");
  }
  /// Lets one go that was despawned in flight, while all stand still. One that does nothing here
  /// may send frames of it later; they are dropped.
  virtual void release(VehicleId vehicle) { (void)vehicle; }

  /// Its numbers are in range: motors 0 to 1, servos −1 to 1.
  virtual void send(const ActuatorCommand& command) = 0;
  virtual void step_to(TimeUs time) = 0;
  /// The next frame of the instant reached by step_to(); false: there are no more.
  virtual bool receive(SensorFrame& frame) = 0;
  [[nodiscard]] virtual TimeUs now() const = 0;
  /// The flight of this vehicle is over: no more frames will come.
  [[nodiscard]] virtual bool is_over(VehicleId vehicle) const {
    (void)vehicle;
    return false;
  }

  /// Called from another thread.
  virtual void interrupt() {}
  /// "HIL_SENSOR from 127.0.0.1:4560": what a step waits for, for messages. Any thread.
  [[nodiscard]] virtual std::string waits_for() const { return "its frames"; }
  /// Sentences for the user about this simulator.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
};

/// A simulator that computes in this process and never waits: the bridge runs its tasks on threads
/// of the bridge, in any order and at the same time. A task has its own vehicles. At an instant
/// each runs once.
class InProcessSimulator : public SimulatorAdapter {
 public:
  [[nodiscard]] virtual std::size_t task_count() const = 0;
  virtual void run_task(std::size_t task, TimeUs time) = 0;

  void step_to(TimeUs time) final {
    for (std::size_t task = 0; task < task_count(); ++task) run_task(task, time);
  }
};

}  // namespace tactus
