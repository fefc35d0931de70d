// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A ground station that a test scripts, and a vehicle that it talks to over the loopback interface
// in simulated time: a datagram that was sent is there at the next tick.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/engine/sources.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/ground_station/ground_station.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"
#include "tests/support/recorded.h"

namespace tactus::testing {

class ScriptedStation {
 public:
  [[nodiscard]] std::uint16_t port() const { return socket_.port(); }
  [[nodiscard]] UdpPeer vehicle() const { return vehicle_; }

  template <mavlink::Message M>
  void send(const M& message) {
    send_bytes(mavlink::encode(message, sender).bytes());
  }
  void send_bytes(std::span<const std::byte> bytes) { socket_.send_to(vehicle_, bytes); }

  void receive_all() {
    while (socket_.receive(datagram_, Deadline::now(), {}, &vehicle_) == ReceiveResult::kData) {
      parser_.feed_datagram(datagram_, [this](const mavlink::Frame& frame) { take(frame); });
    }
  }

  /// The last message of a kind; a fresh one if none came.
  template <mavlink::Message M>
  [[nodiscard]] M last() const {
    M message;
    const auto found = last_.find(M::kId);
    if (found == last_.end()) return message;
    mavlink::Parser parser;
    parser.feed(found->second,
                [&](const mavlink::Frame& frame) { EXPECT_TRUE(decode(frame, message)); });
    return message;
  }
  template <mavlink::Message M>
  [[nodiscard]] int count() const {
    const auto found = counts_.find(M::kId);
    return found == counts_.end() ? 0 : found->second;
  }
  [[nodiscard]] bool said(const std::string& part) const {
    return texts.find(part) != std::string::npos;
  }

  mavlink::Sender sender{255, 190};
  std::string texts;
  std::vector<mavlink::CommandAck> answers;
  std::map<std::string, float> parameters;
  std::vector<std::uint8_t> sequence;  ///< of the frames that came
  std::uint8_t system = 0;             ///< of the last sender

 private:
  void take(const mavlink::Frame& frame) {
    last_[frame.id()].assign(frame.bytes.begin(), frame.bytes.end());
    ++counts_[frame.id()];
    sequence.push_back(frame.sequence);
    system = frame.system;
    mavlink::if_is<mavlink::Statustext>(
        frame, [this](const auto& m) { texts += std::string(mavlink::text_of(m.text)); });
    mavlink::if_is<mavlink::CommandAck>(frame, [this](const auto& m) { answers.push_back(m); });
    mavlink::if_is<mavlink::ParamValue>(frame, [this](const auto& m) {
      parameters[std::string(mavlink::text_of(m.param_id))] = m.param_value;
    });
  }

  UdpSocket socket_{0, "a test"};
  UdpPeer vehicle_;
  mavlink::Parser parser_;
  std::vector<std::byte> datagram_;
  std::map<std::uint32_t, std::vector<std::byte>> last_;
  std::map<std::uint32_t, int> counts_;
};

inline constexpr char kStandingIris[] = R"(
extends = "../scenarios/standby.toml"
[time]
end_s = 300.0
[wind]
mean_ned_m_s = [0.0, 0.0, 0.0]
turbulence = "none"
[estimator]
kind = "truth"
)";

/// A flight with a ground station, a tick at a time.
class StationBench {
 public:
  explicit StationBench(const std::string& spec = kStandingIris,
                        const std::vector<Override>& more = {})
      : loaded(load_text(spec, overrides(more))),
        flight(assemble(loaded.spec, {.external = external_autopilots()})) {
    StreamRecorderSetup setup;
    setup.meta = recording_meta(loaded, Tier::kComponents, {});
    setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
    recorder = std::make_unique<StreamRecorder>(setup, sink);
    observers.recorders.push_back(recorder.get());
  }

  /// False: not within that time.
  bool until(const std::function<bool()>& done, double seconds) {
    const TimeUs end = flight.run.now() + duration_from_seconds(seconds, "seconds");
    if (!std::exchange(opened_, true)) open(flight.run, observers);
    while (flight.run.now() < end && !flight.run.finished()) {
      proceed(flight.run, observers);
      station.receive_all();
      if (done()) return true;
    }
    return false;
  }
  void run(double seconds) {
    until([] { return false; }, seconds);
  }

  /// Of a flight that is over.
  std::shared_ptr<const Recording> recording() {
    close(flight.run, observers);
    return sink.recording();
  }

  /// The result of a command; 255: no answer.
  std::uint8_t command(std::uint16_t number, std::vector<float> p = {}) {
    p.resize(7, 0.0F);
    mavlink::CommandLong message;
    message.target_system = message.target_component = 1;
    message.command = number;
    message.param1 = p[0];
    message.param2 = p[1];
    message.param3 = p[2];
    message.param4 = p[3];
    message.param5 = p[4];
    message.param6 = p[5];
    message.param7 = p[6];
    return answer_to(message);
  }
  template <class M>
  std::uint8_t answer_to(const M& message) {
    const std::size_t before = station.answers.size();
    station.send(message);
    if (!until([&] { return station.answers.size() > before; }, 1.0)) return 255;
    return station.answers.back().result;
  }

  /// The result of an upload; 255: no answer.
  std::uint8_t upload(const std::vector<mavlink::MissionItemInt>& items) {
    mavlink::MissionCount message;
    message.target_system = message.target_component = 1;
    message.count = static_cast<std::uint16_t>(items.size());
    const int answers = station.count<mavlink::MissionAck>();
    int asked = station.count<mavlink::MissionRequestInt>();
    station.send(message);
    until(
        [&] {
          if (station.count<mavlink::MissionRequestInt>() > asked) {
            asked = station.count<mavlink::MissionRequestInt>();
            station.send(items[station.last<mavlink::MissionRequestInt>().seq]);
          }
          return station.count<mavlink::MissionAck>() > answers;
        },
        5.0);
    if (station.count<mavlink::MissionAck>() == answers) return 255;
    return station.last<mavlink::MissionAck>().type;
  }

  [[nodiscard]] const Bus& bus() const { return flight.run.bus(); }
  [[nodiscard]] bool armed() const { return bus().autopilot.armed; }
  [[nodiscard]] FlightMode mode() const { return bus().autopilot.mode; }
  [[nodiscard]] double height_m() const { return bus().truth.height_m; }
  [[nodiscard]] const GroundStation& vehicle() const {
    for (const std::unique_ptr<Source>& source : flight.run.sources()) {
      const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
      if (autopilot != nullptr) return dynamic_cast<const GroundStation&>(autopilot->autopilot());
    }
    throw std::runtime_error("there is no ground station");
  }

  ScriptedStation station;
  LoadedSpec loaded;
  Assembly flight;
  MemorySink sink;
  std::unique_ptr<StreamRecorder> recorder;
  Observers observers;

 private:
  bool opened_ = false;
  [[nodiscard]] std::vector<Override> overrides(std::vector<Override> list) const {
    list.push_back({"autopilot.ground_station.enabled", "true"});
    list.push_back({"autopilot.ground_station.port", std::to_string(station.port())});
    return list;
  }
};

inline mavlink::MissionItemInt mission_item(std::uint16_t seq, std::uint16_t command,
                                            double north_m, double east_m, double height_m) {
  constexpr double kNorth_1e7_per_m = 1e7 / 111'180.0;
  mavlink::MissionItemInt item;
  item.target_system = item.target_component = 1;
  item.seq = seq;
  item.command = command;
  item.frame = 6;
  item.autocontinue = 1;
  item.param4 = std::numeric_limits<float>::quiet_NaN();
  item.x = static_cast<std::int32_t>(473977420 + north_m * kNorth_1e7_per_m);
  item.y = static_cast<std::int32_t>(85455940 + east_m * kNorth_1e7_per_m / 0.677);
  item.z = static_cast<float>(height_m);
  return item;
}

/// Up, out, back, down.
inline std::vector<mavlink::MissionItemInt> short_mission() {
  return {mission_item(0, 22, 0.0, 0.0, 6.0), mission_item(1, 16, 12.0, 5.0, 6.0),
          mission_item(2, 16, 0.0, 0.0, 6.0), mission_item(3, 21, 0.0, 0.0, 0.0)};
}

/// Numbers of the protocol, and what is often asked.
namespace station {

inline constexpr std::uint16_t kReturn = 20, kLand = 21, kTakeoff = 22, kSetMode = 176,
                               kSetItem = 224, kStart = 300, kArm = 400, kSetInterval = 511,
                               kRequestMessage = 512, kCapabilities = 520;
inline constexpr std::uint8_t kAccepted = 0, kRejectedNow = 1, kDenied = 2, kUnsupported = 3;
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline std::uint8_t take_off(StationBench& bench) {
  return bench.command(kTakeoff, {0, 0, 0, kNan, kNan, kNan, kNan});
}

inline std::uint8_t set_mode(StationBench& bench, float sub) {
  return bench.command(kSetMode, {1, 4, sub});
}

}  // namespace station

}  // namespace tactus::testing
