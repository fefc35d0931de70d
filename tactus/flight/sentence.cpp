// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core/math.h"
#include "tactus/flight/incidents.h"
#include "tactus/flight/item_passes.h"
#include "tactus/flight/mission_outcome.h"
#include "tactus/flight/names.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

using FailsafeChange = FlightFacts::FailsafeChange;

bool flies(const Flight& flight) { return vehicle_type(flight.spec).flies(); }

/// The message without its first word, which the verdict says already.
std::string crash_text(const FlightOutcome& outcome) {
  constexpr std::string_view kFirstWord = "crashed ";
  const std::string& message = outcome.crash_message;
  return message.starts_with(kFirstWord) ? message.substr(kFirstWord.size()) : message;
}

/// "pack \"main\" empty at 23.766 s": where power failed first on the way to the crash.
std::string power_loss_name(const Flight& flight) {
  constexpr DurationUs kOnTheWay{10'000'000};
  const TimeUs crash = flight.outcome.crash_time;
  for (const Note& note : flight.facts.notes) {
    const std::string_view what = note.what;
    const bool empty = what == "pack empty";
    const bool lost = empty || what == "brown-out" || what == "undervoltage";
    if (!lost || note.time > crash || note.time + kOnTheWay < crash) continue;
    const std::string id = name_at(ids_of_note(what, flight.spec), note.index);
    return fmt::format(
        "{} at {}",
        empty ? fmt::format("pack \"{}\" empty", id) : fmt::format("{} of bus \"{}\"", what, id),
        seconds_text(note.time));
  }
  return {};
}

/// ", after motor_off front_right at 20.000 s and brown-out of bus \"main\" at 20.104 s"
std::string crash_causes(const Flight& flight) {
  std::string fault = fault_text(flight, flight.outcome.crash_time);
  const std::string power = power_loss_name(flight);
  if (power.empty()) return fault;
  return fault.empty() ? ", after " + power : fault + " and " + power;
}

/// What took the vehicle from its orders while it flew, in the order of time.
std::vector<FailsafeChange> failsafes_in_flight(const FlightFacts& facts) {
  std::vector<FailsafeChange> list;
  for (const FailsafeChange& failsafe : facts.failsafes) {
    const bool of_wreck =
        failsafe.value == Failsafe::kCrashed || (facts.crash && failsafe.time > facts.crash->time);
    if (failsafe.value != Failsafe::kNone && !of_wreck) list.push_back(failsafe);
  }
  return list;
}

/// ", failsafe motor_lost at 20.220 s": the last one before the crash.
std::string last_failsafe_text(const Flight& flight) {
  const std::vector<FailsafeChange> failsafes = failsafes_in_flight(flight.facts);
  return failsafes.empty() ? "" : ", failsafe " + failsafe_text(flight, failsafes.back());
}

/// The failsafes that the text of the mission does not mention.
std::vector<std::string> failsafe_parts(const Flight& flight) {
  constexpr std::size_t kMostNamed = 3;
  const std::optional<TimeUs> mentioned = mission_aborted_at(flight.facts);
  std::vector<std::string> parts;
  const char* word = "failsafe";
  for (const FailsafeChange& failsafe : failsafes_in_flight(flight.facts)) {
    const bool is_mentioned = mentioned && failsafe.time == *mentioned;
    if (!is_mentioned && parts.size() < kMostNamed) {
      parts.push_back(fmt::format("{} {}", word, failsafe_text(flight, failsafe)));
    }
    word = "then";
  }
  return parts;
}

/// Why a vehicle stayed where it was.
std::string stayed_why(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (flight.spec.autopilot == AutopilotKind::kNone) return "no autopilot";
  if (!facts.refusals.empty()) return explain(facts.refusals.back().value);
  if (facts.armed.empty()) return "never armed";
  const std::string armed = "armed at " + seconds_text(facts.armed.front().time);
  if (!flies(flight) && facts.mission_count == 0) return armed + ", but it has no mission";
  if (!flies(flight) && !facts.mission_ordered) return armed + ", but nothing ordered the mission";
  if (flies(flight) && !facts.takeoff_ordered) return armed + ", but nothing ordered a takeoff";
  return armed + (flies(flight) ? ", but it did not lift off" : ", but it did not move");
}

/// "never took off: never armed"; of a run that was interrupted, `so_far`.
std::string stayed_text(const Flight& flight, const char* never, const char* so_far) {
  if (flight.verdict == Verdict::kInterrupted) return so_far;
  return fmt::format("{}: {}", never, stayed_why(flight));
}

std::string rover_state(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (!facts.departed && facts.begin.us == 0) {
    return stayed_text(flight, "never moved", "has not moved");
  }
  const std::string state =
      facts.landed ? "standing" : fmt::format("driving at {:.2f} m/s", facts.speed_m_s);
  return facts.begin.us > 0 ? state + " at the end"
                            : fmt::format("{}{} {:.2f} m from home", state, facts.landed ? "" : ",",
                                          facts.home_distance_m);
}

/// Where it is at the end, and what it does there: "landed 0.10 m from home".
std::string state_text(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (!flies(flight)) return rover_state(flight);
  switch (flight.outcome.end) {
    case FlightEnd::kNeverFlew: return stayed_text(flight, "never took off", "has not taken off");
    case FlightEnd::kInTheAir: {
      const double height_m =
          math::abs(facts.height_m) < 0.005 ? 0.0 : facts.height_m;  // no "-0.00"
      const std::string place =
          facts.begin.us > 0 ? "" : fmt::format(", {:.2f} m from home", facts.home_distance_m);
      return fmt::format("in the air {:.2f} m high{}", height_m, place);
    }
    case FlightEnd::kCrashed: return flight.outcome.crash_message;
    case FlightEnd::kLanded:
    case FlightEnd::kOnGround: break;
  }
  const std::string state = flight.outcome.end == FlightEnd::kLanded ? "landed"
                            : facts.is_armed                         ? "on the ground, armed,"
                                                                     : "on the ground";
  return facts.begin.us > 0 ? state + " at the end"
                            : fmt::format("{} {:.2f} m from home", state, facts.home_distance_m);
}

/// "3 of 8 items"
std::string items_text(const Flight& flight) {
  return fmt::format("{} of {} items", item_passes(flight.spec.mission, flight.facts.steps).size(),
                     flight.facts.mission_count);
}

/// "mission aborted after 3 of 8 items by failsafe …"; empty: nothing to report.
std::string mission_text(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  const bool seen = facts.begin.us == 0;  // otherwise items were done before
  switch (mission_state(flight)) {
    case MissionState::kFinished: return "mission complete";
    case MissionState::kAborted:
      return fmt::format("mission aborted{} by {}", seen ? " after " + items_text(flight) : "",
                         abort_text(flight));
    case MissionState::kUnderWay:
      return "mission not finished" + (seen ? ", " + items_text(flight) + " done" : "");
    case MissionState::kNotOrdered: return facts.departed ? "mission never ordered" : "";
    case MissionState::kNotStarted: return facts.departed ? "mission never started" : "";
    case MissionState::kNone: break;
  }
  return {};
}

/// "mission complete, landed 0.10 m from home"
std::string course_text(const Flight& flight) {
  std::vector<std::string> parts;
  if (const std::string mission = mission_text(flight); !mission.empty()) parts.push_back(mission);
  for (std::string& failsafe : failsafe_parts(flight)) parts.push_back(std::move(failsafe));
  parts.push_back(state_text(flight));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string failed_text(const FlightOutcome& outcome) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> ids;
  for (const ExpectationResult& result : outcome.results) {
    if (result.failed()) ids.push_back(result.id);
  }
  const std::size_t failed = ids.size();
  if (failed > kMostNamed) ids.resize(kMostNamed);
  return fmt::format("{} of {} expectation{} not met: {}{}", failed, outcome.results.size(),
                     outcome.results.size() == 1 ? "" : "s", fmt::join(ids, ", "),
                     failed > kMostNamed ? ", ..." : "");
}

/// Something was expected that this autopilot can be asked for.
bool is_judged(const FlightOutcome& outcome) {
  return std::ranges::any_of(outcome.results, &ExpectationResult::applies);
}

}  // namespace

std::string sentence_of(const Flight& flight) {
  const std::string name = flight_name(flight.spec);
  switch (flight.verdict) {
    case Verdict::kPassed:
      return fmt::format("{}: {}: {}", name, is_judged(flight.outcome) ? "passed" : "flown",
                         course_text(flight));
    case Verdict::kFailed:
      return fmt::format("{}: FAILED: {}; {}", name, failed_text(flight.outcome),
                         course_text(flight));
    case Verdict::kCrashed:
      return fmt::format("{}: CRASHED {}{}{}", name, crash_text(flight.outcome),
                         crash_causes(flight), last_failsafe_text(flight));
    case Verdict::kInterrupted:
      return fmt::format("{}: interrupted at {}: {}", name, seconds_text(flight.facts.end),
                         course_text(flight));
  }
  return {};
}

}  // namespace tactus
