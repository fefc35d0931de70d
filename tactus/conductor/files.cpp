// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "tactus/conductor/children.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/sockets.h"

namespace tactus::conductor {
namespace {

short events_now(const pollfd& file) {
  if (file.fd < 0) return 0;
  if (const Socket* socket = socket_of(file.fd)) {
    short found = 0;
    if (readable(*socket)) found |= POLLIN;
    if (writable(*socket)) found |= POLLOUT;
    return static_cast<short>(found & (file.events | POLLHUP | POLLERR));
  }
  if (is_command_listener(file.fd)) {
    return static_cast<short>(has_command() ? file.events & POLLIN : 0);
  }
  if (is_at_work(file.fd)) return 0;
  pollfd one{file.fd, file.events, 0};
  TACTUS_REAL(poll)(&one, 1, 0);
  return one.revents;
}

bool waits_for_file(const Thread& thread, int descriptor) {
  const ThreadView& view = *thread.view;
  if (view.state != ThreadState::kWaiting) return false;
  if (view.wait == WaitFor::kFile) return view.object == static_cast<std::uint64_t>(descriptor);
  if (view.wait != WaitFor::kFiles) return false;
  for (nfds_t i = 0; i < thread.file_count; ++i) {
    if (thread.files[i].fd == descriptor) return true;
  }
  return false;
}

/// Whether something that the kernel knows lets it go on.
bool has_ready_file(const Thread& thread) {
  const ThreadView& view = *thread.view;
  if (view.state != ThreadState::kWaiting) return false;
  if (view.wait == WaitFor::kFile) {
    const int descriptor = static_cast<int>(view.object);
    if (socket_of(descriptor)) return false;
    return thread.file_count == 1 && events_now(*thread.files) != 0;
  }
  if (view.wait != WaitFor::kFiles) return false;
  for (nfds_t i = 0; i < thread.file_count; ++i) {
    if (!socket_of(thread.files[i].fd) && events_now(thread.files[i]) != 0) return true;
  }
  return false;
}

}  // namespace

int out_of_the_way(int descriptor) {
  constexpr int kBeyondTheProgram = 700;
  if (descriptor < 0) return descriptor;
  const int moved = TACTUS_REAL(fcntl)(descriptor, F_DUPFD_CLOEXEC, kBeyondTheProgram);
  if (moved < 0) return descriptor;
  TACTUS_REAL(close)(descriptor);
  return moved;
}

int poll_now(pollfd* files, nfds_t count) {
  int found = 0;
  for (nfds_t i = 0; i < count; ++i) {
    files[i].revents = events_now(files[i]);
    if (files[i].revents != 0) ++found;
  }
  return found;
}

int poll_until(pollfd* files, nfds_t count, std::int64_t deadline_ns) {
  int found = poll_now(files, count);
  if (found > 0 || deadline_ns <= now_ns()) return found;
  Thread& thread = *self();
  thread.files = files;
  thread.file_count = count;
  const WaitEnd end = wait(WaitFor::kFiles, std::uint64_t{0}, deadline_ns);
  thread.files = nullptr;
  thread.file_count = 0;
  found = poll_now(files, count);
  if (found == 0 && end != WaitEnd::kTimedOut) {
    errno = EINTR;
    return -1;
  }
  return found;
}

bool may_wait(int descriptor) {
  struct stat what {};
  if (::fstat(descriptor, &what) != 0) return false;
  if ((TACTUS_REAL(fcntl)(descriptor, F_GETFL, 0) & O_NONBLOCK) != 0) return false;
  return S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode) || (what.st_mode & S_IFMT) == 0;
}

bool await_file(int descriptor, short events) {
  const pollfd file{descriptor, events, 0};
  Thread& thread = *self();
  const bool of_command = is_at_work(descriptor);  // who wakes us knows that it is ready
  while (events_now(file) == 0) {
    thread.files = &file;
    thread.file_count = 1;
    const WaitEnd end = wait(WaitFor::kFile, static_cast<std::uint64_t>(descriptor), kNever);
    thread.files = nullptr;
    thread.file_count = 0;
    if (end == WaitEnd::kInterrupted) return false;
    if (of_command) return true;
  }
  return true;
}

void wake_waiting_for(int descriptor) {
  Thread* reader = nullptr;
  for (Thread* thread : scheduler().threads) {
    if (!waits_for_file(*thread, descriptor)) continue;
    if (thread->view->wait == WaitFor::kFiles) {
      wake(*thread);
    } else if (!reader || thread->since < reader->since) {
      reader = thread;
    }
  }
  if (reader) wake(*reader);
}

bool wake_ready_files() {
  Thread* first = nullptr;
  for (Thread* thread : scheduler().threads) {
    if ((!first || thread->since < first->since) && has_ready_file(*thread)) first = thread;
  }
  if (first) wake(*first);
  return first != nullptr;
}

}  // namespace tactus::conductor
