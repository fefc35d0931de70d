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

/// Also control characters, line breaks, hidden characters that change how others are shown (marks
/// of direction and the like) and what XML does not allow: what may stand in one line, of a CSV
/// file too, or in an attribute of XML.
std::string printable(std::string_view text);

/// For texts of many lines on a terminal: the same with line breaks and tabulators.
std::string printable_lines(std::string_view text);

/// The same for text or an attribute of XML: with its entities.
std::string xml_text(std::string_view text);

enum class UnicodeEscape {
  kJson,  ///< \uNNNN, of UTF-16
  kToml,  ///< \uNNNN or \UNNNNNNNN
};

/// A document in UTF-8 that says the same, with such escapes in the place of control characters
/// beyond those of ASCII and of hidden characters. They can only be in its texts.
std::string without_hidden(std::string_view document, UnicodeEscape style);

}  // namespace tactus
