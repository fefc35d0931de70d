// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Takes what a program prints, as it comes, so that the program never waits for us: into a file,
// and the last part into memory for messages. Both are bounded: a program that prints without end
// fills neither the disk nor the memory. A disk that is full ends the file, not the flight.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "tactus/files/output_file.h"
#include "tactus/link/net/socket.h"

namespace tactus {

/// The file of a console, in the place of an older one. It can be followed. Throws
/// Error(kEnvironment) if it cannot be written, or another program writes there.
std::unique_ptr<OutputFile> new_console_file(const std::string& path);

class Console {
 public:
  /// Reads `output` until it is closed or this object ends.
  Console(Descriptor output, std::unique_ptr<OutputFile> file, std::size_t kept,
          std::size_t file_limit);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// The last lines, without terminal colours.
  [[nodiscard]] std::string tail(std::size_t lines) const;
  /// Why the file does not hold all; empty: it does, as far as its limit allows.
  [[nodiscard]] std::string failure() const;
  /// Until the output was closed, at most 200 ms.
  void wait_for_end() const;

 private:
  void read_all();
  void take(std::string_view text);

  Descriptor output_;
  Descriptor stop_read_, stop_write_;
  std::size_t kept_;
  std::size_t file_limit_;
  std::size_t written_ = 0;
  std::unique_ptr<OutputFile> file_;  ///< of the reader
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::string recent_;
  std::string failure_;
  bool closed_ = false;
  std::thread reader_;
};

}  // namespace tactus
