// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The states of one simulator: which follow each other, and what leads from one to the next.

#include "tactus/bridge/simulator_session.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/two_simulators.h"

namespace tactus {
namespace {

using testing::error_text;
using testing::Misbehaviour;
using testing::quick;
using testing::ScriptedSimulator;
using testing::TestClock;

using Phase = SessionPhase;
using Standing = SessionStanding;

constexpr DurationUs kStep{20'000};

/// A session with a scripted simulator and a clock of ours; vehicle 0 is in it.
struct OneSession {
  explicit OneSession(LatePolicy policy) : session("one", simulator, quick(policy), context) {}

  void connect() {
    session.connect({{0, kStep}});
    EXPECT_EQ(session.phase(), Phase::kConnecting);
    EXPECT_TRUE(session.await_connection(TimeUs(), ""));
    EXPECT_EQ(session.phase(), Phase::kReady);
  }
  [[nodiscard]] ExchangeInstant at(std::uint64_t us) const {
    return {.time = TimeUs(us), .last = TimeUs(us < kStep.us ? 0 : us - kStep.us), .step = kStep};
  }
  /// Asks and waits; the frames are not routed.
  void exchange(const ExchangeInstant& instant) {
    session.request(instant);
    session.wait(instant);
  }
  /// All frames are right.
  void fly(std::uint64_t from_us, std::uint64_t to_us) {
    for (std::uint64_t us = from_us; us <= to_us; us += kStep.us) {
      exchange(at(us));
      session.accept_frames(TimeUs(us));
    }
  }
  /// Asks at instant after instant until it has thrown or connected, without a limit on wall time.
  std::uint64_t wait_while(Phase phase, std::uint64_t us) {
    while (session.phase() == phase) {
      exchange(at(us += kStep.us));
      std::this_thread::yield();
    }
    return us;
  }

  std::shared_ptr<ScriptedSimulator> simulator = std::make_shared<ScriptedSimulator>();
  TestClock clock;
  BridgeLog log;
  bool stop = false;
  SessionContext context{clock, [this] { return stop; }, log};
  SimulatorSession session;
};

template <class State>
std::set<State> after(State from, std::span<const Transition<State>> table, int count) {
  std::set<State> found;
  for (int i = 0; i < count; ++i) {
    const auto to = static_cast<State>(i);
    if (StateMachine<State>(from, table).may_go_to(to)) found.insert(to);
  }
  return found;
}

TEST(SessionStates, PhasesFollowEachOtherAsTheDiagramSays) {
  const auto next = [](Phase from) {
    return after<Phase>(from, kPhaseTransitions, static_cast<int>(Phase::kReconnecting) + 1);
  };
  using Set = std::set<Phase>;
  EXPECT_EQ(next(Phase::kUnconnected), (Set{Phase::kConnecting, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kConnecting), (Set{Phase::kReady, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kReady), (Set{Phase::kConnecting, Phase::kAsked, Phase::kDelivered,
                                      Phase::kBroken, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kAsked), (Set{Phase::kDelivered, Phase::kBroken, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kDelivered), (Set{Phase::kReady, Phase::kAsked, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kBroken), (Set{Phase::kReconnecting, Phase::kUnconnected}));
  EXPECT_EQ(next(Phase::kReconnecting), (Set{Phase::kReady, Phase::kBroken, Phase::kUnconnected}));
}

TEST(SessionStates, StandingsFollowEachOtherAsTheDiagramSays) {
  const auto next = [](Standing from) {
    return after<Standing>(from, kStandingTransitions, static_cast<int>(Standing::kFailed) + 1);
  };
  using Set = std::set<Standing>;
  EXPECT_EQ(next(Standing::kInStep), (Set{Standing::kLate, Standing::kFree, Standing::kFreeMissing,
                                          Standing::kDropped, Standing::kFailed}));
  EXPECT_EQ(next(Standing::kLate), Set{Standing::kInStep});
  EXPECT_EQ(next(Standing::kFree), Set{Standing::kFreeMissing});
  EXPECT_EQ(next(Standing::kFreeMissing), Set{Standing::kFree});
  EXPECT_EQ(next(Standing::kDropped), Set{});
  EXPECT_EQ(next(Standing::kFailed), Set{});
}

TEST(SessionStatesDeathTest, AnotherTransitionIsABug) {
  StateMachine<Phase> phase(Phase::kBroken, kPhaseTransitions);
  EXPECT_DEATH(phase.go_to(Phase::kAsked), "table of states");
  StateMachine<Standing> standing(Standing::kDropped, kStandingTransitions);
  EXPECT_DEATH(standing.go_to(Standing::kInStep), "table of states");
}

TEST(SimulatorSession, AnExchangeGoesFromReadyToDeliveredAndBack) {
  OneSession one(LatePolicy::kFail);
  EXPECT_EQ(one.session.phase(), Phase::kUnconnected);
  one.connect();
  one.session.request(one.at(0));
  EXPECT_EQ(one.session.phase(), Phase::kAsked);
  EXPECT_TRUE(one.session.is_awaited(one.at(0)));
  one.session.wait(one.at(0));
  EXPECT_EQ(one.session.phase(), Phase::kDelivered);
  EXPECT_EQ(one.session.frames().size(), 1U);
  EXPECT_TRUE(one.session.is_strict(one.at(0)));
  one.session.accept_frames(TimeUs());
  EXPECT_EQ(one.session.phase(), Phase::kReady);
  EXPECT_TRUE(one.session.frames().empty());
  one.session.disconnect();
  EXPECT_EQ(one.session.phase(), Phase::kUnconnected);
}

TEST(SimulatorSession, WhatFollowsFromWrongFramesIsItsPolicy) {
  struct Case {
    LatePolicy policy;
    Standing standing;
    AdapterState shown;
  };
  for (const Case& expected :
       {Case{LatePolicy::kFail, Standing::kFailed, AdapterState::kFine},
        Case{LatePolicy::kHold, Standing::kLate, AdapterState::kLate},
        Case{LatePolicy::kDrop, Standing::kDropped, AdapterState::kDropped},
        Case{LatePolicy::kFreeRunning, Standing::kFreeMissing, AdapterState::kFree}}) {
    OneSession one(expected.policy);
    one.connect();
    one.exchange(one.at(0));
    const std::string text = error_text([&] { one.session.refuse_frames(one.at(0), "wrong"); });
    EXPECT_EQ(text.starts_with("simulator one: wrong"), expected.policy == LatePolicy::kFail);
    EXPECT_EQ(one.session.standing(), expected.standing);
    EXPECT_EQ(one.session.adapter_state(), expected.shown);
    EXPECT_TRUE(one.session.is_missing());
    EXPECT_EQ(one.session.phase(), Phase::kReady);
    EXPECT_EQ(one.session.report().misses, 1U);
    EXPECT_EQ(one.log.events().size(), 1U);
  }
}

TEST(SimulatorSession, RightFramesBringOneThatWasHeldBackIntoStep) {
  OneSession one(LatePolicy::kHold);
  one.connect();
  one.exchange(one.at(0));
  one.session.refuse_frames(one.at(0), "wrong");
  while (one.session.phase() != Phase::kDelivered) one.exchange(one.at(20'000));
  EXPECT_TRUE(one.session.is_strict(one.at(20'000)));
  one.session.accept_frames(TimeUs(20'000));
  EXPECT_EQ(one.session.standing(), Standing::kInStep);
  EXPECT_EQ(one.session.report().recoveries, 1U);
}

TEST(SimulatorSession, FramesOfAnInstantThatIsOverAreNotRouted) {
  OneSession one(LatePolicy::kHold);
  one.connect();
  one.exchange(one.at(0));
  one.session.refuse_frames(one.at(0), "wrong");
  one.session.request(one.at(20'000));
  while (one.simulator->now() < TimeUs(20'000)) std::this_thread::yield();
  one.stop = true;  // while it catches up
  one.session.wait(one.at(40'000));
  EXPECT_EQ(one.session.phase(), Phase::kAsked);
  EXPECT_TRUE(one.session.frames().empty());
  one.stop = false;
  while (one.session.phase() != Phase::kDelivered) one.session.wait(one.at(40'000));
  ASSERT_EQ(one.session.frames().size(), 1U);
  EXPECT_EQ(one.session.frames().front().time, TimeUs(40'000));
}

TEST(SimulatorSession, OneThatRunsFreeIsMissingUntilFramesCome) {
  OneSession one(LatePolicy::kFreeRunning);
  one.session.run_free();
  one.session.run_free();  // a second start
  one.connect();
  EXPECT_FALSE(one.session.is_missing());
  while (one.session.phase() != Phase::kDelivered) one.exchange(one.at(0));
  EXPECT_FALSE(one.session.is_strict(one.at(0)));
  one.session.refuse_frames(one.at(0), "wrong");
  EXPECT_EQ(one.session.standing(), Standing::kFreeMissing);
  while (one.session.phase() != Phase::kDelivered) one.exchange(one.at(20'000));
  one.session.accept_frames(TimeUs(20'000));
  EXPECT_EQ(one.session.standing(), Standing::kFree);
  EXPECT_EQ(one.session.report().recoveries, 0U) << "it is not in lockstep";
}

TEST(SimulatorSession, OneThatRunsFreeHasADeadlineThatBeginsWithTheFirstRequest) {
  OneSession one(LatePolicy::kFreeRunning);
  one.simulator->misbehaviour = Misbehaviour::kHangs;
  one.simulator->from = TimeUs();
  one.session.run_free();
  one.connect();
  for (std::uint64_t us = 0; us <= 1'000'000; us += kStep.us) {
    one.exchange(one.at(us));
    EXPECT_EQ(one.session.is_missing(), us >= 500'000) << us;
    one.clock.ns += kStep.us * 1000;
  }
  EXPECT_EQ(one.session.report().misses, 1U);
}

TEST(SimulatorSession, OneThatHasThrownIsConnectedAgainAfterAMoment) {
  OneSession one(LatePolicy::kHold);
  one.simulator->misbehaviour = Misbehaviour::kDies;
  one.simulator->from = TimeUs(40'000);
  one.connect();
  one.fly(0, 20'000);
  one.exchange(one.at(40'000));
  EXPECT_EQ(one.session.phase(), Phase::kBroken);
  EXPECT_EQ(one.session.standing(), Standing::kLate);
  EXPECT_FALSE(one.session.wants_connection());
  one.clock.ns += 500'000'000;
  ASSERT_TRUE(one.session.wants_connection());
  one.simulator->misbehaviour = Misbehaviour::kNone;
  one.session.connect_again({{0, kStep}});
  EXPECT_EQ(one.session.phase(), Phase::kReconnecting);
  const std::uint64_t us = one.wait_while(Phase::kReconnecting, 60'000);
  EXPECT_EQ(one.session.phase(), Phase::kReady);
  EXPECT_EQ(one.session.standing(), Standing::kLate) << "until its frames are right";
  one.exchange(one.at(us + kStep.us));
  one.wait_while(Phase::kAsked, us + kStep.us);
  one.session.accept_frames(TimeUs(us + kStep.us));
  EXPECT_EQ(one.session.standing(), Standing::kInStep);
}

TEST(SimulatorSession, OneThatCannotBeConnectedAgainIsTriedAgainLater) {
  OneSession one(LatePolicy::kHold);
  one.simulator->misbehaviour = Misbehaviour::kDies;
  one.simulator->from = TimeUs();
  one.simulator->connects_again = false;
  one.connect();
  one.exchange(one.at(0));
  one.clock.ns += 500'000'000;
  one.session.connect_again({{0, kStep}});
  one.wait_while(Phase::kReconnecting, 0);
  EXPECT_EQ(one.session.phase(), Phase::kBroken);
  EXPECT_FALSE(one.session.wants_connection());
  one.clock.ns += 500'000'000;
  EXPECT_TRUE(one.session.wants_connection());
}

TEST(SimulatorSession, AnInterruptedConnectionIsGivenUpAndMayBeMadeAgain) {
  OneSession one(LatePolicy::kFail);
  one.simulator->connect_pause = std::chrono::milliseconds(60'000);
  one.session.connect({{0, kStep}});
  one.stop = true;
  EXPECT_FALSE(one.session.await_connection(TimeUs(), ""));
  one.session.give_up_connecting();
  EXPECT_EQ(one.session.phase(), Phase::kUnconnected);
  one.session.require_settled();
  one.stop = false;
  one.connect();
}

TEST(SimulatorSessionDeathTest, WhatIsOutOfOrderIsABug) {
  OneSession one(LatePolicy::kFail);
  EXPECT_DEATH(one.session.admit({0, kStep}, TimeUs()), "stands still");
  EXPECT_DEATH((void)one.session.in_process(), "of this process");
  EXPECT_DEATH(one.session.connect_again({}), "has thrown");
  EXPECT_DEATH(one.session.drop(TimeUs(), "why"), "dropped");
  EXPECT_DEATH(one.session.request({.time = TimeUs(7), .last = TimeUs(), .step = kStep}), "grid");
}

}  // namespace
}  // namespace tactus
