// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Tactus itself as a simulator: any number of plants with their wind, sensors, estimator, scenario
// and faults, each a Run that stops at every tick of its autopilot and waits for the bridge. A
// flight over the bridge has the same bits as the same spec flown alone.

#include <memory>
#include <vector>

#include "tactus/bridge/adapter/simulator_adapter.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/run.h"

namespace tactus {

class BuiltinAdapter final : public InProcessSimulator {
 public:
  /// Before it is connected or spawned. `run` takes its commands from the caller
  /// (CommandFrom::kCaller) and has as many ticks of the autopilot as the vehicle has exchanges.
  /// `observers` must live until close() or release().
  void add(VehicleId vehicle, Run run, Observers observers);

  [[nodiscard]] const Run& run(VehicleId vehicle) const;
  /// Closes every observer, whatever another throws; the first error goes on afterwards.
  void close();

  [[nodiscard]] const char* kind() const override { return "builtin"; }
  [[nodiscard]] SimulatorCapabilities capabilities() const override;
  void connect(const std::vector<VehiclePlace>& vehicles) override;
  void disconnect() override {}
  /// Its run begins at its own time 0.
  void admit(const VehiclePlace& vehicle, TimeUs now) override;
  /// From another of this kind, with its run and its observers.
  void take_over(VehicleId vehicle, SimulatorAdapter& from) override;
  /// Closes its observers.
  void release(VehicleId vehicle) override;
  void send(const ActuatorCommand& command) override;
  bool receive(SensorFrame& frame) override;
  [[nodiscard]] TimeUs now() const override { return now_; }
  [[nodiscard]] bool is_over(VehicleId vehicle) const override { return run(vehicle).finished(); }
  [[nodiscard]] std::size_t task_count() const override { return flights_.size(); }
  void run_task(std::size_t task, TimeUs time) override;

 private:
  struct Flight {
    VehicleId vehicle;
    Run run;
    Observers observers;
    DurationUs exchange{};  ///< 0: not connected yet
    TimeUs epoch;           ///< the bridge's time when it began
    SensorFrame frame;
    bool has_frame = false;
    bool opened = false;
    bool answered = false;
  };

  using Flights = std::vector<std::unique_ptr<Flight>>;

  Flight& flight(VehicleId vehicle);
  /// Where it is, or where it would be.
  Flights::iterator place_of(VehicleId vehicle);
  void require_absent(VehicleId vehicle);
  Flight& accept(const VehiclePlace& place);
  static void advance(Flight& one, TimeUs time);

  Flights flights_;  ///< by vehicle
  std::size_t next_frame_ = 0;
  TimeUs now_;
};

}  // namespace tactus
