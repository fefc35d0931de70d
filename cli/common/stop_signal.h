// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

namespace tactus::cli {

/// From now on a signal that ends the program leaves no unfinished file behind, be it Ctrl-C or a
/// crash. Those that were ignored stay so, except SIGINT and SIGTERM: a shell that is no terminal
/// ignores SIGINT for what it starts in the background.
void handle_signals();

/// Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP) end a flight at its next boundary
/// instead, with everything closed; a later second one ends the program.
void listen_to_stop_signals();

/// Whether such a signal has come. May be asked by any thread.
bool asked_to_stop();

}  // namespace tactus::cli
