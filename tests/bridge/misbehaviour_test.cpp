// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: waits for simulators that do not answer

// A bridge whose simulators are late, wrong or gone, and whose user interrupts it.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/two_simulators.h"

namespace tactus {
namespace {

using testing::echo_vehicle;
using testing::error_text;
using testing::kEnd;
using testing::Misbehaviour;
using testing::quick;
using testing::ScriptedSimulator;
using testing::TestClock;
using testing::times_of;
using testing::TwoSimulators;

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
                      Case{Misbehaviour::kHangsUninterruptibly, "no answer within 500ms"},
                      Case{Misbehaviour::kDies, "has died"},
                      Case{Misbehaviour::kOldTime, "with time 500000 us came at 1000000 us"},
                      Case{Misbehaviour::kFutureTime, "with time 1500000 us"},
                      Case{Misbehaviour::kTwice, "time must go on"},
                      Case{Misbehaviour::kFlood, "floods the bridge"},
                      Case{Misbehaviour::kNothing, "no frame of vehicle 1"},
                      Case{Misbehaviour::kNotANumber,
                           "a frame of vehicle 3 holds imu[1].rate_body_rad_s.y = nan: must be"},
                      Case{Misbehaviour::kNoAttitude,
                           "a frame of vehicle 3 holds estimate.attitude, its length = 2"},
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

TEST(Bridge, TheOnlyOneCanComeBackAtFullSpeed) {
  const auto simulator = std::make_shared<ScriptedSimulator>();
  simulator->misbehaviour = Misbehaviour::kBack;
  simulator->delay = std::chrono::milliseconds(700);
  Bridge bridge;
  bridge.register_adapter("bad", simulator, quick(LatePolicy::kHold));
  bridge.spawn(echo_vehicle(1), "bad");
  bool was_missing = false;
  bridge.after_step = [&](Bridge& one) { was_missing |= one.simulator_is_missing(1); };
  bridge.run_until(TimeUs(10'000'000));
  EXPECT_EQ(bridge.reports()[0].recoveries, 1u);
  EXPECT_TRUE(was_missing);
  EXPECT_FALSE(bridge.simulator_is_missing(1));
}

TEST(Bridge, OneThatIsNotBackAtTheEndIsMissing) {
  for (const LatePolicy policy : {LatePolicy::kHold, LatePolicy::kFreeRunning}) {
    TwoSimulators two(quick(policy));
    two.bad->misbehaviour = Misbehaviour::kHangs;
    two.bridge.run_until(kEnd);
    EXPECT_TRUE(two.bridge.simulator_is_missing(1));
    EXPECT_FALSE(two.bridge.simulator_is_missing(0));
  }
}

TEST(Bridge, ASlowOneWithinItsDeadlineChangesNothing) {
  TwoSimulators two;
  two.bad->misbehaviour = Misbehaviour::kSlow;
  two.bad->delay = std::chrono::milliseconds(2);
  two.bridge.run_until(kEnd);
  EXPECT_EQ(two.bridge.reports()[0].misses, 0u);
  EXPECT_EQ(times_of(two.bridge, 1), times_of(two.bridge, 0));
}

TEST(Bridge, FreeRunningTimeDoesNotWaitForExternalSimulators) {
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

TEST(Bridge, OneThatFailsAgainAndAgainIsReportedOnce) {
  for (const Misbehaviour how : {Misbehaviour::kDies, Misbehaviour::kOldTime}) {
    for (const LatePolicy policy : {LatePolicy::kHold, LatePolicy::kFreeRunning}) {
      TwoSimulators two(quick(policy));
      two.bad->misbehaviour = how;
      two.bridge.run_until(TimeUs(4'000'000));
      EXPECT_EQ(two.bridge.reports()[0].misses, 1u);
      EXPECT_LE(two.bridge.events().size(), 3u);
    }
  }
}

TEST(Bridge, CtrlCEndsAWaitAndTheStepIsNotMade) {
  std::atomic<bool> stop = false;
  BridgeOptions options;
  options.interrupted = [&stop] { return stop.load(); };
  LinkParameters no_deadline;
  TwoSimulators two(no_deadline, options);
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
  // The user has changed their mind: the same step goes on, and no vehicle sees an instant twice.
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

TEST(Bridge, OneInterruptedWhileConnectingConnectsNoMore) {
  bool stop = false;
  BridgeOptions options;
  TwoSimulators* begun = nullptr;
  options.interrupted = [&] { return stop = stop || begun->bad->connecting > 0; };
  TwoSimulators two({}, options);
  begun = &two;
  two.bad->connect_pause = std::chrono::milliseconds(60'000);
  two.bridge.start();
  two.bridge.run_until(kEnd);
  two.bridge.stop();  // the call has returned
  EXPECT_TRUE(stop);
  EXPECT_EQ(two.bad->connections, 1);
  EXPECT_EQ(two.bridge.now(), TimeUs());
}

// A simulator that has not returned is not called again.
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

TEST(Bridge, OneThatIsConnectedAgainAndAgainIsReportedOnce) {
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

TEST(Bridge, WhyItCannotBeConnectedAgainAndItsWarningsAreReported) {
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
  EXPECT_EQ(events[1].what, "cannot be connected again: it is gone");
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

TEST(Bridge, OneThatWasAtWorkReleasesVehiclesLater) {
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
