// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A built-in autopilot with a MAVLink ground station: QGroundControl, MAVSDK and others connect to
// it as to PX4. It stands around the autopilot and does at every tick:
//
//   receive    what has come, without waiting, at the simulated time of this tick
//   order      one order of the scenario or of the ground station becomes the autopilot's wanted
//   fly        the autopilot's own step
//   answer     what became of the order; what changed; telemetry that is due in simulated time
//
// The frames that came are its external bytes. With them at the same ticks (RecordedPort) it does
// the same again, bit by bit; which ticks they come at is up to the ground station and the clock on
// the wall. Without a partner the flight is that of the autopilot alone. docs/ground_station.md
// lists which messages and commands there are.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/link/ground_station/ground_station_mission.h"
#include "tactus/link/ground_station/ground_station_orders.h"
#include "tactus/link/ground_station/ground_station_parameters.h"
#include "tactus/link/ground_station/ground_station_telemetry.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/net/datagram_port.h"

namespace tactus {

/// Vehicles are numbered from 0; MAVLink's systems from 1.
inline constexpr int kMostVehicles = 254;

struct GroundStationSetup {
  int vehicle_id = 0;
  StationVehicle vehicle;
  PlanContext context;  ///< for missions that come
  Mission mission;      ///< that the autopilot has; may be empty
};

class GroundStation final : public Autopilot {
 public:
  GroundStation(std::unique_ptr<BuiltinVehicle> autopilot, const GroundStationSetup& setup,
                std::unique_ptr<DatagramPort> port);

  [[nodiscard]] const char* name() const override { return "builtin with a ground station"; }
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  [[nodiscard]] std::vector<std::string> external_peers() const override;
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override;
  void take_notes(std::vector<Note>& notes) override;
  [[nodiscard]] std::vector<std::string> warnings() const override;
  void restart() override;
  /// Null if its port is a socket.
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override;

  [[nodiscard]] const BuiltinVehicle& autopilot() const { return *autopilot_; }
  /// Good frames that came.
  [[nodiscard]] std::uint64_t frames() const { return frames_; }

 private:
  GroundStation(const GroundStation& other, std::unique_ptr<DatagramPort> port);

  // What comes.
  void receive(const AutopilotInput& input);
  bool take(const mavlink::Frame& frame, const AutopilotInput& input);
  void take_mission(const mavlink::Frame& frame, TimeUs now);
  void take_parameter(const mavlink::Frame& frame, TimeUs now);
  void take_command(const StationCommand& command, const AutopilotInput& input);
  [[nodiscard]] CommandResult serve(const StationCommand& command, const AutopilotInput& input);
  void add_order(StationOrder order);

  // What is done with it.
  std::optional<StationOrder> next_order(const AutopilotInput& input);
  void give(bool armed, FlightMode mode);
  [[nodiscard]] std::optional<CommandResult> begin(StationOrder& order, TimeUs now);
  [[nodiscard]] std::optional<CommandResult> begin_mode(const StationOrder& order, TimeUs now);
  [[nodiscard]] std::optional<CommandResult> begin_item(const StationOrder& order);
  [[nodiscard]] std::optional<CommandResult> begin_mission(StationOrder& order);
  bool set_takeoff_height(const StationOrder& order, TimeUs now);
  void judge(const StationOrder& order, TimeUs now);
  void conclude(const StationOrder& order, CommandResult result, TimeUs now);
  void notice(const AutopilotInput& input, const AutopilotStatus& before);
  [[nodiscard]] StationView view(const AutopilotInput& input) const;

  void answer(std::uint16_t command, Address to, CommandResult result);
  void send_text(TimeUs now, Severity severity, const std::string& text);

  std::unique_ptr<BuiltinVehicle> autopilot_;
  std::unique_ptr<DatagramPort> port_;
  std::uint8_t system_;
  bool flies_;
  mavlink::Parser parser_;
  Outbox outbox_;
  StationTelemetry telemetry_;
  StationParameters parameters_;
  MissionServer mission_;

  HighLevelCommand wish_;                   ///< what the autopilot is given
  std::uint32_t scenario_seen_ = 0;         ///< number of the scenario's last order
  bool just_restarted_ = false;             ///< then it hears no order
  std::deque<StationOrder> orders_;         ///< not begun yet
  FlightMode standby_ = FlightMode::kHold;  ///< to be flown once armed
  int item_wish_ = -1;                      ///< to start the mission with; −1: where it is
  AutopilotStatus status_;                  ///< as last reported
  std::optional<Vec3> home_W_m_;

  std::uint64_t frames_ = 0;
  std::uint64_t ignored_datagrams_ = 0;  ///< datagrams of others, while a mission is uploaded
  std::vector<std::byte> received_;
  TextNotes text_notes_{"GCS"};  // short: events have room for 32 letters
  std::vector<Note> notes_;
};

}  // namespace tactus
