// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The recorded evaluations of the right-hand side (tier 2), to be asked for again in their order.

#include <bitset>
#include <cstddef>
#include <optional>

#include "tactus/plant/multirotor_state.h"
#include "tactus/record/recording.h"

namespace tactus {

/// Entries of the state that belong to the component that is live.
using EntrySet = std::bitset<static_cast<std::size_t>(kMultirotorCapacity)>;

class RhsTraceReader {
 public:
  /// Throws Error(kBadInput) if there is no trace, or none of such a vehicle.
  RhsTraceReader(const Recording& recording, const MultirotorCounts& counts, const EntrySet& live);

  /// Goes to the evaluations of the interval that starts at `from`.
  void begin_interval(TimeUs from);
  [[nodiscard]] bool is_last_interval() const { return end_ == table_->size(); }
  /// Whether the solver began with the derivative at the start of the interval. If not, it had that
  /// from the interval before.
  [[nodiscard]] bool starts_anew() const { return first_ < end_ && t_s(first_) == 0.0; }

  /// Goes to the next evaluation with that time and that state, entries that are live left out;
  /// false: there is none.
  bool find(double asked_s, const double* x);
  void derivative(double* dx) const;
  void bus_v(double* v) const;

  /// Time of the evaluation after the one found last, for messages.
  [[nodiscard]] std::optional<double> time_of_next() const;

 private:
  [[nodiscard]] double t_s(std::size_t row) const;
  [[nodiscard]] double value(const RowField& field, std::size_t column, std::size_t row) const;
  [[nodiscard]] bool is_at(std::size_t row, const double* x) const;

  const Table* table_;
  const RowField* time_;
  const RowField* state_;
  const RowField* derivative_;
  const RowField* bus_v_;
  EntrySet live_;
  std::size_t first_ = 0;  ///< of the interval
  std::size_t end_ = 0;    ///< behind its last one
  std::size_t next_ = 0;   ///< not yet passed over
  std::size_t found_ = 0;
};

}  // namespace tactus
