// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/paths.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tactus/conductor/channel.h"

namespace tactus::conductor {
namespace {

constexpr char kShared[] = "/tmp/";
constexpr std::size_t kSharedLength = sizeof kShared - 1;

}  // namespace

const char* private_path(const char* path, char* space, std::size_t size) {
  const char* const folder = std::getenv(kFolderVariable);
  if (!folder || *folder == 0 || !path || std::strncmp(path, kShared, kSharedLength) != 0 ||
      std::strchr(path + kSharedLength, '/') != nullptr) {
    return path;
  }
  const int written = std::snprintf(space, size, "%s/%s", folder, path + kSharedLength);
  return written > 0 && static_cast<std::size_t>(written) < size ? space : path;
}

sockaddr_un private_address(const sockaddr_un& address) {
  sockaddr_un result = address;
  char space[sizeof address.sun_path];
  const char* const path = private_path(address.sun_path, space, sizeof space);
  if (path != address.sun_path) std::memcpy(result.sun_path, path, std::strlen(path) + 1);
  return result;
}

}  // namespace tactus::conductor
