// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <vector>

#include "tactus/spec/reader/load_spec.h"

namespace tactus::cli {

/// Of `--set KEY=VALUE`, in the order given. Throws Error(kBadInput).
inline std::vector<Override> overrides_of(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  overrides.reserve(sets.size());
  for (const std::string& set : sets) overrides.push_back(parse_override(set));
  return overrides;
}

}  // namespace tactus::cli
