// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/program_facts.h"

#include <algorithm>

namespace tactus {
namespace {

constexpr std::string_view kBetween = ": ";

std::string value_of(const ProgramFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, &ProgramFact::name);
  return found == facts.end() ? "" : found->value;
}

}  // namespace

std::string to_text(const ProgramFacts& facts) {
  std::string text;
  for (const ProgramFact& fact : facts) {
    text += fact.name;
    text += kBetween;
    text += fact.value;
    text += '\n';
  }
  return text;
}

ProgramFacts program_facts_from(std::string_view text) {
  ProgramFacts facts;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t between = line.find(kBetween);
    if (between == std::string_view::npos) continue;
    facts.push_back({std::string(line.substr(0, between)),
                     std::string(line.substr(between + kBetween.size()))});
  }
  return facts;
}

std::vector<ProgramDifference> program_differences(const ProgramFacts& a, const ProgramFacts& b) {
  std::vector<ProgramDifference> differences;
  if (a.empty() || b.empty()) return differences;
  for (const ProgramFact& fact : a) {
    std::string other = value_of(b, fact.name);
    if (other != fact.value) differences.push_back({fact.name, fact.value, std::move(other)});
  }
  for (const ProgramFact& fact : b) {
    if (value_of(a, fact.name).empty()) differences.push_back({fact.name, "", fact.value});
  }
  return differences;
}

}  // namespace tactus
