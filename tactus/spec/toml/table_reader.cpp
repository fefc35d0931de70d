// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/toml/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {

TableReader::TableReader(const TomlNode& table, std::string path)
    : table_(&table), path_(std::move(path)) {
  if (!table.is_table()) refuse_value(table, path_, "must be a table");
}

const TomlNode* TableReader::find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->find(key);
}

const TomlNode& TableReader::require(const char* key, const char* expected) {
  const TomlNode* const value = find(key);
  if (value != nullptr) return *value;
  refuse(table_->at, key, fmt::format("is missing; give {}", expected));
}

std::string TableReader::text(const char* key, const TomlNode& value) const {
  if (!value.is_string()) refuse_value(value, full(key), "must be a text");
  return value.text;
}

std::string TableReader::text(const char* key, const std::string& otherwise) {
  const TomlNode* const value = find(key);
  return value == nullptr ? otherwise : text(key, *value);
}

std::optional<bool> TableReader::optional_boolean(const char* key) {
  const TomlNode* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != TomlNode::Kind::kBoolean) {
    refuse_value(*value, full(key), "must be true or false");
  }
  return value->boolean;
}

bool TableReader::boolean(const char* key, bool otherwise) {
  return optional_boolean(key).value_or(otherwise);
}

double TableReader::number(const char* key, double otherwise) {
  const TomlNode* const value = find(key);
  if (value == nullptr) return otherwise;
  if (value->kind == TomlNode::Kind::kInteger) return static_cast<double>(value->integer);
  if (value->kind != TomlNode::Kind::kReal) refuse_value(*value, full(key), "must be a number");
  return value->real;
}

std::int64_t TableReader::integer(const char* key, const TomlNode& value, std::int64_t lowest,
                                  std::int64_t highest) const {
  const bool fits =
      value.kind == TomlNode::Kind::kInteger && value.integer >= lowest && value.integer <= highest;
  if (!fits) {
    refuse_value(value, full(key),
                 fmt::format("must be a whole number from {} to {}", lowest, highest));
  }
  return value.integer;
}

std::int64_t TableReader::integer(const char* key, std::int64_t otherwise, std::int64_t lowest,
                                  std::int64_t highest) {
  const TomlNode* const value = find(key);
  return value == nullptr ? otherwise : integer(key, *value, lowest, highest);
}

DurationUs TableReader::seconds(const char* key, DurationUs otherwise) {
  const TomlNode* const value = find(key);
  if (value == nullptr) return otherwise;
  const double given = number(key, 0.0);
  try {
    return duration_from_seconds(given, full(key));
  } catch (const Error& error) {
    throw PlacedError(ExitCode::kBadInput, value->at, *error.subject());
  }
}

DurationUs TableReader::deadline(const char* key, DurationUs otherwise) {
  const TomlNode* const value = find(key);
  if (value != nullptr && value->is_string() && value->text == "off") return {};
  const DurationUs given = seconds(key, otherwise);
  if (given.us == 0) refuse_value(*value, full(key), "must be above 0; \"off\": no deadline");
  return given;
}

std::size_t TableReader::one_of(const char* key, std::span<const char* const> words) {
  const TomlNode* const value = find(key);
  if (value == nullptr) return 0;
  const std::string word = text(key, *value);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) return i;
  }
  std::string known;
  for (const char* const one : words) known.append(known.empty() ? "" : ", ").append(one);
  refuse_value(*value, full(key), "must be one of " + known);
}

std::vector<const TomlNode*> TableReader::list(const char* key, std::size_t most,
                                               const char* of_what) {
  std::vector<const TomlNode*> all;
  const TomlNode* const value = find(key);
  if (value == nullptr) return all;
  if (!value->is_array() || value->children.size() > most) {
    refuse_value(*value, full(key), fmt::format("must be a list of at most {} {}", most, of_what));
  }
  for (const TomlNode& entry : value->children) all.push_back(&entry);
  return all;
}

std::vector<const TomlNode*> TableReader::tables(const char* key, std::size_t most) {
  std::vector<const TomlNode*> all;
  const TomlNode* const value = find(key);
  if (value == nullptr) return all;
  if (!value->is_array_of_tables()) {
    refuse_value(*value, full(key), fmt::format("must be tables: [[{}]]", full(key)));
  }
  if (value->children.size() > most) {
    refuse(value->children[most].at, key,
           fmt::format("there are {}; at most {}", value->children.size(), most));
  }
  for (const TomlNode& entry : value->children) all.push_back(&entry);
  return all;
}

void TableReader::close() const {
  for (const TomlNode& entry : table_->children) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    refuse_value(entry, full(entry.key), did_you_mean("unknown key", entry.key, known_));
  }
}

std::string TableReader::full(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void TableReader::refuse(const TomlPosition& place, const char* key,
                         std::string_view reason) const {
  throw PlacedError(ExitCode::kBadInput, place, full(key),
                    fmt::format("{}: {}", full(key), reason));
}

}  // namespace tactus
