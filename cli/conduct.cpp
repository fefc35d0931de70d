// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `conduct`: runs a program under the conductor, with whatever simulator it has; or starts
// one for a flight that waits for it.

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/flight/pace/time_mode.h"
#include "tactus/link/conduct/conduct.h"
#include "tactus/link/net/join_conductor.h"

namespace tactus::cli {
namespace {

struct ConductVerbOptions {
  std::string join;
  std::string speed;
  std::vector<std::string> command;
};

double speed_of(const std::string& text) {
  if (text.empty()) return 1.0;
  if (text == "max") return 0.0;
  double factor = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  if (error == std::errc() && stop == end && factor >= kSlowestFactor && factor <= kFastestFactor) {
    return factor;
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("--speed: {} must be max or from {} to {} times real time",
                          shortened(text), kSlowestFactor, kFastestFactor));
}

/// In a child of ours, on our terminal.
[[noreturn]] void become(const std::string& folder, const std::vector<std::string>& command) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(number, SIG_DFL);
  try {
    join_conductor(folder, command);
  } catch (const Error& error) {
    print_error(error.what());
    ::_exit(static_cast<int>(error.code()));
  }
}

/// The program, a child of ours; it does not outlive this.
class Child {
 public:
  Child(const std::string& folder, const std::vector<std::string>& command) : pid_(::fork()) {
    if (pid_ < 0) throw Error(ExitCode::kEnvironment, "no process can be started");
    if (pid_ == 0) become(folder, command);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool has_ended() {
    ended_ = ended_ || ::waitpid(pid_, &status_, WNOHANG) == pid_;
    return ended_;
  }
  void end() {
    if (has_ended()) return;
    ::kill(pid_, SIGKILL);
    ended_ = ::waitpid(pid_, &status_, 0) == pid_;
  }
  /// As shells tell it.
  [[nodiscard]] int exit_status() const {
    constexpr int kBySignal = 128;
    return WIFSIGNALED(status_) ? kBySignal + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

 private:
  pid_t pid_;
  bool ended_ = false;
  int status_ = 0;
};

int conduct_command(const ConductVerbOptions& options) {
  constexpr std::uint64_t kSeed = 1;  // of what the program takes for chance
  ConductOptions how;
  how.speed = speed_of(options.speed);
  program_to_join(options.command.front());
  ConductedProgram program(options.command.front(), kSeed);
  Child child(program.open_for_joining(), options.command);
  listen_to_stop_signals();
  how.interrupted = [&] { return child.has_ended() || asked_to_stop(); };
  try {
    conduct(program, how);
  } catch (const Error&) {
    program.end();
    throw;
  }
  const std::string why = child.has_ended() ? program.stop_text() : "";
  program.end();
  child.end();
  if (!why.empty()) print_error(fmt::format("{} has ended.{}", options.command.front(), why));
  return child.exit_status();
}

}  // namespace

void add_conduct_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<ConductVerbOptions>();
  Verb* verb = app.add_subcommand(
      "conduct",
      "run a program under the conductor: with a simulator of yours, or for a flight that waits");
  verb->add_option("PROGRAM", options->command, "a program and its arguments, after --")
      ->required();
  CLI::Option* join = verb->add_option("--join", options->join,
                                       "for the flight that has this folder; it prints the command")
                          ->type_name("FOLDER");
  verb->add_option("--speed", options->speed,
                   "of its time while no simulator tells it, times real time, or max; 1")
      ->type_name("FACTOR")
      ->excludes(join);
  verb->callback([options, &exit_code] {
    if (!options->join.empty()) join_conductor(options->join, options->command);
    exit_code = conduct_command(*options);
  });
}

}  // namespace tactus::cli
