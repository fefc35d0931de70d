// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_pilot.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

// MAV_CMD
constexpr std::uint16_t kTakeoffCommand = 22, kSetMode = 176, kMissionStart = 300, kArm = 400,
                        kSetMessageInterval = 511;
// Modes of ArduCopter.
constexpr std::uint32_t kAuto = 3, kGuided = 4, kReturnToLaunch = 6, kLandMode = 9;
constexpr int kTelemetryTries = 3;
constexpr double kTakeoffDone = 0.95;  // of the altitude asked for

/// Telemetry asked for; slow ones change rarely.
struct Stream {
  std::uint32_t id;
  bool slow;
};
constexpr Stream kStreams[] = {
    {mavlink::SysStatus::kId, true},         {mavlink::MissionCurrent::kId, true},
    {mavlink::ExtendedSysState::kId, false}, {mavlink::Attitude::kId, false},
    {mavlink::LocalPositionNed::kId, false}, {mavlink::GlobalPositionInt::kId, false},
    {mavlink::AttitudeTarget::kId, false},   {mavlink::PositionTargetLocalNed::kId, false},
    {mavlink::EstimatorStatus::kId, false},
};

const char* result_text(std::uint8_t result) {
  switch (result) {
    case 1: return "refused for now";
    case 2: return "denied";
    case 3: return "not supported";
    case 4: return "failed";
    default: return "not accepted";
  }
}

const char* command_text(std::uint16_t command) {
  switch (command) {
    case kTakeoffCommand: return "takeoff";
    case kSetMode: return "mode";
    case kMissionStart: return "mission start";
    default: return "arm or disarm";
  }
}

bool flies(const VehicleView& view) {
  return view.landed != LandedState::kUnknown && view.landed != LandedState::kOnGround;
}

/// Modes that bring the vehicle down; they are no reason to arm it.
bool ends_flight(FlightMode mode) {
  return mode == FlightMode::kLand || mode == FlightMode::kReturn;
}

std::uint32_t copter_custom_mode(FlightMode mode) {
  if (mode == FlightMode::kReturn) return kReturnToLaunch;
  return mode == FlightMode::kLand ? kLandMode : kGuided;
}

mavlink::CommandLong command_long(std::uint16_t command, double param1 = 0.0, double param2 = 0.0,
                                  double param3 = 0.0) {
  mavlink::CommandLong message;
  message.command = command;
  message.param1 = static_cast<float>(param1);
  message.param2 = static_cast<float>(param2);
  message.param3 = static_cast<float>(param3);
  return message;
}

}  // namespace

MavlinkPilot::MavlinkPilot(const PilotParameters& parameters,
                           std::shared_ptr<const Mission> mission)
    : parameters_(parameters),
      mission_(std::move(mission)),
      outbox_({parameters.own_system, parameters.own_component}),
      battery_sender_{parameters.vehicle_system, parameters.battery_component},
      listener_(parameters.flavour, mission_ ? mission_->items.size() : 0),
      upload_(parameters.flavour, mission_.get(), parameters.home),
      settings_(parameters.flavour, {}) {}

void MavlinkPilot::set_parameters(const std::vector<EmittedParameter>& parameters) {
  given_ = parameters;
  settings_ = ParameterUpload(parameters_.flavour, given_);
}

void MavlinkPilot::look_for_parameters(const std::vector<std::string>& names) {
  for (const std::string& name : names) settings_.look_for(name);
}

void MavlinkPilot::change_parameter(const EmittedParameter& changed) {
  put_parameter(changed, given_);
  settings_.add(changed);
}

void MavlinkPilot::restart() {
  parser_ = {};
  listener_ = VehicleListener(parameters_.flavour, mission_ ? mission_->items.size() : 0);
  upload_ = MissionUpload(parameters_.flavour, mission_.get(), parameters_.home);
  settings_ = ParameterUpload(parameters_.flavour, given_);
  telemetry_ = order_ = {};
  telemetry_asked_ = 0;
  refusal_.clear();
  begin(request_.command);
}

void MavlinkPilot::receive(std::span<const std::byte> datagram, TimeUs now) {
  parser_.feed_datagram(datagram, [&](const mavlink::Frame& frame) { take(frame, now); });
}

Address MavlinkPilot::vehicle_address() const {
  return {parameters_.vehicle_system, parameters_.vehicle_component};
}

void MavlinkPilot::take(const mavlink::Frame& frame, TimeUs now) {
  if (frame.system != parameters_.vehicle_system ||
      frame.component != parameters_.vehicle_component) {
    return;
  }
  listener_.take(frame, now);
  if (parameters_.flavour == PilotFlavour::kArduCopter &&
      vehicle().height_above_home_m >= kTakeoffDone * parameters_.takeoff_altitude_m) {
    takeoff_flown_ = true;
  }
  mavlink::CommandAck answer;
  mavlink::ParamValue value;
  mavlink::MissionRequest request;
  mavlink::MissionRequestInt request_int;
  mavlink::MissionAck result;
  // Another ground station may be attached: its answers are not ours. 0: for everyone.
  const auto is_ours = [this](const auto& message) {
    return message.target_system == 0 || message.target_system == parameters_.own_system;
  };
  if (decode(frame, value)) settings_.take(value);
  if (decode(frame, answer) && is_ours(answer)) take_answer(answer);
  if (decode(frame, result) && is_ours(result)) upload_.take(result);
  if (decode(frame, request) && is_ours(request)) {
    upload_.take(request, vehicle_address(), outbox_);
  }
  if (decode(frame, request_int) && is_ours(request_int)) {
    upload_.take(request_int, vehicle_address(), outbox_);
  }
}

void MavlinkPilot::want(const HighLevelCommand& command, TimeUs now) {
  if (command.count != request_.command.count) begin(command);
  if (heartbeat_.due(now, parameters_.heartbeat)) {
    mavlink::Heartbeat heartbeat;
    heartbeat.type = 6;           // a ground station
    heartbeat.autopilot = 8;      // which is no autopilot
    heartbeat.system_status = 4;  // active
    outbox_.send(heartbeat);
  }
  if (!vehicle().has_heartbeat) return;
  ask_telemetry(now);
  settings_.act(vehicle_address(), now, parameters_.repeat, outbox_);
  upload_.act(vehicle_address(), now, parameters_.repeat, outbox_);
  follow(now);
}

void MavlinkPilot::ask_telemetry(TimeUs now) {
  if (parameters_.telemetry.us == 0 || telemetry_asked_ == std::size(kStreams)) return;
  const Stream& stream = kStreams[telemetry_asked_];
  const DurationUs period = stream.slow ? parameters_.repeat : parameters_.telemetry;
  telemetry_.ask(command_long(kSetMessageInterval, stream.id, static_cast<double>(period.us)),
                 vehicle_address(), now, parameters_.repeat, outbox_);
  if (telemetry_.tries() <= kTelemetryTries) return;
  telemetry_.abandon();
  ++telemetry_asked_;
}

void MavlinkPilot::begin(const HighLevelCommand& command) {
  order_.abandon();
  request_ = {command, command.mode, RequestStep::kDone};
  takeoff_flown_ = false;
  refusal_.clear();
  if (command.count == 0) return;  // nothing has been ordered yet
  if (command.mode == FlightMode::kTakeoff && flies(vehicle())) request_.mode = FlightMode::kHold;
  const bool px4 = parameters_.flavour == PilotFlavour::kPx4;
  const RequestStep first = px4 ? RequestStep::kWait : RequestStep::kMode;
  request_.step = command.armed ? first : RequestStep::kDisarm;
}

bool MavlinkPilot::has_no_mission() const {
  return request_.mode == FlightMode::kMission && upload_.over() &&
         upload_.state() != UploadState::kDone;
}

std::uint32_t MavlinkPilot::custom_mode(FlightMode mode) const {
  return parameters_.flavour == PilotFlavour::kPx4 ? px4_custom_mode(mode)
                                                   : copter_custom_mode(mode);
}

bool MavlinkPilot::mode_is_reached() const {
  if (request_.mode == FlightMode::kNone) return true;
  // An ArduCopter with turning motors goes to its mission directly.
  const bool direct =
      parameters_.flavour == PilotFlavour::kArduCopter && request_.mode == FlightMode::kMission;
  if (direct && vehicle().armed) return true;
  return vehicle().custom_mode == custom_mode(request_.mode);
}

bool MavlinkPilot::is_reached(RequestStep step) const {
  switch (step) {
    case RequestStep::kDisarm: return !vehicle().armed;
    case RequestStep::kWait:
      return vehicle().armed || vehicle().mode == FlightMode::kHold ||
             request_.mode == FlightMode::kNone || ends_flight(request_.mode);
    case RequestStep::kMode: return mode_is_reached();
    case RequestStep::kArm: return vehicle().armed || ends_flight(request_.mode);
    case RequestStep::kStart:
      if (request_.mode == FlightMode::kTakeoff) return flies(vehicle());
      return request_.mode != FlightMode::kMission;  // its answer decides
    case RequestStep::kDone: break;
  }
  return false;
}

/// PX4 is armed while it holds its place, and ordered to fly then: in a mission it keeps the home
/// that it has, and one from before its estimator was ready has no local coordinates. Without them
/// it takes off and flies, but never lands.
MavlinkPilot::RequestStep MavlinkPilot::step_after(RequestStep step) const {
  const bool px4 = parameters_.flavour == PilotFlavour::kPx4;
  switch (step) {
    case RequestStep::kWait: return RequestStep::kArm;
    case RequestStep::kMode: return px4 ? RequestStep::kDone : RequestStep::kArm;
    case RequestStep::kArm: return px4 ? RequestStep::kMode : RequestStep::kStart;
    default: return RequestStep::kDone;
  }
}

void MavlinkPilot::follow(TimeUs now) {
  // One that waited too long on the ground has disarmed itself.
  if (request_.step == RequestStep::kStart && !vehicle().armed) {
    order_.abandon();
    request_.step = RequestStep::kMode;
  }
  while (request_.step != RequestStep::kDone && is_reached(request_.step)) {
    order_.abandon();
    request_.step = step_after(request_.step);
  }
  if (request_.step == RequestStep::kDone) return;
  const bool may_fly = prepared() && !has_no_mission();
  if (request_.step != RequestStep::kDisarm && !may_fly) return;
  order_.ask(command_of(request_.step), vehicle_address(), now, parameters_.repeat, outbox_);
}

mavlink::CommandLong MavlinkPilot::command_of(RequestStep step) const {
  switch (step) {
    case RequestStep::kWait: return mode_command(FlightMode::kHold);
    case RequestStep::kMode: return mode_command(request_.mode);
    case RequestStep::kStart: return start_command();
    case RequestStep::kArm: return command_long(kArm, 1.0);
    case RequestStep::kDisarm:
    case RequestStep::kDone: break;
  }
  return command_long(kArm, 0.0);
}

mavlink::CommandLong MavlinkPilot::mode_command(FlightMode mode) const {
  constexpr double kCustomModeEnabled = 1.0;
  const std::uint32_t custom = custom_mode(mode);
  if (parameters_.flavour == PilotFlavour::kArduCopter) {
    return command_long(kSetMode, kCustomModeEnabled, custom);
  }
  if (mode != FlightMode::kTakeoff) {
    return command_long(kSetMode, kCustomModeEnabled, custom >> 16u & 0xFFu, custom >> 24u);
  }
  mavlink::CommandLong takeoff = command_long(kTakeoffCommand);  // here, to MIS_TAKEOFF_ALT
  takeoff.param2 = takeoff.param3 = takeoff.param4 = static_cast<float>(kNotReceived);
  takeoff.param5 = takeoff.param6 = takeoff.param7 = static_cast<float>(kNotReceived);
  return takeoff;
}

mavlink::CommandLong MavlinkPilot::start_command() const {
  if (request_.mode == FlightMode::kMission) return command_long(kMissionStart);
  mavlink::CommandLong takeoff = command_long(kTakeoffCommand);
  takeoff.param7 = static_cast<float>(parameters_.takeoff_altitude_m);
  return takeoff;
}

void MavlinkPilot::take_answer(const mavlink::CommandAck& answer) {
  if (answer.command == kSetMessageInterval) {
    // A refusal is final: not every vehicle has every stream.
    if (telemetry_.take(answer)) {
      telemetry_.abandon();
      ++telemetry_asked_;
    }
    return;
  }
  const std::optional<std::uint8_t> result = order_.take(answer);
  if (!result) return;
  if (*result == 0) {
    accept(request_.step);
  } else {
    refusal_ = fmt::format("{}: {}", command_text(answer.command), result_text(*result));
  }
}

void MavlinkPilot::accept(RequestStep step) {
  refusal_.clear();
  if (step == RequestStep::kWait) listener_.assume_mode(custom_mode(FlightMode::kHold));
  if (step == RequestStep::kMode) listener_.assume_mode(custom_mode(request_.mode));
  if (step == RequestStep::kArm) listener_.assume_armed(true);
  if (step == RequestStep::kDisarm) listener_.assume_armed(false);
  if (step == RequestStep::kStart && request_.mode == FlightMode::kMission)
    listener_.assume_mode(kAuto);
  request_.step = step_after(step);
}

void MavlinkPilot::report_battery(std::span<const BatteryStatus> packs, TimeUs now) {
  if (!vehicle().has_heartbeat || !battery_.due(now, parameters_.battery)) return;
  for (std::size_t i = 0; i < packs.size(); ++i) {
    if (packs[i].connected) outbox_.send_as(battery_message(packs[i], i), battery_sender_);
  }
}

std::span<const std::byte> MavlinkPilot::take_outgoing() { return outbox_.take(); }

bool MavlinkPilot::idle() const {
  return !telemetry_.waits() && !order_.waits() && !settings_.waits() &&
         upload_.state() != UploadState::kRunning;
}

bool MavlinkPilot::prepared() const { return settings_.done() && upload_.over(); }

std::string MavlinkPilot::upload_refusal() const {
  std::string mission = upload_.refusal();
  return mission.empty() ? settings_.refusal() : mission;
}

AutopilotStatus MavlinkPilot::status() const {
  const VehicleView& view = vehicle();
  AutopilotStatus status;
  status.armed = view.armed;
  status.mode = view.mode;
  status.failsafe = view.failsafe;
  const bool climbs = parameters_.flavour == PilotFlavour::kArduCopter && reached() &&
                      request_.mode == FlightMode::kTakeoff && view.custom_mode == kGuided;
  if (climbs && view.armed && !takeoff_flown_) status.mode = FlightMode::kTakeoff;
  if (has_no_mission()) status.refusal = ArmingRefusal::kNoMission;
  if (upload_.state() == UploadState::kDone) {
    status.mission_count = static_cast<std::int32_t>(mission_->items.size());
    status.mission_finished = view.mission_complete;
    status.items_reached = view.items_reached;
    if (view.mode == FlightMode::kMission) status.mission_item = view.item_now;
  }
  status.position_setpoint_W_m = view.position_setpoint_W_m;
  status.velocity_setpoint_W_m_s = view.velocity_setpoint_W_m_s;
  status.acceleration_setpoint_W_m_s2 = view.acceleration_setpoint_W_m_s2;
  status.yaw_setpoint_rad = view.yaw_setpoint_rad;
  status.yaw_rate_setpoint_rad_s = view.yaw_rate_setpoint_rad_s;
  status.attitude_setpoint = view.attitude_setpoint;
  status.rate_setpoint_B_rad_s = view.rate_setpoint_B_rad_s;
  status.thrust_setpoint = view.thrust_setpoint;
  return status;
}

}  // namespace tactus
