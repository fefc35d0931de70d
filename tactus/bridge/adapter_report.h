// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>
#include <string>

#include "tactus/bridge/histogram.h"

namespace tactus {

/// Of a simulator, as its user sees it.
enum class AdapterState : std::uint8_t { kFine, kLate, kDropped, kFree };

const char* to_text(AdapterState state);

/// The report about a simulator.
struct AdapterReport {
  std::string name;
  std::string kind;
  AdapterState state = AdapterState::kFine;
  Histogram step;  ///< wall time from the request to its frames
  Histogram wait;  ///< wall time that the bridge stood still for it
  std::uint64_t misses = 0;
  std::uint64_t recoveries = 0;
};

}  // namespace tactus
