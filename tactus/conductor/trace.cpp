// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/conductor/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

constexpr std::size_t kBuffer = 65536;
constexpr std::size_t kLine = 160;

int file = -1;
char buffer[kBuffer];
std::size_t used = 0;

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

template <class... Values>
void line(const char* format, Values... values) {
  if (file < 0) return;
  if (used + kLine > kBuffer) flush_trace();
  const int length = std::snprintf(buffer + used, kLine, format, values...);
  if (length > 0) used += static_cast<std::size_t>(length);
}

}  // namespace

void start_trace() {
  channel().decisions = kStart;
  if (const char* path = std::getenv(kTraceVariable)) {
    file = TACTUS_REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  }
}

void trace_switch(const Thread& thread) {
  ++channel().switches;
  enter(static_cast<std::uint64_t>(now_ns()) << 8U ^ thread.number);
  line("%lld thread %u %.16s\n", static_cast<long long>(now_ns()), thread.number,
       thread.view->name);
}

void trace_event(const char* what, std::uint64_t number, const void* bytes, std::size_t size) {
  const std::uint64_t digest = digest_of(bytes, size);
  enter(digest ^ number);
  line("%lld %s %llu %zu %016llx\n", static_cast<long long>(now_ns()), what,
       static_cast<unsigned long long>(number), size, static_cast<unsigned long long>(digest));
}

void flush_trace() {
  std::size_t written = 0;
  while (file >= 0 && written < used) {
    const ssize_t some = TACTUS_REAL(write)(file, buffer + written, used - written);
    if (some <= 0) break;
    written += static_cast<std::size_t>(some);
  }
  used = 0;
}

}  // namespace tactus::conductor
