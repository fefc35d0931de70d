// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/late_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tactus {
namespace {

const char* what_was_flown(LatePolicy policy) {
  switch (policy) {
    case LatePolicy::kFail: break;
    case LatePolicy::kHold: return "hold: its last command was flown";
    case LatePolicy::kDrop: return "drop: the motors were off from then on";
    case LatePolicy::kFreeRunning:
      return "free_running: it was not waited for again, and its newest command was flown";
  }
  return "fail";
}

}  // namespace

void LateAnswers::count(TimeUs now, bool in_time, Clock::time_point since) {
  if (due_++ == 0) answered_at_ = now;
  longest_wait_ = std::max(longest_wait_, Clock::now() - since);
  if (!in_time) {
    if (missed_++ == 0) first_ = now;
    if (!std::exchange(in_gap_, true)) ++gaps_;
    longest_gap_ = std::max(longest_gap_, now - answered_at_);
    return;
  }
  if (std::exchange(in_gap_, false)) longest_gap_ = std::max(longest_gap_, now - answered_at_);
  answered_at_ = now;
}

std::string LateAnswers::text(std::string_view who, LatePolicy policy) const {
  if (missed_ == 0) return {};
  const double wait_s = std::chrono::duration<double>(longest_wait_).count();
  return fmt::format(
      "{}: {} of {} answers did not come in time, in {} gap{}, the first at t = {} ({}); the "
      "longest gap was {} of the flight, the longest wait {:.3f} s of wall time",
      who, missed_, due_, gaps_, gaps_ == 1 ? "" : "s", to_text(first_), what_was_flown(policy),
      to_text(longest_gap_), wait_s);
}

}  // namespace tactus
