// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// All that is not a thread of the program: its caller, its child processes, signals. Only when no
// thread can go on does any of it come in, one thing at a time and in a fixed order.

#include <cstddef>
#include <cstdint>

#include "tactus/conductor/channel.h"

namespace tactus::conductor {

/// The memory shared with the caller.
Channel& channel();
/// Attaches to it. False: this process is not to be conducted.
bool attach_channel();

/// No thread is ready. Makes one ready, or waits for the caller; may change nothing.
void idle();

/// Tells the caller. Waits for it if there is no more room.
void send_record(RecordHeader header, const void* bytes);

/// A signal has come: handled in the caller's next turn, when no thread can go on.
void note_signal(int number);
/// The program's handler of a signal; null: none.
void set_signal_handler(int number, void (*handler)(int));
void (*signal_handler(int number))(int);

/// It cannot be conducted: tells why and ends.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace tactus::conductor
