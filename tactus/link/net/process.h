// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A program that a flight needs: started in a folder of its own, its console kept, and ended with
// the flight whatever happens. It leads its own process group, so a Ctrl-C at the terminal does not
// reach it before we have closed the flight, and what it started ends with it.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tactus {

/// The number that a kept descriptor has in a program, always the same: programs see which are
/// taken.
inline constexpr int kKeptDescriptor = 3;

struct ProcessParameters {
  std::string name;                  ///< in messages: "PX4"
  std::vector<std::string> command;  ///< program with its path, arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to ours
  std::string forgotten;        ///< variables of ours that begin so are left out; empty: none are
  std::string folder;           ///< made if it is not there; empty: a fresh temporary one
  int kept_descriptor = -1;     ///< open in it as kKeptDescriptor; −1: none of ours is
  bool same_addresses = false;  ///< its memory is laid out alike in every run
  std::size_t console_kept = 64 * 1024;          ///< bytes, for messages
  std::size_t console_file_limit = 64UL << 20U;  ///< bytes of console.txt
};

/// As why_no_file(), or "not executable; try chmod +x"; empty: it may be started.
std::string why_not_startable(const std::string& program);

class ChildProcess {
 public:
  /// Starts it; both outputs go to console.txt in its folder. The kernel ends it if the calling
  /// thread dies. Throws Error(kEnvironment) if it cannot be started.
  explicit ChildProcess(const ProcessParameters& parameters);
  /// end(), and a temporary folder is removed.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const;
  [[nodiscard]] const std::string& folder() const;
  /// Looks whether it has ended; cheap.
  [[nodiscard]] bool running();
  /// "ended with status 3", "was ended by signal 9 (Killed)"; empty while it runs.
  [[nodiscard]] std::string exit_text();
  /// The last lines of its console, without terminal colours.
  [[nodiscard]] std::string console_tail(std::size_t lines) const;
  /// Why console.txt does not hold all; empty: it does.
  [[nodiscard]] std::string console_failure() const;
  /// SIGTERM to its group, SIGKILL two seconds later. Does nothing if it has ended.
  void end();

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tactus
