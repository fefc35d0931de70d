// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What `tactus run` does before and after flying, be it one seed or many.

#include <memory>
#include <string>
#include <vector>

#include "cli/run/options.h"
#include "tactus/files/output_file.h"

namespace tactus::cli {

struct RunOutputs {
  std::unique_ptr<OutputFile> record;
  std::unique_ptr<OutputFile> log;
  std::unique_ptr<OutputFile> junit;
  std::unique_ptr<OutputFile> trace;  ///< the program writes it
};

/// Throws Error if one of them is not possible.
RunOutputs reserve_outputs(const RunOptions& options, const LoadedSpec& loaded);

/// Warnings fail a strict run that passed otherwise; true: this one.
bool fail_strictly(const RunOptions& options, const std::vector<std::string>& warnings);

}  // namespace tactus::cli
