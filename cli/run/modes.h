// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The two ways of `tactus run`: one flight, or one per seed of a range.

#include "cli/run/options.h"
#include "tactus/core/error.h"

namespace tactus::cli {

ExitCode run_single(const RunOptions& options);
ExitCode run_seeds(const RunOptions& options);

}  // namespace tactus::cli
