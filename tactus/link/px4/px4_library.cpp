// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/px4/private_file.h"
#include "tactus/link/px4/px4_mission.h"
#include "tactus/link/px4/px4_parameters.h"

namespace tactus {
namespace {

Px4Config config_of(const Px4LibrarySettings& settings) {
  Px4Config config;
  config.navigator_rate_hz = settings.navigator_rate_hz;
  config.position_rate_hz = settings.position_rate_hz;
  config.attitude_rate_hz = settings.attitude_rate_hz;
  config.rate_rate_hz = settings.rate_rate_hz;
  config.allocator_rate_hz = settings.allocator_rate_hz;
  return config;
}

/// 0 means "never run" to the library's modules, and repeats are bit-identical only from 1 s on.
constexpr DurationUs kLibraryStart{1'000'000};
/// PX4 checks a mission within its first navigator runs.
constexpr DurationUs kMissionCheck{1'000'000};

constexpr double kReturnCommand = 20.0;  // MAV_CMD_NAV_RETURN_TO_LAUNCH
constexpr double kLandCommand = 21.0;    // MAV_CMD_NAV_LAND

/// Belongs to PX4's outputs, which are not in the library: this adapter applies it.
constexpr std::string_view kThrustCurve = "THR_MDL_FAC";

std::uint64_t library_us(TimeUs time) { return (time + kLibraryStart).us; }

/// What came of setting a parameter and reading it back.
struct Attempt {
  int result = 0;
  double actual = 0.0;
  double expected = 0.0;
};
constexpr int kNoSuchParameter = -2;
constexpr int kWrongType = -3;

}  // namespace

Px4Library::Live::Live(std::shared_ptr<const Px4Copy> loaded, const Px4Config& config,
                       const UorbCatalog& catalog, const Px4Exchange& exchange, Px4Console& console)
    : copy(std::move(loaded)), handle(copy, config, console), topics(handle, catalog, exchange) {}

Px4Library::Px4Library(Px4LibraryParameters parameters, Px4LibraryFlight flight)
    : parameters_(std::move(parameters)),
      flight_(std::move(flight)),
      catalog_(parameters_.messages),
      frame_(make_local_frame(flight_.context.origin)),
      projection_(flight_.context.origin),
      warnings_(check_settings(parameters_, flight_.period)),
      commander_(parameters_),
      changes_(flight_.changeable) {
  require_library_file(parameters_.library);
  if (flight_.motor_count < 1 || flight_.motor_count > kMaxMotors) {
    throw Error(ExitCode::kBadInput, fmt::format("PX4 library: {} motors, must be 1 to {}",
                                                 flight_.motor_count, kMaxMotors));
  }
  if (flight_.servo_count < 0 || flight_.servo_count > kMaxServos) {
    throw Error(ExitCode::kBadInput, fmt::format("PX4 library: {} servos, must be 0 to {}",
                                                 flight_.servo_count, kMaxServos));
  }
  if (flight_.mission) px4_mission_text(*flight_.mission, flight_.context, {});
  commands_.reserve(16);
}

void Px4Library::save(StateWriter& /*to*/) const {
  throw Error(ExitCode::kBadInput,
              "autopilot \"px4-lib\" cannot be saved: PX4's state is inside the library, which has "
              "no way to give it out");
}

void Px4Library::restart() {
  live_.reset();
  report_ = {};
  commander_ = Px4Commander(parameters_, true);
}

void Px4Library::step(const AutopilotInput& input, AutopilotOutput& output) {
  if (live_ == nullptr) start(input);
  check_time(input.now);
  take_parameter(input.parameter);
  commander_.step(input, report_);
  publish_motion(input.estimate);
  if (live_->topics.position_is_due(live_->steps)) {
    publish_position(input.estimate);
    publish_home(input.estimate);
  }
  publish_status(input);
  run(input.now, input.estimate);
  read_outputs();
  check_mission(input.now);
  write_command(output.command);
  write_status(output.status);
}

void Px4Library::start(const AutopilotInput& input) {
  const auto copy = std::make_shared<const Px4Copy>(parameters_.library, console_);
  const Px4Exchange exchange{
      .motors = flight_.motor_count,
      .servos = flight_.servo_count,
      .navigator_steps = steps_between_runs(parameters_.navigator_rate_hz, flight_.period),
      .position_steps = steps_between_runs(parameters_.position_rate_hz, flight_.period)};
  live_ = std::make_unique<Live>(copy, config_of(parameters_), catalog_, exchange, console_);
  try {
    live_->started = input.now;
    for (const std::string& name : changes_.names()) require_parameter(name);
    for (const EmittedParameter& parameter : flight_.parameters) set_parameter(parameter);
    apply_parameters();
    load_mission(input.estimate);
  } catch (...) {
    live_.reset();
    throw;
  }
  std::error_code ignored;
  if (std::filesystem::exists("etc/geofence.txt", ignored)) {
    warnings_.emplace_back(
        "PX4 reads the geofence of ./etc/geofence.txt, which is not part of the "
        "spec: start Tactus elsewhere to fly without it");
  }
}

/// One that only an event will set is checked before the flight.
void Px4Library::require_parameter(const std::string& name) {
  if (name == kThrustCurve) return;
  const Px4Console::Window window(console_);
  float ignored = 0.0F;
  const int result =
      live_->handle.call().param_get_f32(live_->handle.get(), name.c_str(), &ignored);
  if (result != kNoSuchParameter) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: an event changes the parameter {}, but the library does not have it",
                          parameters_.library, name));
}

void Px4Library::set_parameter(const EmittedParameter& parameter) {
  if (parameter.name == kThrustCurve) {
    thrust_factor_ = parameter.value;
    return;
  }
  if (parameter.sitl_only) return;
  const Px4Console::Window window(console_);
  const Px4EntryPoints& call = live_->handle.call();
  void* const handle = live_->handle.get();
  const char* const name = parameter.name.c_str();
  const auto set_whole = [&] {
    bool fits = false;
    const std::int64_t whole = math::to_int64(parameter.value, fits);
    int result = call.param_set_i32(handle, name, static_cast<std::int32_t>(whole));
    std::int32_t read = 0;
    if (result == 0) result = call.param_get_i32(handle, name, &read);
    return Attempt{result, static_cast<double>(read), parameter.value};
  };
  const auto set_real = [&] {
    const auto real = static_cast<float>(parameter.value);
    int result = call.param_set_f32(handle, name, real);
    float read = 0.0F;
    if (result == 0) result = call.param_get_f32(handle, name, &read);
    return Attempt{result, static_cast<double>(read), static_cast<double>(real)};
  };
  Attempt attempt = parameter.integer ? set_whole() : set_real();
  // "3" in a spec may mean a real number.
  if (parameter.integer && attempt.result == kWrongType) attempt = set_real();
  if (attempt.result != 0 || attempt.actual != attempt.expected) {
    refuse_parameter(parameter, attempt.result, attempt.actual);
  }
}

void Px4Library::refuse_parameter(const EmittedParameter& parameter, int result,
                                  double actual) const {
  const char* why = "the library holds another value afterwards";
  if (result == kNoSuchParameter) why = "the library does not have it";
  if (result == kWrongType) why = "it is of the other kind (integer or real)";
  if (result == -1 || result == -4) why = "the library refuses it";
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: parameter {} = {}{}: {} (result {}, value read back {})",
                          parameters_.library, parameter.name, parameter.value,
                          parameter.integer ? " (integer)" : "", why, result, actual));
}

/// Lets the allocator see new geometry at once, and reads what is needed here.
void Px4Library::apply_parameters() {
  const Px4Console::Window window(console_);
  const Px4EntryPoints& call = live_->handle.call();
  void* const handle = live_->handle.get();
  float hover = 0.5F;
  const int allocator = call.control_alloc_update_params(handle);
  const int read = call.param_get_f32(handle, "MPC_THR_HOVER", &hover);
  if (allocator != 0 || read != 0) {
    throw Error(ExitCode::kPeer,
                fmt::format("{}: px4_lockstep_control_alloc_update_params returned {}, reading "
                            "MPC_THR_HOVER {}",
                            parameters_.library, allocator, read));
  }
  live_->hover_drive = px4_motor_signal(static_cast<double>(hover), thrust_factor_);
}

void Px4Library::load_mission(const Estimate& estimate) {
  report_.mission_loaded = flight_.mission.has_value();
  if (!flight_.mission) return;
  PrivateFile file("mission-");
  file.take_text(px4_mission_text(*flight_.mission, flight_.context,
                                  {estimate.position_W_m, yaw_of(estimate.attitude)}));
  const Px4Console::Window window(console_);
  const int result =
      live_->handle.call().load_mission_qgc_wpl(live_->handle.get(), file.path().c_str());
  if (result == 0) return;
  throw Error(ExitCode::kPeer,
              fmt::format("{}: px4_lockstep_load_mission_qgc_wpl of {} returned {}; it printed:{}",
                          parameters_.library, flight_.mission->name, result, console_.tail(5)));
}

void Px4Library::take_parameter(const ParameterChange& change) {
  const std::optional<EmittedParameter> changed = changes_.take(change);
  if (!changed) return;
  set_parameter(*changed);
  put_parameter(*changed, flight_.parameters);
  apply_parameters();
}

void Px4Library::check_time(TimeUs now) const {
  if (live_->steps == 0 || now == live_->last + flight_.period) return;
  throw Error(ExitCode::kRunStopped,
              fmt::format("PX4 library: step at {} us after one at {} us: the library's clock must "
                          "move by exactly {} us at every step",
                          now.us, live_->last.us, flight_.period.us));
}

void Px4Library::publish(Px4In first, Vec3 v) {
  const int i = static_cast<int>(first);
  Px4Topics& px4 = live_->topics;
  px4[static_cast<Px4In>(i)] = v.x;
  px4[static_cast<Px4In>(i + 1)] = v.y;
  px4[static_cast<Px4In>(i + 2)] = v.z;
}

void Px4Library::publish_motion(const Estimate& estimate) {
  const Quat q = estimate.attitude;
  live_->topics[Px4In::kQw] = q.w;
  publish(Px4In::kQx, {q.x, q.y, q.z});
  publish(Px4In::kRateX, estimate.rate_B_rad_s);
  publish(Px4In::kAngularAccelerationX, estimate.angular_acceleration_B_rad_s2);
}

void Px4Library::publish_position(const Estimate& estimate) {
  Px4Topics& px4 = live_->topics;
  const Vec3 p = estimate.position_W_m;
  const Geodetic place = geodetic_of(frame_, p);
  Vec3 published = projection_.project(place.lat_deg, place.lon_deg);
  published.z = p.z;
  projected_offset_m_ = published - p;
  publish(Px4In::kNorth, published);
  publish(Px4In::kVelocityNorth, estimate.velocity_W_m_s);
  publish(Px4In::kAccelerationNorth, estimate.acceleration_W_m_s2);
  px4[Px4In::kHeading] = yaw_of(estimate.attitude);
  px4[Px4In::kLatitude] = place.lat_deg;
  px4[Px4In::kLongitude] = place.lon_deg;
  px4[Px4In::kAltitude] = place.alt_m;
  px4[Px4In::kHorizontalValid] = estimate.horizontal_valid ? 1.0 : 0.0;
  px4[Px4In::kVerticalValid] = estimate.vertical_valid ? 1.0 : 0.0;
  px4[Px4In::kAttitudeValid] = estimate.attitude_valid ? 1.0 : 0.0;
}

/// Reference and home are published once and stay: a new one would look to PX4 like a moved origin.
void Px4Library::publish_home(const Estimate& estimate) {
  if (live_->has_home || !estimate.horizontal_valid || !estimate.vertical_valid) return;
  live_->has_home = true;
  Px4Topics& px4 = live_->topics;
  const WorldOrigin& origin = flight_.context.origin;
  px4[Px4In::kReferenceLatitude] = origin.lat_deg;
  px4[Px4In::kReferenceLongitude] = origin.lon_deg;
  px4[Px4In::kReferenceAltitude] = origin.alt_msl_m;
  px4[Px4In::kReferenceTime] = static_cast<double>(kLibraryStart.us);
  px4[Px4In::kHomeLatitude] = px4[Px4In::kLatitude];
  px4[Px4In::kHomeLongitude] = px4[Px4In::kLongitude];
  px4[Px4In::kHomeAltitude] = px4[Px4In::kAltitude];
  px4[Px4In::kHomeNorth] = px4[Px4In::kNorth];
  px4[Px4In::kHomeEast] = px4[Px4In::kEast];
  px4[Px4In::kHomeDown] = px4[Px4In::kDown];
  px4[Px4In::kHomeYaw] = px4[Px4In::kHeading];
}

void Px4Library::publish_status(const AutopilotInput& input) {
  Px4Topics& px4 = live_->topics;
  const auto flag = [](bool value) { return value ? 1.0 : 0.0; };
  const bool manual = commander_.nav_state() == Px4NavState::kManual;
  const bool descend = commander_.nav_state() == Px4NavState::kDescend;
  px4[Px4In::kGroundContact] = flag(input.land.ground_contact);
  px4[Px4In::kLanded] = flag(input.land.landed);
  px4[Px4In::kArmed] = flag(commander_.armed());
  px4[Px4In::kArmingState] = commander_.armed() ? 2.0 : 1.0;
  px4[Px4In::kNavState] = static_cast<double>(commander_.nav_state());
  px4[Px4In::kAuto] = flag(!manual);
  px4[Px4In::kManual] = flag(manual);
  px4[Px4In::kPositionControl] = flag(!descend);
  px4[Px4In::kFailsafe] = flag(commander_.failsafe() != Failsafe::kNone);
  double remaining = 1.0;
  for (const BatteryStatus& pack : input.battery) {
    if (pack.connected) remaining = math::min(remaining, pack.remaining);
  }
  px4[Px4In::kVoltage] = input.battery[0].voltage_v;
  px4[Px4In::kCurrent] = input.battery[0].current_a;
  px4[Px4In::kConnected] = flag(input.battery[0].connected);
  px4[Px4In::kRemaining] = remaining;
  px4[Px4In::kWarning] = static_cast<double>(worst_warning(input.battery));
}

void Px4Library::run(TimeUs now, const Estimate& estimate) {
  live_->topics.publish(live_->handle, live_->steps, library_us(now),
                        library_us(estimate.measured_at));
  const FlightClocks& clocks = flight_.clocks;
  const bool first = statistics_.steps == 0;
  if (first && clocks.cpu_ns) cpu_at_start_ns_ = clocks.cpu_ns();
  const std::uint64_t before = clocks.now_ns ? clocks.now_ns() : 0;
  int result = 0;
  {
    const Px4Console::Window window(console_);
    result = live_->handle.call().step_uorb(live_->handle.get(), library_us(now));
  }
  const std::uint64_t after = clocks.now_ns ? clocks.now_ns() : 0;
  statistics_.inside_ns += after - before;
  if (!first) statistics_.outside_ns += before - last_step_ended_ns_;
  last_step_ended_ns_ = after;
  ++statistics_.steps;
  live_->last = now;
  ++live_->steps;
  if (result == 0) return;
  throw Error(ExitCode::kPeer,
              fmt::format("{}: px4_lockstep_step_uorb at {} us returned {}; it printed:{}",
                          parameters_.library, now.us, result, console_.tail(5)));
}

void Px4Library::read_outputs() {
  commands_.clear();
  live_->topics.collect(live_->handle, live_->steps - 1, commands_);
  const auto asked = [this](double command) {
    return std::find(commands_.begin(), commands_.end(), command) != commands_.end();
  };
  report_.return_requested = asked(kReturnCommand);
  report_.land_requested = asked(kLandCommand);
  report_.finished = live_->topics.get(Px4Out::kMissionFinished) == 1.0;
  report_.mission_valid = live_->topics.get(Px4Out::kMissionValid) == 1.0;
}

void Px4Library::check_mission(TimeUs now) {
  live_->mission_valid = live_->mission_valid || report_.mission_valid;
  if (!flight_.mission || live_->mission_valid || now - live_->started < kMissionCheck) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: PX4 rejects the mission (mission_result.valid is 0 after {}); it "
                          "printed:{}",
                          flight_.mission->name, to_text(kMissionCheck), console_.tail(8)));
}

void Px4Library::write_command(Command& command) const {
  command = {};
  if (!commander_.armed()) return;
  for (int i = 0; i < flight_.motor_count; ++i) {
    const double thrust = live_->topics.get(Px4Out::kMotor0, i);
    if (!(thrust > 0.0)) continue;  // NaN: stopped
    command.motor[i] = math::min(px4_motor_signal(thrust, thrust_factor_), 1.0);
  }
  for (int i = 0; i < flight_.servo_count; ++i) {
    const double servo = live_->topics.get(Px4Out::kServo0, i);
    if (!math::is_nan(servo)) command.servo[i] = math::clamp(servo, -1.0, 1.0);
  }
}

void Px4Library::write_status(AutopilotStatus& status) const {
  const Px4Topics& px4 = live_->topics;
  const auto vector = [&px4](Px4Out first) {
    return Vec3{px4.get(first), px4.get(first, 1), px4.get(first, 2)};
  };
  const auto whole = [&px4](Px4Out which, std::int32_t unknown) {
    bool fits = false;
    const std::int64_t value = math::to_int64(px4.get(which), fits);
    return fits ? static_cast<std::int32_t>(value) : unknown;
  };
  status.armed = commander_.armed();
  status.mode = commander_.armed() ? mode_of(commander_.nav_state()) : FlightMode::kNone;
  status.failsafe = commander_.failsafe();
  status.refusal = commander_.refusal();
  status.mission_finished = commander_.mission_finished();
  status.mission_count = whole(Px4Out::kMissionTotal, 0);
  status.items_reached = whole(Px4Out::kMissionReached, -1) + 1;
  const bool in_mission = status.mode == FlightMode::kMission;
  status.mission_item = in_mission ? whole(Px4Out::kMissionCurrent, -1) : -1;
  status.position_setpoint_W_m = vector(Px4Out::kNorth) - projected_offset_m_;
  status.velocity_setpoint_W_m_s = vector(Px4Out::kVelocityNorth);
  status.acceleration_setpoint_W_m_s2 = vector(Px4Out::kAccelerationNorth);
  status.yaw_setpoint_rad = px4.get(Px4Out::kYaw);
  status.yaw_rate_setpoint_rad_s = px4.get(Px4Out::kYawRate);
  const Vec3 q = vector(Px4Out::kQx);
  status.attitude_setpoint = {px4.get(Px4Out::kQw), q.x, q.y, q.z};
  status.rate_setpoint_B_rad_s = vector(Px4Out::kRateX);
  status.thrust_setpoint = 0.0 - px4.get(Px4Out::kThrustZ);
  status.hover_thrust = live_->hover_drive;
}

std::vector<std::string> Px4Library::warnings() const {
  std::vector<std::string> list = warnings_;
  if (statistics_.inside_ns > 0) list.push_back(time_taken());
  return list;
}

/// CPU time, divided as the cheap clock says: that one goes on while others have the processor, but
/// it does so inside and outside alike.
std::string Px4Library::time_taken() const {
  const double inside_ns = static_cast<double>(statistics_.inside_ns);
  const double clocked_ns = inside_ns + static_cast<double>(statistics_.outside_ns);
  const FlightClocks& clocks = flight_.clocks;
  const double cpu_ns =
      clocks.cpu_ns ? static_cast<double>(clocks.cpu_ns() - cpu_at_start_ns_) : clocked_ns;
  const double flown_s =
      static_cast<double>(statistics_.steps) * static_cast<double>(flight_.period.us) * 1e-6;
  const double per_second_ms = cpu_ns * 1e-6 / flown_s;
  const double inside = inside_ns / clocked_ns;
  return fmt::format("px4-lib: {:.2f} ms of CPU per simulated second inside PX4, {:.2f} ms outside",
                     inside * per_second_ms, (1.0 - inside) * per_second_ms);
}

void Px4Library::take_external_bytes(std::vector<ExternalBytes>& bytes) {
  const std::string_view text = console_.text();
  if (text.size() == console_taken_) return;
  const auto* const from = reinterpret_cast<const std::byte*>(text.data());
  bytes.push_back({0, {from + console_taken_, from + text.size()}});
  console_taken_ = text.size();
}

}  // namespace tactus
