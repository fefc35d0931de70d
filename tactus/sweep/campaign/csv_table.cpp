// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/campaign/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus::sweep {
namespace {

[[noreturn]] void refuse_line(const std::string& file, std::uint32_t line,
                              const std::string& reason) {
  throw PlacedError(ExitCode::kBadInput, {file, line, 1}, "", reason);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// The fields of one line; a comma or a doubled quote inside quotes belongs to the field.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = trimmed(field);
  return fields;
}

/// A number or a switch as TOML has it, else a word.
TomlNode value_of(const std::string& field) {
  const std::optional<TomlNode> value = parse_toml_value(field);
  if (value && !value->is_table() && !value->is_array() && !value->is_string()) return *value;
  TomlNode word;
  word.kind = TomlNode::Kind::kString;
  word.text = field;
  return word;
}

/// Where these columns stand in the line with the names.
std::vector<std::size_t> places_of(const std::vector<std::string>& columns,
                                   const std::vector<std::string>& names, const std::string& file,
                                   std::uint32_t line) {
  std::vector<std::size_t> places;
  for (const std::string& column : columns) {
    const auto it = std::find(names.begin(), names.end(), column);
    if (it == names.end()) {
      refuse_line(file, line,
                  did_you_mean(fmt::format("there is no column \"{}\"", column), column, names));
    }
    places.push_back(static_cast<std::size_t>(it - names.begin()));
  }
  return places;
}

}  // namespace

std::vector<std::vector<TomlNode>> csv_rows(std::string_view text, const std::string& file,
                                            const std::vector<std::string>& columns) {
  std::vector<std::vector<TomlNode>> rows;
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of spreadsheets
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view content = trimmed(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), text.find('\n')));
    if (!text.empty()) text.remove_prefix(1);
    if (content.empty() || content.starts_with('#')) continue;
    const std::vector<std::string> fields = fields_of(content);
    if (names.empty()) {
      names = fields;
      places = places_of(columns, names, file, line);
      continue;
    }
    if (fields.size() != names.size()) {
      refuse_line(file, line,
                  fmt::format("has {} values, the first line {}", fields.size(), names.size()));
    }
    std::vector<TomlNode>& row = rows.emplace_back();
    for (const std::size_t place : places) row.push_back(value_of(fields[place]));
  }
  if (rows.empty()) refuse_line(file, 1, "has no rows below a line with the names of columns");
  return rows;
}

}  // namespace tactus::sweep
