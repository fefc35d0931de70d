// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A process that flies samples for this one. It is a copy of this process (fork), so it knows the
// campaign, and it is renewed after some flights: a library that is loaded once per flight stays in
// memory until its process ends. A worker that dies is the outcome of the sample that it flew.
//
// This process must not have other threads when a worker is started.

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "tactus/sweep/flying/sample_flight.h"
#include "tactus/sweep/flying/sample_queue.h"

namespace tactus::sweep {

class WorkerProcess {
 public:
  /// A copy of a PX4 library keeps some ten megabytes.
  static constexpr int kFlightsUntilRenewed = 20;

  /// `campaign` must outlive it.
  WorkerProcess(const Campaign& campaign, SampleOptions options,
                int flights_until_renewed = kFlightsUntilRenewed);
  /// Ends the worker, in the middle of a flight too.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Has it fly a sample. Throws Error(kEnvironment) if no worker can be started.
  void begin(std::uint64_t index);
  [[nodiscard]] bool is_busy() const { return index_.has_value(); }
  [[nodiscard]] bool is_running() const { return process_ > 0; }
  /// Can be read when the flight is over.
  [[nodiscard]] int descriptor() const { return socket_; }
  /// Waits for the result. None: it was interrupted.
  [[nodiscard]] std::optional<SampleResult> take();

 private:
  void start();
  /// The status of waitpid().
  int stop();
  [[noreturn]] void work(int socket) const;
  [[nodiscard]] std::optional<SampleResult> lost(std::uint64_t index, int status) const;

  const Campaign* campaign_;
  SampleOptions options_;
  int flights_until_renewed_;
  int flights_ = 0;
  pid_t process_ = -1;
  int socket_ = -1;
  std::optional<std::uint64_t> index_;  ///< that it flies
};

}  // namespace tactus::sweep
