// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is read from the files of programs and libraries, and what that says of those that run.

#include "tactus/link/net/elf_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tactus/link/net/program_identity.h"
#include "tactus/link/net/program_imports.h"
#include "tactus/link/net/work_folder.h"
#include "tests/support/compiled_program.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

const std::string kSelf = fs::read_symlink("/proc/self/exe").string();

void write(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

TEST(ElfFile, ThisProgram) {
  const ElfFile file(kSelf);
  ASSERT_TRUE(file.is_elf());
  EXPECT_TRUE(file.has_loader());
  EXPECT_TRUE(holds(file.imports(), "abort"));
  EXPECT_TRUE(holds(file.libraries(), "libc.so.6"));
  EXPECT_FALSE(holds(file.libraries(), "abort"));
}

TEST(ElfFile, WhatIsNoneHasNothing) {
  const WorkFolder folder("", "a test");
  const std::string path = folder.path() + "/file";
  for (const std::string_view text : {"", "#!/bin/sh\n", "\177ELF", "\177ELF\2\1\1"}) {
    write(path, text);
    const ElfFile file(path);
    EXPECT_FALSE(file.has_loader());
    EXPECT_TRUE(file.imports().empty());
    EXPECT_TRUE(file.libraries().empty());
    EXPECT_EQ(file.build_id(), "");
  }
  EXPECT_FALSE(ElfFile(folder.path() + "/nothing").is_elf());
}

/// Cut anywhere, or with any part of its head changed, it is read without harm.
TEST(ElfFile, DamageDoesNoHarm) {
  const WorkFolder folder("", "a test");
  const std::string path = folder.path() + "/file";
  const std::string whole(ElfFile("/usr/bin/env").bytes());
  ASSERT_GT(whole.size(), 4096U);
  const auto read_all = [&path] {
    const ElfFile file(path);
    return file.imports().size() + file.libraries().size() + file.run_path().size() +
           file.build_id().size() + (file.has_loader() ? 1U : 0U);
  };
  std::size_t found = 0;
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 50) {
    write(path, whole.substr(0, size));
    found += read_all();
  }
  for (std::size_t at = 16; at < 1024; at += 3) {
    std::string damaged = whole;
    damaged[at] = '\xff';
    write(path, damaged);
    found += read_all();
  }
  EXPECT_GT(found, 0U);
}

TEST(ProgramIdentity, OfThisProcess) {
  const ProgramFacts facts = program_facts_of(::getpid(), "free");
  const auto value = [&facts](std::string_view name) {
    const auto found = std::ranges::find(facts, name, &ProgramFact::name);
    return found == facts.end() ? std::string() : found->value;
  };
  EXPECT_TRUE(value("program").starts_with(fs::path(kSelf).filename().string() + ", "));
  EXPECT_NE(value("library libc.so.6").find(", build id "), std::string::npos);
  EXPECT_NE(value("library libc.so.6").find("GNU C Library"), std::string::npos);
  EXPECT_EQ(value("threads"), "free");
  EXPECT_FALSE(value("processor").empty());
  EXPECT_FALSE(value("processor features").empty());
  EXPECT_EQ(program_facts_from(to_text(facts)), facts);
}

TEST(ProgramIdentity, OfAProcessThatIsGone) {
  const ProgramFacts facts = program_facts_of(-1, "free");
  ASSERT_FALSE(facts.empty());
  EXPECT_EQ(facts.front().value, "not known");
}

/// A program that wants nothing itself, and its library that does: beside it, and once more below.
TEST(ProgramImports, OwnLibrariesAreLookedAtToo) {
  const WorkFolder folder("", "a test");
  const std::string& path = folder.path();
  const std::string beside = " -Wl,-rpath,'$ORIGIN' -L.";
  if (!testing::compile_program(path, "libdeep.so",
                                "#include <sys/epoll.h>\nint deep(void) { return "
                                "epoll_create1(0); }\n",
                                "-shared -fPIC")) {
    GTEST_SKIP() << "no C compiler is here";
  }
  ASSERT_TRUE(testing::compile_program(path, "libown.so",
                                       "int deep(void);\nint own(void) { return deep(); }\n",
                                       "-shared -fPIC -ldeep" + beside));
  ASSERT_TRUE(testing::compile_program(
      path, "main", "int own(void);\nint main(void) { return own(); }\n", "-lown" + beside));
  const std::string why = why_not_conductible(path + "/main");
  EXPECT_NE(why.find("its library "), std::string::npos) << why;
  EXPECT_NE(why.find("libdeep.so uses epoll_create1()"), std::string::npos) << why;
  fs::remove(path + "/libdeep.so");
  EXPECT_EQ(why_not_conductible(path + "/main"), "") << "what is not there is left to the loader";
}

}  // namespace
}  // namespace tactus
