// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/worker_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus::sweep {
namespace {

/// An order to end. A closed pipe would not do: workers that were started later have it open.
constexpr std::uint64_t kEnd = ~std::uint64_t{0};

/// False: the other end is closed.
bool read_all(int descriptor, void* into, std::size_t size) {
  auto* at = static_cast<std::byte*>(into);
  while (size > 0) {
    const ssize_t count = ::read(descriptor, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int descriptor, const void* from, std::size_t size) {
  const auto* at = static_cast<const std::byte*>(from);
  while (size > 0) {
    const ssize_t count = ::write(descriptor, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void close_one(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

std::string death_text(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the process that flew it was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  return fmt::format("the process that flew it ended with code {}", WEXITSTATUS(status));
}

}  // namespace

WorkerProcess::WorkerProcess(const Campaign& campaign, SampleOptions options,
                             int flights_until_renewed)
    : campaign_(&campaign),
      options_(std::move(options)),
      flights_until_renewed_(flights_until_renewed) {
  TACTUS_ASSERT(flights_until_renewed > 0, "a worker that flies");
}

WorkerProcess::~WorkerProcess() {
  if (process_ > 0 && is_busy()) ::kill(process_, SIGKILL);
  stop();
}

void WorkerProcess::start() {
  int orders[2];
  int results[2];
  if (::pipe(orders) != 0 || ::pipe(results) != 0) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot open a pipe to a worker: {}", std::strerror(errno)));
  }
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot start a worker process: {}; fewer --jobs need fewer",
                            std::strerror(errno)));
  }
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it ended in the meantime
    ::close(orders[1]);
    ::close(results[0]);
    work(orders[0], results[1]);
  }
  ::close(orders[0]);
  ::close(results[1]);
  orders_ = orders[1];
  results_ = results[0];
  flights_ = 0;
}

/// Of the worker itself. What this process has open belongs to the other one, so nothing is
/// destroyed at its end.
void WorkerProcess::work(int orders, int results) const {
  std::uint64_t index = 0;
  while (read_all(orders, &index, sizeof index) && index != kEnd) {
    const std::optional<SampleResult> result = fly_sample(*campaign_, index, options_);
    const std::vector<std::byte> bytes = result ? to_bytes(*result) : std::vector<std::byte>();
    const std::uint64_t size = bytes.size();
    if (!write_all(results, &size, sizeof size) || !write_all(results, bytes.data(), size)) break;
  }
  ::_exit(0);
}

int WorkerProcess::stop() {
  if (process_ > 0) (void)write_all(orders_, &kEnd, sizeof kEnd);
  close_one(orders_);
  close_one(results_);
  int status = 0;
  if (process_ > 0) {
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  return status;
}

void WorkerProcess::begin(std::uint64_t index) {
  TACTUS_ASSERT(!is_busy(), "one sample at a time");
  if (process_ > 0 && flights_ == flights_until_renewed_) stop();
  if (process_ <= 0) start();
  ++flights_;
  index_ = index;
  // A worker that cannot take it is found out when its result is asked for.
  (void)write_all(orders_, &index, sizeof index);
}

std::optional<SampleResult> WorkerProcess::take() {
  TACTUS_ASSERT(is_busy(), "a sample that it flies");
  const std::uint64_t index = *std::exchange(index_, std::nullopt);
  std::uint64_t size = 0;
  std::vector<std::byte> bytes;
  bool whole = read_all(results_, &size, sizeof size);
  if (whole) {
    bytes.resize(size);
    whole = read_all(results_, bytes.data(), size);
  }
  if (!whole) return lost(index, stop());
  return bytes.empty() ? std::nullopt : std::optional(sample_result_from(bytes));
}

std::optional<SampleResult> WorkerProcess::lost(std::uint64_t index, int status) const {
  if (options_.interrupted && options_.interrupted()) return std::nullopt;
  return lost_sample(*campaign_, campaign_->input(index), death_text(status));
}

}  // namespace tactus::sweep
