// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies fleets of ten

#include "tactus/bridge/adapter/builtin_adapter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/bridge/bridge.h"
#include "tests/support/fleet.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::fleet_spec;
using testing::FleetFlight;
using testing::fly_alone;
using testing::fly_bridged;

const int kVehicles = testing::few_cases() ? 3 : 10;

/// A minute in full; most of what there is to see happens in the first seconds.
const std::string& end_s() {
  static const std::string end = testing::test_all() ? "60.0" : "12.0";
  return end;
}

FleetFlight all_vehicles(std::size_t threads = 1) {
  FleetFlight flight;
  flight.vehicles = kVehicles;
  flight.threads = threads;
  flight.end_s = end_s();
  return flight;
}

/// What each of the flights gives on its own, once for all tests here.
const std::vector<Digest128>& alone() {
  static const std::vector<Digest128> digests = [] {
    std::vector<Digest128> all;
    all.reserve(static_cast<std::size_t>(kVehicles));
    for (int id = 0; id < kVehicles; ++id) all.push_back(fly_alone(fleet_spec(id, end_s())));
    return all;
  }();
  return digests;
}

TEST(BuiltinAdapter, TenVehiclesOnTwoSimulatorsAreTenSingleFlights) {
  EXPECT_EQ(fly_bridged(all_vehicles()), alone());
}

TEST(BuiltinAdapter, TheSameBitsOnAnyNumberOfThreads) {
  for (const std::size_t threads : {std::size_t{2}, std::size_t{8}}) {
    EXPECT_EQ(fly_bridged(all_vehicles(threads)), alone()) << threads;
  }
}

TEST(BuiltinAdapter, TheOrderOfRegistrationDoesNotMatter) {
  FleetFlight flight = all_vehicles();
  flight.order = {7, 2, 9, 0, 4, 1, 8, 3, 6, 5};
  std::erase_if(flight.order, [](int id) { return id >= kVehicles; });
  flight.simulators = {"right", "left"};
  EXPECT_EQ(fly_bridged(flight), alone());
}

/// Takes its time now and then, always at other instants.
class Dawdler {
 public:
  explicit Dawdler(unsigned seed) : turns_(seed * 1'000'003U) {}
  void dawdle() {
    const unsigned turn = turns_++ * 2654435761U >> 16U;
    if (turn % 200 == 0) std::this_thread::sleep_for(std::chrono::microseconds(turn % 2000));
  }

 private:
  std::atomic<unsigned> turns_;
};

/// Dawdles in the middle of a simulator's step.
class DawdlingHook final : public StageHook {
 public:
  explicit DawdlingHook(unsigned seed) : dawdler_(seed) {}
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kSensors; }
  void after(Stage /*stage*/, const BoundaryView& /*view*/) override { dawdler_.dawdle(); }

 private:
  Dawdler dawdler_;
};

/// A simulator of ours that the bridge takes for an external one: on a thread of its own, waited
/// for, and late at random at every turn.
class Elsewhere final : public SimulatorAdapter {
 public:
  Elsewhere(std::shared_ptr<BuiltinAdapter> inner, unsigned seed)
      : inner_(std::move(inner)), dawdler_(seed) {}
  [[nodiscard]] const char* kind() const override { return "elsewhere"; }
  [[nodiscard]] SimulatorCapabilities capabilities() const override {
    return inner_->capabilities();
  }
  void connect(const std::vector<VehiclePlace>& vehicles) override { inner_->connect(vehicles); }
  void disconnect() override { inner_->disconnect(); }
  void send(const ActuatorCommand& command) override {
    dawdler_.dawdle();
    inner_->send(command);
  }
  void step_to(TimeUs time) override {
    dawdler_.dawdle();
    inner_->step_to(time);
  }
  bool receive(SensorFrame& frame) override {
    dawdler_.dawdle();
    if (inner_->receive(frame)) return true;
    SensorFrame more;
    EXPECT_FALSE(inner_->receive(more)) << "asking once more draws no other noise";
    return false;
  }
  [[nodiscard]] TimeUs now() const override { return inner_->now(); }
  [[nodiscard]] bool is_over(VehicleId vehicle) const override { return inner_->is_over(vehicle); }

 private:
  std::shared_ptr<BuiltinAdapter> inner_;
  Dawdler dawdler_;
};

TEST(BuiltinAdapter, DelaysInSimulatorsDoNotMatter) {
  const unsigned repetitions = testing::test_all() ? 20 : 2;
  for (unsigned seed = 0; seed < repetitions; ++seed) {
    DawdlingHook dawdler(seed);
    FleetFlight flight = all_vehicles(1 + seed % 3);
    flight.hooks = {&dawdler};
    if (seed % 2 == 1) {
      flight.wrap = [seed](std::shared_ptr<BuiltinAdapter> inner) {
        return std::make_shared<Elsewhere>(std::move(inner), seed);
      };
    }
    EXPECT_EQ(fly_bridged(flight), alone()) << seed;
  }
}

/// Stops once, in the middle of a step of one vehicle.
class StandsStill final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kSensors; }
  void after(Stage /*stage*/, const BoundaryView& view) override {
    if (view.due.time < TimeUs(5'000'000) || stood_.exchange(true)) return;
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }

 private:
  std::atomic<bool> stood_ = false;
};

TEST(BuiltinAdapter, ASimulatorThatStandsStillForTwoSecondsDoesNotMatter) {
  StandsStill pause;
  FleetFlight flight = all_vehicles(2);
  flight.hooks = {&pause};
  EXPECT_EQ(fly_bridged(flight), alone());
}

TEST(BuiltinAdapter, PausesAndTimeModesDoNotMatter) {
  FleetFlight flight = all_vehicles();
  int steps = 0;
  flight.after_step = [&steps](Bridge& bridge) {
    ++steps;
    if (bridge.paused()) return bridge.set_paused(false);
    if (steps % 1000 == 100) bridge.set_time_mode(TimeMode::scaled(200.0));
    if (steps % 1000 == 200) bridge.set_paused(true);
    if (steps % 1000 == 300) bridge.set_time_mode(TimeMode::lockstep());
  };
  EXPECT_EQ(fly_bridged(flight), alone());
  EXPECT_GT(steps, 2000);
}

}  // namespace
}  // namespace tactus
