// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: flies fleets with every kind of wrong value
// needs: double_hil_simulator double_json_physics

// External simulators that send values which cannot be flown, and autopilots that command what no
// motor can do: the policy decides, field and value are named, recorded or not.

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/hil_adapter.h"
#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/bridge/flight_mirror.h"
#include "tactus/core/math.h"
#include "tactus/files/disk_files.h"
#include "tests/support/external_flight.h"
#include "tests/support/fleet.h"
#include "tests/support/scripted_simulator.h"

namespace tactus {
namespace {

using testing::builtin_vehicle;
using testing::contains;
using testing::ExternalDouble;
using testing::ScriptedSimulator;

constexpr TimeUs kFlown{2'000'000};

LoadedSpec flight_spec() {
  const Override changes[] = {{"time.end_s", "2.0"}, {"autopilot.detect_motor_loss", "false"}};
  return load_spec(find_spec("default"), changes);
}

/// What came of a flight.
struct Outcome {
  std::optional<ExitCode> code;  ///< none: it flew to its end
  std::string text;
  std::vector<BridgeEvent> events;
  AdapterReport report;
  SensorFrame last;
  std::vector<std::string> warnings;
};

/// Flies one vehicle, with a recorder or without.
Outcome fly(const std::shared_ptr<SimulatorAdapter>& simulator, VehicleSetup setup,
            LatePolicy policy, bool recorded) {
  const LoadedSpec loaded = flight_spec();
  MemorySink sink;
  StreamRecorder recorder({recording_meta(loaded, Tier::kComponents, {})}, sink);
  FlightMirror mirror(loaded.spec, setup.autopilot, {{}, {}, {&recorder}});
  setup.recorded = recorded;
  Outcome outcome;
  Bridge bridge;
  LinkParameters link;
  link.late = policy;
  bridge.register_adapter("theirs", simulator, link);
  bridge.spawn(std::move(setup), "theirs");
  try {
    if (recorded) {
      bridge.start();
      mirror.see(bridge.vehicle(0), bridge.now());
      bridge.after_step = [&mirror](Bridge& flown) { mirror.see(flown.vehicle(0), flown.now()); };
    }
    bridge.run_until(kFlown);
  } catch (const Error& error) {
    outcome.code = error.code();
    outcome.text = error.what();
  }
  if (recorded) mirror.close();
  bridge.stop();
  outcome.events = bridge.events();
  outcome.report = bridge.reports().front();
  outcome.last = bridge.vehicle(0).frame();
  outcome.warnings = bridge.warnings();
  return outcome;
}

/// A double, and an adapter that speaks to it.
struct Theirs {
  Theirs(const std::string& kind, const std::string& how)
      : program(kind == "hil" ? "hil_simulator" : "json_physics", how) {
    HilOptions hil;
    JsonOptions json;
    hil.port = json.port = program.port();
    if (kind == "hil") {
      adapter = std::make_shared<HilAdapter>(hil);
    } else {
      adapter = std::make_shared<JsonAdapter>(json);
    }
  }
  ExternalDouble program;
  std::shared_ptr<SimulatorAdapter> adapter;
};

Outcome fly_in(const std::string& kind, const std::string& how, LatePolicy policy, bool recorded) {
  Theirs theirs(kind, how);
  return fly(theirs.adapter, builtin_vehicle(0, flight_spec().spec), policy, recorded);
}

struct Case {
  const char* kind;
  const char* how;
  const char* says;
};

/// Half a second or so after the start, whichever way it steps.
constexpr Case kCases[] = {
    {"hil", "--wrong HIL_SENSOR.xacc=nan --wrong-at 120", "HIL_SENSOR.xacc = nan: must be"},
    {"hil", "--wrong HIL_SENSOR.zgyro=inf --wrong-at 120", "HIL_SENSOR.zgyro = inf: must be"},
    {"hil", "--wrong HIL_STATE_QUATERNION.rollspeed=1e30 --wrong-at 120",
     "HIL_STATE_QUATERNION.rollspeed = 1e+30: must be"},
    {"hil", "--wrong HIL_STATE_QUATERNION.lat=2147483647 --wrong-at 120",
     "HIL_STATE_QUATERNION.lat = 2147483647: must be"},
    {"hil", "--wrong HIL_STATE_QUATERNION.attitude_quaternion[0]=0 --wrong-at 120",
     "HIL_STATE_QUATERNION.attitude_quaternion, its length = "},
    {"hil", "--wrong HIL_STATE_QUATERNION.time_usec=99999999999 --wrong-at 120",
     "HIL_STATE_QUATERNION.time_usec = 99999999999: must be that of HIL_SENSOR"},
    {"hil", "--wrong HIL_GPS.lon=-2147483648 --wrong-from 120 --wrong-until 150",
     "HIL_GPS.lon = -2147483648: must be"},
    {"json", "--wrong position=NaN --wrong-at 500", "position = NaN: must be a list of 3 numbers"},
    {"json", "--wrong position=[1e308,0,0] --wrong-at 500", "position = [1e308,0,0]: must be"},
    {"json", "--wrong position=\"home\" --wrong-at 500", "position = \"home\": must be a list"},
    {"json", "--wrong imu.gyro=[0,0,1e300] --wrong-at 500", "imu.gyro = [0,0,1e300]: must be"},
    {"json", "--wrong imu.accel_body=[null,0,0] --wrong-at 500", "imu.accel_body = [null,0,0]:"},
    {"json", "--wrong quaternion=[0,0,0,0] --wrong-at 500", "quaternion = [0,0,0,0]: must have"},
};

class WrongValue : public ::testing::TestWithParam<Case> {};

TEST_P(WrongValue, FailsWithFieldAndValueRecordedOrNot) {
  for (const bool recorded : {false, true}) {
    const Outcome flown = fly_in(GetParam().kind, GetParam().how, LatePolicy::kFail, recorded);
    EXPECT_EQ(flown.code, ExitCode::kPeer) << flown.text;
    for (const char* part : {"simulator theirs", "vehicle 0", GetParam().says, "for t = "}) {
      EXPECT_TRUE(contains(flown.text, part)) << flown.text;
    }
  }
}

TEST_P(WrongValue, HoldRepeatsWhatWasGoodAndIsBackInLockstep) {
  for (const bool recorded : {false, true}) {
    const Outcome flown = fly_in(GetParam().kind, GetParam().how, LatePolicy::kHold, recorded);
    EXPECT_EQ(flown.code, std::nullopt) << flown.text;
    ASSERT_GE(flown.events.size(), 2u);
    EXPECT_TRUE(contains(flown.events[0].what, GetParam().says)) << flown.events[0].what;
    EXPECT_EQ(flown.events.back().what, "is back in lockstep");
    EXPECT_EQ(flown.report.state, AdapterState::kFine);
    EXPECT_EQ(flown.report.recoveries, flown.report.misses) << "and was never connected again";
    EXPECT_EQ(wrong_value(flown.last), "");
    EXPECT_LT(norm(flown.last.truth.position_W_m), 100.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Bridge, WrongValue, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return "Case" + std::to_string(one.index); });

// Each value can be, the change from one frame to the next cannot: flown, and told once.
constexpr Case kChanges[] = {
    {"json", "--wrong position=[1000000,0,0] --wrong-at 500", "position went from [0"},
    {"json", "--wrong velocity=[-900,0,0] --wrong-at 500", "velocity went from ["},
    {"json", "--wrong quaternion=[0,1,0,0] --wrong-at 500", "attitude went from ["},
    {"json", "--wrong imu.gyro=[900,0,0] --wrong-at 500", "angular rate went from ["},
    {"json", "--wrong quaternion=[1.05,0,0,0] --wrong-from 500",
     "length of the attitude quaternion went from 1 to 1.05"},
    {"json", "--wrong velocity=[0,9,0] --wrong-from 500", "position and velocity do not fit"},
    {"hil", "--wrong HIL_STATE_QUATERNION.lat=0 --wrong-at 120", "position went from ["},
    {"hil", "--wrong HIL_GPS.lat=0 --wrong-from 120 --wrong-until 150", "GPS position went from ["},
    {"hil", "--wrong HIL_SENSOR.abs_pressure=300 --wrong-at 120", "pressure went from "},
};

class ImpossibleChange : public ::testing::TestWithParam<Case> {};

TEST_P(ImpossibleChange, IsFlownAndReportedOnce) {
  const Case& one = GetParam();
  const Outcome outcome = fly_in(one.kind, one.how, LatePolicy::kFail, false);
  EXPECT_FALSE(outcome.code) << outcome.text;
  int told = 0;
  std::string all;
  for (const std::string& warning : outcome.warnings) {
    told += contains(warning, one.says) ? 1 : 0;
    all += warning + "\n";
  }
  EXPECT_EQ(told, 1) << all;
  EXPECT_TRUE(contains(all, "simulator theirs: ")) << all;
}

INSTANTIATE_TEST_SUITE_P(Bridge, ImpossibleChange, ::testing::ValuesIn(kChanges));

TEST(WrongValues, AFlightAsItShouldBeHasNoImpossibleChange) {
  for (const char* const kind : {"hil", "json"}) {
    const Outcome outcome = fly_in(kind, "", LatePolicy::kFail, false);
    EXPECT_FALSE(outcome.code) << outcome.text;
    for (const std::string& warning : outcome.warnings) {
      EXPECT_FALSE(contains(warning, "no vehicle does that")) << warning;
    }
  }
}

TEST(WrongValues, DropAndFreeRunningGoOnWithoutThem) {
  for (const Case& one :
       {Case{"hil", "--wrong HIL_SENSOR.xacc=nan --wrong-from 120", "HIL_SENSOR.xacc"},
        Case{"json", "--wrong imu.gyro=[NaN,0,0] --wrong-from 500", "imu.gyro"}}) {
    const Outcome dropped = fly_in(one.kind, one.how, LatePolicy::kDrop, false);
    EXPECT_EQ(dropped.code, std::nullopt) << dropped.text;
    EXPECT_EQ(dropped.report.state, AdapterState::kDropped);
    const Outcome freed = fly_in(one.kind, one.how, LatePolicy::kFreeRunning, false);
    EXPECT_EQ(freed.code, std::nullopt) << freed.text;
    EXPECT_EQ(freed.report.state, AdapterState::kFree);
    for (const Outcome* flown : {&dropped, &freed}) {
      ASSERT_EQ(flown->events.size(), 1u);
      EXPECT_TRUE(contains(flown->events[0].what, one.says)) << flown->events[0].what;
      EXPECT_EQ(wrong_value(flown->last), "");
    }
  }
}

// Before a flight there is nothing to hold; a stamp that is none leaves nothing to wait for.
TEST(WrongValues, AtTheStartAndInTheStampTheyAreAnEndOfTheConnection) {
  for (const Case& one :
       {Case{"hil", "--wrong HIL_SENSOR.xmag=nan --wrong-from 0", "HIL_SENSOR.xmag = nan"},
        Case{"hil", "--wrong HIL_SENSOR.time_usec=18446744073709551615 --wrong-from 120",
             "HIL_SENSOR.time_usec = 18446744073709551615: must be 0 to"},
        Case{"json", "--wrong velocity=[1,2] --wrong-from 0", "velocity = [1,2]: must be a list"},
        Case{"json", "--wrong timestamp=NaN --wrong-from 500", "timestamp = NaN: must be"},
        Case{"json", "--wrong timestamp=\"12\" --wrong-from 500",
             "timestamp = \"12\": must be a"}}) {
    const Outcome flown = fly_in(one.kind, one.how, LatePolicy::kFail, false);
    EXPECT_EQ(flown.code, ExitCode::kPeer);
    EXPECT_TRUE(contains(flown.text, one.says)) << flown.text;
  }
}

// ---- the other direction

/// Commands a value from some instant on.
class CommandsWrong final : public Autopilot {
 public:
  explicit CommandsWrong(double value) : value_(value) {}
  [[nodiscard]] const char* name() const override { return "spoiled"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override {
    output.status.armed = true;
    if (input.now >= TimeUs(1'000'000)) output.command.motor[2] = value_;
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }

 private:
  double value_;
};

VehicleSetup commands_wrong(double value) {
  VehicleSetup setup;
  setup.autopilot = std::make_shared<CommandsWrong>(value);
  return setup;
}

TEST(WrongValues, ACommandThatIsNoneNeverGoesOut) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), math::infinity(), 1.5, -0.1}) {
    for (const bool recorded : {false, true}) {
      const auto simulator = std::make_shared<ScriptedSimulator>();
      const Outcome flown = fly(simulator, commands_wrong(value), LatePolicy::kHold, recorded);
      EXPECT_EQ(flown.code, ExitCode::kRunStopped);
      EXPECT_TRUE(
          contains(flown.text, "vehicle 0: t = 1000000 us: spoiled wrote command.motor[2] = "))
          << flown.text;
      EXPECT_EQ(simulator->commands.back().time, TimeUs(996'000));
    }
  }
}

TEST(WrongValues, ACommandThatIsNoneDropsTheSimulatorWhereThatIsWanted) {
  const auto simulator = std::make_shared<ScriptedSimulator>();
  const Outcome flown =
      fly(simulator, commands_wrong(math::canonical_nan()), LatePolicy::kDrop, false);
  EXPECT_EQ(flown.code, std::nullopt) << flown.text;
  EXPECT_EQ(flown.report.state, AdapterState::kDropped);
  ASSERT_EQ(flown.events.size(), 1u);
  EXPECT_TRUE(contains(flown.events[0].what, "command.motor[2] = nan")) << flown.events[0].what;
  EXPECT_EQ(simulator->commands.back().time, TimeUs(996'000));
}

}  // namespace
}  // namespace tactus
