// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/spec_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/scenario/spec_file_check.h"
#include "tactus/scenario/spec_files.h"
#include "tactus/scenario/spec_keys.h"

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
  for (const TomlNode& entry : over.children) {
    const std::string& id = id_of(entry);
    TomlNode* inherited = find_entry(base, id);
    if (removes(entry)) {
      if (inherited == nullptr) {
        refuse_value(*entry.find("remove"), fmt::format("{}.{}.remove", path, id),
                     "there is no inherited entry of this id to remove");
      }
      base.children.erase(base.children.begin() + (inherited - base.children.data()));
      continue;
    }
    if (inherited == nullptr) {
      TomlNode fresh;
      fresh.at = entry.at;
      base.children.push_back(fresh);
      inherited = &base.children.back();
    }
    replace(*inherited, *entry.find("id"));
    merge_table(*inherited, entry, join_key(path, id), list.entries.front());
  }
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

std::vector<const TomlNode*> extended_files(const TomlNode& root) {
  const TomlNode* extends = root.find("extends");
  if (extends == nullptr) return {};
  if (extends->is_string()) return {extends};
  std::vector<const TomlNode*> files;
  for (const TomlNode& child : extends->children) files.push_back(&child);
  const bool all_text = std::all_of(files.begin(), files.end(),
                                    [](const TomlNode* file) { return file->is_string(); });
  if (!extends->is_array() || !all_text) {
    refuse_value(*extends, "extends", "must be a path or an array of paths");
  }
  return files;
}

/// One name per file, whatever way leads to it.
std::string canonical_path(const std::string& file) {
  std::error_code failed;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(file, failed);
  return failed ? file : canonical.string();
}

/// Reads files and what they extend, depth first.
class Inheritance {
 public:
  Inheritance(const SchemaTable& schema, SpecMistakes& mistakes, std::vector<std::string>* extended)
      : schema_(&schema), mistakes_(&mistakes), extended_(extended) {}

  TomlNode tree(std::string_view text, const std::string& file) {
    TomlNode own = parse_toml(text, file);
    TomlNode merged;
    merged.at = own.at;
    chain_.push_back({file, canonical_path(file)});
    for (const TomlNode* extended : extended_files(own)) {
      merge_table(merged, base(*extended), "", *schema_);
    }
    chain_.pop_back();
    own.erase("extends");
    check_file(own, *schema_, *mistakes_);
    merge_table(merged, own, "", *schema_);
    return merged;
  }

 private:
  struct Link {
    std::string file;       ///< as the user named it
    std::string canonical;  ///< to recognise it under another name
  };

  TomlNode base(const TomlNode& extended) {
    const std::string file = find_named(extended, {"scenarios", "aircraft"});
    const std::string canonical = canonical_path(file);
    const bool again = std::any_of(chain_.begin(), chain_.end(),
                                   [&](const Link& link) { return link.canonical == canonical; });
    if (again) {
      std::string chain;
      for (const Link& link : chain_) chain += link.file + " -> ";
      refuse_value(extended, "extends", fmt::format("extends itself: {}{}", chain, file));
    }
    std::string text;
    try {
      if (!is_file(file)) throw Error(ExitCode::kEnvironment, "");  // a pipe would never end
      text = read_text_file(file);
    } catch (const Error& error) {
      throw PlacedError(
          error.code(), extended.at, "extends",
          fmt::format(
              "extends = {}: {}", to_toml(extended.text),
              is_file(file) ? error.what() : no_such_file(extended, {"scenarios", "aircraft"})));
    }
    if (extended_ != nullptr) extended_->push_back(file);
    return tree(text, file);
  }

  const SchemaTable* schema_;
  SpecMistakes* mistakes_;
  std::vector<std::string>* extended_;
  std::vector<Link> chain_;
};

[[noreturn]] void refuse_override(const Override& override, const std::string& reason) {
  throw PlacedError(ExitCode::kBadInput, {}, override.key,
                    fmt::format("{} = {}: {}", override.key, override.value, reason));
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
  try {
    const TomlNode parsed = parse_toml("value = " + override.value, "");
    if (parsed.children.size() == 1) return parsed.children.front();
  } catch (const Error&) {
  }
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
      refuse_override(*override_, fmt::format("there is no {} \"{}\"; {}", list.name, parts_[i],
                                              did_you_mean(parts_[i], ids)));
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
      refuse_override(*override_, fmt::format("unknown key \"{}\", did you mean {}?", parts_[i],
                                              nearest_text(parts_[i], names)));
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

}  // namespace

TomlNode merged_tree(std::string_view text, const std::string& file,
                     std::span<const Override> overrides, SpecMistakes& mistakes,
                     std::vector<std::string>* extended) {
  SpecDraft scratch = SpecDraft::sample();
  const SchemaTable schema = make_schema(scratch);
  TomlNode root = Inheritance(schema, mistakes, extended).tree(text, file);
  for (const Override& override : overrides) OverrideTree(override, root).apply(schema, mistakes);
  return root;
}

}  // namespace tactus
