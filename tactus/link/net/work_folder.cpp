// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/work_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tactus/core/error.h"

namespace tactus {

WorkFolder::WorkFolder(const std::string& path, std::string_view whose) {
  std::error_code error;
  if (!path.empty()) {
    path_ = std::filesystem::absolute(path).string();
    std::filesystem::create_directories(path_, error);
  } else {
    path_ = (std::filesystem::temp_directory_path(error) / "tactus-XXXXXX").string();
    if (!error) temporary_ = ::mkdtemp(path_.data()) != nullptr;
    if (!error && !temporary_) error = std::error_code(errno, std::generic_category());
  }
  if (error) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("folder {} for {} cannot be made: {}", path_, whose, error.message()));
  }
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (temporary_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace tactus
