// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/trace/trace_diff.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "tactus/core/error.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"

namespace tactus {
namespace {

std::string hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

template <class M>
std::string message(const M& message) {
  mavlink::Sender sender{1, 1, 0};
  return hex(mavlink::encode(message, sender).bytes());
}

std::string sensor(float x_gyro) {
  mavlink::HilSensor reading{};
  reading.time_usec = 1'004'000;
  reading.xgyro = x_gyro;
  return message(reading);
}

/// What every trace here begins with.
const std::string kBegin = std::string(kTraceHead) +
                           "1000000000 thread 0 main\n"
                           "1000000000 call open 5 /etc/rc\n"
                           "1002000000 command 8\n"
                           "1002000000 instant 4000\n";

TraceDiff difference(const std::string& a, const std::string& b) {
  return diff_traces(AutopilotTrace(kBegin + a, "a.trace"), AutopilotTrace(kBegin + b, "b.trace"));
}

std::string said(const std::string& a, const std::string& b) {
  const AutopilotTrace trace_a(kBegin + a, "a.trace");
  const AutopilotTrace trace_b(kBegin + b, "b.trace");
  return to_text(diff_traces(trace_a, trace_b), "a.trace", "b.trace");
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(AutopilotTrace, EntriesHaveTheirInstantKindAndLine) {
  const AutopilotTrace trace(kBegin + "1004000000 thread 3 hpwork\n1004000000 in stream 0 0 1 \n",
                             "a.trace");
  ASSERT_EQ(trace.entries().size(), 5U);
  EXPECT_FALSE(trace.entries()[2].instant);
  EXPECT_EQ(trace.entries()[1].kind, TraceKind::kCall);
  EXPECT_EQ(trace.entries()[2].kind, TraceKind::kEvent);
  const TraceEntry& last = trace.entries()[3];
  EXPECT_EQ(last.kind, TraceKind::kSwitch);
  EXPECT_EQ(last.instant, TimeUs(4000));
  EXPECT_EQ(last.virtual_ns, 1'004'000'000);
  EXPECT_EQ(last.line, 6U);
  EXPECT_EQ(trace.entries()[4].kind, TraceKind::kReceived);
}

TEST(AutopilotTrace, WhatIsNoneIsRefusedWithItsLine) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      const AutopilotTrace trace(text, "a.trace");
      return "";
    } catch (const Error& refused) {
      EXPECT_EQ(refused.code(), ExitCode::kBadInput);
      return refused.what();
    }
  };
  EXPECT_TRUE(has(error(""), "a.trace:1: this is no trace"));
  EXPECT_TRUE(has(error(kBegin + "soon thread 1 x\n"), "a.trace:6: this is no entry"));
  EXPECT_TRUE(has(error(kBegin + "5\n"), "a.trace:6: this is no entry"));
  EXPECT_TRUE(has(error(kBegin + "5 instant later\n"), "a.trace:6: this is no instant"));
  EXPECT_EQ(error(kBegin + "1004000000 thr"), "") << "it was still being written";
}

TEST(TraceDiff, EqualOnesAreEqual) {
  EXPECT_FALSE(difference("1004000000 thread 3 a\n", "1004000000 thread 3 a\n").first);
  EXPECT_TRUE(has(said("", ""), "verdict      equal"));
}

TEST(TraceDiff, AMessageIsNamedWithItsFieldAndInstant) {
  const std::string in = "1004000000 in stream 0 0 1 ";
  const std::string text = said(in + sensor(0.5F) + "\n", in + sensor(0.25F) + "\n");
  EXPECT_TRUE(has(text, "first        message to the autopilot")) << text;
  EXPECT_TRUE(has(text, "line 6, t = 4ms, 1.004000 s of its own time: MAVLink HIL_SENSOR")) << text;
  EXPECT_TRUE(has(text, "MAVLink HIL_SENSOR, xgyro: 0.5 and 0.25")) << text;
}

TEST(TraceDiff, OfSeveralMessagesInOneTheOneThatDiffersIsNamed) {
  mavlink::HilGps gps{};
  gps.lat = 5;
  const std::string out = "1004000000 out datagram 14580 14540 0 ";
  const std::string a = out + sensor(0.5F) + message(gps) + "\n";
  gps.lat = 6;
  const std::string text = said(a, out + sensor(0.5F) + message(gps) + "\n");
  EXPECT_TRUE(has(text, "first        message of the autopilot")) << text;
  EXPECT_TRUE(has(text, "MAVLink HIL_GPS, lat: 5 and 6")) << text;
  EXPECT_TRUE(has(text, "MAVLink HIL_SENSOR, HIL_GPS, ")) << text;
  EXPECT_TRUE(has(text, "UDP port 14580, to 14540")) << text;
}

TEST(TraceDiff, MessagesThatTactusDoesNotUseHaveTheirNumber) {
  const std::string out = "1004000000 out datagram 14580 14540 0 ";
  const std::string unknown = "fd01000000010170170";  // 0x011770 = 71536
  const std::string text = said(out + unknown + "1aa0000\n", out + unknown + "1bb0000\n");
  EXPECT_TRUE(has(text, "MAVLink message ")) << text;
}

TEST(TraceDiff, RecordsOfArdupilot) {
  const std::string in = "1004000000 in datagram 9003 9002 0 ";
  EXPECT_TRUE(
      has(said(in + R"("\n{\"x\":1}")" + "\n", in + R"("\n{\"x\":2}")" + "\n"), "from byte 6 on"));
  ServoPacket packet;
  packet.frame_count = 7;
  packet.pwm_us[2] = 1500;
  const std::string out = "1004000000 out datagram 9003 9002 0 ";
  const std::string a = out + hex(encode_servo_packet(packet)) + "\n";
  packet.pwm_us[2] = 1501;
  const std::string text = said(a, out + hex(encode_servo_packet(packet)) + "\n");
  EXPECT_TRUE(has(text, "servo packet, channel 3: 1500 and 1501 us")) << text;
}

TEST(TraceDiff, EveryKindHasItsOwnFirst) {
  const std::string a =
      "1004000000 thread 3 a\n1004000000 call read 5 8 aa\n1005000000 signal 15\n";
  const std::string b =
      "1004000000 thread 4 b\n1004000000 call read 5 8 bb\n1005000000 signal 15\n";
  const TraceDiff found = difference(a, b);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->kind, TraceKind::kSwitch);
  EXPECT_EQ(found.first->equal, 3U);
  ASSERT_EQ(found.of_kinds.size(), 2U);
  EXPECT_EQ(found.of_kinds[0].kind, TraceKind::kCall);
  EXPECT_EQ(found.of_kinds[0].equal, 1U);
  EXPECT_EQ(found.of_kinds[1].kind, TraceKind::kSwitch);
}

TEST(TraceDiff, OneThatEndsBefore) {
  const TraceDiff found = difference("1004000000 thread 3 a\n", "");
  ASSERT_TRUE(found.first);
  EXPECT_TRUE(found.first->a);
  EXPECT_FALSE(found.first->b);
  EXPECT_TRUE(has(said("1004000000 thread 3 a\n", ""), "b  ends before"));
}

TEST(TraceDiff, OfAnotherTimeIsDifferent) {
  EXPECT_TRUE(difference("1004000000 thread 3 a\n", "1005000000 thread 3 a\n").first);
}

/// Whatever stands in a line, it is refused or described.
TEST(TraceDiff, DamageDoesNoHarm) {
  const std::string whole = kBegin + "1004000000 in stream 0 0 1 " + sensor(0.5F) +
                            "\n1004000000 in datagram 1 2 0 \"\\nx\"\n1005000000 thread 3 a\n";
  const AutopilotTrace good(whole, "a.trace");
  std::size_t said_of_it = 0;
  for (std::size_t at = kBegin.size(); at < whole.size(); ++at) {
    for (const char byte : {'0', 'f', ' ', '\n', '"', '\\', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = byte;
      try {
        const AutopilotTrace trace(damaged, "b.trace");
        said_of_it += to_text(diff_traces(good, trace), "a", "b").size();
      } catch (const Error&) {
        continue;
      }
    }
  }
  EXPECT_GT(said_of_it, 0U);
}

TEST(TraceDiff, Json) {
  const AutopilotTrace a(kBegin + "1004000000 thread 3 a\n", "a.trace");
  const AutopilotTrace b(kBegin, "b.trace");
  const std::string json = trace_diff_json(diff_traces(a, b), "a.trace", "b.trace");
  EXPECT_TRUE(has(json, "\"verdict\": \"different\"")) << json;
  EXPECT_TRUE(has(json, "\"t_us\": 4000")) << json;
}

}  // namespace
}  // namespace tactus
