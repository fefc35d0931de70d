// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/spec/reader/spec_file_check.h"
#include "tactus/spec/reader/spec_inheritance.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/schema/spec_files.h"

namespace tactus {
namespace {

bool removes(const TomlNode& entry) {
  const TomlNode* remove = entry.find("remove");
  return remove != nullptr && remove->boolean;
}

const std::string& id_of(const TomlNode& entry) { return entry.find("id")->text; }

TomlNode* find_entry(TomlNode& list, const std::string& id) {
  const auto it = std::find_if(list.children.begin(), list.children.end(),
                               [&](const TomlNode& entry) { return id_of(entry) == id; });
  return it == list.children.end() ? nullptr : &*it;
}

void merge_table(TomlNode& base, const TomlNode& over, const std::string& path,
                 const SchemaTable& schema);

/// Drops what the new value of `key` contradicts.
void drop_replaced(TomlNode& base, const TomlNode& value, const SchemaKey& key,
                   const SchemaTable& schema) {
  for (const SchemaKey& other : schema.keys) {
    if (!key.group.empty() && other.group == key.group && other.name != key.name) {
      base.erase(other.name);
    }
  }
  const TomlNode* old = base.find(key.name);
  if (!key.selects || old == nullptr || old->text == value.text) return;
  const auto at = std::find_if(schema.keys.begin(), schema.keys.end(),
                               [&](const SchemaKey& k) { return k.name == key.name; });
  std::for_each(at + 1, schema.keys.end(), [&](const SchemaKey& k) { base.erase(k.name); });
}

void replace(TomlNode& base, const TomlNode& value) {
  if (TomlNode* old = base.find(value.key)) {
    *old = value;
  } else {
    base.children.push_back(value);
  }
}

void merge_entries(TomlNode& base, const TomlNode& over, const std::string& path,
                   const SchemaList& list) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.children.size(); ++i) index[id_of(base.children[i])] = i;
  std::vector<bool> removed(base.children.size() + over.children.size());
  for (const TomlNode& entry : over.children) {
    const std::string& id = id_of(entry);
    const auto inherited = index.find(id);
    if (removes(entry)) {
      if (inherited == index.end()) {
        refuse_value(*entry.find("remove"), fmt::format("{}.{}.remove", path, id),
                     "there is no inherited entry of this id to remove");
      }
      removed[inherited->second] = true;
      index.erase(inherited);
      continue;
    }
    const std::size_t at = inherited == index.end() ? base.children.size() : inherited->second;
    if (inherited == index.end()) {
      base.children.emplace_back().at = entry.at;
      index[id] = at;
    }
    replace(base.children[at], *entry.find("id"));
    merge_table(base.children[at], entry, join_key(path, id), list.entries.front());
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < base.children.size(); ++i) {
    if (removed[i]) continue;
    if (kept != i) base.children[kept] = std::move(base.children[i]);
    ++kept;
  }
  base.children.resize(kept);
}

/// The table or array of that name in `base`, made if it is not there.
TomlNode& child_of(TomlNode& base, const TomlNode& over) {
  if (base.find(over.key) == nullptr) {
    TomlNode fresh;
    fresh.kind = over.kind;
    fresh.key = over.key;
    fresh.at = over.at;
    base.children.push_back(fresh);
  }
  return *base.find(over.key);
}

void merge_table(TomlNode& base, const TomlNode& over, const std::string& path,
                 const SchemaTable& schema) {
  for (const TomlNode& child : over.children) {
    if (const SchemaKey* key = schema.key(child.key)) {
      drop_replaced(base, child, *key, schema);
      replace(base, child);
    } else if (const SchemaTable* inner = schema.table(child.key)) {
      merge_table(child_of(base, child), child, join_key(path, child.key), *inner);
    } else if (const SchemaList* list = schema.list(child.key)) {
      merge_entries(child_of(base, child), child, join_key(path, child.key), *list);
    }
  }
}

/// Before anything is bound to fixed arrays.
void require_counts(const TomlNode& node, const SchemaTable& schema, const std::string& path) {
  for (const SchemaTable& inner : schema.tables) {
    const TomlNode* table = node.find(inner.name);
    if (table != nullptr) require_counts(*table, inner, join_key(path, inner.name));
  }
  for (const SchemaList& list : schema.lists) {
    const auto highest = static_cast<std::size_t>(list.highest);
    const TomlNode* entries = node.find(list.name);
    if (entries == nullptr || entries->children.size() <= highest) continue;
    refuse_value(*entries->children[highest].find("id"), join_key(path, list.name) + ".id",
                 fmt::format("there are {} entries, at most {} are possible",
                             entries->children.size(), highest));
  }
}

[[noreturn]] void refuse_override(const Override& override, const std::string& reason) {
  throw PlacedError(ExitCode::kBadInput, {},
                    ErrorSubject{.key = shortened(override.key),
                                 .note = {},
                                 .value = shortened(override.value),
                                 .reason = reason});
}

bool takes_text(const Slot& slot) {
  return std::holds_alternative<std::string*>(slot) || std::holds_alternative<EnumSlot>(slot) ||
         std::holds_alternative<PathSlot>(slot);
}

TomlNode text_node(const std::string& text) {
  TomlNode node;
  node.kind = TomlNode::Kind::kString;
  node.text = text;
  return node;
}

/// The value of an override as TOML; text need not be quoted.
TomlNode override_value(const Override& override, const SchemaKey& key) {
  const bool quoted = override.value.starts_with('"') || override.value.starts_with('\'');
  if (takes_text(key.slot) && !quoted) return text_node(override.value);
  if (std::optional<TomlNode> value = parse_toml_value(override.value)) return *std::move(value);
  refuse_override(override, fmt::format("must be {}", expected_text(key)));
}

void forget_positions(TomlNode& node) {
  node.at = {};
  for (TomlNode& child : node.children) forget_positions(child);
}

std::vector<std::string> split_key(const std::string& key) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t dot = 0; dot != std::string::npos; from = dot + 1) {
    dot = key.find('.', from);
    parts.push_back(key.substr(from, dot == std::string::npos ? dot : dot - from));
  }
  return parts;
}

/// Walks the key and builds the tree that holds nothing but the override.
class OverrideTree {
 public:
  OverrideTree(const Override& override, TomlNode& root)
      : override_(&override), parts_(split_key(override.key)), root_(&root) {}

  void apply(const SchemaTable& schema, SpecMistakes& mistakes) {
    mistakes.collect([&] {
      TomlNode over = table_from(0, schema, root_);
      forget_positions(over);
      check_file(over, schema, mistakes);
      merge_table(*root_, over, "", schema);
    });
  }

 private:
  /// `existing` is the same place in the tree so far; null where it does not reach.
  TomlNode table_from(std::size_t i, const SchemaTable& schema, TomlNode* existing) {
    TomlNode table;
    TomlNode child;
    TomlNode* next = existing == nullptr ? nullptr : existing->find(parts_[i]);
    if (const SchemaKey* key = schema.key(parts_[i]); key != nullptr && i + 1 == parts_.size()) {
      child = override_value(*override_, *key);
    } else if (const SchemaTable* inner = schema.table(parts_[i]);
               inner != nullptr && i + 1 < parts_.size()) {
      child = table_from(i + 1, *inner, next);
    } else if (const SchemaList* list = schema.list(parts_[i]);
               list != nullptr && i + 2 < parts_.size()) {
      child.kind = TomlNode::Kind::kArray;
      child.children.push_back(entry_from(i + 1, *list, next));
    } else {
      refuse_name(i, schema);
    }
    child.key = parts_[i];
    table.children.push_back(std::move(child));
    return table;
  }

  TomlNode entry_from(std::size_t i, const SchemaList& list, TomlNode* existing) {
    TomlNode* entry = existing == nullptr ? nullptr : find_entry(*existing, parts_[i]);
    if (entry == nullptr) {
      std::vector<std::string> ids;
      if (existing != nullptr) {
        for (const TomlNode& other : existing->children) ids.push_back(id_of(other));
      }
      refuse_override(
          *override_,
          did_you_mean(fmt::format("there is no {} \"{}\"", list.name, parts_[i]), parts_[i], ids));
    }
    TomlNode out;
    if (parts_[i + 1] == "remove" && i + 2 == parts_.size()) {
      const SchemaKey remove{"remove", "", "", static_cast<bool*>(nullptr)};
      out.children.push_back(override_value(*override_, remove));
      out.children.back().key = "remove";
    } else {
      out = table_from(i + 1, list.entries.front(), entry);
    }
    out.children.push_back(text_node(parts_[i]));
    out.children.back().key = "id";
    return out;
  }

  [[noreturn]] void refuse_name(std::size_t i, const SchemaTable& schema) const {
    const std::vector<std::string> names = schema.names();
    if (std::find(names.begin(), names.end(), parts_[i]) == names.end()) {
      refuse_override(*override_,
                      did_you_mean(fmt::format("unknown key \"{}\"", parts_[i]), parts_[i], names));
    }
    refuse_override(*override_, schema.key(parts_[i]) != nullptr
                                    ? fmt::format("\"{}\" is a value, not a table", parts_[i])
                                    : fmt::format("\"{}\" holds keys (tables: NAME.KEY, arrays of "
                                                  "tables: NAME.ID.KEY); set one of them",
                                                  parts_[i]));
  }

  const Override* override_;
  std::vector<std::string> parts_;
  TomlNode* root_;
};

void refuse_fleet(const TomlNode& root) {
  for (const char* key : {"simulator", "vehicle"}) {
    const TomlNode* const entries = root.find(key);
    if (entries == nullptr || !entries->is_array_of_tables()) continue;
    throw PlacedError(ExitCode::kBadInput, entries->at, key,
                      fmt::format("this is a fleet, which has [[{}]], and not a spec; `tactus "
                                  "bridge` flies it",
                                  key));
  }
}

void refuse_campaign(const TomlNode& root) {
  for (const char* key : {"vary", "design", "measure", "campaign"}) {
    const TomlNode* const part = root.find(key);
    if (part == nullptr) continue;
    throw PlacedError(ExitCode::kBadInput, part->at, key,
                      fmt::format("{} belongs to a campaign, and this is to be a spec; `tactus "
                                  "sweep` flies campaigns",
                                  key));
  }
}

}  // namespace

TomlNode merged_tree(const Files& files, std::string_view text, const std::string& file,
                     std::span<const Override> overrides, SpecMistakes& mistakes,
                     std::vector<std::string>* extended, std::span<const std::string_view> others) {
  SpecDraft scratch = SpecDraft::sample();
  const SchemaTable schema = make_schema(scratch);
  InheritanceRules rules;
  rules.find = [&](const TomlNode& name) {
    return find_named(files, name, {"scenarios", "aircraft"});
  };
  rules.no_such_file = [&](const TomlNode& name) {
    return no_such_file(files, name, {"scenarios", "aircraft"});
  };
  rules.check = [&](TomlNode& own) {
    const bool is_itself = own.at.file == file;
    if (extended != nullptr && !is_itself) extended->push_back(own.at.file);
    if (is_itself) {
      for (const std::string_view key : others) own.erase(key);
    }
    refuse_fleet(own);
    refuse_campaign(own);
    check_file(own, schema, mistakes);
  };
  rules.merge = [&](TomlNode& base, const TomlNode& over) { merge_table(base, over, "", schema); };
  TomlNode root = merged_with_extended(files, text, file, rules);
  for (const Override& override : overrides) OverrideTree(override, root).apply(schema, mistakes);
  if (!mistakes.collect([&] { require_counts(root, schema, ""); })) mistakes.lose_table();
  return root;
}

void apply_overrides(std::span<const Override> overrides, TomlNode& root) {
  SpecDraft scratch = SpecDraft::sample();
  const SchemaTable schema = make_schema(scratch);
  SpecMistakes mistakes;
  for (const Override& override : overrides) OverrideTree(override, root).apply(schema, mistakes);
  if (!mistakes.found().empty()) throw mistakes.found().front();
}

void name_after_file(TomlNode& root, const std::string& file) {
  TomlNode* name = root.find("name");
  const bool is_own = name != nullptr && (name->at.file == file || name->at.file.empty());
  const std::string stem = printable(std::filesystem::path(file).stem().string());
  if (is_own || stem.empty()) return;
  if (name == nullptr) name = &root.children.emplace_back();
  name->kind = TomlNode::Kind::kString;
  name->key = "name";
  name->text = stem;
  name->at = root.at;
}

}  // namespace tactus
