// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The files that specs name: other specs, missions, parameters. The simulation opens no file by
// itself, it asks here, so that it also runs where there is no disk. DiskFiles
// (tactus/files/disk_files.h) are those of the machine, MemoryFiles hold texts.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tactus {

/// No file that people write is that large; a device or a log given by mistake is.
inline constexpr std::size_t kLargestTextFile = std::size_t{16} << 20;

class Files {
 public:
  virtual ~Files() = default;

  /// The whole file. Throws Error(kEnvironment) that names the path and the reason.
  [[nodiscard]] virtual std::string read(const std::string& path) const = 0;
  /// Why a path is no regular file: "there is no such file", "is a folder", or what the system
  /// reports. Empty: it is one.
  [[nodiscard]] virtual std::string why_no_file(const std::string& path) const = 0;
  /// Nothing is there; a file that this user may not see is not missing.
  [[nodiscard]] virtual bool is_missing(const std::string& path) const = 0;
  [[nodiscard]] virtual bool is_folder(const std::string& path) const = 0;
  /// Sorted names of the entries of a folder; none if it cannot be read.
  [[nodiscard]] virtual std::vector<std::string> names_in(const std::string& folder) const = 0;

  /// Independent of the working folder, without "." and "..".
  [[nodiscard]] virtual std::string absolute(const std::string& path) const = 0;
  /// One name per file, whichever way leads to it: also without symbolic links.
  [[nodiscard]] virtual std::string canonical(const std::string& path) const = 0;
  /// Folder that holds aircraft/, missions/ and scenarios/.
  [[nodiscard]] virtual std::string data_root() const = 0;

  [[nodiscard]] bool is_file(const std::string& path) const { return why_no_file(path).empty(); }
};

/// Texts by name; paths begin at "/", and the data root is "/" too. For programs without a disk.
class MemoryFiles final : public Files {
 public:
  MemoryFiles() = default;
  /// By path from the data root: "scenarios/default.toml".
  explicit MemoryFiles(const std::map<std::string, std::string>& texts);

  [[nodiscard]] std::string read(const std::string& path) const override;
  [[nodiscard]] std::string why_no_file(const std::string& path) const override;
  [[nodiscard]] bool is_missing(const std::string& path) const override;
  [[nodiscard]] bool is_folder(const std::string& path) const override;
  [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const override;
  [[nodiscard]] std::string absolute(const std::string& path) const override;
  [[nodiscard]] std::string canonical(const std::string& path) const override;
  [[nodiscard]] std::string data_root() const override { return "/"; }

 private:
  std::map<std::string, std::string> texts_;  ///< by absolute path
};

}  // namespace tactus
