// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The log as columns in memory, for tests and for programs that use the library:
//   MemoryLog log({"truth.height_m", "battery[0].voltage_v"});
//   … fly …
//   const std::vector<double>& height_m = log.column("truth.height_m");

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/engine/observer.h"
#include "tactus/signal/bus.h"

namespace tactus {

class MemoryLog final : public LogSink {
 public:
  /// `names`: leaves of the bus; none: all of them. With room for `expected_rows` no row up to that
  /// number allocates.
  explicit MemoryLog(std::vector<std::string> names = {}, std::size_t expected_rows = 0);

  /// Throws Error(kBadInput) if the vehicle has no such leaf.
  void begin(const VehicleCounts& counts) override;
  void row(const LogRow& row) override;
  void end(Digest128 flight_digest, bool complete) override;

  [[nodiscard]] const std::vector<TimeUs>& times() const { return times_; }
  /// Throws Error(kBadInput) if that leaf was not chosen.
  [[nodiscard]] const std::vector<double>& column(std::string_view name) const;
  [[nodiscard]] const std::vector<BusLeaf>& leaves() const { return leaves_; }
  [[nodiscard]] Digest128 flight_digest() const { return flight_digest_; }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  std::vector<std::string> names_;
  std::size_t expected_rows_;
  std::vector<BusLeaf> leaves_;
  std::vector<TimeUs> times_;
  std::vector<std::vector<double>> columns_;  ///< as leaves_
  Digest128 flight_digest_;
  bool complete_ = false;
};

}  // namespace tactus
