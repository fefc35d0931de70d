// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/leftover_processes.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "tactus/link/net/socket.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

bool has_entry(pid_t process, std::string_view entry) {
  std::ifstream file(fmt::format("/proc/{}/environ", process), std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  for (std::size_t begin = 0; begin < all.size();) {
    const std::string_view one(all.c_str() + begin);
    if (one == entry) return true;
    begin += one.size() + 1;
  }
  return false;
}

/// A number may be given to another process at any time, but not while this descriptor is open.
bool end_one(pid_t process, std::string_view entry) {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  return handle.open() && has_entry(process, entry) &&
         ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0) == 0;
}

/// Whether there was one.
bool end_all(std::string_view entry) {
  bool ended = false;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    const auto [stop, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (wrong != std::errc() || *stop != 0 || process == ::getpid()) continue;
    ended |= end_one(process, entry);
  }
  return ended;
}

}  // namespace

void end_processes_with(std::string_view entry) {
  // One may start another while we look.
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds && end_all(entry); ++i) {
  }
}

}  // namespace tactus
