// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Local sockets and lock files below /tmp are in a folder of the program's own, so that several
// programs of one kind do not meet there, and nothing stays behind. Its child processes look for
// them in the same place.

#include <sys/un.h>

#include <cstddef>

namespace tactus::conductor {

/// The environment variable with that folder; not set: paths stay what they are.
inline constexpr char kFolderVariable[] = "TACTUS_CONDUCTOR_FOLDER";

/// `path` itself, or where it is instead, written to `space`.
const char* private_path(const char* path, char* space, std::size_t size);
/// The same for the address of a local socket.
sockaddr_un private_address(const sockaddr_un& address);

}  // namespace tactus::conductor
