// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/toml/toml_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tactus/core/files.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {
namespace {

/// Walks over a text and knows which brackets are open and how many parts each key has.
class TomlScan {
 public:
  TomlScan(std::string_view text, const std::string& file) : text_(text), file_(&file) {}

  void run() {
    while (at_ < text_.size()) step();
  }

 private:
  /// What one bracket, or the line of a file, adds to the depth.
  enum class Opened : std::uint8_t { kNothing, kArray, kTable };
  struct Level {
    Opened opened = Opened::kNothing;  ///< the file itself
    std::size_t parts = 0;             ///< of the key before a value, or of the header
    bool in_value = false;             ///< a dot is part of a number
  };

  void step() {
    const char c = text_[at_];
    switch (c) {
      case '\n':
        if (levels_.size() == 1) end_line();
        break;
      case '#': skip_comment(); return;
      case '"':
      case '\'': skip_string(c); return;
      case '.':
        if (!level().in_value) add_depth(level().parts);
        break;
      case '=':
        level().in_value = true;
        add_depth(level().parts);
        count_value();
        break;
      case ',':
        count_value();
        level().parts = 0;
        level().in_value = level().opened == Opened::kArray;
        break;
      case '[': open(Opened::kArray); break;
      case '{': open(Opened::kTable); break;
      case ']': close(Opened::kArray); break;
      case '}': close(Opened::kTable); break;
      default: break;
    }
    ++at_;
  }

  Level& level() { return levels_.back(); }

  /// A header [a.b] or [[a.b]] stays in force until the next one.
  void end_line() {
    if (in_header_) header_parts_ = level().parts;
    in_header_ = false;
    level() = {};
  }

  void open(Opened what) {
    if (in_header_) return;
    count_value();
    if (levels_.size() == 1 && !level().in_value && what == Opened::kArray) {
      in_header_ = true;  // its dots are counted as those of a key
      header_parts_ = 0;
      level().parts = 1;
      return;
    }
    levels_.push_back({what, 0, what == Opened::kArray});
    require_depth();
  }

  void close(Opened what) {
    if (levels_.size() > 1 && level().opened == what) levels_.pop_back();
  }

  void add_depth(std::size_t& parts) {
    ++parts;
    require_depth();
  }

  void require_depth() {
    std::size_t depth = header_parts_;
    for (const Level& one : levels_) depth += one.parts + (one.opened == Opened::kNothing ? 0 : 1);
    if (depth <= kDeepestToml) return;
    refuse(
        fmt::format("nested more than {} deep; parts of dotted keys and of headers, arrays and "
                    "inline tables count",
                    kDeepestToml));
  }

  void count_value() {
    if (++values_ <= kMostTomlValues) return;
    refuse(fmt::format("more than {} values", kMostTomlValues));
  }

  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  /// Of one line or several; a string of one line ends with it at the latest.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool several = text_.substr(at_).starts_with(three);
    at_ += several ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (several ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += several ? 3 : 1;
        // Its last one or two letters may be quotes themselves.
        for (int i = 0; several && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
        return;
      } else if (!several && text_[at_] == '\n') {
        return;
      }
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line_start = before.rfind('\n') + 1;
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw PlacedError(ExitCode::kBadInput,
                      {*file_, static_cast<std::uint32_t>(line),
                       static_cast<std::uint32_t>(at_ - line_start + 1)},
                      "", what);
  }

  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  std::vector<Level> levels_{1};
  bool in_header_ = false;
  std::size_t header_parts_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

void require_bounded_toml(std::string_view text, const std::string& file) {
  if (text.size() > kLargestTextFile) {
    throw PlacedError(ExitCode::kBadInput, {file, 1, 1}, "",
                      fmt::format("larger than {} MiB", kLargestTextFile >> 20));
  }
  TomlScan(text, file).run();
}

}  // namespace tactus
