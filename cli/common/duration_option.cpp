// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/duration_option.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus::cli {

DurationUs duration_option(std::string_view text, std::string_view option,
                           const DurationRange& range) {
  const DurationUs duration = parse_duration(text, option);
  const auto refuse = [&](const std::string& reason) {
    throw Error(ExitCode::kBadInput, fmt::format("{} {}: {}", option, text, reason));
  };
  if (duration.us == 0) refuse("must be greater than zero");
  if (duration < range.shortest) {
    refuse(fmt::format("must be at least {}: {}", to_text(range.shortest), range.why_shortest));
  }
  if (range.longest.us != 0 && duration > range.longest) {
    refuse(fmt::format("must be at most {}: {}", to_text(range.longest), range.why_longest));
  }
  return duration;
}

}  // namespace tactus::cli
