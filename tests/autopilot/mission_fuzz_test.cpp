// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Deterministic mutation of good mission files: whatever comes in, the loader either gives a
// mission that keeps its promises or says where the file is wrong. A failure prints its round,
// which reproduces it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/math.h"
#include "tactus/core/printable.h"
#include "tactus/core/random.h"
#include "tactus/core/text.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

/// Random numbers of one round.
class Dice {
 public:
  explicit Dice(std::uint64_t round) : round_(round) {}
  /// From 0 to n − 1.
  std::size_t below(std::size_t n) {
    return n == 0 ? 0 : kStream.bits(round_, channel_++).word[0] % n;
  }
  double real(double low, double high) {
    return low + (high - low) * kStream.uniform(round_, channel_++);
  }

 private:
  static constexpr RandomStream kStream{1, "mission fuzz"};
  std::uint64_t round_;
  std::uint32_t channel_ = 0;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The shipped missions; the plan also without white space, so that more mutations meet meaning.
std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  for (const char* name : {"square.waypoints", "figure.waypoints", "rover_square.waypoints",
                           "long_20min.waypoints", "square.plan"}) {
    texts.push_back(read_text(std::string("missions/") + name));
    EXPECT_FALSE(texts.back().empty()) << name;
  }
  std::string compact = texts.back();
  compact.erase(std::remove_if(compact.begin(), compact.end(),
                               [](char letter) { return letter == ' ' || letter == '\n'; }),
                compact.end());
  texts.push_back(compact);
  return texts;
}

constexpr std::string_view kPieces[] = {"nan",
                                        "-nan(7)",
                                        "inf",
                                        "-",
                                        "1e999",
                                        "1e-999",
                                        "0x10",
                                        "99999999999999999999",
                                        "-1",
                                        "0.5",
                                        "\t",
                                        "\n",
                                        "\r\n",
                                        "#",
                                        "\xEF\xBB\xBF",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"",
                                        "null",
                                        "true",
                                        "177",
                                        "178",
                                        "93",
                                        "20",
                                        "QGC WPL 110",
                                        "\"items\":",
                                        "\"mission\":{",
                                        "\"params\":[",
                                        "\"type\":\"ComplexItem\"",
                                        "\\u0000",
                                        "\xFF",
                                        "1e308",
                                        "-180.0000001",
                                        "90"};

void mutate(std::string& text, const std::vector<std::string>& all, Dice& dice) {
  const std::size_t at = dice.below(text.size() + 1);
  const std::size_t length = dice.below(std::min<std::size_t>(text.size() - at, 64) + 1);
  switch (dice.below(7)) {
    case 0:
      if (at < text.size()) {
        const auto letter = static_cast<unsigned char>(text[at]);
        text[at] = static_cast<char>(letter ^ (1U << dice.below(8)));
      }
      break;
    case 1: text.erase(at, length); break;
    case 2: text.insert(at, text.substr(at, length)); break;
    case 3: text.insert(at, kPieces[dice.below(std::size(kPieces))]); break;
    case 4: text.replace(at, length, kPieces[dice.below(std::size(kPieces))]); break;
    case 5: {
      const std::string& other = all[dice.below(all.size())];
      text.insert(at, other.substr(dice.below(other.size()), dice.below(200)));
      break;
    }
    default:
      if (dice.below(8) == 0) text.resize(at);
      break;
  }
}

bool whole_and_within(double value, double low, double high) {
  return value >= low && value <= high && math::floor(value) == value;
}

void expect_promises(const Mission& mission) {
  ASSERT_FALSE(mission.items.empty());
  const auto count = static_cast<double>(mission.items.size());
  for (const MissionItem& item : mission.items) {
    ASSERT_GT(item.line, 0);
    for (const double value : {item.param[0], item.param[1], item.param[2], item.param[3],
                               item.latitude_deg, item.longitude_deg, item.altitude_m}) {
      ASSERT_TRUE(math::is_finite(value) || math::is_nan(value));
    }
    if (item.command == MissionCommand::kDoJump) {
      ASSERT_TRUE(whole_and_within(item.param[0], 0.0, count - 1.0));
      ASSERT_TRUE(whole_and_within(item.param[1], -1.0, 1e300));
    }
    if (item.command == MissionCommand::kWaypoint) {
      ASSERT_TRUE(item.frame != AltitudeFrame::kMission);
      ASSERT_TRUE(math::is_finite(item.altitude_m));
      ASSERT_FALSE(math::abs(item.latitude_deg) > 90.0 || math::abs(item.longitude_deg) > 180.0);
    }
  }
}

void expect_message(const std::string& message) {
  ASSERT_TRUE(message.starts_with("m:")) << message;
  const std::size_t digits = message.find_first_not_of("0123456789", 2);
  ASSERT_TRUE(digits > 2 && message.substr(digits, 2) == ": ") << message;
  ASSERT_LT(message.size(), 600U) << message;
  ASSERT_EQ(message, printable(message)) << "control characters, or no UTF-8";
}

TEST(MissionFuzz, EveryMutationIsReadOrRefused) {
  const std::vector<std::string> all = seeds();
  testing::FuzzRounds rounds(100'000);
  long read = 0;
  while (rounds.next()) {
    SCOPED_TRACE("round " + std::to_string(rounds.index()));
    Dice dice(static_cast<std::uint64_t>(rounds.index()));
    std::string text = all[dice.below(all.size())];
    for (std::size_t n = 1 + dice.below(4); n > 0; --n) mutate(text, all, dice);
    try {
      expect_promises(parse_mission(text, "m"));
      ++read;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ExitCode::kBadInput);
      expect_message(error.what());
    }
    if (HasFatalFailure()) return;
  }
  // Both ways are taken, or the mutations are too mild or too wild to find anything.
  EXPECT_GT(read, rounds.index() / 50);
  EXPECT_LT(read, rounds.index() - rounds.index() / 50);
}

/// A random item as both forms write it.
struct Written {
  MissionCommand command;
  int frame;
  double param[7];
};

Written random_item(Dice& dice, std::size_t count) {
  constexpr MissionCommand kCommands[] = {MissionCommand::kWaypoint, MissionCommand::kLoiterTurns,
                                          MissionCommand::kLand, MissionCommand::kDoChangeSpeed,
                                          MissionCommand::kDoJump};
  constexpr int kFrames[] = {0, 3, 5, 6, 10, 11};
  Written item{kCommands[dice.below(5)], kFrames[dice.below(6)], {}};
  for (double& value : item.param) {
    value = dice.below(5) == 0 ? math::canonical_nan() : dice.real(-1e3, 1e3);
  }
  item.param[4] = dice.real(-90.0, 90.0);
  item.param[5] = dice.real(-180.0, 180.0);
  item.param[6] = dice.real(-100.0, 9000.0);
  if (item.command == MissionCommand::kLoiterTurns) item.param[0] = dice.real(-1e3, 1e3);
  if (item.command == MissionCommand::kDoJump) {
    item.frame = 2;
    item.param[0] = static_cast<double>(dice.below(count));
    item.param[1] = static_cast<double>(dice.below(20));
  }
  return item;
}

/// The numbers as text, with `nan` as asked and the jump target in the numbering of the form.
std::string parameters(const Written& item, const char* separator, const char* nan, double first) {
  std::string text;
  for (int i = 0; i < 7; ++i) {
    const bool is_target = i == 0 && item.command == MissionCommand::kDoJump;
    const double value = item.param[i] + (is_target ? first : 0.0);
    text += (i > 0 ? separator : "") + (math::is_nan(value) ? nan : format_double(value));
  }
  return text;
}

TEST(MissionFuzz, WhatIsWrittenIsReadFromBothForms) {
  for (long round = 0; round < testing::scaled(40'000); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Dice dice(static_cast<std::uint64_t>(round) + (std::uint64_t{1} << 32));
    std::vector<Written> items(1 + dice.below(12));
    std::string wpl = "QGC WPL 110\n";
    std::string plan = R"({"fileType": "Plan", "mission": {"items": [)";
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i] = random_item(dice, items.size());
      const std::string command = std::to_string(static_cast<int>(items[i].command));
      const std::string frame = std::to_string(items[i].frame);
      wpl += std::to_string(i) + "\t0\t" + frame + "\t" + command + "\t" +
             parameters(items[i], "\t", "nan", 0.0) + "\t1\r\n";
      plan += (i > 0 ? "," : "") + std::string(R"({"type": "SimpleItem", "command": )") + command +
              ", \"frame\": " + frame + ", \"params\": [" + parameters(items[i], ",", "null", 1.0) +
              "]}";
    }
    for (const Mission& mission : {parse_mission(wpl, "m"), parse_mission(plan + "]}}", "m")}) {
      ASSERT_EQ(mission.items.size(), items.size());
      for (std::size_t i = 0; i < items.size(); ++i) {
        const MissionItem& got = mission.items[i];
        const double read[7] = {got.param[0],     got.param[1],      got.param[2],  got.param[3],
                                got.latitude_deg, got.longitude_deg, got.altitude_m};
        ASSERT_EQ(got.command, items[i].command);
        for (int k = 0; k < 7; ++k) {
          ASSERT_EQ(canonical_bits(read[k]), canonical_bits(items[i].param[k]));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tactus
