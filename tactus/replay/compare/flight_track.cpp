// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/compare/flight_track.h"

#include <fmt/format.h>

#include <span>

#include "tactus/core/math.h"

namespace tactus {
namespace {

/// NaN is larger than any number, so that it is seen.
bool is_larger(double error, double than) { return !(error <= than) && !math::is_nan(than); }

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = math::abs(a[i] - b[i]);
    if (is_larger(error, largest)) largest = error;
  }
  return largest;
}

/// Sums up in `rms` until track_errors() ends.
void include(ErrorSize& size, TimeUs time, double error) {
  if (is_larger(error, size.max)) {
    size.max = error;
    size.max_at = time;
  }
  size.rms += error * error;
}

void include_row(const TrackRow& a, const TrackRow& b, TrackErrors& errors) {
  ++errors.rows;
  const auto include = [&](ErrorSize& size, double error) { tactus::include(size, a.time, error); };
  include(errors.position_m, norm(a.position_W_m - b.position_W_m));
  include(errors.velocity_m_s, norm(a.velocity_W_m_s - b.velocity_W_m_s));
  include(errors.attitude_rad, attitude_distance(normalized(a.attitude), normalized(b.attitude)));
  include(errors.rate_rad_s, norm(a.rate_B_rad_s - b.rate_B_rad_s));
  include(errors.rotor_speed_rad_s, largest_difference(a.rotor_speed_rad_s, b.rotor_speed_rad_s));
  include(errors.bus_v, largest_difference(a.bus_v, b.bus_v));
  include(errors.bus_current_a, largest_difference(a.bus_current_a, b.bus_current_a));
}

}  // namespace

TrackRow track_row(TimeUs time, const Bus& bus, const VehicleCounts& counts) {
  TrackRow out;
  out.time = time;
  out.position_W_m = bus.truth.position_W_m;
  out.velocity_W_m_s = bus.truth.velocity_W_m_s;
  out.attitude = bus.truth.attitude;
  out.rate_B_rad_s = bus.truth.rate_B_rad_s;
  for (int i = 0; i < counts.motors; ++i) out.rotor_speed_rad_s[i] = bus.esc[i].speed_rad_s;
  for (int b = 0; b < counts.buses; ++b) {
    out.bus_v[b] = bus.power.bus_v[b];
    out.bus_current_a[b] = bus.power.bus_current_a[b];
  }
  return out;
}

Track recorded_track(const Recording& recording) {
  const Table& log = recording.require("log");
  const RowPart part =
      find_fields(log.layout, "/log",
                  leaves_of(SignalSet::of(Signal::kTruth, Signal::kEsc, Signal::kPower),
                            bus_leaves(recording.meta.counts)));
  Track track;
  Bus bus;
  for (std::size_t i = 0; i < log.size(); ++i) {
    part.scatter(log.row(i).data(), &bus);
    track.push_back(track_row(log.time(i), bus, recording.meta.counts));
  }
  return track;
}

void TrackLog::begin(const VehicleCounts& counts) {
  counts_ = counts;
  track_.clear();
}

void TrackLog::row(const LogRow& row) { add(track_row(row.time, row.bus, counts_)); }

void TrackLog::add(const TrackRow& row) {
  if (track_.empty() || track_.back().time < row.time) track_.push_back(row);
}

void TrackLog::end(Digest128 /*flight_digest*/, bool /*complete*/) {}

std::string column_name(const ErrorColumn& column, const ErrorMeasure& measure) {
  return fmt::format("{}_{}_{}", column.quantity, measure.name, column.unit);
}

TrackErrors track_errors(const Track& reference, const Track& track) {
  TrackErrors errors;
  std::size_t at = 0;
  for (const TrackRow& row : track) {
    while (at < reference.size() && reference[at].time < row.time) ++at;
    if (at == reference.size()) break;
    if (reference[at].time == row.time) include_row(reference[at], row, errors);
  }
  if (errors.rows == 0) return errors;
  for (const ErrorColumn& column : kErrorColumns) {
    ErrorSize& size = errors.*column.error;
    size.rms = math::sqrt(size.rms / static_cast<double>(errors.rows));
  }
  return errors;
}

}  // namespace tactus
