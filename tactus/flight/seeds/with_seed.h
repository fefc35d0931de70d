// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>

#include "tactus/files/disk_files.h"

namespace tactus {

/// The same spec with another seed: what load_spec() with the override seed=SEED gives, without
/// reading anything again.
LoadedSpec with_seed(LoadedSpec loaded, std::uint64_t seed);

}  // namespace tactus
