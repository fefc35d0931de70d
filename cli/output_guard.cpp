// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/output_guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "tactus/core/error.h"

namespace tactus::cli {
namespace {

namespace fs = std::filesystem;

/// A name that is free is of no use if nothing can be written there.
void require_writable_folder(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  throw Error(ExitCode::kEnvironment, fmt::format("{}: cannot be written: {}; choose another path",
                                                  path, std::strerror(errno)));
}

/// Whether two names stand for one file, be it there or not. Devices may be written twice.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::is_character_file(a, error)) return false;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path whole_a = fs::weakly_canonical(fs::absolute(a, error), error);
  return whole_a == fs::weakly_canonical(fs::absolute(b, error), error) && !error;
}

}  // namespace

void require_free_output(const std::string& path, bool force, std::span<const std::string> inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (!fs::equivalent(path, input, ignored)) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: is the recording itself; choose another name", path));
  }
  const fs::file_status there = fs::symlink_status(path, ignored);
  if (!fs::exists(there)) {
    require_writable_folder(path);
    return;
  }
  if (fs::is_directory(path, ignored)) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: is a folder; choose the name of a file", path));
  }
  const bool is_stream = fs::is_character_file(path, ignored) || fs::is_fifo(path, ignored);
  if (force || is_stream) return;
  throw Error(
      ExitCode::kEnvironment,
      fmt::format("{}: exists already; choose another name, or --force to replace it", path));
}

void require_distinct(std::span<const NamedOutput> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const NamedOutput& a = outputs[k];
      const NamedOutput& b = outputs[i];
      if (a.path.empty() || b.path.empty() || !is_same_file(a.path, b.path)) continue;
      throw Error(ExitCode::kBadInput,
                  fmt::format("{} {} and {} {} name the same file; choose another name for one",
                              a.option, a.path, b.option, b.path));
    }
  }
}

void require_no_recording(const NamedOutput& output) {
  std::error_code ignored;
  if (!fs::is_regular_file(output.path, ignored)) return;
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  char begin[kSignature.size()] = {};
  std::ifstream(output.path, std::ios::binary).read(begin, sizeof begin);
  if (std::string_view(begin, sizeof begin) != kSignature) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("{} {}: is an HDF5 file, as recordings are, and is not replaced; choose "
                          "another name or remove it",
                          output.option, output.path));
}

}  // namespace tactus::cli
