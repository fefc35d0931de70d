// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where specs are, and the files that a spec names: others in `extends`, the mission, parameters of
// ArduPilot.

#include <initializer_list>
#include <string>
#include <vector>

#include "tactus/core/files.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// The file that `name` stands for: relative to the folder of the file in which it was written. A
/// name without a folder that is no file there is one in the first of these folders of the data
/// root that has it. If there is no such file at all: the place beside the file.
std::string find_named(const Files& files, const TomlNode& name,
                       std::initializer_list<const char*> shipped_in);

/// "there is no such file; …" with the places that find_named searched and the nearest name.
std::string no_such_file(const Files& files, const TomlNode& name,
                         std::initializer_list<const char*> shipped_in);

/// Sorted names, without .toml, of the specs in a folder.
std::vector<std::string> specs_in(const Files& files, const std::string& folder);

/// A path (with a folder or .toml) as it is, or a name (with or without .toml) in scenarios/, then
/// aircraft/, of the data root. Throws Error: kEnvironment if the path is no file, kBadInput that
/// lists the known names.
std::string find_spec(const Files& files, const std::string& name);

}  // namespace tactus
