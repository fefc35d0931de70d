// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Where specs and missions are, the shipped ones too. TACTUS_SOURCE_DIR is given by the build.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/core/text_file.h"
#include "tactus/spec/schema/spec_files.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFileName = 255;  // of all file systems in use

/// Sorted file names in a folder.
std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  // tidy: allow directory-order, the names are sorted below
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_bare(const std::string& name) { return name.find('/') == std::string::npos; }

std::string beside(const TomlNode& name) {
  return (fs::path(name.at.file).parent_path() / name.text).lexically_normal().string();
}

}  // namespace

std::vector<std::string> specs_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& file : files_in(folder)) {
    if (file.ends_with(".toml")) names.push_back(file.substr(0, file.size() - 5));
  }
  return names;
}

bool is_file(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return (failed ? fs::path(path) : absolute).lexically_normal().string();
}

std::string data_root() {
  if (const char* given = std::getenv("TACTUS_DATA"); given != nullptr && *given != '\0') {
    return given;
  }
  std::error_code failed;
#ifdef TACTUS_SOURCE_DIR
  if (fs::is_directory(fs::path(TACTUS_SOURCE_DIR) / "aircraft", failed)) return TACTUS_SOURCE_DIR;
#endif
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return (program.parent_path().parent_path() / "share" / "tactus").string();
}

std::string find_spec(const std::string& name) {
  const bool is_name = is_bare(name);
  // A bare word is a name first, or any file "iris" in the working folder would hide the aircraft.
  const bool is_path = !is_name || name.ends_with(".toml");
  if (is_path && is_file(name)) return name;
  if (!is_name) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), why_no_file(name)));
  }
  const fs::path root = data_root();
  const std::string file = is_path ? name : name + ".toml";
  for (const char* folder : {"scenarios", "aircraft"}) {
    if (is_file((root / folder / file).string())) return (root / folder / file).string();
  }
  if (is_file(name)) return name;
  if (!is_missing(name)) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), why_no_file(name)));
  }
  if (std::error_code failed; !fs::is_directory(root, failed)) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("there is no spec \"{}\": the data folder {} does not exist; set "
                            "TACTUS_DATA to the folder that holds scenarios/ and aircraft/",
                            name, root.string()));
  }
  const std::vector<std::string> scenarios = specs_in(root / "scenarios");
  const std::vector<std::string> aircraft = specs_in(root / "aircraft");
  std::vector<std::string> all = scenarios;
  all.insert(all.end(), aircraft.begin(), aircraft.end());
  throw Error(
      ExitCode::kBadInput,
      fmt::format("{} (scenarios: {}; aircraft: {}; in {})",
                  did_you_mean(fmt::format("there is no spec \"{}\"", shortened(name)), name, all),
                  fmt::join(scenarios, ", "), fmt::join(aircraft, ", "), root.string()));
}

std::string find_named(const TomlNode& name, std::initializer_list<const char*> shipped_in) {
  std::string own = beside(name);
  if (!is_bare(name.text) || is_file(own)) return own;
  const fs::path root = data_root();
  for (const char* folder : shipped_in) {
    for (const std::string& file : {name.text, name.text + ".toml"}) {
      std::string shipped = (root / folder / file).string();
      if (is_file(shipped)) return shipped;
    }
  }
  return own;
}

std::string no_such_file(const TomlNode& name, std::initializer_list<const char*> shipped_in) {
  const std::string own = shortened(beside(name), 200);
  const auto parts = fs::path(name.text);
  if (std::any_of(parts.begin(), parts.end(),
                  [](const fs::path& part) { return part.native().size() > kLongestFileName; })) {
    return fmt::format("a name of a file has {} bytes at most", kLongestFileName);
  }
  if (!is_bare(name.text)) return fmt::format("there is no file {}", own);
  const fs::path root = data_root();
  std::vector<std::string> places;
  std::vector<std::string> names;
  for (const char* folder : shipped_in) {
    places.push_back((root / folder).string());
    for (std::string& file : files_in(root / folder)) names.push_back(std::move(file));
  }
  return did_you_mean(fmt::format("there is neither a file {} nor one of this name in {}", own,
                                  fmt::join(places, " or ")),
                      name.text, names);
}

}  // namespace tactus
