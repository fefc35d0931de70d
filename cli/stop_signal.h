// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <atomic>

namespace tactus::cli {

/// From now on Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP, unless it was ignored) end
/// the program and leave no unfinished file behind.
void handle_signals();

/// They end a flight at its next boundary instead, with everything closed; a later second one ends
/// the program.
void listen_to_ctrl_c();

/// Whether somebody has asked.
bool asked_to_stop();
const std::atomic<bool>& stop_flag();

}  // namespace tactus::cli
