// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An external simulator that a test starts, and a flight of the built-in autopilot over an adapter,
// without the bridge.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tactus/bridge/adapter/simulator_adapter.h"
#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/link/net/process.h"
#include "tactus/scenario/autopilot_assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::testing {

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One of tests/doubles, with these options.
class ExternalDouble {
 public:
  ExternalDouble(const std::string& name, const std::string& options) {
    const char* folder = std::getenv("TACTUS_DOUBLES");
    ProcessParameters parameters;
    parameters.name = name;
    parameters.command = {std::string(folder == nullptr ? "." : folder) + "/double_" + name};
    std::istringstream words(options);
    for (std::string word; words >> word;) parameters.command.push_back(word);
    child_ = std::make_unique<ChildProcess>(parameters);
  }

  /// That it listens on.
  std::uint16_t port() {
    const double end_s = wall_seconds() + 20.0;
    while (wall_seconds() < end_s) {
      const std::string said = child_->console_tail(5);
      const std::size_t at = said.find("port ");
      if (at != said.npos) return static_cast<std::uint16_t>(std::atoi(said.c_str() + at + 5));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ADD_FAILURE() << "the double does not say its port: " << child_->console_tail(20);
    return 1;
  }
  ChildProcess& process() { return *child_; }

 private:
  std::unique_ptr<ChildProcess> child_;
};

inline constexpr VehicleId kVehicle = 7;

/// The Iris with the built-in autopilot; no mission is needed to take off.
class ExternalFlight {
 public:
  explicit ExternalFlight(SimulatorAdapter& adapter, DurationUs exchange = DurationUs(4'000))
      : adapter_(adapter), exchange_(exchange) {
    const Override no_esc{"autopilot.detect_motor_loss", "false"};
    const Spec spec = load_spec(data_root() + "/aircraft/iris.toml", {&no_esc, 1}).spec;
    autopilot_ = make_autopilot(spec, nullptr);
  }

  void connect() { adapter_.connect({{kVehicle, exchange_}}); }

  /// The step, and the autopilot if its frame has come; false: it has not.
  bool tick() {
    adapter_.step_to(next_);
    if (!adapter_.receive(frame)) return false;
    EXPECT_EQ(frame.time, next_);
    EXPECT_EQ(frame.vehicle, kVehicle);
    EXPECT_FALSE(adapter_.receive(frame)) << "one frame at a time";
    autopilot_->step({frame.time, frame.estimate, frame.land, wanted, parameter_, frame.battery,
                      frame.esc, frame.imu, frame.magnetometer, frame.barometer, frame.gps,
                      frame.airspeed, frame.range_finder, frame.optical_flow, nullptr},
                     output);
    adapter_.send({kVehicle, frame.time, output.command, output.status});
    for (const double drive : output.command.motor) commands.add(drive);
    commands.add(frame.estimate.position_W_m.z);
    next_ += exchange_;
    return true;
  }

  void run(double seconds) {
    const TimeUs end = next_ + duration_from_seconds(seconds, "seconds");
    while (next_ < end && tick()) continue;
  }

  void want(FlightMode mode, bool armed = true) {
    wanted = {.armed = armed, .mode = mode, .count = wanted.count + 1};
  }

  /// Connects and flies until something is wrong; the message of the error.
  std::string error_within(double seconds) {
    try {
      if (next_.us == 0) connect();
      run(seconds);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kPeer) << error.what();
      return error.what();
    }
    return "no error";
  }

  [[nodiscard]] double height_m() const { return -frame.estimate.position_W_m.z; }

  SensorFrame frame;
  HighLevelCommand wanted;
  AutopilotOutput output;
  Digest commands;

 private:
  SimulatorAdapter& adapter_;
  DurationUs exchange_;
  std::unique_ptr<Autopilot> autopilot_;
  ParameterChange parameter_;
  TimeUs next_;
};

/// Interrupts the adapter every 20 ms.
class Interrupter {
 public:
  explicit Interrupter(SimulatorAdapter& adapter)
      : thread_([this, &adapter] {
          while (!over_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            adapter.interrupt();
          }
        }) {}
  ~Interrupter() {
    over_ = true;
    thread_.join();
  }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// Flies on over interruptions until `end`, or until 20 in a row bring it no further. Their number.
inline int fly_interrupted(SimulatorAdapter& adapter, ExternalFlight& flight, TimeUs end) {
  const Interrupter interrupter(adapter);
  int interruptions = 0;
  for (int in_a_row = 0; adapter.now() < end && in_a_row < 20;) {
    in_a_row = flight.tick() ? 0 : in_a_row + 1;
    interruptions += in_a_row > 0 ? 1 : 0;
  }
  return interruptions;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// How a simulator goes wrong, and the message about it.
struct Trouble {
  const char* how;
  const char* message;
};

/// `Bench`: a simulator, the adapter to it, and a flight over it.
template <class Bench>
void expect_reason(const Trouble& trouble) {
  Bench bench(trouble.how);
  const double start_s = wall_seconds();
  const std::string error = bench.flight.error_within(4.0);
  EXPECT_TRUE(contains(error, trouble.message)) << error;
  EXPECT_TRUE(contains(error, "127.0.0.1:")) << error;
  EXPECT_LT(wall_seconds() - start_s, 60.0);
}

/// Steps that the bridge interrupts are made later, each once.
template <class Bench>
void expect_goes_on_later(const char* how, TimeUs end) {
  Bench bench(how);
  bench.flight.connect();
  EXPECT_GE(fly_interrupted(bench.adapter, bench.flight, end), 1);
  EXPECT_EQ(bench.adapter.now(), end);
  for (const std::string& warning : bench.adapter.warnings()) {
    EXPECT_FALSE(contains(warning, "steps were longer")) << warning;
    EXPECT_FALSE(contains(warning, "HIL_SENSOR came twice")) << warning;
  }
}

/// One that was not started again is where it was: in the air.
template <class Bench>
void expect_the_same_world(const char* how) {
  Bench bench(how);
  bench.flight.connect();
  bench.flight.want(FlightMode::kTakeoff);
  bench.flight.run(5.0);
  const Truth before = bench.flight.frame.truth;
  EXPECT_GT(before.height_m, 1.0);
  bench.adapter.disconnect();
  ExternalFlight again(bench.adapter);
  again.connect();
  again.tick();
  EXPECT_NEAR(again.frame.truth.height_m, before.height_m, 0.5);
  EXPECT_NEAR(again.frame.estimate.position_W_m.z, before.position_W_m.z, 0.5);
  EXPECT_FALSE(again.frame.land.ground_contact);
  EXPECT_FALSE(again.frame.land.landed);
}

/// One that says nothing more is waited for no longer than the bridge wants, without a frame.
template <class Bench>
void expect_silence(const char* how, const char* waits_for) {
  Bench bench(how);
  bench.flight.connect();
  EXPECT_GE(fly_interrupted(bench.adapter, bench.flight, TimeUs(2'000'000)), 20);
  EXPECT_LT(bench.adapter.now(), TimeUs(2'000'000));
  EXPECT_TRUE(contains(bench.adapter.waits_for(), waits_for)) << bench.adapter.waits_for();
  SensorFrame none;
  EXPECT_FALSE(bench.adapter.receive(none));
}

}  // namespace tactus::testing
