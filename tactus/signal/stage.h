// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>

namespace tactus {

/// The order of work at every boundary (contract C3). Sources are called in this order and, within
/// a stage, in the order in which they were added.
enum class Stage : std::uint8_t {
  kScenario,
  kWind,
  kOutputs,  ///< the plant publishes what follows from state and held input
  kSensors,
  kTelemetry,
  kAutopilot,
  kDiscontinuities,  ///< the plant takes the new input; jams, snaps and guards that jumped
  kLog,
  kIntegrate,
};
inline constexpr int kStages = 9;

constexpr const char* to_text(Stage stage) {
  switch (stage) {
    case Stage::kScenario: return "scenario";
    case Stage::kWind: return "wind";
    case Stage::kOutputs: return "outputs";
    case Stage::kSensors: return "sensors";
    case Stage::kTelemetry: return "telemetry";
    case Stage::kAutopilot: return "autopilot";
    case Stage::kDiscontinuities: return "discontinuities";
    case Stage::kLog: return "log";
    case Stage::kIntegrate: return "integrate";
  }
  return "unknown";
}

}  // namespace tactus
