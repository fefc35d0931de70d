// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The motion of a flight as its log shows it, and how far two such tracks are apart.
//
// Rows are matched by their instants, so the log axis may have any shape. At each instant
//   position, velocity, body rate   length of the difference vector
//   attitude                        angle of the rotation between the two, 4 asin(½|q1 ∓ q2|)
//   rotor speed, bus voltage, bus current   the largest difference over rotors, over buses
// and over all matched rows the largest of these (max), where it is first (max_at), and the root of
// their mean square (rms).

#include <cstddef>
#include <string>
#include <vector>

#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/engine/observer.h"
#include "tactus/record/recording.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// Parts that the vehicle lacks are zero.
struct TrackRow {
  TimeUs time;
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
  Quat attitude;
  Vec3 rate_B_rad_s;
  double rotor_speed_rad_s[kMaxMotors] = {};
  double bus_v[kMaxBuses] = {};
  double bus_current_a[kMaxBuses] = {};
};

/// In the order of time.
using Track = std::vector<TrackRow>;

TrackRow track_row(TimeUs time, const Bus& bus, const VehicleCounts& counts);

/// As the log of a recording has it. Throws Error(kBadInput) if there is none.
Track recorded_track(const Recording& recording);

/// Keeps the track of a run. An instant has one row: the first that was given.
class TrackLog final : public LogSink {
 public:
  void begin(const VehicleCounts& counts) override;
  void row(const LogRow& row) override;
  void end(Digest128 flight_digest, bool complete) override;
  void add(const TrackRow& row);

  [[nodiscard]] const Track& track() const { return track_; }

 private:
  VehicleCounts counts_;
  Track track_;
};

struct ErrorSize {
  double max = 0.0;
  double rms = 0.0;
  TimeUs max_at;
};

struct TrackErrors {
  std::size_t rows = 0;  ///< instants that both tracks have
  ErrorSize position_m;
  ErrorSize velocity_m_s;
  ErrorSize attitude_rad;
  ErrorSize rate_rad_s;
  ErrorSize rotor_speed_rad_s;
  ErrorSize bus_v;
  ErrorSize bus_current_a;
};

/// A quantity as tables and files name it: pos_max_m, pos_rms_m …
struct ErrorColumn {
  const char* quantity;
  const char* unit;  ///< as the end of a name
  ErrorSize TrackErrors::*error;
};

inline constexpr ErrorColumn kErrorColumns[] = {
    {"pos", "m", &TrackErrors::position_m},
    {"vel", "mps", &TrackErrors::velocity_m_s},
    {"att", "rad", &TrackErrors::attitude_rad},
    {"bodyrate", "rad_s", &TrackErrors::rate_rad_s},
    {"rotor_omega", "rad_s", &TrackErrors::rotor_speed_rad_s},
    {"battV", "v", &TrackErrors::bus_v},
    {"battI", "a", &TrackErrors::bus_current_a},
};

/// A size of an error as tables and files name it.
struct ErrorMeasure {
  const char* name;
  double ErrorSize::*size;
};

inline constexpr ErrorMeasure kErrorMeasures[] = {{"max", &ErrorSize::max},
                                                  {"rms", &ErrorSize::rms}};

/// "pos_max_m"
std::string column_name(const ErrorColumn& column, const ErrorMeasure& measure);

/// How far `track` is from `reference`, over the instants that both have.
TrackErrors track_errors(const Track& reference, const Track& track);

}  // namespace tactus
