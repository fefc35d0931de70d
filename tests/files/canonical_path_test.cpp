// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/canonical_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tactus {
namespace {

namespace fs = std::filesystem;

TEST(CanonicalPath, IsOneNamePerFileBeItThereOrNot) {
  const fs::path folder = fs::path(::testing::TempDir()) / "canonical_path_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "inner");
  fs::create_directory_symlink(folder / "inner", folder / "link");
  std::ofstream(folder / "inner" / "there") << "";
  for (const char* name : {"there", "not_there"}) {
    const std::string plain = canonical_path((folder / "inner" / name).string());
    EXPECT_TRUE(fs::path(plain).is_absolute());
    EXPECT_EQ(canonical_path((folder / "link" / name).string()), plain);
    EXPECT_EQ(canonical_path((folder / "inner" / ".." / "inner" / "." / name).string()), plain);
  }
  EXPECT_NE(canonical_path((folder / "there").string()),
            canonical_path((folder / "inner" / "there").string()));
  EXPECT_EQ(canonical_path("not_there_either"), (fs::current_path() / "not_there_either").string());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tactus
