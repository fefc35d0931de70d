// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <CLI/CLI.hpp>

// One file per verb. Each function below adds its verb with options and a callback to the program;
// the callback writes the exit code and reports trouble by throwing tactus::Error.
// CLI11 keeps references to the variables that options fill: they must outlive `app`, so a verb
// keeps them in a shared struct that its callback owns.

namespace tactus::cli {

void add_inspect_verb(CLI::App& app, int& exit_code);
void add_export_verb(CLI::App& app, int& exit_code);
void add_repair_verb(CLI::App& app, int& exit_code);
void add_replay_verb(CLI::App& app, int& exit_code);
void add_run_verb(CLI::App& app, int& exit_code);
void add_bridge_verb(CLI::App& app, int& exit_code);
void add_autopilots_verb(CLI::App& app, int& exit_code);
void add_params_verb(CLI::App& app, int& exit_code);
void add_compare_verb(CLI::App& app, int& exit_code);
void add_diff_verb(CLI::App& app, int& exit_code);
void add_branch_verb(CLI::App& app, int& exit_code);
void add_spec_verb(CLI::App& app, int& exit_code);
void add_verify_verb(CLI::App& app, int& exit_code);

}  // namespace tactus::cli
