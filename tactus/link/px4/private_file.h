// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A file for a moment: made under a name of its own in the folder for temporary files, readable by
// the user alone, removed with this object.

#include <cstdint>
#include <string>
#include <string_view>

namespace tactus {

class PrivateFile {
 public:
  /// Its name begins with `prefix`. All throw Error(kEnvironment) that names file and reason.
  explicit PrivateFile(std::string_view prefix);
  /// Both fill and close it.
  void take_text(std::string_view text);
  void take_copy_of(const std::string& path, std::uint64_t first_bytes);

  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;
  ~PrivateFile();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void write(std::string_view text);
  void close();

  std::string path_;
  int file_ = -1;
};

}  // namespace tactus
