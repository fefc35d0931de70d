// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/memory_log.h"

#include <utility>

#include "tactus/core/error.h"

namespace tactus {

MemoryLog::MemoryLog(std::vector<std::string> names, std::size_t expected_rows)
    : names_(std::move(names)), expected_rows_(expected_rows) {}

void MemoryLog::begin(const VehicleCounts& counts) {
  leaves_ = bus_leaves(counts);
  if (!names_.empty()) {
    std::vector<BusLeaf> chosen;
    for (const std::string& name : names_) chosen.push_back(find_leaf(leaves_, name, "log"));
    leaves_ = std::move(chosen);
  }
  times_.clear();
  times_.reserve(expected_rows_);
  columns_.assign(leaves_.size(), {});
  for (std::vector<double>& column : columns_) column.reserve(expected_rows_);
  complete_ = false;
}

void MemoryLog::row(const LogRow& row) {
  times_.push_back(row.time);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    columns_[i].push_back(leaves_[i].value(row.bus));
  }
}

void MemoryLog::end(Digest128 flight_digest, bool complete) {
  flight_digest_ = flight_digest;
  complete_ = complete;
}

const std::vector<double>& MemoryLog::column(std::string_view name) const {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].name == name) return columns_[i];
  }
  throw Error(ExitCode::kBadInput, "log: there is no column \"" + std::string(name) +
                                       "\"; name it when the log is made");
}

}  // namespace tactus
