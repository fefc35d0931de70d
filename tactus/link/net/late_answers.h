// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How often an external autopilot did not answer in time, for the end of a flight that went on all
// the same (LatePolicy).

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/core/time.h"

namespace tactus {

class LateAnswers {
 public:
  using Clock = std::chrono::steady_clock;

  /// A tick at which an answer was due. `in_time`: one that can be flown came; `since`: when it was
  /// begun to wait for it.
  void count(TimeUs now, bool in_time, Clock::time_point since);
  /// "PX4: 12 of 500 answers did not come in time, …"; empty: all did.
  [[nodiscard]] std::string text(std::string_view who, LatePolicy policy) const;

 private:
  std::uint64_t due_ = 0;
  std::uint64_t missed_ = 0;
  std::uint64_t gaps_ = 0;
  bool in_gap_ = false;
  TimeUs answered_at_;  ///< the last one in time
  TimeUs first_;        ///< missed
  DurationUs longest_gap_{};
  Clock::duration longest_wait_{};
};

}  // namespace tactus
