// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/flying/measures.h"

#include <algorithm>

#include "tactus/core/bits.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/scenario/flight_state.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus::sweep {
namespace {

constexpr unsigned kDroppedBits = 42;  ///< of 52: a bin is 2^-10 of its value wide
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// Numbers of bins rise with the value.
std::uint64_t bin_of(double value) {
  const std::uint64_t bits = math::to_bits(value + 0.0);
  const std::uint64_t ordered = (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
  return ordered >> kDroppedBits;
}

double middle_of(std::uint64_t bin) {
  const std::uint64_t half = std::uint64_t{1} << (kDroppedBits - 1);
  const std::uint64_t ordered = (bin << kDroppedBits) | half;
  return math::from_bits((ordered & kSignBit) != 0 ? ordered ^ kSignBit : ~ordered);
}

double percentile(const std::map<std::uint64_t, std::uint64_t>& us_in_bin, double percent) {
  std::uint64_t total = 0;
  for (const auto& [bin, us] : us_in_bin) total += us;
  const double wanted = percent / 100.0 * static_cast<double>(total);
  std::uint64_t below = 0;
  for (const auto& [bin, us] : us_in_bin) {
    below += us;
    if (static_cast<double>(below) >= wanted) return middle_of(bin);
  }
  return middle_of(us_in_bin.rbegin()->first);
}

double seconds_between(TimeUs from, TimeUs to) { return to_seconds(to - from); }

}  // namespace

MeasureObserver::MeasureObserver(std::span<const Measure> measures, const Spec& spec)
    : measures_(measures),
      at_every_boundary_(spec.timeline.autopilot.us == 0),
      can_crash_(vehicle_type(spec).can_crash()) {
  const std::vector<BusLeaf> leaves = bus_leaves(vehicle_counts(spec));
  for (const Measure& measure : measures_) {
    try {
      states_.emplace_back().leaf = find_leaf(leaves, measure.signal, "measure.signal");
    } catch (const Error& error) {
      throw PlacedError(error.code(), measure.at, "measure.signal", error.what());
    }
  }
}

void MeasureObserver::after(Stage /*stage*/, const BoundaryView& view) {
  if (is_over_ || measures_.empty()) return;
  if (can_crash_ && crash_at(view.bus)) is_over_ = true;
  if (!at_every_boundary_ && !view.due.on(Axis::kAutopilot) && !view.due.end && !is_over_) return;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const Measure& measure = measures_[i];
    if (view.due.time < measure.from || (measure.to && view.due.time > *measure.to)) continue;
    const double value = states_[i].leaf.value(view.bus);
    if (!math::is_nan(value)) see(measure, view.due.time, value, states_[i]);
  }
}

void MeasureObserver::see(const Measure& measure, TimeUs now, double value, State& state) {
  if (!state.started) {
    state.started = true;
    state.first = now;
    state.least = state.most = value;
  } else {
    const double length_s = seconds_between(state.last, now);
    const double before = state.value;
    state.least = math::min(state.least, value);
    state.most = math::max(state.most, value);
    state.integral += 0.5 * length_s * (before + value);
    // Of the square of a straight line.
    state.integral_squared += length_s * (before * before + before * value + value * value) / 3.0;
    const bool crosses = measure.falls ? before > measure.level && value <= measure.level
                                       : before < measure.level && value >= measure.level;
    if (crosses && !state.crossed_s) {
      const double part = (measure.level - before) / (value - before);
      state.crossed_s = to_seconds(state.last - TimeUs{}) + part * length_s;
    }
    if (measure.kind == MeasureKind::kPercentile) {
      state.us_in_bin[bin_of(before)] += (now - state.last).us;
    }
  }
  state.last = now;
  state.value = value;
}

std::optional<double> MeasureObserver::result(const Measure& measure, const State& state) {
  if (!state.started) return std::nullopt;
  const double length_s = seconds_between(state.first, state.last);
  switch (measure.kind) {
    case MeasureKind::kMin: return state.least;
    case MeasureKind::kMax: return state.most;
    case MeasureKind::kMean: return length_s > 0.0 ? state.integral / length_s : state.value;
    case MeasureKind::kRms:
      return length_s > 0.0 ? math::sqrt(state.integral_squared / length_s)
                            : math::abs(state.value);
    case MeasureKind::kFinal: return state.value;
    case MeasureKind::kIntegral: return state.integral;
    case MeasureKind::kCrossingTime: return state.crossed_s;
    case MeasureKind::kPercentile:
      return state.us_in_bin.empty() ? state.value : percentile(state.us_in_bin, measure.percent);
  }
  return std::nullopt;
}

std::vector<std::optional<double>> MeasureObserver::results() const {
  std::vector<std::optional<double>> all;
  all.reserve(states_.size());
  for (std::size_t i = 0; i < states_.size(); ++i) all.push_back(result(measures_[i], states_[i]));
  return all;
}

}  // namespace tactus::sweep
