// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/sweep/campaign_line.h"

#include <fmt/format.h>

#include <cstdint>

#include "cli/common/print.h"

namespace tactus::cli {
namespace {

using sweep::Outcome;

/// "2 h 5 min", "4 min 10 s", "12 s"
std::string duration_text(double seconds) {
  const auto whole =
      std::chrono::round<std::chrono::seconds>(std::chrono::duration<double>(seconds)).count();
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                     : fmt::format("{} s", whole);
}

}  // namespace

void CampaignLine::show(const sweep::CampaignProgress& progress) {
  if (quiet_) return;
  if (line_.shown()) return line_.show(text_of(progress));
  if (Clock::now() < next_) return;
  next_ = Clock::now() + kPause;
  print_error(text_of(progress));
}

std::string CampaignLine::text_of(const sweep::CampaignProgress& progress) const {
  const double flying_s = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double rate = flying_s > 0.0 ? static_cast<double>(progress.flown) / flying_s : 0.0;
  std::string text = fmt::format("{} of {} samples, {} passed, {} failed, {} crashed",
                                 progress.done, progress.samples, progress[Outcome::kPassed],
                                 progress[Outcome::kFailed], progress[Outcome::kCrashed]);
  for (const Outcome other : {Outcome::kStopped, Outcome::kRefused, Outcome::kLost}) {
    if (progress[other] > 0) text += fmt::format(", {} {}", progress[other], to_text(other));
  }
  if (rate <= 0.0) return text;
  const auto left = static_cast<double>(progress.samples - progress.done);
  return text + fmt::format(", {:.3g}/s, {} left", rate, duration_text(left / rate));
}

}  // namespace tactus::cli
