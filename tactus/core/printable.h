// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Text of others, names of files and specs and what peers say, as it may be shown. Every byte that
// may not is written as \xNN, so the result says which bytes they were; text that may be shown as
// it is comes back unchanged.

#include <string>
#include <string_view>

namespace tactus {

bool is_utf8(std::string_view text);

/// Bytes that are no UTF-8 as \xNN: what a document (JSON, TOML) may hold.
std::string valid_utf8(std::string_view text);

/// Also control characters, line breaks, marks that turn the direction of writing and what XML does
/// not allow: what may stand in one line, of a CSV file too, or in an attribute of XML.
std::string printable(std::string_view text);

/// For documents of many lines on a terminal, JSON among them: only what is no UTF-8 and control
/// characters other than line breaks and tabulators.
std::string printable_lines(std::string_view text);

}  // namespace tactus
