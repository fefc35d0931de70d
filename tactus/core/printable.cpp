// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/printable.h"

#include <cstddef>
#include <cstdint>

namespace tactus {
namespace {

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

bool is_shown(std::uint32_t code) {
  const bool separates_lines = code == 0x2028 || code == 0x2029;
  const bool turns = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  const bool no_character = (code & 0xfffeU) == 0xfffeU || (code >= 0xfdd0 && code <= 0xfdef);
  return !is_control(code) && !separates_lines && !turns && !no_character;
}

template <class Kept>
std::string escaped(std::string_view text, Kept kept) {
  constexpr char kDigits[] = "0123456789abcdef";
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
      text, [](std::uint32_t code) { return code == '\n' || code == '\t' || !is_control(code); });
}

}  // namespace tactus
