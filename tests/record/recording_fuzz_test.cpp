// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Damaged recordings: whatever is done to the bytes of a file, reading it ends in an error that
// names it, or gives what was written (a flipped bit may lie where nothing is), or a part of it
// that says that it is incomplete. Never a crash, never a wrong value.

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/sample_recording.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::fresh_file;

/// Random numbers by their place, so that a round can be done again alone.
class Dice {
 public:
  explicit Dice(std::uint64_t round) : round_(round) {}
  std::size_t below(std::size_t end) {
    Digest digest;
    digest.add(round_);
    digest.add(next_++);
    return digest.result().low % end;
  }

 private:
  std::uint64_t round_;
  std::uint64_t next_ = 0;
};

using Damage = std::string (*)(std::string bytes, Dice& dice);

std::string flip_bits(std::string bytes, Dice& dice) {
  for (std::size_t n = 1 + dice.below(8); n > 0; --n) {
    char& byte = bytes[dice.below(bytes.size())];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << dice.below(8)));
  }
  return bytes;
}

std::string flip_one_bit_early(std::string bytes, Dice& dice) {
  char& byte = bytes[dice.below(std::min<std::size_t>(bytes.size(), 2048))];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << dice.below(8)));
  return bytes;
}

std::string truncate(std::string bytes, Dice& dice) {
  bytes.resize(dice.below(bytes.size()));
  return bytes;
}

std::string fill_page(std::string bytes, Dice& dice) {
  const std::size_t size = std::size_t{64} << dice.below(8);
  const std::size_t begin = dice.below(bytes.size()) / size * size;
  const char fill = dice.below(4) == 0 ? '\xff' : '\0';
  for (std::size_t i = begin; i < std::min(begin + size, bytes.size()); ++i) bytes[i] = fill;
  return bytes;
}

std::string scramble(std::string bytes, Dice& dice) {
  const std::size_t begin = dice.below(bytes.size());
  const std::size_t end = std::min(bytes.size(), begin + 1 + dice.below(64));
  for (std::size_t i = begin; i < end; ++i) bytes[i] = static_cast<char>(dice.below(256));
  return bytes;
}

/// As a disk does that writes a page in the wrong place.
std::string misplace_page(std::string bytes, Dice& dice) {
  const std::size_t size = std::size_t{64} << dice.below(7);
  const std::size_t pages = bytes.size() / size;
  if (pages == 0) return bytes;
  const std::string page = bytes.substr(dice.below(pages) * size, size);
  bytes.replace(dice.below(pages) * size, size, page);
  return bytes;
}

constexpr Damage kDamages[] = {flip_bits, flip_one_bit_early, truncate,
                               fill_page, scramble,           misplace_page};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcomes {
  long refused = 0;
  long whole = 0;
  long part = 0;
};

/// Reads one damaged file; `original` is what an undamaged one holds.
void read_damaged(const std::string& path, const Recording& original, Outcomes& outcomes) {
  try {
    const auto read = read_recording(path);
    if (read->end.complete || !original.end.complete) {
      EXPECT_TRUE(testing::is_equal(*read, original));
      ++outcomes.whole;
    } else {
      EXPECT_TRUE(testing::is_prefix(*read, original));
      ++outcomes.part;
    }
    (void)storage_of(path, *read);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput) << error.what();
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    ++outcomes.refused;
  }
}

void damage_many(const std::string& path, const Recording& original, long rounds) {
  const std::string bytes = content(path);
  const std::string damaged_path = path + "_damaged";
  Outcomes outcomes;
  for (long round = 0; round < rounds; ++round) {
    SCOPED_TRACE(::testing::Message() << "round " << round);
    Dice dice(static_cast<std::uint64_t>(round));
    const Damage damage = kDamages[static_cast<std::size_t>(round) % std::size(kDamages)];
    std::ofstream(damaged_path, std::ios::binary) << damage(bytes, dice);
    read_damaged(damaged_path, original, outcomes);
    if (::testing::Test::HasFailure()) return;  // the file stays for a closer look
  }
  std::filesystem::remove(damaged_path);
  ::testing::Test::RecordProperty("refused", std::to_string(outcomes.refused));
  ::testing::Test::RecordProperty("whole", std::to_string(outcomes.whole));
  ::testing::Test::RecordProperty("part", std::to_string(outcomes.part));
  EXPECT_GT(outcomes.refused, rounds / 4);
}

TEST(RecordingFuzz, AClosedFile) {
  const std::string path = fresh_file("whole.h5");
  testing::write_recording(testing::sample_recording(), path);
  const auto original = read_recording(path);
  ASSERT_TRUE(original->end.complete);
  damage_many(path, *original, testing::scaled(7000));
}

TEST(RecordingFuzz, AFileThatWasCutOff) {
  const std::string path = fresh_file("cut.h5");
  testing::write_cut_off(testing::sample_recording(), path, 2);
  const auto original = read_recording(path);
  ASSERT_FALSE(original->end.complete);
  damage_many(path, *original, testing::scaled(3000));
}

}  // namespace
}  // namespace tactus
