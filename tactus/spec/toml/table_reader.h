// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Reads one table of a TOML file that is no spec: a fleet, a campaign. Every mistake is a
// PlacedError(kBadInput) that names position, key, value and what is allowed.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Every key is asked for; close() refuses keys that were not asked for. A reader of a list gets
/// the key of the list with each of its entries, which have none of their own.
class TableReader {
 public:
  TableReader(const TomlNode& table, std::string path);

  [[nodiscard]] const TomlNode* find(const char* key);
  [[nodiscard]] const TomlNode& require(const char* key, const char* expected);

  [[nodiscard]] std::string text(const char* key, const std::string& otherwise);
  [[nodiscard]] std::string text(const char* key, const TomlNode& value) const;
  [[nodiscard]] std::optional<bool> optional_boolean(const char* key);
  [[nodiscard]] bool boolean(const char* key, bool otherwise);
  [[nodiscard]] double number(const char* key, double otherwise);
  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t otherwise, std::int64_t lowest,
                                     std::int64_t highest);
  [[nodiscard]] std::int64_t integer(const char* key, const TomlNode& value, std::int64_t lowest,
                                     std::int64_t highest) const;
  [[nodiscard]] DurationUs seconds(const char* key, DurationUs otherwise);
  /// 0: none, which has to be asked for by its name.
  [[nodiscard]] DurationUs deadline(const char* key, DurationUs otherwise);
  /// The position of a word in a list.
  [[nodiscard]] std::size_t one_of(const char* key, std::span<const char* const> words);
  /// The elements of a list of at most so many.
  [[nodiscard]] std::vector<const TomlNode*> list(const char* key, std::size_t most,
                                                  const char* of_what);
  /// The tables of an array of tables; none if it is not there.
  [[nodiscard]] std::vector<const TomlNode*> tables(const char* key, std::size_t most);

  void close() const;
  [[nodiscard]] std::string full(const std::string& key) const;
  [[nodiscard]] const TomlPosition& at() const { return table_->at; }
  [[noreturn]] void refuse(const TomlPosition& place, const char* key,
                           std::string_view reason) const;

 private:
  const TomlNode* table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace tactus
