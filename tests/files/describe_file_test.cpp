// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is given instead of a recording is called by its name.

#include "tactus/files/describe_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/autopilot/mission/file_kind.h"
#include "tactus/core/error.h"
#include "tactus/record/hdf5/recording_file.h"

namespace tactus {
namespace {

using namespace std::string_literals;

std::string file_with(const std::string& bytes) {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string path =
      (std::filesystem::temp_directory_path() / ("file_kind_test_"s + test->name())).string();
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string described(const std::string& bytes) { return describe_file(file_with(bytes)); }

TEST(FileKind, KnownByItsFirstBytes) {
  const std::string rest(600, '\x01');
  const std::pair<std::string, const char*> cases[] = {
      {"ULog\x01\x12\x35\x01"s, "a ULog, the log of PX4"},
      {"\xA3\x95\x80\x80"s, "DataFlash log of ArduPilot"},
      {"\x89MCAP0\r\n"s, "MCAP"},
      {"\x1F\x8B\x08"s, "gzip"},
      {"PK\x03\x04"s, "zip"},
      {"\x28\xB5\x2F\xFD"s, "zstd"},
      {"SQLite format 3\0"s, "SQLite"},
      {"\x7F"
       "ELF"s,
       "a program"},
  };
  for (const auto& [begin, words] : cases) {
    EXPECT_NE(described(begin + rest).find(words), std::string::npos) << words;
  }
  EXPECT_EQ(described(rest), "");
  EXPECT_EQ(described("UL"), "a text file");
}

TEST(FileKind, TelemetryLogHasATimeBeforeEveryFrame) {
  // 2026-01-01 in microseconds since 1970.
  const std::string time = "\x00\x06\x47\x48\x46\x20\x40\x00"s;
  EXPECT_NE(described(time + "\xFD\x09").find(".tlog"), std::string::npos);
  EXPECT_NE(described(time + "\xFE\x09").find(".tlog"), std::string::npos);
  EXPECT_EQ(described(time + "\x00\x09"s), "");
  EXPECT_EQ(described("\x70"s + time + "\xFD"), "");
}

TEST(FileKind, Texts) {
  const std::pair<const char*, const char*> cases[] = {
      {"# tactus 0.1.0 schema=tactus.log/1\ntime_us,a\n", "a table of Tactus as CSV"},
      {"# mine\n\n[body]\n", "TOML"},
      {"name = \"x\"\n", "TOML"},
      {"time_us,a,b\n0,1,2\n", "CSV"},
      {"{\n  \"schema\": 1}", "JSON"},
      {"<?xml version=\"1.0\"?>", "XML"},
      {"QGC WPL 110\n", "a mission"},
      {"{\"fileType\": \"Plan\"}", "a mission"},
      {"# two\nname = \"x\"\n[[vehicle]]\n", "`tactus bridge`"},
      {"hello", "a text file"},
  };
  for (const auto& [text, words] : cases) {
    EXPECT_NE(described(text).find(words), std::string::npos) << described(text);
  }
}

TEST(FileKind, WhatIsCertainlyNoSpec) {
  const std::pair<std::string, const char*> foreign[] = {
      {"\x89HDF\r\n\x1a\n\0\0"s, "`tactus inspect`"},
      {"ULog\x01\x12\x35\x01"s, "a ULog"},
      {"# tactus 0.1.0 schema=tactus.log/1\n# name=a\ntime_us,a\n", "a table of Tactus as CSV"},
      {"time_us,a\n0,1\n", "a table of Tactus as CSV"},
      {"{\n  \"fileType\": \"Plan\",\n", "--mission"},
      {"{\"schema\": 1}", "a JSON file"},
      {"QGC WPL 110\n", "--mission"},
      {"<?xml version=\"1.0\"?>", "an XML file"},
      {"n\0a\0m\0e\0"s, "no text"},
  };
  for (const auto& [text, words] : foreign) {
    EXPECT_NE(describe_if_foreign(text).find(words), std::string::npos) << words;
  }
  // Specs, also with mistakes.
  for (const char* text :
       {"", "# tactus 0.1.0\n", "name = \"x\"\n", "nonsense", "a, b\n", "[body\n"}) {
    EXPECT_EQ(describe_if_foreign(text), "") << text;
  }
}

TEST(FileKind, FoldersAndNothing) {
  EXPECT_EQ(describe_file(std::filesystem::temp_directory_path().string()),
            "a folder; name a file in it");
  EXPECT_EQ(described(""), "an empty file; record the flight again");
  EXPECT_EQ(describe_file("/no/such/file"), "");
}

TEST(FileKind, ReadersOfRecordingsSayIt) {
  const std::string path = file_with("ULog\x01\x12\x35\x01");
  try {
    (void)read_recording(path);
    FAIL() << "read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_EQ(error.what(), path + " is not a recording: it is " + describe_file(path));
  }
}

}  // namespace
}  // namespace tactus
