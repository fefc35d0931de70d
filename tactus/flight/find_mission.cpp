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
#include "tactus/files/disk_files.h"
#include "tactus/files/text_file.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

std::string find_mission(const std::string& name) {
  const Files& files = disk_files();
  if (files.is_file(name)) return name;
  const std::string folder = (std::filesystem::path(files.data_root()) / "missions").string();
  for (const char* ending : {"", ".waypoints", ".plan"}) {
    const std::string shipped = (std::filesystem::path(folder) / (name + ending)).string();
    if (files.is_file(shipped)) return shipped;
  }
  if (!files.is_missing(name)) {
    std::error_code ignored;
    const bool seen = std::filesystem::exists(name, ignored);
    throw Error(seen ? ExitCode::kBadInput : ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), files.why_no_file(name)));
  }
  const std::vector<std::string> names = files.names_in(folder);
  const std::string known =
      names.empty()
          ? fmt::format("there is no such file, and no missions in {}", folder)
          : fmt::format("neither a file nor one of {} in {}", fmt::join(names, ", "), folder);
  throw Error(ExitCode::kBadInput, fmt::format("{}: {}", shortened(name, 1000), known));
}

}  // namespace tactus
