// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The C library's own functions, beneath ours of the same names.

#include <dlfcn.h>

namespace tactus::conductor {

/// The next function of this name after ours. Null: the C library does not have it.
template <class Function>
Function* next_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace tactus::conductor

/// Calls the C library's `name`; looked up once. Guards of statics are ours, so none is wanted here
/// (-fno-threadsafe-statics); what runs before the first thread looks it up.
#define TACTUS_REAL(name)                                                                  \
  ([]() noexcept {                                                                         \
    static auto* const real = ::tactus::conductor::next_function<decltype(::name)>(#name); \
    return real;                                                                           \
  }())

/// A function that takes the place of the C library's. Inside this library, too: what is meant to
/// reach the kernel says TACTUS_REAL.
#define TACTUS_INTERPOSE extern "C" __attribute__((visibility("default")))
