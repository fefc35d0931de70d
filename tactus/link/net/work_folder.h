// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <string_view>

#include "tactus/link/net/socket.h"

namespace tactus {

/// A folder in which a program works. A temporary one is removed by its destructor; if this process
/// is killed, by the next one that makes one: a lock in it says whether its owner still lives.
class WorkFolder {
 public:
  /// Makes it; empty: a fresh temporary one. `whose` is for messages. Throws Error(kEnvironment) if
  /// that fails.
  WorkFolder(const std::string& path, std::string_view whose);
  /// Removes a temporary one.
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool temporary() const { return temporary_; }

 private:
  std::string path_;
  bool temporary_ = false;
  Descriptor lock_;  ///< of a temporary one
};

/// Removes temporary folders in `parent` whose owners have ended without doing so. What has no lock
/// in it, or belongs to another user, is left alone.
void remove_stale_folders(const std::string& parent);

/// That the disk of a program's folder has little room, on which PX4 and ArduPilot delete logs or
/// do not arm; empty: it has enough.
std::string little_room_text(const std::string& folder);

}  // namespace tactus
