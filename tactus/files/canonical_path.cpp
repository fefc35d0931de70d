// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/canonical_path.h"

#include <filesystem>
#include <system_error>

namespace tactus {

std::string canonical_path(const std::string& path) {
  std::error_code error;
  std::filesystem::path whole = std::filesystem::absolute(path, error);
  if (!error) whole = std::filesystem::weakly_canonical(whole, error);
  return error ? path : whole.string();
}

}  // namespace tactus
