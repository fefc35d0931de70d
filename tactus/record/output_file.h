// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A new file on disk. From the first write that fails (full disk) on nothing more is written, while
// callers are told that all is well, as if the process had been killed at that instant: HDF5 does
// not survive a failed write, but its files survive a killed writer. Who uses it asks for
// failure().

#include <cstddef>
#include <cstdint>
#include <string>

namespace tactus {

class OutputFile {
 public:
  /// Throws Error(kEnvironment) if the file exists or cannot be created. It is called NAME.part
  /// until publish().
  explicit OutputFile(std::string path);
  /// Removes a file that was not published.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Gives it its name. Throws Error(kEnvironment).
  void publish();

  /// Zeros beyond the end.
  bool read(std::uint64_t at, void* into, std::size_t size) const;
  void write(std::uint64_t at, const void* from, std::size_t size);
  void resize(std::uint64_t size);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The errno of the first write that failed; 0: none did.
  [[nodiscard]] int failure() const { return failure_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string part_;  ///< empty once published
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  int failure_ = 0;
};

}  // namespace tactus
