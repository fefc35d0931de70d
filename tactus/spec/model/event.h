// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A scenario is a list of events: a trigger and an action each. This is the plain data that a spec
// gives; scenario_source.h plays it. Meaning of every action: action_table.h.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/core/time.h"
#include "tactus/signal/signals.h"

namespace tactus {

enum class TriggerKind : std::uint8_t {
  kAtTime,  ///< at exactly that instant
  kAtStep,  ///< at the boundary of that number
  kWhen,    ///< when a signal crosses a threshold
  kAfter,   ///< a delay after another event fired
};

enum class Comparison : std::uint8_t { kAbove, kBelow };

enum class TriggerMode : std::uint8_t {
  kOnce,     ///< the first time
  kRepeat,   ///< at_time: every period; when: each time the condition becomes true again
  kLatched,  ///< once, and a condition that held once counts as held, whatever it does until the
             ///< event is due (snap, delay)
};

struct Trigger {
  TriggerKind kind = TriggerKind::kAtTime;
  TriggerMode mode = TriggerMode::kOnce;
  TimeUs at;               ///< kAtTime
  DurationUs every;        ///< kAtTime and kRepeat
  std::uint64_t step = 0;  ///< kAtStep
  std::string signal;      ///< kWhen: name of a leaf of the bus
  Comparison comparison = Comparison::kAbove;
  double threshold = 0.0;
  double hysteresis = 0.0;         ///< kRepeat: how far back the signal must go to arm it again
  std::string after;               ///< kAfter: id of the other event
  DurationUs delay;                ///< kWhen, kAfter: acts this much later
  bool snap_to_autopilot = false;  ///< acts at the next tick of the autopilot

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind);
    visit("mode", "", self.mode);
    visit("at_us", "us", self.at);
    visit("every_us", "us", self.every);
    visit("step", "", self.step);
    visit("signal", "", self.signal);
    visit("comparison", "", self.comparison);
    visit("threshold", "", self.threshold);
    visit("hysteresis", "", self.hysteresis);
    visit("after", "", self.after);
    visit("delay_us", "us", self.delay);
    visit("snap_to_autopilot", "", self.snap_to_autopilot);
  }
};
static_assert(lists_every_field<Trigger>());

enum class ActionKind : std::uint8_t {
  kArm,
  kDisarm,
  kTakeoff,
  kMission,
  kHold,
  kReturn,
  kLand,
  kEnd,
  kWindStep,    ///< adds `vector` to the wind until the end, or for `duration`
  kMotorOff,    ///< `target`: id of a rotor, here and below
  kMotorStuck,  ///< drive stays at `value`
  kThrustLoss,  ///< loses the fraction `value` of its blade effect
  kRotorJam,
  kMotorDelay,         ///< command acts `duration_of_delay` later
  kMotorIntermittent,  ///< off for `off`, on for `on`, and so on
  kMotorRestore,       ///< whole again
  kPackDisconnect,     ///< `target`: id of a pack
  kPackReconnect,
  kPackResistance,  ///< series resistance times `value`
  kPackCellDrop,    ///< open-circuit voltage lower by `value` volts
  kServoStuck,      ///< `target`: number of a servo
  kServoRestore,
  kSensorFail,  ///< `target`: name of a SensorBit
  kSensorRestore,
  kEstimatorBias,   ///< `target`: position, velocity, attitude or rate; adds `vector`
  kEstimatorDelay,  ///< extra delay `delay`
  kParameter,       ///< `target`: key of an autopilot parameter; becomes `value`
  kMarker,
  kSensorStuck,  ///< `target`: name of an Instrument, here and below; repeats its last value
  kSensorDropout,
  kGpsNoFix,            ///< of a GPS receiver
  kSensorGarbage,       ///< random values over its whole range
  kSensorBias,          ///< adds `vector`, in the unit of the reading
  kSensorNoise,         ///< noise times `value`
  kSensorDelay,         ///< readings arrive `delay` later
  kSensorSlow,          ///< only every `value`-th reading arrives
  kSensorIntermittent,  ///< silent for `off`, whole for `on`, and so on
  kInstrumentRestore,   ///< whole again
  kMotorNoise,          ///< thrust and torque of a rotor fluctuate; `value`: standard deviation
  kCount,
};

struct Action {
  ActionKind kind = ActionKind::kMarker;
  std::string target;
  double value = 0.0;
  Vec3 vector;
  DurationUs duration;  ///< fault or gust ends by itself after this; 0: stays
  DurationUs delay;     ///< kMotorDelay, kEstimatorDelay, kSensorDelay
  DurationUs on;        ///< kMotorIntermittent, kSensorIntermittent
  DurationUs off;
  DurationUs correlation;  ///< kMotorNoise; 0: every tick of the autopilot by itself

  [[nodiscard]] static constexpr bool has_correlation(const Action& action) {
    return action.kind == ActionKind::kMotorNoise || action.correlation.us != 0;
  }

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("kind", "", self.kind);
    visit("target", "", self.target);
    visit("value", "", self.value);
    visit("vector", "", self.vector);
    visit("duration_us", "us", self.duration);
    visit("delay_us", "us", self.delay);
    visit("on_us", "us", self.on);
    visit("off_us", "us", self.off);
    visit("correlation_us", "us",
          digested_if(self.correlation, self, has_correlation,
                      "specs without noise keep the digests from before there was noise"));
  }
};
static_assert(lists_every_field<Action>());

struct Event {
  std::string id;
  Trigger trigger;
  Action action;
  std::string where;  ///< "file:line:column", for messages

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("id", "", self.id);
    visit("trigger", "", self.trigger);
    visit("action", "", self.action);
    visit("where", "", left_out(self.where, "a place in a file"));
  }
};
static_assert(lists_every_field<Event>());

/// A flight as a test. What is expected decides the exit code.
enum class ExpectationKind : std::uint8_t {
  kReachItem,        ///< mission item `item` is done by `by`
  kMissionComplete,  ///< all items are done by `by`
  kLandBy,           ///< landed and disarmed by `by`; `tolerance` m around home if given
  kStayInside,       ///< horizontal distance from home below `radius_m`, height within low … high
  kSignalMax,        ///< `signal` stays at or below `limit` within the window
  kSignalMin,        ///< `signal` stays at or above `limit` within the window
  kFinal,            ///< `signal` is `value` ± `tolerance` at the end
  kSurvive,          ///< no crash from event `event` to the end
};

struct Expectation {
  std::string id;
  ExpectationKind kind = ExpectationKind::kMissionComplete;
  int item = 0;
  TimeUs from;
  TimeUs by{~std::uint64_t{0}};  ///< end of the window; largest: end of the run
  std::string signal;
  double limit = 0.0;
  double value = 0.0;
  double tolerance = 0.0;
  double radius_m = 0.0;
  double low_m = 0.0;
  double high_m = 0.0;
  std::string event;
  std::string where;

  /// The keys of an [[expect]].
  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("id", "", self.id);
    visit("kind", "", self.kind, "what is expected");
    visit("item", "", self.item, "reach_item: number of the mission item, from 0");
    visit("from_us", "us", self.from, "start of the window");
    visit("by_us", "us", self.by, "end of the window; not given: end of the run");
    visit("signal", "", self.signal, "name of a signal of the bus");
    visit("limit", "1", self.limit, "signal_max, signal_min: in the unit of the signal");
    visit("value", "1", self.value, "final: in the unit of the signal");
    visit("tolerance", "1", self.tolerance, "final: of the value; land_by: metres around home");
    visit("radius_m", "m", self.radius_m, "stay_inside: horizontal distance from home");
    visit("low_m", "m", self.low_m, "stay_inside: least height");
    visit("high_m", "m", self.high_m, "stay_inside: greatest height");
    visit("event", "", self.event, "survive: id of the event");
    visit("where", "", left_out(self.where, "a place in a file"));
  }
};
static_assert(lists_every_field<Expectation>());

}  // namespace tactus
