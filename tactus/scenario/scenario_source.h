// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Plays the events of a scenario at the first stage of every boundary.
//
//   effects that end now end                                  half-open: [start, start + duration)
//   repeat until no event acts (kMaxPasses more than there are events, then an error that names one
//   that still does):
//     for every event in the order of the spec: if it is due, it acts and the bus changes at once
//   the next instant at which something is due becomes a boundary
//
// So ties go by the order of the spec, a later event sees what an earlier one did, and an event
// that follows another without delay acts at the same instant. A trigger in detail:
//   at_time  at exactly that instant; repeat: every period from there
//   at_step  at the boundary of that number
//   when     `above` holds at value >= threshold, `below` at value <= threshold. Of a continuous
//            signal the plant finds the instant; any other is evaluated at boundaries. What wind,
//            sensors and autopilot publish is known from the second boundary on. While `delay` or
//            `snap` make it wait, a condition that ceases to hold starts anew, unless it is
//            latched. Repeat: armed again once the signal is back by the hysteresis (0: once the
//            condition is false)
//   after    `delay` after the other event acted; repeat: each time it does
//   snap     the instant, rounded up to a tick of the autopilot
// Events are const and shared; the state is plain data of fixed size (contract C9), and update()
// does not allocate.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/engine/source.h"
#include "tactus/plant/watch.h"
#include "tactus/scenario/motor_noise.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/event.h"
#include "tactus/spec/schema/actions.h"

namespace tactus {

struct ScenarioSetup {
  std::vector<Event> events;
  std::vector<BusLeaf> leaves;  ///< what conditions may name
  ActionTargets targets;
  /// Plant::watch_for; empty: every condition is evaluated at boundaries only.
  std::function<std::optional<Watch>(const BusLeaf& leaf)> watch_for;
  DurationUs autopilot_period;  ///< 0: no autopilot, nothing to snap to
  std::uint64_t seed = 0;       ///< of the noise of motors
};

namespace detail {

/// A list of fixed capacity that keeps its order.
template <class T, int capacity>
struct FixedList {
  T item[capacity] = {};
  int count = 0;

  FixedList() = default;
  ~FixedList() = default;
  FixedList(const FixedList& other) { *this = other; }
  /// What lies beyond the count is not copied: a run is copied often (--validate).
  FixedList& operator=(const FixedList& other) {
    if (this != &other) std::copy_n(other.item, other.count, item);
    count = other.count;
    return *this;
  }

  [[nodiscard]] bool full() const { return count == capacity; }
  void add(const T& added) {
    TACTUS_ASSERT(!full(), "a full list");
    item[count++] = added;
  }
  void erase(int index) {
    for (int i = index + 1; i < count; ++i) item[i - 1] = item[i];
    --count;
  }
};

}  // namespace detail

struct CompiledEvent;
struct CompiledScenario;

/// What has come of an event so far.
struct EventRecord {
  std::uint64_t count = 0;  ///< how often it acted
  TimeUs first;
  TimeUs last;
  std::uint64_t ended = 0;  ///< how often its effect ended by itself
  TimeUs last_end;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("count", "", self.count, "how often it acted");
    visit("first_us", "us", self.first);
    visit("last_us", "us", self.last);
    visit("ended", "", self.ended, "how often its effect ended by itself");
    visit("last_end_us", "us", self.last_end);
  }
};
static_assert(lists_every_field<EventRecord>());

/// An event that cannot act, or must not: exit code kRunStopped.
class ScenarioStopped : public Error {
 public:
  ScenarioStopped(TimeUs now, const CompiledEvent& event, const std::string& reason);

  [[nodiscard]] TimeUs now() const { return now_; }
  [[nodiscard]] const std::string& event() const { return event_; }  ///< its id
  [[nodiscard]] const std::string& place() const { return place_; }  ///< "f:1:1: event "id""
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  TimeUs now_;
  std::string event_;
  std::string place_;
  std::string reason_;
};

class ScenarioSource final : public Source {
 public:
  static constexpr int kMaxPasses = 8;
  // A spec has fewer events, so only what repeats reaches these.
  static constexpr int kMaxEffects = 1024;     ///< with an end or a pattern, at the same time
  static constexpr int kMaxTimers = 1024;      ///< `after` events that wait
  static constexpr int kMaxParameters = 1024;  ///< changes that wait for a tick of the autopilot
  static constexpr int kMaxActionsPerSecond = 1000;  ///< per repeating condition, on average

  /// Resolves every name and checks every range. Throws Error(kBadInput) that names the event and
  /// where it stands.
  explicit ScenarioSource(const ScenarioSetup& setup);

  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] WatchList watches() const override { return {watches_.item, watches_.count}; }
  void take_notes(std::vector<Note>& notes) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  /// Events are matched by their ids. A changed scenario may have more of them, and fewer or other
  /// ones in place of those that have not begun to act.
  void load(StateReader& from) override;

  /// By event, in the order of the set-up.
  [[nodiscard]] const std::vector<EventRecord>& records() const { return records_; }

 private:
  static constexpr std::size_t kReservedNotes = 64;
  static constexpr TimeUs kNever{std::numeric_limits<std::uint64_t>::max()};

  enum class Phase : std::uint8_t {
    kArmed,
    kWaiting,  ///< triggered, acts at `due`
    kSpent,    ///< a repeating condition that has to go back first
    kDone,
  };
  struct EventState {
    Phase phase = Phase::kArmed;
    TimeUs due;  ///< kWaiting; at_time: its next instant before snapping
  };
  /// Something that stands and changes or ends by itself.
  struct Effect {
    int event = 0;
    TimeUs start;
    TimeUs end;
    NoiseLevel noise;  ///< of a motor_noise
  };
  /// An `after` event on its way.
  struct Timer {
    int event = 0;
    TimeUs due;
  };

  [[nodiscard]] bool something_to_do(const SourceContext& context, const Bus& bus) const;
  [[nodiscard]] bool condition_calls(int event, const SourceContext& context, const Bus& bus) const;
  void run_passes(SourceContext& context, const Bus& bus);
  [[nodiscard]] bool due_now(int event, const SourceContext& context, const Bus& bus);
  [[nodiscard]] bool condition_due(int event, const SourceContext& context, const Bus& bus);
  [[nodiscard]] bool timer_due(int event, TimeUs now);
  void act(int event, SourceContext& context);
  void count_action(int event, TimeUs now);
  void start_followers(int event, TimeUs now);
  void queue_parameter(int event, TimeUs now);
  void start_effect(int event, SourceContext& context);
  void add_timed_effect(int event, TimeUs now);
  void end_effects(int event);
  void expire_effects(TimeUs now);
  [[nodiscard]] bool is_noise(int event) const;
  void draw_noise(TimeUs now);
  Effects publish_effects(SourceContext& context) const;
  void publish_parameter(SourceContext& context);
  [[nodiscard]] TimeUs snapped(int event, TimeUs instant) const;
  [[nodiscard]] TimeUs round_up_to_tick(TimeUs instant) const;
  [[nodiscard]] TimeUs next_change(const Effect& effect, TimeUs now) const;
  [[nodiscard]] TimeUs next_instant(TimeUs now) const;
  void collect_watches();
  void load_events(StateReader& from, std::vector<int>& position);

  std::shared_ptr<const CompiledScenario> scenario_;
  std::vector<EventState> events_;  ///< length never changes, as the next one's
  std::vector<EventRecord> records_;
  std::vector<Note> notes_;  ///< since the last take_notes()
  Marker marker_;
  Effects standing_;  ///< effects that stay until they are taken back
  detail::FixedList<Effect, kMaxEffects> effects_;
  detail::FixedList<Timer, kMaxTimers> timers_;
  detail::FixedList<int, kMaxParameters> parameters_;
  detail::FixedList<Watch, kMaxWatches> watches_;
  TimeUs actions_since_;  ///< start of the second in which actions are counted
  int actions_ = 0;
  TimeUs parameter_free_;  ///< when the next parameter may be written: the last one was read
  TimeUs next_;            ///< next instant at which something is due
  TimeUs requested_;       ///< the boundary that was asked for last
};

}  // namespace tactus
