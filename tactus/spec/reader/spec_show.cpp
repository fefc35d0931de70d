// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/schema/key_ranges.h"

namespace tactus {
namespace {

/// Of a group the given key is shown, or the first one if none is given.
bool is_shown(const SchemaKey& key, const SchemaTable& table, const TomlNode* node) {
  const auto given = [node](const SchemaKey& k) {
    return node != nullptr && node->find(k.name) != nullptr;
  };
  if (given(key)) return true;
  if (table.sparse) return false;
  if (key.group.empty()) return true;
  for (const SchemaKey& other : table.keys) {
    if (other.group == key.group && given(other)) return false;
  }
  const auto first = std::find_if(table.keys.begin(), table.keys.end(),
                                  [&](const SchemaKey& k) { return k.group == key.group; });
  return first->name == key.name;
}

/// Walks a bound schema beside the tree it was read from. Handlers get the TOML header of a table
/// ("[body]", "[[rotor]]") and each resolved key of it.
class Walk {
 public:
  std::function<void(const std::string& header)> on_table;
  std::function<void(const std::string& name, const ResolvedKey&)> on_key;
  const VehicleType* vehicle = nullptr;

  /// `toml_path` is the header of the table ("rotor.motor"), `path` the key ("rotor.a.motor").
  void table(const SchemaTable& schema, const TomlNode* node, const std::string& path,
             const std::string& toml_path) const {
    for (const SchemaKey& key : schema.keys) {
      if (!is_shown(key, schema, node)) continue;
      const TomlNode* value = node == nullptr ? nullptr : node->find(key.name);
      std::optional<TomlPosition> at;
      if (value != nullptr) at = value->at;
      on_key(key.name, {join_key(path, key.name), value_text(key.slot), at, key.unit});
    }
    for (const SchemaTable& inner : schema.tables) {
      const TomlNode* value = node == nullptr ? nullptr : node->find(inner.name);
      if (!is_for(inner.only_for, *vehicle) || (inner.sparse && value == nullptr)) continue;
      const std::string header = join_key(toml_path, inner.name);
      on_table(fmt::format("[{}]", header));
      table(inner, value, join_key(path, inner.name), header);
    }
    for (const SchemaList& list : schema.lists) {
      if (is_for(list.only_for, *vehicle)) {
        entries(list, node == nullptr ? nullptr : node->find(list.name), join_key(path, list.name),
                join_key(toml_path, list.name));
      }
    }
  }

 private:
  void entries(const SchemaList& list, const TomlNode* node, const std::string& path,
               const std::string& toml_path) const {
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
      const TomlNode& entry = node->children[i];
      const TomlNode& id = *entry.find("id");
      const std::string entry_path = join_key(path, id.text);
      on_table(fmt::format("[[{}]]", toml_path));
      on_key("id", {join_key(entry_path, "id"), to_toml(id.text), id.at, ""});
      table(list.entries[i], &entry, entry_path, toml_path);
    }
  }
};

/// Rows of the table of keys, one per key that begins with `prefix`.
struct KeyRows {
  std::string_view prefix;
  std::vector<std::string> keys;  ///< all, and their tables, for suggestions
  std::string text;

  void add(const std::string& key, const std::string& cells) {
    keys.push_back(key);
    const std::string table = key.substr(0, key.find('.'));
    if (std::find(keys.begin(), keys.end(), table) == keys.end()) keys.push_back(table);
    if (key.starts_with(prefix)) text += fmt::format("| `{}` | {} |\n", key, cells);
  }
};

std::string table_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

void append_keys(const SchemaTable& table, const std::string& path, KeyRows& rows) {
  for (const SchemaKey& key : table.keys) {
    const std::string fallback = key.required   ? "required"
                                 : table.sparse ? ""
                                                : value_text(key.slot);
    rows.add(join_key(path, key.name), fmt::format("{} | {} | {} | {} | {}", type_text(key.slot),
                                                   table_cell(key.unit), range_text(key.range),
                                                   fallback.empty() ? ""
                                                   : key.required   ? fallback
                                                                    : "`" + fallback + "`",
                                                   table_cell(key.meaning)));
  }
  for (const SchemaTable& inner : table.tables) {
    append_keys(inner, join_key(path, inner.name), rows);
  }
  for (const SchemaList& list : table.lists) {
    const std::string entry = join_key(path, list.name) + ".ID";
    rows.add(entry + ".id",
             fmt::format("string |  |  | required | {}: entries are merged by it", list.meaning));
    append_keys(list.entries.front(), entry, rows);
  }
}

}  // namespace

bool is_for(const VehicleType* only_for, const VehicleType& vehicle) {
  return only_for == nullptr || only_for == &vehicle;
}

Provenance make_provenance(const TomlNode& root, const SchemaTable& schema,
                           const VehicleType& vehicle) {
  Provenance provenance;
  Walk walk;
  walk.vehicle = &vehicle;
  walk.on_table = [](const std::string&) {};
  walk.on_key = [&](const std::string&, const ResolvedKey& key) { provenance.push_back(key); };
  walk.table(schema, &root, "", "");
  return provenance;
}

std::string resolved_text(const TomlNode& root, const SchemaTable& schema,
                          const VehicleType& vehicle) {
  std::string out;
  Walk walk;
  walk.vehicle = &vehicle;
  walk.on_table = [&](const std::string& header) { out += "\n" + header + "\n"; };
  walk.on_key = [&](const std::string& name, const ResolvedKey& key) {
    out += fmt::format("{} = {}  # {}\n", name, key.value, key.origin());
  };
  walk.table(schema, &root, "", "");
  return out;
}

std::string keys_text(std::string_view prefix) {
  SpecDraft draft = SpecDraft::sample();
  KeyRows rows{prefix, {}, {}};
  rows.add("extends", "path or array of paths |  |  |  | specs that this one builds on");
  append_keys(make_schema(draft), "", rows);
  if (rows.text.empty()) {
    throw Error(ExitCode::kBadInput,
                did_you_mean(fmt::format("no key begins with \"{}\"", shortened(prefix)), prefix,
                             rows.keys));
  }
  return "| key | type | unit | size | default | meaning |\n|---|---|---|---|---|---|\n" +
         rows.text;
}

}  // namespace tactus
