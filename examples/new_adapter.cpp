// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A simulator of one's own on the bridge: a balloon that rises with its first motor. Nothing in the
// library knows about it.

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "tactus/bridge/bridge.h"

namespace {

class Balloon final : public tactus::SimulatorAdapter {
 public:
  const char* kind() const override { return "balloon"; }
  tactus::SimulatorCapabilities capabilities() const override { return {.most_vehicles = 1}; }
  void connect(const std::vector<tactus::VehiclePlace>& vehicles) override {
    vehicle_ = vehicles.front().vehicle;
  }
  void disconnect() override {}
  void send(const tactus::ActuatorCommand& command) override { lift_ = command.command.motor[0]; }
  void step_to(tactus::TimeUs time) override {
    height_m_ += 2.0 * (lift_ - 0.5) * tactus::to_seconds(time - now_);
    now_ = time;
    ready_ = true;
  }
  bool receive(tactus::SensorFrame& frame) override {
    if (!std::exchange(ready_, false)) return false;
    frame = {};
    frame.vehicle = vehicle_;
    frame.time = now_;
    frame.estimate.position_W_m.z = -height_m_;
    return true;
  }
  tactus::TimeUs now() const override { return now_; }

 private:
  tactus::VehicleId vehicle_ = 0;
  tactus::TimeUs now_;
  double height_m_ = 0.0;
  double lift_ = 0.5;
  bool ready_ = false;
};

/// Holds 10 m.
class Holder final : public tactus::Autopilot {
 public:
  const char* name() const override { return "holder"; }
  void step(const tactus::AutopilotInput& input, tactus::AutopilotOutput& output) override {
    const double missing_m = 10.0 + input.estimate.position_W_m.z;
    output.command.motor[0] = missing_m > 0.5 ? 1.0 : 0.5 + missing_m;
  }
  void restart() override {}
  std::unique_ptr<Autopilot> clone() const override { return std::make_unique<Holder>(*this); }
};

}  // namespace

int main() {
  tactus::Bridge bridge;
  bridge.register_adapter("sky", std::make_shared<Balloon>());
  tactus::VehicleSetup balloon;
  balloon.autopilot = std::make_unique<Holder>();
  bridge.spawn(std::move(balloon), "sky");
  bridge.run_until(tactus::TimeUs(30'000'000));
  const double height_m = -bridge.vehicle(0).frame().estimate.position_W_m.z;
  std::printf("after %.0f s the balloon is at %.2f m\n", tactus::to_seconds(bridge.now()),
              height_m);
  return height_m > 9.0 && height_m < 11.0 ? 0 : 1;
}
