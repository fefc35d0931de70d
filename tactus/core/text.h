// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers as text, the same in every locale.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

/// The shortest decimal text that reads back as the same double ("8.3", "1e-09", "inf", "nan").
std::string format_double(double value);
std::string format_integer(std::int64_t value);
std::string format_integer(std::uint64_t value);

/// The whole text must be one number. Throws Error(kBadInput) that names `key` and the text.
double parse_double(std::string_view text, std::string_view key);
std::uint64_t parse_uint64(std::string_view text, std::string_view key);

/// As a field of a CSV file: in quotes, those in it doubled.
std::string csv_quoted(std::string_view text);

/// For messages: the beginning, then "…", if it is longer than that many bytes.
std::string shortened(std::string_view text, std::size_t longest = 100);

/// What a user may have meant by `text`, the nearest first; empty if nothing is near. Near are, in
/// this order: candidates in which `text` starts a word ("height" in "truth.height_m"); those in
/// which its last dotted part does; those within a third of its letters, counted as insertions,
/// deletions, replacements and swaps of neighbours; those that share words with more than half of
/// its letters. Linear in the candidates.
std::vector<std::string> near_texts(std::string_view text, std::span<const std::string> candidates);

/// The sentence, then "; did you mean X?", or, if none is near, a few candidates: "; one of A, B".
std::string did_you_mean(std::string sentence, std::string_view text,
                         std::span<const std::string> candidates);

}  // namespace tactus
