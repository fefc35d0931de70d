// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A line per decision, so that two runs can be compared: which thread goes on when, what comes in
// and goes out. Every decision also enters a digest that the channel shows, trace or not.

#include <cstddef>
#include <cstdint>

namespace tactus::conductor {

struct Thread;

/// To the file that kTraceVariable names, if any.
void start_trace();
void trace_switch(const Thread& thread);
/// `what`: a word; `number`: a port, a descriptor; the bytes are told by their count and digest.
void trace_event(const char* what, std::uint64_t number, const void* bytes = nullptr,
                 std::size_t size = 0);
/// What is kept back is written.
void flush_trace();

}  // namespace tactus::conductor
