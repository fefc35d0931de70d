// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/branch/branch_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {
namespace {

using Names = std::vector<std::string_view>;

/// Keys whose value is text, quoted or not.
const Names kTexts = {"id",       "do",   "rotor", "pack", "sensor", "instrument",
                      "quantity", "when", "after", "mode", "snap",   "parameter"};
/// Keys that a spec writes in seconds.
const Names kTimes = {"at", "every", "delay", "duration", "lag", "on", "off", "correlation"};
const Names kTriggers = {"at_s", "at_step", "when", "after"};

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse(std::string_view text, std::string_view reason) {
  throw Error(ExitCode::kBadInput, fmt::format("new event \"{}\": {}", shortened(text), reason));
}

/// Splits at blanks outside of quotes and brackets.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  int depth = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++depth;
    } else if (c == ']') {
      --depth;
    } else if (c == ' ' && depth == 0) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
      continue;
    }
    word += c;
  }
  if (quote != 0 || depth != 0) refuse(text, "a quote or bracket is not closed");
  if (!word.empty()) words.push_back(word);
  return words;
}

std::string unquoted(const std::string& value) {
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

bool is_key(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void require_toml(const std::string& key, const std::string& value, std::string_view text) {
  if (is_key(key) && parse_toml_value(value)) return;
  refuse(text, fmt::format("{}={}: the value is no number, list or quoted text, or there is no "
                           "such key of an event",
                           shortened(key), shortened(value)));
}

std::pair<std::string, std::string> key_and_value(const std::string& word, std::string_view text) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse(text,
           fmt::format("\"{}\" must be KEY=VALUE, as in \"motor_off rotor=front_left\"", word));
  }
  std::string key = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  if (value.empty()) refuse(text, fmt::format("{} has no value", key));
  if (contains(kTexts, key)) return {key, to_toml(std::string_view(unquoted(value)))};
  if (!contains(kTimes, key)) {
    require_toml(key, value, text);
    return {key, value};
  }
  return {key + "_s", exact_seconds(parse_duration(value, fmt::format("{} of a new event", key)))};
}

}  // namespace

std::string event_toml(std::string_view text, const std::string& id, TimeUs at) {
  std::vector<std::string> words = words_of(text);
  if (words.empty()) refuse(text, "says nothing; e.g. \"motor_off rotor=front_left\"");
  if (words.front().find('=') == std::string::npos) words.front().insert(0, "do=");
  std::string toml = "\n[[event]]\n";
  bool named = false;
  bool triggered = false;
  for (const std::string& word : words) {
    const auto [key, value] = key_and_value(word, text);
    named = named || key == "id";
    triggered = triggered || contains(kTriggers, key);
    toml += fmt::format("{} = {}\n", key, value);
  }
  if (!named) toml += fmt::format("id = {}\n", to_toml(std::string_view(id)));
  if (!triggered) toml += fmt::format("at_s = {}\n", exact_seconds(at - TimeUs{}));
  return toml;
}

}  // namespace tactus
