// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/spec_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFileName = 255;  // of all file systems in use

bool is_bare(const std::string& name) { return name.find('/') == std::string::npos; }

std::string beside(const TomlNode& name) {
  return (fs::path(name.at.file).parent_path() / name.text).lexically_normal().string();
}

}  // namespace

std::vector<std::string> specs_in(const Files& files, const std::string& folder) {
  std::vector<std::string> names;
  for (const std::string& file : files.names_in(folder)) {
    if (file.ends_with(".toml")) names.push_back(file.substr(0, file.size() - 5));
  }
  return names;
}

std::string find_spec(const Files& files, const std::string& name) {
  const bool is_name = is_bare(name);
  // A bare word is a name first, or any file "iris" in the working folder would hide the aircraft.
  const bool is_path = !is_name || name.ends_with(".toml");
  if (is_path && files.is_file(name)) return name;
  if (!is_name) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), files.why_no_file(name)));
  }
  const fs::path root = files.data_root();
  const std::string file = is_path ? name : name + ".toml";
  for (const char* folder : {"scenarios", "aircraft"}) {
    if (files.is_file((root / folder / file).string())) return (root / folder / file).string();
  }
  if (files.is_file(name)) return name;
  if (!files.is_missing(name)) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("{}: {}", shortened(name, 1000), files.why_no_file(name)));
  }
  if (!files.is_folder(root.string())) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("there is no spec \"{}\": the data folder {} does not exist; set "
                            "TACTUS_DATA to the folder that holds scenarios/ and aircraft/",
                            name, root.string()));
  }
  const std::vector<std::string> scenarios = specs_in(files, (root / "scenarios").string());
  const std::vector<std::string> aircraft = specs_in(files, (root / "aircraft").string());
  std::vector<std::string> all = scenarios;
  all.insert(all.end(), aircraft.begin(), aircraft.end());
  throw Error(
      ExitCode::kBadInput,
      fmt::format("{} (scenarios: {}; aircraft: {}; in {})",
                  did_you_mean(fmt::format("there is no spec \"{}\"", shortened(name)), name, all),
                  fmt::join(scenarios, ", "), fmt::join(aircraft, ", "), root.string()));
}

std::string find_named(const Files& files, const TomlNode& name,
                       std::initializer_list<const char*> shipped_in) {
  std::string own = beside(name);
  if (!is_bare(name.text) || files.is_file(own)) return own;
  const fs::path root = files.data_root();
  for (const char* folder : shipped_in) {
    for (const std::string& file : {name.text, name.text + ".toml"}) {
      std::string shipped = (root / folder / file).string();
      if (files.is_file(shipped)) return shipped;
    }
  }
  return own;
}

std::string no_such_file(const Files& files, const TomlNode& name,
                         std::initializer_list<const char*> shipped_in) {
  const std::string own = shortened(beside(name), 200);
  const auto parts = fs::path(name.text);
  if (std::any_of(parts.begin(), parts.end(),
                  [](const fs::path& part) { return part.native().size() > kLongestFileName; })) {
    return fmt::format("a name of a file has {} bytes at most", kLongestFileName);
  }
  if (!is_bare(name.text)) return fmt::format("there is no file {}", own);
  const fs::path root = files.data_root();
  std::vector<std::string> places;
  std::vector<std::string> names;
  for (const char* folder : shipped_in) {
    places.push_back((root / folder).string());
    const std::vector<std::string> shipped = files.names_in(places.back());
    names.insert(names.end(), shipped.begin(), shipped.end());
  }
  return did_you_mean(fmt::format("there is neither a file {} nor one of this name in {}", own,
                                  fmt::join(places, " or ")),
                      name.text, names);
}

}  // namespace tactus
