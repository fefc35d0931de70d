// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/external/program_path.h"

#include <fmt/format.h>

#include <cstdlib>

#include "tactus/core/error.h"

namespace tactus {

std::string path_or_variable(const std::string& path, const char* variable) {
  if (!path.empty()) return path;
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string given_path(const std::string& path, const char* variable, std::string_view key,
                       std::string_view option) {
  std::string found = path_or_variable(path, variable);
  if (!found.empty()) return found;
  throw Error(ExitCode::kBadInput,
              fmt::format("no path is given: set {} in the spec, in [vehicle.set] of a fleet or by "
                          "--set, or set the environment variable {}; `tactus run` also takes {} "
                          "PATH, and `tactus autopilots` lists what is there",
                          key, variable, option));
}

}  // namespace tactus
