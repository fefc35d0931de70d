// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/program_imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tactus/link/net/elf_file.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

// Functions that wait, tell the time or start something, and that the conductor does not know.
constexpr std::string_view kUnordered[] = {"aio_read",
                                           "aio_suspend",
                                           "aio_write",
                                           "call_once",
                                           "clone",
                                           "cnd_timedwait",
                                           "cnd_wait",
                                           "epoll_create",
                                           "epoll_create1",
                                           "epoll_pwait",
                                           "epoll_pwait2",
                                           "epoll_wait",
                                           "io_uring_setup",
                                           "lio_listio",
                                           "mq_receive",
                                           "mq_timedreceive",
                                           "msgrcv",
                                           "mtx_lock",
                                           "mtx_timedlock",
                                           "pthread_clockjoin_np",
                                           "pthread_rwlock_clockrdlock",
                                           "pthread_rwlock_clockwrlock",
                                           "pthread_rwlock_timedrdlock",
                                           "pthread_rwlock_timedwrlock",
                                           "pthread_timedjoin_np",
                                           "recvmmsg",
                                           "semop",
                                           "semtimedop",
                                           "setitimer",
                                           "signalfd",
                                           "sigsuspend",
                                           "sigtimedwait",
                                           "sigwait",
                                           "sigwaitinfo",
                                           "thrd_create",
                                           "thrd_sleep",
                                           "timer_create",
                                           "timerfd_create",
                                           "timespec_get",
                                           "ualarm",
                                           "vfork"};

constexpr std::string_view kSanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};

/// Of what a program or one of its libraries wants, the first that cannot be put in order.
std::string why_not_of(const ElfFile& file) {
  for (const std::string& name : file.imports()) {
    if (std::ranges::find(kSanitizers, name) != std::end(kSanitizers)) {
      return fmt::format("is built with a sanitizer ({}), whose threads cannot be conducted", name);
    }
    if (std::ranges::find(kUnordered, name) != std::end(kUnordered)) {
      return fmt::format("uses {}(), which the conductor does not know", name);
    }
  }
  return "";
}

bool is_of_system(const fs::path& path) {
  std::error_code ignored;
  const std::string real = fs::canonical(path, ignored).string();
  return real.starts_with("/lib") || real.starts_with("/usr/lib");
}

/// Where a library of that program is, if it comes with it: what the system's libraries do beneath
/// is theirs. Empty: it is none of these.
std::string own_library(const std::string& program, const ElfFile& file, const std::string& name) {
  constexpr std::string_view kOrigins[] = {"$ORIGIN", "${ORIGIN}"};
  const std::string folder = fs::absolute(program).parent_path().string();
  for (std::string place : file.run_path()) {
    for (const std::string_view origin : kOrigins) {
      if (place.starts_with(origin)) place.replace(0, origin.size(), folder);
    }
    const fs::path path = fs::path(place) / name;
    std::error_code ignored;
    if (fs::exists(path, ignored)) return is_of_system(path) ? "" : path.string();
  }
  return "";
}

std::vector<std::string> own_libraries(const std::string& program, const ElfFile& file) {
  std::vector<std::string> paths;
  for (const std::string& name : file.libraries()) {
    if (std::string path = own_library(program, file, name); !path.empty()) {
      paths.push_back(std::move(path));
    }
  }
  return paths;
}

}  // namespace

std::string why_not_conductible(const std::string& program) {
  const ElfFile file(program);
  if (!file.is_elf()) return "";
  if (!file.has_loader()) return "it is linked statically, so the conductor cannot be loaded";
  if (const std::string why = why_not_of(file); !why.empty()) return "it " + why;
  std::vector<std::string> seen;
  std::vector<std::string> open = own_libraries(program, file);
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    if (std::ranges::find(seen, path) != seen.end()) continue;
    seen.push_back(path);
    const ElfFile library(path);
    if (const std::string why = why_not_of(library); !why.empty()) {
      return fmt::format("its library {} {}", path, why);
    }
    std::ranges::move(own_libraries(path, library), std::back_inserter(open));
  }
  return "";
}

}  // namespace tactus
