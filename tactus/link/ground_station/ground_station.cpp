// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ground_station/ground_station.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/autopilot/input_checks.h"
#include "tactus/autopilot/mission/mission_format.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::uint8_t kComponent = 1;  // MAV_COMP_ID_AUTOPILOT1
constexpr std::size_t kMostOrders = 16;

std::uint8_t system_of(int vehicle_id) {
  TACTUS_ASSERT(vehicle_id >= 0 && vehicle_id < kMostVehicles, "MAVLink has 254 systems");
  return static_cast<std::uint8_t>(vehicle_id + 1);
}

/// "in_the_air" for people.
std::string words(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

bool ends_flight(FlightMode mode) {
  return mode == FlightMode::kLand || mode == FlightMode::kReturn;
}

}  // namespace

GroundStation::GroundStation(std::unique_ptr<BuiltinVehicle> autopilot,
                             const GroundStationSetup& setup, std::unique_ptr<DatagramPort> port)
    : autopilot_(std::move(autopilot)),
      port_(std::move(port)),
      system_(system_of(setup.vehicle_id)),
      flies_(setup.vehicle.flies),
      outbox_({system_, kComponent}),
      telemetry_(setup.vehicle),
      mission_(setup.mission, setup.context) {}

GroundStation::GroundStation(const GroundStation& other, std::unique_ptr<DatagramPort> port)
    : autopilot_(static_cast<BuiltinVehicle*>(other.autopilot_->clone().release())),
      port_(std::move(port)),
      system_(other.system_),
      flies_(other.flies_),
      parser_(other.parser_),
      outbox_(other.outbox_),
      telemetry_(other.telemetry_),
      parameters_(other.parameters_),
      mission_(other.mission_),
      wish_(other.wish_),
      scenario_seen_(other.scenario_seen_),
      just_restarted_(other.just_restarted_),
      orders_(other.orders_),
      standby_(other.standby_),
      item_wish_(other.item_wish_),
      status_(other.status_),
      home_W_m_(other.home_W_m_),
      frames_(other.frames_),
      ignored_datagrams_(other.ignored_datagrams_),
      received_(other.received_),
      text_notes_(other.text_notes_),
      notes_(other.notes_) {}

std::unique_ptr<Autopilot> GroundStation::clone() const {
  std::unique_ptr<DatagramPort> port = port_->clone();
  if (port == nullptr) return nullptr;
  return std::unique_ptr<Autopilot>(new GroundStation(*this, std::move(port)));
}

// ---- a tick

void GroundStation::step(const AutopilotInput& input, AutopilotOutput& output) {
  status_ = output.status;
  receive(input);
  const std::optional<StationOrder> order = next_order(input);
  autopilot_->step(with_orders(input, wish_), output);
  const AutopilotStatus before = std::exchange(status_, output.status);
  if (order) judge(*order, input.now);
  notice(input, before);
  telemetry_.act(view(input), outbox_);
  parameters_.act(*autopilot_, outbox_);
  mission_.act(input.now, outbox_);
  for (auto bytes = outbox_.take(); !bytes.empty(); bytes = outbox_.take()) port_->send(bytes);
}

StationView GroundStation::view(const AutopilotInput& input) const {
  StationView view{input, status_, standby_, home_W_m_, -1, 0};
  if (status_.armed) {
    view.mode = status_.mode == FlightMode::kNone ? FlightMode::kHold : status_.mode;
  }
  view.item_count = static_cast<int>(mission_.item_count());
  view.item = std::min(status_.items_reached, view.item_count - 1);
  if (item_wish_ >= 0) view.item = item_wish_;
  if (status_.mission_item >= 0) view.item = status_.mission_item;
  return view;
}

// ---- what comes

void GroundStation::receive(const AutopilotInput& input) {
  port_->receive(input.now, [&](std::span<const std::byte> datagram, bool from_partner) {
    if (!from_partner && mission_.uploading()) {
      ++ignored_datagrams_;
      return false;
    }
    bool sense = false;
    parser_.feed_datagram(
        datagram, [&](const mavlink::Frame& frame) { sense = take(frame, input) || sense; });
    return sense;
  });
  const std::string refusal = mission_.take_refusal();
  if (!refusal.empty()) send_text(input.now, Severity::kError, "mission refused: " + refusal);
  if (orders_.size() >= kMostOrders) return;
  if (std::optional<NewMission> mission = mission_.take_uploaded()) {
    StationOrder order;
    order.kind = OrderKind::kMission;
    order.mission = std::move(mission);
    orders_.push_back(std::move(order));
  }
}

/// False: it is an echo of ours.
bool GroundStation::take(const mavlink::Frame& frame, const AutopilotInput& input) {
  if (frame.system == system_) return false;
  if (frames_++ == 0) text_notes_.add(input.now, "connected", notes_);
  received_.insert(received_.end(), frame.bytes.begin(), frame.bytes.end());
  const Address from{frame.system, frame.component};
  const auto command = [&](const auto& message) {
    const bool ours = message.target_system == 0 || message.target_system == system_;
    if constexpr (requires { message.target_component; }) {
      const bool here = message.target_component == 0 || message.target_component == kComponent;
      if (!here) return;
    }
    if (ours) take_command(command_of(message, from), input);
  };
  (void)(mavlink::if_is<mavlink::CommandLong>(frame, command) ||
         mavlink::if_is<mavlink::CommandInt>(frame, command) ||
         mavlink::if_is<mavlink::SetMode>(frame, command));
  take_parameter(frame, input.now);
  take_mission(frame, input.now);
  return true;
}

void GroundStation::take_parameter(const mavlink::Frame& frame, TimeUs now) {
  const auto ours = [this](const auto& message) {
    return message.target_system == 0 || message.target_system == system_;
  };
  mavlink::if_is<mavlink::ParamRequestList>(frame, [&](const auto& message) {
    if (ours(message)) parameters_.take(message);
  });
  mavlink::if_is<mavlink::ParamRequestRead>(frame, [&](const auto& message) {
    if (ours(message)) parameters_.take(message, *autopilot_, outbox_);
  });
  mavlink::if_is<mavlink::ParamSet>(frame, [&](const auto& message) {
    if (!ours(message)) return;
    const std::string wrong = parameters_.take(message, *autopilot_, outbox_);
    const std::string_view name = mavlink::text_of(message.param_id);
    if (wrong.empty()) {
      text_notes_.add(now, fmt::format("{} = {}", name, message.param_value), notes_);
    } else {
      send_text(now, Severity::kWarning, fmt::format("{} refused: {}", quote_text(name), wrong));
    }
  });
}

void GroundStation::take_mission(const mavlink::Frame& frame, TimeUs now) {
  const Address from{frame.system, frame.component};
  const auto ours = [this](const auto& message) {
    return message.target_system == 0 || message.target_system == system_;
  };
  const auto timed = [&](const auto& message) {
    if (ours(message)) mission_.take(message, from, now, outbox_);
  };
  const auto plain = [&](const auto& message) {
    if (ours(message)) mission_.take(message, from, outbox_);
  };
  const auto old_request = [&](const mavlink::MissionRequest& message) {
    mavlink::MissionRequestInt request;
    request.seq = message.seq;
    request.mission_type = message.mission_type;
    if (ours(message)) mission_.take(request, from, outbox_);
  };
  const auto set_item = [&](const mavlink::MissionSetCurrent& message) {
    StationOrder order;
    order.kind = OrderKind::kItem;
    order.item = message.seq;
    order.from = from;
    if (ours(message)) add_order(std::move(order));
  };
  (void)(mavlink::if_is<mavlink::MissionCount>(frame, timed) ||
         mavlink::if_is<mavlink::MissionItemInt>(frame, timed) ||
         mavlink::if_is<mavlink::MissionClearAll>(frame, plain) ||
         mavlink::if_is<mavlink::MissionRequestList>(frame, plain) ||
         mavlink::if_is<mavlink::MissionRequestInt>(frame, plain) ||
         mavlink::if_is<mavlink::MissionRequest>(frame, old_request) ||
         mavlink::if_is<mavlink::MissionSetCurrent>(frame, set_item));
}

void GroundStation::take_command(const StationCommand& command, const AutopilotInput& input) {
  CommandResult result = serve(command, input);
  if (result == CommandResult::kUnsupported) {
    const bool impossible = !flies_ && command.number == StationCommands::kTakeoff;
    std::optional<StationOrder> order;
    if (!impossible) order = order_of(command, result);
    if (order) {
      order->command = command.number;
      order->from = command.from;
      add_order(std::move(*order));
      return;
    }
  }
  answer(command.number, command.from, result);
}

/// Commands that are done at once; kUnsupported: it is none of them.
CommandResult GroundStation::serve(const StationCommand& command, const AutopilotInput& input) {
  using Commands = StationCommands;
  const bool asks_version = command.number == Commands::kRequestCapabilities;
  const bool sets = command.number == Commands::kSetInterval;
  if (!asks_version && !sets && command.number != Commands::kRequestMessage) {
    return CommandResult::kUnsupported;
  }
  constexpr double kMostMessage = 16'777'215.0;
  const double number = command.param[0];
  const bool is_number = number >= 0.0 && number <= kMostMessage && math::rint(number) == number;
  if (!is_number) return CommandResult::kDenied;
  if (asks_version) telemetry_.send(mavlink::AutopilotVersion::kId, view(input), outbox_);
  if (asks_version) return CommandResult::kAccepted;
  const auto message = static_cast<std::uint32_t>(number);
  bool known = false;
  if (sets) {
    constexpr double kShortest_us = 1.0, kLongest_us = 3.6e9;
    const double us = command.param[1];
    const bool is_period = us >= 0.0 && us <= kLongest_us;
    if (!is_period && us != -1.0) return CommandResult::kDenied;  // -1: never
    std::optional<DurationUs> period;
    if (us == 0.0) period = DurationUs{};
    if (us > 0.0)
      period = DurationUs(mavlink::nearest<std::uint64_t>(us, kShortest_us, kLongest_us));
    known = telemetry_.set_period(message, period);
  } else {
    known = telemetry_.send(message, view(input), outbox_);
  }
  return known ? CommandResult::kAccepted : CommandResult::kDenied;
}

void GroundStation::add_order(StationOrder order) {
  // A mission that is started by its command starts a vehicle that stands, too.
  const bool arms = order.kind == OrderKind::kMode && order.needs_armed && !status_.armed;
  if (orders_.size() + (arms ? 2 : 1) > kMostOrders) {
    if (order.command != 0) answer(order.command, order.from, CommandResult::kRejectedNow);
    return;
  }
  if (arms) {
    StationOrder arm;
    arm.kind = OrderKind::kArm;
    orders_.push_back(std::move(arm));
  }
  orders_.push_back(std::move(order));
}

// ---- orders

/// The order that this tick's step decides; what can be decided without it is.
std::optional<StationOrder> GroundStation::next_order(const AutopilotInput& input) {
  const bool restarted = std::exchange(just_restarted_, false);
  const HighLevelCommand& scenario = input.high_level;
  if (scenario.count != scenario_seen_) {
    scenario_seen_ = scenario.count;
    give(scenario.armed, scenario.mode);
    return std::nullopt;
  }
  if (restarted || orders_.empty()) return std::nullopt;
  StationOrder order = std::move(orders_.front());
  orders_.pop_front();
  const std::optional<CommandResult> result = begin(order, input.now);
  if (!result) return order;
  conclude(order, *result, input.now);
  return std::nullopt;
}

void GroundStation::give(bool armed, FlightMode mode) {
  wish_.armed = armed;
  wish_.mode = mode;
  ++wish_.count;
}

/// None: the autopilot has the order, and its step decides.
std::optional<CommandResult> GroundStation::begin(StationOrder& order, TimeUs now) {
  switch (order.kind) {
    case OrderKind::kArm:
      if (status_.armed) return CommandResult::kAccepted;
      give(true, FlightMode::kNone);
      return std::nullopt;
    case OrderKind::kDisarm: give(false, FlightMode::kNone); return std::nullopt;
    case OrderKind::kMode: return begin_mode(order, now);
    case OrderKind::kItem: return begin_item(order);
    case OrderKind::kMission: break;
  }
  return begin_mission(order);
}

std::optional<CommandResult> GroundStation::begin_mode(const StationOrder& order, TimeUs now) {
  const int item_count = static_cast<int>(mission_.item_count());
  if (order.mode == FlightMode::kMission && order.item >= item_count) {
    return CommandResult::kDenied;
  }
  if (order.mode == FlightMode::kTakeoff && !set_takeoff_height(order, now)) {
    return CommandResult::kDenied;
  }
  if (status_.armed) {
    const int item = order.item > 0 ? order.item : item_wish_;
    const bool chosen = order.mode == FlightMode::kMission && item >= 0;
    if (chosen) autopilot_->set_item(item);
    if (chosen) item_wish_ = -1;
    give(true, order.mode);
    return std::nullopt;
  }
  // Kept for the arming. A vehicle that stands neither lands nor returns.
  const bool no_mission = order.mode == FlightMode::kMission && item_count == 0;
  if (ends_flight(order.mode) || order.needs_armed || no_mission) {
    return CommandResult::kRejectedNow;
  }
  standby_ = order.mode;
  return CommandResult::kAccepted;
}

std::optional<CommandResult> GroundStation::begin_item(const StationOrder& order) {
  if (order.item < 0 || order.item >= static_cast<int>(mission_.item_count())) {
    return CommandResult::kDenied;
  }
  item_wish_ = order.item;
  if (!status_.armed || status_.mode != FlightMode::kMission) return CommandResult::kAccepted;
  autopilot_->set_item(std::exchange(item_wish_, -1));
  give(true, FlightMode::kMission);
  return std::nullopt;
}

/// A mission that is replaced while it is flown is left for a hold.
std::optional<CommandResult> GroundStation::begin_mission(StationOrder& order) {
  autopilot_->set_plan(order.mission->plan);
  item_wish_ = -1;
  mission_.accept(*order.mission, outbox_);
  if (standby_ == FlightMode::kMission) standby_ = FlightMode::kHold;
  if (!status_.armed || status_.mode != FlightMode::kMission) return CommandResult::kAccepted;
  give(true, FlightMode::kHold);
  return std::nullopt;
}

bool GroundStation::set_takeoff_height(const StationOrder& order, TimeUs now) {
  if (math::is_nan(order.height_m)) return true;
  if (!home_W_m_) return false;
  const double home_m = order.height_above_home ? 0.0 : telemetry_.altitude_msl_m(*home_W_m_);
  try {
    const int height = builtin_parameter_index("takeoff_height_m");
    autopilot_->set_parameters(
        with_parameter(autopilot_->parameters(), height, order.height_m - home_m));
  } catch (const Error& error) {
    send_text(now, Severity::kWarning, fmt::format("takeoff refused: {}", error.what()));
    return false;
  }
  return true;
}

void GroundStation::judge(const StationOrder& order, TimeUs now) {
  bool obeyed = status_.armed;
  if (order.kind == OrderKind::kDisarm) obeyed = !status_.armed;
  obeyed = obeyed && status_.refusal == ArmingRefusal::kNone;
  conclude(order, obeyed ? CommandResult::kAccepted : CommandResult::kRejectedNow, now);
  if (order.kind != OrderKind::kArm || !obeyed || standby_ == FlightMode::kHold) return;
  StationOrder next;
  next.mode = std::exchange(standby_, FlightMode::kHold);
  orders_.push_front(std::move(next));
}

void GroundStation::conclude(const StationOrder& order, CommandResult result, TimeUs now) {
  if (order.command != 0) answer(order.command, order.from, result);
  if (result == CommandResult::kAccepted) {
    text_notes_.add(now, to_text(order), notes_);
    return;
  }
  const char* why = status_.refusal != ArmingRefusal::kNone ? to_text(status_.refusal)
                    : !status_.armed                        ? "not armed"
                                                            : "not possible";
  send_text(now, Severity::kWarning, fmt::format("{} refused: {}", to_text(order), words(why)));
}

void GroundStation::notice(const AutopilotInput& input, const AutopilotStatus& before) {
  const Estimate& estimate = input.estimate;
  const bool known =
      is_usable(estimate, input.now) && estimate.horizontal_valid && estimate.vertical_valid;
  if (!home_W_m_ && known) home_W_m_ = estimate.position_W_m;
  if (status_.armed && !before.armed) {
    home_W_m_ = autopilot_->home();
    standby_ = FlightMode::kHold;
  }
  if (status_.failsafe != before.failsafe && status_.failsafe != Failsafe::kNone) {
    send_text(input.now, Severity::kCritical,
              fmt::format("failsafe: {}", words(to_text(status_.failsafe))));
  }
  if (status_.items_reached > before.items_reached) {
    mavlink::MissionItemReached message;
    message.seq = static_cast<std::uint16_t>(status_.items_reached - 1);
    outbox_.send(message);
  }
}

void GroundStation::answer(std::uint16_t command, Address to, CommandResult result) {
  mavlink::CommandAck message;
  message.command = command;
  message.result = static_cast<std::uint8_t>(result);
  message.target_system = to.system;
  message.target_component = to.component;
  outbox_.send(message);
}

/// To the ground station, and as a note.
void GroundStation::send_text(TimeUs now, Severity severity, const std::string& text) {
  telemetry_.send_text(severity, text, outbox_);
  text_notes_.add(now, text, notes_);
}

// ---- for others

void GroundStation::restart() {
  autopilot_->restart();
  just_restarted_ = true;
  orders_.clear();
  mission_.restart();
  standby_ = FlightMode::kHold;
  item_wish_ = -1;
}

std::vector<std::string> GroundStation::external_peers() const { return {"ground_station"}; }

void GroundStation::take_external_bytes(std::vector<ExternalBytes>& bytes) {
  if (!received_.empty()) bytes.push_back({0, std::exchange(received_, {})});
}

void GroundStation::take_notes(std::vector<Note>& notes) {
  autopilot_->take_notes(notes);
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  notes_.clear();
}

std::vector<std::string> GroundStation::warnings() const {
  std::vector<std::string> warnings = autopilot_->warnings();
  if (frames_ == 0) {
    warnings.push_back(fmt::format("no ground station answered on UDP {}", port_->name()));
  } else {
    warnings.push_back(
        fmt::format("{} messages came from a ground station, at the pace of the clock on the wall: "
                    "flown again, the flight may differ; its recording replays exactly",
                    frames_));
  }
  if (ignored_datagrams_ > 0) {
    warnings.push_back(
        fmt::format("{} datagrams of another ground station were ignored: they came while the "
                    "first one uploaded a mission",
                    ignored_datagrams_));
  }
  return warnings;
}

}  // namespace tactus
