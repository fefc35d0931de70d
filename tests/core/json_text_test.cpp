// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tactus {
namespace {

TEST(JsonText, AnyBytesGiveAValidDocument) {
  const Json document{{"name", "a\xff"}, {"b\xfe", {1, 0.5, nullptr}}, {"hidden", "\u202e"}};
  const std::string text = json_text(document);
  EXPECT_EQ(text,
            "{\n  \"name\": \"a\\\\xff\",\n  \"b\\\\xfe\": [\n    1,\n    0.5,\n    null\n  ],\n"
            "  \"hidden\": \"\\u202e\"\n}");
  EXPECT_EQ(Json::parse(text)["hidden"], "\u202e");
}

}  // namespace
}  // namespace tactus
