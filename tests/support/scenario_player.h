// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A scenario on a bare schedule and bus, without plant and engine; and short ways to write events.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/scenario/scenario_source.h"

namespace tactus::testing {

inline constexpr DurationUs kAutopilotPeriod{10'000};

inline Event at_time(std::string id, std::uint64_t us, Action action) {
  Event event;
  event.id = std::move(id);
  event.trigger.at = TimeUs(us);
  event.action = std::move(action);
  event.where = "test.toml:1:1";
  return event;
}

inline Event when(std::string id, std::string signal, Comparison comparison, double threshold,
                  Action action, TriggerMode mode = TriggerMode::kOnce) {
  Event event = at_time(std::move(id), 0, std::move(action));
  event.trigger.kind = TriggerKind::kWhen;
  event.trigger.mode = mode;
  event.trigger.signal = std::move(signal);
  event.trigger.comparison = comparison;
  event.trigger.threshold = threshold;
  return event;
}

inline Event after(std::string id, std::string other, std::uint64_t delay_us, Action action) {
  Event event = at_time(std::move(id), 0, std::move(action));
  event.trigger.kind = TriggerKind::kAfter;
  event.trigger.after = std::move(other);
  event.trigger.delay = DurationUs(delay_us);
  return event;
}

inline Action plain(ActionKind kind, std::string target = "", double value = 0.0) {
  Action action;
  action.kind = kind;
  action.target = std::move(target);
  action.value = value;
  return action;
}

inline Action lasting(Action action, std::uint64_t us) {
  action.duration = DurationUs(us);
  return action;
}

inline Action wind(Vec3 velocity, std::uint64_t duration_us = 0) {
  Action action = lasting(plain(ActionKind::kWindStep), duration_us);
  action.vector = velocity;
  return action;
}

inline ScenarioSetup setup_of(std::vector<Event> events) {
  ScenarioSetup setup;
  setup.events = std::move(events);
  setup.leaves = bus_leaves({.motors = 4, .servos = 2, .packs = 2, .buses = 1, .gear_points = 4});
  setup.targets.rotor_ids = {"front_right", "rear_left", "front_left", "rear_right"};
  setup.targets.pack_ids = {"main", "spare"};
  setup.targets.pack_empty_v = {10.0, 10.0};
  setup.targets.servo_count = 2;
  setup.targets.longest_motor_delay = DurationUs(1'000'000);
  setup.targets.longest_estimator_delay = DurationUs(100'000);
  setup.targets.instruments = {.imus = 2, .barometers = 1, .gps = 1};
  for (DurationUs& longest : setup.targets.longest_instrument_delay) longest = DurationUs(300'000);
  setup.targets.parameter_index = [](std::string_view key, double value) {
    if (key == "cruise_speed_m_s" && value > 0.0) return 0;
    if (key == "climb_speed_m_s" && value > 0.0) return 1;
    throw Error(ExitCode::kBadInput, "no such parameter, or not this value");
  };
  setup.watch_for = [](const BusLeaf& leaf) -> std::optional<Watch> {
    if (leaf.name == "truth.height_m") return Watch{WatchQuantity::kHeight, 0};
    return std::nullopt;
  };
  setup.autopilot_period = kAutopilotPeriod;
  return setup;
}

/// Instants in microseconds.
using Times = std::vector<std::uint64_t>;

/// Runs a scenario against a bus that only `world` changes, and keeps the bus of every boundary.
class Player {
 public:
  explicit Player(std::vector<Event> events, std::uint64_t end_us = 100'000)
      : source(setup_of(std::move(events))), schedule(TimeUs(end_us)) {
    schedule.set_period(Axis::kAutopilot, kAutopilotPeriod);
  }

  std::function<void(Bus&)> world = [](Bus&) {};

  bool step() {
    bus.time = schedule.current().time;
    world(bus);
    Requests requests(schedule);
    const SourceInfo info = source.info();
    SourceContext context{BusPort(bus, info.reads, info.writes, info.name), bus.time, boundary++,
                          requests};
    source.update(context);
    seen.push_back(bus);
    if (requests.ends()) schedule.end_at(bus.time);
    if (schedule.current().end) return false;
    schedule.advance_to(schedule.next());
    return true;
  }
  void play() {
    while (step()) {
    }
  }

  /// Instants at which a figure of the bus differs from that of the boundary before.
  template <class F>
  Times changes(F figure) const {
    Times times;
    auto before = figure(Bus{});
    for (const Bus& now : seen) {
      if (figure(now) != before) times.push_back(now.time.us);
      before = figure(now);
    }
    return times;
  }
  [[nodiscard]] Times firings(int event) const {
    return changes([event](const Bus& b) { return (b.marker.fired_mask >> event) & 1U; });
  }
  [[nodiscard]] Times markers() const {
    return changes([](const Bus& b) { return b.marker.count; });
  }

  ScenarioSource source;
  Schedule schedule;
  Bus bus;
  std::uint64_t boundary = 0;
  std::vector<Bus> seen;
};

inline std::uint32_t off_mask(const Bus& bus) { return bus.faults.motor_off_mask; }
inline double wind_north(const Bus& bus) { return bus.disturbance.wind_W_m_s.x; }

}  // namespace tactus::testing
