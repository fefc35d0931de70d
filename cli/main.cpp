// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/core.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/common/build_identity.h"
#include "cli/common/print.h"
#include "cli/common/stop_signal.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/core/version.h"

namespace {

using tactus::ExitCode;

/// What cannot be written to stderr is lost.
int fail(ExitCode code, const std::string& message) {
  tactus::cli::print_error(message);
  return static_cast<int>(code);
}

/// `tactus verify | head` ends quietly, as other Unix programs do, though not before every file is
/// closed.
void end_if_pipe_closed() {
  pollfd out{STDOUT_FILENO, 0, 0};
  if (::poll(&out, 1, 0) != 1 || (out.revents & POLLERR) == 0) return;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

/// A full disk must not look like success: output counts as written only once it is flushed. Who
/// interrupts a flight may have closed the terminal.
int flush_output(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  if (exit_code == static_cast<int>(ExitCode::kInterrupted)) return exit_code;
  end_if_pipe_closed();
  return fail(ExitCode::kEnvironment, "cannot write the output; is the disk full?");
}

/// Says "FILE [FILE]" where CLI11 has "FILE(1x)".
class Help final : public CLI::Formatter {
 public:
  std::string make_option_usage(const CLI::Option* option) const override {
    if (option->get_expected_min() != 1 || option->get_expected_max() != 2) {
      return CLI::Formatter::make_option_usage(option);
    }
    const std::string name = make_option_name(option, true);
    return fmt::format("{} [{}]", name, name);
  }
};

/// "" would count as an option that was not given.
void refuse_wrong_texts(CLI::App& app) {
  // "--log --json" means an option without its value, not a file of this name.
  const auto check = [&app](const std::string& text) {
    if (text.empty()) return std::string("must not be empty");
    const bool is_option = text.starts_with("--") && app.get_option_no_throw(text) != nullptr;
    return is_option ? fmt::format("needs a value, and {} is an option", text) : std::string();
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(check, "");
  }
  for (CLI::App* verb : app.get_subcommands({})) refuse_wrong_texts(*verb);
}

/// The verb that was asked for, the innermost if they are nested; the program itself if none was.
const CLI::App& verb_of(const CLI::App& app) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  return *verb;
}

/// "spec check": all names on the way to a verb.
std::string full_name(const CLI::App& verb) {
  if (verb.get_parent() == nullptr) return "";
  const std::string before = full_name(*verb.get_parent());
  return before.empty() ? verb.get_name() : before + " " + verb.get_name();
}

std::string no_such_option(const CLI::App& verb, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::string name = given.substr(0, given.find('='));
  return tactus::did_you_mean("there is no option " + tactus::shortened(name), name, names);
}

std::string no_such_verb(const CLI::App& verb, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::App* one : verb.get_subcommands({})) names.push_back(one->get_name());
  const std::string before = full_name(verb);
  return tactus::did_you_mean(
      fmt::format("there is no verb \"{}{}\"", before.empty() ? "" : before + " ",
                  tactus::shortened(given)),
      given, names);
}

/// What is wrong with the words of the command line. What was not asked for comes before what is
/// missing: a misspelt option is both.
std::string mistake_in(const CLI::App& app, const CLI::ParseError& error, bool& unknown_verb) {
  const CLI::App& verb = verb_of(app);
  const std::vector<std::string> rest = app.remaining(true);
  unknown_verb =
      !rest.empty() && !rest.front().starts_with('-') && !verb.get_subcommands({}).empty();
  if (unknown_verb) return no_such_verb(verb, rest.front());
  for (const std::string& word : rest) {
    if (word == "--") break;
    if (word.size() > 1 && word.front() == '-') return no_such_option(verb, word);
  }
  for (const CLI::Option* option : verb.get_options()) {
    const bool twice = option->get_items_expected_max() == 1 && option->count() > 1;
    if (twice) return option->get_name() + " is given more than once";
  }
  return error.what();
}

/// Help and version are CLI11 "errors" with code 0; every real one is a usage error.
int report_parse(const CLI::App& app, const CLI::ParseError& error) {
  bool unknown_verb = false;
  const std::string mistake = mistake_in(app, error, unknown_verb);
  const bool asked_for_help =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success) && !unknown_verb;
  if (asked_for_help) return flush_output(app.exit(error));
  const std::string verb = full_name(verb_of(app));
  return fail(ExitCode::kBadInput,
              fmt::format("{} (see `tactus {}--help`)", mistake, verb.empty() ? "" : verb + " "));
}

int run(int argc, char** argv) {
  CLI::App app{"Tactus: deterministic flight simulation, the same bits on every machine", "tactus"};
  const tactus::BuildIdentity build = tactus::cli::build_identity();
  app.set_version_flag("--version", fmt::format("tactus {} (commit {}, {})", tactus::kVersion,
                                                build.commit, build.compiler));
  app.formatter(std::make_shared<Help>());
  app.require_subcommand(0, 1);
  int exit_code = 0;
  tactus::cli::Verb program(app);
  tactus::cli::add_run_verb(program, exit_code);
  tactus::cli::add_sweep_verb(program, exit_code);
  tactus::cli::add_bridge_verb(program, exit_code);
  tactus::cli::add_conduct_verb(program, exit_code);
  tactus::cli::add_inspect_verb(program, exit_code);
  tactus::cli::add_export_verb(program, exit_code);
  tactus::cli::add_repair_verb(program, exit_code);
  tactus::cli::add_replay_verb(program, exit_code);
  tactus::cli::add_compare_verb(program, exit_code);
  tactus::cli::add_diff_verb(program, exit_code);
  tactus::cli::add_branch_verb(program, exit_code);
  tactus::cli::add_spec_verb(program, exit_code);
  tactus::cli::add_autopilots_verb(program, exit_code);
  tactus::cli::add_params_verb(program, exit_code);
  tactus::cli::add_verify_verb(program, exit_code);
  refuse_wrong_texts(app);
  try {
    if (argc < 2) {
      app.parse("run");  // without arguments: the default flight
    } else {
      app.parse(argc, argv);
    }
  } catch (const CLI::ParseError& error) {
    return report_parse(app, error);
  }
  if (app.get_subcommands().empty()) {
    return fail(ExitCode::kBadInput, "say what to do, e.g. `tactus run`; see `tactus --help`");
  }
  return flush_output(exit_code);
}

/// A stack that is too small ends a program without a word.
std::string small_stack() {
  constexpr rlim_t kLeast = rlim_t{1} << 20U;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kLeast) return "";
  return fmt::format(
      "the stack is limited to {} KiB here (ulimit -s); tactus needs {}: ulimit -s 8192",
      stack.rlim_cur >> 10U, kLeast >> 10U);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // end_if_pipe_closed()
  // A file that may not grow any more is an error that is reported, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  if (const std::string why_not = small_stack(); !why_not.empty()) {
    return fail(ExitCode::kEnvironment, why_not);
  }
  tactus::cli::handle_signals();
  try {
    return run(argc, argv);
  } catch (const tactus::Error& error) {
    if (error.code() == ExitCode::kEnvironment) end_if_pipe_closed();  // an output on stdout
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::kEnvironment, "out of memory");
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      return fail(ExitCode::kEnvironment,
                  "cannot start a thread: the number of processes or the memory is limited here "
                  "(ulimit -u, ulimit -v)");
    }
    end_if_pipe_closed();  // fmt could not write to stdout
    return fail(ExitCode::kEnvironment, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::kRunStopped,
                std::string("this is a bug, please report it: ") + error.what());
  }
}
