// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/parameters/ardupilot_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/text.h"

namespace tactus {
namespace {

/// The next word of a line; ArduPilot also takes commas and equals signs between them.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBetween = ", =\t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBetween), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBetween));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

void read_settings(std::string_view text, const std::string& name, ArdupilotSettings& settings) {
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with('#')) continue;
    const std::string_view setting = next_word(line);
    if (setting.empty()) continue;
    const std::string where = fmt::format("{}:{}: {}", name, number, setting);
    settings.insert_or_assign(std::string(setting), parse_double(next_word(line), where));
  }
}

double setting_of(const ArdupilotSettings& settings, std::string_view name, double otherwise) {
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

}  // namespace tactus
