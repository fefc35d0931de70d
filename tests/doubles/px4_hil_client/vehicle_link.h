// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The MAVLink of a vehicle, as much as a flight needs: heartbeat, arming, modes, a mission that is
// taken and thrown away. Prints what it is told.

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"

namespace tactus {

class VehicleLink {
 public:
  explicit VehicleLink(int instance)
      : socket_(static_cast<std::uint16_t>(14580 + instance), "the stand-in of PX4"),
        sender_{.system = static_cast<std::uint8_t>(1 + instance), .component = 1},
        peer_(static_cast<std::uint16_t>(14540 + instance)) {}

  [[nodiscard]] bool armed() const { return armed_; }
  [[nodiscard]] bool flies() const { return mode_ != 0; }
  bool refuse_arming = false;

  void receive(std::uint64_t time_us) {
    time_us_ = time_us;
    while (socket_.receive(datagram_, Deadline::now(), {}, &peer_) == ReceiveResult::kData) {
      if (!std::exchange(has_heartbeat_, true)) send_heartbeat();
      parser_.feed_datagram(datagram_, [this](const mavlink::Frame& frame) { take(frame); });
    }
  }

  /// A heartbeat each second.
  void send_due(std::uint64_t time_us) {
    receive(time_us);
    if (time_us < next_heartbeat_us_) return;
    next_heartbeat_us_ = time_us + 1'000'000;
    send_heartbeat();
  }

 private:
  static constexpr std::uint16_t kTakeoff = 22, kSetMode = 176, kArm = 400;

  void send_heartbeat() {
    mavlink::Heartbeat heartbeat;
    heartbeat.type = 2;
    heartbeat.autopilot = 12;
    heartbeat.base_mode = static_cast<std::uint8_t>(1 + (armed_ ? 128 : 0));
    heartbeat.custom_mode = mode_;
    heartbeat.system_status = armed_ ? 4 : 3;
    send(heartbeat);
  }

  void take(const mavlink::Frame& frame) {
    mavlink::CommandLong command;
    mavlink::MissionCount count;
    mavlink::MissionItemInt item;
    mavlink::ParamSet parameter;
    mavlink::BatteryStatus battery;
    if (mavlink::decode(frame, command)) {
      obey(command);
    } else if (mavlink::decode(frame, count)) {
      items_ = count.count;
      request(0);
    } else if (mavlink::decode(frame, item)) {
      request(static_cast<std::uint16_t>(item.seq + 1));
    } else if (mavlink::decode(frame, parameter)) {
      confirm(parameter);
    } else if (mavlink::decode(frame, battery)) {
      print("battery", battery.battery_remaining);
    }
  }

  void obey(const mavlink::CommandLong& command) {
    mavlink::CommandAck answer;
    answer.command = command.command;
    if (command.command == kArm && refuse_arming) {
      answer.result = 1;
    } else if (command.command == kArm) {
      armed_ = command.param1 > 0.5F;
      print("armed", armed_ ? 1 : 0);
    } else if (command.command == kTakeoff) {
      mode_ = 0x02040000;  // automatic, takeoff
    } else if (command.command == kSetMode) {
      mode_ = static_cast<std::uint32_t>(command.param2) << 16U |
              static_cast<std::uint32_t>(command.param3) << 24U;
    }
    send(answer);
    send_heartbeat();
  }

  void request(std::uint16_t sequence) {
    if (sequence < items_) {
      mavlink::MissionRequestInt wanted;
      wanted.target_system = 255;
      wanted.target_component = 190;
      wanted.seq = sequence;
      send(wanted);
      return;
    }
    mavlink::MissionAck done;
    done.target_system = 255;
    done.target_component = 190;
    send(done);
    print("mission items", items_);
  }

  void confirm(const mavlink::ParamSet& parameter) {
    const std::string name(mavlink::text_of(parameter.param_id));
    if (name == "NO_SUCH") return;
    if (parameter.param_type == 9) print(name.c_str(), static_cast<int>(parameter.param_value));
    mavlink::ParamValue value;
    mavlink::set_text(value.param_id, mavlink::text_of(parameter.param_id));
    value.param_value = parameter.param_value;
    value.param_type = parameter.param_type;
    send(value);
  }

  void print(const char* what, int value) const {
    std::printf("[%.3f] %s %d\n", static_cast<double>(time_us_) * 1e-6, what, value);
    std::fflush(stdout);
  }

  template <class M>
  void send(const M& message) {
    socket_.send_to(peer_, mavlink::encode(message, sender_).bytes());
  }

  UdpSocket socket_;
  mavlink::Sender sender_;
  UdpPeer peer_;
  mavlink::Parser parser_;
  std::vector<std::byte> datagram_;
  std::uint64_t time_us_ = 0;
  std::uint64_t next_heartbeat_us_ = 0;
  std::uint16_t items_ = 0;
  std::uint32_t mode_ = 0;
  bool armed_ = false;
  bool has_heartbeat_ = false;
};

}  // namespace tactus
