// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A file that a command writes; there is no other way to create one. Until publish() it has a name
// of its own that did not exist before, tactus-PROCESS-NUMBER.part in the same folder, so nothing
// that is there is ever written to, and no symbolic link is followed. A file that is replaced stays
// as it is until the new one takes its name.
//
// From the first write that fails (full disk) on nothing more is written, while callers are told
// that all is well, as if the process had been killed at that instant: HDF5 does not survive a
// failed write, but its files survive a killed writer. Who uses it asks for failure(), or calls
// require_written().

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tactus {

/// What may be done where the name is taken.
struct OutputRules {
  bool replaces = false;     ///< a plain file; never through a symbolic link
  bool keeps_hdf5 = false;   ///< but none of HDF5, as it may be a recording
  bool streams = false;      ///< devices and pipes are written as they are
  bool rewinds = false;      ///< what was written is changed later: not in a pipe or a terminal
  bool named_early = false;  ///< a new file has its name from the start: it can be followed
  /// What to do about a file that exists.
  const char* advice = "choose another name or remove it";
};

class OutputFile {
 public:
  /// Throws Error(kEnvironment) if a file of this name cannot be written; creates nothing.
  static void require_possible(const std::string& path, const OutputRules& rules);
  /// Removes every file that has no name yet. May be called in a signal handler, before the process
  /// ends.
  static void remove_unfinished() noexcept;

  /// Throws as require_possible().
  explicit OutputFile(std::string path, const OutputRules& rules = {});
  /// Removes a file that was not published.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Gives it its name. Throws Error(kEnvironment) if something else has got it in the meantime.
  void publish();

  /// Zeros beyond the end.
  bool read(std::uint64_t at, void* into, std::size_t size) const;
  void write(std::uint64_t at, const void* from, std::size_t size);
  void append(std::string_view text) { write(size_, text.data(), text.size()); }
  void resize(std::uint64_t size);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The errno of the first write that failed; 0: none did.
  [[nodiscard]] int failure() const { return failure_; }
  /// Throws Error(kEnvironment) if a write failed.
  void require_written() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void create_part();
  void discard();
  void open_stream(const OutputRules& rules);
  void replace();
  void publish_new();

  std::string path_;
  std::string part_;       ///< empty once published
  std::size_t slot_ = 0;   ///< where remove_unfinished() finds it
  bool replaces_ = false;  ///< `earlier_`
  struct stat earlier_ {};
  bool seekable_ = true;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  int failure_ = 0;
};

}  // namespace tactus
