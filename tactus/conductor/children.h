// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Processes that the program starts: a start-up script, and commands that the script sends to the
// program over a local socket (PX4's `px4-param set …`).
//
// The script counts as a thread of the highest priority. While it works, the program stands: no
// virtual time passes, and nothing goes on until its next command has connected or it has ended.
// A command in the foreground runs in the program as a thread like any other; the script waits for
// it. Commands in the background connect in the order in which they were started.

#include <sys/types.h>

#include <cstdint>

namespace tactus::conductor {

/// system(): runs `command` in a shell, and waits for it.
int run_command(const char* command);

/// A local socket of the program that others connect to.
void listen_to_commands(int descriptor);
bool is_command_listener(int descriptor);
/// The connection of the next command; −1: there is none.
int accept_command(int descriptor);
/// `descriptor` was shut down or closed by the program.
void end_command(int descriptor);

/// Whether a command has connected and waits to be accepted.
bool has_command();
/// Whether this is the connection of a command that is at work: it does not hang up.
bool is_at_work(int descriptor);

/// Waits for the script as long as that decides what happens next. False: it does not.
bool children_go_on();

}  // namespace tactus::conductor
