// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Parts of a scenario that come to nothing. A test whose fault never happens passes without having
// tested anything, so it is reported, before the flight where that is certain and after it
// otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "tactus/scenario/assembly.h"
#include "tactus/scenario/warnings.h"
#include "tactus/signal/signal_table.h"
#include "tactus/spec/model/event_chain.h"
#include "tactus/spec/model/expectation_table.h"
#include "tactus/spec/schema/actions.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

constexpr TimeUs kNever{std::numeric_limits<std::uint64_t>::max()};

std::string seconds(TimeUs time) { return fmt::format("{} s", static_cast<double>(time.us) / 1e6); }

std::string event_key(const Event& event, std::string_view name) {
  return fmt::format("event.{}.{}", event.id, name);
}

/// When things can happen at the earliest.
class Earliest {
 public:
  explicit Earliest(const Spec& spec)
      : spec_(&spec), chains_(spec.events), end_(TimeUs{} + spec.timeline.end) {
    for (const Event& event : spec.events) {
      if (event.action.kind != ActionKind::kEnd || !chains_.start(event).is_timed()) continue;
      end_ = std::min(end_, of(event));
    }
  }

  [[nodiscard]] TimeUs end() const { return end_; }

  /// Of a chain of `after` the sum; a condition may hold at once.
  [[nodiscard]] TimeUs of(const Event& event) const {
    const ChainStart start = chains_.start(event);
    if (start.is_timed()) return start.event->trigger.at + start.delay;
    const bool at_step =
        start.event != nullptr && start.event->trigger.kind == TriggerKind::kAtStep;
    if (at_step && is_beyond(start.event->trigger.step)) return kNever;
    return TimeUs{} + start.delay;
  }

 private:
  /// Boundaries that are found add to those of the axes, so twice as many and some are allowed for.
  [[nodiscard]] bool is_beyond(std::uint64_t step) const {
    const TimelineSpec& t = spec_->timeline;
    std::uint64_t ticks = 1000;
    for (const DurationUs period : {t.autopilot, t.wind, t.sensors, t.physics, spec_->log.period}) {
      if (period.us != 0) ticks += 2 * (end_.us / period.us + 1);
    }
    return step > ticks;
  }

  const Spec* spec_;
  EventChains chains_;
  TimeUs end_;
};

const char* trigger_key(TriggerKind kind) {
  switch (kind) {
    case TriggerKind::kAtTime: return "at_s";
    case TriggerKind::kAtStep: return "at_step";
    case TriggerKind::kWhen: return "when";
    case TriggerKind::kAfter: return "after";
  }
  return "at_s";
}

/// The key whose value makes that an action changes nothing; null: it does something.
const char* neutral_key(const Action& action) {
  const ActionInput& input = row_of(action.kind).input;
  if (input.has_value()) return action.value == input.neutral ? "value" : nullptr;
  const bool is_vector = input.kind == ActionInput::Kind::kVector;
  return is_vector && action.vector == Vec3{} ? "vector" : nullptr;
}

bool is_restore(ActionKind kind) { return row_of(kind).does == ActionClass::kRestore; }

/// A restore for which no event of the scenario makes what it would end.
bool ends_nothing(const Spec& spec, const Event& event) {
  if (!is_restore(event.action.kind)) return false;
  return std::none_of(spec.events.begin(), spec.events.end(),
                      [&](const Event& other) { return ends(event.action, other.action); });
}

/// The fault that a restore ends before it has acted for any time: both act at the same instant,
/// and the restore later in the list; null: none.
const Event* ended_at_once(const Spec& spec, const Event& restore) {
  if (!is_restore(restore.action.kind) || restore.trigger.kind != TriggerKind::kAtTime) {
    return nullptr;
  }
  const Event* found = nullptr;
  for (const Event& event : spec.events) {
    if (event.id == restore.id) return found;
    const bool together = event.trigger.kind == TriggerKind::kAtTime &&
                          event.trigger.at == restore.trigger.at &&
                          event.trigger.every == restore.trigger.every &&
                          event.trigger.snap_to_autopilot == restore.trigger.snap_to_autopilot;
    if (together && ends(restore.action, event.action)) found = &event;
  }
  return found;
}

/// Why a signal is never above (or below) a number; empty: it may be.
std::string why_out_of_reach(const std::string& signal, bool above, double number) {
  const Range range = part_of_leaf(signal).range;
  if (!range.has_ends() || (above ? number <= range.high : number >= range.low)) return {};
  return fmt::format("{} lies between {:g} and {:.4g}{}", signal, range.low, range.high,
                     signal.ends_with("_rad")         ? " (degrees instead of radians?)"
                     : signal.ends_with(".remaining") ? " (percent instead of a fraction?)"
                                                      : "");
}

/// A limit that every flight keeps, or none.
void check_limit(const Expectation& expected, SpecWarnings& warnings) {
  const std::string path = "expect." + expected.id;
  const auto check = [&](const char* key, bool above, double number, const char* what) {
    const std::string why = why_out_of_reach(expected.signal, above, number);
    if (!why.empty()) warnings.push_back({path + key, what + why});
  };
  constexpr char kInAny[] = "holds in any flight: ";
  constexpr char kInNone[] = "holds in no flight: ";
  if (row_of(expected.kind).about != ExpectationSubject::kSignal) return;
  if (expected.kind == ExpectationKind::kFinal) {
    check(".value", true, expected.value - expected.tolerance, kInNone);
    check(".value", false, expected.value + expected.tolerance, kInNone);
    return;
  }
  const bool is_max = expected.kind == ExpectationKind::kSignalMax;
  check(".limit", is_max, expected.limit, kInAny);
  check(".limit", !is_max, expected.limit, kInNone);
}

void check_event(const Spec& spec, const Event& event, const Earliest& earliest,
                 SpecWarnings& warnings) {
  const TimeUs at = earliest.of(event);
  const bool ends_run = event.action.kind == ActionKind::kEnd;
  // What acts at the last instant changes nothing any more; a marker is still counted.
  const bool late = ends_run ? at > earliest.end() : at >= earliest.end();
  const bool counted = event.action.kind == ActionKind::kMarker && at == earliest.end();
  if (late && !counted) {
    warnings.push_back(
        {event_key(event, trigger_key(event.trigger.kind)),
         at == kNever ? fmt::format("never happens: the run ends at {}, long before this boundary",
                                    seconds(earliest.end()))
         : at == earliest.end()
             ? fmt::format("acts at {}, the last instant of the run: nothing follows from it",
                           seconds(at))
             : fmt::format("never happens: it would act at {}, the run ends at {}", seconds(at),
                           seconds(earliest.end()))});
    return;
  }
  const Trigger& trigger = event.trigger;
  if (trigger.kind == TriggerKind::kWhen) {
    const bool above = trigger.comparison == Comparison::kAbove;
    const std::string never = why_out_of_reach(trigger.signal, above, trigger.threshold);
    const std::string always = why_out_of_reach(trigger.signal, !above, trigger.threshold);
    if (!never.empty()) warnings.push_back({event_key(event, "when"), "never happens: " + never});
    if (!always.empty()) warnings.push_back({event_key(event, "when"), "always holds: " + always});
  }
  if (const char* key = neutral_key(event.action)) {
    warnings.push_back({event_key(event, key), fmt::format("{} with this value changes nothing",
                                                           name_of(event.action.kind))});
  }
  if (ends_nothing(spec, event)) {
    warnings.push_back(
        {event_key(event, "do"), "changes nothing: no event makes what it would end"});
  } else if (const Event* fault = ended_at_once(spec, event)) {
    warnings.push_back(
        {event_key(event, "at_s"),
         fmt::format("ends \"{}\" at the instant at which it begins: it never acts", fault->id)});
  }
  const bool is_order = row_of(event.action.kind).does == ActionClass::kOrder;
  if (spec.autopilot == AutopilotKind::kNone && is_order) {
    warnings.push_back(
        {event_key(event, "do"), "is an order to the autopilot, and autopilot.kind = \"none\""});
  }
}

void check_gusts(const Spec& spec, TimeUs end, SpecWarnings& warnings) {
  for (int i = 0; i < spec.world.wind.gust_count; ++i) {
    const Gust& gust = spec.world.wind.gusts[i];
    if (gust.on >= end) {
      warnings.push_back({fmt::format("wind.gusts[{}].at_s", i),
                          fmt::format("never blows: the run ends at {}", seconds(end))});
    } else if (gust.velocity_W_m_s == Vec3{}) {
      warnings.push_back({fmt::format("wind.gusts[{}].velocity_ned_m_s", i), "changes nothing"});
    }
  }
}

void check_expectation(const Spec& spec, const Expectation& expected, const Earliest& earliest,
                       SpecWarnings& warnings) {
  const std::string path = "expect." + expected.id;
  if (expected.from > earliest.end()) {
    warnings.push_back({path + ".from_s", fmt::format("is never evaluated: the run ends at {}",
                                                      seconds(earliest.end()))});
  } else if (expected.by != kNever && expected.by > earliest.end()) {
    warnings.push_back(
        {path + ".by_s", fmt::format("the run ends before that, at {}", seconds(earliest.end()))});
  }
  check_limit(expected, warnings);
  const bool from_elsewhere =
      spec.ground_station.enabled || is_external_program(spec.autopilot);  // may bring a mission
  if (row_of(expected.kind).about == ExpectationSubject::kMission && spec.mission.items.empty() &&
      !from_elsewhere) {
    warnings.push_back({path + ".kind", "cannot come true: there is no mission"});
  }
  if (expected.event.empty()) return;
  const auto it = std::find_if(spec.events.begin(), spec.events.end(),
                               [&](const Event& event) { return event.id == expected.event; });
  if (it != spec.events.end() && earliest.of(*it) > earliest.end()) {  // at the end it still acts
    warnings.push_back({path + ".event", "is never evaluated: this event never happens"});
  }
}

/// A caller may order it, too; but who writes what is to happen and to be expected means it here.
void check_mission(const Spec& spec, SpecWarnings& warnings) {
  if (spec.mission.items.empty() || spec.autopilot != AutopilotKind::kBuiltin) return;
  if (spec.ground_station.enabled || (spec.events.empty() && spec.expectations.empty())) return;
  const bool ordered = std::any_of(spec.events.begin(), spec.events.end(), [](const Event& event) {
    return event.action.kind == ActionKind::kMission;
  });
  if (ordered) return;
  warnings.push_back({"autopilot.mission",
                      "nothing orders the mission; give an event with do = \"mission\", or "
                      "mission = \"\" if none is to be flown"});
}

bool warns_about(const SpecWarnings& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const SpecWarning& warning) {
    return warning.key.starts_with(part + ".");
  });
}

std::string why_never(const Event& event) {
  const Trigger& trigger = event.trigger;
  if (trigger.kind == TriggerKind::kWhen) return "never happened: the condition did not come true";
  if (trigger.kind == TriggerKind::kAfter)
    return "never happened: the other event did not, or too late";
  return "never happened: the run had ended";
}

}  // namespace

SpecWarnings idle_warnings(const Spec& spec) {
  SpecWarnings warnings;
  const Earliest earliest(spec);
  for (const Event& event : spec.events) check_event(spec, event, earliest, warnings);
  check_gusts(spec, earliest.end(), warnings);
  check_mission(spec, warnings);
  for (const Expectation& expected : spec.expectations) {
    check_expectation(spec, expected, earliest, warnings);
  }
  return warnings;
}

SpecWarnings idle_warnings_of_flight(const Spec& spec, const std::vector<EventRecord>& records,
                                     const FlightOutcome& outcome) {
  const SpecWarnings known = idle_warnings(spec);
  SpecWarnings warnings;
  for (std::size_t i = 0; i < spec.events.size() && i < records.size(); ++i) {
    const Event& event = spec.events[i];
    if (records[i].count > 0 || warns_about(known, "event." + event.id)) continue;
    warnings.push_back({event_key(event, trigger_key(event.trigger.kind)), why_never(event)});
  }
  if (outcome.crashed()) return warnings;  // which is why they were not
  for (const ExpectationResult& result : outcome.results) {
    if (result.evaluated || !result.applies || warns_about(known, "expect." + result.id)) continue;
    warnings.push_back({"expect." + result.id + ".kind", "was never evaluated: " + result.message});
  }
  return warnings;
}

}  // namespace tactus
