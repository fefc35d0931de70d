// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A simulator with a thread of its own that delivers what a test wants, or misbehaves from some
// instant on.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/bridge/adapter/simulator_adapter.h"
#include "tactus/bridge/vehicle.h"
#include "tactus/core/error.h"

namespace tactus::testing {

enum class Misbehaviour {
  kNone,
  kSlow,                  ///< later than its deadline, at every step
  kHangs,                 ///< never answers again
  kHangsUninterruptibly,  ///< the same, and ignores interrupt() too
  kBack,                  ///< hangs once, for a while
  kDies,                  ///< throws
  kThrowsOther,           ///< throws what is no Error
  kRefusesCommands,
  kSlowCommands,  ///< takes its time for one command
  kOldTime,       ///< a frame of the past
  kFutureTime,    ///< a frame of the future
  kTwice,         ///< the same frame twice
  kReordered,     ///< the highest id first
  kWrongVehicle,  ///< a frame for a vehicle that is not in it
  kFlood,         ///< a thousand frames
  kNothing,       ///< no frame at all
  kNotANumber,    ///< a NaN in a frame
  kNoAttitude,    ///< a quaternion of the length 2
};

class ScriptedSimulator final : public SimulatorAdapter {
 public:
  Misbehaviour misbehaviour = Misbehaviour::kNone;
  TimeUs from{1'000'000};  ///< since when
  std::chrono::milliseconds delay{50};
  SimulatorCapabilities able{.lockstep = true, .most_vehicles = 50};
  bool keeps_commands = true;
  bool connects_again = true;
  std::chrono::milliseconds connect_pause{0};  ///< of the first connect()
  bool connects_deaf = false;                  ///< interrupt() does not end that pause
  std::atomic<int> connecting{0};              ///< calls of connect() that have not returned
  std::atomic<int> most_connecting{0};         ///< at the same time
  std::atomic<int> connections{0};
  std::function<void()> admission;  ///< what happens when one is spawned in flight
  std::vector<VehicleId> released;
  std::vector<ActuatorCommand> commands;  ///< all that came; read after the run
  std::atomic<int> pauses{0};             ///< of kBack and kSlowCommands, begun

  [[nodiscard]] const char* kind() const override { return "scripted"; }
  [[nodiscard]] SimulatorCapabilities capabilities() const override { return able; }
  void connect(const std::vector<VehiclePlace>& vehicles) override {
    if (connections > 0 && !connects_again) {
      throw Error(ExitCode::kPeer, "it is gone");
    }
    most_connecting = std::max(most_connecting.load(), ++connecting);
    if (connections++ == 0) pause_connecting();
    --connecting;
    warns_ = true;
    vehicles_ = vehicles;
  }
  void disconnect() override { warns_ = false; }
  void admit(const VehiclePlace& vehicle, TimeUs now) override {
    if (admission) admission();
    SimulatorAdapter::admit(vehicle, now);
  }
  void release(VehicleId vehicle) override { released.push_back(vehicle); }
  void send(const ActuatorCommand& command) override {
    if (misbehaviour == Misbehaviour::kRefusesCommands && command.time >= from) {
      throw Error(ExitCode::kPeer, "no commands, as a test wants it");
    }
    if (misbehaviour == Misbehaviour::kSlowCommands && command.time >= from && pauses++ == 0) {
      pause_for(delay);
    }
    if (keeps_commands) commands.push_back(command);
  }
  [[nodiscard]] TimeUs now() const override { return TimeUs(now_.load()); }
  [[nodiscard]] std::string waits_for() const override { return "a test"; }

  [[nodiscard]] std::vector<std::string> warnings() const override {
    if (connects_again || !warns_) return {};
    return {"of connection " + std::to_string(connections.load())};
  }

  void step_to(TimeUs time) override {
    frames_.clear();
    next_ = 0;
    const bool bad = time >= from && misbehaviour != Misbehaviour::kNone;
    if (bad) misbehave(time);
    now_ = time.us;
    if (frames_.empty() && !(bad && misbehaviour == Misbehaviour::kNothing)) deliver(time);
    if (bad) spoil();
  }

  bool receive(SensorFrame& frame) override {
    if (next_ == frames_.size()) return false;
    frame = frames_[next_++];
    return true;
  }

  void interrupt() override {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    changed_.notify_all();
  }

 private:
  [[nodiscard]] SensorFrame frame_of(VehicleId vehicle, TimeUs time) const {
    SensorFrame frame;
    frame.vehicle = vehicle;
    frame.time = time;
    frame.truth.position_W_m.x = to_seconds(time);
    return frame;
  }
  void deliver(TimeUs time) {
    for (const VehiclePlace& place : vehicles_) {
      if (time.us % place.exchange.us == 0) frames_.push_back(frame_of(place.vehicle, time));
    }
  }
  void spoil() {
    if (misbehaviour == Misbehaviour::kReordered) std::reverse(frames_.begin(), frames_.end());
    if (frames_.empty()) return;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (misbehaviour == Misbehaviour::kNotANumber) frames_.back().imu[1].rate_B_rad_s.y = kNan;
    if (misbehaviour == Misbehaviour::kNoAttitude) frames_.back().estimate.attitude.w = 2.0;
  }
  void pause_connecting() {
    if (connects_deaf) {
      std::this_thread::sleep_for(connect_pause);
    } else {
      pause_for(connect_pause);
    }
  }
  void pause_for(std::chrono::milliseconds length) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, length, [this] { return interrupted_; });
  }

  void misbehave(TimeUs time) {
    constexpr std::chrono::milliseconds kLong{60'000};
    const VehicleId first = vehicles_.front().vehicle;
    switch (misbehaviour) {
      case Misbehaviour::kSlow: return pause_for(delay);
      case Misbehaviour::kHangs: return pause_for(kLong);
      case Misbehaviour::kHangsUninterruptibly:
        return std::this_thread::sleep_for(std::chrono::seconds(3));
      case Misbehaviour::kBack:
        if (pauses++ == 0) pause_for(delay);
        return;
      case Misbehaviour::kThrowsOther: throw std::runtime_error("as a test wants it");
      case Misbehaviour::kDies: throw Error(ExitCode::kPeer, "the simulator has died");
      case Misbehaviour::kOldTime:
        return frames_.push_back(frame_of(first, TimeUs(time.us - 500'000)));
      case Misbehaviour::kFutureTime:
        return frames_.push_back(frame_of(first, TimeUs(time.us + 500'000)));
      case Misbehaviour::kTwice: deliver(time); return deliver(time);
      case Misbehaviour::kWrongVehicle: return frames_.push_back(frame_of(200, time));
      case Misbehaviour::kFlood:
        for (int i = 0; i < 1000; ++i) deliver(time);
        return;
      case Misbehaviour::kReordered:
      case Misbehaviour::kRefusesCommands:
      case Misbehaviour::kSlowCommands:
      case Misbehaviour::kNothing:
      case Misbehaviour::kNotANumber:
      case Misbehaviour::kNoAttitude:
      case Misbehaviour::kNone: return;
    }
  }

  std::vector<VehiclePlace> vehicles_;
  std::vector<SensorFrame> frames_;
  bool warns_ = false;
  std::size_t next_ = 0;
  std::atomic<std::uint64_t> now_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool interrupted_ = false;
};

/// Commands the seconds of its frame as the first servo, so that a test sees what it knew.
class EchoAutopilot final : public Autopilot {
 public:
  [[nodiscard]] const char* name() const override { return "echo"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override {
    times.push_back(input.now);
    output.command.servo[0] = static_cast<double>(input.now.us % 1'000'000) * 1e-6;
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }

  std::vector<TimeUs> times;
};

inline VehicleSetup echo_vehicle(VehicleId id, DurationUs exchange = DurationUs(20'000)) {
  VehicleSetup setup;
  setup.id = id;
  setup.exchange = exchange;
  setup.autopilot = std::make_unique<EchoAutopilot>();
  return setup;
}

}  // namespace tactus::testing
