// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tactus/spec/reader/spec_keys.h"

namespace tactus {
namespace {

constexpr std::size_t kMostKeysInASentence = 3;

std::map<std::string, std::string> values_of(const RecordingMeta& meta) {
  std::map<std::string, std::string> values;
  for (const ParameterRecord& parameter : meta.parameters) {
    values.emplace(parameter.key, parameter.value);
  }
  return values;
}

std::string value_in(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

std::string sources_text(const RecordingMeta& meta) {
  std::string text;
  for (const SourceRecord& source : meta.sources) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", source.name, source.mode);
  }
  return text;
}

/// A file that the spec names may have another content under the same name.
void add_file_differences(const RecordingMeta& a, const RecordingMeta& b,
                          std::vector<SpecDifference>& differences) {
  for (const AttachedFile& file : a.files) {
    const auto other = std::find_if(b.files.begin(), b.files.end(), [&file](const auto& candidate) {
      return candidate.name == file.name;
    });
    if (other == b.files.end() || other->content == file.content) continue;
    differences.push_back({"autopilot.mission (content of " + file.name + ")",
                           fmt::format("{} bytes", file.content.size()),
                           fmt::format("{} bytes", other->content.size()), Component::kAutopilot});
  }
}

}  // namespace

std::vector<SpecDifference> spec_differences(const RecordingMeta& a, const RecordingMeta& b) {
  const std::map<std::string, std::string> values_a = values_of(a);
  const std::map<std::string, std::string> values_b = values_of(b);
  std::vector<SpecDifference> differences;
  for (const ParameterRecord& parameter : a.parameters) {
    const std::string other = value_in(values_b, parameter.key);
    if (other == parameter.value) continue;
    differences.push_back({parameter.key, parameter.value, other, owner_of_key(parameter.key)});
  }
  for (const ParameterRecord& parameter : b.parameters) {
    if (values_a.contains(parameter.key)) continue;
    differences.push_back({parameter.key, "", parameter.value, owner_of_key(parameter.key)});
  }
  add_file_differences(a, b, differences);
  return differences;
}

std::vector<std::string> meta_differences(const RecordingMeta& a, const RecordingMeta& b) {
  std::vector<std::string> notes;
  const auto note = [&notes](const char* what, const std::string& in_a, const std::string& in_b) {
    if (in_a != in_b) notes.push_back(fmt::format("{}: {} and {}", what, in_a, in_b));
  };
  note("program", a.program, b.program);
  note("commit", a.commit.empty() ? "not known" : a.commit,
       b.commit.empty() ? "not known" : b.commit);
  note("compiler", a.compiler, b.compiler);
  note("bus version", std::to_string(a.bus_version), std::to_string(b.bus_version));
  note("vehicle", to_text(a.counts), to_text(b.counts));
  note("sources", sources_text(a), sources_text(b));
  if (a.tier != b.tier) {
    notes.push_back(fmt::format("tier: {} and {}; compared on what both hold",
                                static_cast<int>(a.tier), static_cast<int>(b.tier)));
  }
  return notes;
}

std::vector<Component> differing_components(const std::vector<SpecDifference>& differences) {
  std::vector<Component> components;
  for (const SpecDifference& difference : differences) {
    const Component owner = difference.owner;
    if (owner == Component::kText || owner == Component::kLog) continue;
    if (std::find(components.begin(), components.end(), owner) == components.end()) {
      components.push_back(owner);
    }
  }
  return components;
}

std::string keys_text(const std::vector<SpecDifference>& differences, Component owner) {
  std::string text;
  std::size_t count = 0;
  for (const SpecDifference& difference : differences) {
    if (difference.owner != owner || ++count > kMostKeysInASentence) continue;
    text += fmt::format("{}{} = {} and {}", text.empty() ? "" : ", ", difference.key,
                        difference.a.empty() ? "(absent)" : difference.a,
                        difference.b.empty() ? "(absent)" : difference.b);
  }
  if (count > kMostKeysInASentence) {
    text += fmt::format(" and {} more", count - kMostKeysInASentence);
  }
  return text;
}

}  // namespace tactus
