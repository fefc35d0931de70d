// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/digest_chain.h"

#include <algorithm>

#include "tactus/engine/run.h"

namespace tactus {

bool has_link(const Due& due, DurationUs autopilot_period) {
  const bool first_of_second = due.time.us % kChainPeriod.us < autopilot_period.us;
  return due.end || (due.on(Axis::kAutopilot) && first_of_second);
}

SignalDigests::SignalDigests(const VehicleCounts& counts) {
  const std::vector<BusLeaf> leaves = bus_leaves(counts);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < kSignals; ++i) {
    TableLayout alone;
    parts_[i] = add_fields(alone, "", leaves_of(static_cast<Signal>(i), leaves));
    sizes_[i] = alone.row_size;
    longest = std::max(longest, alone.row_size);
  }
  scratch_.resize(longest);
}

std::uint64_t SignalDigests::of(Signal signal, const Bus& bus) {
  const auto i = static_cast<std::size_t>(signal);
  parts_[i].gather(&bus, scratch_.data());
  Digest digest;
  digest.add_bytes({scratch_.data(), sizes_[i]});
  return digest.result().low;
}

void DigestChain::begin(const Run& run) {
  constexpr std::uint64_t kMostReserved = 100'000;  // a day
  autopilot_period_ = run.schedule().period(Axis::kAutopilot);
  links_.clear();
  links_.reserve(std::min(run.schedule().end().us / kChainPeriod.us + 2, kMostReserved));
}

void DigestChain::boundary(const BoundaryView& view, SignalSet /*written*/) {
  if (has_link(view.due, autopilot_period_)) {
    links_.push_back({view.due.time, view.flight.result()});
  }
}

void DigestChain::end(Digest128 /*flight_digest*/, bool /*complete*/) {}

}  // namespace tactus
