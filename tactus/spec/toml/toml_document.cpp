// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/toml/toml_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

// toml++ 3.3 asserts on some malformed input ("[=]") and, with NDEBUG, assumes that it does not
// occur: undefined behaviour. Here its assertions throw.
[[noreturn]] static void fail_toml_assertion(const char* condition) {
  throw std::logic_error(condition);
}
#undef NDEBUG
#define TOML_ASSERT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : fail_toml_assertion(#condition))
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>

#include "tactus/autopilot/mission/file_kind.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/spec/toml/toml_limits.h"

namespace tactus {
namespace {

/// Of one part of a key; what is longer is no key, and messages repeat keys.
constexpr std::size_t kLongestKey = 200;

/// Names of files in it may have any length.
constexpr std::size_t kLongestMessage = 4000;

TomlNode convert(const toml::node& node, const toml::source_region& source,
                 const std::string& file);

void convert_children(const toml::node& node, const std::string& file, TomlNode& out) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      const std::string_view name = key.str();
      if (name.size() > kLongestKey) {
        const toml::source_position at = key.source().begin;
        throw PlacedError(ExitCode::kBadInput, {file, at.line, at.column}, "",
                          fmt::format("a key of {} bytes; at most {}", name.size(), kLongestKey));
      }
      out.children.push_back(convert(value, key.source(), file));
      out.children.back().key = std::string(key.str());
    }
    // toml++ sorts by name; the order of the file decides which mistake is the first.
    std::stable_sort(
        out.children.begin(), out.children.end(), [](const TomlNode& a, const TomlNode& b) {
          return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
        });
  } else if (const toml::array* array = node.as_array()) {
    for (const toml::node& value : *array) {
      out.children.push_back(convert(value, value.source(), file));
    }
  }
}

TomlNode convert(const toml::node& node, const toml::source_region& source,
                 const std::string& file) {
  TomlNode out;
  out.at = {file, source.begin.line, source.begin.column};
  switch (node.type()) {
    case toml::node_type::table: out.kind = TomlNode::Kind::kTable; break;
    case toml::node_type::array: out.kind = TomlNode::Kind::kArray; break;
    case toml::node_type::string:
      out.kind = TomlNode::Kind::kString;
      out.text = node.as_string()->get();
      if (out.text.find('\0') !=
          std::string::npos) {  // ends a text in recordings and in autopilots
        throw PlacedError(ExitCode::kBadInput, out.at, "",
                          "a text cannot hold the character U+0000");
      }
      break;
    case toml::node_type::integer:
      out.kind = TomlNode::Kind::kInteger;
      out.integer = node.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      out.kind = TomlNode::Kind::kReal;
      out.real = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      out.kind = TomlNode::Kind::kBoolean;
      out.boolean = node.as_boolean()->get();
      break;
    default: out.kind = TomlNode::Kind::kDate; break;
  }
  convert_children(node, file, out);
  return out;
}

/// What the parser says, and what is allowed where it does not say so.
std::string reason(const toml::parse_error& error) {
  std::string text = shortened(error.description(), 300);
  const bool integer = text.find("parsing decimal integer") != std::string::npos;
  if (integer && text.find("representable") != std::string::npos) {
    text += "; integers go from -9223372036854775808 to 9223372036854775807";
  }
  return text;
}

/// Where a table header has no key: the one mistake that the parser reports without a place.
TomlPosition place_of_bad_header(std::string_view text, const std::string& file) {
  TomlPosition at{file, 1, 1};
  constexpr std::string_view kSpace = " \t";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t bracket = line.find_first_not_of(kSpace);
    if (bracket != std::string_view::npos && line[bracket] == '[') {
      const std::size_t key = line.find_first_not_of(" \t[", bracket);
      const char first = key == std::string_view::npos ? ' ' : line[key];
      const bool ok = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                      (first >= '0' && first <= '9') || first == '_' || first == '-' ||
                      first == '"' || first == '\'';
      if (!ok) return at;
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++at.line;
  }
  return {file, 1, 1};
}

std::string one_line(const std::string& message) {
  return printable(shortened(message, kLongestMessage));
}

}  // namespace

std::string TomlPosition::prefix() const {
  return file.empty() ? "--set " : fmt::format("{}:{}:{}: ", file, line, column);
}

std::string TomlPosition::origin() const {
  return file.empty() ? "--set" : fmt::format("{}:{}", printable(file), line);
}

bool TomlNode::is_array_of_tables() const {
  return is_array() && !children.empty() &&
         std::all_of(children.begin(), children.end(),
                     [](const TomlNode& child) { return child.is_table(); });
}

const TomlNode* TomlNode::find(std::string_view name) const {
  const auto it = std::find_if(children.begin(), children.end(),
                               [&](const TomlNode& child) { return child.key == name; });
  return is_table() && it != children.end() ? &*it : nullptr;
}

TomlNode* TomlNode::find(std::string_view name) {
  return const_cast<TomlNode*>(static_cast<const TomlNode&>(*this).find(name));
}

void TomlNode::erase(std::string_view name) {
  std::erase_if(children, [&](const TomlNode& child) { return child.key == name; });
}

const char* to_text(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::kTable: return "a table";
    case TomlNode::Kind::kArray: return "an array";
    case TomlNode::Kind::kString: return "a string";
    case TomlNode::Kind::kInteger: return "an integer";
    case TomlNode::Kind::kReal: return "a real number";
    case TomlNode::Kind::kBoolean: return "a boolean";
    case TomlNode::Kind::kDate: return "a date or time";
  }
  return "?";
}

std::string to_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return without_hidden(out + "\"", UnicodeEscape::kToml);
}

std::string to_toml(double value) {
  std::string text = format_double(value);
  if (text.find_first_of(".ein") == std::string::npos) text += ".0";
  return text;
}

std::string to_toml(const TomlNode& value) {
  switch (value.kind) {
    case TomlNode::Kind::kString: return to_toml(value.text);
    case TomlNode::Kind::kInteger: return format_integer(value.integer);
    case TomlNode::Kind::kReal: return to_toml(value.real);
    case TomlNode::Kind::kBoolean: return value.boolean ? "true" : "false";
    case TomlNode::Kind::kDate: return "(a date or time)";
    default: break;
  }
  std::vector<std::string> parts;
  for (const TomlNode& child : value.children) {
    parts.push_back(value.is_table() ? child.key + " = " + to_toml(child) : to_toml(child));
  }
  return value.is_table() ? fmt::format("{{{}}}", fmt::join(parts, ", "))
                          : fmt::format("[{}]", fmt::join(parts, ", "));
}

TomlNode parse_toml(std::string_view text, const std::string& file) {
  const std::string other = describe_if_foreign(text);
  if (!other.empty()) {
    throw PlacedError(
        ExitCode::kBadInput, {file, 1, 1}, "",
        fmt::format("this is neither a spec nor a fleet, which are TOML, but {}", other));
  }
  require_bounded_toml(text, file);
  try {
    const toml::table table = toml::parse(text);
    TomlNode root = convert(table, table.source(), file);
    root.at = {file, 1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw PlacedError(ExitCode::kBadInput, {file, at.line, at.column}, "", reason(error));
  } catch (const std::logic_error&) {
    throw PlacedError(ExitCode::kBadInput, place_of_bad_header(text, file), "",
                      "not TOML: a table header needs a key, [body]");
  }
}

std::optional<TomlNode> parse_toml_value(std::string_view text) {
  try {
    const TomlNode parsed = parse_toml("value = " + std::string(text), "");
    const bool is_one = parsed.children.size() == 1 && parsed.children.front().key == "value";
    if (is_one) return parsed.children.front();
  } catch (const PlacedError&) {
  }
  return std::nullopt;
}

PlacedError::PlacedError(ExitCode code, TomlPosition at, std::string_view key,
                         std::string_view message)
    : Error(code, one_line(at.prefix().append(message))), at_(std::move(at)), key_(key) {}

PlacedError::PlacedError(ExitCode code, TomlPosition at, ErrorSubject subject)
    : Error(code, one_line(at.prefix() + subject.text()), subject),
      at_(std::move(at)),
      key_(std::move(subject.key)) {}

void refuse_value(const TomlNode& value, std::string_view key, std::string_view reason) {
  throw PlacedError(ExitCode::kBadInput, value.at,
                    ErrorSubject{.key = std::string(key),
                                 .note = {},
                                 .value = shortened(to_toml(value)),
                                 .reason = std::string(reason)});
}

}  // namespace tactus
