// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/spec/schema/key_ranges.h"

namespace tactus {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

template <class T>
const auto* item_named(const std::vector<T>& items, std::string_view name) {
  const auto it =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return it == items.end() ? nullptr : &*it;
}

[[noreturn]] void refuse_type(const TomlNode& value, const std::string& key,
                              const std::string& expected) {
  refuse_value(value, key, fmt::format("is {}, must be {}", to_text(value.kind), expected));
}

double read_real(const TomlNode& value, const std::string& key) {
  double real = value.real;
  if (value.kind == TomlNode::Kind::kInteger) {
    // Every integer up to 2^53 is a double; a larger one would silently become another number.
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    if (value.integer > kExact || value.integer < -kExact) {
      refuse_value(value, key, "too large for a whole number; write it as a real (1e20)");
    }
    real = static_cast<double>(value.integer);
  } else if (value.kind != TomlNode::Kind::kReal) {
    refuse_type(value, key, "a number");
  }
  if (math::is_nan(real)) refuse_value(value, key, "must be a number");
  return real;
}

double read_finite(const TomlNode& value, const std::string& key) {
  const double real = read_real(value, key);
  if (!math::is_finite(real)) refuse_value(value, key, "must be a finite number");
  return real;
}

/// An integer of TOML has a sign and 64 bits.
template <class T>
constexpr std::uint64_t highest_integer() {
  constexpr std::uint64_t kOfToml = std::numeric_limits<std::int64_t>::max();
  return std::min<std::uint64_t>(kOfToml, std::numeric_limits<T>::max());
}

template <class T>
T read_integer(const TomlNode& value, const std::string& key) {
  if (value.kind != TomlNode::Kind::kInteger) refuse_type(value, key, "an integer");
  constexpr auto kLowest = std::numeric_limits<T>::min();
  constexpr auto kHighest = highest_integer<T>();
  if (!std::in_range<T>(value.integer)) {
    refuse_value(value, key, fmt::format("must lie between {} and {}", kLowest, kHighest));
  }
  return static_cast<T>(value.integer);
}

const std::string& read_string(const TomlNode& value, const std::string& key) {
  constexpr std::size_t kMostBytes = 4096;  // as a path: longer texts are slow in every report
  if (!value.is_string()) refuse_type(value, key, "a string");
  if (value.text.size() > kMostBytes) {
    refuse_value(value, key,
                 fmt::format("a text has {} bytes at most, not {}", kMostBytes, value.text.size()));
  }
  return value.text;
}

DurationUs read_duration(const TomlNode& value, const std::string& key) {
  const double seconds = read_finite(value, key);
  try {
    return duration_from_seconds(seconds, key);
  } catch (const Error& error) {
    throw PlacedError(error.code(), value.at, *error.subject());
  }
}

void require_length(const TomlNode& value, const std::string& key, std::size_t lowest,
                    std::size_t highest, const char* of_what) {
  if (!value.is_array()) refuse_type(value, key, fmt::format("an array of {}", of_what));
  if (value.children.size() >= lowest && value.children.size() <= highest) return;
  const std::string allowed =
      lowest == highest ? fmt::format("{}", lowest) : fmt::format("{} to {}", lowest, highest);
  refuse_value(
      value, key,
      fmt::format("has {} elements, must have {} {}", value.children.size(), allowed, of_what));
}

Vec3 read_vector(const TomlNode& value, const std::string& key) {
  require_length(value, key, 3, 3, "numbers");
  return {read_finite(value.children[0], key), read_finite(value.children[1], key),
          read_finite(value.children[2], key)};
}

Quat read_quaternion(const TomlNode& value, const std::string& key) {
  require_length(value, key, 4, 4, "numbers (w, x, y, z)");
  return {read_finite(value.children[0], key), read_finite(value.children[1], key),
          read_finite(value.children[2], key), read_finite(value.children[3], key)};
}

Mat3 read_matrix(const TomlNode& value, const std::string& key) {
  require_length(value, key, 3, 3, "rows");
  Mat3 matrix;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 row = read_vector(value.children[i], key);
    matrix.m[i][0] = row.x;
    matrix.m[i][1] = row.y;
    matrix.m[i][2] = row.z;
  }
  return matrix;
}

/// Which of the numbers in a slot lie in a range.
class RangeCheck {
 public:
  explicit RangeCheck(const KeyRange& range) : range_(range) {}

  /// Infinity is checked where a value is read.
  void number(double value) {
    entry(value);
    holds_ = holds_ && (value == 0.0 || math::abs(value) >= range_.smallest);
  }
  /// A direction that was computed with sines has entries of 1e-17.
  void entry(double value) {
    holds_ = holds_ && (!math::is_finite(value) || math::abs(value) <= range_.largest);
  }
  void vector(const Vec3& v) {
    for (const double value : {v.x, v.y, v.z}) range_.entries ? number(value) : entry(value);
    entry(norm(v));
  }
  void matrix(const Mat3& matrix) {
    for (int i = 0; i < 3; ++i) {
      vector({matrix.m[i][0], matrix.m[i][1], matrix.m[i][2]});
      number(matrix.m[i][i]);
    }
  }
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  KeyRange range_;
  bool holds_ = true;
};

bool is_in_range(const Slot& slot, const KeyRange& range) {
  RangeCheck check(range);
  std::visit(Overloaded{[&](const RealSlot& r) { check.number(*r.value); },
                        [&](Vec3* v) { check.vector(*v); }, [&](Mat3* m) { check.matrix(*m); },
                        [&](DurationUs* t) { check.number(to_seconds(*t)); },
                        [&](TimeUs* t) { check.number(to_seconds(*t)); },
                        [&](std::int32_t* n) { check.number(*n); },
                        [&](std::uint32_t* n) { check.number(*n); },
                        [&](std::uint64_t* n) { check.number(static_cast<double>(*n)); },
                        [&](const ListSlot<double>& l) {
                          for (int i = 0; i < *l.count; ++i) check.number(l.data[i]);
                        },
                        [&](const ListSlot<Vec3>& l) {
                          for (int i = 0; i < *l.count; ++i) check.vector(l.data[i]);
                        },
                        [](const auto&) {}},  // no numbers, or with ranges of their own
             slot);
  return check.holds();
}

void require_in_range(const TomlNode& value, const std::string& key, const Slot& slot,
                      const KeyRange& range, std::string_view unit) {
  if (is_in_range(slot, range)) return;
  refuse_value(value, key,
               fmt::format("out of range; its size must be from {}{}{}", range_text(range),
                           unit.empty() || unit == "1" ? "" : " ", unit == "1" ? "" : unit));
}

RcPairParameters read_rc_pair(const TomlNode& value, const std::string& key) {
  if (!value.is_table()) refuse_type(value, key, "a table {r_ohm, c_farad}");
  RcPairParameters pair;
  for (const TomlNode& child : value.children) {
    bool known = false;
    RcPairParameters::visit_fields(
        pair, [&](const char* name, const char* unit, double& member, const char*) {
          if (child.key != name) return;
          const std::string path = join_key(key, name);
          member = read_finite(child, path);
          require_in_range(child, path, RealSlot{&member}, range_of_unit(unit), unit);
          known = true;
        });
    if (!known) refuse_value(child, join_key(key, child.key), "unknown key; r_ohm or c_farad");
  }
  return pair;
}

template <class T, class Read>
void read_list(const TomlNode& value, const std::string& key, const ListSlot<T>& slot,
               const char* of_what, Read read) {
  const auto capacity = static_cast<std::size_t>(slot.capacity);
  require_length(value, key, 0, capacity, of_what);
  for (std::size_t i = 0; i < value.children.size(); ++i) {
    slot.data[i] = read(value.children[i], key);
  }
  *slot.count = static_cast<int>(value.children.size());
}

void read_enum(const TomlNode& value, const std::string& key, const EnumSlot& slot) {
  const std::string& text = read_string(value, key);
  for (std::size_t i = 0; i < slot.names.size(); ++i) {
    if (text != slot.names[i]) continue;
    *slot.value = static_cast<unsigned char>(i);
    return;
  }
  const std::vector<std::string> names(slot.names.begin(), slot.names.end());
  const std::vector<std::string> near = near_texts(text, names);
  refuse_value(value, key,
               fmt::format("must be one of {}{}", fmt::join(names, ", "),
                           near.empty() ? "" : "; did you mean " + near.front() + "?"));
}

std::string whole_text(std::uint64_t highest) {
  return fmt::format("integer from 0 to {}", highest);
}

std::string vector_text(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", to_toml(v.x), to_toml(v.y), to_toml(v.z));
}

std::string element_text(double value) { return to_toml(value); }
std::string element_text(const Vec3& value) { return vector_text(value); }
std::string element_text(const RcPairParameters& pair) {
  return fmt::format("{{r_ohm = {}, c_farad = {}}}", to_toml(pair.r_ohm), to_toml(pair.c_farad));
}

/// The double nearest to the exact quotient: shortest text, and it reads back as the same count.
std::string seconds_text(std::uint64_t us) { return to_toml(static_cast<double>(us) / 1e6); }

}  // namespace

const SchemaKey* SchemaTable::key(std::string_view key_name) const {
  return item_named(keys, key_name);
}
const SchemaTable* SchemaTable::table(std::string_view table_name) const {
  return item_named(tables, table_name);
}
const SchemaList* SchemaTable::list(std::string_view list_name) const {
  return item_named(lists, list_name);
}

const SchemaKey* SchemaTable::find(std::string_view path) const {
  const std::string_view part = take_part(path);
  if (path.empty()) return key(part);
  const SchemaTable* inner = table(part);
  if (const SchemaList* const known = list(part)) {
    inner = item_named(known->entries, take_part(path));
  }
  return inner == nullptr ? nullptr : inner->find(path);
}

Component SchemaTable::owner_of(std::string_view path) const {
  const auto inner_or = [](Component inner, Component outer) {
    return inner == Component::kUnknown ? outer : inner;
  };
  const std::string_view part = take_part(path);
  if (const SchemaKey* const known = key(part)) return inner_or(known->owner, owner);
  if (const SchemaTable* const inner = table(part)) return inner_or(inner->owner_of(path), owner);
  const SchemaList* const known = list(part);
  if (known == nullptr) return owner;
  take_part(path);  // the id: all entries of a list are alike
  const Component inner =
      known->entries.empty() ? Component::kUnknown : known->entries.front().owner_of(path);
  return inner_or(inner_or(inner, known->owner), owner);
}

std::vector<std::string> SchemaTable::names() const {
  std::vector<std::string> all;
  for (const SchemaKey& k : keys) all.push_back(k.name);
  for (const SchemaTable& t : tables) all.push_back(t.name);
  for (const SchemaList& l : lists) all.push_back(l.name);
  return all;
}

std::string_view take_part(std::string_view& key) {
  const std::size_t dot = key.find('.');
  const std::string_view part = key.substr(0, dot);
  key = dot == std::string_view::npos ? std::string_view() : key.substr(dot + 1);
  return part;
}

std::string join_key(std::string_view prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

std::string type_text(const Slot& slot) {
  return std::visit(
      Overloaded{
          [](const RealSlot&) -> std::string { return "real"; },
          [](bool*) -> std::string { return "boolean"; },
          [](std::int32_t*) -> std::string { return "integer"; },
          [](std::uint32_t*) { return whole_text(highest_integer<std::uint32_t>()); },
          [](std::uint64_t*) { return whole_text(highest_integer<std::uint64_t>()); },
          [](std::string*) -> std::string { return "string"; },
          [](DurationUs*) -> std::string { return "seconds"; },
          [](TimeUs*) -> std::string { return "seconds"; },
          [](Vec3*) -> std::string { return "3 reals"; },
          [](Quat*) -> std::string { return "4 reals"; },
          [](Mat3*) -> std::string { return "3 rows of 3 reals"; },
          [](const EnumSlot& e) { return fmt::format("one of {}", fmt::join(e.names, ", ")); },
          [](const PathSlot&) -> std::string { return "path"; },
          [](const ListSlot<double>& l) { return fmt::format("up to {} reals", l.capacity); },
          [](const ListSlot<Vec3>& l) { return fmt::format("up to {} x 3 reals", l.capacity); },
          [](const ListSlot<RcPairParameters>& l) {
            return fmt::format("up to {} tables {{r_ohm, c_farad}}", l.capacity);
          }},
      slot);
}

std::string expected_text(const SchemaKey& key) {
  const std::string what =
      std::visit(Overloaded{[](const RealSlot&) -> std::string { return "a number"; },
                            [](bool*) -> std::string { return "true or false"; },
                            [](DurationUs*) -> std::string { return "a number"; },
                            [](TimeUs*) -> std::string { return "a number"; },
                            [&](const auto&) { return type_text(key.slot); }},
                 key.slot);
  return key.unit.empty() || key.unit == "1" ? what : fmt::format("{}, in {}", what, key.unit);
}

std::string value_text(const Slot& slot) {
  return std::visit(
      Overloaded{[](const RealSlot& r) { return to_toml(*r.value); },
                 [](bool* v) -> std::string { return *v ? "true" : "false"; },
                 [](std::string* v) { return to_toml(*v); },
                 [](DurationUs* v) { return seconds_text(v->us); },
                 [](TimeUs* v) { return seconds_text(v->us); },
                 [](Vec3* v) { return vector_text(*v); },
                 [](Quat* v) {
                   return fmt::format("[{}, {}, {}, {}]", to_toml(v->w), to_toml(v->x),
                                      to_toml(v->y), to_toml(v->z));
                 },
                 [](Mat3* v) {
                   const auto row = [v](int i) {
                     return vector_text({v->m[i][0], v->m[i][1], v->m[i][2]});
                   };
                   return fmt::format("[{}, {}, {}]", row(0), row(1), row(2));
                 },
                 [](const EnumSlot& e) { return to_toml(std::string_view(e.names[*e.value])); },
                 [](const PathSlot& p) { return to_toml(*p.path); },
                 []<class T>(const ListSlot<T>& l) {
                   std::vector<std::string> parts;
                   parts.reserve(static_cast<std::size_t>(*l.count));
                   for (int i = 0; i < *l.count; ++i) parts.push_back(element_text(l.data[i]));
                   return fmt::format("[{}]", fmt::join(parts, ", "));
                 },
                 [](auto* integer) { return fmt::format("{}", *integer); }},
      slot);
}

void read_value(const TomlNode& value, const std::string& key, const Slot& slot) {
  std::visit(
      Overloaded{
          [&](const RealSlot& r) {
            *r.value = r.may_be_infinite ? read_real(value, key) : read_finite(value, key);
          },
          [&](bool* v) {
            if (value.kind != TomlNode::Kind::kBoolean) refuse_type(value, key, "true or false");
            *v = value.boolean;
          },
          [&](std::string* v) { *v = read_string(value, key); },
          [&](DurationUs* v) { *v = read_duration(value, key); },
          [&](TimeUs* v) { *v = TimeUs(read_duration(value, key).us); },
          [&](Vec3* v) { *v = read_vector(value, key); },
          [&](Quat* v) { *v = read_quaternion(value, key); },
          [&](Mat3* v) { *v = read_matrix(value, key); },
          [&](const EnumSlot& e) { read_enum(value, key, e); },
          [&](const PathSlot& p) { *p.path = read_string(value, key); },
          [&](const ListSlot<double>& l) { read_list(value, key, l, "numbers", read_finite); },
          [&](const ListSlot<Vec3>& l) { read_list(value, key, l, "[x, y, z]", read_vector); },
          [&](const ListSlot<RcPairParameters>& l) {
            read_list(value, key, l, "{r_ohm, c_farad}", read_rc_pair);
          },
          [&](auto* integer) {
            *integer = read_integer<std::remove_pointer_t<decltype(integer)>>(value, key);
          }},
      slot);
}

void read_value(const TomlNode& value, const std::string& path, const SchemaKey& key) {
  read_value(value, path, key.slot);
  require_in_range(value, path, key.slot, key.range, key.unit);
}

void read_table(const TomlNode& node, const std::string& path, const SchemaTable& table) {
  if (table.prepare) table.prepare();
  for (const SchemaKey& key : table.keys) {
    if (const TomlNode* value = node.find(key.name)) {
      read_value(*value, join_key(path, key.name), key);
    }
  }
  const TomlNode nothing;
  for (const SchemaTable& inner : table.tables) {
    const TomlNode* value = node.find(inner.name);
    read_table(value == nullptr ? nothing : *value, join_key(path, inner.name), inner);
  }
  for (const SchemaList& list : table.lists) {
    const TomlNode* value = node.find(list.name);
    for (std::size_t i = 0; value != nullptr && i < value->children.size(); ++i) {
      const std::string entry = join_key(join_key(path, list.name), list.entries[i].name);
      read_table(value->children[i], entry, list.entries[i]);
    }
  }
}

}  // namespace tactus
