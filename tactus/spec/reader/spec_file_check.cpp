// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_file_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tactus/core/text.h"

namespace tactus {
namespace {

bool is_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// Keys of earlier versions. `false` is what they are without, so recordings that hold all of their
/// spec are read; anything else cannot be had any more.
struct RetiredKey {
  std::string_view name;
  const char* instead;
};
constexpr RetiredKey kRetiredKeys[] = {
    {"autopilot.outside.repeatable",
     "is no longer needed: flights of external autopilots have the same bits again unless "
     "autopilot.outside.free = true"}};

const RetiredKey* retired_key(std::string_view name) {
  const auto* const found = std::ranges::find(kRetiredKeys, name, &RetiredKey::name);
  return found == std::end(kRetiredKeys) ? nullptr : found;
}

class FileCheck {
 public:
  explicit FileCheck(SpecMistakes& mistakes) : mistakes_(&mistakes) {}

  void table(TomlNode& node, const std::string& path, const SchemaTable& schema) {
    std::vector<const TomlNode*> grouped;
    keep_good(node, [&](TomlNode& child) { return key(child, path, schema, grouped); });
  }

 private:
  /// Checks the children and drops those that do not pass.
  template <class Check>
  void keep_good(TomlNode& node, Check check) {
    std::vector<bool> good(node.children.size());
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      TomlNode& child = node.children[i];
      bool wanted = true;
      good[i] = mistakes_->collect([&] { wanted = check(child); }) && wanted;
      if (good[i] || !wanted) continue;
      if (child.is_table() || child.is_array_of_tables()) mistakes_->lose_table();
    }
    // Not before: checks keep the places of children they have seen.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
      if (good[i] && kept != i) node.children[kept] = std::move(node.children[i]);
      if (good[i]) ++kept;
    }
    node.children.resize(kept);
  }

  /// False: the key is to be left out.
  bool key(TomlNode& child, const std::string& path, const SchemaTable& schema,
           std::vector<const TomlNode*>& grouped) {
    const std::string name = join_key(path, child.key);
    if (const SchemaKey* known = schema.key(child.key)) {
      read_value(child, name, *known);
      if (!known->group.empty()) refuse_second_of_group(child, name, schema, grouped);
    } else if (const SchemaTable* inner = schema.table(child.key)) {
      if (!child.is_table()) refuse_value(child, name, "must be a table");
      table(child, name, *inner);
    } else if (const SchemaList* list = schema.list(child.key)) {
      if (!child.is_array_of_tables()) {
        refuse_value(child, name, fmt::format("must be an array of tables, [[{}]]", name));
      }
      std::set<std::string> ids;
      keep_good(child, [&](TomlNode& item) {
        entry(item, name, list->entries.front(), ids);
        return true;
      });
    } else if (const RetiredKey* retired = retired_key(name)) {
      if (child.kind != TomlNode::Kind::kBoolean || child.boolean) {
        refuse_value(child, name, retired->instead);
      }
      return false;
    } else {
      refuse_value(child, name, did_you_mean("unknown key", child.key, schema.names()));
    }
    return true;
  }

  static void refuse_second_of_group(const TomlNode& child, const std::string& name,
                                     const SchemaTable& schema,
                                     std::vector<const TomlNode*>& grouped) {
    for (const TomlNode* other : grouped) {
      if (schema.key(other->key)->group != schema.key(child.key)->group) continue;
      refuse_value(child, name,
                   fmt::format("cannot be combined with {}; give one of them", other->key));
    }
    grouped.push_back(&child);
  }

  void entry(TomlNode& item, const std::string& list, const SchemaTable& schema,
             std::set<std::string>& ids) {
    const TomlNode* id = item.find("id");
    const std::string id_key = list + ".id";
    if (id == nullptr) {
      throw PlacedError(ExitCode::kBadInput, item.at,
                        ErrorSubject{.key = id_key,
                                     .note = {},
                                     .value = {},
                                     .reason = "every entry needs one",
                                     .missing = true});
    }
    if (!id->is_string() || !is_id(id->text)) {
      refuse_value(*id, id_key, "must be a string of letters, digits, _ and -");
    }
    if (!ids.insert(id->text).second) refuse_value(*id, id_key, "is given twice in this file");
    const std::string name = join_key(list, id->text);
    refuse_bad_removal(item, name);
    keep_good(item, [&, grouped = std::vector<const TomlNode*>()](TomlNode& child) mutable {
      return child.key == "id" || child.key == "remove" || key(child, name, schema, grouped);
    });
  }

  static void refuse_bad_removal(const TomlNode& item, const std::string& name) {
    const TomlNode* remove = item.find("remove");
    if (remove == nullptr) return;
    if (remove->kind != TomlNode::Kind::kBoolean) {
      refuse_value(*remove, name + ".remove", "must be true or false");
    }
    for (const TomlNode& child : item.children) {
      if (!remove->boolean || child.key == "id" || child.key == "remove") continue;
      refuse_value(child, join_key(name, child.key), "an entry that is removed has no other keys");
    }
  }

  SpecMistakes* mistakes_;
};

}  // namespace

void check_file(TomlNode& root, const SchemaTable& schema, SpecMistakes& mistakes) {
  FileCheck(mistakes).table(root, "", schema);
}

}  // namespace tactus
