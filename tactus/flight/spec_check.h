// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Whether a spec can be flown: it is read and assembled as for a flight, so that nothing is refused
// at the start of a run whose spec passed the check.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

struct SpecCheck {
  std::vector<Error> mistakes;        ///< empty: it can be flown now
  std::vector<std::string> warnings;  ///< warnings.h; if it can be read
  std::optional<LoadedSpec> loaded;   ///< without mistakes
};

/// Throws nothing that concerns the spec. `name` is a path or the name of a shipped spec.
SpecCheck check_spec(const std::string& name, std::span<const Override> overrides = {});
SpecCheck check_spec_text(std::string_view text, const std::string& file,
                          std::span<const Override> overrides = {});

}  // namespace tactus
