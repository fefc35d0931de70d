// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/playback/recorded_boundaries.h"

#include "tactus/core/error.h"
#include "tactus/signal/validator.h"
#include "tactus/vehicle/multirotor_plant.h"

namespace tactus {

RecordedBoundaries::RecordedBoundaries(const Recording& recording, const MultirotorCounts& counts)
    : boundaries_(&recording.require("boundary")) {
  if (recording.meta.tier < Tier::kComponents) {
    throw Error(ExitCode::kBadInput,
                "the recording (tier 0) does not hold what the components of the plant exchanged; "
                "record it at tier 1");
  }
  const std::vector<BusLeaf> leaves = bus_leaves(recording.meta.counts);
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    const std::vector<BusLeaf> own = leaves_of(signal, leaves);
    if (kPlantSignals.has(signal)) {
      published_.push_back(find_fields(boundaries_->layout, kOutputsGroup, own));
    }
    const Table* const table = kPlantInputs.has(signal) ? recording.signal(signal) : nullptr;
    if (table != nullptr)
      inputs_.push_back({table, find_fields(table->layout, kSignalsGroup, own)});
  }
  state_ = find_fields(boundaries_->layout, "/plant", flight_leaves(counts));
}

bool RecordedBoundaries::next() {
  if (next_ == boundaries_->size()) return false;
  const std::byte* const row = boundaries_->row(next_).data();
  bus_.time = flight_.now = boundaries_->time(next_++);
  for (const RowPart& part : published_) part.scatter(row, &bus_);
  state_.scatter(row, &flight_);
  for (Track& track : inputs_) {
    while (track.next < track.table->size() && track.table->time(track.next) <= bus_.time) {
      track.part.scatter(track.table->row(track.next++).data(), &bus_);
    }
  }
  return true;
}

}  // namespace tactus
