// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What programs take for chance follows from a seed.

#include "tactus/conductor/random.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tactus/conductor/outside.h"
#include "tactus/conductor/real.h"
#include "tactus/conductor/scheduler.h"

namespace tactus::conductor {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t next_word() {
  static std::uint64_t state = channel().seed;
  std::uint64_t word = state += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

}  // namespace

void fill_random(void* bytes, std::size_t size) {
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = next_word();
    std::memcpy(static_cast<char*>(bytes) + at, &word,
                size - at < sizeof word ? size - at : sizeof word);
  }
}

int open_random(const char* path) {
  if (std::strcmp(path, "/dev/urandom") != 0 && std::strcmp(path, "/dev/random") != 0) return -1;
  constexpr std::size_t kBytes = 65536;
  static unsigned char bytes[kBytes];
  const int file = ::memfd_create("random", MFD_CLOEXEC);
  if (file < 0) return -1;
  fill_random(bytes, kBytes);
  if (TACTUS_REAL(write)(file, bytes, kBytes) < 0) std::abort();
  ::lseek(file, 0, SEEK_SET);
  return file;
}

TACTUS_INTERPOSE ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  if (!self()) return TACTUS_REAL(getrandom)(bytes, size, flags);
  fill_random(bytes, size);
  return static_cast<ssize_t>(size);
}

TACTUS_INTERPOSE int getentropy(void* bytes, size_t size) {
  if (!self()) return TACTUS_REAL(getentropy)(bytes, size);
  fill_random(bytes, size);
  return 0;
}

TACTUS_INTERPOSE void arc4random_buf(void* bytes, size_t size) noexcept {
  if (!self()) return TACTUS_REAL(arc4random_buf)(bytes, size);
  fill_random(bytes, size);
}

TACTUS_INTERPOSE std::uint32_t arc4random() noexcept {
  if (!self()) return TACTUS_REAL(arc4random)();
  return static_cast<std::uint32_t>(next_word());
}

TACTUS_INTERPOSE std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (!self()) return TACTUS_REAL(arc4random_uniform)(bound);
  return bound < 2 ? 0 : static_cast<std::uint32_t>(next_word() % bound);
}

/// std::random_device::_M_getval(): its default reads an instruction of the processor.
// NOLINTBEGIN(readability-identifier-naming): names of the C library
TACTUS_INTERPOSE unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  if (self()) return static_cast<unsigned>(next_word());
  using Method = unsigned(void*);
  static auto* const real = next_function<Method>("_ZNSt13random_device9_M_getvalEv");
  return real(device);
}
// NOLINTEND(readability-identifier-naming)

}  // namespace tactus::conductor
