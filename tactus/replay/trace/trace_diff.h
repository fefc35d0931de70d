// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where two runs of an autopilot's program part: the first entry of their traces that differs, and
// the first of each kind, because a switch of threads may differ long before a message does, and a
// message although all switches are equal. Entries are equal if their virtual time and their text
// are.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tactus/replay/trace/autopilot_trace.h"

namespace tactus {

struct TraceDifference {
  TraceKind kind = TraceKind::kEvent;  ///< of the first recording's entry, if it has one
  std::size_t equal = 0;               ///< entries before it
  std::optional<TraceEntry> a;         ///< none: this trace ends before
  std::optional<TraceEntry> b;
};

struct TraceDiff {
  std::optional<TraceDifference> first;   ///< none: they are equal
  std::vector<TraceDifference> of_kinds;  ///< at most one each, in the order of TraceKind
};

TraceDiff diff_traces(const AutopilotTrace& a, const AutopilotTrace& b);

/// For people; `a` and `b`: names of the files.
std::string to_text(const TraceDiff& difference, const std::string& a, const std::string& b);
std::string trace_diff_json(const TraceDiff& difference, const std::string& a,
                            const std::string& b);

}  // namespace tactus
