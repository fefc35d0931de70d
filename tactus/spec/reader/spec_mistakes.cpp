// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_merge.h"
#include "tactus/spec/reader/spec_reader.h"

namespace tactus {
namespace {

std::string_view parent_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

bool is_in(std::string_view key, std::string_view table) {
  return key.size() > table.size() && key.starts_with(table) && key[table.size()] == '.';
}

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_letter(text[at - 1]);
    if (begins && (end == text.size() || !is_word_letter(text[end]))) return true;
  }
  return false;
}

/// Takes a dotted key out of the tree; false: it is not there.
bool erase_key(TomlNode& root, std::string_view key) {
  TomlNode* node = &root;
  while (!key.empty()) {
    const std::string_view part = key.substr(0, key.find('.'));
    key.remove_prefix(std::min(key.size(), part.size() + 1));
    const auto it =
        std::find_if(node->children.begin(), node->children.end(), [&](const TomlNode& child) {
          const TomlNode* id = node->is_array() ? child.find("id") : nullptr;
          return node->is_array() ? id != nullptr && id->text == part : child.key == part;
        });
    if (it == node->children.end()) return false;
    if (key.empty()) {
      node->children.erase(it);
      return true;
    }
    node = &*it;
  }
  return false;
}

/// Reads the tree again and again, each time without what was wrong the last time.
class Search {
 public:
  Search(const Files& files, TomlNode root, SpecMistakes& mistakes)
      : files_(&files), root_(std::move(root)), mistakes_(&mistakes) {
    for (const PlacedError& mistake : mistakes.found()) removed_.push_back(mistake.key());
  }

  void run() {
    while (!mistakes_->is_full()) {
      try {
        read_spec(*files_, root_);
        return;
      } catch (const PlacedError& mistake) {
        if (!is_consequence(mistake)) mistakes_->add(mistake);
        if (!remove(mistake.key())) return;
      }
    }
  }

 private:
  /// The key, or, if it is missing in an entry of a list, the entry.
  bool remove(std::string_view key) {
    for (; !key.empty(); key = parent_of(key)) {
      removed_.emplace_back(key);
      if (erase_key(root_, key)) return true;
      const bool in_entry = key.find('.') != key.rfind('.');
      if (!in_entry) return false;
    }
    return false;
  }

  /// Whether it may be there only because something was removed.
  [[nodiscard]] bool is_consequence(const PlacedError& mistake) const {
    const std::string& key = mistake.key();
    const std::optional<ErrorSubject>& subject = mistake.subject();
    const bool missing = subject && subject->missing;
    const auto names = [&](std::string_view word) {
      if (!subject) return has_word(mistake.what(), word);
      return has_word(subject->value, word) || has_word(subject->reason, word);
    };
    return std::any_of(removed_.begin(), removed_.end(), [&](const std::string& removed) {
      if (key == removed || is_in(key, removed) || is_in(removed, key)) return true;
      if (missing && parent_of(key) == parent_of(removed)) return true;
      return names(std::string_view(removed).substr(removed.rfind('.') + 1));
    });
  }

  const Files* files_;
  TomlNode root_;
  SpecMistakes* mistakes_;
  std::vector<std::string> removed_;
};

}  // namespace

void SpecMistakes::add(const PlacedError& mistake) {
  if (is_full()) {
    ++more_;
  } else {
    found_.push_back(mistake);
  }
}

std::vector<Error> SpecMistakes::sorted() const {
  std::vector<const PlacedError*> order;
  for (const PlacedError& mistake : found_) order.push_back(&mistake);
  std::stable_sort(order.begin(), order.end(), [](const PlacedError* a, const PlacedError* b) {
    const auto place = [](const TomlPosition& at) {
      return std::make_tuple(at.file.empty(), std::string_view(at.file), at.line, at.column);
    };
    return place(a->at()) < place(b->at());
  });
  std::vector<Error> sorted;
  for (const PlacedError* mistake : order) {
    const auto same = [&](const Error& e) { return std::string_view(e.what()) == mistake->what(); };
    if (std::none_of(sorted.begin(), sorted.end(), same)) sorted.push_back(*mistake);
  }
  if (more_ > 0) {
    sorted.emplace_back(ExitCode::kBadInput, fmt::format("and {} more", more_));
  } else if (is_full()) {
    sorted.emplace_back(ExitCode::kBadInput, "and perhaps more");  // the search has ended there
  }
  return sorted;
}

std::vector<Error> spec_mistakes_in_text(const Files& files, std::string_view text,
                                         const std::string& file,
                                         std::span<const Override> overrides) {
  SpecMistakes mistakes;
  mistakes.collect([&] {
    TomlNode root = merged_tree(files, text, file, overrides, mistakes);
    if (!mistakes.lost_table()) Search(files, std::move(root), mistakes).run();
  });
  return mistakes.sorted();
}

std::vector<Error> spec_mistakes(const Files& files, const std::string& path,
                                 std::span<const Override> overrides) {
  return spec_mistakes_in_text(files, files.read(path), path, overrides);
}

}  // namespace tactus
