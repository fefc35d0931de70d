// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/pace/time_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

/// So that a user who wants to stop does not wait long.
constexpr std::uint64_t kLongestSleep_ns = 50'000'000;

class SteadyWallClock final : public WallClock {
 public:
  [[nodiscard]] std::uint64_t now_ns() const override {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  }
  void sleep_until_ns(std::uint64_t instant_ns) override {
    std::this_thread::sleep_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(instant_ns)));
  }
};

}  // namespace

const char* to_text(TimeMode::Kind kind) {
  switch (kind) {
    case TimeMode::Kind::kLockstep: return "lockstep";
    case TimeMode::Kind::kFreeRunning: return "free_running";
    case TimeMode::Kind::kScaled: return "scaled";
  }
  return "unknown";
}

TimeMode usual_mode(bool with_ground_station) {
  return with_ground_station ? TimeMode::scaled(1.0) : TimeMode::lockstep();
}

void validate(const TimeMode& mode) {
  if (mode.kind != TimeMode::Kind::kScaled) return;
  if (mode.factor >= kSlowestFactor && mode.factor <= kFastestFactor) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("must be from {} to {} times real time", kSlowestFactor, kFastestFactor));
}

std::shared_ptr<WallClock> steady_wall_clock() { return std::make_shared<SteadyWallClock>(); }

void Pace::anchor(TimeUs now, const TimeMode& mode) {
  validate(mode);
  mode_ = mode;
  anchor_ = now;
  anchor_ns_ = clock_->now_ns();
  TACTUS_ASSERT(mode_.factor > 0.0, "a validated mode");
}

std::uint64_t Pace::due_ns(TimeUs next) const {
  if (mode_.kind == TimeMode::Kind::kLockstep) return 0;
  TACTUS_ASSERT(next >= anchor_, "an instant after the anchor");
  const double factor = mode_.kind == TimeMode::Kind::kScaled ? mode_.factor : 1.0;
  const double later_ns = static_cast<double>((next - anchor_).us) * 1000.0 / factor;
  constexpr double kNever_ns = 0x1p62;  // later than any clock shows, and it can be added
  return anchor_ns_ + static_cast<std::uint64_t>(std::min(later_ns, kNever_ns));
}

void Pace::wait_for(TimeUs next, const std::function<bool()>& stop) const {
  const std::uint64_t due = due_ns(next);
  for (std::uint64_t now = clock_->now_ns(); now < due; now = clock_->now_ns()) {
    if (stop && stop()) return;
    clock_->sleep_until_ns(std::min(due, now + kLongestSleep_ns));
  }
}

}  // namespace tactus
