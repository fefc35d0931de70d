// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: reads many damaged specs

// The loader gets damaged specs. It must answer with a spec or with an Error, never with a crash,
// another exception or a spec that does not survive `show`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tests/spec/spec_samples.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): the same damage on every machine.
class Damage {
 public:
  explicit Damage(std::uint64_t seed) : state_(seed) {}

  std::uint64_t below(std::uint64_t n) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (z ^ (z >> 31)) % n;
  }

  void apply(std::string& text) {
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0: text.erase(at, 1 + below(8)); break;
      case 1: text.insert(at, 1, static_cast<char>(static_cast<unsigned char>(below(256)))); break;
      case 2: text[at] = static_cast<char>(static_cast<unsigned char>(32 + below(95))); break;
      case 3: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 4: replace_value(text, at); break;
      case 5: move_line(text, at); break;
      case 6: text.insert(at, deep(below(2) == 0 ? 40 : 20'000)); break;
      default: text.insert(at, text.substr(below(text.size()), below(60))); break;
    }
  }

 private:
  static constexpr const char* kPieces[] = {"[[rotor]]\n",
                                            "[[pack]]\nid = \"pack\"\n",
                                            "[body]\n",
                                            "= ",
                                            "[",
                                            "]",
                                            "{",
                                            "}",
                                            "\"",
                                            "\n",
                                            "nan",
                                            "-inf",
                                            "1e308",
                                            "-1",
                                            "9223372036854775807",
                                            "0x7f",
                                            "1979-05-27",
                                            "remove = true\n",
                                            "id = \"left\"\n",
                                            "extends = \"t.toml\"\n",
                                            "\"\"\"",
                                            "#",
                                            "\\u0000",
                                            "[[wind.gust]]\n",
                                            "a.b.c = 1\n",
                                            "\xc3\x28",
                                            "\xef\xbb\xbf"};
  static constexpr const char* kValues[] = {"nan",
                                            "inf",
                                            "-inf",
                                            "1e308",
                                            "-1e308",
                                            "5e-324",
                                            "0",
                                            "-0.0",
                                            "-1",
                                            "1",
                                            "1e9",
                                            "true",
                                            "\"\"",
                                            "[]",
                                            "{}",
                                            "[[]]",
                                            "[nan, 0, 0]",
                                            "[1e200, 1e200, 1e200]",
                                            "\"none\"",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "\"left\"",
                                            "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"};

  /// Something that is nested in itself; also by many small steps, or more than is closed.
  std::string deep(std::size_t levels) {
    static constexpr const char* kOpen[] = {"a.", "[", "{a = ", "[{b.c = ", "\"x\" . ", "\n["};
    static constexpr const char* kBefore[] = {"\n", "\n[", "\n[[", "\nx = ", ", ", ""};
    std::string text = kBefore[below(std::size(kBefore))];
    const char* const open = kOpen[below(std::size(kOpen))];
    for (std::size_t i = 0; i < levels; ++i) text += open;
    return text;
  }

  void replace_value(std::string& text, std::size_t at) {
    const std::size_t equals = text.find("= ", at);
    if (equals == std::string::npos) return;
    const std::size_t end = text.find('\n', equals);
    text.replace(equals + 2, end == std::string::npos ? end : end - equals - 2,
                 kValues[below(std::size(kValues))]);
  }

  void move_line(std::string& text, std::size_t at) {
    const std::size_t begin = text.rfind('\n', at);
    const std::size_t end = text.find('\n', at);
    if (begin == std::string::npos || end == std::string::npos || begin >= end) return;
    const std::string line = text.substr(begin, end - begin);
    if (below(2) == 0) text.erase(begin, end - begin);
    const std::size_t target = text.find('\n', below(text.size()));
    if (target != std::string::npos) text.insert(target, line);
  }

  std::uint64_t state_;
};

/// 1 if it loads.
int load_damaged(const std::string& text) {
  try {
    const LoadedSpec loaded = load_spec_text(text, "t.toml");
    const LoadedSpec again = load_spec_text(loaded.resolved, "shown.toml");
    EXPECT_EQ(to_hex(loaded.spec.digest), to_hex(again.spec.digest)) << text;
    return 1;
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("t.toml:")) << message << "\nin\n" << text;
    const std::vector<Error> all = spec_mistakes_in_text(text, "t.toml");
    const bool listed = std::any_of(
        all.begin(), all.end(), [&](const Error& mistake) { return message == mistake.what(); });
    EXPECT_TRUE(listed) << message << "\nis not listed, in\n" << text;
    return 0;
  }
}

TEST(SpecFuzz, DamagedSpecsGiveErrorsOrSpecs) {
  const std::string bases[] = {testing::kRichSpec, testing::kQuadraticSpec, testing::kRoverSpec,
                               load_spec_text(testing::kRichSpec, "t.toml").resolved};
  int loaded = 0;
  testing::FuzzRounds rounds(3000);
  while (rounds.next()) {
    Damage damage(static_cast<std::uint64_t>(rounds.index()));
    std::string text = bases[damage.below(std::size(bases))];
    for (std::uint64_t n = 1 + damage.below(4); n > 0 && !text.empty(); --n) damage.apply(text);
    loaded += load_damaged(text);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << rounds.index();
  }
  // Neither side may be empty, or the test shows nothing.
  EXPECT_GT(loaded, rounds.index() / 50);
  EXPECT_LT(loaded, rounds.index() - rounds.index() / 50);
}

TEST(SpecFuzz, DamagedOverridesGiveErrorsOrSpecs) {
  const std::string keys[] = {"body.mass_kg",    "rotor.left.position_body_m", "event.high.when",
                              "pack.pack.ocv_v", "wind.gust.puff.at_s",        "expect.end.value"};
  for (long i = 0; i < testing::scaled(20000); ++i) {
    Damage damage(static_cast<std::uint64_t>(i) + 1000000);
    std::string text = keys[damage.below(std::size(keys))] + "= [1, 2, 3]";
    for (int n = 0; n < 2 && !text.empty(); ++n) damage.apply(text);
    try {
      const std::vector<Override> overrides = {parse_override(text)};
      load_spec_text(testing::kRichSpec, "t.toml", overrides);
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with("--set ") || message.starts_with("t.toml:")) << message;
    }
  }
}

}  // namespace
}  // namespace tactus
