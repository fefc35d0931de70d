// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The ground station of one vehicle, as a state machine over bytes: no socket, no clock. The owner
// carries the bytes (UDP, TCP or serial) and gives the simulated time; same inputs, same bytes out.
//
// Once per tick:
//   pilot.receive(datagram, now)       for all that came
//   pilot.report_battery(packs, now)   if our battery is to be the vehicle's
//   pilot.want(high_level, now)        the request as a level; does all that is due
//   while (!(datagram = pilot.take_outgoing()).empty()) send(datagram)
//
// It sends a HEARTBEAT each second. Once the vehicle's own was received it asks for telemetry,
// sets parameters, uploads the mission, and follows the request. Whatever is not confirmed is sent
// again every `repeat` of simulated time. A request that was reached is done with: a vehicle that
// lands, or returns for its own reasons, is not called back until `count` changes.
//
// How a request is fulfilled:
//   PX4         mode (takeoff: NAV_TAKEOFF), then arm
//   ArduCopter  on the ground: GUIDED, arm, then NAV_TAKEOFF or MISSION_START; else the mode
// "hold" in ArduCopter is GUIDED, which stays where it is without a pilot's sticks. The mission is
// uploaded before its mode is asked for. An unarmed request only disarms. Land and return do not
// arm.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/time.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_transfer.h"
#include "tactus/link/mavlink/mavlink_vehicle.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct PilotParameters {
  PilotFlavour flavour = PilotFlavour::kPx4;
  std::uint8_t vehicle_system = 1;
  std::uint8_t vehicle_component = 1;
  std::uint8_t own_system = 255;
  std::uint8_t own_component = 190;
  std::uint8_t battery_component = 180;  ///< with the vehicle's system: PX4 accepts no other
  GeoPoint home;                         ///< where the vehicle stands at first
  double takeoff_altitude_m = 5.0;       ///< ArduCopter; PX4 flies to its MIS_TAKEOFF_ALT
  DurationUs repeat{500'000};
  DurationUs heartbeat{1'000'000};
  DurationUs battery{200'000};
  DurationUs telemetry{100'000};  ///< period of the estimate and setpoints asked for; 0: none
};

class MavlinkPilot {
 public:
  /// `mission` may be null. Throws Error(kBadInput) if the vehicle's protocol cannot carry it.
  MavlinkPilot(const PilotParameters& parameters, std::shared_ptr<const Mission> mission);

  /// To be set and read back before anything is flown.
  void set_parameters(const std::vector<EmittedParameter>& parameters);
  /// That it has them already; nothing is flown before it has shown each of these names.
  void look_for_parameters(const std::vector<std::string>& names);
  /// In flight: sent by the next want(), before the request is followed any further.
  void change_parameter(const EmittedParameter& changed);

  /// One datagram from the vehicle.
  void receive(std::span<const std::byte> datagram, TimeUs now);

  void want(const HighLevelCommand& command, TimeUs now);
  void report_battery(std::span<const BatteryStatus> packs, TimeUs now);

  /// Any other message.
  template <mavlink::Message M>
  void send(const M& message) {
    outbox_.send(message);
  }

  /// The next datagram to send; empty: no more. Valid until the next call of any kind.
  std::span<const std::byte> take_outgoing();

  /// Nothing that was sent waits for its answer.
  [[nodiscard]] bool idle() const;
  /// All parameters are set (or refused) and the mission is uploaded (or refused).
  [[nodiscard]] bool prepared() const;
  /// What want() was last given was reached since its `count` changed.
  [[nodiscard]] bool reached() const { return request_.step == RequestStep::kDone; }

  [[nodiscard]] const VehicleView& vehicle() const { return listener_.view(); }
  [[nodiscard]] const MissionUpload& mission_upload() const { return upload_; }
  [[nodiscard]] const ParameterUpload& parameter_upload() const { return settings_; }
  /// Why it cannot fly what it shall: it has refused its mission or a parameter; empty: it has not.
  [[nodiscard]] std::string upload_refusal() const;
  /// In words, of the last command that was not accepted: "mode: denied"; empty: none.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  /// Setpoints that it does not report are NaN; hover_thrust is left at 0.
  [[nodiscard]] AutopilotStatus status() const;
  void take_texts(std::vector<VehicleText>& to) { listener_.take_texts(to); }
  [[nodiscard]] const mavlink::ParserCounts& counts() const { return parser_.counts(); }

  /// The vehicle was switched off and on: all is asked for again.
  void restart();

 private:
  /// Steps of a request, see step_after; each is skipped if it is not needed.
  enum class RequestStep : std::uint8_t { kDone, kDisarm, kWait, kMode, kArm, kStart };

  struct Request {
    HighLevelCommand command;
    FlightMode mode = FlightMode::kNone;  ///< of the command, or what it comes to
    RequestStep step = RequestStep::kDone;
  };

  void take(const mavlink::Frame& frame, TimeUs now);
  void take_answer(const mavlink::CommandAck& answer);
  void begin(const HighLevelCommand& command);
  void ask_telemetry(TimeUs now);
  void follow(TimeUs now);
  void accept(RequestStep step);
  [[nodiscard]] RequestStep step_after(RequestStep step) const;
  [[nodiscard]] bool is_reached(RequestStep step) const;
  [[nodiscard]] bool mode_is_reached() const;
  [[nodiscard]] bool has_no_mission() const;
  [[nodiscard]] std::uint32_t custom_mode(FlightMode mode) const;
  [[nodiscard]] mavlink::CommandLong command_of(RequestStep step) const;
  [[nodiscard]] mavlink::CommandLong mode_command(FlightMode mode) const;
  [[nodiscard]] mavlink::CommandLong start_command() const;
  [[nodiscard]] Address vehicle_address() const;

  PilotParameters parameters_;
  std::shared_ptr<const Mission> mission_;
  std::vector<EmittedParameter> given_;
  Outbox outbox_;
  mavlink::Sender battery_sender_;
  mavlink::Parser parser_;
  VehicleListener listener_;
  MissionUpload upload_;
  ParameterUpload settings_;
  Repeater heartbeat_, battery_;
  CommandSlot telemetry_, order_;
  std::size_t telemetry_asked_ = 0;
  bool takeoff_flown_ = false;
  Request request_;
  std::string refusal_;
};

}  // namespace tactus
