// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Everything that is known about a signal stands here, once: its member of the bus, an enumerator
// and a row of the table; of instruments all three are made from instrument_kinds.h. What the
// engine allows, what recordings hold, what a replay plays, what a frame of the bridge holds and
// which component `tactus diff` names is derived from the row.
//
// The bus holds one of every signal and is the only coupling between the parts of a run. It is
// plain data, so it can be recorded, replayed, compared and digested as a whole.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tactus/core/fields.h"
#include "tactus/signal/axis.h"
#include "tactus/signal/component.h"
#include "tactus/signal/counts.h"
#include "tactus/signal/part_facts.h"
#include "tactus/signal/signals.h"
#include "tactus/signal/stage.h"
#include "tactus/signal/tier.h"

namespace tactus {

/// Changes whenever the meaning, the unit or the order of a field changes.
inline constexpr std::uint32_t kBusVersion = 2;

struct Bus {
  std::uint32_t version = kBusVersion;
  TimeUs time;
  HighLevelCommand high_level;
  ParameterChange parameter;
  Marker marker;
  Faults faults;
  Disturbance disturbance;
  WindSignal wind;
  Truth truth;
  Environment environment;
  BatteryStatus battery[kMaxPacks];
  PowerStatus power;
  EscStatus esc[kMaxMotors];
  VehicleLoads loads;
#define TACTUS_MEMBER(Kind, Kinds, member, members, Reading, most, ...) Reading member[most];
  TACTUS_INSTRUMENT_KINDS(TACTUS_MEMBER)
#undef TACTUS_MEMBER
  Estimate estimate;
  LandStatus land;
  Command command;
  AutopilotStatus autopilot;

  /// `version`, `time_us`, then every signal in the order of the table.
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit);
};

/// The signals, in the order of the bus.
enum class Signal : std::uint8_t {
  kHighLevel,
  kParameter,
  kMarker,
  kFaults,
  kDisturbance,
  kWind,
  kTruth,
  kEnvironment,
  kBattery,
  kPower,
  kEsc,
  kLoads,
// clang-format off
#define TACTUS_ENUMERATOR(Kind, ...) k##Kind,
  TACTUS_INSTRUMENT_KINDS(TACTUS_ENUMERATOR)
#undef TACTUS_ENUMERATOR
  // clang-format on
  kEstimate,
  kLand,
  kCommand,
  kAutopilot,
};
inline constexpr std::size_t kSignals = static_cast<std::size_t>(Signal::kAutopilot) + 1;

struct SignalFacts {
  Signal signal = Signal::kHighLevel;
  const char* name = "";
  const char* meaning = "";
  Component owner = Component::kUnknown;  ///< whose it is: it alone writes the signal
  Stage stage = Stage::kScenario;         ///< in which it is written
  Axis axis = Axis::kEveryBoundary;       ///< on which it is written
  CountOf count = CountOf::kOne;          ///< how many there are
  Tier tier = Tier::kComponents;          ///< lowest one that records it
  bool recorded_on_change = false;        ///< and not at every tick of its axis
  bool autopilot_reads = false;           ///< an autopilot may know it
  bool in_frames = false;                 ///< a frame of an external simulator can hold it
  bool drives_plant = false;              ///< the plant holds it over an interval
  bool may_be_nan = false;                ///< numbers that are not used are NaN
  /// The plant writes it at every boundary, from its state. Its field list says so.
  bool has_state = false;
};

template <class Member>
struct SignalRow {
  Member Bus::*member;
  SignalFacts facts;
};

namespace detail {

template <class Member>
constexpr SignalRow<Member> row(Member Bus::*member, const SignalFacts& facts) {
  using Fields = std::remove_all_extents_t<Member>;
  static_assert(has_lengths<Fields>(), "the field list says how long each array is");
  SignalRow<Member> row{member, facts};
  row.facts.has_state = has_part_of_state<Fields>();
  return row;
}

/// What all instruments have in common.
template <class Member>
constexpr SignalRow<Member> instrument(Member Bus::*member, Signal signal, const char* name,
                                       const char* meaning, Axis axis, CountOf count) {
  return row(member, {.signal = signal,
                      .name = name,
                      .meaning = meaning,
                      .owner = Component::kInstruments,
                      .stage = Stage::kSensors,
                      .axis = axis,
                      .count = count,
                      .autopilot_reads = true,
                      .in_frames = true});
}

}  // namespace detail

#define TACTUS_ROW(Kind, Kinds, member, members, Reading, most, one, many, axis, meaning) \
  detail::instrument(&Bus::member, Signal::k##Kind, #member, meaning, Axis::k##Kind,      \
                     CountOf::k##Kinds),
// clang-format off
inline constexpr auto kSignalTable = std::tuple{
    detail::row(&Bus::high_level, {.signal = Signal::kHighLevel,
                                   .name = "high_level",
                                   .meaning = "what the pilot wants",
                                   .owner = Component::kScenario,
                                   .stage = Stage::kScenario,
                                   .tier = Tier::kPlant,
                                   .autopilot_reads = true}),
    detail::row(&Bus::parameter, {.signal = Signal::kParameter,
                                  .name = "parameter",
                                  .meaning = "change of an autopilot parameter",
                                  .owner = Component::kScenario,
                                  .stage = Stage::kScenario,
                                  .tier = Tier::kPlant,
                                  .autopilot_reads = true}),
    detail::row(&Bus::marker, {.signal = Signal::kMarker,
                               .name = "marker",
                               .meaning = "note of the scenario",
                               .owner = Component::kScenario,
                               .stage = Stage::kScenario,
                               .tier = Tier::kPlant}),
    detail::row(&Bus::faults, {.signal = Signal::kFaults,
                               .name = "faults",
                               .meaning = "what is broken",
                               .owner = Component::kScenario,
                               .stage = Stage::kScenario,
                               .tier = Tier::kPlant,
                               .drives_plant = true}),
    detail::row(&Bus::disturbance, {.signal = Signal::kDisturbance,
                                    .name = "disturbance",
                                    .meaning = "what the scenario adds to the wind",
                                    .owner = Component::kScenario,
                                    .stage = Stage::kScenario,
                                    .tier = Tier::kPlant,
                                    .drives_plant = true}),
    detail::row(&Bus::wind, {.signal = Signal::kWind,
                             .name = "wind",
                             .meaning = "base wind",
                             .owner = Component::kWind,
                             .stage = Stage::kWind,
                             .axis = Axis::kWind,
                             .tier = Tier::kPlant,
                             .drives_plant = true}),
    detail::row(&Bus::truth, {.signal = Signal::kTruth,
                              .name = "truth",
                              .meaning = "true motion",
                              .owner = Component::kRigidBody,
                              .stage = Stage::kOutputs,
                              .in_frames = true}),
    detail::row(&Bus::environment, {.signal = Signal::kEnvironment,
                                    .name = "environment",
                                    .meaning = "air at the vehicle",
                                    .owner = Component::kEnvironment,
                                    .stage = Stage::kOutputs}),
    detail::row(&Bus::battery, {.signal = Signal::kBattery,
                                .name = "battery",
                                .meaning = "what battery monitors report",
                                .owner = Component::kBattery,
                                .stage = Stage::kOutputs,
                                .count = CountOf::kPacks,
                                .autopilot_reads = true,
                                .in_frames = true}),
    detail::row(&Bus::power, {.signal = Signal::kPower,
                              .name = "power",
                              .meaning = "buses",
                              .owner = Component::kBattery,
                              .stage = Stage::kOutputs,
                              .autopilot_reads = true}),
    detail::row(&Bus::esc, {.signal = Signal::kEsc,
                            .name = "esc",
                            .meaning = "what speed controllers report",
                            .owner = Component::kPropulsion,
                            .stage = Stage::kOutputs,
                            .count = CountOf::kMotors,
                            .autopilot_reads = true,
                            .in_frames = true}),
    detail::row(&Bus::loads, {.signal = Signal::kLoads,
                              .name = "loads",
                              .meaning = "forces inside the vehicle",
                              .owner = Component::kPropulsion,
                              .stage = Stage::kOutputs}),
    TACTUS_INSTRUMENT_KINDS(TACTUS_ROW)
    detail::row(&Bus::estimate, {.signal = Signal::kEstimate,
                                 .name = "estimate",
                                 .meaning = "estimated motion",
                                 .owner = Component::kEstimator,
                                 .stage = Stage::kSensors,
                                 .axis = Axis::kSensors,
                                 .autopilot_reads = true,
                                 .in_frames = true}),
    detail::row(&Bus::land, {.signal = Signal::kLand,
                             .name = "land",
                             .meaning = "land detector",
                             .owner = Component::kLandDetector,
                             .stage = Stage::kSensors,
                             .axis = Axis::kSensors,
                             .tier = Tier::kPlant,
                             .recorded_on_change = true,
                             .autopilot_reads = true,
                             .in_frames = true}),
    detail::row(&Bus::command, {.signal = Signal::kCommand,
                                .name = "command",
                                .meaning = "what the autopilot commands",
                                .owner = Component::kAutopilot,
                                .stage = Stage::kAutopilot,
                                .axis = Axis::kAutopilot,
                                .tier = Tier::kPlant,
                                .autopilot_reads = true,
                                .drives_plant = true}),
    detail::row(&Bus::autopilot, {.signal = Signal::kAutopilot,
                                  .name = "autopilot",
                                  .meaning = "what the autopilot reports",
                                  .owner = Component::kAutopilot,
                                  .stage = Stage::kAutopilot,
                                  .axis = Axis::kAutopilot,
                                  .autopilot_reads = true,
                                  .may_be_nan = true})};
// clang-format on
#undef TACTUS_ROW

inline constexpr std::array<SignalFacts, kSignals> kSignalFacts =
    std::apply([](const auto&... rows) { return std::array<SignalFacts, kSignals>{rows.facts...}; },
               kSignalTable);

constexpr const SignalFacts& facts_of(Signal signal) {
  return kSignalFacts[static_cast<std::size_t>(signal)];
}

constexpr const char* to_text(Signal signal) { return facts_of(signal).name; }

/// Calls visit(row) for every signal: `bus.*row.member` is its value.
template <class Visitor>
constexpr void for_each_signal(Visitor&& visit) {
  std::apply([&](const auto&... rows) { (visit(rows), ...); }, kSignalTable);
}

/// The value of a signal on a bus.
template <Signal signal, class SomeBus>
constexpr auto& value_of(SomeBus& bus) {
  constexpr auto kMember = std::get<static_cast<std::size_t>(signal)>(kSignalTable).member;
  return bus.*kMember;
}

template <class Self, class Visitor>
constexpr void Bus::visit_fields(Self& self, Visitor&& visit) {
  visit("version", "", self.version, "of the bus");
  visit("time_us", "us", self.time, "this instant");
  for_each_signal(
      [&](const auto& row) { visit(row.facts.name, "", self.*row.member, row.facts.meaning); });
}
static_assert(lists_every_field<Bus>());

namespace detail {

consteval bool is_in_order() {
  std::size_t next = 0;
  for (const SignalFacts& facts : kSignalFacts) {
    if (static_cast<std::size_t>(facts.signal) != next++) return false;
  }
  return next == kSignals;
}
static_assert(is_in_order(), "the rows stand in the order of the enumeration");

}  // namespace detail

static_assert(kSignals <= 32, "a bit for each signal");
/// A set of signals: SignalSet::of(Signal::kTruth, Signal::kFaults).
struct SignalSet {
  std::uint32_t bits = 0;

  template <class... Signals>
  static constexpr SignalSet of(Signals... signals) {
    return {(0U | ... | (1U << static_cast<unsigned>(signals)))};
  }
  /// Those whose facts fulfil a condition.
  template <class Condition>
  static constexpr SignalSet where(Condition&& holds) {
    SignalSet found;
    for (const SignalFacts& facts : kSignalFacts) {
      if (holds(facts)) found = found | of(facts.signal);
    }
    return found;
  }
  static constexpr SignalSet all() {
    return where([](const SignalFacts&) { return true; });
  }
  [[nodiscard]] constexpr bool has(Signal signal) const {
    return ((bits >> static_cast<unsigned>(signal)) & 1U) != 0;
  }
  friend constexpr SignalSet operator&(SignalSet a, SignalSet b) { return {a.bits & b.bits}; }
  friend constexpr SignalSet operator|(SignalSet a, SignalSet b) { return {a.bits | b.bits}; }
  constexpr bool operator==(const SignalSet&) const = default;
};

/// "faults, truth"
std::string to_text(SignalSet signals);
/// The way back; names that are no signal are left out.
SignalSet signals_from_text(std::string_view text);

/// What a component writes.
constexpr SignalSet signals_of(Component owner) {
  return SignalSet::where([owner](const SignalFacts& facts) { return facts.owner == owner; });
}

/// What the plant publishes.
inline constexpr SignalSet kPlantSignals =
    SignalSet::where([](const SignalFacts& facts) { return is_of_plant(facts.owner); });
/// Those of them that the state alone changes: written at every boundary.
inline constexpr SignalSet kStateSignals =
    SignalSet::where([](const SignalFacts& facts) { return facts.has_state; });
/// What drives the plant.
inline constexpr SignalSet kPlantInputs =
    SignalSet::where([](const SignalFacts& facts) { return facts.drives_plant; });
/// What an autopilot may know, besides the truth if it makes its own instruments from it.
inline constexpr SignalSet kAutopilotMayRead =
    SignalSet::where([](const SignalFacts& facts) { return facts.autopilot_reads; });
inline constexpr SignalSet kAutopilotWrites = signals_of(Component::kAutopilot);
/// What the scenario wants of it.
inline constexpr SignalSet kOrders = signals_of(Component::kScenario) & kAutopilotMayRead;
/// What a frame of an external simulator can hold.
inline constexpr SignalSet kFrameSignals =
    SignalSet::where([](const SignalFacts& facts) { return facts.in_frames; });

namespace detail {

constexpr std::uint16_t axes_after_outputs() {
  unsigned axes = 0;
  for (const SignalFacts& facts : kSignalFacts) {
    const bool ticks = facts.axis != Axis::kEveryBoundary;
    if (ticks && facts.stage > Stage::kOutputs) axes |= axis_bit(facts.axis);
  }
  return static_cast<std::uint16_t>(axes);
}

}  // namespace detail

/// Axes whose sources read what the plant derives from its state and input.
inline constexpr std::uint16_t kAxesThatReadOutputs = detail::axes_after_outputs();

/// The signal that there are so many of.
constexpr const SignalFacts& signal_counted_by(CountOf count) {
  for (const SignalFacts& facts : kSignalFacts) {
    if (facts.count == count) return facts;
  }
  return kSignalFacts[0];  // none: kServos, kBuses, kGearPoints count parts of signals
}

/// Of what belongs to a signal, by its name: "imu[0].rate_body_rad_s.x", "truth.height_m". Null:
/// it belongs to none.
const SignalFacts* facts_of_leaf(std::string_view leaf);

/// Of the member that it is, or is in; what belongs to no signal has none.
PartFacts part_of_leaf(std::string_view leaf);

}  // namespace tactus
