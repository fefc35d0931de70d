// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The MAVLink messages that Tactus reads or writes, one struct each with the names, units and order
// of the protocol's definition (common.xml). A new message is a new struct, and a line in
// mavlink_messages.cpp so that the parser knows it. Single channels of RC_CHANNELS and
// RC_CHANNELS_OVERRIDE are elements of one array.

#include <span>

#include "tactus/link/mavlink/mavlink_messages_command.h"  // IWYU pragma: export
#include "tactus/link/mavlink/mavlink_messages_hil.h"      // IWYU pragma: export
#include "tactus/link/mavlink/mavlink_messages_mission.h"  // IWYU pragma: export
#include "tactus/link/mavlink/mavlink_messages_motion.h"   // IWYU pragma: export
#include "tactus/link/mavlink/mavlink_messages_vehicle.h"  // IWYU pragma: export
#include "tactus/link/mavlink/mavlink_table.h"

namespace tactus::mavlink {

/// Calls f.template operator()<M>() for every message struct, by number.
template <class F>
constexpr void for_each_message(F&& f) {
  f.template operator()<Heartbeat>();
  f.template operator()<SysStatus>();
  f.template operator()<SystemTime>();
  f.template operator()<SetMode>();
  f.template operator()<ParamRequestRead>();
  f.template operator()<ParamRequestList>();
  f.template operator()<ParamValue>();
  f.template operator()<ParamSet>();
  f.template operator()<GpsRawInt>();
  f.template operator()<Attitude>();
  f.template operator()<AttitudeQuaternion>();
  f.template operator()<LocalPositionNed>();
  f.template operator()<GlobalPositionInt>();
  f.template operator()<MissionRequest>();
  f.template operator()<MissionSetCurrent>();
  f.template operator()<MissionCurrent>();
  f.template operator()<MissionRequestList>();
  f.template operator()<MissionCount>();
  f.template operator()<MissionClearAll>();
  f.template operator()<MissionItemReached>();
  f.template operator()<MissionAck>();
  f.template operator()<MissionRequestInt>();
  f.template operator()<RcChannels>();
  f.template operator()<RcChannelsOverride>();
  f.template operator()<MissionItemInt>();
  f.template operator()<VfrHud>();
  f.template operator()<CommandInt>();
  f.template operator()<CommandLong>();
  f.template operator()<CommandAck>();
  f.template operator()<AttitudeTarget>();
  f.template operator()<PositionTargetLocalNed>();
  f.template operator()<HilActuatorControls>();
  f.template operator()<HilSensor>();
  f.template operator()<HilGps>();
  f.template operator()<HilOpticalFlow>();
  f.template operator()<HilStateQuaternion>();
  f.template operator()<DistanceSensor>();
  f.template operator()<BatteryStatus>();
  f.template operator()<AutopilotVersion>();
  f.template operator()<EstimatorStatus>();
  f.template operator()<HomePosition>();
  f.template operator()<ExtendedSysState>();
  f.template operator()<Statustext>();
}

}  // namespace tactus::mavlink
