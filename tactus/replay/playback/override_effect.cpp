// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/playback/override_effect.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tactus/core/error.h"
#include "tactus/core/time.h"
#include "tactus/signal/signal_table.h"
#include "tactus/spec/reader/spec_keys.h"

namespace tactus {
namespace {

std::string as_recorded(Component owner) { return fmt::format("{}: as recorded", to_text(owner)); }

/// The period of an axis belongs to what writes on it: a part that is played keeps the recorded
/// one.
std::string why_period_is_fixed(std::string_view key, const ActingOwners& acting) {
  for (const SignalFacts& signal : kSignalFacts) {
    const bool is_its = key == fmt::format("time.{}_s", to_text(signal.axis));
    if (is_its && !acting.has(signal.owner)) return as_recorded(signal.owner);
  }
  return {};
}

/// The scenario does the gusts that are steps.
bool acts_as_gust(std::string_view key, const ActingOwners& acting) {
  return key.starts_with("wind.gust.") && acting.has(Component::kScenario);
}

/// Empty: it has an effect.
std::string why_without_effect(std::string_view key, const Spec& changed,
                               const Recording& recording, const ActingOwners& acting) {
  const Component owner = owner_of_key(key);
  if (!acting.has(owner) && !acts_as_gust(key, acting)) {
    switch (owner) {
      case Component::kRandom: return "all that draws random numbers: as recorded";
      case Component::kText: return "a replay neither names nor judges a flight";
      case Component::kIntegrator:
      case Component::kTimeline: return "nothing is integrated here";
      case Component::kLog: return "the log is not compared here";
      default: return as_recorded(owner);
    }
  }
  const bool later = TimeUs{} + changed.timeline.end > recording.end.time;
  if (key == "time.end_s" && later) {
    return fmt::format("the recording ends at t = {}", to_text(recording.end.time));
  }
  return why_period_is_fixed(key, acting);
}

}  // namespace

ActingOwners acting_owners(const std::bitset<kFlightParts.size()>& live, bool plant) {
  ActingOwners acting;
  const auto is_live = [&live](FlightPart part) {
    return live.test(static_cast<std::size_t>(part));
  };
  for (const FlightPartFacts& facts : kFlightPartFacts) {
    if (!is_live(facts.part)) continue;
    acting.add(facts.component);
    if (facts.is_random) acting.add(Component::kRandom);
  }
  acting.add(Component::kTimeline);
  if (plant) {
    acting.add(Component::kIntegrator);
    acting.add(Component::kLog);
  }
  // An autopilot gets its vehicle, instruments their world.
  if (plant || is_live(FlightPart::kAutopilot)) {
    for (int i = 0; i < static_cast<int>(Component::kUnknown); ++i) {
      const auto component = static_cast<Component>(i);
      if (is_of_plant(component)) acting.add(component);
    }
  }
  if (is_live(FlightPart::kInstruments)) acting.add(Component::kEnvironment);
  return acting;
}

void require_effect(std::span<const Override> overrides, const Spec& changed,
                    const Recording& recording, const ActingOwners& acting) {
  std::string keys;
  for (const Override& change : overrides) {
    const std::string why = why_without_effect(change.key, changed, recording, acting);
    if (why.empty()) continue;
    keys += fmt::format("{}{} ({})", keys.empty() ? "" : ", ", change.key, why);
  }
  if (keys.empty()) return;
  const std::string reason = fmt::format(
      "this change has no effect in this replay: {}. Let the part that reads it be live, or change "
      "the flight itself",
      keys);
  throw Error(ExitCode::kBadInput, reason,
              ErrorSubject{.key = kOverridesSubject, .note = {}, .value = {}, .reason = reason});
}

}  // namespace tactus
