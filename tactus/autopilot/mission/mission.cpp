// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/mission.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/autopilot/mission/mission_format.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/world/atmosphere.h"

namespace tactus {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

struct CommandInfo {
  MissionCommand command;
  bool has_position;
  const char* name;
};

constexpr CommandInfo kCommands[] = {
    {MissionCommand::kWaypoint, true, "waypoint"},
    {MissionCommand::kLoiterUnlimited, true, "loiter unlimited"},
    {MissionCommand::kLoiterTurns, true, "loiter turns"},
    {MissionCommand::kLoiterTime, true, "loiter time"},
    {MissionCommand::kReturnToLaunch, false, "return to launch"},
    {MissionCommand::kLand, true, "land"},
    {MissionCommand::kTakeoff, true, "takeoff"},
    {MissionCommand::kDelay, false, "delay"},
    {MissionCommand::kConditionDelay, false, "condition delay"},
    {MissionCommand::kConditionYaw, false, "condition yaw"},
    {MissionCommand::kDoJump, false, "jump"},
    {MissionCommand::kDoChangeSpeed, false, "change speed"},
};

const CommandInfo* find_command(std::int64_t number) {
  for (const CommandInfo& info : kCommands) {
    if (static_cast<std::int64_t>(info.command) == number) return &info;
  }
  return nullptr;
}

std::string supported_commands() {
  std::string text;
  for (const CommandInfo& info : kCommands) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", static_cast<int>(info.command), info.name);
  }
  return text;
}

/// Of what no rule of its command bounds closer.
constexpr double kLargestParameter = 1e7;

bool is_whole(double value) { return math::is_finite(value) && math::floor(value) == value; }

/// How long, or how often: without it the item says nothing.
bool needs_number(MissionCommand command) {
  return command == MissionCommand::kDelay || command == MissionCommand::kConditionDelay ||
         command == MissionCommand::kLoiterTime || command == MissionCommand::kLoiterTurns;
}

}  // namespace

std::string quote_text(std::string_view text) {
  return fmt::format("\"{}\"", printable(shortened(text, 40)));
}

bool has_place(const MissionItem& item) {
  const bool given = !math::is_nan(item.latitude_deg) && !math::is_nan(item.longitude_deg);
  return given && (item.latitude_deg != 0.0 || item.longitude_deg != 0.0);
}

MissionBuilder::MissionBuilder(const std::string& file) : file_(file) {
  mission_.name = file.substr(file.find_last_of('/') + 1);
}

void MissionBuilder::refuse(int line, const std::string& why) const {
  throw Error(ExitCode::kBadInput, fmt::format("{}:{}: {}", file_, line, why));
}

void MissionBuilder::set_home(int line, double latitude_deg, double longitude_deg,
                              double altitude_msl_m) {
  require_place(line, latitude_deg, longitude_deg);
  if (math::is_nan(latitude_deg) || !math::is_finite(altitude_msl_m)) {
    refuse(line, "home needs latitude, longitude and altitude");
  }
  require_altitude(line, altitude_msl_m);
  mission_.has_home = true;
  mission_.home_latitude_deg = latitude_deg;
  mission_.home_longitude_deg = longitude_deg;
  mission_.home_altitude_msl_m = altitude_msl_m;
}

void MissionBuilder::add(const MissionRow& row) {
  if (mission_.items.size() == kMaxMissionItems) {
    refuse(row.line, fmt::format("more than {} items", kMaxMissionItems));
  }
  mission_.items.push_back(check(row));
  ids_.push_back(row.id);
}

void MissionBuilder::require_place(int line, double latitude_deg, double longitude_deg) const {
  if (math::is_nan(latitude_deg) && math::is_nan(longitude_deg)) return;
  if (math::abs(latitude_deg) <= 90.0 && math::abs(longitude_deg) <= 180.0) return;
  refuse(line, fmt::format("latitude {}, longitude {}: must lie within -90 to 90 and -180 to 180, "
                           "or both be NaN (\"here\")",
                           latitude_deg, longitude_deg));
}

void MissionBuilder::require_altitude(int line, double altitude_m) const {
  if (altitude_m >= kLowestAir_m && altitude_m <= kHighestAir_m) return;
  refuse(line, fmt::format("altitude {} m: must lie between {} and {} m, where the air is known",
                           altitude_m, kLowestAir_m, kHighestAir_m));
}

AltitudeFrame MissionBuilder::frame_of(const MissionRow& row, bool has_position) const {
  switch (row.frame) {
    case 0:
    case 5: return AltitudeFrame::kMeanSeaLevel;
    case 3:
    case 6: return AltitudeFrame::kAboveHome;
    case 10:
    case 11: return AltitudeFrame::kAboveTerrain;
    case 2:
      if (!has_position) return AltitudeFrame::kMission;
      break;
    default: break;
  }
  refuse(row.line, fmt::format("frame {} is not supported for command {} ({}); frames are 0 or 5 "
                               "(mean sea level), 3 or 6 (above home), 10 or 11 (above terrain){}",
                               row.frame, row.command, find_command(row.command)->name,
                               has_position ? "" : ", 2 (no position)"));
}

MissionItem MissionBuilder::check(const MissionRow& row) const {
  const CommandInfo* const info = find_command(row.command);
  if (info == nullptr) {
    refuse(row.line, fmt::format("command {} is not supported; commands are {}", row.command,
                                 supported_commands()));
  }
  for (int i = 0; i < 7; ++i) {
    if (math::abs(row.param[i]) <= kLargestParameter || math::is_nan(row.param[i])) continue;
    refuse(row.line, fmt::format("parameter {} = {}: must lie between {} and {}", i + 1,
                                 row.param[i], -kLargestParameter, kLargestParameter));
  }
  MissionItem item;
  item.command = info->command;
  item.frame = frame_of(row, info->has_position);
  std::copy(row.param, row.param + 4, item.param);
  item.latitude_deg = row.param[4];
  item.longitude_deg = row.param[5];
  item.altitude_m = row.param[6];
  item.autocontinue = row.autocontinue;
  item.line = row.line;
  if (info->has_position) {
    require_place(row.line, item.latitude_deg, item.longitude_deg);
    if (math::is_nan(item.altitude_m)) {
      refuse(row.line, fmt::format("{}: the altitude (parameter 7) is not given", info->name));
    }
    require_altitude(row.line, item.altitude_m);
  }
  if (needs_number(item.command) && math::is_nan(item.param[0])) {
    refuse(row.line, fmt::format("{}: parameter 1 is not given", info->name));
  }
  if (item.command == MissionCommand::kDoJump &&
      (!is_whole(item.param[0]) || !is_whole(item.param[1]) || item.param[1] < -1.0)) {
    refuse(row.line,
           fmt::format("jump to {}, {} times: item and count must be whole numbers, the count 0 or "
                       "more, or -1 for ever",
                       item.param[0], item.param[1]));
  }
  return item;
}

double MissionBuilder::position_of(int line, double id) const {
  const auto is_target = [id](std::int64_t other) { return static_cast<double>(other) == id; };
  const auto found = std::find_if(ids_.begin(), ids_.end(), is_target);
  if (found == ids_.end()) {
    refuse(line, fmt::format("jumps to item {}, which does not exist; the items are {} to {}", id,
                             ids_.front(), ids_.back()));
  }
  if (std::find_if(found + 1, ids_.end(), is_target) != ids_.end()) {
    refuse(line, fmt::format("jumps to item {}, but several have that number", id));
  }
  return static_cast<double>(found - ids_.begin());
}

Mission MissionBuilder::finish() {
  if (mission_.items.empty()) refuse(1, "the mission has no items");
  for (MissionItem& item : mission_.items) {
    if (item.command == MissionCommand::kDoJump) {
      item.param[0] = position_of(item.line, item.param[0]);
    }
  }
  return std::move(mission_);
}

Mission parse_mission(std::string_view text, const std::string& name) {
  MissionBuilder builder(name);
  if (text.size() > kMaxFileBytes) {
    builder.refuse(1, fmt::format("larger than {} MiB, which no mission is", kMaxFileBytes >> 20));
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) builder.refuse(1, "the file is empty");
  if (text[first] == '{') {
    read_plan(text, builder);
  } else {
    read_wpl(text, builder);
  }
  return builder.finish();
}

Mission shifted(const Mission& mission, Vec3 by_W_m, const WorldOrigin& origin) {
  Mission moved = mission;
  if (by_W_m == Vec3{}) return moved;
  const LocalFrame frame = make_local_frame(origin);
  const auto move = [&](double& latitude_deg, double& longitude_deg) {
    const Vec3 from = geodetic_to_ned(frame, {latitude_deg, longitude_deg, origin.alt_msl_m});
    const Geodetic to = ned_to_geodetic(frame, from + Vec3{by_W_m.x, by_W_m.y, 0.0});
    latitude_deg = to.lat_deg;
    longitude_deg = to.lon_deg;
  };
  for (MissionItem& item : moved.items) {
    if (!find_command(static_cast<std::int64_t>(item.command))->has_position) continue;
    item.altitude_m -= by_W_m.z;
    if (has_place(item)) move(item.latitude_deg, item.longitude_deg);
  }
  if (moved.has_home) move(moved.home_latitude_deg, moved.home_longitude_deg);
  return moved;
}

}  // namespace tactus
