// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/model/external_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::size_t kLongestName = 16;  // MAVLink has room for these

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool may_be_a_name(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.size() <= kLongestName &&
         text.find_first_not_of(kLetters) == std::string_view::npos;
}

EmittedParameter parse_parameter(std::string_view text, std::string_view where) {
  const std::size_t equals = text.find('=');
  EmittedParameter out;
  out.name = std::string(trimmed(text.substr(0, equals)));
  out.why = "given by the spec";
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view{} : trimmed(text.substr(equals + 1));
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, out.value);
  if (out.name.empty() || value.empty() || error != std::errc() || stop != end) {
    refuse_key(std::string(where), fmt::format("\"{}\" is not NAME=NUMBER", trimmed(text)));
  }
  out.integer = value.find_first_of(".eEnN") == std::string_view::npos;
  return out;
}

}  // namespace

std::vector<EmittedParameter> parse_parameters(std::string_view text, std::string_view where) {
  std::vector<EmittedParameter> parameters;
  for (const std::string_view part : split_list(text)) {
    parameters.push_back(parse_parameter(part, where));
  }
  return parameters;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = trimmed(text.substr(0, comma));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::vector<std::string> changed_parameters(const std::vector<Event>& events) {
  std::vector<std::string> names;
  for (const Event& event : events) {
    const std::string& name = event.action.target;
    if (event.action.kind != ActionKind::kParameter) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

int changed_parameter_index(const std::vector<Event>& events, std::string_view name) {
  if (!may_be_a_name(name)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("\"{}\" is no name of a parameter of PX4 or ArduPilot, such as "
                            "MPC_XY_CRUISE: at most {} of A to Z, 0 to 9 and _",
                            name, kLongestName));
  }
  const std::vector<std::string> names = changed_parameters(events);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace tactus
