// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The files of a command: what it reads and what it is going to write. Asked before anything that
// takes long.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/files/output_file.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::cli {

struct NamedInput {
  std::string option;  ///< or key of the spec
  std::string path;
};

struct NamedOutput {
  std::string option;
  std::string path;  ///< empty: the option was not given
  OutputRules rules{};
};

/// Everything that a spec was read from, and the autopilot's program or library.
std::vector<NamedInput> inputs_of(const LoadedSpec& loaded);

/// No output may be one of the inputs or another output, under whatever name: Error(kBadInput) that
/// names both. Every output must be possible: Error(kEnvironment).
void require_outputs(std::span<const NamedInput> inputs, std::span<const NamedOutput> outputs);

/// The same, and from now on no other program writes there: in the order given, null where the
/// option was not. They are reserved in an order that every program keeps, so that of two who want
/// the same one gets all and the other nothing.
std::vector<std::unique_ptr<OutputFile>> reserve_outputs(std::span<const NamedInput> inputs,
                                                         std::span<const NamedOutput> outputs);

/// Everything that a file is to hold; it has its name afterwards. Throws Error(kEnvironment).
void write_file(OutputFile& file, std::string_view text);

/// What a verb writes that replaces files only with --force.
OutputRules rules_with_force(bool force);

}  // namespace tactus::cli
