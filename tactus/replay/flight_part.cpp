// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/flight_part.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {
namespace {

struct PartFacts {
  const char* name;
  Stage stage;
  SignalSet signals;
};

constexpr PartFacts kFacts[] = {
    {"scenario", Stage::kScenario,
     SignalSet::of(Signal::kHighLevel, Signal::kParameter, Signal::kMarker, Signal::kFaults,
                   Signal::kDisturbance)},
    {"wind", Stage::kWind, SignalSet::of(Signal::kWind)},
    {"estimator", Stage::kSensors, SignalSet::of(Signal::kEstimate)},
    {"instruments", Stage::kSensors,
     SignalSet::of(Signal::kImu, Signal::kMagnetometer, Signal::kBarometer, Signal::kGps,
                   Signal::kAirspeed, Signal::kRangeFinder)},
    {"land", Stage::kSensors, SignalSet::of(Signal::kLand)},
    {"autopilot", Stage::kAutopilot, SignalSet::of(Signal::kCommand, Signal::kAutopilot)},
};
static_assert(std::size(kFacts) == kFlightParts.size());

const PartFacts& facts(FlightPart part) { return kFacts[static_cast<std::size_t>(part)]; }

}  // namespace

const char* to_text(FlightPart part) { return facts(part).name; }

FlightPart flight_part(std::string_view name) {
  for (const FlightPart part : kFlightParts) {
    if (name == to_text(part)) return part;
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("there is no part \"{}\"; it is one of scenario, wind, estimator, "
                          "instruments, land, autopilot",
                          name));
}

SignalSet signals_of(FlightPart part) { return facts(part).signals; }

SignalSet recorded_signals(const Recording& recording, FlightPart part) {
  SignalSet recorded;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    const bool held = signals_of(part).has(signal) && recording.signal(signal) != nullptr;
    if (held) recorded = recorded | SignalSet::of(signal);
  }
  return recorded;
}

std::unique_ptr<Source> played_part(const std::shared_ptr<const Recording>& recording,
                                    FlightPart part, BringBack bring_back) {
  const SignalSet signals = recorded_signals(*recording, part);
  if (signals.bits == 0) return nullptr;
  return std::make_unique<ReplaySource>(recording, facts(part).stage, signals, bring_back);
}

std::vector<std::unique_ptr<Source>> plant_inputs(const std::shared_ptr<const Recording>& recording,
                                                  BringBack bring_back) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const FlightPart part : {FlightPart::kScenario, FlightPart::kWind, FlightPart::kAutopilot}) {
    std::unique_ptr<Source> source = played_part(recording, part, bring_back);
    if (source != nullptr) sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace tactus
