// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ground_station/ground_station_orders.h"

#include <fmt/format.h>

namespace tactus {
namespace {

constexpr double kMostItem = 65534.0;
constexpr unsigned kCustomModeEnabled = 1;  // MAV_MODE_FLAG

bool is_above_home(std::uint8_t frame) { return frame == 3 || frame == 6; }

/// A whole number from 0 to `most`; anything else: −1.
int whole(double value, double most) {
  const bool usable = value >= 0.0 && value <= most && math::rint(value) == value;
  return usable ? static_cast<int>(value) : -1;
}

StationOrder mode_order(FlightMode mode) {
  StationOrder order;
  order.mode = mode;
  return order;
}

std::optional<StationOrder> mode_order(const StationCommand& command, CommandResult& result) {
  const int flags = whole(command.param[0], 255.0);
  const int main = whole(command.param[1], 255.0);
  const int sub = whole(command.param[2], 255.0);
  if (flags < 0 || main < 0 || sub < 0) {
    result = CommandResult::kDenied;
    return std::nullopt;
  }
  const bool custom = (static_cast<unsigned>(flags) & kCustomModeEnabled) != 0;
  const FlightMode mode =
      custom ? flight_mode(PilotFlavour::kPx4, static_cast<std::uint32_t>(main) << 16u |
                                                   static_cast<std::uint32_t>(sub) << 24u)
             : FlightMode::kNone;
  if (mode != FlightMode::kNone) return mode_order(mode);
  result = CommandResult::kUnsupported;
  return std::nullopt;
}

std::optional<StationOrder> arming(const StationCommand& command, CommandResult& result) {
  StationOrder order;
  if (command.param[0] == 1.0 || command.param[0] == 0.0) {
    order.kind = command.param[0] == 1.0 ? OrderKind::kArm : OrderKind::kDisarm;
    return order;
  }
  result = CommandResult::kDenied;
  return std::nullopt;
}

std::optional<StationOrder> item_order(const StationCommand& command, OrderKind kind,
                                       CommandResult& result) {
  StationOrder order = mode_order(FlightMode::kMission);
  order.kind = kind;
  order.item = whole(command.param[0], kMostItem);
  order.needs_armed = kind == OrderKind::kMode;
  if (order.item >= 0) return order;
  result = CommandResult::kDenied;
  return std::nullopt;
}

}  // namespace

StationCommand command_of(const mavlink::CommandLong& message, Address from) {
  return {message.command,
          from,
          {message.param1, message.param2, message.param3, message.param4},
          message.param7,
          false};
}

StationCommand command_of(const mavlink::CommandInt& message, Address from) {
  return {message.command,
          from,
          {message.param1, message.param2, message.param3, message.param4},
          message.z,
          is_above_home(message.frame)};
}

StationCommand command_of(const mavlink::SetMode& message, Address from) {
  StationCommand command;
  command.number = StationCommands::kSetMode;
  command.from = from;
  command.param[0] = message.base_mode;
  command.param[1] = message.custom_mode >> 16u & 0xFFu;
  command.param[2] = message.custom_mode >> 24u;
  return command;
}

std::optional<StationOrder> order_of(const StationCommand& command, CommandResult& result) {
  using Commands = StationCommands;
  switch (command.number) {
    case Commands::kArm: return arming(command, result);
    case Commands::kReturn: return mode_order(FlightMode::kReturn);
    case Commands::kLand: return mode_order(FlightMode::kLand);
    case Commands::kSetItem: return item_order(command, OrderKind::kItem, result);
    case Commands::kStartMission: return item_order(command, OrderKind::kMode, result);
    case Commands::kTakeoff: {
      StationOrder order = mode_order(FlightMode::kTakeoff);
      order.height_m = command.height_m;
      order.height_above_home = command.height_above_home;
      return order;
    }
    case Commands::kSetMode: return mode_order(command, result);
    default: break;
  }
  result = CommandResult::kUnsupported;
  return std::nullopt;
}

std::string to_text(const StationOrder& order) {
  switch (order.kind) {
    case OrderKind::kArm: return "arm";
    case OrderKind::kDisarm: return "disarm";
    case OrderKind::kMode: return fmt::format("mode {}", to_text(order.mode));
    case OrderKind::kItem: return fmt::format("mission item {}", order.item);
    case OrderKind::kMission: break;
  }
  return fmt::format("mission of {} items", order.mission ? order.mission->items.size() : 0);
}

}  // namespace tactus
