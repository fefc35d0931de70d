// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Tables of the schema from field lists: how a member of a struct becomes a key.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/time.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {

/// "restart_delay_us" is written in seconds, "restart_delay_s".
inline std::string in_seconds(std::string_view name) {
  constexpr std::string_view kSuffix = "_us";
  if (!name.ends_with(kSuffix)) return std::string(name);
  return std::string(name.substr(0, name.size() - kSuffix.size())) + "_s";
}

template <class E>
Slot enum_slot(E& value) {
  static_assert(sizeof(E) == 1, "EnumSlot holds one byte");
  return EnumSlot{reinterpret_cast<unsigned char*>(&value), kNames<E>};
}

inline Slot real_slot(double& value, std::string_view name = {}) {
  return RealSlot{&value, !math::is_finite(value) || name == "atol"};
}

/// Adds keys to a table; also the visitor of field lists.
class TableBuilder {
 public:
  explicit TableBuilder(SchemaTable& table) : table_(&table) {}

  SchemaKey& add(std::string name, std::string unit, Slot slot, std::string meaning) {
    table_->keys.push_back(
        {std::move(name), std::move(unit), std::move(meaning), slot, false, "", false, {}});
    return table_->keys.back();
  }

  template <MarkedField Mark>
  void operator()(const char* name, const char* unit, const Mark& mark, const char* meaning = "") {
    const std::size_t keys = table_->keys.size();
    (*this)(name, unit, *mark.member, meaning);
    if constexpr (kIsFixedInFlight<Mark>) {
      if (table_->keys.size() > keys) table_->keys.back().fixed_in_flight = mark.why;
    }
  }

  template <class T>
  void operator()(const char* name, const char* unit, T& member, const char* meaning = "") {
    if (std::find(skipped_.begin(), skipped_.end(), std::string_view(name)) != skipped_.end()) {
      return;
    }
    if constexpr (std::is_enum_v<T>) {
      add(name, "", enum_slot(member), meaning);
    } else if constexpr (std::same_as<T, DurationUs> || std::same_as<T, TimeUs>) {
      add(in_seconds(name), "s", &member, meaning);
    } else if constexpr (std::is_bounded_array_v<T>) {
      TACTUS_ASSERT(false, "a list needs a key of its own");
    } else if constexpr (HasFields<T>) {
      SchemaTable inner{.name = name, .meaning = meaning};
      T::visit_fields(member, TableBuilder(inner));
      table_->tables.push_back(std::move(inner));
    } else if constexpr (std::same_as<T, double>) {
      add(name, unit, real_slot(member, name), meaning);
    } else {
      add(name, unit, &member, meaning);
    }
  }

  /// All fields of the list but some.
  template <HasFields T>
  TableBuilder& fields(T& object, std::initializer_list<std::string_view> skipped = {}) {
    skipped_ = skipped;
    T::visit_fields(object, *this);
    skipped_.clear();
    return *this;
  }

 private:
  SchemaTable* table_;
  std::vector<std::string_view> skipped_;
};

template <HasFields T>
SchemaTable table_of(const char* name, const char* meaning, T& object,
                     std::initializer_list<std::string_view> skipped = {}) {
  SchemaTable table{.name = name, .meaning = meaning};
  TableBuilder(table).fields(object, skipped);
  return table;
}

inline SchemaTable owned_by(Component owner, SchemaTable table) {
  table.owner = owner;
  return table;
}

/// The array of tables of this name; null: there is none.
inline const TomlNode* array_at(const TomlNode& root, std::string_view name) {
  const TomlNode* node = root.find(name);
  return node != nullptr && node->is_array() ? node : nullptr;
}

inline std::size_t entry_count(const TomlNode* list) {
  return list == nullptr ? 0 : list->children.size();
}

/// A list whose entries are named after the ids in `node`; an id that is not given is "ID".
template <class MakeEntry>
SchemaList list_of(const char* name, const char* meaning, int lowest, int highest,
                   const TomlNode* node, std::size_t count, MakeEntry make_entry) {
  SchemaList list{
      .name = name, .meaning = meaning, .entries = {}, .lowest = lowest, .highest = highest};
  for (std::size_t i = 0; i < count; ++i) {
    SchemaTable entry = make_entry(i);
    const TomlNode* id =
        node != nullptr && i < node->children.size() ? node->children[i].find("id") : nullptr;
    entry.name = id != nullptr && id->is_string() ? id->text : "ID";
    list.entries.push_back(std::move(entry));
  }
  return list;
}

/// Names of the entries of a list.
inline std::vector<std::string> ids_of(const SchemaList& list) {
  std::vector<std::string> ids;
  for (const SchemaTable& entry : list.entries) ids.push_back(entry.name);
  return ids;
}

}  // namespace tactus
