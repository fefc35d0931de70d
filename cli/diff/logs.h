// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// `diff` of what an autopilot's program has written: PX4's ULogs, traces of conducted programs.

#include <optional>
#include <string>

#include "tactus/core/error.h"

namespace tactus::cli {

struct LogDiffOptions {
  bool exact = true;  ///< without a tolerance, which only recordings have
  bool json = false;
};

/// Prints where they part. None: neither file is one of these. Throws Error(kBadInput) if they are
/// not two of a kind.
std::optional<ExitCode> diff_logs(const std::string& a, const std::string& b,
                                  const LogDiffOptions& options);

}  // namespace tactus::cli
