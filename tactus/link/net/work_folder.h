// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <string_view>

namespace tactus {

/// A folder in which a program works.
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
};

}  // namespace tactus
