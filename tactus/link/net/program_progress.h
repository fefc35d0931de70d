// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Whether a program that is late hangs, or only gets no processor on a machine that has too much to
// do.

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace tactus {

class ProgramProgress {
 public:
  /// Of the process, and of its group if it leads one.
  explicit ProgramProgress(pid_t process) : process_(process) {}

  /// To be asked again and again, some time apart, once it is late. False: it has had two seconds
  /// of a processor since the first time, or has neither used one nor wanted one for half a second.
  [[nodiscard]] bool may_still_come();

 private:
  pid_t process_;
  std::optional<std::uint64_t> first_ticks_;  ///< of a processor, by all of them, so far
  std::uint64_t last_ticks_ = 0;
  std::optional<std::int64_t> idle_since_ms_;  ///< wall time
};

}  // namespace tactus
