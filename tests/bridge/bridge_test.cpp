// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tactus/core/error.h"
#include "tests/support/scripted_simulator.h"

namespace tactus {
namespace {

using testing::echo_vehicle;
using testing::EchoAutopilot;
using testing::Misbehaviour;
using testing::ScriptedSimulator;

constexpr TimeUs kEnd{2'000'000};

std::string error_text(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const std::vector<TimeUs>& times_of(Bridge& bridge, VehicleId id) {
  return dynamic_cast<const EchoAutopilot&>(bridge.vehicle(id).autopilot()).times;
}

LinkParameters quick(LatePolicy policy) {
  LinkParameters link;
  link.exchange_deadline = DurationUs(500'000);
  link.late = policy;
  return link;
}

/// Two simulators with two vehicles each; "bad" is the one that a test spoils.
struct TwoSimulators {
  explicit TwoSimulators(const LinkParameters& link = {}, BridgeOptions options = {})
      : bridge(std::move(options)) {
    bridge.register_adapter("good", good);
    bridge.register_adapter("bad", bad, link);
    bridge.spawn(echo_vehicle(0), "good");
    bridge.spawn(echo_vehicle(1), "bad");
    bridge.spawn(echo_vehicle(2), "good");
    bridge.spawn(echo_vehicle(3), "bad");
  }
  std::shared_ptr<ScriptedSimulator> good = std::make_shared<ScriptedSimulator>();
  std::shared_ptr<ScriptedSimulator> bad = std::make_shared<ScriptedSimulator>();
  Bridge bridge;
};

// ---- lockstep

TEST(Bridge, EveryControlLoopRunsOnceBeforeTheFirstStepAndThenAtEveryExchange) {
  TwoSimulators two;
  two.bridge.start();
  EXPECT_EQ(two.bridge.sim_time_us(), 0u);
  for (const VehicleId id : two.bridge.vehicles()) {
    EXPECT_EQ(times_of(two.bridge, id), std::vector<TimeUs>{TimeUs()});
  }
  two.bridge.step();
  EXPECT_EQ(two.bridge.sim_time_us(), 20'000u);
  EXPECT_EQ(times_of(two.bridge, 3).back(), TimeUs(20'000));
}

TEST(Bridge, CommandsAnswerTheFrameOfTheSameInstant) {
  TwoSimulators two;
  two.bridge.run_until(kEnd);
  two.bridge.stop();
  ASSERT_EQ(two.good->commands.size(), 202u);
  for (const ActuatorCommand& command : two.good->commands) {
    EXPECT_EQ(command.command.servo[0], static_cast<double>(command.time.us % 1'000'000) * 1e-6);
  }
}

TEST(Bridge, AVehicleExchangesAtItsOwnPeriod) {
  Bridge bridge;
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  bridge.spawn(echo_vehicle(0, DurationUs(4000)), "one");
  bridge.spawn(echo_vehicle(1, DurationUs(10'000)), "one");
  bridge.run_until(TimeUs(20'000));
  EXPECT_EQ(bridge.step_size(), DurationUs(2000));
  EXPECT_EQ(times_of(bridge, 0).size(), 6u);
  EXPECT_EQ(times_of(bridge, 1), (std::vector<TimeUs>{TimeUs(0), TimeUs(10'000), TimeUs(20'000)}));
}

TEST(Bridge, WithoutVehiclesItStepsBy20Milliseconds) {
  Bridge bridge;
  bridge.step();
  EXPECT_EQ(bridge.sim_time_us(), 20'000u);
}

TEST(Bridge, AStepThatDoesNotFitIsRefused) {
  TwoSimulators longer({}, {.step = DurationUs(40'000)});
  EXPECT_NE(error_text([&] { longer.bridge.start(); }).find("must not be longer"),
            std::string::npos);
  TwoSimulators odd({}, {.step = DurationUs(3000)});
  EXPECT_NE(error_text([&] { odd.bridge.start(); }).find("nearest are 18000 and 21000"),
            std::string::npos);
  TwoSimulators coarse;
  coarse.bad->able.own_step = DurationUs(3000);
  EXPECT_NE(error_text([&] {
              coarse.bridge.start();
            }).find("steps by 3000 us, which does not divide step_us = 20000"),
            std::string::npos);
}

// ---- who is there

TEST(Bridge, NamesIdsAndPortsAreUnique) {
  TwoSimulators two;
  EXPECT_NE(error_text([&] { two.bridge.register_adapter("good", two.good); }).find("already"),
            std::string::npos);
  EXPECT_NE(error_text([&] { two.bridge.spawn(echo_vehicle(3), "good"); }).find("vehicle 3"),
            std::string::npos);
  VehicleSetup clash = echo_vehicle(9);
  clash.mavlink_port = 14551;
  EXPECT_NE(error_text([&] { two.bridge.spawn(std::move(clash), "good"); }).find("14551"),
            std::string::npos);
  EXPECT_NE(
      error_text([&] { two.bridge.spawn(echo_vehicle(9), "nobody"); }).find("there are: bad, good"),
      std::string::npos);
  EXPECT_NE(error_text([&] { two.bridge.spawn(echo_vehicle(254), "good"); }).find("0 to 253"),
            std::string::npos);
}

TEST(Bridge, WhoIsNotThereIsNamed) {
  TwoSimulators two;
  const auto says = [](const std::function<void()>& action, const char* what) {
    EXPECT_NE(error_text(action).find(what), std::string::npos) << error_text(action);
  };
  says([&] { (void)two.bridge.adapter("nobody"); },
       "there is no simulator nobody; there are: bad, good");
  says([&] { two.bridge.unregister_adapter("nobody"); }, "there is no simulator nobody");
  says([&] { two.bridge.assign(1, "nobody"); }, "there is no simulator nobody");
  says([&] { (void)two.bridge.vehicle(9); }, "there is no vehicle 9");
  says([&] { two.bridge.despawn(9); }, "there is no vehicle 9");
  says([&] { two.bridge.assign(9, "good"); }, "there is no vehicle 9");
}

TEST(Bridge, AVehicleFliesWhereItWasAssignedToLast) {
  TwoSimulators two;
  two.bridge.assign(1, "good");
  two.bridge.assign(3, "good");
  two.bridge.unregister_adapter("bad");
  EXPECT_EQ(two.bridge.adapters(), std::vector<std::string>{"good"});
  two.bridge.run_until(TimeUs(100'000));
  two.bridge.stop();
  EXPECT_EQ(two.good->commands.size(), 4u * 6u);
  EXPECT_TRUE(two.bad->commands.empty());
}

TEST(Bridge, NothingIsCommandedBeforeTheFirstFrame) {
  TwoSimulators two;
  const Command& command = two.bridge.vehicle(0).command().command;
  for (const double motor : command.motor) EXPECT_EQ(motor, 0.0);
  for (const double servo : command.servo) EXPECT_EQ(servo, 0.0);
  EXPECT_FALSE(two.bridge.vehicle(0).command().status.armed);
}

TEST(Bridge, NoAssignmentIsLeftDangling) {
  TwoSimulators two;
  EXPECT_NE(error_text([&] { two.bridge.unregister_adapter("bad"); }).find("1, 3"),
            std::string::npos);
  two.bridge.despawn(3);
  two.bridge.spawn(echo_vehicle(3), "bad");  // its id is free again
  two.bridge.run_until(TimeUs(100'000));
  two.bridge.set_paused(true);
  two.bridge.despawn(1);
  two.bridge.despawn(3);
  two.bridge.set_paused(false);
  two.bridge.run_until(TimeUs(200'000));
  EXPECT_EQ(two.bridge.vehicles(), (std::vector<VehicleId>{0, 2}));
  EXPECT_EQ(times_of(two.bridge, 2).size(), 11u);
}

TEST(Bridge, FiftyVehiclesFit) {
  Bridge bridge({.threads = 2});
  bridge.register_adapter("one", std::make_shared<ScriptedSimulator>());
  for (int id = 0; id < 50; ++id) bridge.spawn(echo_vehicle(static_cast<VehicleId>(id)), "one");
  bridge.run_until(kEnd);
  EXPECT_EQ(times_of(bridge, 49).size(), 101u);
}

TEST(Bridge, CapabilitiesAreLookedAtBeforeTheStart) {
  TwoSimulators crowded;
  crowded.bad->able.most_vehicles = 1;
  EXPECT_NE(error_text([&] { crowded.bridge.start(); }).find("holds 1 at most"), std::string::npos);
  TwoSimulators free;
  free.bad->able.lockstep = false;
  EXPECT_NE(error_text([&] { free.bridge.start(); }).find("cannot be held in lockstep"),
            std::string::npos);
  TwoSimulators chosen(quick(LatePolicy::kFreeRunning));
  chosen.bad->able.lockstep = false;
  chosen.bridge.run_until(kEnd);
  EXPECT_EQ(chosen.bridge.warnings().size(), 1u);
  EXPECT_EQ(times_of(chosen.bridge, 0).size(), 101u);
}

// ---- time

/// Sleeps by going on.
class TestClock final : public WallClock {
 public:
  [[nodiscard]] std::uint64_t now_ns() const override { return ns; }
  void sleep_until_ns(std::uint64_t instant_ns) override { ns = std::max(ns, instant_ns); }
  std::uint64_t ns = 1'000;
};

TEST(Bridge, ScaledTimeLosesNoFraction) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  bridge.set_time_mode(TimeMode::scaled(3.0));
  bridge.run_until(TimeUs(30'000'000));
  EXPECT_EQ(bridge.sim_time_us(), 30'000'000u);
  EXPECT_NEAR(static_cast<double>(clock->ns - 1'000), 10e9, 1.0);
}

TEST(Bridge, ChangingTheModeKeepsTimeMonotone) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  std::uint64_t last = 0;
  bridge.after_step = [&](Bridge& b) {
    EXPECT_EQ(b.sim_time_us(), last + 20'000);
    last = b.sim_time_us();
    if (last % 100'000 == 0) b.set_time_mode(TimeMode::scaled(0.37));
    if (last % 100'000 == 40'000) b.set_time_mode(TimeMode::free_running());
    if (last % 100'000 == 80'000) b.set_time_mode(TimeMode::lockstep());
  };
  bridge.run_until(TimeUs(1'000'000));
  EXPECT_EQ(last, 1'000'000u);
}

TEST(Bridge, APauseHoldsTimeAndASingleStepGoesOn) {
  const auto clock = std::make_shared<TestClock>();
  Bridge bridge({.clock = clock});
  bridge.set_time_mode(TimeMode::scaled(1.0));
  bridge.step();
  bridge.set_paused(true);
  clock->ns += 5'000'000'000;
  EXPECT_EQ(bridge.sim_time_us(), 20'000u);
  bridge.step();
  EXPECT_EQ(bridge.sim_time_us(), 40'000u);
  bridge.set_paused(false);
  const std::uint64_t before = clock->ns;
  bridge.run_until(TimeUs(140'000));
  EXPECT_NEAR(static_cast<double>(clock->ns - before), 0.1e9, 1e6);
}

TEST(Bridge, AFactorThatIsNoneIsRefused) {
  Bridge bridge;
  for (const double factor : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(error_text([&] { bridge.set_time_mode(TimeMode::scaled(factor)); }).find("above 0"),
              std::string::npos);
  }
}

// ---- those who misbehave

struct Case {
  Misbehaviour misbehaviour;
  const char* says;
};

class MisbehavingSimulator : public ::testing::TestWithParam<Case> {};

TEST_P(MisbehavingSimulator, FailStopsTheBridgeAndNamesIt) {
  TwoSimulators two(quick(LatePolicy::kFail));
  two.bad->misbehaviour = GetParam().misbehaviour;
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = error_text([&] { two.bridge.run_until(kEnd); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_NE(text.find("simulator bad"), std::string::npos) << text;
  EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
  EXPECT_NE(text.find("t = 1000000 us; last in step at 980000 us; it waits for a test"),
            std::string::npos)
      << text;
  EXPECT_EQ(two.bridge.now(), TimeUs(980'000));
}

TEST_P(MisbehavingSimulator, HoldDropAndFreeRunningGoOnWithoutIt) {
  for (const LatePolicy policy : {LatePolicy::kHold, LatePolicy::kDrop, LatePolicy::kFreeRunning}) {
    TwoSimulators two(quick(policy));
    two.bad->misbehaviour = GetParam().misbehaviour;
    two.bridge.run_until(TimeUs(1'300'000));
    EXPECT_EQ(two.bridge.now(), TimeUs(1'300'000));
    EXPECT_EQ(times_of(two.bridge, 0).size(), 66u);
    EXPECT_LE(times_of(two.bridge, 1).size(), 66u);
    const AdapterReport report = two.bridge.reports()[0];
    EXPECT_GE(report.misses, 1u);
    ASSERT_FALSE(two.bridge.events().empty());
    EXPECT_EQ(two.bridge.events()[0].who, "simulator bad");
    EXPECT_EQ(two.bridge.events()[0].time, TimeUs(1'000'000));
    const std::vector<TimeUs>& times = times_of(two.bridge, 1);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bridge, MisbehavingSimulator,
    ::testing::Values(Case{Misbehaviour::kHangs, "no answer within 500ms"},
                      Case{Misbehaviour::kHangsDeaf, "no answer within 500ms"},
                      Case{Misbehaviour::kDies, "has died"},
                      Case{Misbehaviour::kOldTime, "with time 500000 us came at 1000000 us"},
                      Case{Misbehaviour::kFutureTime, "with time 1500000 us"},
                      Case{Misbehaviour::kTwice, "time must go on"},
                      Case{Misbehaviour::kFlood, "floods the bridge"},
                      Case{Misbehaviour::kNothing, "no frame of vehicle 1"},
                      Case{Misbehaviour::kWrongVehicle, "a frame of vehicle 200 came"}),
    [](const auto& one) { return "Case" + std::to_string(one.index); });

TEST(Bridge, TheOrderOfFramesDoesNotMatter) {
  TwoSimulators two(quick(LatePolicy::kFail));
  two.bad->misbehaviour = Misbehaviour::kReordered;
  two.bridge.run_until(kEnd);
  EXPECT_EQ(times_of(two.bridge, 3).size(), 101u);
}

TEST(Bridge, OneThatComesBackIsInLockstepAgain) {
  TwoSimulators two(quick(LatePolicy::kHold));
  two.bad->misbehaviour = Misbehaviour::kBack;
  two.bad->delay = std::chrono::milliseconds(700);
  two.bridge.set_time_mode(TimeMode::scaled(1.0));
  two.bridge.run_until(kEnd);
  const AdapterReport report = two.bridge.reports()[0];
  EXPECT_EQ(report.state, AdapterState::kFine);
  EXPECT_EQ(report.recoveries, 1u);
  EXPECT_EQ(two.bridge.events().back().what, "is back in lockstep");
  EXPECT_EQ(two.bridge.vehicle(1).frame().time, kEnd);
}

TEST(Bridge, ASlowOneWithinItsDeadlineChangesNothing) {
  TwoSimulators two;
  two.bad->misbehaviour = Misbehaviour::kSlow;
  two.bad->delay = std::chrono::milliseconds(2);
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.reports()[0].misses, 0u);
  EXPECT_EQ(times_of(two.bridge, 1), times_of(two.bridge, 0));
}

TEST(Bridge, FreeRunningTimeDoesNotWaitForSimulatorsOutside) {
  TwoSimulators two;
  two.bad->misbehaviour = Misbehaviour::kSlow;
  two.bad->delay = std::chrono::milliseconds(100);
  two.bridge.set_time_mode(TimeMode::free_running());
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), kEnd);
  EXPECT_LT(times_of(two.bridge, 1).size(), 101u);
  EXPECT_EQ(two.bridge.reports()[0].misses, 0u);
}

TEST(Bridge, TimeThatWasNotWaitedForIsCaughtUpWithWhenItIsAgain) {
  TwoSimulators two(quick(LatePolicy::kFail));
  two.bad->misbehaviour = Misbehaviour::kSlow;
  two.bad->delay = std::chrono::milliseconds(100);
  two.bridge.after_step = [](Bridge& bridge) {
    const bool free = bridge.now() >= TimeUs(1'000'000) && bridge.now() < TimeUs(1'500'000);
    bridge.set_time_mode(free ? TimeMode::free_running() : TimeMode::lockstep());
  };
  two.bridge.run_until(TimeUs(1'600'000));
  EXPECT_EQ(two.bridge.vehicle(1).frame().time, TimeUs(1'600'000));
  EXPECT_EQ(two.bridge.reports()[0].misses, 0u);
}

TEST(Bridge, WhatAnAdapterThrowsIsItsOwnTroubleWhateverItIs) {
  for (const Misbehaviour how : {Misbehaviour::kThrowsOther, Misbehaviour::kRefusesCommands}) {
    TwoSimulators two(quick(LatePolicy::kDrop));
    two.bad->misbehaviour = how;
    two.bridge.run_until(kEnd);
    EXPECT_EQ(two.bridge.now(), kEnd);
    EXPECT_EQ(two.bridge.reports()[0].state, AdapterState::kDropped);
    ASSERT_EQ(two.bridge.events().size(), 1u);
    EXPECT_NE(two.bridge.events()[0].what.find("as a test wants it"), std::string::npos);
  }
}

TEST(Bridge, OneThatFailsAgainAndAgainIsToldOnce) {
  for (const Misbehaviour how : {Misbehaviour::kDies, Misbehaviour::kOldTime}) {
    for (const LatePolicy policy : {LatePolicy::kHold, LatePolicy::kFreeRunning}) {
      TwoSimulators two(quick(policy));
      two.bad->misbehaviour = how;
      two.bridge.run_until(TimeUs(10'000'000));
      EXPECT_EQ(two.bridge.reports()[0].misses, 1u);
      EXPECT_LE(two.bridge.events().size(), 3u);
    }
  }
}

TEST(Bridge, CtrlCEndsAWaitAndTheStepIsNotMade) {
  std::atomic<bool> stop = false;
  BridgeOptions options;
  options.interrupted = [&stop] { return stop.load(); };
  LinkParameters patient;
  TwoSimulators two(patient, options);
  two.bad->misbehaviour = Misbehaviour::kBack;
  two.bad->delay = std::chrono::milliseconds(1500);
  // In the middle of the exchange of 1 s, when the others have delivered already.
  std::thread user([&] {
    while (two.bad->pauses == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  two.bridge.run_until(kEnd);
  user.join();
  EXPECT_EQ(two.bridge.now(), TimeUs(980'000));
  EXPECT_EQ(times_of(two.bridge, 0).back(), TimeUs(980'000)) << "no control loop has run";
  EXPECT_TRUE(two.bridge.events().empty());
  // In the middle of a step they do not all stand at the same instant.
  two.bridge.set_paused(true);
  EXPECT_NE(error_text([&] { two.bridge.spawn(echo_vehicle(9), "good"); }).find("make it first"),
            std::string::npos);
  two.bridge.set_paused(false);
  // The user has changed their mind: the same step goes on, and nobody sees an instant twice.
  stop = false;
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), kEnd);
  for (const VehicleId id : two.bridge.vehicles()) {
    const std::vector<TimeUs>& times = times_of(two.bridge, id);
    ASSERT_EQ(times.size(), 101u);
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i].us, i * 20'000);
  }
}

/// Interrupted as soon as "bad" is connecting, if `stop` says so.
struct InterruptedStart {
  InterruptedStart()
      : two(quick(LatePolicy::kFreeRunning),
            {.interrupted = [this] { return stop && two.bad->connecting > 0; }}) {
    two.bad->able.lockstep = false;  // has a warning
  }
  bool stop = true;
  TwoSimulators two;
};

TEST(Bridge, AStartThatWasInterruptedMayComeAgain) {
  InterruptedStart begun;
  TwoSimulators& two = begun.two;
  two.bad->connect_pause = std::chrono::milliseconds(60'000);
  two.bridge.start();
  EXPECT_EQ(times_of(two.bridge, 0).size(), 0u);
  begun.stop = false;
  two.bridge.despawn(3);
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), kEnd);
  EXPECT_EQ(times_of(two.bridge, 0).size(), 101u);
  EXPECT_EQ(two.bad->connections, 2);
  EXPECT_EQ(two.bad->most_connecting, 1);
  EXPECT_TRUE(two.bridge.events().empty());
  EXPECT_EQ(two.bridge.warnings().size(), 1u);
}

TEST(Bridge, WhoIsInterruptedWhileConnectingConnectsNobodyAgain) {
  bool stop = false;
  BridgeOptions options;
  TwoSimulators* begun = nullptr;
  options.interrupted = [&] { return stop = stop || begun->bad->connecting > 0; };
  TwoSimulators two({}, options);
  begun = &two;
  two.bad->connect_pause = std::chrono::milliseconds(60'000);
  two.bridge.start();
  two.bridge.run_until(kEnd);
  two.bridge.stop();  // whoever is at it has returned
  EXPECT_TRUE(stop);
  EXPECT_EQ(two.bad->connections, 1);
  EXPECT_EQ(two.bridge.now(), TimeUs());
}

// Nobody else calls a simulator that has not returned.
TEST(Bridge, OneThatDoesNotReturnFromAnInterruptedStartIsWaitedForAndThenNamed) {
  InterruptedStart begun;
  TwoSimulators& two = begun.two;
  two.bad->connect_pause = std::chrono::milliseconds(3000);
  two.bad->connects_deaf = true;
  two.bridge.start();
  begun.stop = false;
  EXPECT_NE(error_text([&] {
              two.bridge.start();
            }).find("simulator bad (scripted) has not returned from the connection"),
            std::string::npos);
  while (two.bad->connecting > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), kEnd);
  EXPECT_EQ(two.bad->connections, 2);
  EXPECT_EQ(two.bad->most_connecting, 1);
}

TEST(Bridge, CtrlCWhileCommandsAreTakenLosesNothing) {
  bool stop = false;
  BridgeOptions options;
  TwoSimulators* flown = nullptr;
  options.interrupted = [&] { return stop && flown->bad->pauses > 0; };
  TwoSimulators two({}, options);
  flown = &two;
  two.bad->misbehaviour = Misbehaviour::kSlowCommands;
  two.bad->delay = std::chrono::milliseconds(300);
  stop = true;
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), TimeUs(1'000'000)) << "all frames were there";
  stop = false;
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.now(), kEnd);
  EXPECT_TRUE(two.bridge.events().empty());
  EXPECT_EQ(times_of(two.bridge, 1).size(), 101u);
  EXPECT_EQ(times_of(two.bridge, 1), times_of(two.bridge, 0));
}

// "bad" is late and catches up in a step in which "good" is waited for and the user interrupts.
TEST(Bridge, FramesOfOneThatIsLateOutliveAnInterruption) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point limit = Clock::now() + std::chrono::hours(1);
  BridgeOptions options;
  options.interrupted = [&limit] { return Clock::now() > limit; };
  TwoSimulators two(quick(LatePolicy::kHold), options);
  two.bad->misbehaviour = two.good->misbehaviour = Misbehaviour::kBack;
  two.bad->delay = std::chrono::milliseconds(700);
  two.good->from = TimeUs(1'020'000);
  two.good->delay = std::chrono::milliseconds(2'500);
  two.bridge.run_until(TimeUs(1'000'000));
  EXPECT_EQ(two.bridge.reports()[0].state, AdapterState::kLate);
  for (int i = 0; i < 2; ++i) {
    limit = Clock::now() + std::chrono::milliseconds(500);
    two.bridge.run_until(kEnd);
    EXPECT_EQ(two.bridge.now(), TimeUs(1'000'000));
  }
  limit = Clock::now() + std::chrono::hours(1);
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.reports()[0].misses, 1u);
  EXPECT_EQ(two.bridge.reports()[0].recoveries, 1u);
  EXPECT_EQ(times_of(two.bridge, 0).size(), 101u);
  EXPECT_EQ(times_of(two.bridge, 1).size(), 100u) << "all but the instant that it missed";
}

TEST(Bridge, OneThatIsConnectedAgainAndAgainIsToldOnce) {
  const auto clock = std::make_shared<TestClock>();
  TwoSimulators two(quick(LatePolicy::kHold), {.clock = clock});
  two.bad->misbehaviour = Misbehaviour::kDies;
  two.bridge.after_step = [&clock](Bridge& /*bridge*/) {
    clock->ns += 1'000'000'000;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  two.bridge.run_until(TimeUs(4'000'000));
  EXPECT_GE(two.bad->connections, 10);
  const std::vector<BridgeEvent>& events = two.bridge.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NE(events[0].what.find("has died"), std::string::npos);
  EXPECT_EQ(events[1].what, "is connected again");
}

TEST(Bridge, WhyItCannotBeConnectedAgainAndWhatItWarnedOfIsTold) {
  const auto clock = std::make_shared<TestClock>();
  TwoSimulators two(quick(LatePolicy::kHold), {.clock = clock});
  two.bad->misbehaviour = Misbehaviour::kDies;
  two.bad->connects_again = false;
  two.bridge.after_step = [&clock](Bridge& /*bridge*/) {
    clock->ns += 1'000'000'000;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  two.bridge.run_until(TimeUs(2'000'000));
  two.bridge.stop();
  const std::vector<BridgeEvent>& events = two.bridge.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].what, "cannot be connected again: nobody is there any more");
  EXPECT_EQ(two.bridge.warnings(), std::vector<std::string>{"simulator bad: of connection 1"});
}

TEST(Bridge, OneThatIsRefusedIsNotThere) {
  TwoSimulators two;
  two.bridge.step();
  two.bridge.set_paused(true);
  two.good->admission = [] { throw std::runtime_error("no room"); };
  EXPECT_THROW(two.bridge.spawn(echo_vehicle(9), "good"), std::runtime_error);
  EXPECT_EQ(two.bridge.vehicles(), (std::vector<VehicleId>{0, 1, 2, 3}));
  EXPECT_EQ(two.good->released, std::vector<VehicleId>{9});
  two.bridge.set_paused(false);
  two.bridge.run_until(TimeUs(100'000));
  EXPECT_TRUE(two.bridge.events().empty());
}

TEST(Bridge, OneThatWasAtWorkHearsLaterWhoLeft) {
  TwoSimulators two(quick(LatePolicy::kHold));
  two.bad->misbehaviour = Misbehaviour::kBack;
  two.bad->delay = std::chrono::milliseconds(1'000);
  two.bridge.run_until(TimeUs(1'000'000));
  two.bridge.despawn(3);
  EXPECT_TRUE(two.bad->released.empty());
  two.bridge.set_time_mode(TimeMode::scaled(1.0));
  two.bridge.run_until(TimeUs(2'500'000));
  two.bridge.stop();
  EXPECT_EQ(two.bad->released, std::vector<VehicleId>{3});
}

}  // namespace
}  // namespace tactus
