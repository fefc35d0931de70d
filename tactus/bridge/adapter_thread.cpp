// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter_thread.h"

#include <chrono>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Of one instant; each vehicle has one.
constexpr std::size_t kMostFrames = kLargestVehicleId + 1;

/// For an interrupted simulator to return.
constexpr std::chrono::milliseconds kGrace{2000};

}  // namespace

struct AdapterThread::Shared {
  std::shared_ptr<SimulatorAdapter> adapter;
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void(Shared&)> work;  ///< empty: idle
  bool stop = false;
  bool ended = false;
  std::exception_ptr error;
  std::vector<SensorFrame> frames;  ///< belongs to the thread while it works

  void loop() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return stop || work; });
      if (!work) break;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        work(*this);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      error = thrown;
      work = nullptr;
      changed.notify_all();
    }
    ended = true;
    changed.notify_all();
  }
};

AdapterThread::AdapterThread(std::shared_ptr<SimulatorAdapter> adapter)
    : shared_(std::make_shared<Shared>()) {
  TACTUS_ASSERT(adapter != nullptr, "a thread with an adapter");
  shared_->adapter = std::move(adapter);
  thread_ = std::thread([shared = shared_] { shared->loop(); });
}

AdapterThread::~AdapterThread() {
  std::unique_lock lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
  if (shared_->work) shared_->adapter->interrupt();
  const bool ended = shared_->changed.wait_for(lock, kGrace, [this] { return shared_->ended; });
  lock.unlock();
  if (ended) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

bool AdapterThread::idle() const {
  const std::lock_guard lock(shared_->mutex);
  return !shared_->work;
}

void AdapterThread::request(std::function<void(Shared&)> work) {
  const std::lock_guard lock(shared_->mutex);
  TACTUS_ASSERT(!shared_->work, "one request at a time");
  shared_->error = nullptr;
  shared_->work = std::move(work);
  shared_->changed.notify_all();
}

void AdapterThread::connect(std::vector<VehiclePlace> vehicles) {
  request([vehicles = std::move(vehicles)](Shared& shared) {
    shared.adapter->disconnect();
    shared.adapter->connect(vehicles);
  });
}

void AdapterThread::step(std::vector<ActuatorCommand> commands, TimeUs time) {
  request([commands = std::move(commands), time](Shared& shared) {
    for (const ActuatorCommand& command : commands) shared.adapter->send(command);
    shared.frames.clear();
    shared.adapter->step_to(time);
    SensorFrame frame;
    while (shared.adapter->receive(frame)) {
      shared.frames.push_back(frame);
      if (shared.frames.size() > kMostFrames) {
        throw Error(ExitCode::kPeer, "it floods the bridge with frames");
      }
    }
  });
}

void AdapterThread::send(std::vector<ActuatorCommand> commands) {
  request([commands = std::move(commands)](Shared& shared) {
    for (const ActuatorCommand& command : commands) shared.adapter->send(command);
  });
}

void AdapterThread::disconnect() {
  request([](Shared& shared) { shared.adapter->disconnect(); });
}

bool AdapterThread::wait(std::uint64_t timeout_ns) {
  std::unique_lock lock(shared_->mutex);
  const auto idle = [this] { return !shared_->work; };
  if (timeout_ns == 0) {
    shared_->changed.wait(lock, idle);
  } else if (!shared_->changed.wait_for(lock, std::chrono::nanoseconds(timeout_ns), idle)) {
    return false;
  }
  if (shared_->error) std::rethrow_exception(std::exchange(shared_->error, nullptr));
  return true;
}

bool AdapterThread::settle() {
  try {
    return wait(static_cast<std::uint64_t>(std::chrono::nanoseconds(kGrace).count()));
  } catch (const std::exception&) {
    return true;
  }
}

std::vector<SensorFrame> AdapterThread::take_frames() {
  const std::lock_guard lock(shared_->mutex);
  TACTUS_ASSERT(!shared_->work, "frames of a step that is over");
  return std::exchange(shared_->frames, {});
}

}  // namespace tactus
