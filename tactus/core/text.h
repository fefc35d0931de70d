// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers as text, the same in every locale.

#pragma once

#include <cstdint>
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

}  // namespace tactus
