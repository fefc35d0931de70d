// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "tactus/core/error.h"

namespace tactus {
namespace {

[[noreturn]] void throw_exists(const std::string& path) {
  throw Error(ExitCode::kEnvironment, path + " exists already; choose another name or remove it");
}

/// Whether an open file still has the name under which it was opened.
bool has_name(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Empty, or begun as a recording: not a file of somebody else that has this name by chance.
bool may_be_replaced(int descriptor) {
  constexpr char kSignature[] = "\x89HDF\r\n\x1a\n";
  char head[sizeof kSignature - 1] = {};
  const ssize_t size = ::pread(descriptor, head, sizeof head, 0);
  return size >= 0 && std::memcmp(head, kSignature, static_cast<std::size_t>(size)) == 0;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  if (::access(path_.c_str(), F_OK) == 0) throw_exists(path_);
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const std::string why = std::strerror(errno);
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot create {}: {}; choose a folder that exists and may be written",
                            path_, why));
  }
  // What a killed program left behind is nobody's; what another one writes is locked, and has got
  // its own name if the lock is free again.
  const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  if (locked && !may_be_replaced(descriptor_)) {
    ::close(descriptor_);
    throw_exists(part_);
  }
  const bool ours = locked && has_name(descriptor_, part_);
  if (ours && ::access(path_.c_str(), F_OK) != 0 && ::ftruncate(descriptor_, 0) == 0) return;
  if (ours) ::unlink(part_.c_str());
  ::close(descriptor_);
  if (::access(path_.c_str(), F_OK) == 0) throw_exists(path_);
  throw Error(ExitCode::kEnvironment,
              fmt::format("{} is being written by another program; choose another name", path_));
}

OutputFile::~OutputFile() {
  if (!part_.empty()) ::unlink(part_.c_str());  // first: the lock goes with the descriptor
  ::close(descriptor_);
}

void OutputFile::publish() {
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) throw_exists(path_);
    // Not every file system has that flag.
    const bool unknown = errno == EINVAL || errno == ENOSYS;
    if (!unknown || std::rename(part_.c_str(), path_.c_str()) != 0) {
      const std::string why = std::strerror(errno);
      throw Error(ExitCode::kEnvironment,
                  fmt::format("cannot rename {} to {}: {}", part_, path_, why));
    }
  }
  part_.clear();
  ::flock(descriptor_, LOCK_UN);  // readers may look at it while it grows
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
    const ssize_t done = ::pwrite(descriptor_, next, size, static_cast<off_t>(at));
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

}  // namespace tactus
