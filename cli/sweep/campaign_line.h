// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The line of progress of campaigns.

#include <chrono>
#include <string>

#include "cli/common/status_line.h"
#include "tactus/sweep/fly_campaign.h"

namespace tactus::cli {

/// Rate, time left and what came of the flights: a line that changes on a terminal, elsewhere a new
/// one every ten seconds.
class CampaignLine {
 public:
  explicit CampaignLine(bool quiet) : quiet_(quiet), line_(quiet) {}

  void show(const sweep::CampaignProgress& progress);
  void wipe() { line_.wipe(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPause{10};

  [[nodiscard]] std::string text_of(const sweep::CampaignProgress& progress) const;

  bool quiet_;
  StatusLine line_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + kPause;
};

}  // namespace tactus::cli
