// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/outside.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tactus/conductor/children.h"
#include "tactus/conductor/files.h"
#include "tactus/conductor/futex.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"
#include "tactus/conductor/sockets.h"
#include "tactus/conductor/trace.h"

namespace tactus::conductor {
namespace {

constexpr int kSignals = 65;

Channel* shared = nullptr;
std::string* path = nullptr;  ///< of its file; null: the caller has started us and ends us
std::uint32_t turn = 0;       ///< of the caller's questions, the one that is being answered
std::uint32_t consumed = 0;   ///< bytes of its input
volatile std::sig_atomic_t signal_pending = 0;
volatile std::sig_atomic_t signals[kSignals] = {};
void (*handlers[kSignals])(int) = {};

/// The earliest deadline ends, if it is within the limit.
bool end_deadline() {
  Scheduler& all = scheduler();
  Thread* const first = earliest_deadline();
  if (!first) return false;
  const std::int64_t deadline_ns = first->view->deadline_ns;
  if (deadline_ns > all.now_ns && deadline_ns > all.limit_ns) return false;
  if (deadline_ns > all.now_ns) all.now_ns = deadline_ns;
  wake(*first, WaitEnd::kTimedOut);
  return true;
}

bool take_signals() {
  if (signal_pending == 0) return false;
  signal_pending = 0;
  for (int number = 1; number < kSignals; ++number) {
    if (signals[number] == 0) continue;
    signals[number] = 0;
    if (!handlers[number]) continue;
    trace_event("signal", static_cast<std::uint64_t>(number));
    interrupt(*scheduler().threads.front(), handlers[number], number);
  }
  return true;
}

bool take_record() {
  const Buffer& input = shared->input;
  if (consumed >= input.bytes) return false;
  RecordHeader header;
  std::memcpy(&header, input.data + consumed, sizeof header);
  const std::byte* const bytes = input.data + consumed + sizeof header;
  consumed += static_cast<std::uint32_t>(sizeof header) + padded(header.bytes);
  trace_event("in", header.own_port != 0 ? header.own_port : header.id, bytes, header.bytes);
  deliver(header, bytes);
  return true;
}

/// The caller's turn.
void answer(bool more) {
  shared->more = more ? 1 : 0;
  shared->now_ns = scheduler().now_ns;
  flush_trace();
  shared->answered.store(turn, std::memory_order_release);
  futex_wake(shared->answered);
  constexpr timespec kLook = {1, 0};
  while (shared->asked.load(std::memory_order_acquire) == turn) {
    futex_wait(shared->asked, turn, &kLook);
    if (path && ::access(path->c_str(), F_OK) != 0 && errno == ENOENT) {
      ::_exit(125);  // it would wait for ever
    }
  }
  turn = shared->asked.load(std::memory_order_acquire);
  shared->output.bytes = 0;
  if (more) return;
  consumed = 0;
  scheduler().limit_ns = shared->limit_ns;
}

}  // namespace

Channel& channel() { return *shared; }

bool attach_channel() {
  const char* const where = std::getenv(kChannelVariable);
  if (!where || *where == 0) return false;
  const int file = *where == '/' ? TACTUS_REAL(open)(where, O_RDWR | O_CLOEXEC) : std::atoi(where);
  void* const memory =
      file < 0 ? MAP_FAILED
               : ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return false;
  auto* const found = static_cast<Channel*>(memory);
  std::int32_t owner = 0;
  const std::int32_t own = ::getpid();
  if (found->magic != kChannelMagic ||
      (!found->pid.compare_exchange_strong(owner, own) && owner != own)) {
    ::munmap(memory, sizeof(Channel));
    return false;
  }
  shared = found;
  if (*where == '/') path = new std::string(where);
  turn = shared->asked.load(std::memory_order_acquire);
  scheduler().limit_ns = shared->limit_ns;
  // A program that has begun again goes on where it was.
  if (shared->now_ns > scheduler().now_ns) scheduler().now_ns = shared->now_ns;
  return true;
}

void idle() {
  if (take_signals()) return;
  if (end_deadline()) return;
  if (wake_ready_files()) return;
  if (children_go_on()) return;
  Scheduler& all = scheduler();
  if (all.now_ns < all.limit_ns) all.now_ns = all.limit_ns;
  if (take_record()) return;
  answer(false);
}

void send_record(RecordHeader header, const void* bytes) {
  Buffer& output = shared->output;
  const std::size_t size = sizeof header + padded(header.bytes);
  if (size > kBufferBytes) return;
  trace_event("out", header.peer_port != 0 ? header.peer_port : header.id, bytes, header.bytes);
  if (output.bytes + size > kBufferBytes) answer(true);
  std::memcpy(output.data + output.bytes, &header, sizeof header);
  if (header.bytes > 0) {
    std::memcpy(output.data + output.bytes + sizeof header, bytes, header.bytes);
  }
  output.bytes += static_cast<std::uint32_t>(size);
}

void note_signal(int number) {
  signals[number] = 1;
  signal_pending = 1;
}

void set_signal_handler(int number, void (*handler)(int)) {
  if (number > 0 && number < kSignals) handlers[number] = handler;
}

void (*signal_handler(int number))(int) {
  return number > 0 && number < kSignals ? handlers[number] : nullptr;
}

void fail(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::vsnprintf(shared->text, kTextBytes, format, values);
  va_end(values);
  shared->state.store(ProgramState::kFailed, std::memory_order_release);
  flush_trace();
  ::_exit(125);
}

}  // namespace tactus::conductor
