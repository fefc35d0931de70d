// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Local sockets and lock files in /tmp itself are in a folder of the program's own, so that several
// programs of one kind do not meet there, and nothing stays behind. Its child processes look for
// them in the same place.

#include <sys/un.h>

#include <cstddef>

namespace tactus::conductor {

/// `path` itself, or where it is instead, written to `space`.
const char* private_path(const char* path, char* space, std::size_t size);
/// The same for the address of a local socket.
sockaddr_un private_address(const sockaddr_un& address);

}  // namespace tactus::conductor
