// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers as text, the same in every locale.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tactus {

/// The shortest decimal text that reads back as the same double ("8.3", "1e-09", "inf", "nan").
std::string format_double(double value);
std::string format_integer(std::int64_t value);
std::string format_integer(std::uint64_t value);

/// The whole text must be one number. Throws Error(kBadInput) that names `key` and the text.
double parse_double(std::string_view text, std::string_view key);
std::uint64_t parse_uint64(std::string_view text, std::string_view key);

/// Levenshtein: insertions, deletions and replacements of a letter, one each.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// For "did you mean": the candidate that takes the fewest edits to become `text`, the first of
/// equals; empty if there are none. Candidates of which `text` is a part that starts a word
/// ("height" in "truth.height_m") come before all others, then those with its last dotted part.
std::string nearest_text(std::string_view text, std::span<const std::string> candidates);

}  // namespace tactus
