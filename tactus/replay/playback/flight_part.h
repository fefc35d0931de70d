// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The parts of a flight that write the bus beside the plant, each live or from a recording.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/record/replay_source.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/component.h"
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

struct FlightPartFacts {
  FlightPart part;
  const char* name;
  Component component;  ///< whose signals it writes
  bool is_random;       ///< it draws random numbers
};

inline constexpr std::array kFlightPartFacts = {
    FlightPartFacts{FlightPart::kScenario, "scenario", Component::kScenario, true},
    FlightPartFacts{FlightPart::kWind, "wind", Component::kWind, true},
    FlightPartFacts{FlightPart::kEstimator, "estimator", Component::kEstimator, true},
    FlightPartFacts{FlightPart::kInstruments, "instruments", Component::kInstruments, true},
    FlightPartFacts{FlightPart::kLand, "land", Component::kLandDetector, false},
    FlightPartFacts{FlightPart::kAutopilot, "autopilot", Component::kAutopilot, false},
};

/// All of them, in the order of the enumeration.
inline constexpr auto kFlightParts = [] {
  std::array<FlightPart, kFlightPartFacts.size()> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = static_cast<FlightPart>(i);
  return parts;
}();
static_assert(std::ranges::equal(kFlightPartFacts, kFlightParts, {}, &FlightPartFacts::part));

constexpr const FlightPartFacts& facts_of(FlightPart part) {
  return kFlightPartFacts[static_cast<std::size_t>(part)];
}

constexpr const char* to_text(FlightPart part) { return facts_of(part).name; }
/// "scenario, wind, …"
std::string flight_part_names();
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
