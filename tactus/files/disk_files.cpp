// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// TACTUS_SOURCE_DIR is given by the build.

#include "tactus/files/disk_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tactus/files/canonical_path.h"
#include "tactus/files/text_file.h"
#include "tactus/spec/import/import_spec.h"
#include "tactus/spec/schema/spec_files.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

class DiskFiles final : public Files {
 public:
  [[nodiscard]] std::string read(const std::string& path) const override {
    return read_text_file(path);
  }
  [[nodiscard]] std::string why_no_file(const std::string& path) const override {
    return tactus::why_no_file(path);
  }
  [[nodiscard]] bool is_missing(const std::string& path) const override {
    return tactus::is_missing(path);
  }
  [[nodiscard]] bool is_folder(const std::string& path) const override {
    std::error_code failed;
    return fs::is_directory(path, failed);
  }
  [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override {
    std::vector<std::string> names;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] std::string absolute(const std::string& path) const override {
    std::error_code failed;
    const fs::path absolute = fs::absolute(path, failed);
    return (failed ? fs::path(path) : absolute).lexically_normal().string();
  }
  [[nodiscard]] std::string canonical(const std::string& path) const override {
    return canonical_path(path);
  }
  [[nodiscard]] std::string data_root() const override {
    if (const char* given = std::getenv("TACTUS_DATA"); given != nullptr && *given != '\0') {
      return given;
    }
    std::error_code failed;
#ifdef TACTUS_SOURCE_DIR
    // Shipped specs are found in the source tree as long as it exists.
    if (is_folder(TACTUS_SOURCE_DIR "/aircraft")) return TACTUS_SOURCE_DIR;
#endif
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return (program.parent_path().parent_path() / "share" / "tactus").string();
  }
};

}  // namespace

const Files& disk_files() {
  static const DiskFiles kFiles;
  return kFiles;
}

std::string find_spec(const std::string& name) { return find_spec(disk_files(), name); }

std::vector<std::string> specs_in(const std::string& folder) {
  return specs_in(disk_files(), folder);
}

LoadedSpec load_spec(const std::string& path, std::span<const Override> overrides) {
  return load_spec(disk_files(), path, overrides);
}

LoadedSpec load_spec_text(std::string_view text, const std::string& file,
                          std::span<const Override> overrides,
                          std::span<const AttachedFile> attached) {
  return load_spec_text(disk_files(), text, file, overrides, attached);
}

std::vector<Error> spec_mistakes(const std::string& path, std::span<const Override> overrides) {
  return spec_mistakes(disk_files(), path, overrides);
}

std::vector<Error> spec_mistakes_in_text(std::string_view text, const std::string& file,
                                         std::span<const Override> overrides) {
  return spec_mistakes_in_text(disk_files(), text, file, overrides);
}

std::string import_spec(const std::string& path) { return import_spec(disk_files(), path); }

Mission load_mission(const std::string& path) { return parse_mission(read_text_file(path), path); }

}  // namespace tactus
