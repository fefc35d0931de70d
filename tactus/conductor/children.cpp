// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/children.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <set>
#include <vector>

#include "tactus/conductor/files.h"
#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/trace.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace tactus::conductor {
namespace {

struct Command {
  int descriptor = -1;
  pid_t process = 0;
  bool background = false;
};

int listener = -1;
std::deque<Command> arrived;   ///< not yet accepted
std::vector<Command> at_work;  ///< accepted
std::set<pid_t> connected;     ///< all that ever did
pid_t script = 0;
int script_watch = -1;  ///< a descriptor that tells its end
int script_status = 0;

std::size_t in_foreground() {
  return static_cast<std::size_t>(std::count_if(
      at_work.begin(), at_work.end(), [](const Command& command) { return !command.background; }));
}

/// A small file of the kernel's about a process; false: the process is gone.
bool read_text(const char* path, char* text, std::size_t size) {
  const int file = TACTUS_REAL(open)(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = TACTUS_REAL(read)(file, text, size - 1);
  TACTUS_REAL(close)(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

/// In the order in which they were started.
std::vector<pid_t> children_of(pid_t process) {
  char path[64];
  char text[4096];
  std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
  std::vector<pid_t> found;
  if (!read_text(path, text, sizeof text)) return found;
  for (char* rest = text; *rest != 0;) {
    char* end = nullptr;
    const long number = std::strtol(rest, &end, 10);
    if (end == rest) break;
    found.push_back(static_cast<pid_t>(number));
    rest = end;
  }
  return found;
}

/// The script and all that comes of it, each after its elder siblings and their offspring.
void list_family(pid_t process, std::vector<pid_t>& family) {
  family.push_back(process);
  for (const pid_t child : children_of(process)) list_family(child, family);
}

/// As the kernel writes it: R runs, S sleeps, D waits for a disk, Z has ended.
char state_of(pid_t process) {
  char path[64];
  char text[1024];
  std::snprintf(path, sizeof path, "/proc/%d/stat", process);
  if (!read_text(path, text, sizeof text)) return 'X';
  const char* const name_end = std::strrchr(text, ')');
  return name_end && name_end[1] != 0 ? name_end[2] : 'X';
}

/// Commands are the program itself under another name.
bool is_command(pid_t process) {
  char path[64];
  struct stat own {};
  struct stat other {};
  std::snprintf(path, sizeof path, "/proc/%d/exe", process);
  return ::stat("/proc/self/exe", &own) == 0 && ::stat(path, &other) == 0 &&
         own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

/// A shell has those that it starts with & ignore SIGQUIT.
bool is_in_background(pid_t process) {
  char path[64];
  char text[4096];
  std::snprintf(path, sizeof path, "/proc/%d/status", process);
  if (!read_text(path, text, sizeof text)) return false;
  const char* const line = std::strstr(text, "SigIgn:");
  return line && (std::strtoull(line + 7, nullptr, 16) >> (SIGQUIT - 1) & 1U) != 0;
}

/// Takes all connections that are there. Which one comes first is chance: the next free number is
/// taken when the program accepts it.
void take_connections() {
  while (listener >= 0) {
    pollfd file{listener, POLLIN, 0};
    if (TACTUS_REAL(poll)(&file, 1, 0) <= 0) return;
    const int descriptor = out_of_the_way(TACTUS_REAL(accept)(listener, nullptr, nullptr));
    if (descriptor < 0) return;
    ucred who{};
    socklen_t size = sizeof who;
    ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size);
    connected.insert(who.pid);
    arrived.push_back({descriptor, who.pid, is_in_background(who.pid)});
    if (script == 0) {
      RecordHeader header{};
      header.kind = RecordKind::kOutsider;
      header.id = static_cast<std::uint32_t>(who.pid);
      send_record(header, nullptr);
    }
  }
}

/// Whether it may still become a command, or is one that has not connected yet. What sleeps and is
/// none (`sleep 300 &`, a shell that waits) will not.
bool is_on_its_way(pid_t process) {
  if (process == script || connected.contains(process)) return false;
  const char state = state_of(process);
  if (state == 'Z' || state == 'X') return false;
  return is_command(process) || state != 'S';
}

/// Whether none that the script has started is on its way to us.
bool family_has_connected(const std::vector<pid_t>& family) {
  return std::none_of(family.begin(), family.end(), is_on_its_way);
}

/// One has connected; others may have been started before it and are still on their way.
void take_commands() {
  std::vector<pid_t> family;
  constexpr timespec kMoment = {0, 200'000};
  while (true) {
    take_connections();
    family.clear();
    list_family(script, family);
    if (family_has_connected(family)) break;
    TACTUS_REAL(nanosleep)(&kMoment, nullptr);
    if (::waitid(P_PID, static_cast<id_t>(script), nullptr, WEXITED | WNOHANG | WNOWAIT) != 0)
      break;
  }
  take_connections();
  const auto place = [&family](const Command& command) {
    return std::find(family.begin(), family.end(), command.process);
  };
  std::stable_sort(arrived.begin(), arrived.end(),
                   [&](const Command& a, const Command& b) { return place(a) < place(b); });
}

void end_script() {
  int status = 0;
  while (::waitpid(script, &status, 0) < 0 && errno == EINTR) {
  }
  script_status = status;
  script = 0;
  TACTUS_REAL(close)(script_watch);
  trace_event("script-end", static_cast<std::uint64_t>(status));
  wake_all(WaitFor::kProcess, &script);
}

bool waits_for(const Thread& thread, int descriptor) {
  if (thread.view->state != ThreadState::kWaiting) return false;
  for (nfds_t i = 0; i < thread.file_count; ++i) {
    if (thread.files[i].fd == descriptor) return true;
  }
  return false;
}

/// A thread reads what a command sends: it is on its way.
bool await_command_text() {
  for (Thread* thread : scheduler().threads) {
    for (const Command& command : at_work) {
      if (thread->view->wait != WaitFor::kFile || !waits_for(*thread, command.descriptor)) continue;
      pollfd file{command.descriptor, POLLIN, 0};
      while (TACTUS_REAL(poll)(&file, 1, -1) < 0 && errno == EINTR) {
      }
      wake(*thread);
      return true;
    }
  }
  return false;
}

/// A thread that accepts commands gets the next one.
bool hand_over_command() {
  if (arrived.empty()) return false;
  for (Thread* thread : scheduler().threads) {
    if (!waits_for(*thread, listener)) continue;
    wake(*thread);
    return true;
  }
  return false;
}

}  // namespace

int run_command(const char* command) {
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // As the C library does it: the shell begins with these as they are by default, all unblocked.
  sigset_t by_default;
  ::sigemptyset(&by_default);
  for (const int number : {SIGINT, SIGQUIT, SIGPIPE}) ::sigaddset(&by_default, number);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &by_default);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char shell[] = "sh";
  char option[] = "-c";
  char* const arguments[] = {shell, option, const_cast<char*>(command), nullptr};
  const int error = ::posix_spawn(&script, "/bin/sh", nullptr, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    script = 0;
    errno = error;
    return -1;
  }
  script_watch = static_cast<int>(TACTUS_REAL(syscall)(SYS_pidfd_open, script, 0));
  trace_event("script", 0);
  while (script != 0) wait(WaitFor::kProcess, &script);
  return script_status;
}

void listen_to_commands(int descriptor) { listener = descriptor; }
bool is_command_listener(int descriptor) { return descriptor >= 0 && descriptor == listener; }

int accept_command(int /*descriptor*/) {
  if (arrived.empty()) {
    errno = EAGAIN;
    return -1;
  }
  Command command = arrived.front();
  arrived.pop_front();
  const int lowest = TACTUS_REAL(fcntl)(command.descriptor, F_DUPFD, 0);
  if (lowest >= 0) {
    TACTUS_REAL(close)(command.descriptor);
    command.descriptor = lowest;
  }
  at_work.push_back(command);
  trace_event(command.background ? "command-background" : "command",
              static_cast<std::uint64_t>(command.descriptor));
  return command.descriptor;
}

void end_command(int descriptor) {
  std::erase_if(at_work,
                [descriptor](const Command& command) { return command.descriptor == descriptor; });
  if (descriptor == listener) listener = -1;
}

bool has_command() { return !arrived.empty(); }

bool is_at_work(int descriptor) {
  return std::any_of(at_work.begin(), at_work.end(), [descriptor](const Command& command) {
    return command.descriptor == descriptor;
  });
}

bool children_go_on() {
  if (script == 0) take_connections();
  if (hand_over_command() || await_command_text()) return true;
  if (script == 0 || in_foreground() > 0) return false;
  pollfd files[] = {{script_watch, POLLIN, 0}, {listener, POLLIN, 0}};
  if (TACTUS_REAL(poll)(files, listener >= 0 ? 2 : 1, -1) < 0) return true;  // a signal
  if (listener >= 0 && files[1].revents != 0) {
    take_commands();
  } else {
    end_script();
  }
  return true;
}

}  // namespace tactus::conductor
