// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

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

enum class Place { kFree, kReplaced, kStream };

/// What is at a path, or an error if it may not be written.
Place look_at(const std::string& path, const OutputRules& rules, struct stat& there) {
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

/// Names of files that are not published. The texts stay where they are as long as the process
/// lives, since a signal handler may read one at any time.
class Unfinished {
 public:
  static constexpr std::size_t kNone = 256;

  std::size_t add(const std::string& part) {
    const std::lock_guard lock(mutex_);
    const auto free = std::find(names_.begin(), names_.end(), nullptr);
    if (free == names_.end()) return kNone;
    free->store(texts_.emplace_back(part).c_str());
    return static_cast<std::size_t>(free - names_.begin());
  }
  void remove(std::size_t slot) {
    if (slot < kNone) names_[slot].store(nullptr);
  }
  void unlink_all() noexcept {
    for (const std::atomic<const char*>& name : names_) {
      if (const char* const part = name.load()) ::unlink(part);
    }
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::array<std::atomic<const char*>, kNone> names_{};
  static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");
};

Unfinished unfinished;

}  // namespace

void OutputFile::require_possible(const std::string& path, const OutputRules& rules) {
  struct stat there {};
  look_at(path, rules, there);
}

void OutputFile::remove_unfinished() noexcept { unfinished.unlink_all(); }

OutputFile::OutputFile(std::string path, const OutputRules& rules) : path_(std::move(path)) {
  const Place place = look_at(path_, rules, earlier_);
  replaces_ = place == Place::kReplaced;
  if (place == Place::kStream) {
    open_stream(rules);
    return;
  }
  create_part();
  if (!rules.named_early || replaces_) return;
  try {
    publish();
  } catch (...) {  // no destructor runs for what was not constructed
    discard();
    throw;
  }
}

void OutputFile::open_stream(const OutputRules& rules) {
  // What is open already is written on as it stands: to open it again would empty a file that the
  // shell appends to, and begin at its start, where something else stands.
  const std::optional<int> already = descriptor_of(path_);
  descriptor_ = already ? ::fcntl(*already, F_DUPFD_CLOEXEC, 0)
                        : ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0 && errno == EINTR) {
    throw Error(ExitCode::kInterrupted,
                fmt::format("{}: interrupted, before this pipe had a reader", path_));
  }
  if (descriptor_ < 0) fail_to_create(path_, errno);
  seekable_ = !already && ::lseek(descriptor_, 0, SEEK_SET) == 0;
  if (seekable_ || !rules.rewinds) return;
  ::close(descriptor_);
  fail(
      fmt::format("{}: cannot be rewound, which this has to be; choose the name of a file", path_));
}

void OutputFile::create_part() {
  static std::atomic<unsigned> number{0};
  constexpr int kMostTries = 10'000;
  for (int i = 0; descriptor_ < 0; ++i) {
    part_ = fmt::format("{}/tactus-{}-{}.part", folder_of(path_), ::getpid(), number++);
    descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || i >= kMostTries)) fail_to_create(path_, errno);
  }
  slot_ = unfinished.add(part_);
  constexpr mode_t kPermissions = 0777;
  if (replaces_) ::fchmod(descriptor_, earlier_.st_mode & kPermissions);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (!part_.empty()) {
    ::unlink(part_.c_str());
    unfinished.remove(slot_);
  }
  ::close(descriptor_);
}

void OutputFile::publish() {
  if (part_.empty()) return;
  if (replaces_) {
    replace();
  } else {
    publish_new();
  }
  part_.clear();
  unfinished.remove(slot_);
}

void OutputFile::replace() {
  struct stat now {};
  const bool gone = ::lstat(path_.c_str(), &now) != 0 && errno == ENOENT;
  // A number of a file is given again once the file is gone; the times tell them apart.
  const bool same = S_ISREG(now.st_mode) && now.st_dev == earlier_.st_dev &&
                    now.st_ino == earlier_.st_ino &&
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

bool OutputFile::read(std::uint64_t at, void* into, std::size_t size) const {
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
  fail(fmt::format("{}: cannot be written: {}; {}", path_, std::strerror(failure_),
                   full ? "make room" : "choose another path"));
}

}  // namespace tactus
