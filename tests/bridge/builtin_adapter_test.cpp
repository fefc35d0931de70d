// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/builtin_adapter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
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

/// What each of the flights gives on its own, once for all tests here.
const std::vector<Digest128>& alone() {
  static const std::vector<Digest128> digests = [] {
    std::vector<Digest128> all;
    all.reserve(static_cast<std::size_t>(kVehicles));
    for (int id = 0; id < kVehicles; ++id) all.push_back(fly_alone(fleet_spec(id)));
    return all;
  }();
  return digests;
}

TEST(BuiltinAdapter, TenVehiclesOnTwoSimulatorsAreTenSingleFlights) {
  EXPECT_EQ(fly_bridged({.vehicles = kVehicles}), alone());
}

TEST(BuiltinAdapter, TheSameBitsOnAnyNumberOfThreads) {
  for (const std::size_t threads : {std::size_t{2}, std::size_t{8}}) {
    EXPECT_EQ(fly_bridged({.vehicles = kVehicles, .threads = threads}), alone()) << threads;
  }
}

TEST(BuiltinAdapter, TheOrderOfRegistrationDoesNotMatter) {
  FleetFlight flight{.vehicles = kVehicles};
  flight.order = {7, 2, 9, 0, 4, 1, 8, 3, 6, 5};
  std::erase_if(flight.order, [](int id) { return id >= kVehicles; });
  flight.simulators = {"right", "left"};
  EXPECT_EQ(fly_bridged(flight), alone());
}

/// Now and then takes its time, in the middle of a simulator's step.
class Dawdler final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kSensors; }
  void after(Stage /*stage*/, const BoundaryView& /*view*/) override {
    const unsigned turn = turns_++ * 2654435761U >> 16U;
    if (turn % 200 == 0) std::this_thread::sleep_for(std::chrono::microseconds(turn % 2000));
  }

 private:
  std::atomic<unsigned> turns_{0};
};

TEST(BuiltinAdapter, DelaysInSimulatorsDoNotMatter) {
  Dawdler dawdler;
  FleetFlight flight{.vehicles = kVehicles, .threads = 2};
  flight.hooks = {&dawdler};
  EXPECT_EQ(fly_bridged(flight), alone());
}

TEST(BuiltinAdapter, PausesAndTimeModesDoNotMatter) {
  FleetFlight flight{.vehicles = kVehicles};
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
