// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/flight_summary.h"

#include "tactus/core/math.h"

namespace tactus {
namespace {

using Extreme = FlightFacts::Extreme;

constexpr std::size_t kUsualChanges = 64;  // room that an ordinary flight does not outgrow

void raise(Extreme& most, TimeUs now, double value) {
  if (value > most.value) most = {now, value};
}

void lower(Extreme& least, TimeUs now, double value) {
  if (value < least.value) least = {now, value};
}

void add_new_bits(std::vector<FlightFacts::Change<int>>& list, TimeUs now, std::uint64_t bits) {
  for (int i = 0; bits != 0; ++i, bits >>= 1U) {
    if ((bits & 1U) != 0) list.push_back({now, i});
  }
}

}  // namespace

FlightSummary::FlightSummary(const VehicleType& type, const VehicleCounts& counts) : type_(&type) {
  facts_.packs.resize(static_cast<std::size_t>(counts.packs));
  facts_.lowest_bus_v.resize(static_cast<std::size_t>(counts.buses));
  facts_.steps.reserve(kUsualChanges);
  facts_.armed.reserve(kUsualChanges);
  facts_.modes.reserve(kUsualChanges);
  facts_.failsafes.reserve(kUsualChanges);
  facts_.refusals.reserve(kUsualChanges);
  facts_.lost_motors.reserve(kUsualChanges);
  facts_.returned_motors.reserve(kUsualChanges);
  facts_.yaw_given_up.reserve(kUsualChanges);
  facts_.notes.reserve(kUsualChanges);
  facts_.autopilot_notes.reserve(kUsualChanges);
}

void FlightSummary::after(Stage /*stage*/, const BoundaryView& view) {
  see(view.due, view.boundary, view.bus);
}

void FlightSummary::see(const Due& due, std::uint64_t boundary, const Bus& bus) {
  const TimeUs now = due.time;
  if (!started_) start(now, boundary, bus);
  see_orders(bus);
  see_changes(now, bus);
  const bool is_under_way = type_->flies() ? is_in_the_air(bus) : !bus.land.landed;
  if (!facts_.departed && is_under_way) facts_.departed = now;
  const bool flew_until_now = !facts_.crash;
  if (type_->can_crash() && flew_until_now) facts_.crash = crash_at(bus);
  const bool is_sampled = due.on(Axis::kAutopilot) || due.end || facts_.crash;
  if (flew_until_now && is_sampled) sample(now, bus);
  finish(now, bus, flew_until_now);
}

void FlightSummary::note(const Note& note) {
  if (note.from == NoteFrom::kAutopilot &&
      facts_.autopilot_notes.size() < FlightFacts::kMostNotes) {
    facts_.autopilot_notes.push_back(note);
  }
  if (note.from != NoteFrom::kPlant) return;
  ++facts_.note_count;
  if (facts_.notes.size() < FlightFacts::kMostNotes) facts_.notes.push_back(note);
}

void FlightSummary::start(TimeUs now, std::uint64_t boundary, const Bus& bus) {
  started_ = true;
  facts_.begin = now;
  if (boundary > 0) previous_ = bus.autopilot;  // no change that was seen
  facts_.mode_at_begin = previous_.mode;
  home_W_m_ = bus.truth.position_W_m;
  for (std::size_t i = 0; i < facts_.packs.size(); ++i) {
    facts_.packs[i].remaining_at_start = bus.battery[i].remaining;
    facts_.packs[i].lowest_voltage_v = {bus.time, bus.battery[i].voltage_v};
  }
  for (std::size_t i = 0; i < facts_.lowest_bus_v.size(); ++i) {
    facts_.lowest_bus_v[i] = {bus.time, bus.power.bus_v[i]};
  }
}

/// The item flown changes when one is done; it is also gone while another mode flies, or when the
/// mission is at its end.
void FlightSummary::see_mission(TimeUs now, const AutopilotStatus& status) {
  const std::int32_t from = previous_.mission_item;
  const bool finishes = status.mission_finished && !previous_.mission_finished;
  const bool begins =
      status.mission_item >= 0 && from < 0 && (facts_.steps.empty() || previous_.mission_finished);
  if (finishes) facts_.mission_finished = now;
  if (begins) {
    facts_.steps.push_back({now, -1, status.mission_item});
  } else if (finishes && from >= 0) {
    facts_.steps.push_back({now, from, status.mission_count});
  } else if (from >= 0 && status.mission_item >= 0 && status.mission_item != from) {
    facts_.steps.push_back({now, from, status.mission_item});
  }
}

void FlightSummary::see_orders(const Bus& bus) {
  const bool takeoff =
      bus.high_level.mode == FlightMode::kTakeoff || bus.autopilot.mode == FlightMode::kTakeoff;
  facts_.mission_ordered = facts_.mission_ordered || is_mission_ordered(bus);
  facts_.takeoff_ordered = facts_.takeoff_ordered || facts_.mission_ordered || takeoff;
}

void FlightSummary::see_changes(TimeUs now, const Bus& bus) {
  const AutopilotStatus& status = bus.autopilot;
  if (status.armed != previous_.armed) facts_.armed.push_back({now, status.armed});
  if (status.mode != previous_.mode) facts_.modes.push_back({now, status.mode});
  if (status.failsafe != previous_.failsafe) {
    double remaining = 1.0;
    for (std::size_t i = 0; i < facts_.packs.size(); ++i) {
      remaining = math::min(remaining, bus.battery[i].remaining);
    }
    facts_.failsafes.push_back({now, status.failsafe, status.mode, remaining});
  }
  see_mission(now, status);
  if (status.refusal != previous_.refusal && status.refusal != ArmingRefusal::kNone) {
    facts_.refusals.push_back({now, status.refusal});
  }
  add_new_bits(facts_.lost_motors, now, status.motor_lost_mask & ~previous_.motor_lost_mask);
  add_new_bits(facts_.returned_motors, now, previous_.motor_lost_mask & ~status.motor_lost_mask);
  if (status.yaw_given_up != previous_.yaw_given_up) {
    facts_.yaw_given_up.push_back({now, status.yaw_given_up});
  }
  previous_ = status;
}

void FlightSummary::sample(TimeUs now, const Bus& bus) {
  raise(facts_.max_tilt_rad, now, bus.truth.tilt_rad);
  raise(facts_.max_speed_m_s, now, bus.truth.speed_m_s);
  raise(facts_.max_height_m, now, bus.truth.height_m);
  for (std::size_t i = 0; i < facts_.packs.size(); ++i) {
    lower(facts_.packs[i].lowest_voltage_v, now, bus.battery[i].voltage_v);
  }
  for (std::size_t i = 0; i < facts_.lowest_bus_v.size(); ++i) {
    lower(facts_.lowest_bus_v[i], now, bus.power.bus_v[i]);
  }
  if (type_->flies()) track(now, bus);
  add_wind(now, bus);
}

void FlightSummary::add_wind(TimeUs now, const Bus& bus) {
  const double speed_m_s = norm(bus.environment.wind_W_m_s);
  raise(facts_.wind_max_m_s, now, speed_m_s);
  wind_sum_m_s_ += speed_m_s;
  ++wind_samples_;
  facts_.wind_mean_m_s = wind_sum_m_s_ / static_cast<double>(wind_samples_);
}

void FlightSummary::track(TimeUs now, const Bus& bus) {
  const bool flies_mission =
      bus.autopilot.armed && bus.autopilot.mode == FlightMode::kMission && !bus.land.landed;
  if (!flies_mission || !is_finite(bus.autopilot.position_setpoint_W_m)) return;
  const double error_m = norm(bus.truth.position_W_m - bus.autopilot.position_setpoint_W_m);
  raise(facts_.tracking_max_m, now, error_m);
  tracking_sum_m2_ += error_m * error_m;
  ++facts_.tracking_samples;
  facts_.tracking_rms_m =
      math::sqrt(tracking_sum_m2_ / static_cast<double>(facts_.tracking_samples));
}

void FlightSummary::finish(TimeUs now, const Bus& bus, bool flew_until_now) {
  facts_.end = now;
  facts_.mission_count = bus.autopilot.mission_count;
  facts_.impact_speed_m_s = bus.loads.impact_speed_m_s;
  for (std::size_t i = 0; i < facts_.packs.size(); ++i) {
    if (flew_until_now) facts_.packs[i].remaining_at_end = bus.battery[i].remaining;
  }
  const Vec3 away = bus.truth.position_W_m - home_W_m_;
  facts_.home_distance_m = math::sqrt(away.x * away.x + away.y * away.y);
  facts_.height_m = bus.truth.height_m;
  facts_.speed_m_s = bus.truth.speed_m_s;
  facts_.landed = bus.land.landed;
  facts_.is_armed = bus.autopilot.armed;
  facts_.mode = bus.autopilot.mode;
}

}  // namespace tactus
