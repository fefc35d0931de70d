// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/build_identity.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/version.h"

namespace {

using tactus::ExitCode;

/// Called from handlers, so it must not throw: what cannot be written to stderr is lost.
int fail(ExitCode code, const char* message) noexcept {
  std::fflush(stdout);
  std::fprintf(stderr, "tactus: %s\n", message);
  return static_cast<int>(code);
}

/// A full disk must not look like success: output counts as written only once it is flushed.
int flush_output(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
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
void refuse_empty_texts(CLI::App& app) {
  const auto check = [](const std::string& text) {
    return std::string(text.empty() ? "must not be empty" : "");
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(check, "");
  }
  for (CLI::App* verb : app.get_subcommands({})) refuse_empty_texts(*verb);
}

/// Help and version are CLI11 "errors" with code 0; every real one is a usage error.
int report_parse(const CLI::App& app, const CLI::ParseError& error) {
  const bool no_verb = app.get_subcommands().empty();
  const std::vector<std::string> rest = app.remaining();
  const bool unknown_verb = no_verb && !rest.empty() && !rest.front().starts_with('-');
  const bool asked_for_help =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success) && !unknown_verb;
  if (asked_for_help) return flush_output(app.exit(error));
  const std::string what =
      unknown_verb ? fmt::format("there is no verb \"{}\"", rest.front()) : error.what();
  const std::string verb = no_verb ? "" : app.get_subcommands().front()->get_name() + " ";
  return fail(ExitCode::kBadInput, fmt::format("{}; see `tactus {}--help`", what, verb).c_str());
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
  tactus::cli::add_bridge_verb(program, exit_code);
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
  refuse_empty_texts(app);
  try {
    if (argc < 2) {
      app.parse("run");  // without a word: the default flight
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

}  // namespace

int main(int argc, char** argv) {
  // `tactus verify | head` ends quietly, as other Unix programs do; a parent may have ignored it.
  std::signal(SIGPIPE, SIG_DFL);
  // A file that may not grow any more is an error that is told, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const tactus::Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::kEnvironment, "out of memory");
  } catch (const std::system_error& error) {  // fmt could not write to stdout
    return fail(ExitCode::kEnvironment, error.what());
  } catch (const std::exception& error) {
    const std::string message = std::string("this is a bug, please report it: ") + error.what();
    return fail(ExitCode::kRunStopped, message.c_str());
  }
}
