// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: reads very large specs

// Texts that are made to hurt: nested without end, very long, files that extend each other without
// end. Each is one message with a place, in the time of reading it; before there were limits, these
// sizes overflowed the stack or took minutes to hours.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/replay/branch/branch_event.h"
#include "tactus/spec/import/import_spec.h"
#include "tactus/spec/toml/toml_document.h"
#include "tactus/spec/toml/toml_limits.h"
#include "tests/spec/spec_samples.h"

namespace tactus {
namespace {

using testing::error_of;
using testing::kSmallSpec;
using testing::TestFolder;

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "\"" << text.substr(0, 500) << "\" lacks \"" << part << "\"";
}

std::string repeated(const std::string& piece, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += piece;
  return text;
}

std::string many(std::size_t n, const std::function<std::string(const std::string& number)>& line) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += line(std::to_string(i));
  return text;
}

TEST(TomlLimits, NothingIsNestedWithoutEnd) {
  constexpr std::size_t kMany = 40'000;
  const std::string parts = repeated("a.", kMany) + "a";
  const std::string texts[] = {
      parts + " = 1\n",
      "[" + parts + "]\n",
      "[[" + parts + "]]\n",
      "\"a\"." + parts + " = 1\n",
      "x = " + repeated("[", kMany) + repeated("]", kMany) + "\n",
      "x = " + repeated("[\n", kMany) + repeated("]\n", kMany) + "\n",
      "x = " + repeated("{a = ", kMany) + "1" + repeated("}", kMany) + "\n",
      "x = " + repeated("[{a.b = ", kMany) + "1" + repeated("}]", kMany) + "\n",
      "x = {" + parts + " = 1}\n",
      "x = {y = 1, " + parts + " = 1}\n",
      "x = [{y = 1}, {" + parts + " = 1}]\n",
      // Where a string ends decides what is a bracket.
      "x = [\"\"\"y\"\"\"\", " + repeated("[", kMany) + "\n",
      "x = ['''y'''', " + repeated("[", kMany) + "\n",
      "x = [\"\\\\\", " + repeated("[", kMany) + "\n",
      "x = ['\\', " + repeated("[", kMany) + "\n",
      "x = 1 # \"\n[" + parts + "]\n",
      "x = '#' \n[" + parts + "]\n",
      "[a.b]\n[c]\r\n" + parts + " = 1\n",
      // Little of each, which adds up.
      "[" + repeated("a.", 40) + "a]\n" + repeated("b.", 40) + "b = 1\n",
      "x = " + repeated("{" + repeated("a.", 20) + "a = ", 20) + "1" + repeated("}", 20) + "\n",
  };
  for (const std::string& text : texts) {
    SCOPED_TRACE(text.substr(0, 60));
    const std::string error = error_of(text);
    expect_contains(error, "nested more than 64 deep");
    EXPECT_TRUE(error.starts_with("t.toml:")) << error;
  }
  expect_contains(error_of("name = \"x\"\n" + parts + " = 1\n"), "t.toml:2:130: nested");
}

TEST(TomlLimits, WhatIsInStringsAndNumbersIsNotNested) {
  const std::string dots = repeated(".[{", 1000);
  const std::string text = "a = \"" + dots + "\\\"" + dots + "\" # " + dots + "\nb = '" + dots +
                           "'\nc = \"\"\"\n" + dots + "\"\n\"\"" + dots + "\"\"\"\nd = '''" + dots +
                           "\n''" + dots + "'''\ne = [" + repeated("1.5, ", 1000) + "2.5]\n" +
                           "f = {x = 1.5, y.z = 2.5}\n[g.h] # " + dots + "\ni = 1.0\n";
  const TomlNode root = parse_toml(text, "t.toml");
  EXPECT_EQ(root.children.size(), 7U);
  EXPECT_EQ(root.find("e")->children.size(), 1001U);
}

TEST(TomlLimits, AreReached) {
  const std::string parts = repeated("a.", kDeepestToml - 1) + "a";
  EXPECT_EQ(parse_toml(parts + " = 1\n", "").children.size(), 1U);
  EXPECT_EQ(parse_toml("[" + parts + "]\n[b]\n" + parts.substr(2) + " = 1\n", "").children.size(),
            2U);
  EXPECT_EQ(
      parse_toml("x = " + repeated("[", kDeepestToml - 1) + repeated("]", kDeepestToml - 1), "")
          .children.size(),
      1U);
  EXPECT_THROW(parse_toml("a." + parts + " = 1\n", ""), PlacedError);
}

TEST(TomlLimits, ManyValuesAreReadOrRefusedAtOnce) {
  constexpr std::size_t kMany = 500'000;
  const auto key = [](const std::string& i) { return "k" + i + " = 1\n"; };
  const auto twice = [](const std::string& i) { return "t" + i + ".a = 1\nt" + i + ".b = 1\n"; };
  const auto header = [](const std::string& i) { return "[t" + i + ".a]\n"; };
  const auto later = [](const std::string& i) { return "[t" + i + "]\n"; };
  for (const std::string& text : {many(kMany, key), many(kMany, twice), repeated("[[x]]\n", kMany),
                                  "x = [" + repeated("1,", kMany) + "]\n"}) {
    SCOPED_TRACE(text.substr(0, 60));
    expect_contains(error_of(text), "more than 50000 values");
  }
  // As many as may be, of the kinds that the parser looks up one by one.
  EXPECT_EQ(parse_toml(many(kMostTomlValues, key), "").children.size(), kMostTomlValues);
  EXPECT_EQ(parse_toml(many(kMostTomlValues / 2, twice), "").children.size(), kMostTomlValues / 2);
  const std::string tables = many(kMostTomlValues / 2, header) + many(kMostTomlValues / 2, later);
  EXPECT_EQ(parse_toml(tables, "").children.size(), kMostTomlValues / 2);
  expect_contains(error_of(repeated("x", 17 << 20)), "larger than 16 MiB");
  expect_contains(error_of("name = \"" + repeated("x", 17 << 20) + "\""), "larger than 16 MiB");
  const std::string long_key(1000, 'k');
  expect_contains(error_of("[body]\n" + long_key + " = 1\n"), "t.toml:2:1: a key of 1000 bytes");
  const std::string error = error_of(kSmallSpec + "[body]\nmass_kg = \"" + repeated("x", 1 << 20));
  EXPECT_LT(error.size(), 1000U);
}

TEST(TomlLimits, MessagesAreOneShortLine) {
  const std::string text = kSmallSpec + "[body]\nmass_kg = \"" + repeated("x", 1 << 20) + "\"\n";
  EXPECT_LT(error_of(text).size(), 300U);
  const std::string name = repeated("x", 1 << 20);
  EXPECT_LT(error_of("extends = \"" + name + "\"\n", "t.toml", {}, ExitCode::kEnvironment).size(),
            5000U);
  const std::string error = error_of(kSmallSpec + "[body]\n\"a\\nb\\u0007\" = 1\n");
  expect_contains(error, "a\\x0ab\\x07");
  EXPECT_EQ(error.find_first_of("\n\a"), std::string::npos);
}

TEST(TomlLimits, HoldOnTheCommandLine) {
  const std::string parts = repeated("a.", 40'000) + "a";
  const auto set = [&](const std::string& key, const std::string& value) {
    const std::string error = error_of(kSmallSpec, "t.toml", std::vector<Override>{{key, value}});
    EXPECT_LT(error.size(), 600U);
    return error;
  };
  expect_contains(set(parts, "1"), "unknown key \"a\"");
  expect_contains(set("body." + parts, "1"), "unknown key \"a\"");
  expect_contains(set("body.mass_kg", "1\n" + parts + " = 2"), "must be a number");
  expect_contains(set("body.mass_kg", repeated("[", 40'000)), "must be a number");
  expect_contains(set("body.mass_kg", "1\n[wind]\nx = 2"), "must be a number");
  const auto event = [](const std::string& text) {
    try {
      return event_toml(text, "id", {});
    } catch (const Error& error) {
      EXPECT_LT(std::string(error.what()).size(), 600U);
      return std::string(error.what());
    }
  };
  expect_contains(event("motor_off " + parts + "=1"), "no such key of an event");
  expect_contains(event("motor_off value=" + repeated("[", 9000) + repeated("]", 9000)), "value");
  expect_contains(event("motor_off value=1\nx=2"), "value");
}

TEST(SpecMistakes, OfVeryManyTheFirstAreReported) {
  const std::vector<Error> all = spec_mistakes_in_text(
      kSmallSpec + "[body]\n" + many(40'000, [](auto& i) { return "unknown" + i + " = 1\n"; }),
      "t.toml");
  ASSERT_EQ(all.size(), 101U);
  expect_contains(all.front().what(), "body.unknown0 = 1: unknown key");
  EXPECT_EQ(std::string(all.back().what()), "and 39900 more");
}

TEST(SpecMistakes, ThatNeedASearchAreReported) {
  const std::vector<Error> all = spec_mistakes_in_text(
      kSmallSpec + many(900,
                        [](auto& i) {
                          return "[[event]]\nid = \"e" + i + "\"\nat_s = 1\ndo = \"motor_off\"\n";
                        }),
      "t.toml");
  ASSERT_EQ(all.size(), 101U);
  expect_contains(all.front().what(), "event.e0.rotor: is missing");
  EXPECT_EQ(std::string(all.back().what()), "and perhaps more");
}

TEST(SpecLists, ManyEntriesAreRefusedBeforeTheyAreRead) {
  const auto event = [](const std::string& i) {
    return "[[event]]\nid = \"e" + i + "\"\nat_s = 1\ndo = \"marker\"\n";
  };
  EXPECT_EQ(load_spec_text(kSmallSpec + many(1000, event), "t.toml").spec.events.size(), 1000U);
  expect_contains(error_of(kSmallSpec + many(10'000, event)),
                  "there are 10000 entries, at most 1000 are possible");
  const auto same = [](const std::string&) { return std::string("[[event]]\nid = \"e\"\n"); };
  expect_contains(error_of(kSmallSpec + many(20'000, same)), "given twice");
  const auto removal = [](const std::string& i) {
    return "[[event]]\nid = \"e" + i + "\"\nremove = true\n";
  };
  const TestFolder folder;
  folder.write("base.toml", kSmallSpec + many(10'000, event));
  const std::string leaf = "extends = \"base.toml\"\n" + many(10'000, removal);
  EXPECT_EQ(load_spec_text(leaf, folder.file("leaf.toml")).spec.events.size(), 0U);
}

TEST(ExtendsLimits, ADiamondOfManyLevelsIsReadOnce) {
  const TestFolder folder;
  constexpr int kLevels = 60;
  const auto name = [](int level, char side) { return side + std::to_string(level) + ".toml"; };
  for (const char side : {'l', 'r'}) {
    folder.write(name(kLevels, side), kSmallSpec);
    for (int level = 1; level < kLevels; ++level) {
      folder.write(name(level, side), "extends = [\"" + name(level + 1, 'l') + "\", \"" +
                                          name(level + 1, 'r') +
                                          "\"]\n[body]\nmass_kg = " + std::to_string(level) +
                                          (side == 'l' ? ".25" : ".75") + "\n");
    }
  }
  const std::string top = folder.write("top.toml", "extends = [\"l1.toml\", \"r1.toml\"]\n");
  EXPECT_EQ(multirotor_of(load_spec(top).spec).body.mass_kg, 1.75);
  EXPECT_TRUE(spec_mistakes(top).empty());
  // The same file again replaces what came between, as it always did.
  const std::string again =
      folder.write("again.toml", "extends = [\"l1.toml\", \"r1.toml\", \"l1.toml\"]\n");
  EXPECT_EQ(multirotor_of(load_spec(again).spec).body.mass_kg, 1.25);
}

TEST(ExtendsLimits, WhatIsNamedAHundredTimesIsMergedTwice) {
  // Each of 30 files names the next one a hundred times, over a base with many entries.
  const TestFolder folder;
  std::string events = "extends = \"iris.toml\"\n";
  for (int i = 0; i < 100; ++i) {
    events += "[[event]]\nid = \"e" + std::to_string(i) + "\"\nat_s = 1.0\ndo = \"marker\"\n";
  }
  folder.write("30.toml", events);
  for (int i = 0; i < 30; ++i) {
    const std::string next = "\"" + std::to_string(i + 1) + ".toml\", ";
    std::string names;
    for (int k = 0; k < 100; ++k) names += next;
    folder.write(std::to_string(i) + ".toml", "extends = [" + names + "]\n");
  }
  EXPECT_GE(load_spec(folder.file("0.toml")).spec.events.size(), 100U);
}

TEST(ExtendsLimits, AnEmptyPathHasAPlace) {
  const TestFolder folder;
  for (const char* text : {"extends = \"\"\n", "extends = [\"iris\", \"\"]\n"}) {
    expect_contains(error_of(text, folder.file("x.toml")), ":1:1: extends = ");
    expect_contains(error_of(text, folder.file("x.toml")), "must not be empty");
  }
}

TEST(ExtendsLimits, ChainsEnd) {
  const TestFolder folder;
  constexpr int kFiles = 10'000;
  for (int i = 0; i < kFiles; ++i) {
    folder.write(std::to_string(i) + ".toml", "extends = \"" + std::to_string(i + 1) + ".toml\"\n");
  }
  const std::string error = error_of("extends = \"1.toml\"\n", folder.file("0.toml"));
  expect_contains(error, ":1:1: extends = ");
  expect_contains(error, "more than 64 files extend each other, beginning with");
  std::string names;
  for (int i = 0; i < 5000; ++i) names += "\"9999.toml\", ";
  expect_contains(error_of("extends = [" + names + "]\n", folder.file("0.toml")),
                  "names 5000 files; at most 100");
}

TEST(ExtendsLimits, AFileIsRecognisedThroughLinks) {
  const TestFolder folder;
  const std::string own = folder.write("own.toml", "extends = \"link.toml\"\n");
  std::filesystem::create_symlink("own.toml", folder.file("link.toml"));
  expect_contains(error_of("extends = \"link.toml\"\n", own), "extends itself: ");
  std::filesystem::create_directory_symlink(".", folder.file("here"));
  const std::string deep = folder.write("deep.toml", "extends = \"here/deep.toml\"\n");
  expect_contains(error_of("extends = \"here/deep.toml\"\n", deep), "extends itself: ");
  // One file in two folders finds what is beside it in each.
  folder.write("a/base.toml", kSmallSpec + "[body]\nmass_kg = 1.25\n");
  folder.write("b/base.toml", kSmallSpec + "[body]\nmass_kg = 1.75\n");
  folder.write("a/leaf.toml", "extends = \"base.toml\"\n");
  std::filesystem::create_symlink("../a/leaf.toml", folder.file("b/leaf.toml"));
  const std::string both =
      folder.write("both.toml", "extends = [\"a/leaf.toml\", \"b/leaf.toml\"]\n");
  EXPECT_EQ(multirotor_of(load_spec(both).spec).body.mass_kg, 1.75);
}

TEST(ExtendsLimits, OnlyRegularFilesAreRead) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.file("folder.toml"));
  ASSERT_EQ(mkfifo(folder.file("pipe.toml").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.file("zero.toml"));
  folder.write("large.toml", repeated("# 3456789abcde\n", (17U << 20U) / 15U));
  const std::string leaf = folder.file("leaf.toml");
  const auto error = [&](const std::string& name) {
    return error_of("extends = \"./" + name + "\"\n", leaf, {}, ExitCode::kEnvironment);
  };
  expect_contains(error("folder.toml"), "is a folder");
  expect_contains(error("pipe.toml"), "not a regular file");
  expect_contains(error("zero.toml"), "not a regular file");
  expect_contains(error("large.toml"), "larger than 16 MiB");
  expect_contains(error_of(kSmallSpec + "[autopilot]\nmission = \"./pipe.toml\"\n", leaf, {},
                           ExitCode::kEnvironment),
                  "not a regular file");
}

TEST(SpecBytes, OddOnesAreReadOrHaveAPlace) {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : kSmallSpec) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(load_spec_text(windows, "t.toml").spec.digest,
            load_spec_text(kSmallSpec, "t.toml").spec.digest);
  for (const std::string& bad : {std::string("\0", 1), std::string("\xC3\x28"), std::string("\xFF"),
                                 std::string("\x01"), std::string("\xED\xA0\x80")}) {
    EXPECT_TRUE(error_of("name = \"x\"\n" + bad).starts_with("t.toml:")) << "at the line end, too";
    EXPECT_TRUE(error_of("name = \"x\"\nname2 = \"" + bad + "\"").starts_with("t.toml:2:"));
    EXPECT_TRUE(error_of("name = \"x\"\n# " + bad + "\n").starts_with("t.toml:2:"));
  }
  expect_contains(error_of("\xFF\xFEn\0a\0", "t.toml"), "t.toml:1:1: ");
  expect_contains(error_of(""), "t.toml:1:1: ");
}

TEST(SpecSeeds, EndWhereTheIntegersOfTomlDo) {
  EXPECT_EQ(load_spec_text("seed = 9223372036854775807\n" + kSmallSpec, "t.toml").spec.seed,
            9223372036854775807U);
  for (const char* const text : {"9223372036854775808", "18446744073709551615", "-1"}) {
    expect_contains(error_of("seed = " + std::string(text) + "\n" + kSmallSpec),
                    "9223372036854775807");
    expect_contains(error_of(kSmallSpec, "t.toml", std::vector<Override>{{"seed", text}}),
                    "9223372036854775807");
  }
}

TEST(ImportLimits, DiamondsAndLoopsEnd) {
  const TestFolder folder;
  for (int level = 0; level < 60; ++level) {
    const std::string next = std::to_string(level + 1) + ".toml\"";
    folder.write(std::to_string(level) + ".toml",
                 "schema_version = 1\nextends = [\"" + next + ", \"./" + next + "]\n");
  }
  folder.write("60.toml", "schema_version = 1\n[aircraft]\nnam = \"x\"\n");
  const auto error = [&](const std::string& file) {
    try {
      import_spec(folder.file(file));
    } catch (const Error& failed) {
      return std::string(failed.what());
    }
    return std::string("imported");
  };
  expect_contains(error("0.toml"), "60.toml:3:1: aircraft.nam = \"x\": unknown key");
  std::filesystem::create_directory_symlink(".", folder.file("here"));
  folder.write("loop.toml", "extends = \"here/loop.toml\"\n");
  expect_contains(error("loop.toml"), "extends itself");
}

}  // namespace
}  // namespace tactus
