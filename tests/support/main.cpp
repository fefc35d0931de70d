// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The main function of every test program. A program holds the tests of one folder; ctest starts it
// once per source file, so that no file sees what another one left behind:
//   test_core                    every test of tests/core
//   test_core time               those of tests/core/time_test.cpp

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace {

std::string name_of_file(const testing::TestInfo& test) {
  const char* slash = std::strrchr(test.file(), '/');
  return slash == nullptr ? test.file() : slash + 1;
}

/// A filter that takes the tests of one file. Names have to be unique among the files, since a
/// filter knows no files.
std::string filter_of(const std::string& file) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::map<std::string, std::string> files;
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      const std::string name = std::string(suite.name()) + "." + test.name();
      const auto [first, added] = files.emplace(name, name_of_file(test));
      if (!added && (first->second == file || name_of_file(test) == file)) {
        std::fprintf(stderr, "%s and %s have a test %s\n", first->second.c_str(),
                     name_of_file(test).c_str(), name.c_str());
        return "";
      }
      if (name_of_file(test) == file) filter += name + ":";
    }
  }
  if (filter.empty()) std::fprintf(stderr, "there is no test of %s\n", file.c_str());
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    const std::string filter = filter_of(std::string(argv[1]) + "_test.cpp");
    if (filter.empty()) return 2;
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
