// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_align.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/signal/schedule.h"

namespace tactus {
namespace {

constexpr char kNone[] = "(none)";
constexpr char kAxesPath[] = "/time/boundary_axes";
constexpr char kFoundPath[] = "/time/boundary_found";
constexpr TimeUs kNever{std::numeric_limits<std::uint64_t>::max()};

/// What may differ between two equal flights: numbers of rows, who asked for a boundary, the work
/// of the solver, what the user calls an event.
bool is_compared(const RowField& field) {
  if (field.path.starts_with("/time/")) {
    return field.path == kAxesPath || field.path == "/time/boundary_end";
  }
  return !field.path.starts_with("/log/solver/") && field.path != "/events/who";
}

/// Observing does not change a flight, so the log axis does not count.
std::uint64_t acting_axes(std::uint64_t axes) {
  return axes & ~(std::uint64_t{1} << static_cast<unsigned>(Axis::kLog));
}

std::string axes_text(std::uint64_t axes) {
  std::string text;
  for (int i = 1; i < kAxes; ++i) {
    if (((axes >> static_cast<unsigned>(i)) & 1U) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(to_text(static_cast<Axis>(i)));
  }
  return text.empty() ? "none" : text;
}

bool flag(const Table& table, const char* path, const std::byte* row) {
  const RowField* const field = table.layout.find(path);
  return field != nullptr && whole_number(*field, 0, row) != 0;
}

/// Who asked for a boundary.
std::string asked_by(const Table& table, const std::byte* row) {
  if (flag(table, kFoundPath, row)) return "found";
  if (flag(table, "/time/boundary_instant", row)) return "scheduled";
  if (flag(table, "/time/boundary_end", row)) return "end of the run";
  const RowField* const axes = table.layout.find(kAxesPath);
  return axes == nullptr ? "a boundary" : "tick of " + axes_text(whole_number(*axes, 0, row));
}

/// Rows of one instant.
struct Rows {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t count() const { return end - begin; }
};

Rows rows_from(const Table& table, std::size_t begin, TimeUs time) {
  Rows rows{begin, begin};
  while (rows.end < table.size() && table.time(rows.end) == time) ++rows.end;
  return rows;
}

Rows rows_at(const Table& table, TimeUs time) {
  const std::optional<std::size_t> last = table.at(time);
  if (!last) return {};
  std::size_t begin = *last;
  while (begin > 0 && table.time(begin - 1) == time) --begin;
  return {begin, *last + 1};
}

TimeUs time_or_never(const Table& table, std::size_t i) {
  return i < table.size() ? table.time(i) : kNever;
}

bool same_number(double a, double b, double tolerance) {
  if (canonical_bits(a) == canonical_bits(b)) return true;
  if (tolerance == 0.0 || !math::is_finite(a) || !math::is_finite(b)) return false;
  const double scale = math::max(1.0, math::max(math::abs(a), math::abs(b)));
  return math::abs(a - b) <= tolerance * scale;
}

bool same_rows(const TablePair& pair, const std::byte* row_a, const std::byte* row_b,
               double tolerance, const FieldFilter& filter) {
  if (pair.same_layout && std::memcmp(row_a, row_b, pair.a->layout.row_size) == 0) return true;
  for (const TablePair::Field& field : pair.fields) {
    if (filter && !filter(*field.a)) continue;
    for (std::size_t column = 0; column < field.a->width; ++column) {
      if (!equal_element(field, column, row_a, row_b, tolerance)) return false;
      if (field.a->kind == FieldKind::kText) break;
    }
  }
  return true;
}

/// The rows that stand for an instant: pairs of rows to compare, and whether there are unpaired
/// ones.
struct Matched {
  Rows a;
  Rows b;
  bool unpaired = false;
};

Matched match(const TablePair& pair, Rows a, Rows b) {
  if (pair.held) {
    // What stands now, whether it changed at this instant or before.
    const Rows now_a = a.end > 0 ? Rows{a.end - 1, a.end} : Rows{};
    const Rows now_b = b.end > 0 ? Rows{b.end - 1, b.end} : Rows{};
    return {now_a, now_b, now_a.count() != now_b.count()};
  }
  // Boundaries and events are there or not; of the log there may be more or less.
  const bool must_pair = pair.name() == "boundary" || pair.name() == "events";
  return {a, b, must_pair && a.count() != b.count()};
}

/// Who asks for certain fields does not ask for boundaries.
bool counts_unpaired(const TablePair& pair, const Matched& matched, const FieldFilter& filter) {
  return matched.unpaired && (pair.held || !filter);
}

bool same(const TablePair& pair, const Matched& matched, double tolerance,
          const FieldFilter& filter) {
  if (counts_unpaired(pair, matched, filter)) return false;
  const std::size_t count = std::min(matched.a.count(), matched.b.count());
  for (std::size_t i = 0; i < count; ++i) {
    if (!same_rows(pair, pair.a->row(matched.a.begin + i).data(),
                   pair.b->row(matched.b.begin + i).data(), tolerance, filter)) {
      return false;
    }
  }
  return true;
}

/// A row that only one of them has.
ValueDifference unpaired_row(const TablePair& pair, const Rows& a, const Rows& b) {
  const bool only_a = a.count() > b.count();
  const Table& table = only_a ? *pair.a : *pair.b;
  const Rows& rows = only_a ? a : b;
  const std::byte* const row = table.row(rows.begin + std::min(a.count(), b.count())).data();
  ValueDifference difference;
  difference.table = pair.name();
  difference.leaf = pair.name();
  std::string what_text = "a value";
  if (pair.name() == "boundary") {
    difference.leaf = "boundary.asked_by";
    what_text = asked_by(table, row);
  } else if (const RowField* const what = table.layout.find("/events/what"); what != nullptr) {
    what_text = text(*what, row);
  }
  difference.a = only_a ? what_text : kNone;
  difference.b = only_a ? kNone : what_text;
  return difference;
}

}  // namespace

bool equal_element(const TablePair::Field& field, std::size_t column, const std::byte* row_a,
                   const std::byte* row_b, double tolerance) {
  if (field.a->kind == FieldKind::kText) return text(*field.a, row_a) == text(*field.b, row_b);
  if (field.a->kind == FieldKind::kReal) {
    return same_number(number(*field.a, column, row_a), number(*field.b, column, row_b), tolerance);
  }
  const std::uint64_t a = whole_number(*field.a, column, row_a);
  const std::uint64_t b = whole_number(*field.b, column, row_b);
  return field.a->path == kAxesPath ? acting_axes(a) == acting_axes(b) : a == b;
}

ValueDifference describe(const TablePair& pair, const TablePair::Field& field, std::size_t column,
                         const std::byte* row_a, const std::byte* row_b) {
  ValueDifference out;
  out.table = pair.name();
  out.leaf = leaf_name(*field.a, column);
  out.unit = field.a->unit;
  out.a = value_text(*field.a, column, row_a);
  out.b = value_text(*field.b, column, row_b);
  out.is_real = field.a->kind == FieldKind::kReal;
  if (out.is_real) {
    out.ulps = ulp_distance(number(*field.a, column, row_a), number(*field.b, column, row_b));
  }
  if (field.a->path == kAxesPath) {
    out.leaf = "boundary.axes";
    out.a = axes_text(whole_number(*field.a, 0, row_a));
    out.b = axes_text(whole_number(*field.b, 0, row_b));
  } else if (field.a->path == "/time/boundary_end") {
    out.leaf = "boundary.end";
  } else if (pair.name() == "events") {
    out.leaf = "events." + out.leaf;
  }
  return out;
}

std::optional<TablePair> pair_of(const Recording& a, const Recording& b, std::string_view table) {
  TablePair pair;
  pair.a = a.find(table);
  pair.b = b.find(table);
  if (pair.a == nullptr || pair.b == nullptr) return std::nullopt;
  for (const RowField& field : pair.a->layout.fields) {
    const RowField* const other = pair.b->layout.find(field.path);
    const bool same_shape = other != nullptr && other->kind == field.kind &&
                            other->width == field.width && other->labels == field.labels;
    if (same_shape && is_compared(field)) pair.fields.push_back({&field, other});
  }
  pair.same_layout = pair.a->layout == pair.b->layout;
  const auto holds = [](const Table& t) { return t.layout.rule != Rule::kSampled; };
  pair.held = holds(*pair.a) && holds(*pair.b);
  return pair;
}

std::vector<TablePair> pairs_of(const Recording& a, const Recording& b) {
  std::vector<TablePair> pairs;
  for (const Table& table : a.tables) {
    const std::string& name = table.layout.name;
    if (name == "chain" || name == "rhs_trace") continue;
    if (const std::optional<TablePair> pair = pair_of(a, b, name)) pairs.push_back(*pair);
  }
  return pairs;
}

std::vector<TimeUs> found_by_one(const Recording& a, const Recording& b, TimeUs until) {
  std::vector<TimeUs> found;
  const Table& in_a = a.require("boundary");
  const Table& in_b = b.require("boundary");
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < in_a.size() || j < in_b.size()) {
    const TimeUs time_a = time_or_never(in_a, i);
    const TimeUs time_b = time_or_never(in_b, j);
    const TimeUs time = std::min(time_a, time_b);
    if (time > until) break;
    const bool in_a_first = time_a < time_b;
    const Table& earlier = in_a_first ? in_a : in_b;
    const std::byte* const row = earlier.row(in_a_first ? i : j).data();
    if (time_a != time_b && flag(earlier, kFoundPath, row)) found.push_back(time);
    if (time_a <= time_b) ++i;
    if (time_b <= time_a) ++j;
  }
  return found;
}

std::optional<TimeUs> first_differing_instant(const TablePair& pair, TimeUs until, double tolerance,
                                              const FieldFilter& filter) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < pair.a->size() || j < pair.b->size()) {
    const TimeUs time = std::min(time_or_never(*pair.a, i), time_or_never(*pair.b, j));
    if (time > until) break;
    const Rows a = rows_from(*pair.a, i, time);
    const Rows b = rows_from(*pair.b, j, time);
    const bool compared = !std::binary_search(pair.left_out.begin(), pair.left_out.end(), time);
    if (compared && !same(pair, match(pair, a, b), tolerance, filter)) return time;
    i = a.end;
    j = b.end;
  }
  return std::nullopt;
}

std::vector<ValueDifference> differences_at(const TablePair& pair, TimeUs time, double tolerance,
                                            const FieldFilter& filter) {
  Rows a = rows_at(*pair.a, time);
  Rows b = rows_at(*pair.b, time);
  if (pair.held) {
    const auto standing = [time](const Table& table) {
      const std::optional<std::size_t> last = table.last_at(time);
      return last ? Rows{*last, *last + 1} : Rows{};
    };
    a = standing(*pair.a);
    b = standing(*pair.b);
  }
  std::vector<ValueDifference> differences;
  const Matched matched = match(pair, a, b);
  if (counts_unpaired(pair, matched, filter)) differences.push_back(unpaired_row(pair, a, b));
  const std::size_t count = std::min(matched.a.count(), matched.b.count());
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const row_a = pair.a->row(matched.a.begin + i).data();
    const std::byte* const row_b = pair.b->row(matched.b.begin + i).data();
    for (const TablePair::Field& field : pair.fields) {
      if (filter && !filter(*field.a)) continue;
      const std::size_t columns = field.a->kind == FieldKind::kText ? 1 : field.a->width;
      for (std::size_t column = 0; column < columns; ++column) {
        if (equal_element(field, column, row_a, row_b, tolerance)) continue;
        differences.push_back(describe(pair, field, column, row_a, row_b));
      }
    }
  }
  return differences;
}

}  // namespace tactus
