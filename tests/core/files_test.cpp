// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {
namespace {

const MemoryFiles kFiles({{"aircraft/a.toml", "a"},
                          {"aircraft/b/c.toml", "c"},
                          {"aircraft-old/d.toml", "d"},
                          {"e", ""}});

TEST(MemoryFiles, TextsAreFoundUnderEveryNameOfTheirPath) {
  for (const char* path : {"aircraft/a.toml", "/aircraft/a.toml", "./aircraft/b/../a.toml"}) {
    EXPECT_TRUE(kFiles.is_file(path)) << path;
    EXPECT_EQ(kFiles.read(path), "a") << path;
    EXPECT_EQ(kFiles.canonical(path), "/aircraft/a.toml") << path;
  }
  EXPECT_EQ(kFiles.read("e"), "") << "an empty file is one";
}

TEST(MemoryFiles, FoldersHaveTheNamesBelowThem) {
  EXPECT_EQ(kFiles.names_in("/"), (std::vector<std::string>{"aircraft", "aircraft-old", "e"}));
  EXPECT_EQ(kFiles.names_in("aircraft"), (std::vector<std::string>{"a.toml", "b"}));
  EXPECT_EQ(kFiles.names_in("aircraft/"), kFiles.names_in("aircraft"));
  EXPECT_TRUE(kFiles.names_in("aircraft/a.toml").empty());
  EXPECT_TRUE(kFiles.is_folder("aircraft/b"));
  EXPECT_FALSE(kFiles.is_folder("air"));
}

TEST(MemoryFiles, WhatIsNoFileSaysWhy) {
  EXPECT_EQ(kFiles.why_no_file("aircraft"), "is a folder");
  EXPECT_FALSE(kFiles.is_missing("aircraft"));
  EXPECT_TRUE(kFiles.is_missing("f"));
  try {
    (void)kFiles.read("f");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_STREQ(error.what(), "f: cannot be read: there is no such file");
  }
}

}  // namespace
}  // namespace tactus
