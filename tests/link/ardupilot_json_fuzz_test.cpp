// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Deterministic mutation of good datagrams of both directions: whatever comes in, the decoders give
// something sound or refuse. A failure prints its round, which reproduces it.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
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

 private:
  static constexpr RandomStream kStream{1, "ardupilot json fuzz"};
  std::uint64_t round_;
  std::uint32_t channel_ = 0;
};

long rounds() { return testing::test_all() ? 10'000'000 : 200'000; }

std::string good_text() {
  PhysicsReply reply;
  reply.timestamp_s = 1.5;
  reply.place = Geodetic{47.0, 8.0, 500.0};
  reply.wind_W_m_s = Vec3{1.0, 2.0, 3.0};
  reply.range_m[0] = 1.0;
  reply.vane_speed_m_s = 2.0;
  reply.rc_us[11] = 1500.0;
  reply.battery_v = 12.0;
  reply.no_lockstep = true;
  std::string text;
  encode_physics_reply(reply, text);
  return text;
}

/// A few changes: letters, cuts, doublings, and words that mean something.
std::string mutated(std::string text, Dice& dice) {
  static constexpr std::string_view kWords[] = {
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\"",
      "\\",
      "\n",
      "NaN",
      "-inf",
      "1e999",
      "1e308",
      "-0",
      "timestamp",
      "null",
      "true",
      "rc_",
      "rng_99",
      "0x10",
      ".5",
      "[[[[[[[[[[[[[",
      "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"};
  const std::size_t changes = 1 + dice.below(4);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = dice.below(text.size());
    const std::size_t size = 1 + dice.below(20);
    switch (dice.below(5)) {
      case 0: text[at] = static_cast<char>(static_cast<unsigned char>(dice.below(256))); break;
      case 1: text.erase(at, size); break;
      case 2: text.insert(at, text.substr(dice.below(text.size()), size)); break;
      case 3: text.resize(at); break;
      default: text.insert(at, kWords[dice.below(std::size(kWords))]); break;
    }
  }
  return text;
}

bool holds(const ValueLimits& limits, Vec3 v) {
  return limits.holds(v.x) && limits.holds(v.y) && limits.holds(v.z);
}

bool sound(const PhysicsReply& r) {
  bool ok = kStampLimits.holds(r.timestamp_s) && holds(kRateLimits, r.rate_B_rad_s) &&
            holds(kForceLimits, r.specific_force_B_m_s2) && holds(kSpeedLimits, r.velocity_W_m_s) &&
            holds(kPositionLimits, r.position_W_m) && kQuaternionLength.holds(norm(r.attitude));
  for (const auto& value : r.range_m) ok = ok && (!value || kDistanceLimits.holds(*value));
  for (const auto& value : r.rc_us) ok = ok && (!value || kPulseLimits.holds(*value));
  return ok;
}

TEST(ArdupilotJsonFuzz, Replies) {
  const std::string good = good_text();
  long accepted = 0;
  const long count = rounds();
  for (long round = 0; round < count; ++round) {
    Dice dice(static_cast<std::uint64_t>(round));
    const DecodedReply decoded = decode_physics_reply(mutated(good, dice));
    ASSERT_TRUE(math::is_finite(decoded.reply.timestamp_s)) << "round " << round;
    if (decoded.kind == DecodedReply::Kind::kGood) {
      ++accepted;
      ASSERT_TRUE(sound(decoded.reply)) << "round " << round;
    } else {
      ASSERT_FALSE(decoded.why.empty()) << "round " << round;
    }
  }
  // Both outcomes are met often.
  EXPECT_GT(accepted, count / 100);
  EXPECT_LT(accepted, count - count / 10);
}

TEST(ArdupilotJsonFuzz, ServoPackets) {
  const long count = rounds();
  long accepted = 0;
  for (long round = 0; round < count; ++round) {
    Dice dice(static_cast<std::uint64_t>(round));
    ServoPacket packet;
    packet.channels = dice.below(2) == 0 ? 16 : 32;
    std::vector<std::byte> bytes = encode_servo_packet(packet);
    for (std::size_t i = dice.below(4); i > 0; --i) {
      bytes[dice.below(bytes.size())] = static_cast<std::byte>(dice.below(256));
    }
    if (dice.below(2) == 0) bytes.resize(dice.below(80));
    const auto decoded = decode_servo_packet(bytes);
    if (!decoded.has_value()) continue;
    ++accepted;
    ASSERT_EQ(encode_servo_packet(*decoded), bytes) << "round " << round;
  }
  EXPECT_GT(accepted, count / 10);
  EXPECT_LT(accepted, count - count / 10);
}

}  // namespace
}  // namespace tactus
