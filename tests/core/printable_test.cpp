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

TEST(Printable, WhatXmlDoesNotAllowIsNamed) {
  EXPECT_EQ(printable("\xef\xbf\xbe"), "\\xef\\xbf\\xbe");  // U+FFFE
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\xef\\xbf\\xbf");
  EXPECT_EQ(printable("\xef\xbf\xbd"), "\xef\xbf\xbd");   // U+FFFD is a character
  EXPECT_EQ(valid_utf8("\xef\xbf\xbe"), "\xef\xbf\xbe");  // of JSON it is one, too
}

}  // namespace
}  // namespace tactus
