// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From files and overrides to one tree: each file is checked against the schema by itself, then
// merged over what it extends, on meaning rather than on text:
//   tables recursively; values replace; a key of a group replaces an inherited other of the group
//   (inertia tensor and diagonal, Euler angles and quaternion, the trigger of an event);
//   arrays of tables by `id`: inherited entries first, in their order; `remove = true` removes one;
//   another `do` or `kind` of an entry drops the inherited keys that belonged to the old one.
// Values keep the position where they were written, so paths and messages refer to that file.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_mistakes.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// `text` with everything it extends and the overrides. Its position names the file. What is wrong
/// is added to `mistakes` and left out; throws PlacedError for a file that cannot be read or is no
/// TOML. `extended`: gets the path of every file that was read. `others`: keys of `file` itself
/// that are no part of a spec, and are left out.
TomlNode merged_tree(const Files& files, std::string_view text, const std::string& file,
                     std::span<const Override> overrides, SpecMistakes& mistakes,
                     std::vector<std::string>* extended = nullptr,
                     std::span<const std::string_view> others = {});

/// Changes of a merged tree. Throws PlacedError for the first that is wrong.
void apply_overrides(std::span<const Override> overrides, TomlNode& root);

/// A name stands for its own file: one that is inherited would be that of another flight.
void name_after_file(TomlNode& root, const std::string& file);

}  // namespace tactus
