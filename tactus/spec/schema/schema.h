// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A description of tables and keys whose values are bound to members of objects. One description
// reads, checks, prints and documents a spec; spec_keys.h makes it from the field lists.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/plant/battery.h"
#include "tactus/signal/component.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Infinity is a value only where it is the default or switches a tolerance off.
struct RealSlot {
  double* value;
  bool may_be_infinite = false;
};

/// An enum of one byte, values 0 … n − 1.
struct EnumSlot {
  unsigned char* value;
  std::span<const char* const> names;
};

/// Up to `capacity` elements.
template <class T>
struct ListSlot {
  T* data;
  int* count;
  int capacity;
};

/// A file: relative to the folder of the file in which it was written, else a shipped one. Who
/// reads the file finds it: find_named().
struct PathSlot {
  std::string* path;
};

using Slot = std::variant<RealSlot, bool*, std::int32_t*, std::uint32_t*, std::uint64_t*,
                          std::string*, DurationUs*, TimeUs*, Vec3*, Quat*, Mat3*, EnumSlot,
                          PathSlot, ListSlot<double>, ListSlot<Vec3>, ListSlot<RcPairParameters>>;

/// Of the size of a number, its sign aside, or the length of a vector; 0 is left to the model.
struct KeyRange {
  double smallest = 0.0;
  double largest = std::numeric_limits<double>::infinity();
  /// Also entries of a vector must not be smaller: those of directions and places may.
  bool entries = false;
};

struct SchemaKey {
  std::string name;
  std::string unit;
  std::string meaning;
  Slot slot;
  bool required = false;
  /// Of the keys of a table with the same group one may be given; it replaces an inherited other.
  std::string group = {};
  /// The keys after it in its table belong to its value: another value drops inherited ones.
  bool selects = false;
  KeyRange range = {};                    ///< key_ranges.h
  const char* fixed_in_flight = nullptr;  ///< why a branch cannot change it; null: it can
  Component owner = Component::kUnknown;  ///< kUnknown: that of its table
};

class VehicleType;
struct SchemaTable;

/// An array of tables, merged by `id`.
struct SchemaList {
  std::string name;
  std::string meaning;
  std::vector<SchemaTable> entries;
  int lowest = 0;
  int highest = 0;
  const VehicleType* only_for = nullptr;  ///< null: for every vehicle
  Component owner = Component::kUnknown;  ///< kUnknown: that of the table around it
};

struct SchemaTable {
  std::string name = {};
  std::string meaning = {};
  std::vector<SchemaKey> keys = {};
  std::vector<SchemaTable> tables = {};
  std::vector<SchemaList> lists = {};
  const VehicleType* only_for = nullptr;  ///< null: for every vehicle
  Component owner = Component::kUnknown;  ///< kUnknown: that of the table or list around it
  /// Only what was given is meaningful: no defaults are shown.
  bool sparse = false;
  /// Runs before the table is read, to take defaults from tables read earlier.
  std::function<void()> prepare = {};

  [[nodiscard]] const SchemaKey* key(std::string_view key_name) const;
  [[nodiscard]] const SchemaTable* table(std::string_view table_name) const;
  [[nodiscard]] const SchemaList* list(std::string_view list_name) const;
  /// By its dotted key, with ids of entries: "rotor.front_left.bus"; null: none.
  [[nodiscard]] const SchemaKey* find(std::string_view path) const;
  /// The part of a simulation that a key belongs to: what the key, or the innermost table or list
  /// around it says, whatever the ids of entries are; kUnknown: none says anything.
  [[nodiscard]] Component owner_of(std::string_view path) const;
  /// Of keys, tables and lists.
  [[nodiscard]] std::vector<std::string> names() const;
};

/// "body" + "mass_kg" = "body.mass_kg"
std::string join_key(std::string_view prefix, std::string_view name);
/// Takes the part before the first dot off `key`.
std::string_view take_part(std::string_view& key);

/// "real", "3 reals", "one of hold, linear" …
std::string type_text(const Slot& slot);
/// "a number, in kg": what a user must write.
std::string expected_text(const SchemaKey& key);
/// What the slot holds now, as TOML.
std::string value_text(const Slot& slot);
/// Stores the value. Throws Error that names position, key, value and what is allowed.
void read_value(const TomlNode& value, const std::string& key, const Slot& slot);
/// The same with the range of the key. `path` is its whole name.
void read_value(const TomlNode& value, const std::string& path, const SchemaKey& key);

/// Reads what `node` gives; everything in it must be known to the schema.
void read_table(const TomlNode& node, const std::string& path, const SchemaTable& table);

}  // namespace tactus
