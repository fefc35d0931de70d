// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace tactus {

/// Keeps in memory what a process has mapped of files, its program and its libraries: none of its
/// threads then waits for the disk in the middle of its work, while others go on. What may not be
/// locked (`ulimit -l`) is read at least.
class ResidentFiles {
 public:
  explicit ResidentFiles(pid_t process);
  ~ResidentFiles();
  ResidentFiles(const ResidentFiles&) = delete;
  ResidentFiles& operator=(const ResidentFiles&) = delete;

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Part {
    void* at;
    std::size_t size;
  };
  std::vector<Part> parts_;
};

}  // namespace tactus
