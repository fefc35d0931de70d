// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// TOML 1.0 as a plain tree in which every value knows where it was written. The parser (toml++) is
// known to the source file only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {

/// Where a value was written.
struct TomlPosition {
  std::string file;  ///< as the user named it; empty: on the command line
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// How a message about it starts: "file:line:column: ", or "--set " for the command line.
  [[nodiscard]] std::string prefix() const;
  /// "file:line", or "--set".
  [[nodiscard]] std::string origin() const;
};

struct TomlNode {
  enum class Kind : std::uint8_t { kTable, kArray, kString, kInteger, kReal, kBoolean, kDate };

  Kind kind = Kind::kTable;
  std::string key;  ///< in its table; empty in an array
  TomlPosition at;
  std::string text;  ///< kString
  std::int64_t integer = 0;
  double real = 0.0;
  bool boolean = false;
  std::vector<TomlNode> children;  ///< kTable (in the order of the file) and kArray

  [[nodiscard]] bool is_table() const { return kind == Kind::kTable; }
  [[nodiscard]] bool is_array() const { return kind == Kind::kArray; }
  [[nodiscard]] bool is_string() const { return kind == Kind::kString; }
  /// An array that holds tables only and at least one.
  [[nodiscard]] bool is_array_of_tables() const;

  /// The entry of a table; null if there is none.
  [[nodiscard]] const TomlNode* find(std::string_view name) const;
  [[nodiscard]] TomlNode* find(std::string_view name);
  void erase(std::string_view name);
};

/// "a string", "an integer" …
const char* to_text(TomlNode::Kind kind);

/// The value as TOML on one line.
std::string to_toml(const TomlNode& value);
std::string to_toml(std::string_view text);
/// Always with a point, an exponent or as inf or nan, so that it reads back as the same double.
std::string to_toml(double value);

/// The one way to the parser: a text that is too large or nested too deeply for it is refused
/// before (toml_limits.h). Throws PlacedError(kBadInput), "file:line:column: reason".
TomlNode parse_toml(std::string_view text, const std::string& file);

/// One value, as the command line gives it; none if the text is not exactly that.
std::optional<TomlNode> parse_toml_value(std::string_view text);

/// Something is wrong with a key at a place. The message is "position: key …".
class PlacedError : public Error {
 public:
  /// `message` starts with the key. It becomes one line: control characters are written as \x0a.
  PlacedError(ExitCode code, TomlPosition at, std::string_view key, std::string_view message);
  /// The message is the text of the subject.
  PlacedError(ExitCode code, TomlPosition at, ErrorSubject subject);
  [[nodiscard]] const TomlPosition& at() const { return at_; }
  /// Dotted, entries of arrays of tables by id; empty: the whole file.
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  TomlPosition at_;
  std::string key_;
};

/// Throws PlacedError(kBadInput), "position: key = value: reason".
[[noreturn]] void refuse_value(const TomlNode& value, std::string_view key,
                               std::string_view reason);

}  // namespace tactus
