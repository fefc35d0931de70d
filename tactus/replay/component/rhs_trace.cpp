// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/component/rhs_trace.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"

namespace tactus {
namespace {

const RowField& require_field(const Table& table, const char* path, int width) {
  const RowField* const field = table.layout.find(path);
  if (field != nullptr && field->kind == FieldKind::kReal &&
      field->width == static_cast<std::size_t>(width)) {
    return *field;
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("the recording does not fit this program: {} is missing or does not have "
                          "{} columns",
                          path, width));
}

}  // namespace

RhsTraceReader::RhsTraceReader(const Recording& recording, const MultirotorCounts& counts,
                               const EntrySet& live)
    : table_(&recording.require("rhs_trace")),
      time_(&require_field(*table_, "/rhs_trace/t_s", 1)),
      state_(&require_field(*table_, "/rhs_trace/state", make_layout(counts).size)),
      derivative_(&require_field(*table_, "/rhs_trace/derivative", make_layout(counts).size)),
      bus_v_(&require_field(*table_, "/rhs_trace/bus_v", counts.buses)),
      live_(live) {}

void RhsTraceReader::begin_interval(TimeUs from) {
  while (end_ < table_->size() && table_->time(end_) < from) ++end_;
  first_ = next_ = end_;
  while (end_ < table_->size() && table_->time(end_) == from) ++end_;
}

bool RhsTraceReader::find(double asked_s, const double* x) {
  for (std::size_t row = next_; row < end_; ++row) {
    if (t_s(row) != asked_s || !is_at(row, x)) continue;
    found_ = row;
    next_ = row + 1;
    return true;
  }
  return false;
}

void RhsTraceReader::derivative(double* dx) const {
  for (std::size_t i = 0; i < derivative_->width; ++i) dx[i] = value(*derivative_, i, found_);
}

void RhsTraceReader::bus_v(double* v) const {
  for (std::size_t b = 0; b < bus_v_->width; ++b) v[b] = value(*bus_v_, b, found_);
}

std::optional<double> RhsTraceReader::time_of_next() const {
  if (next_ == end_) return std::nullopt;
  return t_s(next_);
}

double RhsTraceReader::t_s(std::size_t row) const { return value(*time_, 0, row); }

double RhsTraceReader::value(const RowField& field, std::size_t column, std::size_t row) const {
  return number(field, column, table_->row(row).data());
}

bool RhsTraceReader::is_at(std::size_t row, const double* x) const {
  for (std::size_t i = 0; i < state_->width; ++i) {
    if (!live_[i] && canonical_bits(value(*state_, i, row)) != canonical_bits(x[i])) return false;
  }
  return true;
}

}  // namespace tactus
