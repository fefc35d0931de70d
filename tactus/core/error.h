// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tactus {

/// Exit codes of the program; every error class has its own.
enum class ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,    ///< a check case or an expectation did not hold, or the vehicle crashed
  kBadInput = 2,       ///< the command line, a spec or a parameter is wrong
  kEnvironment = 3,    ///< the machine refuses: file, permission, disk, floating-point mode
  kPeer = 4,           ///< an autopilot or another external program failed or missed its deadline
  kRunStopped = 5,     ///< a run met a non-finite value or a violated invariant
  kDifferent = 6,      ///< two things that should be equal are not
  kInterrupted = 130,  ///< ended early, and cleanly: Ctrl-C, SIGTERM, SIGHUP
};

/// What an error is about, where that is one parameter, key or entry of a spec.
struct ErrorSubject {
  std::string key;    ///< "power.pack[0].r0_ohm", "time.end_s", "event.gust"
  std::string note;   ///< which figure of it: "length"; empty: itself
  std::string value;  ///< as text; empty: the error is about no value
  std::string reason;
  bool missing = false;  ///< the key was not given, and should have been

  /// "key (note) = value: reason", "key: reason", "key: is missing; reason"
  [[nodiscard]] std::string text() const {
    return key + (note.empty() ? "" : " (" + note + ")") + (value.empty() ? "" : " = " + value) +
           (missing ? ": is missing; " : ": ") + reason;
  }
};

/// Bad input or environment: one message that says what, where, the value and what to do.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// The message is the text of the subject.
  Error(ExitCode code, ErrorSubject subject)
      : std::runtime_error(subject.text()), code_(code), subject_(std::move(subject)) {}
  Error(ExitCode code, const std::string& message, ErrorSubject subject)
      : std::runtime_error(message), code_(code), subject_(std::move(subject)) {}

  [[nodiscard]] ExitCode code() const { return code_; }
  /// None: it is about nothing in particular.
  [[nodiscard]] const std::optional<ErrorSubject>& subject() const { return subject_; }

 private:
  ExitCode code_;
  std::optional<ErrorSubject> subject_;
};

/// The same error, about that entry of a spec: "event.gust".
inline Error about(const Error& error, std::string entry) {
  return {error.code(), error.what(),
          ErrorSubject{.key = std::move(entry), .note = {}, .value = {}, .reason = error.what()}};
}

}  // namespace tactus
