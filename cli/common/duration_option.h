// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Durations on the command line: a number with its unit, within the range in which the option does
// what it says. Everything else is refused before anything is flown.

#include <string>
#include <string_view>

#include "tactus/core/time.h"

namespace tactus::cli {

/// What decides the ends of a range: "the recording ends at t = 5s".
struct DurationRange {
  DurationUs shortest{1};
  DurationUs longest{};  ///< 0: any
  std::string why_shortest;
  std::string why_longest;
};

/// Throws Error(kBadInput) with option, text, the bound and the reason for it.
DurationUs duration_option(std::string_view text, std::string_view option,
                           const DurationRange& range = {});

}  // namespace tactus::cli
