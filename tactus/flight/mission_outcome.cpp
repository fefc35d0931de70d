// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/mission_outcome.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/flight/incidents.h"
#include "tactus/flight/names.h"

namespace tactus {

const char* to_text(MissionState state) {
  constexpr const char* kTexts[] = {"none",      "not_ordered", "not_started",
                                    "under_way", "aborted",     "finished"};
  return kTexts[static_cast<std::size_t>(state)];
}

std::optional<TimeUs> mission_aborted_at(const FlightFacts& facts) {
  const bool can_be = !facts.modes.empty() && facts.mode != FlightMode::kMission &&
                      !facts.mission_finished &&
                      (!facts.steps.empty() || facts.mode_at_begin == FlightMode::kMission);
  if (!can_be) return std::nullopt;
  std::optional<TimeUs> left;
  FlightMode before = facts.mode_at_begin;
  for (const auto& mode : facts.modes) {
    if (before == FlightMode::kMission) left = mode.time;
    before = mode.value;
  }
  const bool of_wreck = left && facts.crash && *left > facts.crash->time;
  return of_wreck ? std::nullopt : left;
}

MissionState mission_state(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (facts.mission_count == 0) return MissionState::kNone;
  if (facts.mission_finished) return MissionState::kFinished;
  if (mission_aborted_at(facts)) return MissionState::kAborted;
  if (!facts.steps.empty()) return MissionState::kUnderWay;
  if (facts.begin.us > 0) return MissionState::kNone;
  return facts.mission_ordered ? MissionState::kNotStarted : MissionState::kNotOrdered;
}

std::string abort_text(const Flight& flight) {
  const std::optional<TimeUs> aborted = mission_aborted_at(flight.facts);
  TACTUS_ASSERT(aborted.has_value(), "only an aborted mission has a reason");
  const TimeUs left = *aborted;
  for (const FlightFacts::FailsafeChange& failsafe : flight.facts.failsafes) {
    if (failsafe.time == left && failsafe.value != Failsafe::kNone) {
      return "failsafe " + failsafe_text(flight, failsafe) + fault_text(flight, left);
    }
  }
  FlightMode mode = FlightMode::kNone;
  for (const auto& change : flight.facts.modes) {
    if (change.time <= left) mode = change.value;
  }
  return fmt::format("mode {} at {}", to_text(mode), seconds_text(left));
}

std::string not_started_text(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (!facts.mission_ordered) return "nothing ordered it";
  if (!facts.refusals.empty()) return explain(facts.refusals.back().value);
  return facts.armed.empty() ? "ordered, but never armed" : "ordered, but no item was flown";
}

}  // namespace tactus
