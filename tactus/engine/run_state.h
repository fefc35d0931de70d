// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A run as bytes: all of its state (contract C9) apart from what it was assembled from. Loaded into
// a run that was assembled from the same spec, here or on another machine, it continues with the
// same bits.
//
// There are two instants at which a run can be saved:
//   between two calls of proceed()     it stands before the work of its boundary
//   in Recorder::boundary()            that work is done, the interval after it comes next
// A run that waits for a command from the caller is at neither.

#include <cstddef>
#include <span>
#include <vector>

#include "tactus/core/state_archive.h"
#include "tactus/engine/run.h"

namespace tactus {

/// Throws Error(kBadInput) that names a source that cannot be saved.
std::vector<std::byte> save(const Run& run);
/// The same, in place of what the writer holds.
void save(const Run& run, StateWriter& to);

/// Throws Error(kBadInput) if the bytes are not those of such a run: other sources, other shape of
/// the state, another version, altered. The run must not be used after that.
void load(Run& run, std::span<const std::byte> bytes, Into into = Into::kSame);

/// Puts the plant of a run where that of another stood (Plant::save), both between two calls of
/// proceed() at the same instant. Sources and schedule go on as they are.
void load_plant(Run& run, std::span<const std::byte> bytes, Into into);

/// Lets `to`, assembled from a changed spec, go on from where `from` stands between two calls of
/// proceed(). A source that cannot be copied moves over itself; `from` must not be used after that.
void hand_over(Run& from, Run& to, Into into);

/// A source of the run that takes over schedules something at this instant, which has a boundary
/// already; that boundary then says so.
void schedule_instant(Run& run, TimeUs instant);

}  // namespace tactus
