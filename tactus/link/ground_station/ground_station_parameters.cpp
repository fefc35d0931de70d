// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ground_station/ground_station_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::string_view kNames[] = {
    "CRUISE_SPEED",  "CLIMB_SPEED", "TAKEOFF_SPEED", "DESCEND_SPEED", "LAND_SPEED",
    "MAX_ACC",       "MAX_JERK",    "MAX_TILT",      "MAX_YAW_RATE",  "TAKEOFF_HEIGHT",
    "RETURN_HEIGHT", "ACC_RADIUS",  "EST_LOSS_DESC", "RATE_GAIN",     "ATT_GAIN",
    "VEL_GAIN",      "POS_GAIN",    "EST_DELAY",     "DISARM_DELAY",  "LOW_BAT_ACT",
    "CRIT_BAT_ACT",  "DETECT_LOSS",
};
constexpr std::size_t kCount = std::size(kNames);
constexpr std::size_t kPerTick = 8;

std::optional<std::size_t> index_of(std::string_view name) {
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<std::size_t>(found - std::begin(kNames));
}

void send_value(std::size_t index, const BuiltinVehicle& vehicle, Outbox& outbox) {
  mavlink::ParamValue message;
  mavlink::set_text(message.param_id, kNames[index]);
  message.param_value =
      static_cast<float>(parameter_value(vehicle.parameters(), static_cast<int>(index)));
  message.param_type = 9;  // a real number
  message.param_count = static_cast<std::uint16_t>(kCount);
  message.param_index = static_cast<std::uint16_t>(index);
  outbox.send(message);
}

}  // namespace

std::span<const std::string_view> station_parameter_names() { return kNames; }

void StationParameters::take(const mavlink::ParamRequestList& /*message*/) { listed_ = 0; }

void StationParameters::take(const mavlink::ParamRequestRead& message,
                             const BuiltinVehicle& vehicle, Outbox& outbox) const {
  std::optional<std::size_t> index = index_of(mavlink::text_of(message.param_id));
  if (message.param_index >= 0) index = static_cast<std::size_t>(message.param_index);
  if (index && *index < kCount) send_value(*index, vehicle, outbox);
}

std::string StationParameters::take(const mavlink::ParamSet& message, BuiltinVehicle& vehicle,
                                    Outbox& outbox) const {
  const std::string_view name = mavlink::text_of(message.param_id);
  const std::optional<std::size_t> index = index_of(name);
  if (!index) return "there is no such parameter";
  std::string wrong;
  try {
    vehicle.set_parameters(
        with_parameter(vehicle.parameters(), static_cast<int>(*index), message.param_value));
  } catch (const Error& error) {
    wrong = error.what();
  }
  send_value(*index, vehicle, outbox);
  return wrong;
}

void StationParameters::act(const BuiltinVehicle& vehicle, Outbox& outbox) {
  for (std::size_t i = 0; i < kPerTick && listed_ < kCount; ++i) {
    send_value(listed_++, vehicle, outbox);
  }
}

}  // namespace tactus
