// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The file that import_spec.h converts, with what it extends.

#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tactus/core/files.h"
#include "tactus/core/vec.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Reads values by dotted key. Remembers what was asked for, so that the rest can be named.
class Original {
 public:
  /// Follows `extends` by the rule of its format: tables merge, everything else replaces. A key
  /// that the format does not have is an error.
  Original(const Files& files, const std::string& path);

  [[nodiscard]] const Files& files() const { return *files_; }

  /// Null: not given.
  const TomlNode* find(const std::string& key);
  [[nodiscard]] const std::string& file() const { return root_.at.file; }

  template <class T>
  T value(const std::string& key, T fallback) {
    const TomlNode* node = find(key);
    return node == nullptr ? fallback : read<T>(*node, key);
  }
  /// Lower case; a kind is a string, or the key `kind` of a table.
  std::string kind(const std::string& key, const std::string& fallback);
  std::vector<TomlNode> tables(const std::string& key);
  std::vector<Vec3> vectors(const std::string& key);

  [[noreturn]] void refuse(const std::string& key, std::string_view reason);

  /// "key = value" of everything that was not read.
  [[nodiscard]] std::vector<std::string> unused() const;

  template <class T>
  static T read(const TomlNode& node, const std::string& key) {
    T out{};
    if constexpr (std::is_same_v<T, double>) {
      read_value(node, key, RealSlot{&out, true});
    } else {
      read_value(node, key, &out);
    }
    return out;
  }

 private:
  void list_unused(const TomlNode& table, const std::string& path,
                   std::vector<std::string>& out) const;

  const Files* files_;
  TomlNode root_;
  std::set<std::string> used_;
};

}  // namespace tactus
