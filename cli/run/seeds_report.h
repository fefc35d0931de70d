// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "cli/run/options.h"
#include "tactus/sweep/seeds/seeds.h"

namespace tactus::cli {

/// What flights with many seeds came to, for people: the same for any number of threads.
std::string seeds_text(const RunOptions& options, const SeedsResult& result);

}  // namespace tactus::cli
