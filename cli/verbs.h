// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One file per verb. Each function below adds its verb with options and a callback to the program;
// the callback writes the exit code and reports trouble by throwing tactus::Error.
// CLI11 keeps references to the variables that options fill: they must outlive the program's
// options, so a verb keeps them in a shared struct that its callback owns.

#include <CLI/Option.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::cli {

/// The program, a verb or a verb of a verb: what is used of CLI::App. That class compiles ten
/// seconds of code into every file that uses it, so only verbs.cpp and main.cpp do.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}

  Verb* add_subcommand(const std::string& name, const std::string& help);
  void require_subcommand(int count);
  /// The types that it takes are listed at the end of verbs.cpp.
  template <class T>
  CLI::Option* add_option(const std::string& name, T& value, const std::string& help = "");
  CLI::Option* add_flag(const std::string& name, bool& value, const std::string& help);
  void callback(std::function<void()> action);

 private:
  CLI::App* app_;
  std::vector<std::unique_ptr<Verb>> verbs_;
};

void add_inspect_verb(Verb& app, int& exit_code);
void add_export_verb(Verb& app, int& exit_code);
void add_repair_verb(Verb& app, int& exit_code);
void add_replay_verb(Verb& app, int& exit_code);
void add_run_verb(Verb& app, int& exit_code);
void add_bridge_verb(Verb& app, int& exit_code);
void add_conduct_verb(Verb& app, int& exit_code);
void add_autopilots_verb(Verb& app, int& exit_code);
void add_params_verb(Verb& app, int& exit_code);
void add_compare_verb(Verb& app, int& exit_code);
void add_diff_verb(Verb& app, int& exit_code);
void add_branch_verb(Verb& app, int& exit_code);
void add_spec_verb(Verb& app, int& exit_code);
void add_sweep_verb(Verb& app, int& exit_code);
void add_verify_verb(Verb& app, int& exit_code);

}  // namespace tactus::cli
