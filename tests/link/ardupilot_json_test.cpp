// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "tactus/core/error.h"

namespace tactus {
namespace {

struct Datagram {
  bool from_ardupilot = false;
  std::string bytes;
};

/// Cut from a capture of a real flight: a byte '>' or '<', wall seconds (float64), length (uint32,
/// little endian), datagram.
std::vector<Datagram> captured() {
  std::ifstream file("tests/data/ardupilot_json_excerpt.cap", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<Datagram> datagrams;
  for (std::size_t at = 0; at + 13 <= all.size();) {
    std::uint32_t size = 0;
    std::memcpy(&size, all.data() + at + 9, sizeof size);
    datagrams.push_back({all[at] == '>', all.substr(at + 13, size)});
    at += 13 + size;
  }
  return datagrams;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const PhysicsReply& reply) {
  std::string text;
  encode_physics_reply(reply, text);
  return text;
}

PhysicsReply parsed(const std::string& text) {
  const DecodedReply decoded = decode_physics_reply(text);
  EXPECT_EQ(decoded.kind, DecodedReply::Kind::kGood) << decoded.why << " in " << text;
  return decoded.reply;
}

std::string refusal(const std::string& text) {
  const DecodedReply decoded = decode_physics_reply(text);
  EXPECT_NE(decoded.kind, DecodedReply::Kind::kGood) << text;
  return decoded.why;
}

void expect_single(Vec3 a, Vec3 b) {
  EXPECT_EQ(static_cast<float>(a.x), static_cast<float>(b.x));
  EXPECT_EQ(static_cast<float>(a.y), static_cast<float>(b.y));
  EXPECT_EQ(static_cast<float>(a.z), static_cast<float>(b.z));
}

PhysicsReply full_reply() {
  PhysicsReply reply;
  reply.timestamp_s = 12.345678;
  reply.rate_B_rad_s = {0.5, -1e-9, 3e3};
  reply.specific_force_B_m_s2 = {0.1, 0.0, -9.80665};
  reply.velocity_W_m_s = {1.5, -2.5, 0.25};
  reply.attitude = {0.5, -0.5, 0.5, 0.5};
  reply.position_W_m = {1.0 / 3.0, -1e-17, -123456.789012345};
  reply.place = Geodetic{47.397742, 8.545594, 488.5};
  reply.wind_W_m_s = Vec3{5.0, 6.0, 7.0};
  reply.airspeed_m_s = 3.5;
  for (std::size_t i = 0; i < 6; ++i) reply.range_m[i] = 10.5 + static_cast<double>(i);
  reply.vane_direction_rad = 0.75;
  reply.vane_speed_m_s = 4.5;
  for (std::size_t i = 0; i < 12; ++i) reply.rc_us[i] = 1000.0 + static_cast<double>(i);
  reply.battery_v = 11.5;
  reply.battery_a = -2.5;
  reply.no_time_sync = true;
  reply.no_lockstep = false;
  return reply;
}

TEST(ArdupilotJson, EveryCapturedPacketDecodesAndEncodesToItsBytes) {
  int packets = 0;
  std::uint32_t last = 0;
  int turning = 0;
  for (const Datagram& datagram : captured()) {
    if (!datagram.from_ardupilot) continue;
    const auto packet = decode_servo_packet(bytes_of(datagram.bytes));
    ASSERT_TRUE(packet.has_value());
    EXPECT_EQ(packet->channels, 16);
    EXPECT_EQ(packet->frame_rate_hz, 1200);
    EXPECT_TRUE(packets == 0 || packet->frame_count > last);
    last = packet->frame_count;
    turning += packet->pwm_us[0] > 1000 ? 1 : 0;
    const std::vector<std::byte> again = encode_servo_packet(*packet);
    ASSERT_EQ(again.size(), datagram.bytes.size());
    EXPECT_EQ(std::memcmp(again.data(), datagram.bytes.data(), again.size()), 0);
    ++packets;
  }
  EXPECT_EQ(packets, 94);
  EXPECT_GT(turning, 40);
}

TEST(ArdupilotJson, EveryCapturedReplyIsTheSameAfterOurTextForm) {
  int replies = 0;
  for (const Datagram& datagram : captured()) {
    if (datagram.from_ardupilot) continue;
    const PhysicsReply once = parsed(datagram.bytes);
    const PhysicsReply twice = parsed(text_of(once));
    EXPECT_EQ(once.timestamp_s, twice.timestamp_s);
    EXPECT_EQ(once.position_W_m, twice.position_W_m);
    expect_single(once.rate_B_rad_s, twice.rate_B_rad_s);
    expect_single(once.specific_force_B_m_s2, twice.specific_force_B_m_s2);
    expect_single(once.velocity_W_m_s, twice.velocity_W_m_s);
    EXPECT_EQ(static_cast<float>(once.attitude.w), static_cast<float>(twice.attitude.w));
    EXPECT_EQ(once.rc_us, twice.rc_us);
    ASSERT_TRUE(once.rc_us[2].has_value());
    EXPECT_GE(*once.rc_us[2], 1000.0);
    EXPECT_FALSE(once.battery_v.has_value());
    ++replies;
  }
  EXPECT_EQ(replies, 94);
}

TEST(ArdupilotJson, ThirtyTwoChannels) {
  ServoPacket packet;
  packet.channels = 32;
  packet.frame_rate_hz = 400;
  packet.frame_count = 0x12345678;
  for (std::size_t i = 0; i < 32; ++i) packet.pwm_us[i] = static_cast<std::uint16_t>(1000 + i);
  const std::vector<std::byte> bytes = encode_servo_packet(packet);
  ASSERT_EQ(bytes.size(), 72U);
  EXPECT_EQ(bytes[0], std::byte{0x81});  // 29569 = 0x7381
  EXPECT_EQ(bytes[1], std::byte{0x73});
  EXPECT_EQ(bytes[4], std::byte{0x78});
  EXPECT_EQ(bytes[70], std::byte{0x07});  // 1031 = 0x407
  EXPECT_EQ(decode_servo_packet(bytes), packet);
  // One byte more or less, or the other form's magic, is another thing.
  EXPECT_FALSE(decode_servo_packet(std::span(bytes).first(71)).has_value());
  EXPECT_FALSE(decode_servo_packet(std::span(bytes).first(40)).has_value());
  EXPECT_FALSE(decode_servo_packet({}).has_value());
}

TEST(ArdupilotJson, EveryKeyComesBack) {
  const PhysicsReply sent = full_reply();
  const PhysicsReply got = parsed(text_of(sent));
  EXPECT_EQ(got.timestamp_s, sent.timestamp_s);
  EXPECT_EQ(got.position_W_m, sent.position_W_m);
  expect_single(got.rate_B_rad_s, sent.rate_B_rad_s);
  EXPECT_EQ(got.attitude, sent.attitude);
  ASSERT_TRUE(got.place.has_value());
  EXPECT_EQ(got.place->lat_deg, sent.place->lat_deg);
  EXPECT_EQ(got.place->alt_m, sent.place->alt_m);
  EXPECT_EQ(got.wind_W_m_s, sent.wind_W_m_s);
  EXPECT_EQ(got.airspeed_m_s, sent.airspeed_m_s);
  EXPECT_EQ(got.range_m, sent.range_m);
  EXPECT_EQ(got.vane_direction_rad, sent.vane_direction_rad);
  EXPECT_EQ(got.vane_speed_m_s, sent.vane_speed_m_s);
  EXPECT_EQ(got.rc_us, sent.rc_us);
  EXPECT_EQ(got.battery_v, sent.battery_v);
  EXPECT_EQ(got.battery_a, sent.battery_a);
  EXPECT_EQ(got.no_time_sync, sent.no_time_sync);
  EXPECT_EQ(got.no_lockstep, sent.no_lockstep);
}

// ArduPilot looks for keys by searching: see the head of ardupilot_json.h.
TEST(ArdupilotJson, TextAvoidsTheTrapsOfItsParser) {
  const std::string text = text_of(full_reply());
  EXPECT_EQ(text.front(), '\n');
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\n', 1), text.size() - 1);
  EXPECT_EQ(text.find(' '), text.npos);
  EXPECT_LT(text.find("velocity\":"), text.find("velocity_wind"));
  EXPECT_LT(text.find("rc_1\":"), text.find("rc_10\":"));
  EXPECT_NE(text.find("\"no_time_sync\":true"), text.npos);
  // A section is found by its name alone: no key before it may contain the name.
  for (const char* section : {"imu", "windvane", "rc", "battery"}) {
    EXPECT_EQ(text[text.find(section) - 1], '"') << section;
  }
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '[' && text[i] != ':') continue;
    EXPECT_NE(std::string("-0123456789[{tf").find(text[i + 1]), std::string::npos)
        << text.substr(i, 10);
  }
}

TEST(ArdupilotJson, NumbersThatAreNoneAreNeverSent) {
  PhysicsReply reply;
  reply.velocity_W_m_s.y = std::numeric_limits<double>::quiet_NaN();
  try {
    text_of(reply);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kRunStopped);
    EXPECT_NE(std::string(error.what()).find("\"velocity\""), std::string::npos) << error.what();
  }
  reply = {};
  reply.rate_B_rad_s.x = 1e300;  // beyond single precision
  EXPECT_THROW(text_of(reply), Error);
}

TEST(ArdupilotJson, ReadsWhatOtherProgramsWrite) {
  // Spaces, other order, angles, unknown keys with any value, nested things.
  const PhysicsReply reply = parsed(
      R"({ "extra" : {"deep": {"timestamp": 7}, "list": [[1], {"a": 1}]}, "name": "a \" b",)"
      R"( "velocity_wind" : [ 1, 2, 3 ], "no_time_sync": true, "lidar": NaN, "rng_2": 4,)"
      R"( "attitude": [0, 0, 1.5], "velocity": [4, 5, 6], "battery": {"voltage": 12.5},)"
      R"( "position": [1e-400, 0.0, -2], "far": 1e400, "battery2": {"voltage": "none"},)"
      R"( "imu": {"accel_body": [0,0,-9.8], "gyro":[1e-3,.5,0]}, "timestamp": 1.25, "x": null })");
  EXPECT_EQ(reply.timestamp_s, 1.25);
  EXPECT_EQ(reply.velocity_W_m_s, (Vec3{4, 5, 6}));
  EXPECT_EQ(reply.wind_W_m_s, (Vec3{1, 2, 3}));
  EXPECT_EQ(reply.rate_B_rad_s, (Vec3{1e-3, 0.5, 0}));
  EXPECT_NEAR(yaw_of(reply.attitude), 1.5, 1e-12);
  EXPECT_EQ(reply.position_W_m, (Vec3{0, 0, -2}));
  EXPECT_EQ(reply.no_time_sync, true);
  EXPECT_FALSE(reply.range_m[0].has_value());
  EXPECT_EQ(reply.range_m[1], 4.0);
  EXPECT_EQ(reply.battery_v, 12.5);
  EXPECT_FALSE(reply.battery_a.has_value());
}

TEST(ArdupilotJson, NumbersTooSmallForADoubleAreZero) {
  const std::string zeros(400, '0');
  for (const std::string& tiny :
       {std::string("1e-400"), "0." + zeros + "1", "0." + zeros + "1e9",
        std::string("-123456e-500"), std::string("1e-99999999999999999999")}) {
    const PhysicsReply reply = parsed(
        R"({"timestamp": 1, "imu": {"gyro": [0,0,0], "accel_body": [0,0,-9.8]}, "position": [)" +
        tiny + R"(,0,-2], "attitude": [0,0,0], "velocity": [0,0,0]})");
    EXPECT_EQ(reply.position_W_m, (Vec3{0, 0, -2})) << tiny;
  }
}

TEST(ArdupilotJson, OnlyTheLastLineCounts) {
  PhysicsReply early;
  PhysicsReply late;
  late.timestamp_s = 2.0;
  EXPECT_EQ(parsed(text_of(early) + text_of(late)).timestamp_s, 2.0);
}

TEST(ArdupilotJson, SaysWhatIsMissing) {
  const std::string good = text_of(PhysicsReply{});
  const auto without = [&good](const char* key) {
    std::string text = good;
    return text.replace(text.find(key), std::strlen(key), "other");
  };
  EXPECT_NE(refusal(without("timestamp")).find("timestamp"), std::string::npos);
  EXPECT_NE(refusal(without("gyro")).find("imu.gyro"), std::string::npos);
  EXPECT_NE(refusal(without("accel_body")).find("imu.accel_body"), std::string::npos);
  EXPECT_NE(refusal(without("velocity")).find("velocity"), std::string::npos);
  EXPECT_NE(refusal(without("quaternion")).find("quaternion or attitude"), std::string::npos);
  EXPECT_NE(refusal(without("position")).find("position"), std::string::npos);
  EXPECT_NE(refusal(R"({"latitude":1,)" + good.substr(2)).find("longitude"), std::string::npos);
  EXPECT_NE(refusal("\n{\"timestamp\":1,}\n").find("character 16"), std::string::npos)
      << refusal("\n{\"timestamp\":1,}\n");
  refusal("");
  refusal("\n\n");
  refusal(good.substr(0, good.size() / 2));
}

/// A good reply with every key in which the value of one key is another text.
std::string with_value(const ReplyKey& key, const std::string& value) {
  std::string text = text_of(full_reply());
  text.insert(text.find('{') + 1, R"("attitude":[0,0,0],)");
  const std::string name = "\"" + std::string(key.name) + "\":";
  std::size_t begin = text.find(name);
  if (!key.section.empty()) begin = text.find(name, text.find(key.section));
  EXPECT_NE(begin, text.npos) << key.text();
  begin += name.size();
  const std::size_t end =
      text[begin] == '[' ? text.find(']', begin) + 1 : text.find_first_of(",}", begin);
  return text.replace(begin, end - begin, value);
}

/// A value of the key's form with this number in it.
std::string formed(const ReplyKey& key, const std::string& number, const std::string& rest) {
  switch (key.form) {
    case ReplyKey::Form::kVector: return "[" + rest + "," + number + "," + rest + "]";
    case ReplyKey::Form::kQuaternion: return "[" + number + ",0,0,0]";
    case ReplyKey::Form::kNumber:
    case ReplyKey::Form::kFlag: break;
  }
  return number;
}

/// The key and the value are named, and whether the instant of the reply is known.
void expect_refused(const ReplyKey& key, const std::string& value) {
  const DecodedReply decoded = decode_physics_reply(with_value(key, value));
  const bool time = key.name == "timestamp";
  EXPECT_EQ(decoded.kind, time ? DecodedReply::Kind::kWrongTime : DecodedReply::Kind::kWrong)
      << key.text() << " = " << value << ": " << decoded.why;
  EXPECT_TRUE(decoded.why.starts_with(key.text() + " = " + value.substr(0, 60))) << decoded.why;
  EXPECT_EQ(decoded.reply.timestamp_s, time ? 0.0 : full_reply().timestamp_s);
}

TEST(ArdupilotJson, EveryKeyIsRefusedWithAValueThatIsNoMeasurement) {
  for (const ReplyKey& key : reply_keys()) {
    for (const char* number : {"NaN", "nan", "-nan", "inf", "-Infinity", "1e400", "-1e400", "1e308",
                               "-1e300", "1e99999999999999999999", "10e9223372036854775807"}) {
      expect_refused(key, formed(key, number, "0"));
    }
    expect_refused(key, formed(key, "1" + std::string(320, '0') + "e-1", "0"));
    expect_refused(key, formed(key, "-0001" + std::string(400, '0'), "0"));
    for (const char* other :
         {"null", "\"1\"", "\"\"", "{}", "{\"x\":1}", "[]", "[1,2]", "[[1,2,3]]", "[1,2,3,4,5]",
          "[\"1\",0,0]", "[null,0,0]", "[true,0,0]", "-7.5"}) {
      const bool list =
          key.form == ReplyKey::Form::kVector || key.form == ReplyKey::Form::kQuaternion;
      const bool fits = std::string(other) == "-7.5" && !list && key.limits.holds(-7.5);
      if (!fits) expect_refused(key, other);
    }
    if (key.form != ReplyKey::Form::kFlag) expect_refused(key, "true");
  }
}

TEST(ArdupilotJson, TheLimitsThemselvesAreFine) {
  for (const ReplyKey& key : reply_keys()) {
    if (key.form == ReplyKey::Form::kQuaternion) continue;
    for (const double limit : {key.limits.least, key.limits.most}) {
      const std::string text = with_value(key, formed(key, fmt::format("{:.17g}", limit), "0"));
      EXPECT_EQ(decode_physics_reply(text).kind, DecodedReply::Kind::kGood)
          << decode_physics_reply(text).why;
      const double beyond = limit + (limit > 0.0 ? 1.0 : -1.0) * (1e-6 + 1e-6 * std::abs(limit));
      expect_refused(key, formed(key, fmt::format("{:.17g}", beyond), "0"));
    }
  }
}

TEST(ArdupilotJson, AQuaternionHasTheLengthOne) {
  const auto key = std::ranges::find(reply_keys(), "quaternion", &ReplyKey::name);
  for (const char* bad : {"[0,0,0,0]", "[0.8,0,0,0]", "[1,1,1,1]", "[1e-300,0,0,0]"}) {
    expect_refused(*key, bad);
  }
  EXPECT_EQ(decode_physics_reply(with_value(*key, "[0.95,0,0,0]")).kind, DecodedReply::Kind::kGood);
}

TEST(ArdupilotJson, AKeyThatIsThereTwiceIsRefused) {
  const std::string good = text_of(full_reply());
  const auto with = [&good](const std::string& more) {
    std::string text = good;
    return text.insert(text.rfind('}'), "," + more);
  };
  EXPECT_EQ(refusal(with(R"("position":[1,2,3])")), "position = [1,2,3]: it is there twice");
  EXPECT_EQ(refusal(with(R"("imu":{"gyro":[1,2,3]})")), "imu.gyro = [1,2,3]: it is there twice");
  EXPECT_EQ(refusal(with(R"("timestamp":99)")), "timestamp = 99: it is there twice");
  EXPECT_EQ(refusal(with(R"("battery":5)")), "battery = 5: must be an object");
  EXPECT_EQ(refusal(with("\"battery\":\"a\x1b\x80\"")),
            "battery = \"a\\x1b\\x80\": must be an object");
}

/// ArduPilot's clock after n steps of a period, with stamps that go through the text.
std::uint64_t clock_after(int steps, std::uint64_t period_us, bool plain) {
  JsonClock stamps;
  std::uint64_t clock_us = 0;
  double last_s = 0.0;
  for (int k = 0; k <= steps; ++k) {
    const TimeUs now(period_us * static_cast<std::uint64_t>(k));
    PhysicsReply reply;
    reply.timestamp_s = plain ? to_seconds(now) : stamps.stamp_s(now);
    const std::string text = text_of(reply);
    const double stamp_s = std::strtod(text.c_str() + std::strlen("\n{\"timestamp\":"), nullptr);
    clock_us = static_cast<std::uint64_t>(static_cast<double>(clock_us) + (stamp_s - last_s) * 1e6);
    last_s = stamp_s;
  }
  return clock_us;
}

TEST(ArdupilotJson, ItsClockIsOurs) {
  constexpr int kSteps = 100'000;
  for (const std::uint64_t period_us : {1000U, 1250U, 833U, 1388U, 500U, 1U, 99'999U}) {
    EXPECT_EQ(clock_after(kSteps, period_us, false), period_us * kSteps) << period_us;
  }
  // And would not be with plain stamps: that is why.
  EXPECT_LT(clock_after(kSteps, 1000, true), 1000U * kSteps - 10'000U);
}

TEST(ArdupilotJson, StampsStayAtOurTime) {
  JsonClock stamps;
  EXPECT_EQ(stamps.stamp_s(TimeUs(0)), 0.0);
  double stamp_s = 0.0;
  for (std::uint64_t k = 1; k <= 1'000'000; ++k) stamp_s = stamps.stamp_s(TimeUs(1000 * k));
  EXPECT_GE(stamp_s, 1000.0);
  EXPECT_LT(stamp_s, 1000.0 + 1e-6);
  EXPECT_EQ(stamps.stamp_s(TimeUs(1'000'000'000)), stamp_s);
}

}  // namespace
}  // namespace tactus
