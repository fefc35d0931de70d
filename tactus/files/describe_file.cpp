// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/describe_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "tactus/autopilot/mission/file_kind.h"

namespace tactus {

std::string describe_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return "a folder; name a file in it";
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::string head(kFileHead, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return describe_head(head);
}

}  // namespace tactus
