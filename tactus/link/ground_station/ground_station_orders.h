// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a ground station's commands ask the vehicle to do. Modes are numbered as in PX4.

#include <cstdint>
#include <optional>
#include <string>

#include "tactus/core/math.h"
#include "tactus/link/ground_station/ground_station_mission.h"
#include "tactus/link/mavlink/mavlink_transfer.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// MAV_RESULT
enum class CommandResult : std::uint8_t {
  kAccepted = 0,
  kRejectedNow = 1,
  kDenied = 2,
  kUnsupported = 3,
};

/// MAV_CMD
struct StationCommands {
  static constexpr std::uint16_t kReturn = 20, kLand = 21, kTakeoff = 22, kSetMode = 176,
                                 kSetItem = 224, kStartMission = 300, kArm = 400,
                                 kSetInterval = 511, kRequestMessage = 512,
                                 kRequestCapabilities = 520;
};

/// COMMAND_LONG and COMMAND_INT alike.
struct StationCommand {
  std::uint16_t number = 0;
  Address from;
  double param[4] = {};
  double height_m = math::canonical_nan();  ///< param7 or z
  bool height_above_home = false;           ///< else above sea level
};

StationCommand command_of(const mavlink::CommandLong& message, Address from);
StationCommand command_of(const mavlink::CommandInt& message, Address from);
StationCommand command_of(const mavlink::SetMode& message, Address from);

enum class OrderKind : std::uint8_t { kArm, kDisarm, kMode, kItem, kMission };

/// One change of what the vehicle is to do; carried out at a tick.
struct StationOrder {
  OrderKind kind = OrderKind::kMode;
  FlightMode mode = FlightMode::kNone;
  int item = -1;                            ///< kItem; kMode: of the mission, −1: where it is
  bool needs_armed = false;                 ///< kMode: not to be kept for the next arming
  double height_m = math::canonical_nan();  ///< of a takeoff; NaN: the usual one
  bool height_above_home = false;
  std::optional<NewMission> mission = {};

  std::uint16_t command = 0;  ///< to be answered; 0: none
  Address from = {};
};

/// None: the command is not one of these, or asks for what there is not; `result` says which.
std::optional<StationOrder> order_of(const StationCommand& command, CommandResult& result);

/// "arm", "mode return", "mission item 3"
std::string to_text(const StationOrder& order);

}  // namespace tactus
