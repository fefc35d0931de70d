// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::kEnvironment, message); }

[[noreturn]] void fail_exists(const std::string& path, const OutputRules& rules) {
  fail(fmt::format("{} exists already; {}", path, rules.advice));
}

[[noreturn]] void fail_to_create(const std::string& path, int why) {
  fail(fmt::format("{}: cannot be created: {}; choose a folder that exists and may be written",
                   path, std::strerror(why)));
}

[[noreturn]] void fail_busy(const std::string& path) {
  fail(fmt::format(
      "{}: another program is writing this file; wait for its end or choose another name", path));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// What is open already, by the names that the kernel makes up for it. Other links below /dev are
/// those of users: /dev/shm is a folder for all.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + folder.size(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

bool begins_as_hdf5(const std::string& path) {
  constexpr char kSignature[] = "\x89HDF\r\n\x1a\n";
  char head[sizeof kSignature - 1] = {};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  const ssize_t size = ::pread(file, head, sizeof head, 0);
  ::close(file);
  return size == sizeof head && std::memcmp(head, kSignature, sizeof head) == 0;
}

bool is_one_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether a name leads to the file that is open here. May be called in a signal handler.
bool is_at(const char* name, int descriptor) {
  struct stat there {};
  struct stat open {};
  return ::lstat(name, &there) == 0 && ::fstat(descriptor, &open) == 0 && is_one_file(there, open);
}

enum class Locked { kYes, kByAnother, kNotPossible };

/// Of the open file, not of the process: every OutputFile counts for itself. A lock for reading is
/// enough for a file that has its name, and lets those read it who lock it for that, as HDF5 does;
/// where locks go over a network both kinds are one.
Locked lock(int descriptor, short kind) {
  struct flock whole {};
  whole.l_type = kind;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return Locked::kYes;
  return errno == EAGAIN || errno == EACCES ? Locked::kByAnother : Locked::kNotPossible;
}

enum class Place { kFree, kReplaced, kStream };

/// What is at a path, or an error if it may not be written.
Place place_of(const std::string& path, const OutputRules& rules, struct stat& there) {
  if (path.empty()) fail("the name of a file to write is empty");
  if (::lstat(path.c_str(), &there) != 0) {
    if (errno != ENOENT) fail_to_create(path, errno);
    if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) fail_to_create(path, errno);
    return Place::kFree;
  }
  const bool link = S_ISLNK(there.st_mode);
  const bool leads_nowhere = link && ::stat(path.c_str(), &there) != 0;
  if (leads_nowhere || (link && S_ISREG(there.st_mode) && !descriptor_of(path))) {
    fail(fmt::format("{} is a symbolic link{}, and none is written through; name the file itself",
                     path, leads_nowhere ? " that leads nowhere" : ""));
  }
  if (S_ISDIR(there.st_mode)) {
    fail(fmt::format("{} is a folder; choose the name of a file", path));
  }
  if (S_ISREG(there.st_mode) && !link) {
    if (OutputFile::is_being_written(path)) fail_busy(path);
    if (!rules.replaces) fail_exists(path, rules);
    if (rules.keeps_hdf5 && begins_as_hdf5(path)) {
      fail(
          fmt::format("{}: is an HDF5 file, as recordings are, and is not replaced; choose "
                      "another name or remove it",
                      path));
    }
    if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0 || ::access(path.c_str(), W_OK) != 0) {
      fail(fmt::format("{}: cannot be replaced: {}; choose another name", path,
                       std::strerror(errno)));
    }
    return Place::kReplaced;
  }
  const bool stream = S_ISCHR(there.st_mode) || S_ISFIFO(there.st_mode) || S_ISREG(there.st_mode);
  if (!rules.streams || !stream || (rules.rewinds && S_ISFIFO(there.st_mode))) {
    fail(fmt::format("{} exists and is no plain file, which this has to be; choose another name",
                     path));
  }
  return Place::kStream;
}

/// Files that have no name yet. The texts stay where they are as long as the process runs, since a
/// signal handler may read one at any time.
class Unfinished {
 public:
  static constexpr std::size_t kNone = 512;

  std::size_t add(const std::string& part, int descriptor) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < kNone; ++i) {
      if (entries_[i].name.load() != nullptr) continue;
      entries_[i].descriptor.store(descriptor);
      entries_[i].name.store(texts_.emplace_back(part).c_str());
      return i;
    }
    return kNone;
  }
  void remove(std::size_t slot) {
    if (slot < kNone) entries_[slot].name.store(nullptr);
  }
  void unlink_all() noexcept {
    for (const Entry& entry : entries_) {
      const char* const part = entry.name.load();
      // It may have got its name just now, and another program may have begun one.
      if (part != nullptr && is_at(part, entry.descriptor.load())) ::unlink(part);
    }
  }

 private:
  struct Entry {
    std::atomic<const char*> name{nullptr};
    std::atomic<int> descriptor{-1};
  };
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::array<Entry, kNone> entries_{};
  static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");
};

Unfinished unfinished;

/// Signals to this thread wait as long as it lives: what has been created is known to
/// remove_unfinished() before a handler runs.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t every;
    sigfillset(&every);
    ::pthread_sigmask(SIG_BLOCK, &every, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

std::string part_of(const std::string& path) {
  Digest name;
  name.add(std::filesystem::path(path).filename().string());
  return fmt::format("{}/tactus-{}.part", folder_of(path), to_hex(name.result()));
}

/// What a program that was killed has left, or an error if it is in use.
void remove_left_behind(const std::string& part, const std::string& path) {
  const int file = ::open(part.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return;
  const Locked locked = file < 0 ? Locked::kNotPossible : lock(file, F_WRLCK);
  struct stat there {};
  const bool ours = locked == Locked::kYes && ::fstat(file, &there) == 0 && S_ISREG(there.st_mode);
  // Who has locked it owns its name, unless it is another's by now.
  if (ours && is_at(part.c_str(), file)) ::unlink(part.c_str());
  if (file >= 0) ::close(file);
  if (locked == Locked::kByAnother) fail_busy(path);
  if (!ours) {
    fail(
        fmt::format("{}: {} is in the way: another program writes there, or was killed while it "
                    "did; remove it if there is none",
                    path, part));
  }
}

/// A new file that is locked; -1: another one took it at this instant.
int new_locked(const std::string& part, const std::string& path) {
  const int file = ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0 && errno != EEXIST) fail_to_create(path, errno);
  if (file < 0) return file;
  const Locked locked = lock(file, F_WRLCK);
  if (locked != Locked::kByAnother && is_at(part.c_str(), file)) return file;
  ::close(file);
  if (locked == Locked::kByAnother) fail_busy(path);
  return -1;
}

}  // namespace

void OutputFile::require_possible(const std::string& path, const OutputRules& rules) {
  struct stat there {};
  place_of(path, rules, there);
}

void OutputFile::remove_unfinished() noexcept { unfinished.unlink_all(); }

bool OutputFile::is_being_written(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return false;
  struct flock found {};
  found.l_type = F_WRLCK;
  found.l_whence = SEEK_SET;
  const bool locked = ::fcntl(file, F_OFD_GETLK, &found) == 0 && found.l_type != F_UNLCK;
  ::close(file);
  return locked;
}

OutputFile::OutputFile(std::string path, const OutputRules& rules)
    : path_(std::move(path)), rules_(rules) {
  stream_ = place_of(path_, rules_, earlier_) == Place::kStream;
  if (stream_) {
    open_stream();
    return;
  }
  create_part();
  try {  // again: another program may have ended between the first check and the reservation
    replaces_ = place_of(path_, rules_, earlier_) == Place::kReplaced;
  } catch (...) {  // no destructor runs for what was not constructed
    discard();
    throw;
  }
  constexpr mode_t kPermissions = 0777;
  if (replaces_) ::fchmod(descriptor_, earlier_.st_mode & kPermissions);
}

void OutputFile::open_stream() {
  // What is open already is written on as it stands: to open it again would empty a file that the
  // shell appends to, and begin at its start, where something else stands.
  const std::optional<int> already = descriptor_of(path_);
  descriptor_ = already ? ::fcntl(*already, F_DUPFD_CLOEXEC, 0)
                        : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0 && errno == EINTR) {
    throw Error(ExitCode::kInterrupted,
                fmt::format("{}: interrupted, before this pipe had a reader", path_));
  }
  if (descriptor_ < 0) fail_to_create(path_, errno);
  struct stat opened = {};
  if (!already && ::fstat(descriptor_, &opened) == 0 && S_ISREG(opened.st_mode)) {
    ::close(descriptor_);
    fail(fmt::format("{}: was a device or a pipe and is a file now; another program changes it",
                     path_));
  }
  seekable_ = !already && ::lseek(descriptor_, 0, SEEK_SET) == 0;
  if (seekable_ || !rules_.rewinds) return;
  ::close(descriptor_);
  fail(
      fmt::format("{}: cannot be rewound, which this has to be; choose the name of a file", path_));
}

void OutputFile::create_part() {
  constexpr int kMostTries = 1000;
  part_ = part_of(path_);
  const SignalsHeld held;
  for (int i = 0; i < kMostTries && descriptor_ < 0; ++i) {
    descriptor_ = new_locked(part_, path_);
    if (descriptor_ < 0) remove_left_behind(part_, path_);
  }
  if (descriptor_ < 0) fail_busy(path_);
  slot_ = unfinished.add(part_, descriptor_);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (!part_.empty()) {
    if (is_at(part_.c_str(), descriptor_)) ::unlink(part_.c_str());
    unfinished.remove(slot_);
  }
  ::close(descriptor_);
}

void OutputFile::begin() {
  if (!stream_ && rules_.named_early && !replaces_) publish();
}

void OutputFile::publish() {
  if (stream_) return;
  if (part_.empty()) {
    require_in_place(path_);
    return;
  }
  require_in_place(part_);
  if (rules_.synced && ::fsync(descriptor_) != 0) {
    fail(fmt::format("{}: cannot be written to disk: {}", path_, std::strerror(errno)));
  }
  if (replaces_) {
    replace();
  } else {
    publish_new();
  }
  part_.clear();
  unfinished.remove(slot_);
  lock(descriptor_, F_RDLCK);
}

void OutputFile::require_in_place(const std::string& name) const {
  if (is_at(name.c_str(), descriptor_)) return;
  struct stat there {};
  std::error_code unknown;
  const bool lost = ::fstat(descriptor_, &there) != 0 || there.st_nlink == 0;
  const std::string now =
      std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", descriptor_), unknown);
  fail(fmt::format(
      "{}: another program has {} while it was written; {}", name,
      lost ? "removed or replaced this file" : "moved this file",
      lost ? "what was written is lost"
           : fmt::format("what was written is in {}", unknown ? "another place" : now.c_str())));
}

void OutputFile::replace() {
  struct stat now {};
  const bool gone = ::lstat(path_.c_str(), &now) != 0 && errno == ENOENT;
  // A number of a file is given again once the file is gone; the times distinguish them.
  const bool same = S_ISREG(now.st_mode) && is_one_file(now, earlier_) &&
                    now.st_ctim.tv_sec == earlier_.st_ctim.tv_sec &&
                    now.st_ctim.tv_nsec == earlier_.st_ctim.tv_nsec;
  if (!gone && !same) {
    fail(fmt::format("{}: something else has got this name in the meantime and is not replaced",
                     path_));
  }
  if (std::rename(part_.c_str(), path_.c_str()) == 0) return;
  fail(fmt::format("cannot rename {} to {}: {}", part_, path_, std::strerror(errno)));
}

void OutputFile::publish_new() {
  const char* const from = part_.c_str();
  const char* const to = path_.c_str();
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return;
  // Not every file system has that flag, nor links.
  bool named = false;
  if (errno == EINVAL || errno == ENOSYS) {
    named = ::link(from, to) == 0;
    if (named) {
      ::unlink(from);
    } else if (errno != EEXIST && ::access(to, F_OK) != 0) {
      named = std::rename(from, to) == 0;
    }
  }
  if (named) return;
  if (errno == EEXIST) fail_exists(path_, {});
  fail(fmt::format("cannot rename {} to {}: {}", part_, path_, std::strerror(errno)));
}

/// Something else may have truncated the file (`: >FILE`, rsync --inplace): what was written is
/// gone then, and zeros stand in its place.
void OutputFile::notice_truncation() {
  struct stat now = {};
  if (stream_ || failure_ != 0 || ::fstat(descriptor_, &now) != 0) return;
  if (static_cast<std::uint64_t>(now.st_size) < size_) failure_ = kCutShort;
}

bool OutputFile::read(std::uint64_t at, void* into, std::size_t size) {
  notice_truncation();
  if (failure_ == kCutShort) return false;
  auto* to = static_cast<std::byte*>(into);
  while (size > 0) {
    const ssize_t done = ::pread(descriptor_, to, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (done == 0) break;
    to += done;
    at += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
  std::memset(to, 0, size);
  return true;
}

void OutputFile::write(std::uint64_t at, const void* from, std::size_t size) {
  notice_truncation();
  size_ = std::max(size_, at + size);
  const auto* next = static_cast<const std::byte*>(from);
  while (size > 0 && failure_ == 0) {
    const ssize_t done = seekable_ ? ::pwrite(descriptor_, next, size, static_cast<off_t>(at))
                                   : ::write(descriptor_, next, size);
    if (done < 0) {
      if (errno != EINTR) failure_ = errno;
      continue;
    }
    next += done;
    at += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::resize(std::uint64_t size) {
  size_ = size;
  if (failure_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) failure_ = errno;
}

void OutputFile::require_written() const {
  if (failure_ == 0) return;
  const bool full = failure_ == ENOSPC || failure_ == EDQUOT;
  fail(fmt::format("{}: cannot be written: {}; {}", path_, failure_text(),
                   full ? "make room" : "choose another path"));
}

std::string OutputFile::failure_text() const {
  return failure_ == kCutShort ? "another program has truncated it" : std::strerror(failure_);
}

}  // namespace tactus
