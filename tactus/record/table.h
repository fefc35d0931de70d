// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a recording is made of: tables. A table has one time axis and, per row, a compact block of
// numbers, field after field; a field is one dataset of the file (one number or several of a kind:
// the components of a vector, one per rotor, one per pack).
//
// A RowPart says which numbers of an object (the bus, the plant's state) stand where in a row, and
// copies them over in either direction. Rows are canonical: equal values are equal bytes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// What a value means between two samples.
enum class Rule : std::uint8_t {
  kZeroOrderHold,  ///< stored on change; holds until the next change
  kSampleAndHold,  ///< stored at every tick of its axis; holds until the next one
  kLinear,         ///< the same, with a slope that is part of the signal
  kSampled,        ///< valid at its instants only
};

const char* to_text(Rule rule);
/// Throws Error(kBadInput).
Rule rule_from_text(std::string_view text);

enum class FieldKind : std::uint8_t { kReal, kBool, kU8, kI32, kU32, kU64, kText };

const char* to_text(FieldKind kind);
/// Bytes of one element; for text, of one character.
std::size_t size_of(FieldKind kind);

/// One dataset.
struct RowField {
  std::string path;  ///< "/outputs/truth/position_ned_m"
  std::string unit;
  std::string meaning;
  std::string frame;   ///< "NED", "body FRD" …; empty: none
  std::string labels;  ///< of its columns: "x,y,z", "0,1,2,3"; empty: a single number
  FieldKind kind = FieldKind::kReal;
  std::size_t width = 1;   ///< columns; for text, the longest length
  std::size_t offset = 0;  ///< of the first one in the row

  [[nodiscard]] std::size_t bytes() const { return width * size_of(kind); }
  bool operator==(const RowField&) const = default;
};

/// fields[0] is the time axis: the instant of each row, in microseconds, at offset 0.
struct TableLayout {
  std::string name;  ///< "autopilot", "faults", "log" …
  Rule rule = Rule::kSampled;
  DurationUs period;  ///< of its axis; 0: rows come when they come
  std::vector<RowField> fields;
  std::size_t row_size = 0;

  [[nodiscard]] const RowField* find(std::string_view path) const;
  bool operator==(const TableLayout&) const = default;
};

/// A table with nothing but its axis, "/time/NAME_us".
TableLayout make_table(std::string name, Rule rule, DurationUs period = {});

/// Numbers of one object and where they stand in the rows of a table.
class RowPart {
 public:
  void gather(const void* object, std::byte* row) const;
  void scatter(const std::byte* row, void* object) const;

 private:
  friend RowPart add_fields(TableLayout& table, std::string_view group,
                            std::span<const BusLeaf> leaves);
  friend RowPart find_fields(const TableLayout& table, std::string_view group,
                             std::span<const BusLeaf> leaves);
  struct Copy {
    std::size_t from;
    std::size_t to;
    std::size_t size;
    bool may_be_nan;  ///< a single real number
  };
  void add(const Copy& copy);
  std::vector<Copy> copies_;
};

/// Adds a field per quantity: "battery[1].voltage_v" becomes column "1" of GROUP/battery/voltage_v.
RowPart add_fields(TableLayout& table, std::string_view group, std::span<const BusLeaf> leaves);

/// The same for fields that are there already, as those of a file. Throws Error(kBadInput) that
/// names the first one that is missing or has another type.
RowPart find_fields(const TableLayout& table, std::string_view group,
                    std::span<const BusLeaf> leaves);

/// For what no leaf stands for; without unit, frame and labels.
RowField make_field(std::string path, FieldKind kind, std::string meaning, std::size_t width = 1);

/// A field of its own; returns its offset.
std::size_t add_field(TableLayout& table, RowField field);

/// The instant of a row.
TimeUs time_of(const std::byte* row);

/// Rows in memory.
struct Table {
  TableLayout layout;
  std::vector<std::byte> rows;

  [[nodiscard]] std::size_t size() const { return rows.size() / layout.row_size; }
  [[nodiscard]] std::span<const std::byte> row(std::size_t i) const {
    return {rows.data() + i * layout.row_size, layout.row_size};
  }
  [[nodiscard]] TimeUs time(std::size_t i) const;
  /// Position of the row at that instant.
  [[nodiscard]] std::optional<std::size_t> at(TimeUs time) const;
  /// Position of the last row at or before that instant.
  [[nodiscard]] std::optional<std::size_t> last_at(TimeUs time) const;
};

/// One element of a field in a row; integers and flags as doubles. Not for text.
double number(const RowField& field, std::size_t column, const std::byte* row);
std::uint64_t whole_number(const RowField& field, std::size_t column, const std::byte* row);
std::string text(const RowField& field, const std::byte* row);
/// As a person reads it: shortest text that reads back as the same value.
std::string value_text(const RowField& field, std::size_t column, const std::byte* row);
/// "truth.position_ned_m.z", "battery[1].voltage_v": the name of a leaf from its field and column.
std::string leaf_name(const RowField& field, std::size_t column);

/// Puts a text into a row, cut to the width of its field and filled up with zeros.
void put_text(const RowField& field, std::string_view text, std::byte* row);
template <class T>
void put(const RowField& field, std::size_t column, T value, std::byte* row) {
  TACTUS_ASSERT(sizeof value == size_of(field.kind) && column < field.width, "a number of the row");
  __builtin_memcpy(row + field.offset + column * sizeof value, &value, sizeof value);
}

/// The first element in which two rows of a layout differ.
struct RowDifference {
  std::size_t field = 0;
  std::size_t column = 0;
};
std::optional<RowDifference> first_difference(const TableLayout& layout, const std::byte* a,
                                              const std::byte* b);

}  // namespace tactus
