// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <stdexcept>
#include <string>

namespace tactus {

/// Exit codes of the program; every error class has its own.
enum class ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,    ///< a check case or an expectation did not hold, or the vehicle crashed
  kBadInput = 2,       ///< the command line, a spec or a parameter is wrong
  kEnvironment = 3,    ///< the machine refuses: file, permission, disk, floating-point mode
  kPeer = 4,           ///< an autopilot or another outside program failed or missed its deadline
  kRunStopped = 5,     ///< a run met a non-finite value or a violated invariant
  kDifferent = 6,      ///< two things that should be equal are not
  kInterrupted = 130,  ///< ended early, and cleanly: Ctrl-C, SIGTERM, SIGHUP
};

/// Bad input or environment: one message that says what, where, the value and what to do.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace tactus
