// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A simulator with the thread on which it is waited for, so that one that hangs does not hold
// the others.
// If it does not even return when interrupted, the thread is left behind together with it.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tactus/bridge/adapter/frame.h"
#include "tactus/bridge/adapter/simulator_adapter.h"

namespace tactus {

class AdapterThread {
 public:
  explicit AdapterThread(std::shared_ptr<SimulatorAdapter> adapter);
  ~AdapterThread();
  AdapterThread(const AdapterThread&) = delete;
  AdapterThread& operator=(const AdapterThread&) = delete;

  /// The last request has been carried out.
  [[nodiscard]] bool idle() const;

  // Requests; only when idle.
  /// Also again, after it has failed.
  void connect(std::vector<VehiclePlace> vehicles);
  /// Sends, goes to `time`, and collects the frames.
  void step(std::vector<ActuatorCommand> commands, TimeUs time);
  void send(std::vector<ActuatorCommand> commands);
  void disconnect();

  /// Until idle; false: `timeout_ns` has passed (0: forever). Throws what the request has thrown.
  bool wait(std::uint64_t timeout_ns);
  /// Until idle; what the request has thrown is ignored. False: it does not return.
  bool settle();
  /// Of the last step, once. Only when idle.
  std::vector<SensorFrame> take_frames();

 private:
  struct Shared;
  void request(std::function<void(Shared&)> work);

  std::shared_ptr<Shared> shared_;  ///< also held by the thread
  std::thread thread_;
};

}  // namespace tactus
