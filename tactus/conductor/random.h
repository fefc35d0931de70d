// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstddef>

namespace tactus::conductor {

/// The next of the program's random bytes; they follow from the seed of the channel.
void fill_random(void* bytes, std::size_t size);

/// /dev/urandom and /dev/random: a descriptor of a file of random bytes. −1: `path` is neither.
int open_random(const char* path);

}  // namespace tactus::conductor
