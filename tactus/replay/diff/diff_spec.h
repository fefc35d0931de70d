// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What two recordings say of themselves: keys of the specs, programs, vehicles, sources.

#include <string>
#include <vector>

#include "tactus/replay/diff/diff.h"

namespace tactus {

/// Keys with two values, in the order of the spec.
std::vector<SpecDifference> spec_differences(const RecordingMeta& a, const RecordingMeta& b);

/// One sentence for each other thing in which they differ.
std::vector<std::string> meta_differences(const RecordingMeta& a, const RecordingMeta& b);

/// The parts whose parameters differ, each once; texts and the log do not fly.
std::vector<Component> differing_components(const std::vector<SpecDifference>& differences);

/// "body.mass_kg = 1.5 and 1.6"; the keys of one part.
std::string keys_text(const std::vector<SpecDifference>& differences, Component owner);

}  // namespace tactus
