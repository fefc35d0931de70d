// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/recording_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tactus/core/printable.h"
#include "tactus/core/version.h"
#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"

namespace tactus {
namespace {

LoadedSpec load_recorded(const RecordingMeta& meta, std::span<const Override> overrides) {
  return load_spec_text(meta.spec, "recording of " + meta.name, overrides, meta.files);
}

/// Shipped files are named from the folder that holds them, so that a recording does not depend on
/// where the program is installed.
std::string without_data_root(std::string text) {
  const std::string root = valid_utf8(data_root()) + "/";
  for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos;) {
    text.erase(at, root.size());
  }
  return text;
}

void require_version(const RecordingMeta& meta) {
  if (meta.version == kRecordingVersion && meta.bus_version == kBusVersion) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("the recording of \"{}\" has layout {} and bus {}, this program knows "
                          "layout {} and bus {}; use the version that recorded it ({})",
                          meta.name, meta.version, meta.bus_version, kRecordingVersion, kBusVersion,
                          meta.program));
}

}  // namespace

RecordingMeta recording_meta(const LoadedSpec& loaded, Tier tier, const BuildIdentity& build) {
  const Spec& spec = loaded.spec;
  RecordingMeta meta;
  meta.program = fmt::format("tactus {}", kVersion);
  meta.commit = build.commit;
  meta.compiler = build.compiler;
  meta.name = spec.name;
  meta.spec = without_data_root(loaded.resolved);
  for (const AttachedFile& file : loaded.files) {
    meta.files.push_back({without_data_root(file.name), file.content});
  }
  meta.spec_digest = spec.digest;
  for (const ResolvedKey& key : loaded.provenance) {
    meta.parameters.push_back({key.key, without_data_root(key.value), key.unit});
  }
  meta.seed = spec.seed;
  meta.tier = tier;
  for (const Event& event : scenario_events(spec)) meta.event_ids.push_back(event.id);
  return meta;
}

std::vector<std::string> changes_of_spec(const RecordingMeta& meta) {
  std::vector<std::string> lines;
  const std::string changes = meta.parent ? meta.parent->changes : "";
  for (std::size_t begin = 0; begin < changes.size();) {
    const std::size_t end = std::min(changes.find('\n', begin), changes.size());
    const std::string line = changes.substr(begin, end - begin);
    if (!line.starts_with("event ")) lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

void require_one_spec(const Recording& recording) {
  const std::vector<std::string> changes = changes_of_spec(recording.meta);
  if (changes.empty()) return;
  const ParentRecord& parent = *recording.meta.parent;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("the recording was branched from {} at t = {} with {}, so it has two specs "
                  "and cannot be flown again from the start; use {}, or branch it again",
                  parent.name, to_text(parent.at), changes.front(), parent.name));
}

void require_plant(const Recording& recording) {
  if (!recording.flown_externally()) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("\"{}\" was flown in an external simulator: the recording holds "
                  "what its frames held and no plant to fly again; a replay of the autopilot "
                  "alone and a diff can use it",
                  recording.meta.name));
}

LoadedSpec recorded_spec(const Recording& recording, std::span<const Override> overrides) {
  const RecordingMeta& meta = recording.meta;
  require_version(meta);
  LoadedSpec loaded = load_recorded(meta, {});
  if (loaded.spec.digest != meta.spec_digest) {
    throw Error(ExitCode::kBadInput,
                fmt::format("the recording of \"{}\" was made by {}: its spec has digest {}, and "
                            "{} here with tactus {}; replay it with the version that recorded it",
                            meta.name, meta.program, to_hex(meta.spec_digest),
                            to_hex(loaded.spec.digest), kVersion));
  }
  return overrides.empty() ? loaded : load_recorded(meta, overrides);
}

}  // namespace tactus
