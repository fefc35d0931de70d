// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/program_facts.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

const ProgramFacts kFacts = {{"program", "px4, build id 12ab"}, {"library libm.so.6", "a: b"}};

TEST(ProgramFacts, TextsBringThemBack) {
  EXPECT_EQ(to_text(kFacts), "program: px4, build id 12ab\nlibrary libm.so.6: a: b\n");
  EXPECT_EQ(program_facts_from(to_text(kFacts)), kFacts);
  EXPECT_EQ(program_facts_from(""), ProgramFacts{});
  EXPECT_EQ(program_facts_from("no fact\nprogram: px4, build id 12ab\n\n"),
            ProgramFacts{kFacts.front()});
}

TEST(ProgramFacts, WhatDiffersIsNamedOnce) {
  EXPECT_TRUE(program_differences(kFacts, kFacts).empty());
  const ProgramFacts other = {{"program", "px4, build id 34cd"}, {"threads", "free"}};
  const std::vector<ProgramDifference> found = program_differences(kFacts, other);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, kProgramFact);
  EXPECT_EQ(found[0].a, "px4, build id 12ab");
  EXPECT_EQ(found[0].b, "px4, build id 34cd");
  EXPECT_EQ(found[1].name, "library libm.so.6");
  EXPECT_EQ(found[1].b, "");
  EXPECT_EQ(found[2].name, "threads");
  EXPECT_EQ(found[2].a, "");
}

TEST(ProgramFacts, OneOfWhichNothingIsKnownDoesNotDiffer) {
  EXPECT_TRUE(program_differences(kFacts, {}).empty());
  EXPECT_TRUE(program_differences({}, kFacts).empty());
}

}  // namespace
}  // namespace tactus
