// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What goes over the telemetry of an ArduPilot that the user started: here a few lines of our own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/link/mavlink.h"
#include "tactus/link/mavlink_messages_mission.h"
#include "tactus/link/mavlink_messages_vehicle.h"
#include "tests/link/ardupilot_bench.h"

namespace tactus {
namespace {

using testing::ArdupilotBench;

constexpr std::int32_t kInstance = 118;
constexpr std::uint16_t kJsonPort = 9002 + 10 * kInstance;
constexpr std::uint16_t kTelemetryPort = 14550 + 10 * kInstance;
constexpr std::uint32_t kFrames = 30;
constexpr std::uint32_t kLastMode = 99;

/// Asks so many frames, and for item 0 of the mission in each; then it says one thing more over its
/// telemetry and is silent.
class BriefArdupilot {
 public:
  void end() {
    thread_.request_stop();
    thread_.join();
  }

  [[nodiscard]] std::vector<std::byte> heartbeat(std::uint32_t custom_mode) {
    mavlink::Heartbeat message;
    message.type = 2;
    message.autopilot = 3;
    message.custom_mode = custom_mode;
    message.system_status = 3;
    const mavlink::EncodedFrame frame = mavlink::encode(message, sender_);
    return {frame.bytes().begin(), frame.bytes().end()};
  }

  /// After end() only.
  [[nodiscard]] const std::optional<mavlink::MissionItemInt>& item() const { return item_; }
  [[nodiscard]] const std::vector<mavlink::ParamSet>& settings() const { return settings_; }
  [[nodiscard]] const std::vector<std::byte>& last_words() const { return last_words_; }

 private:
  void fly(const std::stop_token& stop) {
    for (std::uint32_t i = 0; i < kFrames && !stop.stop_requested(); ++i) {
      telemetry_.send_to(kTelemetryPort, heartbeat(0));
      const mavlink::MissionRequestInt request{.target_system = 255, .target_component = 190};
      telemetry_.send_to(kTelemetryPort, mavlink::encode(request, sender_).bytes());
      ask(i, stop);
      hear();
    }
    last_words_ = heartbeat(kLastMode);
    telemetry_.send_to(kTelemetryPort, last_words_);
  }

  void ask(std::uint32_t frame, const std::stop_token& stop) {
    ServoPacket packet;
    packet.frame_count = frame;
    std::vector<std::byte> answer;
    do {
      json_.send_to(kJsonPort, encode_servo_packet(packet));
    } while (!stop.stop_requested() &&
             json_.receive(answer, Deadline::after(DurationUs(100'000))) != ReceiveResult::kData);
  }

  void hear() {
    std::vector<std::byte> datagram;
    while (telemetry_.receive(datagram, Deadline::now()) == ReceiveResult::kData) {
      parser_.feed_datagram(datagram, [this](const mavlink::Frame& frame) {
        mavlink::MissionItemInt item;
        if (mavlink::decode(frame, item) && item.seq == 0) item_ = item;
        mavlink::ParamSet setting;
        if (mavlink::decode(frame, setting)) settings_.push_back(setting);
      });
    }
  }

  UdpSocket json_{0, "test"};
  UdpSocket telemetry_{0, "test"};
  mavlink::Sender sender_{.system = 1, .component = 1};
  mavlink::Parser parser_;
  std::optional<mavlink::MissionItemInt> item_;
  std::vector<mavlink::ParamSet> settings_;
  std::vector<std::byte> last_words_;
  std::jthread thread_{[this](const std::stop_token& stop) { fly(stop); }};
};

TEST(ArdupilotTelemetry, HomeIsOursAndItsLastWordsAreKept) {
  ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = true;
  parameters.instance = kInstance;
  LinkParameters link;
  link.exchange_deadline = DurationUs(1'000'000);
  const auto mission = std::make_shared<const Mission>(load_mission("missions/square.waypoints"));
  ArdupilotFlight flight = bench.plan(mission);
  flight.changeable = {"WPNAV_SPEED"};
  ArdupilotSitl pilot(parameters, link, bench.vehicle, flight);
  bench.parameter = {.index = 0, .count = 1, .value = 750.0};
  BriefArdupilot ardupilot;
  EXPECT_THROW(bench.run(pilot, 1.0), Error);  // its silence
  ardupilot.end();

  ASSERT_TRUE(ardupilot.item().has_value());
  EXPECT_EQ(ardupilot.item()->x, 473'977'420);
  EXPECT_EQ(ardupilot.item()->y, 85'455'940);
  EXPECT_EQ(ardupilot.item()->z, 488.0F);

  ASSERT_EQ(ardupilot.settings().size(), 1U) << "the rest within half a second";
  EXPECT_EQ(mavlink::text_of(ardupilot.settings()[0].param_id), "WPNAV_SPEED");
  EXPECT_EQ(ardupilot.settings()[0].param_value, 750.0F);

  std::vector<OutsideBytes> outside;
  pilot.take_outside(outside);
  ASSERT_EQ(outside.size(), 3U);
  EXPECT_EQ(outside[1].peer, 1U);
  const std::vector<std::byte>& words = ardupilot.last_words();
  ASSERT_GE(outside[1].bytes.size(), words.size());
  EXPECT_TRUE(std::ranges::equal(std::span(outside[1].bytes).last(words.size()), words));
}

TEST(ArdupilotTelemetry, WhatTheLinkIsMadeForStaysAsItIs) {
  const ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = true;
  for (const char* name : {"FRAME_CLASS", "MOT_PWM_MIN", "SCHED_LOOP_RATE"}) {
    ArdupilotFlight flight = bench.plan();
    flight.changeable = {"WPNAV_SPEED", name};
    try {
      const ArdupilotSitl pilot(parameters, {}, bench.vehicle, flight);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tactus
