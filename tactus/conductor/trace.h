// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the program does at its border, and which thread goes on when: a line each, so that two runs
// can be compared (docs/autopilot_trace.md has the format). Decisions and what comes in and goes
// out also enter a digest that the channel shows, trace or not; calls for files do not, because
// programs write bytes there that they have not initialised.

#include <cstddef>
#include <cstdint>

#include "tactus/conductor/channel.h"

namespace tactus::conductor {

struct Thread;

/// To the end of the file that kTraceVariable names, if any.
void start_trace();
void trace_switch(const Thread& thread);
/// `direction`: "in" or "out".
void trace_record(const char* direction, const RecordHeader& header, const void* bytes);
/// `what`: a word; `number`: a signal, a status, a descriptor.
void trace_event(const char* what, std::uint64_t number);
/// A call that reaches the kernel, with its result. `bytes`: what was read, null: nothing was.
void trace_call(const char* what, std::int64_t result, int descriptor, const void* bytes = nullptr);
void trace_path_call(const char* what, std::int64_t result, const char* path);
/// The instant of the flight that the caller has come to.
void trace_instant();
/// What is kept back is written.
void flush_trace();

}  // namespace tactus::conductor
