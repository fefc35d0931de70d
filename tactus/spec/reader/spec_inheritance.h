// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// `extends`: files that build on others, read depth first and merged left to right, then the file
// itself on top. Each file is read and merged once, however many extend it.

#include <functional>
#include <string>
#include <string_view>

#include "tactus/core/files.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// What a format of files makes of it.
struct InheritanceRules {
  /// The file that a name in `extends` stands for; its place says where it was written.
  std::function<std::string(const TomlNode& name)> find;
  /// Why there is no such file.
  std::function<std::string(const TomlNode& name)> no_such_file;
  /// Checks one file by itself, without its `extends`; may drop what is wrong.
  std::function<void(TomlNode& own)> check;
  std::function<void(TomlNode& base, const TomlNode& over)> merge;
};

/// `text` with everything it extends. Its position names the file. Throws PlacedError for a file
/// that cannot be read, is no TOML, extends itself or more than is reasonable.
TomlNode merged_with_extended(const Files& files, std::string_view text, const std::string& file,
                              const InheritanceRules& rules);

}  // namespace tactus
