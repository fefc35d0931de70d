// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// needs: double_px4_hil_client

// The link to a PX4 that the user started: what it says, what it refuses, and who else sends.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/px4_bench.h"

namespace tactus {
namespace {

using testing::Clock;
using testing::has;
using testing::Px4SitlTest;
using testing::seconds_since;
using Bench = testing::Px4Bench;

/// The test itself is PX4, over plain sockets: answers each step, and has a pilot's link.
class OwnPeer {
 public:
  explicit OwnPeer(int instance, bool refuses_mission = false)
      : refuses_mission_(refuses_mission),
        udp_(static_cast<std::uint16_t>(14580 + instance), "a test"),
        sender_{.system = static_cast<std::uint8_t>(1 + instance), .component = 1} {
    thread_ = std::thread([this, instance] {
      auto stream = TcpStream::connect(static_cast<std::uint16_t>(4560 + instance),
                                       Deadline::after(DurationUs(10'000'000)));
      if (stream) answer_all(*stream);
    });
  }
  ~OwnPeer() { end(); }
  OwnPeer(const OwnPeer&) = delete;
  OwnPeer& operator=(const OwnPeer&) = delete;

  /// When the flight is over.
  const std::vector<mavlink::MissionItemInt>& end() {
    if (thread_.joinable()) thread_.join();
    return items_;
  }

 private:
  void answer_all(TcpStream& stream) {
    std::vector<std::byte> bytes;
    mavlink::Parser parser;
    while (true) {
      bytes.clear();
      if (stream.receive(bytes, Deadline::after(DurationUs(5'000))) == ReceiveResult::kClosed) {
        return;
      }
      parser.feed(bytes, [&](const mavlink::Frame& frame) {
        mavlink::HilSensor sensor;
        if (!mavlink::decode(frame, sensor)) return;
        mavlink::HilActuatorControls controls;
        controls.time_usec = sensor.time_usec;
        stream.send(mavlink::encode(controls, sender_).bytes(),
                    Deadline::after(DurationUs(1'000'000)));
      });
      receive_all();
    }
  }

  void receive_all() {
    UdpPeer from;
    std::vector<std::byte> datagram;
    mavlink::Parser parser;
    while (udp_.receive(datagram, Deadline::now(), {}, &from) == ReceiveResult::kData) {
      if (!received_) send(mavlink::Heartbeat{.type = 2, .autopilot = 12}, from.port);
      if (!received_) send_text("Preflight Fail: no compass", from.port);
      received_ = true;
      parser.feed_datagram(datagram, [&](const mavlink::Frame& frame) { take(frame, from.port); });
    }
  }

  void take(const mavlink::Frame& frame, std::uint16_t from) {
    mavlink::MissionCount count;
    mavlink::MissionItemInt item;
    mavlink::ParamSet parameter;
    if (mavlink::decode(frame, parameter)) {
      mavlink::ParamValue value;
      mavlink::set_text(value.param_id, mavlink::text_of(parameter.param_id));
      value.param_value = parameter.param_value;
      value.param_type = parameter.param_type;
      send(value, from);
    }
    if (mavlink::decode(frame, count)) {
      expected_ = count.count;
      items_.clear();
    }
    if (mavlink::decode(frame, item)) items_.push_back(item);
    if (frame.id() != mavlink::MissionCount::kId && frame.id() != mavlink::MissionItemInt::kId) {
      return;
    }
    if (items_.size() < expected_) {
      mavlink::MissionRequestInt request;
      request.target_system = 255;
      request.seq = static_cast<std::uint16_t>(items_.size());
      send(request, from);
    } else {
      mavlink::MissionAck result;
      result.target_system = 255;
      result.type = static_cast<std::uint8_t>(refuses_mission_ ? 5 : 0);
      send(result, from);
    }
  }

  void send_text(const char* words, std::uint16_t to) {
    mavlink::Statustext text;
    mavlink::set_text(text.text, words);
    send(text, to);
  }

  template <class M>
  void send(const M& message, std::uint16_t to) {
    udp_.send_to(to, mavlink::encode(message, sender_).bytes());
  }

  bool refuses_mission_;
  UdpSocket udp_;
  mavlink::Sender sender_;
  std::vector<mavlink::MissionItemInt> items_;
  bool received_ = false;
  std::size_t expected_ = 0;
  std::thread thread_;
};

std::shared_ptr<const Mission> takeoff_here() {
  auto mission = std::make_shared<Mission>();
  mission->items.resize(1);
  mission->items[0].command = MissionCommand::kTakeoff;
  mission->items[0].altitude_m = 5.0;
  return mission;
}

TEST(Px4SitlPeer, ItsTextsBecomeNotesAndHereIsHome) {
  Bench bench;
  bench.parameters.wait = bench.parameters.free = true;
  bench.flight.mission = takeoff_here();
  bench.flight.home = {47.25, 8.75, 400.0};
  OwnPeer peer(bench.parameters.instance);
  bench.steps(500);
  EXPECT_EQ(bench.autopilot().pilot().mission_upload().state(), UploadState::kDone);
  bench.made.reset();
  EXPECT_EQ(bench.count("PX4: Preflight Fail: no compass"), 1);
  const std::vector<mavlink::MissionItemInt>& items = peer.end();
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].x, 472'500'000);
  EXPECT_EQ(items[0].y, 87'500'000);
}

TEST(Px4SitlPeer, AMissionThatItRefusesIsAnError) {
  Bench bench;
  bench.parameters.wait = bench.parameters.free = true;
  bench.flight.mission = takeoff_here();
  const OwnPeer peer(bench.parameters.instance, true);
  const std::string text = bench.error_within(20'000);
  EXPECT_TRUE(has(text, "MAV_MISSION_RESULT 5")) << text;
}

TEST(Px4SitlPeer, OneThatSendsWithoutPauseIsAnErrorAtTheDeadline) {
  Bench bench;
  bench.parameters.wait = bench.parameters.free = true;
  bench.link.connect_deadline = DurationUs(400'000);
  const auto port = static_cast<std::uint16_t>(4560 + bench.parameters.instance);
  std::thread flood([port] {
    auto stream = TcpStream::connect(port, Deadline::after(DurationUs(10'000'000)));
    const std::vector<std::byte> zeros(4096);
    while (stream &&
           stream->send(zeros, Deadline::after(DurationUs(1'000'000))) != ReceiveResult::kClosed) {
    }
  });
  const auto start = Clock::now();
  const std::string text = bench.error_within(1000);
  flood.join();
  EXPECT_TRUE(has(text, "did not answer within 400ms")) << text;
  EXPECT_LT(seconds_since(start), 5.0);
}

// Any program of this machine may send to our port.
TEST_F(Px4SitlTest, DatagramsOfAnotherProgramAreNotPx4s) {
  Bench bench("--refuse-arming");
  bench.parameters.instance = 0;
  UdpSocket stranger(0, "a test");
  mavlink::Sender sender{.system = 1, .component = 1};
  mavlink::Heartbeat armed;
  armed.base_mode = 129;
  try {
    const TcpListener tcp(4560, "a test");
    const UdpSocket own(14540, "a test"), theirs(14580, "a test");
  } catch (const Error&) {
    GTEST_SKIP() << "the ports of instance 0 are taken";
  }
  for (int i = 0; i < 300; ++i) {
    stranger.send_to(14540, mavlink::encode(armed, sender).bytes());
    bench.step();
    ASSERT_FALSE(bench.autopilot().pilot().vehicle().armed);
  }
  EXPECT_TRUE(bench.autopilot().pilot().vehicle().has_heartbeat);
}

}  // namespace
}  // namespace tactus
