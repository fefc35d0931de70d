// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a TOML text may ask of the parser. toml++ calls itself for every level of nesting, its trees
// do so again when they are destroyed, and it looks tables up one by one: a text of a megabyte can
// overflow the stack or take hours. One pass over the bytes finds out before.

#include <cstddef>
#include <string>
#include <string_view>

namespace tactus {

/// Levels of nesting. A part of a dotted key or header, an array and an inline table are one each.
inline constexpr std::size_t kDeepestToml = 64;
/// Values, counted by the signs that separate them: =, [ and commas.
inline constexpr std::size_t kMostTomlValues = 50'000;

/// Throws PlacedError(kBadInput) where the text passes a limit. Anything else that is wrong with it
/// is left to the parser.
void require_bounded_toml(std::string_view text, const std::string& file);

}  // namespace tactus
