// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge_log.h"

#include <utility>

namespace tactus {
namespace {

constexpr std::size_t kMostEvents = 10'000;
constexpr std::uint64_t kLongWait_ns = 10'000'000;

}  // namespace

bool BridgeLog::is_full() const { return events_.size() >= kMostEvents; }

void BridgeLog::note(TimeUs time, std::string who, std::string what) {
  if (is_full()) return;
  if (events_.size() + 1 == kMostEvents) {
    who = "bridge";
    what = "further events are not kept";
  }
  events_.push_back({time, std::move(who), std::move(what)});
}

void BridgeLog::note_wait(TimeUs time, std::string who, std::uint64_t ns) {
  if (ns < kLongWait_ns || long_waits_.size() >= kMostEvents) return;
  long_waits_.push_back({time, std::move(who), ns});
}

}  // namespace tactus
