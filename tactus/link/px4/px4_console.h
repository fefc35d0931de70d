// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the PX4 library prints, kept apart from what we print. It writes to the C library's
// `stdout`, also in the middle of a step. While a Window is open, `stdout` is a stream of ours that
// sends each text to the console of the thread that printed it, and everything that other threads
// print to where it belongs. That costs a lock and two pointers per call, no system call.
// Needs the GNU C library, whose manual allows to assign `stdout`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

class Px4Console {
 public:
  Px4Console();
  Px4Console(const Px4Console&) = delete;
  Px4Console& operator=(const Px4Console&) = delete;
  ~Px4Console() = default;

  /// The lines so far, without colours. Of a flood the beginning, and how much was left out.
  [[nodiscard]] std::vector<std::string> lines() const;

  /// All that it printed, as it is.
  [[nodiscard]] std::string_view text() const { return text_; }

  /// The last `count` lines, indented, for error messages.
  [[nodiscard]] std::string tail(std::size_t count) const;

  /// Open while the library runs on this thread.
  class Window {
   public:
    explicit Window(Px4Console& console);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

   private:
    Px4Console* outer_;
  };

  void append(std::string_view text);

 private:
  std::string text_;
  std::size_t left_out_ = 0;  ///< bytes
};

}  // namespace tactus
