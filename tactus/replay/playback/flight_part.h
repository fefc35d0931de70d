// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The parts of a flight that write the bus beside the plant, each live or from a recording.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/record/replay_source.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/stage.h"

namespace tactus {

enum class FlightPart : std::uint8_t {
  kScenario,
  kWind,
  kEstimator,
  kInstruments,
  kLand,
  kAutopilot,
};

inline constexpr std::array<FlightPart, 6> kFlightParts = {
    FlightPart::kScenario,    FlightPart::kWind, FlightPart::kEstimator,
    FlightPart::kInstruments, FlightPart::kLand, FlightPart::kAutopilot};

/// "scenario", "wind", "estimator", "instruments", "land", "autopilot"
const char* to_text(FlightPart part);
/// Throws Error(kBadInput) that lists the names.
FlightPart flight_part(std::string_view name);

/// What it writes.
SignalSet signals_of(FlightPart part);

/// Those of its signals that a recording holds.
SignalSet recorded_signals(const Recording& recording, FlightPart part);

/// Plays it; null: the recording holds nothing of it.
std::unique_ptr<Source> played_part(const std::shared_ptr<const Recording>& recording,
                                    FlightPart part, BringBack bring_back);

/// Everything that drives the plant: scenario, wind and autopilot. With these in place of the live
/// sources (AssembleOptions::instead) a flight does not depend on the autopilot, so plants and
/// integrators can be compared without the loop closing over them.
std::vector<std::unique_ptr<Source>> plant_inputs(const std::shared_ptr<const Recording>& recording,
                                                  BringBack bring_back);

}  // namespace tactus
