// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a recording knows of its spec, and the way back: a recorded flight loads from the recording
// alone, whatever has become of the files that it was made from.

#include <span>
#include <string>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

/// Which build flies; outside of every comparison of flights.
struct BuildIdentity {
  std::string commit;  ///< empty: not known
  std::string compiler;
};

/// Everything but what the recorder sees by itself: counts, sources, log mode.
RecordingMeta recording_meta(const LoadedSpec& spec, Tier tier, const BuildIdentity& build);

/// The recorded spec with these changes. Throws Error(kBadInput) if a change is wrong, if the
/// recording is of another version, or if its spec does not have the digest that was recorded.
LoadedSpec recorded_spec(const Recording& recording, std::span<const Override> overrides = {});

/// What a branch changed from its instant on so that no single spec flies it from the start: keys,
/// and conditions that were added (they might have acted before). Events at a time are not among
/// them.
std::vector<std::string> changes_of_spec(const RecordingMeta& meta);

/// Throws Error(kBadInput) if the flight changed its spec on the way, as a branch with other values
/// does: no single spec flies it from the start.
void require_one_spec(const Recording& recording);

/// Throws Error(kBadInput) if there is no plant of ours that could fly it again.
void require_plant(const Recording& recording);

}  // namespace tactus
