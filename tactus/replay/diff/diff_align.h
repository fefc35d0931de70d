// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Two recordings side by side: tables of the same name, their common fields, rows by time. A signal
// that is held between its rows is compared wherever either flight has a row; a sampled one where
// both have. An instant that only one flight has is a difference of the table "boundary".

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/replay/diff/diff.h"

namespace tactus {

/// The same table of two recordings, with the fields that both have in one shape.
struct TablePair {
  struct Field {
    const RowField* a = nullptr;
    const RowField* b = nullptr;
  };
  const Table* a = nullptr;
  const Table* b = nullptr;
  std::vector<Field> fields;
  bool same_layout = false;
  bool held = false;             ///< a value stands until the next row
  std::vector<TimeUs> left_out;  ///< instants that are not compared, in order

  [[nodiscard]] const std::string& name() const { return a->layout.name; }
};

/// None if one of the recordings does not have it.
std::optional<TablePair> pair_of(const Recording& a, const Recording& b, std::string_view table);

/// Every table that both have, besides the digest chain and the trace of evaluations.
std::vector<TablePair> pairs_of(const Recording& a, const Recording& b);

/// Instants up to `until` that only one flight has because it found an event there, in order.
std::vector<TimeUs> found_by_one(const Recording& a, const Recording& b, TimeUs until);

/// Which fields to compare; empty: all.
using FieldFilter = std::function<bool(const RowField& field)>;

/// The first instant up to `until` at which the pair differs.
std::optional<TimeUs> first_differing_instant(const TablePair& pair, TimeUs until, double tolerance,
                                              const FieldFilter& filter = {});

/// Everything that differs between the pair at an instant, in the order of the fields.
std::vector<ValueDifference> differences_at(const TablePair& pair, TimeUs time, double tolerance,
                                            const FieldFilter& filter = {});

/// Whether one element of two rows counts as equal.
bool equal_element(const TablePair::Field& field, std::size_t column, const std::byte* row_a,
                   const std::byte* row_b, double tolerance);

/// What there is to say about an element of two rows.
ValueDifference describe(const TablePair& pair, const TablePair::Field& field, std::size_t column,
                         const std::byte* row_a, const std::byte* row_b);

}  // namespace tactus
