// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A vehicle that answers a ground station as PX4 or ArduCopter do, and forgets or refuses on
// demand. It does not fly: modes, arming, parameters and the mission are all it has.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/link/mavlink/mavlink_pilot.h"

namespace tactus::testing {

using Datagram = std::vector<std::byte>;

class VehicleDouble {
 public:
  explicit VehicleDouble(PilotFlavour kind) : flavour(kind) {}

  PilotFlavour flavour;
  bool armed = false;
  bool alive = true;
  std::uint32_t custom_mode = 0;
  LandedState landed = LandedState::kOnGround;
  std::uint8_t system_status = 0;
  std::size_t missions_refused = 0;  ///< while it boots: no space, without asking for an item
  std::uint8_t mission_result = 0;   ///< of the MISSION_ACK
  bool wants_first_item_only = false;
  std::function<std::uint8_t(std::uint16_t)> result_of;  ///< of a COMMAND_ACK; none: accepted
  std::map<std::string, float> parameters;               ///< that exist

  // What came.
  std::vector<mavlink::CommandLong> commands;  ///< without those about telemetry
  std::vector<TimeUs> command_times;
  std::vector<mavlink::MissionItemInt> mission;
  std::vector<mavlink::ParamSet> settings;
  std::vector<std::pair<TimeUs, mavlink::Heartbeat>> heartbeats;
  std::vector<mavlink::BatteryStatus> batteries;
  std::size_t telemetry_asked = 0;
  std::size_t counts_received = 0;
  std::size_t items_received = 0;
  std::vector<Datagram> out;

  template <class M>
  void send(const M& message) {
    const mavlink::EncodedFrame frame = mavlink::encode(message, sender_);
    out.emplace_back(frame.bytes().begin(), frame.bytes().end());
  }

  void beat() {
    mavlink::Heartbeat heartbeat;
    heartbeat.type = 2;
    heartbeat.base_mode = armed ? 129 : 1;
    heartbeat.custom_mode = custom_mode;
    heartbeat.system_status = system_status;
    send(heartbeat);
    mavlink::ExtendedSysState state;
    state.landed_state = static_cast<std::uint8_t>(landed);
    send(state);
  }

  /// As PX4 does every quarter of a second while a mission is not complete.
  void ask_again() {
    if (mission.size() < expected_) ask_item();
  }

  void take(std::span<const std::byte> datagram, TimeUs now) {
    parser_.feed_datagram(datagram, [&](const mavlink::Frame& frame) { take(frame, now); });
  }

 private:
  void take(const mavlink::Frame& frame, TimeUs now) {
    mavlink::Heartbeat heartbeat;
    mavlink::CommandLong command;
    mavlink::MissionCount count;
    mavlink::MissionItemInt item;
    mavlink::ParamSet setting;
    mavlink::BatteryStatus battery;
    if (mavlink::decode(frame, heartbeat)) heartbeats.emplace_back(now, heartbeat);
    if (mavlink::decode(frame, battery) && frame.system == 1 && frame.component != 1) {
      batteries.push_back(battery);
    }
    if (!alive) return;
    if (mavlink::decode(frame, command)) obey(command, now);
    if (mavlink::decode(frame, count)) start_mission(count);
    if (mavlink::decode(frame, item)) take_item(item);
    if (mavlink::decode(frame, setting)) set(setting);
    mavlink::ParamRequestRead wanted;
    if (mavlink::decode(frame, wanted)) show(wanted);
  }

  void obey(const mavlink::CommandLong& command, TimeUs now) {
    mavlink::CommandAck answer;
    answer.command = command.command;
    answer.target_system = 255;
    if (command.command == 511) {
      ++telemetry_asked;
    } else {
      commands.push_back(command);
      command_times.push_back(now);
      if (result_of) answer.result = result_of(command.command);
    }
    if (answer.result == 0) act(command);
    send(answer);
  }

  void act(const mavlink::CommandLong& command) {
    const auto number = [](float value) { return static_cast<std::uint32_t>(value); };
    if (command.command == 400) armed = command.param1 == 1.0F;
    if (command.command == 176) {
      custom_mode = flavour == PilotFlavour::kPx4
                        ? number(command.param2) << 16u | number(command.param3) << 24u
                        : number(command.param2);
    }
    if (command.command == 22 && flavour == PilotFlavour::kPx4) custom_mode = 0x0204'0000;
    if (command.command == 300) custom_mode = 3;
  }

  void start_mission(const mavlink::MissionCount& count) {
    ++counts_received;
    if (counts_received <= missions_refused) {
      mavlink::MissionAck answer;
      answer.target_system = 255;
      answer.type = 4;
      send(answer);
      return;
    }
    mission.clear();
    expected_ = count.count;
    ask_item();
  }

  void take_item(const mavlink::MissionItemInt& item) {
    ++items_received;
    if (item.seq == mission.size() && !wants_first_item_only) mission.push_back(item);
    ask_item();
  }

  void ask_item() {
    if (mission.size() < expected_) {
      mavlink::MissionRequestInt request;
      request.target_system = 255;
      request.seq = static_cast<std::uint16_t>(mission.size());
      send(request);
    } else {
      mavlink::MissionAck answer;
      answer.target_system = 255;
      answer.type = mission_result;
      send(answer);
    }
  }

  void show(const mavlink::ParamRequestRead& wanted) {
    const auto found = parameters.find(std::string(mavlink::text_of(wanted.param_id)));
    if (wanted.param_index != -1 || found == parameters.end()) return;
    mavlink::ParamValue answer;
    std::memcpy(answer.param_id, wanted.param_id, sizeof answer.param_id);
    answer.param_value = found->second;
    answer.param_type = 9;
    send(answer);
  }

  void set(const mavlink::ParamSet& setting) {
    settings.push_back(setting);
    const auto found = parameters.find(std::string(mavlink::text_of(setting.param_id)));
    if (found == parameters.end()) return;
    found->second = setting.param_value;
    mavlink::ParamValue answer;
    std::memcpy(answer.param_id, setting.param_id, sizeof answer.param_id);
    answer.param_value = setting.param_value;
    answer.param_type = setting.param_type;
    send(answer);
  }

  mavlink::Sender sender_{.system = 1, .component = 1};
  mavlink::Parser parser_;
  std::size_t expected_ = 0;
};

/// Pilot and vehicle on one clock of 4 ms ticks; datagrams take one tick.
class PilotBench {
 public:
  explicit PilotBench(PilotFlavour flavour, std::shared_ptr<const Mission> mission = nullptr)
      : vehicle(flavour), pilot(parameters_for(flavour), std::move(mission)) {}

  VehicleDouble vehicle;
  MavlinkPilot pilot;
  HighLevelCommand wanted;
  std::uint64_t tick = 0;
  std::function<bool()> loses;  ///< a datagram, in either direction
  std::vector<Datagram> sent;   ///< by the pilot
  bool vehicle_beats = true;

  [[nodiscard]] TimeUs now() const { return TimeUs(tick * 4000); }

  void want(bool armed, FlightMode mode) { wanted = {armed, mode, wanted.count + 1}; }

  void run(double seconds) {
    for (const auto end = tick + static_cast<std::uint64_t>(seconds * 250.0); tick < end; ++tick) {
      step();
    }
  }

 private:
  static PilotParameters parameters_for(PilotFlavour flavour) {
    PilotParameters parameters;
    parameters.flavour = flavour;
    parameters.home = {47.5, 8.5, 488.0};
    return parameters;
  }

  void step() {
    if (vehicle_beats && vehicle.alive && tick % 250 == 50) vehicle.beat();
    if (tick % 62 == 0) vehicle.ask_again();
    const std::vector<Datagram> incoming = std::exchange(vehicle.out, {});
    for (const Datagram& datagram : incoming) {
      if (!loses || !loses()) pilot.receive(datagram, now());
    }
    pilot.want(wanted, now());
    for (auto bytes = pilot.take_outgoing(); !bytes.empty(); bytes = pilot.take_outgoing()) {
      sent.emplace_back(bytes.begin(), bytes.end());
      if (!loses || !loses()) vehicle.take(bytes, now());
    }
  }
};

/// Six rows: home, takeoff "here", a waypoint, a speed, a jump to the waypoint, a landing.
inline std::shared_ptr<const Mission> some_mission() {
  return std::make_shared<Mission>(
      parse_mission("QGC WPL 110\n"
                    "0 1 0 16 0 0 0 0 47.5 8.5 488 1\n"
                    "1 0 3 22 0 0 0 nan 0 0 12 1\n"
                    "2 0 3 16 2 2 0 nan 47.5001 8.5002 12 1\n"
                    "3 0 2 178 1 4 -1 0 0 0 0 1\n"
                    "4 0 2 177 2 3 0 0 0 0 0 1\n"
                    "5 0 0 21 0 0 0 nan 47.5 8.5 488 1\n",
                    "some.waypoints"));
}

/// Of the commands that came.
inline std::vector<int> command_numbers(const PilotBench& bench) {
  std::vector<int> list;
  for (const mavlink::CommandLong& command : bench.vehicle.commands) {
    list.push_back(command.command);
  }
  return list;
}

}  // namespace tactus::testing
