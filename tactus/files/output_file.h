// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A file that a command writes; there is no other way to create one. From its construction to its
// end it is reserved: no other program of Tactus begins to write there. Until it gets its name it
// is called tactus-DIGEST.part in the same folder, where the digest is that of its name, so nothing
// that is there is ever written to, and no symbolic link is followed. A file that is replaced stays
// as it is until the new one takes its name.
//
// The reservation is a lock on the file (of the open file description), which ends with the process
// whatever ends it: a .part without a lock was left behind by a kill and is removed by the next
// writer.
//
// From the first write that fails (full disk) on nothing more is written, while calls report
// success, as if the process had been killed at that instant: HDF5 does not survive a
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
  bool named_early = false;  ///< a new file has its name from begin() on: it can be followed
  bool synced = false;       ///< it is on disk, not only on its way there, before it gets its name
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

  /// Whether a program of Tactus has a file open for writing.
  static bool is_being_written(const std::string& path);

  /// Reserves it. Throws as require_possible(), and if another program writes there.
  explicit OutputFile(std::string path, const OutputRules& rules = {});
  /// Removes a file that has not got its name.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// From now on it may be read: one that is named early gets its name, unless it replaces another.
  void begin();
  /// It is whole: gives it its name, or makes sure that it still has it. Throws Error(kEnvironment)
  /// if something else has got the name in the meantime, or the file is gone.
  void publish();

  /// Zeros beyond the end.
  bool read(std::uint64_t at, void* into, std::size_t size);
  void write(std::uint64_t at, const void* from, std::size_t size);
  void append(std::string_view text) { write(size_, text.data(), text.size()); }
  void resize(std::uint64_t size);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The errno of the first write that failed, or -1 if another program has truncated the file; 0:
  /// none did.
  [[nodiscard]] int failure() const { return failure_; }
  [[nodiscard]] std::string failure_text() const;
  /// Throws Error(kEnvironment) if a write failed.
  void require_written() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void create_part();
  void discard();
  void open_stream();
  void notice_truncation();
  void replace();
  void publish_new();
  /// The name must lead to this file.
  void require_in_place(const std::string& name) const;

  std::string path_;
  OutputRules rules_;
  std::string part_;       ///< empty once it has its name
  std::size_t slot_ = 0;   ///< where remove_unfinished() finds it
  bool stream_ = false;    ///< a device or a pipe
  bool replaces_ = false;  ///< `earlier_`
  struct stat earlier_ {};
  bool seekable_ = true;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  static constexpr int kCutShort = -1;
  int failure_ = 0;
};

}  // namespace tactus
