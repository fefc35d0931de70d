// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/report/stopping_rule.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus::sweep {
namespace {

constexpr std::string_view kBegin = "fail_rate width < ";

[[noreturn]] void refuse(const std::string& text, const char* reason) {
  throw Error(ExitCode::kBadInput, fmt::format("--until \"{}\": {}", text, reason));
}

double width_of(const std::string& text) {
  if (text.starts_with(kBegin)) {
    const double width = parse_double(std::string_view(text).substr(kBegin.size()), "--until");
    if (width > 0.0 && width < 1.0) return width;
  }
  refuse(text, "must be \"fail_rate width < NUMBER\", the number between 0 and 1");
}

}  // namespace

void count(Outcome outcome, OutcomeCounts& counts) {
  switch (outcome) {
    case Outcome::kPassed: ++counts.passed; break;
    case Outcome::kFailed:
    case Outcome::kCrashed:
    case Outcome::kStopped: ++counts.failed; break;
    case Outcome::kRefused:
    case Outcome::kLost: ++counts.unknown; break;
  }
}

StoppingRule stopping_rule(const std::string& text, const Campaign& campaign) {
  const double width = width_of(text);
  if (campaign.file().design.kind != DesignKind::kMonteCarlo || campaign.file().design.saltelli) {
    refuse(text, "is for the design monte_carlo, whose samples are drawn one by one");
  }
  return [width, counts = OutcomeCounts(), look = next_look(0)](std::uint64_t samples,
                                                                Outcome outcome) mutable {
    count(outcome, counts);
    if (samples < look) return false;
    look = next_look(samples);
    return sequential_interval(counts, kConfidence).width() < width;
  };
}

}  // namespace tactus::sweep
