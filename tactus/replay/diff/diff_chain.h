// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Compares two flights by their digest chains alone. Every link covers the flight up to it, so
// "equal up to here" is true up to some link and false after it: bisection finds that link without
// reading the rest, and the digests of single signals there name what differs.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tactus/record/digest_chain.h"
#include "tactus/record/table.h"

namespace tactus {

struct ChainDifference {
  std::optional<TimeUs> equal_until;  ///< the last link that is equal; none: not even the first
  TimeUs differs_at;                  ///< the first one that is not
  std::vector<std::string> signals;   ///< that differ at that instant; none may be left of a detour
};

/// By links as a summary holds them; links at instants that only one has are left out. Empty:
/// equal.
std::optional<ChainDifference> diff_chains(const std::vector<DigestChain::Link>& a,
                                           const std::vector<DigestChain::Link>& b);

/// By the tables "chain" of two recordings, which also name signals.
std::optional<ChainDifference> diff_chains(const Table& a, const Table& b);

}  // namespace tactus
