// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string_view>

namespace tactus {

/// Ends what a program has started and left behind, also what has gone into a session of its own:
/// every process that has this entry, "NAME=VALUE", in the environment with which it was started.
/// The entry must be one that nothing else has.
void end_processes_with(std::string_view entry);

}  // namespace tactus
