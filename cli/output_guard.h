// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a verb asks before it writes a file, and before it does anything that takes long.

#include <span>
#include <string>

namespace tactus::cli {

/// The file must not be there, or the user has said that it may be replaced (`force`), and it is
/// none of the files that the verb reads, under whatever name. Throws Error: kBadInput for an
/// input, kEnvironment for a file that exists or cannot be written there.
void require_free_output(const std::string& path, bool force, std::span<const std::string> inputs);

/// An option and the file that it names; an empty name is an option that was not given.
struct NamedOutput {
  const char* option;
  std::string path;
};

/// Files that a flight writes: no two may be the same. Throws Error(kBadInput).
void require_distinct(std::span<const NamedOutput> outputs);

/// Logs and reports replace what was there, but never an HDF5 file, which may be a recording.
/// Throws Error(kEnvironment).
void require_no_recording(const NamedOutput& output);

}  // namespace tactus::cli
