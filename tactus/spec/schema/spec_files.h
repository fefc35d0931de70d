// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Files that a spec names: other specs in `extends`, the mission, parameters of ArduPilot.

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "tactus/spec/schema/spec_files.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// The file that `name` stands for: relative to the folder of the file in which it was written. A
/// name without a folder that is no file there is one in the first of these folders of the data
/// root that has it. If there is no such file at all: the place beside the file.
std::string find_named(const TomlNode& name, std::initializer_list<const char*> shipped_in);

/// "there is no such file; …" with the places that find_named searched and the nearest name.
std::string no_such_file(const TomlNode& name, std::initializer_list<const char*> shipped_in);

/// A regular file, or a link to one.
bool is_file(const std::string& path);

/// Sorted names, without .toml, of the specs in a folder.
std::vector<std::string> specs_in(const std::filesystem::path& folder);

/// So that the resolved spec means the same wherever it is read.
std::string absolute_path(const std::string& path);

/// Folder that holds aircraft/, missions/ and scenarios/: $TACTUS_DATA, else the source tree, else
/// ../share/tactus beside the program.
std::string data_root();

/// A path (with a folder or .toml) as it is, or a name (with or without .toml) in scenarios/, then
/// aircraft/, of the data root. Throws Error: kEnvironment if the path is no file, kBadInput that
/// lists the known names.
std::string find_spec(const std::string& name);

}  // namespace tactus
