// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/worker_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

/// An order to end. A closed socket would not do: workers that were started later have it open.
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
    const ssize_t count = ::send(descriptor, at, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
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
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot open a socket to a worker: {}", std::strerror(errno)));
  }
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot start a worker process: {}; fewer --jobs need fewer",
                            std::strerror(errno)));
  }
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it ended in the meantime
    ::close(ends[0]);
    work(ends[1]);
  }
  ::close(ends[1]);
  socket_ = ends[0];
  flights_ = 0;
}

/// Of the worker itself. What this process has open belongs to the other one, so nothing is
/// destroyed at its end.
void WorkerProcess::work(int socket) const {
  std::uint64_t index = 0;
  while (read_all(socket, &index, sizeof index) && index != kEnd) {
    const std::optional<SampleResult> result = fly_sample(*campaign_, index, options_);
    const std::vector<std::byte> bytes = result ? to_bytes(*result) : std::vector<std::byte>();
    const std::uint64_t size = bytes.size();
    if (!write_all(socket, &size, sizeof size) || !write_all(socket, bytes.data(), size)) break;
  }
  ::_exit(0);
}

int WorkerProcess::stop() {
  if (process_ > 0) (void)write_all(socket_, &kEnd, sizeof kEnd);
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
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
  (void)write_all(socket_, &index, sizeof index);
}

std::optional<SampleResult> WorkerProcess::take() {
  TACTUS_ASSERT(is_busy(), "a sample that it flies");
  const std::uint64_t index = *std::exchange(index_, std::nullopt);
  std::uint64_t size = 0;
  std::vector<std::byte> bytes;
  bool whole = read_all(socket_, &size, sizeof size);
  if (whole) {
    bytes.resize(size);
    whole = read_all(socket_, bytes.data(), size);
  }
  if (!whole) return lost(index, stop());
  return bytes.empty() ? std::nullopt : std::optional(sample_result_from(bytes));
}

std::optional<SampleResult> WorkerProcess::lost(std::uint64_t index, int status) const {
  if (options_.interrupted && options_.interrupted()) return std::nullopt;
  return lost_sample(*campaign_, campaign_->input(index), death_text(status));
}

}  // namespace tactus::sweep
