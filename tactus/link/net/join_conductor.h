// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How a program gets under a conductor: what it needs in its environment, and a program that the
// user starts (`tactus conduct --join FOLDER -- PROGRAM …`).

#include <string>
#include <utility>
#include <vector>

namespace tactus {

/// Where the library that is loaded into the program is. Throws Error(kEnvironment) if it is not
/// there or cannot be read.
std::string conductor_library();

/// What a program needs to be conducted over `channel`, with `folder` for what it would put in
/// /tmp. Throws Error(kEnvironment) that says why not.
std::vector<std::pair<std::string, std::string>> conducted_environment(const std::string& channel,
                                                                       const std::string& folder);

/// Throws Error(kEnvironment) if the file tells that the program cannot be conducted.
void require_conductible(const std::string& program);

/// In the folder of a conductor, a link to its channel.
inline constexpr char kJoinedChannel[] = "channel";

/// The file of a program that a shell would start by this word. Throws Error(kEnvironment) if it
/// cannot be started, or not under a conductor.
std::string program_to_join(const std::string& word);

/// This process becomes the program, under the conductor that has this folder. Throws Error:
/// kBadInput if no conductor waits there, kEnvironment if the program cannot be started.
[[noreturn]] void join_conductor(const std::string& folder,
                                 const std::vector<std::string>& command);

}  // namespace tactus
