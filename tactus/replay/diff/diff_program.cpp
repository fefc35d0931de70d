// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

constexpr char kKindKey[] = "autopilot.kind";
constexpr AutopilotKind kPrograms[] = {AutopilotKind::kPx4Sitl, AutopilotKind::kArdupilot};

std::string or_none(const std::string& value) { return value.empty() ? "(none)" : value; }

}  // namespace

ProgramFacts recorded_program(const Recording& recording) {
  const std::string path = fmt::format("/external/{}", kProgramPeer);
  const auto track = std::ranges::find(recording.blobs, path, &BlobTrack::path);
  if (track == recording.blobs.end() || track->pieces.empty()) return {};
  const std::vector<std::byte>& bytes = track->pieces.front().bytes;
  return program_facts_from({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool flown_by_program(const RecordingMeta& meta) {
  const auto kind =
      std::ranges::find(meta.parameters, std::string_view(kKindKey), &ParameterRecord::key);
  if (kind == meta.parameters.end()) return false;
  return std::ranges::any_of(kPrograms, [&](AutopilotKind program) {
    const char* const name = kNames<AutopilotKind>[static_cast<std::size_t>(program)];
    return kind->value == fmt::format("\"{}\"", name);
  });
}

std::vector<std::string> program_sentences(const ProgramFacts& a, const ProgramFacts& b) {
  std::vector<std::string> sentences;
  for (const ProgramDifference& difference : program_differences(a, b)) {
    sentences.push_back(fmt::format("autopilot's {}: {} and {}", difference.name,
                                    or_none(difference.a), or_none(difference.b)));
  }
  return sentences;
}

}  // namespace tactus
