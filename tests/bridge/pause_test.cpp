// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies fleets with every pause

// Who comes and goes in a pause: the others fly on with the same bits, who comes flies as alone,
// and nothing of who went is left.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/bridge/bridge.h"
#include "tactus/core/error.h"
#include "tests/support/fleet.h"
#include "tests/support/two_simulators.h"

namespace tactus {
namespace {

using testing::add_builtin;
using testing::builtin_vehicle;
using testing::echo_vehicle;
using testing::error_text;
using testing::fleet_spec;
using testing::fly_alone;
using testing::ScriptedSimulator;

constexpr char kShort[] = "6.0";
constexpr TimeUs kPause{2'000'000};
constexpr TimeUs kEnd{60'000'000};

/// Vehicles 0, 1 and 2 in "left", none in "right".
struct Three {
  explicit Three(std::size_t threads = 2) : bridge({.threads = threads}) {
    bridge.register_adapter("left", left);
    bridge.register_adapter("right", right);
    for (const int id : {0, 1, 2}) add(id, "left");
  }
  void add(int id, const std::string& simulator) {
    const Spec spec = fleet_spec(id, kShort);
    BuiltinAdapter& adapter = simulator == "left" ? *left : *right;
    add_builtin(adapter, static_cast<VehicleId>(id), spec, {});
    bridge.spawn(builtin_vehicle(static_cast<VehicleId>(id), spec), simulator);
  }
  /// In a pause at that instant; then to the end.
  void fly(const std::function<void()>& in_pause, TimeUs at = kPause) {
    bridge.after_step = [in_pause, at](Bridge& now) {
      if (now.now() != at) return;
      now.set_paused(true);
      in_pause();
      now.set_paused(false);
    };
    bridge.run_until(kEnd);
    bridge.stop();
  }
  [[nodiscard]] std::string digest(int id, const std::string& simulator) const {
    const BuiltinAdapter& adapter = simulator == "left" ? *left : *right;
    return to_hex(adapter.run(static_cast<VehicleId>(id)).digest());
  }

  std::shared_ptr<BuiltinAdapter> left = std::make_shared<BuiltinAdapter>();
  std::shared_ptr<BuiltinAdapter> right = std::make_shared<BuiltinAdapter>();
  Bridge bridge;
};

std::string alone(int id) { return to_hex(fly_alone(fleet_spec(id, kShort))); }

TEST(BridgePause, TheOthersFlyOnWhenOneIsDespawned) {
  Three three;
  three.fly([&] { three.bridge.despawn(1); });
  EXPECT_EQ(three.bridge.vehicles(), (std::vector<VehicleId>{0, 2}));
  EXPECT_EQ(three.digest(0, "left"), alone(0));
  EXPECT_EQ(three.digest(2, "left"), alone(2));
  EXPECT_THROW((void)three.left->run(1), Error);
}

TEST(BridgePause, OneThatIsSpawnedFliesAsAlone) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    Three three(threads);
    three.fly([&] {
      three.add(7, "left");
      three.add(5, "right");
    });
    for (const int id : {0, 1, 2, 7}) EXPECT_EQ(three.digest(id, "left"), alone(id)) << id;
    EXPECT_EQ(three.digest(5, "right"), alone(5));
    EXPECT_EQ(three.bridge.now(), kPause + DurationUs(6'000'000)) << "until the last has landed";
    EXPECT_EQ(three.bridge.vehicle(5).frame().time, three.bridge.now());
  }
}

// Also at an instant that is no multiple of its exchange.
TEST(BridgePause, ExchangesOfASpawnedVehicleCountFromItsSpawning) {
  Three three;
  Spec slow = fleet_spec(9, kShort);
  slow.timeline.autopilot = DurationUs(8'000);
  three.fly(
      [&] {
        add_builtin(*three.right, 9, slow, {});
        three.bridge.spawn(builtin_vehicle(9, slow), "right");
      },
      TimeUs(1'004'000));
  EXPECT_EQ(three.digest(9, "right"), to_hex(fly_alone(slow)));
  EXPECT_EQ(three.digest(0, "left"), alone(0));
}

TEST(BridgePause, AnIdIsUsedAgain) {
  for (const char* const simulator : {"left", "right"}) {
    Three three;
    three.fly([&] {
      three.bridge.despawn(1);
      three.add(1, simulator);
    });
    EXPECT_EQ(three.digest(1, simulator), alone(1));
    EXPECT_EQ(three.digest(0, "left"), alone(0));
  }
}

TEST(BridgePause, ASimulatorComesAndAnotherGoes) {
  Three three;
  auto late = std::make_shared<BuiltinAdapter>();
  const Spec spec = fleet_spec(4, kShort);
  three.fly([&] {
    EXPECT_NE(error_text([&] { three.bridge.unregister_adapter("left"); }).find("0, 1, 2"),
              std::string::npos);
    three.bridge.unregister_adapter("right");
    EXPECT_EQ(three.right.use_count(), 1) << "the bridge does not hold it any more";
    three.bridge.register_adapter("late", late);
    add_builtin(*late, 4, spec, {});
    three.bridge.spawn(builtin_vehicle(4, spec), "late");
  });
  EXPECT_EQ(three.bridge.adapters(), (std::vector<std::string>{"late", "left"}));
  EXPECT_EQ(to_hex(late->run(4).digest()), alone(4));
  EXPECT_EQ(three.digest(0, "left"), alone(0));
}

TEST(BridgePause, OnlyInAPause) {
  Three three;
  three.bridge.step();
  EXPECT_NE(error_text([&] { three.add(5, "right"); }).find("vehicle 5: the bridge flies; pause"),
            std::string::npos);
  EXPECT_NE(error_text([&] { three.bridge.unregister_adapter("right"); }).find("pause it first"),
            std::string::npos);
  EXPECT_NE(error_text([&] {
              three.bridge.register_adapter("new", std::make_shared<BuiltinAdapter>());
            }).find("pause it first"),
            std::string::npos);
}

// Its run is in the simulator all the same, before those of the others.
TEST(BridgePause, TheOthersFlyOnWhenOneIsRefused) {
  Three three;
  three.fly([&] {
    three.bridge.despawn(0);
    VehicleSetup clash = builtin_vehicle(0, fleet_spec(0, kShort));
    clash.mavlink_port = three.bridge.vehicle(1).mavlink_port();
    add_builtin(*three.left, 0, fleet_spec(0, kShort), {});
    EXPECT_NE(error_text([&] {
                three.bridge.spawn(std::move(clash), "left");
              }).find("the same MAVLink port"),
              std::string::npos);
  });
  EXPECT_EQ(three.digest(1, "left"), alone(1));
  EXPECT_EQ(three.digest(2, "left"), alone(2));
}

TEST(BridgePause, OneThatDoesNotFitIsRefusedAndTheRestGoesOn) {
  Three three;
  Spec odd = fleet_spec(5, kShort);
  odd.timeline.autopilot = DurationUs(5'000);
  three.fly([&] {
    add_builtin(*three.right, 5, odd, {});
    const std::string text =
        error_text([&] { three.bridge.spawn(builtin_vehicle(5, odd), "right"); });
    EXPECT_EQ(text,
              "vehicle 5 in simulator right: exchange_us = 5000 is no multiple of step_us = 4000; "
              "nearest are 4000 and 8000");
    EXPECT_NE(error_text([&] {
                three.bridge.spawn(echo_vehicle(6), "right");
              }).find("vehicle 6 is not in this simulator"),
              std::string::npos);
    EXPECT_NE(error_text([&] {
                three.bridge.spawn(echo_vehicle(2), "right");
              }).find("there is a vehicle 2 already"),
              std::string::npos);
  });
  EXPECT_EQ(three.bridge.vehicles(), (std::vector<VehicleId>{0, 1, 2}));
  EXPECT_EQ(three.digest(1, "left"), alone(1));
}

/// Delivers nothing, and cannot be connected if a test does not want it.
class EmptySimulator final : public InProcessSimulator {
 public:
  bool connects = true;
  int steps = 0;
  [[nodiscard]] const char* kind() const override { return "empty"; }
  [[nodiscard]] SimulatorCapabilities capabilities() const override { return {}; }
  void connect(const std::vector<VehiclePlace>& /*vehicles*/) override {
    if (!connects) throw Error(ExitCode::kPeer, "as a test wants it");
  }
  void disconnect() override {}
  void send(const ActuatorCommand& /*command*/) override {}
  bool receive(SensorFrame& /*frame*/) override { return false; }
  [[nodiscard]] TimeUs now() const override { return now_; }
  [[nodiscard]] std::size_t task_count() const override { return 1; }
  void run_task(std::size_t /*task*/, TimeUs time) override {
    now_ = time;
    ++steps;
  }

 private:
  TimeUs now_;
};

TEST(BridgePause, ASimulatorThatDoesNotConnectIsNotRegistered) {
  Three three;
  auto late = std::make_shared<EmptySimulator>();
  late->connects = false;
  three.fly([&] {
    EXPECT_EQ(error_text([&] { three.bridge.register_adapter("late", late); }),
              "as a test wants it");
  });
  EXPECT_EQ(three.bridge.adapters(), (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(three.digest(0, "left"), alone(0));
}

/// A run that stops with an error.
class StopsAt final : public StageHook {
 public:
  explicit StopsAt(TimeUs at) : at_(at) {}
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kScenario; }
  void after(Stage /*stage*/, const BoundaryView& view) override {
    if (view.due.time >= at_) throw Error(ExitCode::kRunStopped, "as a test wants it");
  }

 private:
  TimeUs at_;
};

TEST(BridgePause, AFlightThatStopsTakesItsSimulatorAlongWhereTheUserDropsIt) {
  for (const LatePolicy late : {LatePolicy::kDrop, LatePolicy::kFail, LatePolicy::kHold}) {
    Three three;
    StopsAt stops(TimeUs(3'000'000));
    const auto other = std::make_shared<BuiltinAdapter>();
    LinkParameters link;
    link.late = late;
    three.bridge.register_adapter("other", other, link);
    for (const int id : {4, 5}) {
      const Spec spec = fleet_spec(id, kShort);
      add_builtin(*other, static_cast<VehicleId>(id), spec,
                  id == 4 ? std::vector<StageHook*>{&stops} : std::vector<StageHook*>{});
      three.bridge.spawn(builtin_vehicle(static_cast<VehicleId>(id), spec), "other");
    }
    if (late != LatePolicy::kDrop) {
      EXPECT_EQ(error_text([&] { three.fly([] {}); }), "vehicle 4: as a test wants it");
      continue;
    }
    three.fly([] {});
    for (const int id : {0, 1, 2}) EXPECT_EQ(three.digest(id, "left"), alone(id));
    EXPECT_EQ(other->run(5).now(), TimeUs(3'000'000)) << "goes no further";
    ASSERT_EQ(three.bridge.events().size(), 1u);
    EXPECT_EQ(three.bridge.events()[0].who, "simulator other");
    EXPECT_EQ(three.bridge.events()[0].what, "vehicle 4: as a test wants it (drop)");
    EXPECT_EQ(three.bridge.simulator_state(5), AdapterState::kDropped);
    EXPECT_EQ(three.bridge.simulator_state(0), AdapterState::kFine);
    EXPECT_EQ(three.bridge.reports()[1].misses, 1u);
  }
}

TEST(BridgePause, OneThatIsDroppedComputesNoMore) {
  Three three;
  auto empty = std::make_shared<EmptySimulator>();
  LinkParameters drop;
  drop.late = LatePolicy::kDrop;
  three.bridge.register_adapter("empty", empty, drop);
  three.bridge.spawn(echo_vehicle(9), "empty");
  three.fly([] {});
  EXPECT_EQ(empty->steps, 1);
  EXPECT_EQ(three.digest(0, "left"), alone(0));
}

// With its run, whose own time goes on.
TEST(BridgePause, OneThatIsAssignedToAnotherSimulatorFliesOnWithTheSameBits) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    Three three(threads);
    auto late = std::make_shared<BuiltinAdapter>();
    three.fly([&] {
      three.bridge.register_adapter("late", late);
      three.bridge.assign(1, "right");
      three.bridge.assign(2, "late");
      three.bridge.assign(0, "left");  // is there already
    });
    EXPECT_EQ(three.digest(0, "left"), alone(0));
    EXPECT_EQ(three.digest(1, "right"), alone(1));
    EXPECT_EQ(to_hex(late->run(2).digest()), alone(2));
    EXPECT_EQ(three.left->task_count(), 1u) << "nothing of them is left there";
    EXPECT_EQ(three.right->now(), three.bridge.now());
  }
}

TEST(BridgePause, ASimulatorWithoutVehiclesMayGo) {
  Three three;
  three.fly([&] {
    for (const VehicleId id : three.bridge.vehicles()) three.bridge.assign(id, "right");
    three.bridge.unregister_adapter("left");
  });
  EXPECT_EQ(three.bridge.adapters(), std::vector<std::string>{"right"});
  for (const int id : {0, 1, 2}) EXPECT_EQ(three.digest(id, "right"), alone(id));
}

TEST(BridgePause, AVehicleThatCannotBeTakenOverStaysWhereItWas) {
  Three three;
  const auto external = std::make_shared<ScriptedSimulator>();
  three.bridge.register_adapter("external", external);
  three.bridge.spawn(echo_vehicle(9), "external");
  const auto refused = [&](VehicleId id, const char* to) {
    return error_text([&] { three.bridge.assign(id, to); });
  };
  const auto begins = [&](const std::string& text, const char* with) {
    EXPECT_TRUE(text.starts_with(with)) << text;
  };
  three.bridge.after_step = [&](Bridge& bridge) {
    if (bridge.now() != kPause) return;
    begins(refused(1, "right"), "vehicle 1: the bridge flies; pause it first");
    bridge.set_paused(true);
    EXPECT_EQ(refused(1, "external"),
              "vehicle 1 cannot go from simulator left to external: it takes over no vehicle in "
              "flight; despawn it and spawn a new one there");
    begins(refused(9, "right"),
           "vehicle 9 cannot go from simulator external to right: a scripted simulator cannot hand "
           "over what it flies");
    begins(refused(1, "nowhere"), "there is no simulator nowhere");
    begins(refused(7, "right"), "there is no vehicle 7");
    add_builtin(*three.right, 1, fleet_spec(1, kShort), {});
    begins(refused(1, "right"),
           "vehicle 1 cannot go from simulator left to right: vehicle 1 is in this simulator");
    bridge.set_paused(false);
  };
  three.bridge.run_until(TimeUs(7'000'000));
  EXPECT_EQ(three.digest(1, "left"), alone(1));
  EXPECT_EQ(three.bridge.vehicle(9).frame().time, three.bridge.now());
  EXPECT_TRUE(three.bridge.events().empty());
}

// Its simulator does not know that the vehicle is gone.
TEST(BridgePause, FramesOfADespawnedVehicleAreDropped) {
  Bridge bridge;
  const auto external = std::make_shared<ScriptedSimulator>();
  const auto other = std::make_shared<BuiltinAdapter>();
  bridge.register_adapter("external", external);
  bridge.register_adapter("other", other);
  bridge.spawn(echo_vehicle(0), "external");
  bridge.spawn(echo_vehicle(1), "external");
  bridge.step();
  bridge.set_paused(true);
  bridge.despawn(1);
  EXPECT_NE(
      error_text([&] { bridge.spawn(echo_vehicle(1), "external"); }).find("before the start only"),
      std::string::npos);
  Spec spec = fleet_spec(1, kShort);
  spec.timeline.autopilot = DurationUs(20'000);
  add_builtin(*other, 1, spec, {});
  bridge.spawn(builtin_vehicle(1, spec), "other");
  bridge.set_paused(false);
  bridge.run_until(TimeUs(1'000'000));
  EXPECT_EQ(bridge.now(), TimeUs(1'000'000));
  EXPECT_EQ(other->run(1).now(), TimeUs(980'000));
  EXPECT_TRUE(bridge.events().empty());
  EXPECT_NE(error_text([&] {
              bridge.set_paused(true);
              bridge.register_adapter("more", std::make_shared<ScriptedSimulator>());
            }).find("has a clock of its own"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus
