// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The trace of a conducted autopilot (docs/autopilot_trace.md): what its program was sent, what it
// sent, which calls it made of the kernel and which of its threads went on when. The conductor
// writes it; here it is read.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/files/output_file.h"

namespace tactus {

/// Its first line.
inline constexpr char kTraceHead[] = "tactus autopilot trace 1\n";
inline constexpr OutputRules kTraceRules{.named_early = true};

enum class TraceKind : std::uint8_t {
  kReceived,  ///< a message to the program
  kSent,      ///< one that it has sent
  kCall,      ///< of the kernel
  kEvent,     ///< a signal, a script, a command
  kSwitch,    ///< a thread goes on
};
inline constexpr std::size_t kTraceKinds = 5;

const char* to_text(TraceKind kind);

struct TraceEntry {
  std::size_t line = 0;           ///< from 1
  std::int64_t virtual_ns = 0;    ///< the program's own time
  std::optional<TimeUs> instant;  ///< of the flight; none: before its first
  TraceKind kind = TraceKind::kEvent;
  std::string_view text;  ///< without the time
};

class AutopilotTrace {
 public:
  /// Whether a file begins as one.
  static bool is_one(std::string_view head) { return head.starts_with(kTraceHead); }

  /// Throws Error(kBadInput) that names `file` and the line if it is none. Its last line may be cut
  /// off.
  AutopilotTrace(std::string text, std::string_view file);
  AutopilotTrace(const AutopilotTrace&) = delete;
  AutopilotTrace& operator=(const AutopilotTrace&) = delete;

  [[nodiscard]] const std::vector<TraceEntry>& entries() const { return entries_; }

 private:
  std::string text_;
  std::vector<TraceEntry> entries_;
};

/// What an entry is about: "MAVLink HIL_SENSOR, received at TCP port 4560".
std::string describe(const TraceEntry& entry);

/// How two messages differ: the first MAVLink message and field, or the bytes from which on they
/// do. Empty: these are no two messages of one kind.
std::string message_difference(const TraceEntry& a, const TraceEntry& b);

}  // namespace tactus
