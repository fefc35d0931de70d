// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where the keys of a merged spec were written, for messages.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/spec/schema/schema.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

class SpecPlaces {
 public:
  /// Both must outlive this; the schema is bound to the draft that `root` was read into.
  SpecPlaces(const TomlNode& root, const SchemaTable& schema);

  /// What was written for a dotted key ("rotor.front_left.bus"); null: nothing.
  [[nodiscard]] const TomlNode* find(std::string_view key) const;
  [[nodiscard]] bool given(std::string_view key) const { return find(key) != nullptr; }
  /// Of the key, or of the innermost table around it that was written.
  [[nodiscard]] const TomlPosition& at(std::string_view key) const;
  /// Of the key if it was given, else of the innermost table around it that stands in a file: what
  /// was not given was not given with --set either.
  [[nodiscard]] const TomlPosition& at_in_file(std::string_view key) const;
  /// The same as "file:line:column".
  [[nodiscard]] std::string where(std::string_view key) const;
  /// What was read.
  [[nodiscard]] const TomlNode& root() const { return *root_; }
  /// With the slot that holds what was read; null: there is no such key.
  [[nodiscard]] const SchemaKey* schema_key(std::string_view key) const {
    return schema_->find(key);
  }
  /// Why the key cannot change in flight; null: it can.
  [[nodiscard]] const char* why_fixed_in_flight(std::string_view key) const;

  /// Throws PlacedError(kBadInput) at the place of the key: its value if given, else its default.
  [[noreturn]] void refuse(const std::string& key, std::string_view reason) const;
  /// The same for a key that should have been given.
  [[noreturn]] void refuse_missing(const std::string& key, std::string_view reason) const;

  /// Runs checks of parameter structs, whose errors are about "power.pack[0].r0_ohm", and throws
  /// their errors again with file, line, column and the key of the spec. Errors about a key
  /// ("initial.on_ground") or an entry ("event.gust") get theirs, too.
  void check(const std::function<void()>& checks) const;

  /// The key that decides a parameter ("rotor[2].motor.kv_rpm_per_v"); empty: none.
  [[nodiscard]] std::string place_of(const std::string& parameter) const;
  /// "file:line:column: warning: key = value: what"
  [[nodiscard]] std::string describe(const std::string& key, std::string_view what) const;

 private:
  [[noreturn]] void refuse_part(const Error& error, const std::string& key) const;
  [[nodiscard]] std::string key_of_parameter(std::string path) const;
  [[nodiscard]] std::string given_instead_of(const std::string& key) const;

  void index(const TomlNode& node);
  [[nodiscard]] const TomlNode* step_into(const TomlNode& node, std::string_view part) const;

  const TomlNode* root_;
  const SchemaTable* schema_;
  /// Entries of the lists in `root_` by id.
  std::map<std::pair<const TomlNode*, std::string_view>, const TomlNode*> entries_;
};

}  // namespace tactus
