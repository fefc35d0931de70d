// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a program that runs is made of, from what the kernel tells about it: its file, the libraries
// that it has loaded, and the processor, as far as any of it may choose its code by it.

#include <sys/types.h>

#include <string>

#include "tactus/autopilot/program_facts.h"

namespace tactus {

/// `threads`: how they are run. What cannot be found out is "not known".
ProgramFacts program_facts_of(pid_t process, const char* threads);

/// Whether that process, started with this file, is still the shell, or the like, that the first
/// line of a script names.
bool is_run_by_interpreter(pid_t process, const std::string& file);

}  // namespace tactus
