// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/find_mission.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/core/text_file.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/schema/spec_files.h"

namespace tactus {
namespace {

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::vector<std::string> missions_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string find_mission(const std::string& name) {
  if (is_file(name)) return name;
  const std::filesystem::path folder = std::filesystem::path(data_root()) / "missions";
  for (const char* ending : {"", ".waypoints", ".plan"}) {
    const std::filesystem::path shipped = folder / (name + ending);
    if (is_file(shipped)) return shipped.string();
  }
  if (!is_missing(name)) {
    std::error_code ignored;
    const bool seen = std::filesystem::exists(name, ignored);
    throw Error(seen ? ExitCode::kBadInput : ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), why_no_file(name)));
  }
  const std::vector<std::string> names = missions_in(folder);
  const std::string known =
      names.empty() ? fmt::format("there is no such file, and no missions in {}", folder.string())
                    : fmt::format("neither a file nor one of {} in {}", fmt::join(names, ", "),
                                  folder.string());
  throw Error(ExitCode::kBadInput, fmt::format("{}: {}", shortened(name, 1000), known));
}

}  // namespace tactus
