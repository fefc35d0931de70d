// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/digest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/signal/bus.h"

namespace tactus {

struct Texts {
  std::string name;
  std::vector<std::string> list;
  std::optional<double> maybe;
  std::variant<std::int32_t, double> either;
  std::map<std::string, double> table;
  std::string path;
  bool late = false;
  std::uint16_t lag = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("name", "", self.name);
    visit("list", "", self.list);
    visit("maybe", "", self.maybe);
    visit("either", "", self.either);
    visit("table", "", without_length(self.table, "to see the mark"));
    visit("path", "", left_out(self.path, "where it lies"));
    visit("late", "", self.late);
    visit("lag", "", digested_if(self.lag, self, is_late, "only then it counts"));
  }
  static bool is_late(const Texts& texts) { return texts.late; }
};
static_assert(lists_every_field<Texts>());

namespace {

enum class Kind : std::int16_t { kMinusTwo = -2 };

std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i * 7 + 3) % 256);
  return bytes;
}

template <class... T>
Digest128 digest_of(const T&... values) {
  Digest digest;
  (digest.add(values), ...);
  return digest.result();
}

// The expected values were printed by the tool `xxhsum -H2` of Debian's xxhash package, a program
// that shares no code with ours except the library. The lengths reach each of the branches of XXH3:
// 0, 1-3, 4-8, 9-16, 17-128, 129-240, and the streaming loop.
TEST(Digest, AgreesWithTheXxhsumTool) {
  const struct {
    std::size_t size;
    const char* hex;
  } cases[] = {
      {0, "99aa06d3014798d86001c324468d497f"},    {1, "22bbb76b211a39ba13e608bc156defed"},
      {3, "ce31763cbf8245a5a9088dda485b481c"},    {8, "e3bc8a5f461715553cd024e3d63a1588"},
      {16, "ce0b9647ab24f88460d75c5e47d40a24"},   {17, "bfd327edcc2fbd12eeed7654312a26d7"},
      {128, "1b1962a096bac78bc580008b6c92ac53"},  {129, "293e4968c4619023bd91ce7ace4d385b"},
      {240, "ad46c1021b076bc704e0b5f034bee80b"},  {241, "ac6c3492c3d6b45d8beadd3a8874fe17"},
      {512, "1af3d0367ba5a0c4f58202b8d9019d1d"},  {1000, "6bcc7eff62da44c26c4f14bd97bd9e82"},
      {5000, "c98ae385d09887cc799aaddd7339581d"},
  };
  for (const auto& c : cases) {
    const std::vector<std::byte> bytes = pattern(c.size);
    Digest whole;
    whole.add_bytes(bytes);
    EXPECT_EQ(to_hex(whole.result()), c.hex) << c.size;
    Digest pieces;
    for (const std::byte& byte : bytes) pieces.add_bytes({&byte, 1});
    EXPECT_EQ(pieces.result(), whole.result()) << c.size;
  }
}

// Expected: the tool again, on the bytes that Python's struct.pack("<dQ?hfd", 8.3, 42, True, -2,
// 0.5, -0.0) wrote, followed by the bytes 00 … f8 7f of the one NaN; and on pack("<Q", 5) +
// "hello".
TEST(Digest, CanonicalBytes) {
  EXPECT_EQ(
      to_hex(digest_of(8.3, std::uint64_t{42}, true, Kind::kMinusTwo, 0.5f, -0.0, std::nan("7"))),
      "26db093265a15e9a10fa737311f104de");
  EXPECT_EQ(to_hex(digest_of("hello")), "e22eb3a21af2e1e3191230403feae166");
}

TEST(Digest, AllNanAreOneAndZerosAreTwo) {
  EXPECT_EQ(digest_of(std::nan("1")), digest_of(-std::nan("2")));
  EXPECT_EQ(digest_of(std::nanf("1")), digest_of(-std::nanf("2")));
  EXPECT_NE(digest_of(0.0), digest_of(-0.0));
}

TEST(Digest, SpanIsItsValues) {
  const double values[] = {1.0, 2.0, 3.0};
  EXPECT_EQ(digest_of(std::span<const double>(values)), digest_of(1.0, 2.0, 3.0));
}

struct Sample {
  TimeUs t;
  Vec3 v_W_m_s;
  bool landed = false;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("t_us", "us", self.t);
    visit("v_W_m_s", "m/s", self.v_W_m_s);
    visit("landed", "", self.landed);
  }
};

TEST(Digest, FieldsAreTheirLeaves) {
  const Sample sample{TimeUs(7), {1.0, -2.0, 3.0}, true};
  Digest digest;
  digest.add_fields(sample);
  EXPECT_EQ(digest.result(), digest_of(TimeUs(7), 1.0, -2.0, 3.0, true));
  EXPECT_EQ(digest.result(), digest_of(std::uint64_t{7}, 1.0, -2.0, 3.0, true));
}

// Leaves are collected before they are hashed; that must be the same bytes, also with a NaN of
// another pattern, and with more of them than the buffer holds.
TEST(Digest, FieldsOfABusAreItsLeaves) {
  const double foreign_nan = __builtin_bit_cast(double, 0xfff8000000001234u);
  for (const double odd : {1.0, foreign_nan, math::infinity(), -0.0}) {
    Bus bus;
    int i = 0;
    for_each_leaf(bus, [&i](const LeafPath&, auto& leaf) {
      using Leaf = std::remove_reference_t<decltype(leaf)>;
      ++i;
      if constexpr (std::is_same_v<Leaf, double>) leaf = 0.1 * i;
      if constexpr (std::is_same_v<Leaf, std::uint32_t>) leaf = static_cast<std::uint32_t>(3 * i);
    });
    bus.truth.velocity_W_m_s.y = odd;
    bus.autopilot.yaw_setpoint_rad = odd;
    bus.faults.thrust_scale[3] = odd;
    Digest whole, leaves;
    whole.add_fields(bus);
    for_each_leaf(bus, [&leaves](const LeafPath&, const auto& leaf) { leaves.add(leaf); });
    EXPECT_EQ(whole.result(), leaves.result()) << odd;
  }
}

TEST(Digest, FieldsMayBeTextsAndLists) {
  Texts texts{"a", {"b", ""}, 2.5, 1.5, {{"k", 3.0}}, "here", false, 7};
  const auto digest = [&texts] {
    Digest of;
    of.add_fields(texts);
    return of.result();
  };
  const std::uint64_t one = 1;
  const std::uint64_t two = 2;
  EXPECT_EQ(digest(), digest_of("a", two, "b", "", one, 2.5, one, 1.5, "k", 3.0, false));
  texts.path = "there";
  texts.late = true;
  EXPECT_EQ(digest(),
            digest_of("a", two, "b", "", one, 2.5, one, 1.5, "k", 3.0, true, std::uint16_t{7}));
  texts.maybe.reset();
  texts.either = 4;
  EXPECT_EQ(digest(), digest_of("a", two, "b", "", std::uint64_t{0}, std::uint64_t{0},
                                std::int32_t{4}, "k", 3.0, true, std::uint16_t{7}));
}

TEST(Digest, EveryBitMatters) {
  const Sample sample{TimeUs(7), {1.0, -2.0, 3.0}, true};
  Digest before;
  before.add_fields(sample);
  Sample changed = sample;
  changed.v_W_m_s.y = std::nextafter(changed.v_W_m_s.y, 0.0);
  Digest after;
  after.add_fields(changed);
  EXPECT_NE(before.result(), after.result());
}

TEST(Digest, CopyContinuesOnItsOwn) {
  static_assert(std::is_trivially_copyable_v<Digest>);
  Digest first;
  for (int i = 0; i < 100; ++i) first.add(1.0 / (1 + i));
  Digest second = first;
  EXPECT_EQ(first.result(), first.result()) << "asking changes nothing";
  first.add(1.0);
  EXPECT_NE(first.result(), second.result());
  second.add(1.0);
  EXPECT_EQ(first.result(), second.result());
}

TEST(Digest, HexRoundTrip) {
  const Digest128 digest{0x0123456789abcdefu, 0xfedcba9876543210u};
  EXPECT_EQ(to_hex(digest), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(digest_from_hex(to_hex(digest)), digest);
  for (const char* bad :
       {"", "0123", "0123456789abcdeffedcba987654321g", "0123456789abcdeffedcba98765432100",
        "-123456789abcdeffedcba9876543210"}) {
    EXPECT_THROW((void)digest_from_hex(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace tactus
