// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/hil_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/bridge/adapter/hil_readings.h"
#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/mavlink/mavlink_limits.h"

namespace tactus {
namespace {

constexpr std::uint16_t kSetMessageInterval = 511;
constexpr std::uint8_t kPx4 = 12;  // MAV_AUTOPILOT
constexpr std::uint8_t kDisarmed = 1, kArmed = 129;
constexpr std::uint64_t kLockstepFlag = 1;

// The start: silence that shows that it waits for us, and steps from which we learn.
constexpr DurationUs kSettled{150'000};
constexpr DurationUs kLongestSettling{3'000'000};
constexpr DurationUs kLearnSilence{20'000};
constexpr int kLearnSteps = 100;
constexpr int kEqualSteps = 3;

constexpr DurationUs kStateWait{250'000};        // wall time for a state that is due
constexpr DurationUs kOldestState{200'000};      // simulated
constexpr std::uint64_t kMostBytes = 4U << 20U;  // without a new instant
constexpr int kMostStanding = 100;
constexpr double kAltitudesAgree_m = 100.0;
constexpr std::uint64_t kSameTime_us = 1'000'000;  // between stamps of one instant
constexpr double kLatestStamp_us = kStampLimits.most * 1e6;

/// In its own time, as it is in its logs.
std::string stamp_text(std::uint64_t stamp_us) { return fmt::format("{} us", stamp_us); }

}  // namespace

const mavlink::HilSensor* HilAdapter::Message::clock() const {
  const auto* sensor = std::get_if<mavlink::HilSensor>(&content);
  return sensor != nullptr && sensor->id == 0 ? sensor : nullptr;
}

std::uint64_t HilAdapter::Message::stamp_us() const {
  return std::visit([](const auto& message) { return message.time_usec; }, content);
}

const char* to_text(HilQuirk quirk) {
  switch (quirk) {
    case HilQuirk::kAltitudeIsDown: return "altitude_is_down";
  }
  return "unknown";
}

HilQuirk parse_hil_quirk(std::string_view name) {
  if (name == to_text(HilQuirk::kAltitudeIsDown)) return HilQuirk::kAltitudeIsDown;
  throw Error(ExitCode::kBadInput, fmt::format("\"{}\" is no quirk of a HIL simulator (known: {})",
                                               name, to_text(HilQuirk::kAltitudeIsDown)));
}

HilAdapter::HilAdapter(const HilOptions& options)
    : ExternalAdapter(options.vehicle, options.world,
                      SignalSet::of(Signal::kImu, Signal::kMagnetometer, Signal::kBarometer,
                                    Signal::kGps, Signal::kAirspeed)),
      options_(options) {
  validate(options.channels, options.vehicle.motors, kHilChannels, "hil");
  altitude_is_down_ = std::find(options.quirks.begin(), options.quirks.end(),
                                HilQuirk::kAltitudeIsDown) != options.quirks.end();
  if (options.listens) listener_.emplace(options.port, "a simulator (MAVLink HIL)");
}

SimulatorCapabilities HilAdapter::capabilities() const {
  SimulatorCapabilities can;
  can.own_step = own_step_;
  return can;
}

std::uint16_t HilAdapter::port() const { return listener_ ? listener_->port() : options_.port; }

std::string HilAdapter::peer() const {
  return fmt::format("the simulator (MAVLink HIL) at 127.0.0.1:{}", port());
}

void HilAdapter::fail_back(std::uint64_t from_us, std::uint64_t to_us) const {
  fail(fmt::format("has gone back in time: HIL_SENSOR of {} came after that of {}",
                   stamp_text(to_us), stamp_text(from_us)));
}

std::string HilAdapter::waits_for() const {
  const char* what = awaits_ == Awaits::kState ? "HIL_STATE_QUATERNION" : "HIL_SENSOR";
  return fmt::format("{} from 127.0.0.1:{}{}", what, port(), left_out_text());
}

std::vector<std::string> HilAdapter::warnings() const {
  std::vector<std::string> warnings = change_warnings();
  if (!altitude_hint_.empty()) warnings.push_back(altitude_hint_);
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0) warnings.push_back(fmt::format("{}: {} {}", peer(), count, what));
  };
  add(counts_.duplicates, "HIL_SENSOR came twice and were ignored");
  add(counts_.jumps, "steps were longer than its own step");
  add(counts_.late_states, "HIL_STATE_QUATERNION did not come when they were due");
  add(parser_.counts().bad_checksum, "frames with a wrong checksum");
  return warnings;
}

// ---- the start

void HilAdapter::connect(const std::vector<VehiclePlace>& vehicles) {
  disconnect();
  begin(vehicles);
  const Deadline deadline = Deadline::after(options_.connect_deadline);
  meet(deadline);
  learn(deadline);
  check_step(vehicles);
  compare_altitudes();
  epoch_us_ = sensor_us_;
}

/// Where it comes to us, a program that only checks whether a port is open may come before it.
void HilAdapter::meet(Deadline deadline) {
  for (;;) {
    open(deadline);
    try {
      begin_session(vehicle_ ? vehicle_->exchange : DurationUs(4'000));
      settle(deadline);
      return;
    } catch (const Error&) {
      const bool passed_by = listener_ && closed_ && !has_sensor_;
      if (!passed_by || deadline.passed() || interrupted_) throw;
    }
    closed_ = false;
    stream_.reset();
    parser_ = {};
    messages_.clear();
    behind_.clear();
    bytes_waited_ = 0;
  }
}

/// jMAVSim's altitude begins with 0 wherever it stands.
void HilAdapter::compare_altitudes() {
  const double state_m = altitude_msl_m(tracker_.world(), tracker_.motion().position_W_m);
  const BarometerReading& air = readings_.barometer[0];
  if (altitude_is_down_ || air.count == 0) return;
  if (math::abs(state_m - air.altitude_m) < kAltitudesAgree_m) return;
  altitude_hint_ = fmt::format(
      "{}: HIL_STATE_QUATERNION says that it is at {:.1f} m, its barometer {:.1f} m; if "
      "it is jMAVSim, name the quirk {}",
      peer(), state_m, air.altitude_m, to_text(HilQuirk::kAltitudeIsDown));
}

void HilAdapter::disconnect() {
  forget();
  stream_.reset();
  awaits_ = Awaits::kNothing;
  sender_ = {.system = 1, .component = 1};
  parser_ = {};
  messages_.clear();
  behind_.clear();
  bytes_waited_ = 0;
  standing_ = 0;
  own_step_ = state_interval_ = {};
  epoch_us_.reset();
  sensor_us_ = state_us_ = 0;
  has_sensor_ = has_state_ = closed_ = false;
  counts_ = {};
  altitude_hint_.clear();
}

void HilAdapter::open(Deadline deadline) {
  const Interrupted stop = [this] { return interrupted_.load(); };
  stream_ = listener_ ? listener_->accept(deadline, stop)
                      : TcpStream::connect(options_.port, deadline, stop);
  if (stream_) return;
  fail(fmt::format("{} within {}; start it first, in lockstep",
                   listener_ ? "did not connect" : "is not there: no program listens",
                   to_text(options_.connect_deadline)));
}

/// The two messages with which PX4 begins. jMAVSim takes the heartbeat for its signal to start.
void HilAdapter::begin_session(DurationUs state_interval) {
  mavlink::CommandLong wanted;
  wanted.command = kSetMessageInterval;
  wanted.param1 = static_cast<float>(mavlink::HilStateQuaternion::kId);
  wanted.param2 = static_cast<float>(state_interval.us);
  transmit(wanted);
  mavlink::Heartbeat heartbeat;
  heartbeat.autopilot = kPx4;
  transmit(heartbeat);
}

/// Takes messages until none has come for `silence`; false: the deadline came first.
bool HilAdapter::hear_quietly(DurationUs silence, Deadline deadline) {
  Message message;
  while (!deadline.passed()) {
    const Received received = next(Deadline::after(silence), message);
    if (received == Received::kInterrupted) fail("was given up while connecting");
    if (received == Received::kSilence) return true;
    if (message.clock() != nullptr) {
      accept(message);
    } else {
      take_behind(message);
    }
  }
  return false;
}

void HilAdapter::settle(Deadline deadline) {
  while (!has_sensor_) {
    hear_quietly(DurationUs(1'000), Deadline::after(DurationUs(10'000)));
    if (!has_sensor_ && deadline.passed()) {
      fail(fmt::format("is connected, but has sent no HIL_SENSOR within {}{}",
                       to_text(options_.connect_deadline), left_out_text()));
    }
  }
  // Until now it may have run freely. From here on it has to wait for us.
  reply();
  if (hear_quietly(kSettled, Deadline::after(kLongestSettling))) return;
  fail(
      "does not wait for HIL_ACTUATOR_CONTROLS before it goes on: start it in lockstep (jMAVSim: "
      "-lockstep)");
}

void HilAdapter::learn(Deadline deadline) {
  int equal = 0;
  for (int i = 0; i < kLearnSteps; ++i) {
    if (equal >= kEqualSteps && state_interval_.us > 0 && !state_is_due()) return;
    const std::uint64_t sensor_before = sensor_us_;
    const std::uint64_t state_before = state_us_;
    const bool had_state = has_state_;
    reply();
    while (sensor_us_ == sensor_before) {
      hear_quietly(kLearnSilence, deadline);
      if (sensor_us_ == sensor_before && deadline.passed()) {
        fail(fmt::format("sent no further HIL_SENSOR after that of {}{}", stamp_text(sensor_us_),
                         left_out_text()));
      }
    }
    if (sensor_us_ < sensor_before) fail_back(sensor_before, sensor_us_);
    const DurationUs step(sensor_us_ - sensor_before);
    equal = step == own_step_ ? equal + 1 : 0;
    own_step_ = step;
    if (had_state && state_us_ > state_before)
      state_interval_ = DurationUs(state_us_ - state_before);
  }
  if (!has_state_ || state_interval_.us == 0) {
    fail(
        fmt::format("does not send HIL_STATE_QUATERNION, which was asked for and from which the "
                    "estimate is made ({} steps were waited for)",
                    kLearnSteps));
  }
  fail(fmt::format("does not keep one step: the last was {}", to_text(own_step_)));
}

void HilAdapter::check_step(const std::vector<VehiclePlace>& vehicles) const {
  for (const VehiclePlace& place : vehicles) {
    if ((place.exchange % own_step_).us == 0) continue;
    fail(
        fmt::format("steps by {}, which does not divide the exchange of {} with vehicle {}: start "
                    "it with another rate (jMAVSim: -r), or change exchange_us",
                    to_text(own_step_), to_text(place.exchange), place.vehicle));
  }
}

// ---- the stream

template <class M>
void HilAdapter::transmit(const M& message) {
  // Some hundred bytes: they find room unless it has stopped reading long ago.
  const mavlink::EncodedFrame frame = mavlink::encode(message, sender_);
  std::span<const std::byte> rest = frame.bytes();
  const ReceiveResult sent = stream_->send_some(rest);
  closed_ = sent == ReceiveResult::kClosed;
  if (closed_) fail("has closed the connection");
  if (sent != ReceiveResult::kData) fail("does not read what is sent to it");
}

void HilAdapter::reply() {
  mavlink::HilActuatorControls controls;
  controls.time_usec = sensor_us_;
  controls.mode = command_.status.armed ? kArmed : kDisarmed;
  controls.flags = kLockstepFlag;
  const auto put = [&](int channel, double value, double least) {
    TACTUS_ASSERT(value >= least && value <= 1.0, "a command that the bridge has checked");
    if (channel < 0 || !command_.status.armed) return;
    controls.controls[channel] = static_cast<float>(value);
  };
  for (int i = 0; i < options_.vehicle.motors; ++i) {
    put(options_.channels.of_motor(i), command_.command.motor[i], 0.0);
  }
  for (int i = 0; i < kMaxServos; ++i) {
    put(options_.channels.of_servo(i), command_.command.servo[i], -1.0);
  }
  transmit(controls);
}

/// Before a reply it can only have finished what belongs to this instant.
void HilAdapter::check_waits() {
  read_some(Deadline::now());
  for (const Message& message : messages_) {
    if (message.clock() == nullptr || message.stamp_us() <= sensor_us_) continue;
    fail("does not wait for HIL_ACTUATOR_CONTROLS before it goes on");
  }
}

HilAdapter::Received HilAdapter::next(Deadline deadline, Message& message) {
  while (messages_.empty()) {
    const Received received = read_some(deadline);
    if (received != Received::kMessage) return received;
    // A wait checks this only when nothing has come.
    if (messages_.empty() && interrupted_) return Received::kInterrupted;
  }
  message = std::move(messages_.front());
  messages_.pop_front();
  // In double precision, as the limits of its fields are checked: then the reason is there.
  const bool of_no_time =
      message.clock() != nullptr && static_cast<double>(message.stamp_us()) > kLatestStamp_us;
  if (of_no_time) fail("has sent what cannot be flown: " + message.wrong);
  return Received::kMessage;
}

/// kMessage: bytes came, maybe no whole message.
HilAdapter::Received HilAdapter::read_some(Deadline deadline) {
  bytes_.clear();
  const ReceiveResult result =
      stream_->receive(bytes_, deadline, [this] { return interrupted_.load(); });
  if (result == ReceiveResult::kTimeout) return Received::kSilence;
  if (result == ReceiveResult::kInterrupted) return Received::kInterrupted;
  if (result == ReceiveResult::kClosed) {
    closed_ = true;
    fail(has_sensor_ ? fmt::format("has closed the connection, {} after the start of the flight",
                                   to_text(now_))
                     : std::string("has closed the connection before its first HIL_SENSOR"));
  }
  bytes_waited_ += bytes_.size();
  if (bytes_waited_ > kMostBytes) {
    fail(fmt::format("has sent {} bytes ({} good frames) without a HIL_SENSOR of a new instant",
                     bytes_waited_, parser_.counts().frames));
  }
  const mavlink::ParserCounts before = parser_.counts();
  parser_.feed(bytes_, [this](const mavlink::Frame& frame) {
    const auto keep = [this](const auto& message) {
      messages_.push_back({message, mavlink::wrong_value(message)});
    };
    (void)(mavlink::if_is<mavlink::HilSensor>(frame, keep) ||
           mavlink::if_is<mavlink::HilGps>(frame, keep) ||
           mavlink::if_is<mavlink::HilStateQuaternion>(frame, keep));
  });
  if (parser_.counts().bad_checksum > before.bad_checksum) {
    leave_out("a frame with a wrong checksum");
  } else if (parser_.counts().skipped_bytes > before.skipped_bytes) {
    leave_out("bytes that are no MAVLink message");
  }
  return Received::kMessage;
}

bool HilAdapter::go_to(TimeUs time) {
  if (!stream_) fail("is not connected");
  if (time.us % own_step_.us != 0) {
    throw Error(ExitCode::kBadInput, fmt::format("{} steps by {}: it cannot stop at {}", peer(),
                                                 to_text(own_step_), to_text(time)));
  }
  while (awaits_ != Awaits::kNothing || now_ < time) {
    if (awaits_ == Awaits::kNothing) {
      check_waits();
      reply();
      awaits_ = Awaits::kSensor;
    }
    if (!hear_one(time)) return false;
  }
  return true;
}

/// False: interrupted.
bool HilAdapter::hear_one(TimeUs target) {
  const bool wants_state = awaits_ == Awaits::kState;
  Message message;
  const Received received = next(Deadline::after(wants_state ? kStateWait : DurationUs{}), message);
  if (received == Received::kInterrupted) return false;
  if (received == Received::kSilence) {
    // It sends the state more rarely than it did: be content with an older one.
    ++counts_.late_states;
    state_interval_ = 2 * state_interval_;
    if (state_interval_ > kOldestState) {
      fail(fmt::format("has stopped sending HIL_STATE_QUATERNION: the last was of {}",
                       stamp_text(state_us_)));
    }
  } else if (message.clock() != nullptr) {
    check_time(message.stamp_us(), target);
    if (message.stamp_us() == sensor_us_) return true;
    if (wants_state) fail("does not wait for HIL_ACTUATOR_CONTROLS before it goes on");
    accept(message);
    awaits_ = Awaits::kState;
  } else {
    take_behind(message);
  }
  if (awaits_ == Awaits::kState && !state_is_due()) awaits_ = Awaits::kNothing;
  return true;
}

// ---- its messages

void HilAdapter::check_time(std::uint64_t stamp_us, TimeUs target) {
  if (stamp_us == sensor_us_) {
    ++counts_.duplicates;
    leave_out(fmt::format("a HIL_SENSOR of the same time, {}", stamp_text(stamp_us)));
    if (++standing_ > kMostStanding) {
      fail(fmt::format("stands still: {} HIL_SENSOR in a row are of {}", standing_,
                       stamp_text(stamp_us)));
    }
    return;
  }
  if (stamp_us < sensor_us_) fail_back(sensor_us_, stamp_us);
  const DurationUs step(stamp_us - sensor_us_);
  if (step == own_step_) return;
  const bool on_grid = (step % own_step_).us == 0;
  if (!on_grid || now_ + step > target) {
    fail(fmt::format("has jumped from {} to {}, by {}; its step is {}", stamp_text(sensor_us_),
                     stamp_text(stamp_us), to_text(step), to_text(own_step_)));
  }
  ++counts_.jumps;
}

/// A new instant: first what came behind the last one.
void HilAdapter::accept(const Message& sensor) {
  standing_ = 0;
  bytes_waited_ = 0;
  answered();
  const std::uint64_t stamp_us = sensor.stamp_us();
  if (stamp_us > sensor_us_ && epoch_us_) now_ += DurationUs(stamp_us - sensor_us_);
  sensor_us_ = stamp_us;
  has_sensor_ = true;
  for (const Message& message : std::exchange(behind_, {})) take_readings(message);
  take_readings(sensor);
}

void HilAdapter::take_readings(const Message& message) {
  if (!message.wrong.empty()) return refuse_value(message.wrong);
  const TimeUs at = time_of(message.stamp_us());
  if (const auto* sensor = std::get_if<mavlink::HilSensor>(&message.content)) {
    take_reading(*sensor, at, readings_);
  }
  if (const auto* gps = std::get_if<mavlink::HilGps>(&message.content)) {
    take_reading(*gps, at, readings_);
  }
}

/// The state counts at once: whether one is due is known. All else has to wait.
void HilAdapter::take_behind(const Message& message) {
  if (const auto* state = std::get_if<mavlink::HilStateQuaternion>(&message.content)) {
    take_state(*state, message.wrong);
  } else {
    behind_.push_back(message);
  }
}

bool HilAdapter::state_is_due() const {
  return !has_state_ || sensor_us_ >= state_us_ + state_interval_.us;
}

TimeUs HilAdapter::time_of(std::uint64_t stamp_us) const {
  if (!epoch_us_ || stamp_us <= *epoch_us_) return start();
  return std::min(start() + DurationUs(stamp_us - *epoch_us_), now_);
}

/// One that cannot be flown has come all the same: no other is waited for.
void HilAdapter::take_state(const mavlink::HilStateQuaternion& state, std::string wrong) {
  const bool near =
      state.time_usec + kSameTime_us >= sensor_us_ && state.time_usec <= sensor_us_ + kSameTime_us;
  if (wrong.empty() && has_sensor_ && !near) {
    wrong = fmt::format("HIL_STATE_QUATERNION.time_usec = {}: must be that of HIL_SENSOR, {}",
                        state.time_usec, sensor_us_);
  }
  if (!wrong.empty()) {
    refuse_value(wrong);
    state_us_ = sensor_us_;
    return;
  }
  const Geodetic place{1e-7 * state.lat, 1e-7 * state.lon, 1e-3 * state.alt};
  if (!has_origin_) {
    has_origin_ = true;
    tracker_.count_from(
        options_.origin.value_or(WorldOrigin{place.lat_deg, place.lon_deg, place.alt_m}));
  }
  ExternalMotion motion;
  motion.measured_at = time_of(state.time_usec);
  motion.position_W_m = position_of(tracker_.world(), place);
  if (altitude_is_down_) motion.position_W_m.z = place.alt_m;
  motion.velocity_W_m_s = velocity_of(state);
  motion.attitude = attitude_of(state);
  motion.rate_B_rad_s = rate_of(state);
  tracker_.take(motion);
  state_us_ = state.time_usec;
  has_state_ = true;
  if (awaits_ == Awaits::kState && state_is_due()) {
    leave_out(fmt::format("a HIL_STATE_QUATERNION of {}, which is too old", stamp_text(state_us_)));
  }
}

}  // namespace tactus
