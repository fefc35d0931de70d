// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tactus/conductor/files.h"
#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

// Only whole lines are written, so that those of a program that is killed are no others' beginning.
constexpr std::size_t kBuffer = 4 * kBufferBytes;
constexpr std::size_t kLine = 160;  ///< without bytes and paths
constexpr std::size_t kPath = 4096;

int file = -1;
char buffer[kBuffer];
std::size_t used = 0;
std::uint64_t instant_us = 0;  ///< that was traced last
char folder[kPath];            ///< of the program, which has another name in every flight

constexpr std::uint64_t kPrime = 1099511628211U;  // FNV-1a, as in its definition
constexpr std::uint64_t kStart = 14695981039346656037U;

std::uint64_t digest_of(const void* bytes, std::size_t size) {
  std::uint64_t digest = kStart;
  for (std::size_t i = 0; i < size; ++i) {
    digest = (digest ^ static_cast<const unsigned char*>(bytes)[i]) * kPrime;
  }
  return digest;
}

void enter(std::uint64_t value) {
  std::uint64_t& digest = channel().decisions;
  digest = (digest ^ value) * kPrime;
}

/// The time and the rest of a line, or of its beginning. `more`: characters that may follow.
template <class... Values>
void begin_line(std::size_t more, const char* format, Values... values) {
  if (used + 2 * kLine + more > kBuffer) flush_trace();
  const auto now = static_cast<long long>(now_ns());
  int length = std::snprintf(buffer + used, kLine, "%lld ", now);
  if (length > 0) used += static_cast<std::size_t>(length);
  length = std::snprintf(buffer + used, kLine, format, values...);
  if (length > 0) used += static_cast<std::size_t>(length);
}

void put(char character) { buffer[used++] = character; }

bool is_text(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != '\n' && (bytes[i] < ' ' || bytes[i] > '~')) return false;
  }
  return size > 0;
}

/// Between quotes; what would end the line or could be mistaken is escaped.
void put_text(const char* text, std::size_t size) {
  put('"');
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] == '\n' || text[i] == '\\') put('\\');
    put(text[i] == '\n' ? 'n' : text[i]);
  }
  put('"');
}

void put_bytes(const void* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  if (is_text(static_cast<const char*>(bytes), size)) {
    put_text(static_cast<const char*>(bytes), size);
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<const unsigned char*>(bytes)[i];
    put(kDigits[byte >> 4U]);
    put(kDigits[byte & 15U]);
  }
}

const char* name_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::kDatagram: return "datagram";
    case RecordKind::kStream: return "stream";
    case RecordKind::kClosed: return "closed";
    case RecordKind::kAccepted: return "accepted";
    case RecordKind::kRefused: return "refused";
    case RecordKind::kIncoming: return "incoming";
    case RecordKind::kConnect: return "connect";
    case RecordKind::kListen: return "listen";
    case RecordKind::kBound: return "bound";
    case RecordKind::kOutsider: return "outsider";
  }
  return "?";
}

}  // namespace

void start_trace() {
  channel().decisions = kStart;
  const char* const path = std::getenv(kTraceVariable);
  if (!path) return;
  file = out_of_the_way(TACTUS_REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file < 0) channel().trace_error = errno;
  if (!::getcwd(folder, sizeof folder)) folder[0] = 0;
}

void trace_switch(const Thread& thread) {
  ++channel().switches;
  enter(static_cast<std::uint64_t>(now_ns()) << 8U ^ thread.number);
  if (file >= 0) begin_line(0, "thread %u %.16s\n", thread.number, thread.view->name);
}

void trace_record(const char* direction, const RecordHeader& header, const void* bytes) {
  const std::uint64_t port = *direction == 'i' ? header.own_port : header.peer_port;
  enter(digest_of(bytes, header.bytes) ^ (port != 0 ? port : header.id));
  if (file < 0) return;
  begin_line(2 * header.bytes + 3, "%s %s %u %u %u ", direction, name_of(header.kind),
             header.own_port, header.peer_port, header.id);
  put_bytes(bytes, header.bytes);
  put('\n');
}

void trace_event(const char* what, std::uint64_t number) {
  enter(digest_of(nullptr, 0) ^ number);
  if (file >= 0) begin_line(0, "%s %llu\n", what, static_cast<unsigned long long>(number));
}

void trace_call(const char* what, std::int64_t result, int descriptor, const void* bytes) {
  if (file < 0) return;
  const auto told = static_cast<long long>(result);
  if (bytes && result >= 0) {
    begin_line(0, "call %s %lld %d %016llx\n", what, told, descriptor,
               static_cast<unsigned long long>(digest_of(bytes, static_cast<std::size_t>(result))));
  } else {
    begin_line(0, "call %s %lld %d\n", what, told, descriptor);
  }
}

void trace_path_call(const char* what, std::int64_t result, const char* path) {
  if (file < 0) return;
  begin_line(kPath, "call %s %lld ", what, static_cast<long long>(result));
  const std::size_t own = std::strlen(folder);
  if (path && own > 1 && std::strncmp(path, folder, own) == 0 && path[own] == '/') {
    put('.');
    path += own;
  }
  for (std::size_t i = 0; path && path[i] != 0 && i < kPath - 2; ++i) {
    put(path[i] == '\n' ? '?' : path[i]);
  }
  put('\n');
}

void trace_instant() {
  if (channel().instant_us == instant_us) return;
  instant_us = channel().instant_us;
  if (file >= 0) begin_line(0, "instant %llu\n", static_cast<unsigned long long>(instant_us));
}

void flush_trace() {
  const int error_before = errno;  // of the call that is being traced
  std::size_t written = 0;
  while (file >= 0 && written < used) {
    const ssize_t some = TACTUS_REAL(write)(file, buffer + written, used - written);
    if (some <= 0) {
      channel().trace_error = errno;
      TACTUS_REAL(close)(file);
      file = -1;
      break;
    }
    written += static_cast<std::size_t>(some);
  }
  used = 0;
  errno = error_before;
}

}  // namespace tactus::conductor
