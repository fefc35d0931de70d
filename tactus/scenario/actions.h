// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an event does, ready to be played: ids have become indices and every range is checked. What
// lasts (faults, wind steps) is an effect; effects that stand at the same time compose, in any
// order of their ends:
//   masks and open plugs   one is enough
//   wind, biases, volts    add up
//   blade effect, ohms,
//   noise                  multiply (blade effect: up to kMostThrustScale)
//   delays, slow readings  the longest acts
//   stuck positions        the last one given acts
// What adds up or multiplies keeps the limits of a single one: nobody means a million times a
// million, and no model takes it.
// Meaning and consumers: docs/faults.md.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/bus.h"
#include "tactus/core/signals.h"
#include "tactus/scenario/event.h"

namespace tactus {

/// What targets of actions may be called.
struct ActionTargets {
  std::vector<std::string> rotor_ids;
  std::vector<std::string> pack_ids;
  std::vector<double> pack_empty_v;  ///< open-circuit voltage of each when it is empty
  int servo_count = 0;
  DurationUs longest_motor_delay;
  DurationUs longest_estimator_delay;                     ///< on top of the estimator's own
  InstrumentCounts instruments;                           ///< that the vehicle carries
  DurationUs longest_instrument_delay[kInstrumentCount];  ///< by Instrument; 0: cannot be delayed
  /// Position of a key in the autopilot's list of parameters. Throws Error if there is none or the
  /// value is out of range. Empty: no autopilot listens.
  std::function<int(std::string_view key, double value)> parameter_index;
};

/// What `value` of an action may be, and the sum or product of several where they add up or
/// multiply. `pack_empty_v`: of the pack that it acts on. Empty: it is not used, or has limits
/// elsewhere.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};
std::optional<ValueRange> value_range(ActionKind kind, double pack_empty_v);

/// The same of the length of `vector`; infinity: it is not used.
double longest_vector(ActionKind kind);

struct ResolvedAction {
  ActionKind kind = ActionKind::kMarker;
  int index = -1;  ///< rotor, pack, servo, sensor bit, instrument, parameter or quantity
  double value = 0.0;
  Vec3 vector;
  DurationUs duration;
  DurationUs delay;
  DurationUs on;
  DurationUs off;
  DurationUs correlation;
  double most = 0.0;  ///< together with others; of what add_effect changes
};

/// Throws Error(kBadInput) that names the event, where it stands, and the value.
ResolvedAction resolve_action(const Event& event, const ActionTargets& targets);

/// "file:line:column: event "id"", for messages.
std::string place_of(const Event& event);

/// Everything that lasts.
struct Effects {
  Faults faults;
  Disturbance disturbance;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("faults", "", self.faults);
    visit("disturbance", "", self.disturbance);
  }
};
static_assert(lists_every_field<Effects>());

/// Whether an action lasts, rather than being done at once.
bool lasts(ActionKind kind);

/// Whether it acts for `off`, pauses for `on`, and so on from its start.
bool has_pattern(ActionKind kind);

/// Whether what it does changes while it lasts.
bool changes_by_itself(ActionKind kind);

/// Adds one effect to those that stand; `noise`: deviation of a motor_noise, in standard ones.
void add_effect(const ResolvedAction& action, double noise, Effects& effects);

/// What is more than `action.most` now that `action` has been added to the others; empty: nothing.
std::string beyond_limit(const ResolvedAction& action, const Effects& effects);

/// Whether `action` (a restore or reconnect) ends `effect`.
bool ends(const ResolvedAction& action, const ResolvedAction& effect);
bool ends(const Action& action, const Action& effect);

/// Takes out of `effects` what `action` ends.
void take_back(const ResolvedAction& action, Effects& effects);

}  // namespace tactus
