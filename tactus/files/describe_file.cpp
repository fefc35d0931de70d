// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/describe_file.h"

#include <filesystem>
#include <system_error>

#include "tactus/autopilot/mission/file_kind.h"
#include "tactus/files/text_file.h"

namespace tactus {

std::string describe_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return "a folder; name a file in it";
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  return describe_head(head_of_file(path, kFileHead));
}

}  // namespace tactus
