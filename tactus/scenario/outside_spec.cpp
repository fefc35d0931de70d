// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/outside_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
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
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: \"{}\" is not NAME=NUMBER", where, trimmed(text)));
  }
  out.integer = value.find_first_of(".eEnN") == std::string_view::npos;
  return out;
}

}  // namespace

std::string path_or_variable(const std::string& path, const char* variable) {
  if (!path.empty()) return path;
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string given_path(const std::string& path, const char* variable, std::string_view option) {
  std::string found = path_or_variable(path, variable);
  if (!found.empty()) return found;
  throw Error(ExitCode::kBadInput,
              fmt::format("no path is given: use {} PATH, or set the environment variable {}; "
                          "`tactus autopilots` tells what is there",
                          option, variable));
}

std::vector<EmittedParameter> parse_parameters(std::string_view text, std::string_view where) {
  std::vector<EmittedParameter> parameters;
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parameters.push_back(parse_parameter(text.substr(0, comma), where));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parameters;
}

}  // namespace tactus
