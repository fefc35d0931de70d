// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tactus {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

/// The character at the front of a text; length 0: none of UTF-8 begins here.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf5   ? 0
                             : lead >= 0xf0 ? 4
                             : lead >= 0xe0 ? 3
                             : lead >= 0xc2 ? 2
                                            : 0;
  if (length == 0 || length > text.size()) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || surrogate) return {};
  return {code, length};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Characters that are not seen and change how others are: they end a line, turn the direction of
/// writing, shape digits or letters, annotate, tag.
bool is_hidden_control(std::uint32_t code) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kRanges[] = {
      {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
      {0x2066, 0x206f}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  return std::any_of(std::begin(kRanges), std::end(kRanges), [code](const auto& range) {
    return code >= range.first && code <= range.second;
  });
}

bool is_obeyed(std::uint32_t code) { return is_control(code) || is_hidden_control(code); }

bool is_shown(std::uint32_t code) {
  const bool no_character = (code & 0xfffeU) == 0xfffeU || (code >= 0xfdd0 && code <= 0xfdef);
  return !is_obeyed(code) && !no_character;
}

std::string unit_escape(std::uint32_t value, char letter, unsigned digits) {
  std::string text{'\\', letter};
  for (unsigned i = digits; i > 0; --i) text += kDigits[(value >> (4U * (i - 1))) & 0xfU];
  return text;
}

std::string unicode_escape(std::uint32_t code, UnicodeEscape style) {
  if (code < 0x10000) return unit_escape(code, 'u', 4);
  if (style == UnicodeEscape::kToml) return unit_escape(code, 'U', 8);
  return unit_escape(0xd800U + ((code - 0x10000U) >> 10U), 'u', 4) +
         unit_escape(0xdc00U + (code & 0x3ffU), 'u', 4);
}

template <class Kept>
std::string escaped(std::string_view text, Kept kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t length = character.length == 0 ? 1 : character.length;
    if (character.length > 0 && kept(character.code)) {
      out += text.substr(0, length);
    } else {
      for (const char c : text.substr(0, length)) {
        const auto byte = static_cast<unsigned char>(c);
        out += "\\x";
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 0xfU];
      }
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_of(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  return escaped(text, [](std::uint32_t) { return true; });
}

std::string printable(std::string_view text) { return escaped(text, is_shown); }

std::string printable_lines(std::string_view text) {
  return escaped(
      text, [](std::uint32_t code) { return code == '\n' || code == '\t' || !is_obeyed(code); });
}

std::string without_hidden(std::string_view document, UnicodeEscape style) {
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const Character character = first_of(document);
    const std::size_t length = character.length == 0 ? 1 : character.length;
    const bool stays = character.code < 0x7f || !is_obeyed(character.code);
    if (stays) {
      out += document.substr(0, length);
    } else {
      out += unicode_escape(character.code, style);
    }
    document.remove_prefix(length);
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace tactus
