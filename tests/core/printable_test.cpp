// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace tactus {
namespace {

TEST(Printable, WhatMayBeShownStaysAsItIs) {
  for (const char* text : {"", "plain", "a\\b \"c\" <d> & 'e'", "Größe 5 µm – 日本 🚁"}) {
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(valid_utf8(text), text);
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
  }
}

TEST(Printable, BytesThatAreNoUtf8AreNamed) {
  // A lone byte, a cut sequence, an overlong slash, a surrogate, beyond the last character.
  EXPECT_EQ(valid_utf8("a\xff"), "a\\xff");
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(valid_utf8("\x80z\xc3\xa9"), "\\x80z\xc3\xa9");
  EXPECT_FALSE(is_utf8("\xe2\x82"));
}

TEST(Printable, NothingReachesATerminalAsACommand) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // the same in one character
  EXPECT_EQ(printable("a\r\nb\tc\x7f"), "a\\x0d\\x0ab\\x09c\\x7f");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe"),
            "\\xe2\\x80\\xaegpj.exe");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable_lines("a\t\n\x1b"
                            "b\r\n\xff"),
            "a\t\n\\x1b"
            "b\\x0d\n\\xff");
}

TEST(Printable, HiddenCharactersThatChangeOthersAreNamed) {
  // Every mark of direction, both separators, controls of C1, deprecated shapes, a tag.
  for (const char* hidden : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
                             "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
                             "\u206a", "\ufff9", "\U000e0041", "\xc2\x85", "\xc2\x9b"}) {
    const std::string text = std::string("a") + hidden + "b";
    for (const std::string& shown : {printable(text), printable_lines(text)}) {
      EXPECT_EQ(shown.find(hidden), std::string::npos) << shown;
      EXPECT_EQ(shown.substr(0, 3), "a\\x");
    }
  }
  EXPECT_EQ(printable("\u200d\u00a0\u2027"), "\u200d\u00a0\u2027");  // joiner, space, neighbour
}

TEST(Printable, InADocumentTheyBecomeItsOwnEscapes) {
  const std::string document = "{\"a\": \"\u202e\xc2\x9b\x7f\U000e0041 \u00e9\\n\"}\n";
  EXPECT_EQ(without_hidden(document, UnicodeEscape::kJson),
            "{\"a\": \"\\u202e\\u009b\\u007f\\udb40\\udc41 \u00e9\\n\"}\n");
  EXPECT_EQ(without_hidden(document, UnicodeEscape::kToml),
            "{\"a\": \"\\u202e\\u009b\\u007f\\U000e0041 \u00e9\\n\"}\n");
}

TEST(Printable, WhatXmlDoesNotAllowIsNamed) {
  EXPECT_EQ(printable("\xef\xbf\xbe"), "\\xef\\xbf\\xbe");  // U+FFFE
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\xef\\xbf\\xbf");
  EXPECT_EQ(printable("\xef\xbf\xbd"), "\xef\xbf\xbd");   // U+FFFD is a character
  EXPECT_EQ(valid_utf8("\xef\xbf\xbe"), "\xef\xbf\xbe");  // of JSON it is one, too
}

TEST(Printable, TextOfXmlHasItsEntities) {
  EXPECT_EQ(xml_text("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot;\\x0a");
}

}  // namespace
}  // namespace tactus
