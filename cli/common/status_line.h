// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string_view>

namespace tactus::cli {

/// What goes on now, on one line of stderr that is wiped at the end. Only if stderr is a terminal
/// and not `quiet`. What cannot be written is lost and nothing else.
class StatusLine {
 public:
  explicit StatusLine(bool quiet = false);
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] bool shown() const { return shown_; }
  /// In the place of what it says.
  void show(std::string_view text);
  /// Before anything else is printed.
  void wipe();

 private:
  bool shown_;
  bool drawn_ = false;
};

}  // namespace tactus::cli
