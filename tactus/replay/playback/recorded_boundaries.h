// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A recorded multirotor flight (tier 1), boundary by boundary: what the plant was given, what it
// published, and its state and modes after the boundary.

#include <cstddef>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/signal/bus.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {

class RecordedBoundaries {
 public:
  /// Throws Error(kBadInput) if the recording does not hold the plant, or not as this program has
  /// it. The recording must outlive this.
  RecordedBoundaries(const Recording& recording, const MultirotorCounts& counts);

  /// False after the last one. The first call goes to the first boundary.
  bool next();

  /// Signals of the plant as published at this boundary, with the input held until then; those that
  /// drive it as they are after it.
  [[nodiscard]] const Bus& bus() const { return bus_; }
  /// State and modes after this boundary; the rest is not recorded.
  [[nodiscard]] const MultirotorFlight& flight() const { return flight_; }

 private:
  struct Track {
    const Table* table;
    RowPart part;
    std::size_t next = 0;
  };

  const Table* boundaries_;
  std::size_t next_ = 0;
  std::vector<RowPart> published_;
  RowPart state_;
  std::vector<Track> inputs_;
  Bus bus_;
  MultirotorFlight flight_;
};

}  // namespace tactus
