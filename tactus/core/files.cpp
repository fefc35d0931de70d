// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/files.h"

#include <filesystem>
#include <set>

#include "tactus/core/error.h"

namespace tactus {

MemoryFiles::MemoryFiles(const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts) texts_.emplace(MemoryFiles::absolute(path), text);
}

std::string MemoryFiles::read(const std::string& path) const {
  const auto it = texts_.find(absolute(path));
  if (it != texts_.end()) return it->second;
  throw Error(ExitCode::kEnvironment, path + ": cannot be read: " + why_no_file(path));
}

std::string MemoryFiles::why_no_file(const std::string& path) const {
  if (texts_.contains(absolute(path))) return {};
  return is_folder(path) ? "is a folder" : "there is no such file";
}

bool MemoryFiles::is_missing(const std::string& path) const {
  return !texts_.contains(absolute(path)) && !is_folder(path);
}

bool MemoryFiles::is_folder(const std::string& path) const { return !names_in(path).empty(); }

std::vector<std::string> MemoryFiles::names_in(const std::string& folder) const {
  std::string prefix = absolute(folder);
  if (!prefix.ends_with('/')) prefix += '/';
  std::set<std::string> names;
  for (auto it = texts_.lower_bound(prefix); it != texts_.end(); ++it) {
    if (!it->first.starts_with(prefix)) break;
    const std::string rest = it->first.substr(prefix.size());
    names.insert(rest.substr(0, rest.find('/')));
  }
  return {names.begin(), names.end()};
}

std::string MemoryFiles::absolute(const std::string& path) const {
  std::string whole = (std::filesystem::path("/") / path).lexically_normal().string();
  if (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

std::string MemoryFiles::canonical(const std::string& path) const { return absolute(path); }

}  // namespace tactus
