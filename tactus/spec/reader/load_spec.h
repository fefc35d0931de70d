// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Reads a spec: a TOML file, everything it extends, and overrides from the command line, merged on
// meaning and checked. Keys, format and merge rules: docs/spec.md.
//
// Every error is one line, "file:line:column: key = value: reason (what is allowed)", as
// Error(kBadInput); a file that cannot be read is Error(kEnvironment). Of several mistakes the
// first one is thrown; spec_mistakes() gives them all. tactus/files/disk_files.h has the same
// functions for the files of this machine.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/files.h"
#include "tactus/spec/model/attached_file.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// `--set KEY=VALUE`. The key is dotted, entries of arrays of tables are addressed by their id
/// ("rotor.front_left.position_body_m"); the value is TOML, or a bare word taken as a string.
struct Override {
  std::string key;
  std::string value;
};

/// "KEY=VALUE" from a command line. Throws Error(kBadInput) if there is no key or no "=".
Override parse_override(std::string_view text);

/// Where a value of the resolved spec comes from.
struct ResolvedKey {
  std::string key;                 ///< dotted, as in Override
  std::string value;               ///< TOML text
  std::optional<TomlPosition> at;  ///< where it was written; none: the default
  std::string unit;

  [[nodiscard]] bool is_override() const { return at && at->file.empty(); }
  /// "file:line", "--set" or "default".
  [[nodiscard]] std::string origin() const { return at ? at->origin() : "default"; }
};

/// All keys of a resolved spec, in the order of the schema.
using Provenance = std::vector<ResolvedKey>;

class SpecPlaces;
/// A file that was read for a spec.
struct SpecInput {
  std::string key;  ///< that names it: "extends", "autopilot.mission"; "SPEC": the file itself
  std::string path;
};

struct LoadedSpec {
  Spec spec;
  Provenance provenance;
  std::string resolved;  ///< the whole spec as TOML with origins; loads to the same digest
  std::vector<AttachedFile> files;  ///< all that `resolved` names: with them it stands alone
  /// Where its keys were written, for messages about what only shows later: spec_places.h.
  std::shared_ptr<const SpecPlaces> places = {};
  std::vector<SpecInput> inputs = {};  ///< the files that were read
};

LoadedSpec load_spec(const Files& files, const std::string& path,
                     std::span<const Override> overrides = {});

/// The same for text in memory. `file` stands for it in messages; relative paths in the text are
/// resolved against the folder of `file`. An attached file is used instead of one of its name.
/// `others`: keys of the text that are no part of a spec.
LoadedSpec load_spec_text(const Files& files, std::string_view text, const std::string& file,
                          std::span<const Override> overrides = {},
                          std::span<const AttachedFile> attached = {},
                          std::span<const std::string_view> others = {});

/// What is wrong with a spec, by file, line and column, as far as one mistake does not hide another
/// or cause it. Empty: it loads.
std::vector<Error> spec_mistakes(const Files& files, const std::string& path,
                                 std::span<const Override> overrides = {});
std::vector<Error> spec_mistakes_in_text(const Files& files, std::string_view text,
                                         const std::string& file,
                                         std::span<const Override> overrides = {});

}  // namespace tactus
