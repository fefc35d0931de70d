// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/run/names.h"
#include "cli/run/report.h"
#include "tactus/core/math.h"
#include "tactus/record/item_passes.h"

namespace tactus::cli {
namespace {

using FailsafeChange = FlightFacts::FailsafeChange;

bool flies(const Flight& flight) { return flight.spec.vehicle != VehicleKind::kRover; }

/// The message without its first word, which the verdict says already.
std::string crash_text(const FlightOutcome& outcome) {
  constexpr std::string_view kFirstWord = "crashed ";
  const std::string& message = outcome.crash_message;
  return message.starts_with(kFirstWord) ? message.substr(kFirstWord.size()) : message;
}

bool is_fault(ActionKind kind) {
  return lasts(kind) || kind == ActionKind::kDisarm || kind == ActionKind::kParameter;
}

/// ", after motor_off front_right at 20.000 s": the last thing that the scenario did to it.
std::string fault_text(const Flight& flight, TimeUs before) {
  std::optional<TimeUs> last;
  std::string name;
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    if (!is_fault(flight.events[i].action.kind) || record.count == 0 || record.first > before) {
      continue;
    }
    const TimeUs acted = record.last <= before ? record.last : record.first;
    if (last && acted < *last) continue;
    last = acted;
    name = action_name(flight.events[i]);
  }
  return last ? fmt::format(", after {} at {}", name, seconds(*last)) : "";
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
        seconds(note.time));
  }
  return {};
}

/// ", after motor_off front_right at 20.000 s and brown-out of bus \"main\" at 20.104 s"
std::string crash_causes(const Flight& flight) {
  const std::string fault = fault_text(flight, flight.outcome.crash_time);
  const std::string power = power_loss_name(flight);
  if (power.empty()) return fault;
  return fault.empty() ? ", after " + power : fault + " and " + power;
}

/// "battery_low at 22.340 s (20 % left)"
std::string failsafe_text(const Flight& flight, const FailsafeChange& failsafe) {
  const std::string text = fmt::format("{} at {}", to_text(failsafe.value), seconds(failsafe.time));
  const bool of_battery =
      failsafe.value == Failsafe::kBatteryLow || failsafe.value == Failsafe::kBatteryCritical;
  if (of_battery) return text + fmt::format(" ({:.0f} % left)", 100.0 * failsafe.remaining);
  std::string motor;
  for (const auto& lost : flight.facts.lost_motors) {
    if (lost.time <= failsafe.time) motor = name_at(flight.spec.rotor_ids, lost.value);
  }
  const bool of_motor = failsafe.value == Failsafe::kMotorLost && !motor.empty();
  return of_motor ? text + fmt::format(" (rotor {})", motor) : text;
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

/// The failsafes that the text of the mission does not tell.
std::vector<std::string> failsafe_parts(const Flight& flight) {
  constexpr std::size_t kMostNamed = 3;
  const std::optional<TimeUs> told = mission_aborted_at(flight.facts);
  std::vector<std::string> parts;
  const char* word = "failsafe";
  for (const FailsafeChange& failsafe : failsafes_in_flight(flight.facts)) {
    const bool is_told = told && failsafe.time == *told;
    if (!is_told && parts.size() < kMostNamed) {
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
  const std::string armed = "armed at " + seconds(facts.armed.front().time);
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

/// "mission aborted after 3 of 8 items by failsafe …"; empty: there is nothing to tell.
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
    if (!result.passed) ids.push_back(result.id);
  }
  const std::size_t failed = ids.size();
  if (failed > kMostNamed) ids.resize(kMostNamed);
  return fmt::format("{} of {} expectation{} not met: {}{}", failed, outcome.results.size(),
                     outcome.results.size() == 1 ? "" : "s", fmt::join(ids, ", "),
                     failed > kMostNamed ? ", ..." : "");
}

}  // namespace

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
  const TimeUs left = *mission_aborted_at(flight.facts);
  for (const FailsafeChange& failsafe : flight.facts.failsafes) {
    if (failsafe.time == left && failsafe.value != Failsafe::kNone) {
      return "failsafe " + failsafe_text(flight, failsafe) + fault_text(flight, left);
    }
  }
  FlightMode mode = FlightMode::kNone;
  for (const auto& change : flight.facts.modes) {
    if (change.time <= left) mode = change.value;
  }
  return fmt::format("mode {} at {}", to_text(mode), seconds(left));
}

std::string not_started_text(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (!facts.mission_ordered) return "nothing ordered it";
  if (!facts.refusals.empty()) return explain(facts.refusals.back().value);
  return facts.armed.empty() ? "ordered, but never armed" : "ordered, but no item was flown";
}

std::string sentence_of(const Flight& flight) {
  const std::string name = flight_name(flight.spec);
  switch (flight.verdict) {
    case Verdict::kPassed:
      return fmt::format("{}: {}: {}", name, flight.outcome.results.empty() ? "flown" : "passed",
                         course_text(flight));
    case Verdict::kFailed:
      return fmt::format("{}: FAILED: {}; {}", name, failed_text(flight.outcome),
                         course_text(flight));
    case Verdict::kCrashed:
      return fmt::format("{}: CRASHED {}{}{}", name, crash_text(flight.outcome),
                         crash_causes(flight), last_failsafe_text(flight));
    case Verdict::kInterrupted:
      return fmt::format("{}: interrupted at {}: {}", name, seconds(flight.facts.end),
                         course_text(flight));
  }
  return {};
}

}  // namespace tactus::cli
