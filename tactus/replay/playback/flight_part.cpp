// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/playback/flight_part.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {
namespace {

/// All signals of a part are written in the same one.
Stage stage_of(SignalSet signals) {
  for (const SignalFacts& signal : kSignalFacts) {
    if (signals.has(signal.signal)) return signal.stage;
  }
  return Stage::kScenario;
}

}  // namespace

std::string flight_part_names() {
  std::string names;
  for (const FlightPartFacts& facts : kFlightPartFacts) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", facts.name);
  }
  return names;
}

FlightPart flight_part(std::string_view name) {
  for (const FlightPart part : kFlightParts) {
    if (name == to_text(part)) return part;
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("there is no part \"{}\"; it is one of {}", name, flight_part_names()));
}

SignalSet signals_of(FlightPart part) { return signals_of(facts_of(part).component); }

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
  return std::make_unique<ReplaySource>(recording, stage_of(signals), signals, bring_back);
}

std::vector<std::unique_ptr<Source>> plant_inputs(const std::shared_ptr<const Recording>& recording,
                                                  BringBack bring_back) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const FlightPart part : kFlightParts) {
    if ((signals_of(part) & kPlantInputs).bits == 0) continue;
    std::unique_ptr<Source> source = played_part(recording, part, bring_back);
    if (source != nullptr) sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace tactus
