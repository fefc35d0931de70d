// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/seeds/with_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tactus/core/assert.h"
#include "tactus/core/text.h"
#include "tactus/spec/model/spec_digest.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {
namespace {

constexpr char kSeedKey[] = "seed";

/// As it stands in LoadedSpec::resolved.
std::string line_of(const ResolvedKey& key) {
  return fmt::format("\n{} = {}  # {}\n", key.key, key.value, key.origin());
}

}  // namespace

LoadedSpec with_seed(LoadedSpec loaded, std::uint64_t seed) {
  const auto key = std::find_if(loaded.provenance.begin(), loaded.provenance.end(),
                                [](const ResolvedKey& one) { return one.key == kSeedKey; });
  TACTUS_ASSERT(key != loaded.provenance.end(), "every resolved spec has a seed");
  const std::string before = line_of(*key);
  key->value = format_integer(seed);
  key->at = TomlPosition{};  // that of an override
  // It is a key of no table, and those come first: the first such line is the one.
  const std::size_t at = loaded.resolved.find(before);
  TACTUS_ASSERT(at != std::string::npos, "the resolved text has every key of the provenance");
  loaded.resolved.replace(at, before.size(), line_of(*key));
  loaded.spec.seed = seed;
  loaded.spec.digest = spec_digest(loaded.spec);
  return loaded;
}

}  // namespace tactus
