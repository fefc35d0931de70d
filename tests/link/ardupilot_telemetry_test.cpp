// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What goes over the telemetry of an ArduPilot that the user started: here a few lines of our own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages_mission.h"
#include "tactus/link/mavlink/mavlink_messages_motion.h"
#include "tactus/link/mavlink/mavlink_messages_vehicle.h"
#include "tests/link/ardupilot_bench.h"

namespace tactus {
namespace {

using testing::ArdupilotBench;

constexpr std::int32_t kInstance = 118;
constexpr std::uint16_t kJsonPort = 9002 + 10 * kInstance;
constexpr std::uint16_t kTelemetryPort = 14550 + 10 * kInstance;
constexpr std::uint32_t kFrames = 30;
constexpr std::uint32_t kLastMode = 99;

/// Asks so many frames, and for item 0 of the mission in each; takes every parameter; then it says
/// one thing more over its telemetry and is silent.
class BriefArdupilot {
 public:
  /// `at`: where it says that it is. `mission_result`: refuses the mission with it, and flies
  /// longer.
  explicit BriefArdupilot(const WorldOrigin& at, std::uint8_t mission_result = 0)
      : mission_result_(mission_result), frames_(mission_result == 0 ? kFrames : 100 * kFrames) {
    position_.lat = static_cast<std::int32_t>(at.lat_deg * 1e7);
    position_.lon = static_cast<std::int32_t>(at.lon_deg * 1e7);
  }

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
  [[nodiscard]] const std::map<std::string, float>& settings() const { return settings_; }
  [[nodiscard]] const std::vector<std::byte>& last_sent() const { return last_sent_; }

 private:
  void fly(const std::stop_token& stop) {
    for (std::uint32_t i = 0; i < frames_ && !stop.stop_requested(); ++i) {
      telemetry_.send_to(kTelemetryPort, heartbeat(0));
      telemetry_.send_to(kTelemetryPort, mavlink::encode(position_, sender_).bytes());
      const mavlink::MissionRequestInt request{.target_system = 255, .target_component = 190};
      telemetry_.send_to(kTelemetryPort, mavlink::encode(request, sender_).bytes());
      ask(i, stop);
      receive_all();
    }
    last_sent_ = heartbeat(kLastMode);
    telemetry_.send_to(kTelemetryPort, last_sent_);
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

  void receive_all() {
    std::vector<std::byte> datagram;
    while (telemetry_.receive(datagram, Deadline::now()) == ReceiveResult::kData) {
      parser_.feed_datagram(datagram, [this](const mavlink::Frame& frame) {
        mavlink::MissionItemInt item;
        if (mavlink::decode(frame, item) && item.seq == 0) item_ = item;
        if (frame.id() == mavlink::MissionItemInt::kId && mission_result_ != 0) refuse();
        mavlink::ParamSet setting;
        if (mavlink::decode(frame, setting)) take(setting);
      });
    }
  }

  void refuse() {
    mavlink::MissionAck answer;
    answer.target_system = 255;
    answer.type = mission_result_;
    telemetry_.send_to(kTelemetryPort, mavlink::encode(answer, sender_).bytes());
  }

  void take(const mavlink::ParamSet& setting) {
    settings_[std::string(mavlink::text_of(setting.param_id))] = setting.param_value;
    mavlink::ParamValue answer;
    std::ranges::copy(setting.param_id, answer.param_id);
    answer.param_value = setting.param_value;
    answer.param_type = setting.param_type;
    telemetry_.send_to(kTelemetryPort, mavlink::encode(answer, sender_).bytes());
  }

  std::uint8_t mission_result_;
  std::uint32_t frames_;
  UdpSocket json_{0, "test"};
  UdpSocket telemetry_{0, "test"};
  mavlink::Sender sender_{.system = 1, .component = 1};
  mavlink::Parser parser_;
  std::optional<mavlink::MissionItemInt> item_;
  std::map<std::string, float> settings_;
  std::vector<std::byte> last_sent_;
  mavlink::GlobalPositionInt position_;
  std::jthread thread_{[this](const std::stop_token& stop) { fly(stop); }};
};

TEST(ArdupilotTelemetry, HomeIsOursAndItsLastMessagesAreKept) {
  ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  parameters.instance = kInstance;
  LinkParameters link;
  link.exchange_deadline = DurationUs(1'000'000);
  const auto mission = std::make_shared<const Mission>(load_mission("missions/square.waypoints"));
  ArdupilotFlight flight = bench.plan(mission);
  flight.changeable = {"WPNAV_SPEED"};
  ArdupilotSitl pilot(parameters, link, bench.vehicle, flight);
  bench.parameter = {.index = 0, .count = 1, .value = 750.0};
  BriefArdupilot ardupilot(bench.origin);
  EXPECT_THROW(bench.run(pilot, 1.0), Error);  // its silence
  ardupilot.end();

  ASSERT_TRUE(ardupilot.item().has_value());
  EXPECT_EQ(ardupilot.item()->x, 473'977'420);
  EXPECT_EQ(ardupilot.item()->y, 85'455'940);
  EXPECT_EQ(ardupilot.item()->z, 488.0F);

  // All that Tactus would have told it at its start, and what the flight changes.
  ArdupilotSettings wanted = pilot.settings();
  wanted["WPNAV_SPEED"] = 750.0;
  ASSERT_EQ(ardupilot.settings().size(), wanted.size());
  for (const auto& [name, value] : ardupilot.settings()) {
    EXPECT_EQ(value, static_cast<float>(wanted.at(name))) << name;
  }

  std::vector<ExternalBytes> received;
  pilot.take_external_bytes(received);
  ASSERT_EQ(received.size(), 3U);
  EXPECT_EQ(received[1].peer, 1U);
  const std::vector<std::byte>& words = ardupilot.last_sent();
  ASSERT_GE(received[1].bytes.size(), words.size());
  EXPECT_TRUE(std::ranges::equal(std::span(received[1].bytes).last(words.size()), words));
}

// As of PX4: a flight without its mission is none.
TEST(ArdupilotTelemetry, AMissionThatItRefusesIsAnError) {
  ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  parameters.instance = kInstance;
  LinkParameters link;
  link.exchange_deadline = DurationUs(5'000'000);
  const auto mission = std::make_shared<const Mission>(load_mission("missions/square.waypoints"));
  ArdupilotSitl pilot(parameters, link, bench.vehicle, bench.plan(mission));
  BriefArdupilot ardupilot(bench.origin, 5);
  std::string message;
  try {
    bench.run(pilot, 2.9);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kPeer);
    message = error.what();
  }
  ardupilot.end();
  EXPECT_NE(message.find("refuses the mission with MAV_MISSION_RESULT 5 (invalid)"), message.npos)
      << message;
}

TEST(ArdupilotTelemetry, OneThatStandsElsewhereIsRefused) {
  ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
  parameters.instance = kInstance;
  LinkParameters link;
  link.exchange_deadline = DurationUs(1'000'000);
  ArdupilotSitl pilot(parameters, link, bench.vehicle, bench.plan());
  BriefArdupilot ardupilot({.lat_deg = -35.3632621, .lon_deg = 149.1652374, .alt_msl_m = 584.0});
  try {
    bench.run(pilot, 1.0);
    ADD_FAILURE() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kPeer);
    const std::string message = error.what();
    EXPECT_NE(message.find("latitude -35.36326"), message.npos) << message;
    EXPECT_NE(message.find("--home 47.3977420,8.5455940,488.000,0.00"), message.npos) << message;
  }
  ardupilot.end();
}

TEST(ArdupilotTelemetry, WhatTheLinkIsMadeForStaysAsItIs) {
  const ArdupilotBench bench;
  ArdupilotParameters parameters;
  parameters.wait = parameters.free = true;
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
