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
// Meaning and consumers: docs/faults.md.

#include <functional>
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
  int servo_count = 0;
  DurationUs longest_motor_delay;
  DurationUs longest_estimator_delay;                     ///< on top of the estimator's own
  InstrumentCounts instruments;                           ///< that the vehicle carries
  DurationUs longest_instrument_delay[kInstrumentCount];  ///< by Instrument; 0: cannot be delayed
  /// Position of a key in the autopilot's list of parameters. Throws Error if there is none or the
  /// value is out of range. Empty: no autopilot listens.
  std::function<int(std::string_view key, double value)> parameter_index;
};

/// Limits of motor_noise, sensor_noise and sensor_slow.
inline constexpr double kMostMotorNoise = 0.5;
inline constexpr double kMostInstrumentNoise = 1e6;
inline constexpr double kSlowestInstrument = 1e6;

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

/// Whether `action` (a restore or reconnect) ends `effect`.
bool ends(const ResolvedAction& action, const ResolvedAction& effect);

/// Takes out of `effects` what `action` ends.
void take_back(const ResolvedAction& action, Effects& effects);

}  // namespace tactus
