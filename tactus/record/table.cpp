// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"

namespace tactus {
namespace {

constexpr const char* kRules[] = {"zero_order_hold", "sample_and_hold", "linear", "sampled"};
constexpr const char* kKinds[] = {"real", "bool", "u8", "i32", "u32", "u64", "text"};

FieldKind kind_of(BusLeaf::Kind kind) {
  switch (kind) {
    case BusLeaf::Kind::kReal: return FieldKind::kReal;
    case BusLeaf::Kind::kBool: return FieldKind::kBool;
    case BusLeaf::Kind::kU8: return FieldKind::kU8;
    case BusLeaf::Kind::kI32: return FieldKind::kI32;
    case BusLeaf::Kind::kU32: return FieldKind::kU32;
    case BusLeaf::Kind::kU64: return FieldKind::kU64;
  }
  return FieldKind::kReal;
}

/// A leaf's name as path of its field and label of its column.
struct SplitName {
  std::string path;
  std::string label;
};

SplitName split(std::string_view group, const std::string& name) {
  SplitName out{std::string(group) + "/", ""};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '[') {
      const std::size_t end = name.find(']', i);
      out.label += (out.label.empty() ? "" : ".") + name.substr(i + 1, end - i - 1);
      i = end;
    } else if (c == '.' && i + 2 == name.size()) {
      out.label += (out.label.empty() ? "" : ".") + name.substr(i + 1);
      break;
    } else {
      out.path += c == '.' ? '/' : c;
    }
  }
  return out;
}

std::string frame_of(const std::string& path) {
  if (path.find("_ned") != std::string::npos) return "NED";
  if (path.find("_body") != std::string::npos) return "body FRD";
  if (path.ends_with("/attitude") || path.ends_with("attitude_setpoint") ||
      path.ends_with("attitude_wxyz")) {
    return "quaternion w,x,y,z from body FRD to NED";
  }
  return "";
}

RowField* find_field(TableLayout& table, std::string_view path) {
  const auto found = std::find_if(table.fields.begin(), table.fields.end(),
                                  [path](const RowField& field) { return field.path == path; });
  return found == table.fields.end() ? nullptr : &*found;
}

std::vector<std::string> labels_of(const RowField& field) {
  std::vector<std::string> labels{""};
  for (const char c : field.labels) {
    if (c == ',') {
      labels.emplace_back();
    } else {
      labels.back() += c;
    }
  }
  return labels;
}

/// Arrays of structs on the bus, as names without an index begin: "battery.", "faults.pack.".
const std::vector<std::string>& struct_arrays() {
  static const std::vector<std::string> arrays = [] {
    std::vector<std::string> found;
    const Bus bus;
    for_each_leaf(bus, [&](const LeafPath& path, const auto&) {
      const std::string name = path.text();
      const std::size_t close = name.find("].");
      if (close == std::string::npos) return;
      const std::string array = name.substr(0, name.find('[')) + ".";
      if (found.empty() || found.back() != array) found.push_back(array);
    });
    return found;
  }();
  return arrays;
}

/// Whether a name without its index is a member of an array of structs.
bool is_of_struct(std::string_view name) {
  const std::vector<std::string>& arrays = struct_arrays();
  return std::any_of(arrays.begin(), arrays.end(),
                     [name](const std::string& array) { return name.starts_with(array); });
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

const char* to_text(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

Rule rule_from_text(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kRules); ++i) {
    if (text == kRules[i]) return static_cast<Rule>(i);
  }
  throw Error(ExitCode::kBadInput, fmt::format("there is no interpolation rule \"{}\"", text));
}

const char* to_text(FieldKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::size_t size_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kReal:
    case FieldKind::kU64: return 8;
    case FieldKind::kI32:
    case FieldKind::kU32: return 4;
    case FieldKind::kBool:
    case FieldKind::kU8:
    case FieldKind::kText: return 1;
  }
  return 0;
}

const RowField* TableLayout::find(std::string_view path) const {
  return find_field(const_cast<TableLayout&>(*this), path);
}

TableLayout make_table(std::string name, Rule rule, DurationUs period) {
  TableLayout table;
  table.rule = rule;
  table.period = period;
  RowField axis;
  axis.path = fmt::format("/time/{}_us", name);
  axis.unit = "us";
  axis.meaning = "instant of each row";
  axis.kind = FieldKind::kU64;
  table.name = std::move(name);
  add_field(table, std::move(axis));
  return table;
}

RowField make_field(std::string path, FieldKind kind, std::string meaning, std::size_t width) {
  RowField field;
  field.path = std::move(path);
  field.kind = kind;
  field.meaning = std::move(meaning);
  field.width = width;
  return field;
}

std::size_t add_field(TableLayout& table, RowField field) {
  TACTUS_ASSERT(table.find(field.path) == nullptr, "every field has its own path");
  field.offset = table.row_size;
  table.row_size += field.bytes();
  table.fields.push_back(std::move(field));
  return table.fields.back().offset;
}

void RowPart::add(const Copy& copy) {
  if (!copies_.empty()) {
    Copy& last = copies_.back();
    if (!copy.may_be_nan && !last.may_be_nan && last.from + last.size == copy.from &&
        last.to + last.size == copy.to) {
      last.size += copy.size;
      return;
    }
  }
  copies_.push_back(copy);
}

void RowPart::gather(const void* object, std::byte* row) const {
  const auto* const from = static_cast<const std::byte*>(object);
  for (const Copy& copy : copies_) {
    if (copy.may_be_nan) {
      const std::uint64_t bits = canonical_bits(load<double>(from + copy.from));
      std::memcpy(row + copy.to, &bits, sizeof bits);
    } else {
      std::memcpy(row + copy.to, from + copy.from, copy.size);
    }
  }
}

void RowPart::scatter(const std::byte* row, void* object) const {
  auto* const to = static_cast<std::byte*>(object);
  for (const Copy& copy : copies_) std::memcpy(to + copy.from, row + copy.to, copy.size);
}

RowPart add_fields(TableLayout& table, std::string_view group, std::span<const BusLeaf> leaves) {
  const std::size_t first = table.fields.size();
  for (const BusLeaf& leaf : leaves) {
    const SplitName name = split(group, leaf.name);
    if (RowField* field = find_field(table, name.path); field != nullptr) {
      field->labels += "," + name.label;
      ++field->width;
      continue;
    }
    RowField field;
    field.path = name.path;
    field.unit = leaf.unit;
    field.meaning = leaf.meaning;
    field.frame = frame_of(name.path);
    field.labels = name.label;
    field.kind = kind_of(leaf.kind);
    table.fields.push_back(std::move(field));
  }
  for (std::size_t i = first; i < table.fields.size(); ++i) {
    table.fields[i].offset = table.row_size;
    table.row_size += table.fields[i].bytes();
  }
  return find_fields(table, group, leaves);
}

RowPart find_fields(const TableLayout& table, std::string_view group,
                    std::span<const BusLeaf> leaves) {
  RowPart part;
  for (const BusLeaf& leaf : leaves) {
    const SplitName name = split(group, leaf.name);
    const RowField* const field = table.find(name.path);
    const auto refuse = [&](const char* why) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("the recording does not fit this program: {} {}", name.path, why));
    };
    if (field == nullptr) refuse("is missing");
    if (field->kind != kind_of(leaf.kind) || field->unit != leaf.unit) {
      refuse("has another type or unit");
    }
    const std::vector<std::string> labels = labels_of(*field);
    const auto label = std::find(labels.begin(), labels.end(), name.label);
    if (label == labels.end() || labels.size() != field->width) refuse("has other columns");
    const auto column = static_cast<std::size_t>(label - labels.begin());
    const std::size_t size = size_of(leaf.kind);
    part.add({leaf.offset, field->offset + column * size, size, leaf.may_be_nan()});
  }
  return part;
}

TimeUs time_of(const std::byte* row) { return TimeUs(load<std::uint64_t>(row)); }

TimeUs Table::time(std::size_t i) const { return time_of(row(i).data()); }

std::optional<std::size_t> Table::last_at(TimeUs when) const {
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (time(middle) <= when) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return std::nullopt;
  return low - 1;
}

std::optional<std::size_t> Table::at(TimeUs when) const {
  const std::optional<std::size_t> last = last_at(when);
  return last && time(*last) == when ? last : std::nullopt;
}

double number(const RowField& field, std::size_t column, const std::byte* row) {
  const std::byte* const from = row + field.offset + column * size_of(field.kind);
  switch (field.kind) {
    case FieldKind::kReal: return load<double>(from);
    case FieldKind::kI32: return load<std::int32_t>(from);
    default: return static_cast<double>(whole_number(field, column, row));
  }
}

std::uint64_t whole_number(const RowField& field, std::size_t column, const std::byte* row) {
  const std::byte* const from = row + field.offset + column * size_of(field.kind);
  switch (field.kind) {
    case FieldKind::kReal:  // its bits
    case FieldKind::kU64: return load<std::uint64_t>(from);
    case FieldKind::kI32: return canonical_bits(load<std::int32_t>(from));
    case FieldKind::kU32: return load<std::uint32_t>(from);
    case FieldKind::kBool:
    case FieldKind::kU8:
    case FieldKind::kText: return load<std::uint8_t>(from);
  }
  return 0;
}

std::string text(const RowField& field, const std::byte* row) {
  std::string out(field.width, '\0');
  std::memcpy(out.data(), row + field.offset, field.width);
  out.resize(std::strlen(out.c_str()));
  return out;
}

std::string value_text(const RowField& field, std::size_t column, const std::byte* row) {
  if (field.kind == FieldKind::kText) return text(field, row);
  if (field.kind == FieldKind::kReal) return to_text(LeafRecord::of(number(field, column, row)));
  const std::uint64_t value = whole_number(field, column, row);
  return field.kind == FieldKind::kI32 ? std::to_string(static_cast<std::int64_t>(value))
                                       : std::to_string(value);
}

std::string leaf_name(const RowField& field, std::size_t column) {
  const std::size_t group = field.path.find('/', 1);
  std::string name =
      group == std::string::npos ? field.path.substr(1) : field.path.substr(group + 1);
  std::replace(name.begin(), name.end(), '/', '.');
  if (field.labels.empty() || field.kind == FieldKind::kText) return name;
  const std::string label = labels_of(field)[column];
  const bool is_index = !label.empty() && label[0] >= '0' && label[0] <= '9';
  if (!is_index) return name + "." + label;
  // "0.x": an index and a component.
  const std::size_t split = std::min(label.find('.'), label.size());
  const std::string index = fmt::format("[{}]", label.substr(0, split));
  const std::string component = label.substr(split);
  // An array of structs carries its index on the struct: battery[1].voltage_v.
  const std::size_t dot = is_of_struct(name) ? name.rfind('.') : name.size();
  return name.substr(0, dot) + index + name.substr(dot) + component;
}

void put_text(const RowField& field, std::string_view text, std::byte* row) {
  const std::size_t size = std::min(text.size(), field.width);
  std::memset(row + field.offset, 0, field.width);
  std::memcpy(row + field.offset, text.data(), size);
}

std::optional<RowDifference> first_difference(const TableLayout& layout, const std::byte* a,
                                              const std::byte* b) {
  if (std::memcmp(a, b, layout.row_size) == 0) return std::nullopt;
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const RowField& field = layout.fields[i];
    const std::size_t size = size_of(field.kind);
    for (std::size_t column = 0; column < field.width; ++column) {
      const std::size_t at = field.offset + column * size;
      if (std::memcmp(a + at, b + at, size) != 0) return RowDifference{i, column};
    }
  }
  return std::nullopt;
}

}  // namespace tactus
