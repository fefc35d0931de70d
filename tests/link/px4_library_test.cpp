// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// needs: double_px4_library double_px4_bare_library

// The PX4 library autopilot on a double that can misbehave (tests/doubles/px4_library).

#include "tactus/link/px4/px4_library.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tactus/core/error.h"
#include "tests/support/allocations.h"
#include "tests/support/px4_library_bench.h"

namespace tactus {
namespace {

using testing::px4_double;
using Bench = testing::Px4LibraryBench;
using testing::simple_mission_text;

/// Sets PX4_DOUBLE for one test.
class Behaviour {
 public:
  explicit Behaviour(const std::string& text) { setenv("PX4_DOUBLE", text.c_str(), 1); }
  Behaviour(const Behaviour&) = delete;
  Behaviour& operator=(const Behaviour&) = delete;
  ~Behaviour() { unsetenv("PX4_DOUBLE"); }
};

Px4LibraryParameters with_double(const char* name = "double_px4_library.so") {
  Px4LibraryParameters parameters;
  parameters.library = px4_double(name);
  return parameters;
}

template <class Call>
void expect_error(ExitCode code, const std::vector<std::string>& parts, Call&& call) {
  try {
    call();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "\"" << part << "\" is not in: " << error.what();
    }
  }
}

void expect_start_fails(const std::string& behaviour, const std::vector<std::string>& parts,
                        ExitCode code = ExitCode::kPeer) {
  const Behaviour set(behaviour);
  Bench bench(with_double(), simple_mission_text());
  expect_error(code, parts, [&] { bench.fly_until(1.5); });
}

std::string log_file() { return ::testing::TempDir() + "px4_double.log"; }

std::vector<std::string> logged() {
  std::ifstream file(log_file());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

long count_lines(const std::vector<std::string>& lines, const std::string& beginning) {
  return std::count_if(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.starts_with(beginning); });
}

TEST(Px4Handshake, AnotherInterfaceVersionIsNamed) {  // golden test 13
  expect_start_fails("version=4", {"version expected 3, actual 4", "actual 0, 0, 36"});
  expect_start_fails("config=40", {"expected 0, 0, 36", "actual 0, 0, 40"});
}

TEST(Px4Handshake, AnotherLayoutIsNamedWithItsTopic) {
  expect_start_fails("hash=vehicle_attitude", {"topic vehicle_attitude", "expected 0x0ac1f7cd",
                                               "actual 0x0ac1f7cc", "messages"});
  expect_start_fails("size=mission_result",
                     {"topic mission_result", "size expected 40", "actual 48"});
  expect_start_fails("missing=trajectory_setpoint", {"trajectory_setpoint", "returned -2"});
}

TEST(Px4Handshake, ALibraryWithoutAutosaveSwitchIsRefused) {
  Bench bench(with_double("double_px4_bare_library.so"));
  expect_error(ExitCode::kPeer, {"param_control_autosave", "wait for ever"}, [&] { bench.tick(); });
}

TEST(Px4Handshake, FilesThatAreNoLibraries) {
  expect_error(ExitCode::kEnvironment, {"no/such/file.so", "there is no such file"}, [] {
    Px4LibraryParameters parameters;
    parameters.library = "no/such/file.so";
    const Bench bench(parameters);
  });
  expect_error(ExitCode::kEnvironment, {"is a folder", "give the path of your libpx4_lockstep.so"},
               [] {
                 Px4LibraryParameters parameters;
                 parameters.library = ::testing::TempDir();
                 const Bench bench(parameters);
               });
  const std::string text = ::testing::TempDir() + "not_a_library.so";
  std::ofstream(text) << "hello\n";
  Px4LibraryParameters parameters;
  parameters.library = text;
  Bench bench(parameters);  // files are only checked: nothing starts before the first step
  expect_error(ExitCode::kEnvironment, {"not_a_library.so", "cannot be loaded"},
               [&] { bench.tick(); });
  std::filesystem::remove(text);
}

TEST(Px4Handshake, ALayoutOfTheUserThatDoesNotFitIsNamedWithItsFile) {
  const std::string folder = ::testing::TempDir() + "px4_library_test_msg";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/ActuatorMotors.msg") << "uint64 timestamp\nfloat32[12] control\n";
  Px4LibraryParameters parameters = with_double();
  parameters.messages = folder;
  Bench wrong(parameters);
  expect_error(ExitCode::kPeer, {"topic actuator_motors", "ActuatorMotors.msg", "0xcabc4d45"},
               [&] { wrong.tick(); });
  std::ofstream(folder + "/ActuatorMotors.msg") << "uint64 timestamp # time\nuint8 NUM = 12\n"
                                                   "uint64 timestamp_sample\n"
                                                   "uint16 reversible_flags\n"
                                                   "float32[12] control\n";
  Bench right(parameters);
  right.tick();
  std::filesystem::remove_all(folder);
}

TEST(Px4Library, FailingCallsEndTheFlightAndDestroyIt) {
  expect_start_fails("create=0", {"px4_lockstep_create", "not created"});
  std::filesystem::remove(log_file());
  expect_start_fails("step=-4@100,log=" + log_file(), {"step_uorb at 396000 us returned -4"});
  EXPECT_EQ(logged().back(), "destroy");
}

TEST(Px4Library, OneLoadedCopyHoldsOnePx4) {  // golden test 14
  Px4Console console;
  const auto copy = std::make_shared<const Px4Copy>(px4_double(), console);
  const Px4Handle first(copy, {}, console);
  expect_error(ExitCode::kPeer, {"one at a time"},
               [&] { const Px4Handle second(copy, {}, console); });
}

TEST(Px4Library, CallsInTheOrderThatWorks) {
  std::filesystem::remove(log_file());
  {
    const Behaviour set("log=" + log_file());
    Bench bench(with_double(), simple_mission_text());
    bench.fly_until(0.1);
  }
  const std::vector<std::string> lines = logged();
  ASSERT_GT(lines.size(), 50u);
  EXPECT_EQ(lines[0], "create");
  EXPECT_EQ(lines[1], "autosave off");  // before any parameter, or the real library hangs
  EXPECT_EQ(count_lines(lines, "publisher "), 10);
  EXPECT_EQ(count_lines(lines, "publisher geofence_status"), 0);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) {
                            return line.starts_with("publisher") && line.ends_with(" 0");
                          }),
            10);
  const auto allocator = std::find(lines.begin(), lines.end(), "allocator");
  EXPECT_LT(std::find(lines.begin(), lines.end(), "param CA_ROTOR3_KM"), allocator);
  EXPECT_LT(allocator, std::find(lines.begin(), lines.end(), "step 1000000"));
  EXPECT_EQ(count_lines(lines, "item "), 8);
  EXPECT_EQ(count_lines(lines, "dropped "), 0);
  EXPECT_EQ(lines.back(), "destroy");
}

/// As PX4's commander and estimator do.
TEST(Px4Library, SendsAStatusWhenItChangesElseTwiceASecond) {
  std::filesystem::remove(log_file());
  {
    const Behaviour set("log=" + log_file());
    Bench bench(with_double(), simple_mission_text());
    bench.fly_until(1.2);
    bench.send_order(true, FlightMode::kNone);
    bench.fly_until(2.0);
  }
  const std::vector<std::string> lines = logged();
  EXPECT_EQ(count_lines(lines, "step "), 500);
  EXPECT_EQ(count_lines(lines, "told vehicle_attitude"), 500);
  EXPECT_EQ(count_lines(lines, "told vehicle_angular_velocity"), 500);
  // Where position control runs.
  EXPECT_EQ(count_lines(lines, "told vehicle_local_position"), 250);
  EXPECT_EQ(count_lines(lines, "told vehicle_global_position"), 250);
  EXPECT_EQ(count_lines(lines, "told home_position"), 4);
  // At 0, 0.5, 1 s, at 1.2 s, where it is armed, and 1.7 s.
  EXPECT_EQ(count_lines(lines, "told vehicle_status"), 5);
  EXPECT_EQ(count_lines(lines, "told actuator_armed"), 5);
  const auto armed = std::find(lines.begin(), lines.end(), "step 2200000");
  EXPECT_EQ(std::count(armed - 10, armed, "told actuator_armed"), 1);
}

/// Samples come in odd steps; positions and the battery, always another one, are told in even ones.
TEST(Px4Library, SendsTheNewestPositionAndBatteryWhenTheyAreDue) {
  std::filesystem::remove(log_file());
  {
    const Behaviour set("log=" + log_file());
    Bench bench(with_double());
    bench.estimate_moves = false;
    for (std::uint64_t step = 0; step < 100; ++step) {
      if (step % 2 == 1) bench.estimate.measured_at = TimeUs(bench.now_us);
      if (step >= 80) bench.estimate.measured_at = TimeUs(79 * 4000);
      bench.battery[0].voltage_v = 12.0 - 0.001 * static_cast<double>(step);
      bench.tick();
    }
  }
  const std::vector<std::string> lines = logged();
  // The first sample, then one of every second step until the last in step 79.
  EXPECT_EQ(count_lines(lines, "told vehicle_attitude"), 41);
  EXPECT_EQ(count_lines(lines, "told vehicle_local_position"), 41);
  EXPECT_EQ(count_lines(lines, "told vehicle_global_position"), 41);
  EXPECT_EQ(count_lines(lines, "told battery_status"), 50);
}

TEST(Px4Library, TimeStartsAtOneSecondAndMovesByThePeriod) {  // golden test 2
  std::filesystem::remove(log_file());
  {
    const Behaviour set("log=" + log_file());
    Bench bench(with_double(), simple_mission_text());
    bench.fly_mission(20.0);
  }
  std::uint64_t expected = 1'000'000;
  for (const std::string& line : logged()) {
    if (!line.starts_with("step ")) continue;
    ASSERT_EQ(line, "step " + std::to_string(expected));
    expected += 4000;
  }
  EXPECT_EQ(expected, 21'000'000u);
}

TEST(Px4Library, WrongTimeIsAnErrorBeforeTheCall) {  // golden test 15
  const std::uint64_t wrong_us[] = {396'000, 392'000, 0, 404'000, 400'001};
  for (const std::uint64_t time : wrong_us) {
    std::filesystem::remove(log_file());
    const Behaviour set("log=" + log_file());
    {
      Bench bench(with_double());
      bench.fly_until(0.4);
      bench.now_us = time;
      expect_error(ExitCode::kRunStopped, {"exactly 4000 us", "396000"}, [&] { bench.tick(); });
    }
    EXPECT_EQ(count_lines(logged(), "step "), 100) << time;
  }
}

TEST(Px4Rates, RatesThatTheStepCannotGiveAreRefused) {
  Px4LibrarySettings settings;
  EXPECT_TRUE(check_settings(settings, DurationUs(4000)).empty());
  settings.position_rate_hz = 100;
  expect_error(ExitCode::kBadInput,
               {"position_rate_hz = 100", "4ms", "12000 us (83.3333 Hz)", "50 and 125 Hz"},
               [&] { check_settings(settings, DurationUs(4000)); });
  EXPECT_TRUE(check_settings(settings, DurationUs(2000)).empty());
  settings = {};
  expect_error(ExitCode::kBadInput, {"attitude_rate_hz = 250", "slower than this module", "100 Hz"},
               [&] {
                 settings.position_rate_hz = 100;
                 check_settings(settings, DurationUs(10'000));
               });
  settings = {};
  settings.navigator_rate_hz = 20;
  settings.allow_rate_mismatch = true;
  const std::vector<std::string> warnings = check_settings(settings, DurationUs(4000));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("52000 us (19.2308 Hz)"), std::string::npos) << warnings[0];
  settings.navigator_rate_hz = 0;  // at every step
  EXPECT_TRUE(check_settings(settings, DurationUs(4000)).empty());
  settings.com_low_bat_act = 1;
  EXPECT_THROW(check_settings(settings, DurationUs(4000)), Error);
}

TEST(Px4Rates, EveryNearestLegalRateIsLegal) {
  for (const std::uint64_t step_us : {1000u, 2000u, 2500u, 3000u, 4000u, 5000u, 10'000u}) {
    for (std::int32_t rate = 1; rate <= 400; ++rate) {
      Px4LibrarySettings settings;
      settings.navigator_rate_hz = settings.position_rate_hz = settings.attitude_rate_hz =
          settings.rate_rate_hz = settings.allocator_rate_hz = rate;
      std::string message;
      try {
        check_settings(settings, DurationUs(step_us));
        EXPECT_EQ(1'000'000 / rate % static_cast<int>(step_us), 0);
        continue;
      } catch (const Error& error) {
        message = error.what();
      }
      const std::size_t at = message.find("nearest legal rates: ");
      ASSERT_NE(at, std::string::npos) << message;
      if (message.find("none but 0") != std::string::npos) continue;
      const int legal = std::stoi(message.substr(at + 21));
      ASSERT_GT(legal, 0) << message;
      EXPECT_EQ(1'000'000 / legal % static_cast<int>(step_us), 0) << message;
    }
  }
}

/// As observed on the real library, in microseconds.
TEST(Px4Rates, AModuleRunsInTheFirstStepThatIsLateEnough) {
  const struct {
    std::int32_t rate_hz;
    std::uint64_t step_us;
    std::uint64_t period_us;
  } observed[] = {{100, 4000, 12'000}, {20, 4000, 52'000}, {250, 3000, 6000},  {400, 1000, 3000},
                  {300, 1000, 4000},   {250, 4000, 4000},  {25, 4000, 40'000}, {0, 4000, 4000}};
  for (const auto& row : observed) {
    const std::uint64_t steps = steps_between_runs(row.rate_hz, DurationUs(row.step_us));
    EXPECT_EQ(steps * row.step_us, row.period_us) << row.rate_hz << " Hz";
  }
}

/// Its answers are asked for only where it runs, so that must be where the library runs it.
TEST(Px4Library, ReadsTheNavigatorWhenItPublishes) {
  Px4LibraryParameters parameters = with_double();
  parameters.navigator_rate_hz = 20;  // every 52 ms
  parameters.allow_rate_mismatch = true;
  Bench bench(parameters, simple_mission_text());
  bench.fly_mission(80.0);
  EXPECT_EQ(bench.output.status.items_reached, 8);
  EXPECT_TRUE(bench.output.status.mission_finished);
  ASSERT_EQ(bench.item_times_s.size(), 8u);
  for (const double time_s : bench.item_times_s) {
    EXPECT_EQ(std::lround(time_s * 1e3) % 52, 0) << time_s << " s";
  }
}

/// The double's attitude control asks for rates of 6/s times the angle to the roll that position
/// control asked for: so every step shows whether the setpoint that is read is the one in force.
/// Returns the largest difference in radians.
double stale_setpoint_rad(Bench& bench, double seconds) {
  double largest = 0.0;
  while (bench.now_s() < seconds) {
    bench.tick();
    const AutopilotStatus& status = bench.output.status;
    const double roll = to_euler(bench.estimate.attitude).roll_rad;
    const double in_force = status.rate_setpoint_B_rad_s.x / 6.0 + roll;
    largest = std::max(largest, std::abs(2.0 * std::asin(status.attitude_setpoint.x) - in_force));
  }
  return largest;
}

TEST(Px4Library, ReadsPositionControlWhenItPublishes) {
  for (const int rate_hz : {125, 100, 50, 0}) {
    SCOPED_TRACE(rate_hz);
    Px4LibraryParameters parameters = with_double();
    parameters.position_rate_hz = rate_hz;
    parameters.allow_rate_mismatch = true;
    Bench bench(parameters, simple_mission_text());
    bench.fly_mission(20.0);
    EXPECT_LT(stale_setpoint_rad(bench, 40.0), 1e-5);
    // Its phase begins anew with the library.
    bench.autopilot().restart();
    bench.now_us += 4000;
    bench.send_order(true, FlightMode::kMission);
    bench.fly_until(41.0);
    EXPECT_LT(stale_setpoint_rad(bench, 45.0), 1e-5);
  }
}

TEST(Px4Library, ServosAreLimitedAndStayWhereNan) {
  const Behaviour set("servos=1");
  Px4LibraryFlight flight = Bench::flight();
  flight.servo_count = 3;
  Bench bench(with_double(), simple_mission_text(), flight);
  bench.fly_until(1.0);
  EXPECT_EQ(bench.output.command.servo[0], 0.0);  // disarmed
  bench.send_order(true, FlightMode::kMission);
  bench.fly_until(1.5);
  EXPECT_EQ(bench.output.command.servo[0], 0.25);
  EXPECT_EQ(bench.output.command.servo[1], 0.0);
  EXPECT_EQ(bench.output.command.servo[2], 1.0);
  EXPECT_EQ(bench.output.command.servo[3], 0.0);  // the vehicle has no fourth
  for (const int count : {-1, kMaxServos + 1}) {
    flight.servo_count = count;
    expect_error(ExitCode::kBadInput, {fmt::format("{} servos", count)},
                 [&] { Bench(with_double(), simple_mission_text(), flight); });
  }
}

TEST(Px4Library, MotorsStandWhileDisarmedAndWhereNan) {
  const Behaviour set("nan=2");
  Bench bench(with_double(), simple_mission_text());
  bench.fly_until(1.0);
  EXPECT_EQ(bench.output.command.motor[0], 0.0);  // the double says 0.001
  bench.send_order(true, FlightMode::kMission);
  bench.fly_until(1.5);
  EXPECT_GT(bench.output.command.motor[0], 0.0);
  EXPECT_EQ(bench.output.command.motor[2], 0.0);
  for (int i = 4; i < kMaxMotors; ++i) EXPECT_EQ(bench.output.command.motor[i], 0.0);
}

TEST(Px4Library, FliesAMissionLandsAndDisarms) {
  Bench bench(with_double(), simple_mission_text("nan"));
  bench.fly_mission(80.0);
  EXPECT_EQ(bench.output.status.items_reached, 8);
  EXPECT_EQ(bench.output.status.mission_count, 8);
  EXPECT_TRUE(bench.output.status.mission_finished);
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_LT(math::hypot(bench.quad.position_m.x, bench.quad.position_m.y), 0.5);
  EXPECT_EQ(bench.autopilot().statistics().steps, 20'000u);
}

TEST(Px4Library, TwoInOneProcessEqualTwoAlone) {
  const auto alone = [](double arm_at_s) {
    Bench bench(with_double(), simple_mission_text());
    bench.fly_until(arm_at_s);
    bench.send_order(true, FlightMode::kMission);
    bench.fly_until(30.0);
    return bench.rows;
  };
  Bench a(with_double(), simple_mission_text());
  Bench b(with_double(), simple_mission_text());
  for (int i = 0; i < 7500; ++i) {
    if (i == 250) a.send_order(true, FlightMode::kMission);
    if (i == 500) b.send_order(true, FlightMode::kMission);
    a.tick();
    b.tick();
  }
  EXPECT_TRUE(a.rows == alone(1.0));
  EXPECT_TRUE(b.rows == alone(2.0));
  EXPECT_FALSE(a.rows == b.rows);
}

TEST(Px4Library, ARejectedMissionIsAnErrorWithWhatPx4Said) {
  expect_start_fails("mission=reject",
                     {"test.waypoints", "PX4 rejects the mission", "the double was told to"},
                     ExitCode::kBadInput);
}

TEST(Px4Library, ParametersThatDoNotGo) {
  const auto fly = [](EmittedParameter parameter) {
    Px4LibraryFlight flight = Bench::flight();
    flight.parameters.push_back(std::move(parameter));
    Bench bench(with_double(), "", std::move(flight));
    bench.tick();
  };
  expect_error(ExitCode::kBadInput, {"NO_SUCH", "does not have it"},
               [&] { fly({.name = "NO_SUCH", .value = 1.0, .why = ""}); });
  expect_error(ExitCode::kBadInput, {"CA_ROTOR_COUNT", "other kind"},
               [&] { fly({.name = "CA_ROTOR_COUNT", .value = 4.0, .why = ""}); });
  fly({.name = "NO_SUCH", .value = 1.0, .why = "", .sitl_only = true});
}

TEST(Px4Library, AParameterChangesInFlight) {
  Px4LibraryFlight flight = Bench::flight();
  flight.changeable = {"MPC_THR_HOVER", "CA_ROTOR_COUNT", "THR_MDL_FAC"};
  Bench bench(with_double(), simple_mission_text(), std::move(flight));
  bench.tick();
  EXPECT_EQ(bench.output.status.hover_thrust, 0.5);
  bench.parameter = {.index = 1, .count = 1, .value = 3.0};
  bench.send_order(true, FlightMode::kMission);
  bench.fly_until(0.5);
  EXPECT_GT(bench.output.command.motor[2], 0.0);
  EXPECT_EQ(bench.output.command.motor[3], 0.0);
  bench.parameter = {.index = 0, .count = 2, .value = 0.25};
  bench.tick();
  EXPECT_EQ(bench.output.status.hover_thrust, 0.25);
  bench.parameter = {.index = 2, .count = 3, .value = 1.0};  // thrust goes with the square
  bench.tick();
  EXPECT_EQ(bench.output.status.hover_thrust, 0.5);
  bench.autopilot().restart();  // and they stay changed
  bench.tick();
  EXPECT_EQ(bench.output.status.hover_thrust, 0.5);
  bench.parameter = {.index = 1, .count = 4, .value = 3.5};
  expect_error(ExitCode::kBadInput, {"CA_ROTOR_COUNT = 3.5", "other kind"}, [&] { bench.tick(); });
  bench.parameter = {.index = 3, .count = 5, .value = 3.0};
  expect_error(ExitCode::kBadInput, {"no parameter of this number"}, [&] { bench.tick(); });
}

TEST(Px4Library, AnEventForAParameterThatItDoesNotHaveStopsBeforeTheFlight) {
  Px4LibraryFlight flight = Bench::flight();
  flight.changeable = {"MPC_THR_HOVER", "NO_SUCH"};
  Bench bench(with_double(), simple_mission_text(), std::move(flight));
  expect_error(ExitCode::kBadInput, {"event changes the parameter NO_SUCH", "does not have it"},
               [&] { bench.tick(); });
}

TEST(Px4Library, WithoutNewEstimatesTheMotorsHold) {
  Bench bench(with_double(), simple_mission_text());
  bench.fly_mission(10.0);
  const Command before = bench.output.command;
  bench.estimate_moves = false;  // the last one grows old: nothing is published, nothing controlled
  bench.fly_until(10.1);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(bench.output.command.motor[i], before.motor[i]);
}

TEST(Px4Library, ARestartBeginsAfresh) {
  Bench bench(with_double(), simple_mission_text());
  bench.fly_mission(10.0);
  EXPECT_TRUE(bench.output.status.armed);
  bench.autopilot().restart();
  bench.now_us += 123'456;  // it was off for a while
  bench.tick();
  EXPECT_FALSE(bench.output.status.armed);
  EXPECT_EQ(bench.output.status.items_reached, 0);
}

TEST(Px4Library, CannotBeCopiedOrSaved) {
  Bench bench(with_double());
  EXPECT_EQ(bench.autopilot().clone(), nullptr);
  EXPECT_STREQ(bench.autopilot().name(), "px4-lib");
}

TEST(Px4Console, NothingOfTheLibraryReachesOurOutput) {
  ::testing::internal::CaptureStdout();
  std::printf("ours\n");
  {
    Bench bench(with_double(), simple_mission_text());
    bench.fly_until(0.1);
    const std::vector<std::string> lines = bench.autopilot().console();
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[2], "INFO  [px4_lockstep] mission loaded: 8 items");
  }
  std::printf("ours too\n");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "ours\nours too\n");
}

TEST(Px4Console, KeepsTheBeginningOfAFlood) {
  Px4Console console;
  for (int i = 0; i < 100'000; ++i) console.append("\x1b[1;31mhello\x1b[0m\n");
  const std::vector<std::string> lines = console.lines();
  EXPECT_EQ(lines[0], "hello");
  EXPECT_NE(lines.back().find("more bytes are not kept"), std::string::npos);
}

TEST(Px4Library, ReportsTheTimeItTookInsideAndOutside) {
  // A clock that two others share the processor with: 3 of it pass inside, 5 between two steps.
  std::uint64_t reads = 0;
  std::uint64_t clock_ns = 0;
  Px4LibraryFlight flight = Bench::flight();
  flight.clocks.now_ns = [&] {
    clock_ns += ++reads % 2 == 0 ? 3'000'000 : 5'000'000;
    return clock_ns;
  };
  flight.clocks.cpu_ns = [&] { return 7 + clock_ns / 2; };
  Bench bench(with_double(), simple_mission_text(), std::move(flight));
  bench.fly_mission(5.0);
  const Px4LibraryStatistics& taken = bench.autopilot().statistics();
  EXPECT_EQ(taken.inside_ns, taken.steps * 3'000'000);
  EXPECT_EQ(taken.outside_ns, (taken.steps - 1) * 5'000'000);
  // A second of CPU per second, of which 3750 parts in 9995 were inside.
  EXPECT_EQ(bench.autopilot().warnings().back(),
            "px4-lib: 375.19 ms of CPU per simulated second inside PX4, 624.81 ms outside");
}

TEST(Px4Library, DoesNotAllocateInFlight) {
  Px4LibraryFlight flight = Bench::flight();
  long before = 0;
  long inside = 0;
  bool open = false;
  flight.clocks.now_ns = [&] {
    if (open) inside += allocations - before;
    before = allocations;
    open = !open;
    return std::uint64_t{0};
  };
  Bench bench(with_double(), simple_mission_text(), std::move(flight));
  bench.rows.reserve(5000);
  bench.fly_mission(5.0);
  const long start = allocations;
  inside = 0;
  bench.fly_until(10.0);
  EXPECT_EQ(allocations - start - inside, 0);
}

}  // namespace
}  // namespace tactus
