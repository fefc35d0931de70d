// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From the merged tree of spec_merge.h to a spec.

#include <map>
#include <span>
#include <string>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// A mission file that was read before.
struct KnownMission {
  AttachedFile file;
  Mission mission;  ///< as it stands there
};
/// By the name that a spec has for it.
using KnownMissions = std::map<std::string, KnownMission>;

struct ReadSpecOptions {
  std::span<const AttachedFile> attached{};  ///< used instead of files of their names
  const KnownMissions* missions = nullptr;   ///< the same, without reading text
  bool with_texts = true;                    ///< false: without provenance and resolved text
};

/// Throws PlacedError for the first mistake.
LoadedSpec read_spec(const Files& files, const TomlNode& root, const ReadSpecOptions& options = {});

}  // namespace tactus
