// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/join_conductor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tactus/conductor/channel.h"
#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/program_imports.h"
#include "tactus/link/net/socket.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;
using conductor::Channel;

constexpr char kLibraryName[] = "libtactus_conductor.so";

// The C library chooses functions for this processor by what it can do, and their last bits differ.
// Without these, all of x86-64 computes alike. One pool of memory, whatever the number of cores.
constexpr char kTunables[] = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F:glibc.malloc.arena_max=1";

[[noreturn]] void refuse(const std::string& what, int code) {
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: {}", printable(what), std::generic_category().message(code)));
}

/// The loader takes spaces and colons for the end of a path.
std::string preloadable(const std::string& library, const std::string& folder) {
  constexpr char kEnds[] = " :";
  if (library.find_first_of(kEnds) == std::string::npos) return library;
  std::string link = folder + "/conductor.so";
  if (link.find_first_of(kEnds) != std::string::npos || ::symlink(library.c_str(), link.c_str())) {
    throw Error(
        ExitCode::kEnvironment,
        fmt::format("the conductor cannot be loaded from \"{}\": neither its path nor that of "
                    "the folder for temporary files (TMPDIR) may have a space or a colon",
                    printable(library)));
  }
  return link;
}

std::string program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

/// The place of the program in a channel that waits for one.
class Place {
 public:
  /// Takes it. Throws Error(kBadInput) that names the folder if there is none, or it is taken.
  Place(const std::string& channel, const std::string& folder) {
    const Descriptor file(::open(channel.c_str(), O_RDWR | O_CLOEXEC));
    struct stat found {};
    if (file.open() && ::fstat(file.get(), &found) == 0 &&
        found.st_size == static_cast<off_t>(sizeof(Channel))) {
      void* const memory =
          ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
      if (memory != MAP_FAILED) channel_ = static_cast<Channel*>(memory);
    }
    if (!channel_ || channel_->magic != conductor::kChannelMagic) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("no flight waits for a program at {}: start the flight first (tactus "
                              "run … --wait); it prints this command",
                              printable(folder)));
    }
    std::int32_t owner = 0;
    if (!channel_->pid.compare_exchange_strong(owner, ::getpid())) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("another program (process {}) has joined the flight at {} already",
                              owner, printable(folder)));
    }
  }
  /// It was not started.
  ~Place() { channel_->pid.store(0); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Channel* channel_ = nullptr;
};

/// As a shell finds it; empty: not at all.
std::string found_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::string_view left = path ? path : "";
  while (!left.empty()) {
    const std::size_t colon = std::min(left.find(':'), left.size());
    std::string candidate = fmt::format("{}/{}", left.substr(0, colon), word);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    left.remove_prefix(std::min(colon + 1, left.size()));
  }
  return "";
}

}  // namespace

std::string conductor_library() {
  // A program of its own that flies (tests, examples) is in a folder of the build.
  const fs::path beside = program_folder();
  for (const fs::path& folder : {beside, beside / TACTUS_CONDUCTOR_FOLDER, beside.parent_path()}) {
    const fs::path path = folder / kLibraryName;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    std::string library = fs::canonical(path, ignored).string();
    if (::access(library.c_str(), R_OK) != 0) refuse(library, errno);
    return library;
  }
  throw Error(ExitCode::kEnvironment,
              fmt::format("{} is neither in {} nor in {} there: flights of external autopilots "
                          "need it to have the same bits again; without it fly them free "
                          "(--free, autopilot.outside.free = true)",
                          kLibraryName, program_folder(), TACTUS_CONDUCTOR_FOLDER));
}

std::vector<std::pair<std::string, std::string>> conducted_environment(const std::string& channel,
                                                                       const std::string& folder) {
  const char* const others = std::getenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe)
  const std::string preload = preloadable(conductor_library(), folder);
  return {{"LD_PRELOAD", others ? fmt::format("{}:{}", preload, others) : preload},
          {"GLIBC_TUNABLES", kTunables},
          {conductor::kChannelVariable, channel},
          {conductor::kFolderVariable, folder},
          {"TZ", "UTC0"},
          {"LC_ALL", "C"}};
}

void require_conductible(const std::string& program) {
  const std::string why_not = why_not_conductible(program);
  if (why_not.empty()) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: {}; it can fly without the conductor, and then no flight has the "
                          "same bits again: --free (autopilot.outside.free = true)",
                          printable(program), why_not));
}

std::string program_to_join(const std::string& word) {
  std::string program = found_program(word);
  if (program.empty()) refuse(word, ENOENT);
  std::string why_not = why_not_startable(program);
  if (why_not.empty()) why_not = why_not_conductible(program);
  if (why_not.empty()) return program;
  throw Error(ExitCode::kEnvironment, fmt::format("{}: {}", printable(program), why_not));
}

void join_conductor(const std::string& folder, const std::vector<std::string>& command) {
  const std::string channel = fs::absolute(folder).string() + "/" + kJoinedChannel;
  const std::string program = program_to_join(command.front());
  const Place place(channel, folder);
  for (const auto& [name, value] : conducted_environment(channel, fs::absolute(folder).string())) {
    ::setenv(name.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // One that is closed, or will be, would become the channel's.
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    const int flags = ::fcntl(number, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) continue;
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing < 0 || nothing == number) continue;
    ::dup2(nothing, number);
    ::close(nothing);
  }
  ::personality(ADDR_NO_RANDOMIZE);
  ::execv(program.c_str(), words.data());
  refuse(program, errno);
}

}  // namespace tactus
