// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_inheritance.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

/// Files that one may extend, and that may extend each other in a row: far more than needed, and
/// few enough that neither the stack nor the time to read them runs out.
constexpr std::size_t kMostExtended = 100;
constexpr std::size_t kLongestChain = 64;

std::vector<const TomlNode*> extended_files(const TomlNode& root) {
  const TomlNode* extends = root.find("extends");
  if (extends == nullptr) return {};
  std::vector<const TomlNode*> files;
  if (extends->is_string()) files = {extends};
  for (const TomlNode& child : extends->children) files.push_back(&child);
  const bool all_text = std::all_of(files.begin(), files.end(),
                                    [](const TomlNode* file) { return file->is_string(); });
  if (files.empty() ? !extends->is_array() : !all_text) {
    refuse_value(*extends, "extends", "must be a path or an array of paths");
  }
  if (std::any_of(files.begin(), files.end(),
                  [](const TomlNode* file) { return file->text.empty(); })) {
    refuse_value(*extends, "extends", "a path must not be empty");
  }
  if (files.size() > kMostExtended) {
    refuse_value(*extends, "extends",
                 fmt::format("names {} files; at most {}", files.size(), kMostExtended));
  }
  return files;
}

class Inheritance {
 public:
  Inheritance(const Files& files, const InheritanceRules& rules) : files_(&files), rules_(&rules) {}

  TomlNode tree(std::string_view text, const std::string& file) {
    TomlNode own = parse_toml(text, file);
    TomlNode merged;
    merged.at = own.at;
    chain_.push_back({file, files_->canonical(file)});
    for (const TomlNode* tree : extended_trees(own)) rules_->merge(merged, *tree);
    chain_.pop_back();
    own.erase("extends");
    rules_->check(own);
    rules_->merge(merged, own);
    return merged;
  }

 private:
  struct Link {
    std::string file;       ///< as the user named it
    std::string canonical;  ///< to recognise it under another name
  };
  /// The same file under names in two folders may find different files beside it.
  using FileAndFolder = std::pair<std::string, std::string>;

  /// What is named many times is merged where it stands first, which gives its entries their
  /// places, and where it stands last, which makes its values those that hold.
  std::vector<const TomlNode*> extended_trees(const TomlNode& own) {
    std::vector<const TomlNode*> trees;
    for (const TomlNode* name : extended_files(own)) {
      const TomlNode* const tree = &extended(*name);
      const auto first = std::find(trees.begin(), trees.end(), tree);
      if (first != trees.end()) trees.erase(std::remove(first + 1, trees.end(), tree), trees.end());
      trees.push_back(tree);
    }
    return trees;
  }

  const TomlNode& extended(const TomlNode& name) {
    const std::string file = rules_->find(name);
    const std::filesystem::path folder =
        std::filesystem::path(files_->absolute(file)).parent_path();
    const FileAndFolder identity{files_->canonical(file), files_->canonical(folder.string())};
    refuse_chain(name, file, identity.first);
    const auto known = merged_.find(identity);
    if (known != merged_.end()) return known->second;
    return merged_.emplace(identity, tree(read(name, file), file)).first->second;
  }

  void refuse_chain(const TomlNode& name, const std::string& file,
                    const std::string& canonical) const {
    const bool again = std::any_of(chain_.begin(), chain_.end(),
                                   [&](const Link& link) { return link.canonical == canonical; });
    if (again) {
      std::string chain;
      for (const Link& link : chain_) chain += link.file + " -> ";
      refuse_value(name, "extends", fmt::format("extends itself: {}{}", chain, file));
    }
    if (chain_.size() < kLongestChain) return;
    refuse_value(name, "extends",
                 fmt::format("more than {} files extend each other, beginning with {}",
                             kLongestChain, chain_.front().file));
  }

  std::string read(const TomlNode& name, const std::string& file) const {
    try {
      return files_->read(file);
    } catch (const Error& error) {
      throw PlacedError(error.code(), name.at,
                        ErrorSubject{.key = "extends",
                                     .note = {},
                                     .value = shortened(to_toml(name.text)),
                                     .reason = files_->is_missing(file) ? rules_->no_such_file(name)
                                                                        : error.what()});
    }
  }

  const Files* files_;
  const InheritanceRules* rules_;
  std::vector<Link> chain_;
  std::map<FileAndFolder, TomlNode> merged_;  ///< with all that they extend
};

}  // namespace

TomlNode merged_with_extended(const Files& files, std::string_view text, const std::string& file,
                              const InheritanceRules& rules) {
  return Inheritance(files, rules).tree(text, file);
}

}  // namespace tactus
