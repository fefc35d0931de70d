// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Counts every allocation of the process that includes it.

#include <cstddef>

inline long allocations = 0;

#if defined(__SANITIZE_ADDRESS__)
#define TACTUS_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TACTUS_ADDRESS_SANITIZER
#endif
#endif

// Every allocation of the process ends in the C library; under a sanitizer, in its allocator.
#ifdef TACTUS_ADDRESS_SANITIZER
// Declared here: Debian's g++ does not ship sanitizer/allocator_interface.h.
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT: name of the sanitizer
    void (*malloc_hook)(const volatile void*, std::size_t),
    void (*free_hook)(const volatile void*));
inline const int hooks_installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
#else
extern "C" {
// NOLINTBEGIN: names of the C library. Weak: more than one file of a program may include this.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
__attribute__((weak)) void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
__attribute__((weak)) void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
__attribute__((weak)) void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
// NOLINTEND
}
#endif
