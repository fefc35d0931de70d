// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "tactus-";
constexpr char kLock[] = ".tactus-lock";

/// It gets its name when it is locked, so that no other process finds it without its lock.
Descriptor lock_folder(const std::string& folder) {
  const std::string name = folder + "/" + kLock;
  const std::string unlocked = name + "-new";
  Descriptor lock(::open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (lock.open() &&
      (::flock(lock.get(), LOCK_EX) != 0 || ::rename(unlocked.c_str(), name.c_str()) != 0)) {
    lock.close();
  }
  return lock;
}

/// Whether it is one of ours and its owner has ended. Then we hold its lock.
bool is_stale(const std::string& folder, Descriptor& lock) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != ::geteuid()) {
    return false;
  }
  const std::string name = folder + "/" + kLock;
  lock = Descriptor(::open(name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  return lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

WorkFolder::WorkFolder(const std::string& path, std::string_view whose) {
  std::error_code error;
  if (!path.empty()) {
    path_ = fs::absolute(path).string();
    fs::create_directories(path_, error);
  } else {
    const fs::path parent = fs::temp_directory_path(error);
    static std::once_flag removed;
    if (!error) std::call_once(removed, remove_stale_folders, parent.string());
    path_ = (parent / fmt::format("{}XXXXXX", kPrefix)).string();
    if (!error) temporary_ = ::mkdtemp(path_.data()) != nullptr;
    if (!error && !temporary_) error = std::error_code(errno, std::generic_category());
    if (temporary_) lock_ = lock_folder(path_);
  }
  if (error) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("folder {} for {} cannot be made: {}", path_, whose, error.message()));
  }
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (temporary_) fs::remove_all(path_, ignored);
}

void remove_stale_folders(const std::string& parent) {
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    Descriptor lock;
    std::error_code ignored;
    if (!at->path().filename().string().starts_with(kPrefix)) continue;
    if (is_stale(at->path().string(), lock)) fs::remove_all(at->path(), ignored);
  }
}

std::string little_room_text(const std::string& folder) {
  constexpr std::uint64_t kEnough = std::uint64_t{512} << 20U;  // ArduPilot wants 500 MB for logs
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return "";
  const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (room >= kEnough) return "";
  return fmt::format(
      "the disk of {} has {} MiB left; PX4 and ArduPilot delete logs there, stop logging or do not "
      "arm when there is little room: make some, or set TMPDIR or autopilot.outside.folder",
      printable(folder), room >> 20U);
}

}  // namespace tactus
