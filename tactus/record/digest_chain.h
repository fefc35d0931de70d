// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The digest chain: the flight digest so far at the first tick of the autopilot in every second,
// and at the end. Each link covers all ticks before it, so two flights differ from the first second
// on whose links differ, and bisection finds it. A recording also keeps a digest of every signal
// and of the plant's state at those instants, which name what differs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tactus/engine/observer.h"
#include "tactus/record/table.h"
#include "tactus/signal/bus.h"

namespace tactus {

inline constexpr DurationUs kChainPeriod{1'000'000};

/// Whether a boundary has a link.
[[nodiscard]] bool has_link(const Due& due, DurationUs autopilot_period);

/// Digests of single signals as they are at an instant.
class SignalDigests {
 public:
  SignalDigests() = default;
  explicit SignalDigests(const VehicleCounts& counts);
  [[nodiscard]] std::uint64_t of(Signal signal, const Bus& bus);

 private:
  std::array<RowPart, kSignals> parts_;
  std::array<std::size_t, kSignals> sizes_{};
  std::vector<std::byte> scratch_;
};

/// Keeps the chain of a flight in memory, 24 bytes a second.
class DigestChain final : public Recorder {
 public:
  struct Link {
    TimeUs time;
    Digest128 flight;
    bool operator==(const Link&) const = default;
  };

  void begin(const Run& run) override;
  void boundary(const BoundaryView& view, SignalSet written) override;
  void end(Digest128 flight_digest, bool complete) override;

  [[nodiscard]] const std::vector<Link>& links() const { return links_; }

 private:
  DurationUs autopilot_period_;
  std::vector<Link> links_;
};

}  // namespace tactus
