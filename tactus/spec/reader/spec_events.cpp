// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/sensor/sensors_spec.h"
#include "tactus/spec/model/expectation_table.h"
#include "tactus/spec/reader/spec_entry.h"
#include "tactus/spec/schema/actions.h"
#include "tactus/spec/schema/instruments.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

const Keys kTriggerScope = {"at_s", "at_step", "when", "after", "every_s", "hysteresis", "delay_s"};

/// "truth.height_m above 10"
void read_condition(const Entry& entry, const std::string& text, Trigger& trigger) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  const auto& names = kNames<Comparison>;
  const bool well_formed = words.size() == 3 && (words[1] == names[0] || words[1] == names[1]);
  if (!well_formed) {
    entry.refuse("when", "must read \"SIGNAL above NUMBER\" or \"SIGNAL below NUMBER\"");
  }
  trigger.signal = words[0];
  trigger.comparison = words[1] == names[0] ? Comparison::kAbove : Comparison::kBelow;
  try {
    trigger.threshold = parse_double(words[2], "threshold");
  } catch (const Error&) {
    entry.refuse("when", fmt::format("\"{}\" is not a number", words[2]));
  }
  if (!math::is_finite(trigger.threshold)) entry.refuse("when", "the threshold must be finite");
}

void read_timed(const Entry& entry, const EventDraft& e, Trigger& trigger) {
  trigger.kind = TriggerKind::kAtTime;
  trigger.at = e.at;
  trigger.every = e.every;
  if (e.mode == TriggerMode::kLatched) entry.refuse("mode", "latched is for when");
  const bool repeats = e.mode == TriggerMode::kRepeat;
  entry.require_use(kTriggerScope, repeats ? Use{{"at_s", "every_s"}, {}} : Use{{"at_s"}, {}},
                    fmt::format("at_s with mode {}", name_of(e.mode)));
  if (repeats) entry.require_positive("every_s", e.every);
}

void read_conditional(const Entry& entry, const EventDraft& e, Trigger& trigger) {
  trigger.kind = TriggerKind::kWhen;
  read_condition(entry, e.when, trigger);
  trigger.hysteresis = e.hysteresis;
  trigger.delay = e.delay;
  const bool repeats = e.mode == TriggerMode::kRepeat;
  entry.require_use(kTriggerScope,
                    repeats ? Use{{"when"}, {"delay_s", "hysteresis"}} : Use{{"when"}, {"delay_s"}},
                    fmt::format("when with mode {}", name_of(e.mode)));
  if (e.hysteresis < 0.0) entry.refuse("hysteresis", "must not be negative");
}

Trigger read_trigger(const Entry& entry, const EventDraft& e, const SpecPlaces& places) {
  Trigger trigger;
  trigger.mode = e.mode;
  if (entry.given("at_s")) {
    read_timed(entry, e, trigger);
  } else if (entry.given("at_step")) {
    trigger.kind = TriggerKind::kAtStep;
    trigger.step = e.at_step;
    if (e.mode != TriggerMode::kOnce) entry.refuse("mode", "at_step acts once");
    entry.require_use(kTriggerScope, {{"at_step"}, {}}, "at_step");
  } else if (entry.given("when")) {
    read_conditional(entry, e, trigger);
  } else if (entry.given("after")) {
    trigger.kind = TriggerKind::kAfter;
    trigger.after = e.after;
    trigger.delay = e.delay;
    if (e.mode == TriggerMode::kLatched) entry.refuse("mode", "latched is for when");
    entry.require_use(kTriggerScope, {{"after"}, {"delay_s"}}, "after");
  } else {
    places.refuse_missing(entry.key("at_s"), "give at_s, at_step, when or after");
  }
  if (entry.given("snap") && e.snap != "autopilot") entry.refuse("snap", "must be \"autopilot\"");
  trigger.snap_to_autopilot = e.snap == "autopilot";
  return trigger;
}

const Keys kActionScope = {"rotor",    "pack",      "servo", "sensor",       "instrument",
                           "quantity", "parameter", "value", "vector",       "duration_s",
                           "lag_s",    "on_s",      "off_s", "correlation_s"};

Use use_of(const ActionRow& row) {
  using Input = ActionInput::Kind;
  Use use;
  if (row.target != ActionTarget::kNone) use.needed.emplace_back(key_of(row.target));
  switch (row.input.kind) {
    case Input::kNone: break;
    case Input::kValue:
    case Input::kNoise: use.needed.emplace_back("value"); break;
    case Input::kVector: use.needed.emplace_back("vector"); break;
    case Input::kLag: use.needed.emplace_back("lag_s"); break;
    case Input::kPattern: use.needed.insert(use.needed.end(), {"on_s", "off_s"}); break;
  }
  if (row.does == ActionClass::kEffect) use.optional.emplace_back("duration_s");
  if (row.input.kind == Input::kNoise) use.optional.emplace_back("correlation_s");
  return use;
}

std::string read_servo(const Entry& entry, const EventDraft& e, const Spec& spec) {
  const int servos = vehicle_type(spec).counts(spec).servos;
  if (e.servo < 0 || e.servo >= servos) {
    entry.refuse("servo", fmt::format("the vehicle has {} servos, counted from 0", servos));
  }
  return format_integer(std::int64_t{e.servo});
}

std::string read_instrument(const Entry& entry, const EventDraft& e, const Spec& spec) {
  const InstrumentCounts fitted = instrument_counts(spec.sensors);
  if (!is_fitted(e.instrument, fitted)) {
    entry.refuse(
        "instrument",
        fmt::format("is not fitted; sensors.fitted = {} and {} decide, the vehicle "
                    "carries {}",
                    spec.sensors.fitted, count_key(e.instrument), fitted_instruments(fitted)));
  }
  return name_of(e.instrument);
}

std::string read_gps(const Entry& entry, const EventDraft& e, const Spec& spec) {
  std::string name = read_instrument(entry, e, spec);
  const bool is_gps = e.instrument == Instrument::kGps0 || e.instrument == Instrument::kGps1;
  if (!is_gps) {
    entry.refuse("instrument",
                 fmt::format("has no fix to lose: {} is for gps0 and gps1", name_of(e.action)));
  }
  return name;
}

/// What the action acts on, as text.
std::string read_target(const Entry& entry, const EventDraft& e, const Spec& spec) {
  switch (row_of(e.action).target) {
    case ActionTarget::kNone: return {};
    case ActionTarget::kRotor:
      entry.require_known("rotor", e.rotor, spec.parts.rotors, "rotor");
      return e.rotor;
    case ActionTarget::kPack:
      entry.require_known("pack", e.pack, spec.parts.packs, "pack");
      return e.pack;
    case ActionTarget::kServo: return read_servo(entry, e, spec);
    case ActionTarget::kSensor: return name_of(e.sensor);
    case ActionTarget::kInstrument: return read_instrument(entry, e, spec);
    case ActionTarget::kGps: return read_gps(entry, e, spec);
    case ActionTarget::kQuantity:
      entry.require_known("quantity", e.quantity, {kQuantityNames.begin(), kQuantityNames.end()},
                          "quantity");
      return e.quantity;
    case ActionTarget::kParameter: return e.parameter;
  }
  return {};
}

/// A drop takes the open-circuit voltage of the empty pack at most.
void require_drop(const Entry& entry, const EventDraft& e, const Spec& spec) {
  const std::vector<std::string>& ids = spec.parts.packs;
  const auto pack = std::find(ids.begin(), ids.end(), e.pack);
  if (pack == ids.end()) return;  // what it says itself
  const auto index = static_cast<std::size_t>(pack - ids.begin());
  const double empty_v = vehicle_type(spec).packs(spec)[index].ocv_v[0];
  if (e.value >= 0.0 && e.value <= empty_v) return;
  entry.refuse("value", fmt::format("must lie between 0 and {}, the open-circuit voltage of the "
                                    "empty pack \"{}\"",
                                    empty_v, e.pack));
}

void require_action_values(const Entry& entry, const EventDraft& e, const Spec& spec) {
  const ActionInput& input = row_of(e.action).input;
  if (input.up_to_empty_pack) {
    require_drop(entry, e, spec);
  } else if (const auto range = value_range(e.action, 0.0)) {
    entry.require_within("value", e.value, range->low, range->high);
  }
  entry.require_not_longer("vector", e.vector, longest_vector(e.action));
  if (input.whole && math::floor(e.value) != e.value) {
    entry.refuse("value", "must be a whole number");
  }
  if (input.kind == ActionInput::Kind::kLag) entry.require_positive("lag_s", e.lag);
  if (input.kind == ActionInput::Kind::kPattern) {
    entry.require_positive("on_s", e.on);
    entry.require_positive("off_s", e.off);
  }
}

Action read_action(const Entry& entry, const EventDraft& e, const Spec& spec) {
  entry.require_use(kActionScope, use_of(row_of(e.action)),
                    fmt::format("do = \"{}\"", name_of(e.action)));
  require_action_values(entry, e, spec);
  return {.kind = e.action,
          .target = read_target(entry, e, spec),
          .value = e.value,
          .vector = e.vector,
          .duration = e.duration,
          .delay = e.lag,
          .on = e.on,
          .off = e.off,
          .correlation = e.correlation};
}

std::vector<std::string> ids_of(const std::vector<Event>& events) {
  std::vector<std::string> ids;
  ids.reserve(events.size());
  for (const Event& event : events) ids.push_back(event.id);
  return ids;
}

/// Every chain of `after` must end at an event with a trigger of its own.
void require_chains_end(const std::vector<Event>& events, const SpecPlaces& places) {
  const std::vector<std::string> ids = ids_of(events);
  for (const Event& event : events) {
    const Event* at = &event;
    for (std::size_t steps = 0; at->trigger.kind == TriggerKind::kAfter; ++steps) {
      const Entry entry(places, "event." + at->id);
      entry.require_known("after", at->trigger.after, ids, "event");
      if (steps > events.size()) entry.refuse("after", "waits for itself and never acts");
      const auto it = std::find(ids.begin(), ids.end(), at->trigger.after);
      at = &events[static_cast<std::size_t>(it - ids.begin())];
    }
  }
}

const Keys kExpectScope = {"item",      "from_s",   "by_s",  "signal", "limit", "value",
                           "tolerance", "radius_m", "low_m", "high_m", "event"};

Use use_of(const ExpectationRow& row) {
  const auto keys = [](const auto& names) {
    Keys given(names.begin(), names.end());
    std::erase(given, std::string_view());
    return given;
  };
  return {keys(row.needed), keys(row.optional)};
}

void require_expected_values(const Entry& entry, const Expectation& e, const Spec& spec) {
  const auto not_negative = [&](const char* name, double value) {
    if (value < 0.0) entry.refuse(name, "must not be negative");
  };
  not_negative("tolerance", e.tolerance);
  not_negative("radius_m", e.radius_m);
  if (entry.given("radius_m") && e.radius_m == 0.0) {
    entry.refuse("radius_m", "must be greater than zero; leave it out if any distance will do");
  }
  if (entry.given("low_m") && e.low_m == e.high_m) {
    entry.refuse("low_m", fmt::format("must be below high_m = {}", e.high_m));
  }
  if (e.item < 0) entry.refuse("item", "must not be negative");
  if (!spec.mission.items.empty() && entry.given("item") &&
      static_cast<std::size_t>(e.item) >= spec.mission.items.size()) {
    entry.refuse(
        "item", fmt::format("the mission has {} items, counted from 0", spec.mission.items.size()));
  }
  if (e.low_m > e.high_m)
    entry.refuse("low_m", fmt::format("must not be above high_m = {}", e.high_m));
  if (e.from > e.by) entry.refuse("from_s", "must not be later than by_s");
}

}  // namespace

std::vector<Event> read_events(const SpecDraft& draft, const TomlNode& root,
                               const SpecPlaces& places, const std::vector<BusLeaf>& leaves) {
  std::vector<Event> events;
  const TomlNode* list = root.find("event");
  for (std::size_t i = 0; i < draft.events.size(); ++i) {
    const std::string& id = list->children[i].find("id")->text;
    const Entry entry(places, "event." + id);
    Event event{id, read_trigger(entry, draft.events[i], places),
                read_action(entry, draft.events[i], draft.spec), entry.where()};
    if (event.trigger.kind == TriggerKind::kWhen) {
      entry.require_signal("when", event.trigger.signal, leaves);
    }
    events.push_back(std::move(event));
  }
  require_chains_end(events, places);
  return events;
}

std::vector<Expectation> read_expectations(const SpecDraft& draft, const TomlNode& root,
                                           const SpecPlaces& places,
                                           const std::vector<BusLeaf>& leaves) {
  std::vector<Expectation> expectations = draft.expectations;
  const TomlNode* list = root.find("expect");
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    Expectation& e = expectations[i];
    e.id = list->children[i].find("id")->text;
    const Entry entry(places, "expect." + e.id);
    entry.require_use(kExpectScope, use_of(row_of(e.kind)),
                      fmt::format("kind = \"{}\"", name_of(e.kind)));
    if (entry.given("low_m") != entry.given("high_m")) {
      entry.refuse(entry.given("low_m") ? "low_m" : "high_m", "low_m and high_m belong together");
    }
    if (e.kind == ExpectationKind::kStayInside && !entry.given("low_m") &&
        !entry.given("radius_m")) {
      places.refuse_missing(entry.key("radius_m"), "give radius_m, or low_m and high_m");
    }
    require_expected_values(entry, e, draft.spec);
    if (entry.given("signal")) entry.require_signal("signal", e.signal, leaves);
    if (entry.given("event")) {
      entry.require_known("event", e.event, ids_of(draft.spec.events), "event");
    }
    e.where = entry.where();
  }
  return expectations;
}

}  // namespace tactus
