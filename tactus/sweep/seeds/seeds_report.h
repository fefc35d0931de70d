// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What flights with many seeds came to, for machines: JSON and JUnit. JSON has no wall-clock
// figure: it is the same for any number of threads.

#include <cstdint>
#include <functional>
#include <string>

#include "tactus/sweep/seeds/seeds.h"

namespace tactus {

inline constexpr char kSeedsSchema[] = "tactus.run.seeds/1";

/// What only the caller knows.
struct SeedsOrigin {
  std::string spec;                                        ///< as the user names it
  std::function<std::string(std::uint64_t seed)> command;  ///< that flies one seed again
};

std::string seeds_json(const SeedsResult& result, const SeedsOrigin& origin);

/// `title`: of the document; with `strict` warnings are a case of every flight.
std::string seeds_junit(const SeedsResult& result, const SeedsOrigin& origin,
                        const std::string& title, bool strict = false);

}  // namespace tactus
