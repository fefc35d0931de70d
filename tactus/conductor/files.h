// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Descriptors at which threads wait: sockets of ours, and pipes, event counters and local sockets
// of the kernel. Other files answer at once and are left to the C library.

#include <poll.h>

#include <cstdint>

namespace tactus::conductor {

/// The same file or connection with a number that the program does not come to: those of its own
/// must not depend on ours. −1 stays.
int out_of_the_way(int descriptor);

/// What poll() would find now. `files` gets the events.
int poll_now(pollfd* files, nfds_t count);
/// poll() in virtual time. `deadline_ns`: kNever waits for ever.
int poll_until(pollfd* files, nfds_t count, std::int64_t deadline_ns);

/// Whether a read would wait for another thread or process: not a plain file.
bool may_wait(int descriptor);
/// Waits until `descriptor` can be read or written (`events` of poll). False: a signal came.
bool await_file(int descriptor, short events);

/// The first thread that waits for this descriptor, and all that wait for it among others, become
/// ready.
void wake_waiting_for(int descriptor);
/// Threads whose files of the kernel have become ready; false: there is none.
bool wake_ready_files();

}  // namespace tactus::conductor
