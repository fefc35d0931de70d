// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/flight_track.h"

#include <span>

#include "tactus/core/math.h"

namespace tactus {
namespace {

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = math::max(largest, math::abs(a[i] - b[i]));
  return largest;
}

/// Sums up in `rms` until finish().
void include(ErrorSize& size, double error) {
  size.max = math::max(size.max, error);
  size.rms += error * error;
}

void include_row(const TrackRow& a, const TrackRow& b, TrackErrors& errors) {
  ++errors.rows;
  include(errors.position_m, norm(a.position_W_m - b.position_W_m));
  include(errors.velocity_m_s, norm(a.velocity_W_m_s - b.velocity_W_m_s));
  include(errors.attitude_rad, attitude_distance(normalized(a.attitude), normalized(b.attitude)));
  include(errors.rate_rad_s, norm(a.rate_B_rad_s - b.rate_B_rad_s));
  include(errors.rotor_speed_rad_s, largest_difference(a.rotor_speed_rad_s, b.rotor_speed_rad_s));
  include(errors.bus_v, largest_difference(a.bus_v, b.bus_v));
  include(errors.bus_current_a, largest_difference(a.bus_current_a, b.bus_current_a));
}

}  // namespace

void TrackLog::begin(const VehicleCounts& counts) {
  counts_ = counts;
  track_.clear();
}

void TrackLog::row(const LogRow& row) {
  TrackRow& out = track_.emplace_back();
  out.time = row.time;
  out.position_W_m = row.bus.truth.position_W_m;
  out.velocity_W_m_s = row.bus.truth.velocity_W_m_s;
  out.attitude = row.bus.truth.attitude;
  out.rate_B_rad_s = row.bus.truth.rate_B_rad_s;
  for (int i = 0; i < counts_.motors; ++i) out.rotor_speed_rad_s[i] = row.bus.esc[i].speed_rad_s;
  for (int b = 0; b < counts_.buses; ++b) {
    out.bus_v[b] = row.bus.power.bus_v[b];
    out.bus_current_a[b] = row.bus.power.bus_current_a[b];
  }
}

void TrackLog::end(Digest128 /*flight_digest*/, bool /*complete*/) {}

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
