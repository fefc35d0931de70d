// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From the merged tree of spec_merge.h to a spec.

#include <span>

#include "tactus/core/files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Attached files are used instead of those of their name. Throws PlacedError for the first
/// mistake.
LoadedSpec read_spec(const Files& files, const TomlNode& root,
                     std::span<const AttachedFile> attached = {});

}  // namespace tactus
