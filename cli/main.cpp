// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commit.h"
#include "cli/verbs.h"
#include "tactus/core/error.h"
#include "tactus/core/version.h"

namespace {

using tactus::ExitCode;

#if defined(__clang__)
constexpr char kCompiler[] = "clang++ " __clang_version__;
#else
constexpr char kCompiler[] = "g++ " __VERSION__;
#endif

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

/// Help and version are CLI11 "errors" with code 0; every real one is a usage error.
int report_parse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return flush_output(app.exit(error));
  }
  const bool no_verb = app.get_subcommands().empty();
  const std::vector<std::string> rest = app.remaining();
  const bool unknown_verb = no_verb && !rest.empty() && !rest.front().starts_with('-');
  const std::string what =
      unknown_verb ? fmt::format("there is no verb \"{}\"", rest.front()) : error.what();
  const std::string verb = no_verb ? "" : app.get_subcommands().front()->get_name() + " ";
  return fail(ExitCode::kBadInput, fmt::format("{}; see `tactus {}--help`", what, verb).c_str());
}

int run(int argc, char** argv) {
  CLI::App app{"Tactus: deterministic flight simulation, the same bits on every machine", "tactus"};
  app.set_version_flag(
      "--version", fmt::format("tactus {} (commit {}, {})", tactus::kVersion, kCommit, kCompiler));
  app.require_subcommand(0, 1);
  int exit_code = 0;
  tactus::cli::add_run_verb(app, exit_code);
  tactus::cli::add_spec_verb(app, exit_code);
  tactus::cli::add_verify_verb(app, exit_code);
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
