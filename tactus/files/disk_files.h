// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The files of this machine, and what reads specs and missions from them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/files.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

/// The data root: $TACTUS_DATA, else the source tree, else ../share/tactus beside the program.
const Files& disk_files();

inline std::string data_root() { return disk_files().data_root(); }

// Those of load_spec.h, spec_files.h and import_spec.h on the files of this machine.
std::string find_spec(const std::string& name);
std::vector<std::string> specs_in(const std::string& folder);
LoadedSpec load_spec(const std::string& path, std::span<const Override> overrides = {});
LoadedSpec load_spec_text(std::string_view text, const std::string& file,
                          std::span<const Override> overrides = {},
                          std::span<const AttachedFile> attached = {});
std::vector<Error> spec_mistakes(const std::string& path, std::span<const Override> overrides = {});
std::vector<Error> spec_mistakes_in_text(std::string_view text, const std::string& file,
                                         std::span<const Override> overrides = {});
std::string import_spec(const std::string& path);

/// Reads a mission file; see parse_mission().
Mission load_mission(const std::string& path);

}  // namespace tactus
