// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an event does, ready to be played: ids have become indices and every range is checked. What
// the actions are says action_table.h, what they do to the bus action_effects.h.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/signal/bus.h"
#include "tactus/signal/signals.h"
#include "tactus/spec/model/action_effects.h"
#include "tactus/spec/model/action_table.h"
#include "tactus/spec/model/event.h"

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
/// multiply. `pack_empty_v`: of the pack that it acts on. Empty: it is not used.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};
std::optional<ValueRange> value_range(ActionKind kind, double pack_empty_v);

/// The same of the length of `vector`; infinity: it is not used.
double longest_vector(ActionKind kind);

/// Throws Error(kBadInput) that names the event, where it stands, and the value.
ResolvedAction resolve_action(const Event& event, const ActionTargets& targets);

/// "file:line:column: event "id"", for messages.
std::string place_of(const Event& event);

/// Adds one effect to those that stand; `noise`: deviation of an action with noise, in standard
/// ones. The action lasts.
void add_effect(const ResolvedAction& action, double noise, Effects& effects);

/// What is more than `action.most` now that `action` has been added to the others; empty: nothing.
std::string beyond_limit(const ResolvedAction& action, const Effects& effects);

/// Whether `action` (a restore or reconnect) ends `effect`.
bool ends(const ResolvedAction& action, const ResolvedAction& effect);
bool ends(const Action& action, const Action& effect);

}  // namespace tactus
