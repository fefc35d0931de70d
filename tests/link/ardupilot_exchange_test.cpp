// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Datagrams from programs that are no ArduPilot.

#include "tactus/link/ardupilot/ardupilot_exchange.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages_vehicle.h"

namespace tactus {
namespace {

using Wall = std::chrono::steady_clock;
constexpr std::chrono::seconds kSoon{5};

/// Sends the same to a port without a pause, for as long as it lives.
class Flood {
 public:
  Flood(std::uint16_t port, std::vector<std::byte> datagram)
      : thread_([this, port, bytes = std::move(datagram)](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            from_.send_to(port, bytes);
            ++sent_;
          }
        }) {
    while (sent_ < 1000) std::this_thread::yield();
  }

 private:
  UdpSocket from_{0, "flood"};
  std::atomic<long> sent_ = 0;
  std::jthread thread_;
};

std::vector<std::byte> heartbeat(std::uint8_t autopilot) {
  mavlink::Sender sender{.system = 1, .component = 1};
  mavlink::Heartbeat message;
  message.type = 2;
  message.autopilot = autopilot;
  const mavlink::EncodedFrame frame = mavlink::encode(message, sender);
  return {frame.bytes().begin(), frame.bytes().end()};
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(ArdupilotExchange, AWaitEndsWhateverIsSentMeanwhile) {
  ArdupilotExchange exchange(std::make_unique<UdpSocket>(0, "a test"));
  const Flood flood(exchange.port(), bytes_of("no servo packet"));
  const auto start = Wall::now();
  EXPECT_EQ(exchange.wait(Deadline::after(DurationUs(200'000)), {}), AskResult::kTimeout);
  EXPECT_GE(Wall::now() - start, std::chrono::milliseconds(200));
  EXPECT_EQ(exchange.wait(Deadline::now(), {}), AskResult::kTimeout);
  int looks = 0;
  const auto stop = [&looks] { return ++looks > 3; };
  EXPECT_EQ(exchange.wait(Deadline::after(DurationUs(0)), stop), AskResult::kInterrupted);
  EXPECT_LT(Wall::now() - start, kSoon);
  EXPECT_GT(exchange.counts().garbage, 100U);
}

TEST(ArdupilotExchange, AnAnswerGoesOutWhateverIsSentMeanwhile) {
  ArdupilotExchange exchange(std::make_unique<UdpSocket>(0, "a test"));
  UdpSocket ardupilot(0, "test");
  ServoPacket packet;
  ardupilot.send_to(exchange.port(), encode_servo_packet(packet));
  ASSERT_EQ(exchange.wait(Deadline::after(DurationUs(5'000'000)), {}), AskResult::kAsked);
  const Flood flood(exchange.port(), bytes_of("no servo packet"));
  exchange.answer("motion");
  std::vector<std::byte> answer;
  EXPECT_EQ(ardupilot.receive(answer, Deadline::after(DurationUs(5'000'000))),
            ReceiveResult::kData);
  EXPECT_EQ(answer, bytes_of("motion"));
}

// Two on one port: a first packet of another is a restart only once the old one is silent.
TEST(ArdupilotExchange, AnotherSenderTakesThePlaceOfASilentOneOnly) {
  ArdupilotExchange exchange(std::make_unique<UdpSocket>(0, "a test"));
  UdpSocket ardupilot(0, "test");
  UdpSocket other(0, "test");
  const auto send = [&exchange](UdpSocket& from, std::uint32_t count) {
    ServoPacket packet;
    packet.frame_count = count;
    from.send_to(exchange.port(), encode_servo_packet(packet));
  };
  const Deadline soon = Deadline::after(DurationUs(5'000'000));
  send(ardupilot, 7);
  ASSERT_EQ(exchange.wait(soon, {}), AskResult::kAsked);
  exchange.answer("motion");
  send(other, 0);
  send(ardupilot, 8);
  ASSERT_EQ(exchange.wait(soon, {}), AskResult::kAsked);
  EXPECT_EQ(exchange.packet().frame_count, 8U);
  EXPECT_EQ(exchange.counts().other_senders, 1U);
  exchange.answer("motion");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  send(other, 0);
  EXPECT_EQ(exchange.wait(soon, {}), AskResult::kRestarted);
}

/// What of the telemetry is taken, in one go.
std::vector<std::vector<std::byte>> taken(ArdupilotTelemetry& telemetry) {
  std::vector<std::vector<std::byte>> datagrams;
  telemetry.receive([&datagrams](std::span<const std::byte> datagram) {
    datagrams.emplace_back(datagram.begin(), datagram.end());
  });
  return datagrams;
}

TEST(ArdupilotTelemetry, OnlyTheFirstArdupilotIsRead) {
  constexpr std::uint8_t kArdupilot = 3;
  constexpr std::uint8_t kNoAutopilot = 8;
  ArdupilotTelemetry telemetry(std::make_unique<UdpSocket>(0, "a test"));
  UdpSocket station(0, "test");
  UdpSocket ardupilot(0, "test");
  UdpSocket late(0, "test");
  station.send_to(telemetry.port(), heartbeat(kNoAutopilot));
  station.send_to(telemetry.port(), bytes_of("noise"));
  EXPECT_TRUE(taken(telemetry).empty());
  telemetry.send(bytes_of("to no peer"));

  ardupilot.send_to(telemetry.port(), heartbeat(kArdupilot));
  late.send_to(telemetry.port(), heartbeat(kArdupilot));
  station.send_to(telemetry.port(), heartbeat(kNoAutopilot));
  ardupilot.send_to(telemetry.port(), bytes_of("more"));
  EXPECT_EQ(taken(telemetry),
            (std::vector<std::vector<std::byte>>{heartbeat(kArdupilot), bytes_of("more")}));
  telemetry.send(bytes_of("order"));
  std::vector<std::byte> order;
  EXPECT_EQ(ardupilot.receive(order, Deadline::after(DurationUs(5'000'000))), ReceiveResult::kData);
  EXPECT_EQ(order, bytes_of("order"));
  EXPECT_EQ(late.receive(order, Deadline::now()), ReceiveResult::kTimeout);
  EXPECT_EQ(station.receive(order, Deadline::now()), ReceiveResult::kTimeout);

  telemetry.forget();
  late.send_to(telemetry.port(), heartbeat(kArdupilot));
  EXPECT_EQ(taken(telemetry).size(), 1U);
}

TEST(ArdupilotTelemetry, AFloodOfItEnds) {
  ArdupilotTelemetry telemetry(std::make_unique<UdpSocket>(0, "a test"));
  const Flood flood(telemetry.port(), heartbeat(3));
  const auto start = Wall::now();
  for (int i = 0; i < 10; ++i) EXPECT_LE(taken(telemetry).size(), 256U);
  EXPECT_LT(Wall::now() - start, kSoon);
}

}  // namespace
}  // namespace tactus
