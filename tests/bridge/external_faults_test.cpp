// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies fleets with every fault
// needs: double_hil_simulator double_json_physics

// External simulators that go wrong, under each policy, over their sockets: the bridge neither
// hangs nor crashes, says who, since when and what it waited for, its time goes on, and the others
// do not notice. One that is started again rejoins at the time of the bridge. Each fault is tried
// with one policy, with TACTUS_TEST_ALL=1 with every policy.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/bridge/adapter/hil_adapter.h"
#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/bridge/bridge.h"
#include "tactus/core/error.h"
#include "tests/support/external_flight.h"
#include "tests/support/scale.h"
#include "tests/support/scripted_simulator.h"

namespace tactus {
namespace {

using testing::contains;
using testing::echo_vehicle;
using testing::EchoAutopilot;
using testing::ExternalDouble;
using testing::ScriptedSimulator;
using testing::wall_seconds;

constexpr DurationUs kStep{4'000};
constexpr LatePolicy kPolicies[] = {LatePolicy::kFail, LatePolicy::kHold, LatePolicy::kDrop,
                                    LatePolicy::kFreeRunning};

struct Protocol {
  const char* name;
  const char* program;
  const char* waits_for;
};
constexpr Protocol kHil{"hil", "hil_simulator", "from 127.0.0.1:"};
constexpr Protocol kJson{"json", "json_physics", "a JSON answer from 127.0.0.1:"};

std::shared_ptr<SimulatorAdapter> adapter_to(const Protocol& protocol, std::uint16_t port) {
  if (protocol.program == kHil.program) {
    HilOptions options;
    options.port = port;
    options.connect_deadline = DurationUs(20'000'000);
    return std::make_shared<HilAdapter>(options);
  }
  JsonOptions options;
  options.port = port;
  options.ask_again = DurationUs(100'000);
  options.connect_deadline = DurationUs(20'000'000);
  return std::make_shared<JsonAdapter>(options);
}

/// Vehicle 0 in a simulator that does nothing wrong, vehicle 1 in an external one.
struct WithExternal {
  WithExternal(const Protocol& protocol, std::uint16_t port, LatePolicy policy, DurationUs deadline,
               BridgeOptions options = {})
      : bridge(std::move(options)) {
    LinkParameters link;
    link.exchange_deadline = deadline;
    link.late = policy;
    bridge.register_adapter("correct", std::make_shared<ScriptedSimulator>());
    bridge.register_adapter("external", adapter_to(protocol, port), link);
    bridge.spawn(echo_vehicle(0, kStep), "correct");
    bridge.spawn(echo_vehicle(1, kStep), "external");
  }
  const std::vector<TimeUs>& times(VehicleId id) {
    return dynamic_cast<const EchoAutopilot&>(bridge.vehicle(id).autopilot()).times;
  }
  AdapterReport external() const { return bridge.reports()[1]; }
  Bridge bridge;
};

struct Fault {
  Protocol protocol;
  const char* name;
  const char* how;
  std::uint64_t deadline_us;
  const char* says;  ///< null: it does no harm
};

constexpr Fault kFaults[] = {
    {kHil, "slow", "--slow-at 60", 200'000, "no answer within 200ms"},
    {kHil, "hangs", "--hang-at 60", 300'000, "no answer within 300ms"},
    {kHil, "dies", "--die-at 60", 5'000'000, "has closed the connection"},
    {kHil, "noise", "--noise-at 60", 20'000'000, "without a HIL_SENSOR of a new instant"},
    {kHil, "garbage", "--garbage-at 60", 20'000'000, nullptr},
    {kHil, "old", "--back-at 60", 5'000'000, "has gone back in time"},
    {kHil, "future", "--jump-at 60", 5'000'000, "has jumped from"},
    {kHil, "duplicates", "--twice-at 60", 20'000'000, nullptr},
    {kHil, "reordered", "--swap-at 60", 5'000'000, "has jumped from"},
    {kHil, "floods", "--flood-at 60", 20'000'000, "without a HIL_SENSOR of a new instant"},
    {kHil, "reconnects", "--close-at 60 --connections 9", 5'000'000, "has closed the connection"},
    {kJson, "slow", "--slow-at 200", 200'000, "no answer within 200ms"},
    {kJson, "hangs", "--hang-at 200", 300'000, "no answer within 300ms"},
    {kJson, "dies", "--die-at 200", 300'000, "no answer within 300ms"},
    {kJson, "noise", "--noise-at 200", 20'000'000, "sends answers that are unreadable"},
    {kJson, "garbage", "--garbage-every 5", 20'000'000, nullptr},
    {kJson, "old", "--back-at 200", 20'000'000, "has gone back in time"},
    {kJson, "future", "--jump-at 200", 5'000'000, "has jumped from"},
    {kJson, "duplicates", "--twice-every 3", 20'000'000, nullptr},
    {kJson, "reordered", "--late-every 3", 20'000'000, nullptr},
    {kJson, "floods", "--flood-at 200", 20'000'000, "floods us"},
    {kJson, "stands", "--stand-at 200", 20'000'000, "stands still"},
    // What came is told also where the deadline is the shorter one.
    {kJson, "brief_noise", "--noise-at 200", 700'000,
     "times came what is no answer, the last: unr"},
    {kJson, "brief_stand", "--stand-at 200", 700'000, "what is no answer, the last: its time"},
    {kHil, "brief_noise", "--noise-at 60", 300'000, "the last: bytes that are no MAVLink message"},
};

class ExternalFault : public ::testing::TestWithParam<std::size_t> {
 protected:
  static constexpr TimeUs kEnd{600'000};
  static constexpr std::size_t kExchanges = 151;

  void fly(const Fault& fault, LatePolicy policy) {
    ExternalDouble program(fault.protocol.program, fault.how);
    WithExternal two(fault.protocol, program.port(), policy, DurationUs(fault.deadline_us));
    TimeUs last;
    two.bridge.after_step = [&last](Bridge& bridge) {
      EXPECT_EQ(bridge.now(), last + kStep) << "time goes on by the step, always";
      last = bridge.now();
    };
    const double begin_s = wall_seconds();
    std::string error;
    try {
      two.bridge.run_until(kEnd);
    } catch (const Error& thrown) {
      EXPECT_EQ(thrown.code(), ExitCode::kPeer);
      error = thrown.what();
    }
    two.bridge.stop();
    EXPECT_LT(wall_seconds() - begin_s, 60.0);
    const bool stops = fault.says != nullptr && policy == LatePolicy::kFail;
    check_message(fault, stops, error, two.bridge);
    check_times(two, stops);
  }

  static void check_message(const Fault& fault, bool stops, const std::string& error,
                            Bridge& bridge) {
    if (fault.says == nullptr) {
      EXPECT_EQ(bridge.reports()[1].misses, 0U);
      EXPECT_TRUE(bridge.events().empty());
      return;
    }
    EXPECT_GE(bridge.reports()[1].misses, 1U);
    ASSERT_FALSE(bridge.events().empty());
    EXPECT_LT(bridge.events().size(), 10U) << "told once";
    const BridgeEvent& event = bridge.events()[0];
    EXPECT_EQ(event.who, "simulator external");
    for (const std::string& text : {event.what, stops ? error : event.what}) {
      EXPECT_TRUE(contains(text, fault.says)) << text;
      EXPECT_TRUE(contains(text, "for t = " + std::to_string(event.time.us) + " us")) << text;
      EXPECT_TRUE(contains(text, "last in step at " + std::to_string(event.time.us - kStep.us)))
          << text;
      EXPECT_TRUE(contains(text, fault.protocol.waits_for)) << text;
    }
    EXPECT_EQ(contains(error, "simulator external: "), stops) << error;
  }

  static void check_times(WithExternal& two, bool stops) {
    EXPECT_EQ(two.bridge.now() == kEnd, !stops);
    if (!stops) {
      EXPECT_EQ(two.times(0).size(), kExchanges);
    }
    const std::vector<TimeUs>& times = two.times(1);
    EXPECT_LE(times.size(), kExchanges);
    EXPECT_TRUE(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) ==
                times.end());
  }
};

TEST_P(ExternalFault, IsNamedAndDoesNotHoldTheOthers) {
  const Fault& fault = kFaults[GetParam()];
  for (std::size_t i = 0; i < std::size(kPolicies); ++i) {
    if (!testing::test_all() && i != GetParam() % std::size(kPolicies)) continue;
    SCOPED_TRACE(std::string(fault.protocol.name) + " " + fault.how + ", policy " +
                 std::to_string(i));
    fly(fault, kPolicies[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExternalFault, ::testing::Range(std::size_t{0}, std::size(kFaults)),
                         [](const auto& one) {
                           const Fault& fault = kFaults[one.param];
                           return std::string(fault.protocol.name) + "_" + fault.name;
                         });

// ---- rejoining

class Rejoining : public ::testing::TestWithParam<Protocol> {};

TEST_P(Rejoining, OneThatIsStartedAgainGoesOnAtTheTimeOfTheBridge) {
  auto program = std::make_unique<ExternalDouble>(GetParam().program, "--die-at 200");
  const std::uint16_t port = program->port();
  WithExternal two(GetParam(), port, LatePolicy::kHold, DurationUs(1'000'000));
  two.bridge.set_time_mode(TimeMode::scaled(2.0));
  two.bridge.after_step = [&](Bridge& bridge) {
    if (program->process().running() || bridge.reports()[1].misses == 0) return;
    program =
        std::make_unique<ExternalDouble>(GetParam().program, "--port " + std::to_string(port));
  };
  // JSON is over UDP: that it has died shows only when its successor begins at an earlier time.
  while (two.external().recoveries == 0 && two.bridge.now() < TimeUs(60'000'000)) {
    two.bridge.run_until(two.bridge.now() + DurationUs(200'000));
  }
  const TimeUs end = two.bridge.now() + DurationUs(200'000);
  two.bridge.run_until(end);
  EXPECT_EQ(two.external().state, AdapterState::kFine);
  EXPECT_EQ(two.external().recoveries, 1U);
  const SensorFrame& frame = two.bridge.vehicle(1).frame();
  EXPECT_EQ(frame.time, end);
  EXPECT_EQ(frame.estimate.measured_at, end);
  EXPECT_EQ(frame.imu[0].measured_at, end);
  const std::vector<BridgeEvent>& events = two.bridge.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].what, "is connected again");
  EXPECT_EQ(events[2].what, "is back in lockstep");
  const std::vector<TimeUs>& times = two.times(1);
  EXPECT_TRUE(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) ==
              times.end());
  EXPECT_EQ(two.times(0).size(), end.us / kStep.us + 1);
}

INSTANTIATE_TEST_SUITE_P(All, Rejoining, ::testing::Values(kHil, kJson),
                         [](const auto& one) { return std::string(one.param.name); });

// ---- endurance

/// Only checks that time goes on.
class Watch final : public Autopilot {
 public:
  [[nodiscard]] const char* name() const override { return "watch"; }
  void step(const AutopilotInput& input, AutopilotOutput& /*output*/) override {
    if (exchanges > 0) {
      EXPECT_GT(input.now, last);
    }
    last = input.now;
    ++exchanges;
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }
  TimeUs last;
  std::uint64_t exchanges = 0;
};

VehicleSetup watched(VehicleId id) {
  VehicleSetup setup = echo_vehicle(id, kStep);
  setup.autopilot = std::make_unique<Watch>();
  return setup;
}

/// Of this process, in bytes.
std::size_t memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  std::size_t resident = 0;
  file >> pages >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// A program that is started again, with another fault, whenever it has ended or hangs.
class Unreliable {
 public:
  Unreliable(const Protocol& protocol, std::uint64_t seed)
      : protocol_(protocol), random_(seed), program_(start("")), port_(program_->port()) {}

  [[nodiscard]] std::uint16_t port() const { return port_; }
  void look() {
    if (program_->process().running() && wall_seconds() < replaced_at_s_) return;
    program_.reset();
    program_ = start(" --port " + std::to_string(port_));
    ++starts;
  }

  int starts = 1;

 private:
  std::unique_ptr<ExternalDouble> start(const std::string& where) {
    constexpr const char* kWays[] = {"die",   "hang",  "slow", "noise",
                                     "flood", "stand", "back", "jump"};
    const std::string way = kWays[next() % std::size(kWays)];
    replaced_at_s_ = wall_seconds() + 3.0;
    return std::make_unique<ExternalDouble>(
        protocol_.program, "--" + way + "-at " + std::to_string(50 + next() % 500) + where);
  }
  std::uint64_t next() {
    random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return random_ >> 33U;
  }

  Protocol protocol_;
  std::uint64_t random_;
  double replaced_at_s_ = 0.0;
  std::unique_ptr<ExternalDouble> program_;
  std::uint16_t port_;
};

TEST(ExternalEndurance, RandomFaultsForAnHourTakeNoMemory) {
  const double length_s = testing::test_all() ? 3600.0 : 8.0;
  Unreliable hil(kHil, 1);
  Unreliable json(kJson, 2);
  LinkParameters link;
  link.exchange_deadline = DurationUs(200'000);
  link.late = LatePolicy::kHold;
  const auto good = std::make_shared<ScriptedSimulator>();
  good->keeps_commands = false;
  Bridge bridge;
  bridge.register_adapter("good", good);
  bridge.register_adapter("hil", adapter_to(kHil, hil.port()), link);
  link.late = LatePolicy::kFreeRunning;
  bridge.register_adapter("json", adapter_to(kJson, json.port()), link);
  bridge.spawn(watched(0), "good");
  bridge.spawn(watched(1), "hil");
  bridge.spawn(watched(2), "json");
  bridge.set_time_mode(TimeMode::scaled(1.0));
  const double begin_s = wall_seconds();
  std::size_t settled = 0;
  while (wall_seconds() - begin_s < length_s) {
    bridge.run_until(bridge.now() + DurationUs(100'000));
    hil.look();
    json.look();
    if (settled == 0 && wall_seconds() - begin_s > 0.2 * length_s) settled = memory();
  }
  bridge.stop();
  const auto& untouched = dynamic_cast<const Watch&>(bridge.vehicle(0).autopilot());
  EXPECT_EQ(untouched.exchanges, bridge.now().us / kStep.us + 1);
  EXPECT_EQ(untouched.last, bridge.now());
  EXPECT_GE(hil.starts, 2);
  EXPECT_GE(json.starts, 2);
  // Sanitizers keep what was freed for a while.
  if (!testing::sanitized()) {
    EXPECT_LT(memory(), settled + (std::size_t{8} << 20U)) << "it has grown";
  }
  std::cout << hil.starts << " and " << json.starts << " programs, " << bridge.events().size()
            << " events, " << bridge.now().us / 1'000'000 << " s flown\n";
}

}  // namespace
}  // namespace tactus
