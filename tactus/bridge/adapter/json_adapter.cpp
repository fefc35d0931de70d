// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/json_adapter.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr int kLearnSteps = 20;
constexpr int kEqualSteps = 3;
constexpr double kEqual_s = 1.5e-6;  // stamps may be rounded to microseconds
constexpr double kShortestStep_s = 0.9e-6;
// Rounds of asking again after which it is called by its name.
constexpr int kMostUnreadable = 10;
constexpr int kMostStanding = 20;
constexpr int kMostGoneBack = 5;
constexpr int kMostIgnored = 2'000;  // datagrams that are no answer, between two that are
constexpr double kSeaLevelDensity_kg_m3 = 1.225;
constexpr double kLongestPulse_us = 65535.0;  // of a servo packet
constexpr double kNeutralPulse_us = 1500.0;
constexpr double kHalfPulse_us = 500.0;

}  // namespace

JsonAdapter::JsonAdapter(const JsonOptions& options)
    : ExternalAdapter(options.vehicle, options.world, SignalSet::of(Signal::kImu)),
      options_(options),
      has_origin_(options.origin) {
  if (options.origin) tracker_.count_from(*options.origin);
  if (options.channels != 16 && options.channels != 32) {
    throw Error(ExitCode::kBadInput, fmt::format("json: {} channels (16 or 32)", options.channels));
  }
  validate(options.channel_map, options.vehicle.motors, options.channels, "json");
  for (const double pulse_us : {options.pulse_least_us, options.pulse_most_us}) {
    if (pulse_us >= 0.0 && pulse_us <= kLongestPulse_us) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("json: a pulse of {} us (0 to {})", pulse_us, kLongestPulse_us));
  }
  if (options.port == 0) throw Error(ExitCode::kBadInput, "json: port = 0 (where it listens)");
}

SimulatorCapabilities JsonAdapter::capabilities() const {
  SimulatorCapabilities can;
  const double step_us = math::round(own_step_s_ * 1e6);
  const bool whole = math::abs(own_step_s_ * 1e6 - step_us) < 0.01;
  if (whole) can.own_step = DurationUs(static_cast<std::uint64_t>(step_us));
  return can;
}

std::string JsonAdapter::peer() const {
  return fmt::format("the physics program (JSON) at 127.0.0.1:{}", options_.port);
}

std::string JsonAdapter::waits_for() const {
  return fmt::format("a JSON answer from 127.0.0.1:{}{}", options_.port, left_out_text());
}

std::vector<std::string> JsonAdapter::warnings() const {
  std::vector<std::string> warnings = change_warnings();
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0) warnings.push_back(fmt::format("{}: {} {}", peer(), count, what));
  };
  add(counts_.garbage, "datagrams could not be read");
  add(counts_.other_senders, "datagrams came from another sender");
  add(counts_.old, "answers were old or came twice");
  add(counts_.asked_again, "questions were asked again");
  add(counts_.jumps, "steps were longer than its own step");
  return warnings;
}

// ---- the start

void JsonAdapter::connect(const std::vector<VehiclePlace>& vehicles) {
  disconnect();
  begin(vehicles);
  socket_.emplace(0, "a physics program (JSON)");
  learn(Deadline::after(options_.connect_deadline));
  check_step(vehicles);
  epoch_s_ = last_s_;
}

void JsonAdapter::disconnect() {
  forget();
  socket_.reset();
  peer_.reset();
  count_ = 0;
  asked_ = false;
  round_ = {};
  unreadable_ = standing_ = gone_back_ = ignored_ = short_ = 0;
  why_.clear();
  last_s_.reset();
  epoch_s_.reset();
  own_step_s_ = 0.0;
  counts_ = {};
}

void JsonAdapter::learn(Deadline deadline) {
  int equal = 0;
  for (int i = 0; i < kLearnSteps && equal < kEqualSteps; ++i) {
    const std::optional<double> before_s = last_s_;
    if (!exchange(deadline)) fail_silent();
    if (!before_s) continue;
    const double step_s = *last_s_ - *before_s;
    equal = math::abs(step_s - own_step_s_) < kEqual_s ? equal + 1 : 0;
    own_step_s_ = step_s;
  }
  if (equal >= kEqualSteps && own_step_s_ >= kShortestStep_s) return;
  if (equal >= kEqualSteps) {
    fail(fmt::format("steps by {:.3g} s: the shortest step is a microsecond", own_step_s_));
  }
  fail(
      fmt::format("does not keep one step, the last was {:.6f} s: its stamps must be simulated "
                  "time that each servo packet moves, not the time of a wall clock",
                  own_step_s_));
}

void JsonAdapter::fail_silent() const {
  if (interrupted_) fail("was given up while connecting");
  fail(fmt::format("does not answer servo packets within {}{}", to_text(options_.connect_deadline),
                   why_.empty() ? "; start it first" : ": its answers are unreadable, " + why_));
}

void JsonAdapter::check_step(const std::vector<VehiclePlace>& vehicles) const {
  for (const VehiclePlace& place : vehicles) {
    const double steps = to_seconds(place.exchange) / own_step_s_;
    // As far as whole microseconds can tell.
    const double off_us = math::abs(steps - math::round(steps)) * own_step_s_ * 1e6;
    if (steps > 0.5 && off_us < 1.0) continue;
    fail(
        fmt::format("steps by {:.6g} s, which does not divide the exchange of {} with vehicle {}: "
                    "give it another rate, or change exchange_us",
                    own_step_s_, to_text(place.exchange), place.vehicle));
  }
}

// ---- questions and answers

std::uint16_t JsonAdapter::pulse(double share) const {
  TACTUS_ASSERT(share >= 0.0 && share <= 1.0, "a command that the bridge has checked");
  const double least = options_.pulse_least_us;
  const double us = least + share * (options_.pulse_most_us - least);
  return static_cast<std::uint16_t>(math::round(us));
}

ServoPacket JsonAdapter::packet() const {
  ServoPacket packet;
  packet.frame_rate_hz = options_.rate_hz;
  packet.frame_count = count_;
  packet.channels = options_.channels;
  const bool armed = command_.status.armed;
  const auto put = [&packet](int channel, std::uint16_t us) {
    if (channel >= 0) packet.pwm_us[static_cast<std::size_t>(channel)] = us;
  };
  for (int i = 0; i < options_.vehicle.motors; ++i) {
    put(options_.channel_map.of_motor(i), pulse(armed ? command_.command.motor[i] : 0.0));
  }
  for (int i = 0; i < kMaxServos; ++i) {
    const double servo = armed ? command_.command.servo[i] : 0.0;
    TACTUS_ASSERT(servo >= -1.0 && servo <= 1.0, "a command that the bridge has checked");
    const double us = kNeutralPulse_us + kHalfPulse_us * servo;
    put(options_.channel_map.of_servo(i), static_cast<std::uint16_t>(math::round(us)));
  }
  return packet;
}

void JsonAdapter::ask() { socket_->send_to(options_.port, encode_servo_packet(packet())); }

/// Whatever is there before a question is no answer to it.
void JsonAdapter::drop_old() {
  while (socket_->receive(datagram_, Deadline::now()) == ReceiveResult::kData) {
    ++counts_.old;
    ignore();
  }
}

void JsonAdapter::ignore() {
  if (++ignored_ <= kMostIgnored) return;
  fail(fmt::format("floods us: {} datagrams in a row are no answer to a servo packet", ignored_));
}

bool JsonAdapter::exchange(Deadline deadline) {
  const Interrupted stop = [this] { return interrupted_.load(); };
  if (!asked_) {
    drop_old();
    ask();
    asked_ = true;
  }
  Deadline again = Deadline::after(options_.ask_again);
  while (true) {
    UdpPeer from;
    const ReceiveResult got = socket_->receive(datagram_, again, stop, &from);
    if (got == ReceiveResult::kData && take_datagram(from)) return true;
    if (interrupted_ || deadline.passed()) return false;
    if (!again.passed()) continue;
    judge_round();
    ++counts_.asked_again;
    ask();
    again = Deadline::after(options_.ask_again);
  }
}

/// Whether it is the answer.
bool JsonAdapter::take_datagram(const UdpPeer& from) {
  const std::string_view text(reinterpret_cast<const char*>(datagram_.data()), datagram_.size());
  if (peer_ && from != *peer_) {
    ++counts_.other_senders;
    leave_out("from another sender");
    ignore();
    return false;
  }
  DecodedReply answer = decode_physics_reply(text);
  const double stamp_s = answer.reply.timestamp_s;
  if (answer.kind == DecodedReply::Kind::kUnreadable) {
    ++counts_.garbage;
    round_.unreadable = true;
    why_ = std::move(answer.why);
    leave_out("unreadable, " + why_);
  } else if (answer.kind == DecodedReply::Kind::kWrongTime) {
    fail("has sent what cannot be flown: " + answer.why);
  } else if (last_s_ && stamp_s <= *last_s_) {
    ++counts_.old;
    (stamp_s == *last_s_ ? round_.standing : round_.gone_back) = true;
    old_s_ = stamp_s;
    leave_out(fmt::format("its time {:.6f} s is no later than {:.6f} s", stamp_s, *last_s_));
  } else {
    peer_ = from;
    take_answer(answer);
    return true;
  }
  ignore();
  return false;
}

void JsonAdapter::take_answer(const DecodedReply& answer) {
  if (answer.reply.no_lockstep.value_or(false)) {
    fail("says no_lockstep: it does not wait for servo packets, so it cannot be stepped");
  }
  round_ = {};
  unreadable_ = standing_ = gone_back_ = ignored_ = 0;
  asked_ = false;
  answered();
  ++count_;
  take_time(answer.reply.timestamp_s);
  if (answer.kind == DecodedReply::Kind::kGood) {
    take(answer.reply);
  } else {
    refuse_value(answer.why);
  }
}

/// A question was not answered, but something came: one such round may be chance, many are not.
void JsonAdapter::judge_round() {
  const Round round = std::exchange(round_, {});
  if (round.unreadable && ++unreadable_ > kMostUnreadable) {
    fail("sends answers that are unreadable: " + why_);
  }
  if (round.standing && ++standing_ > kMostStanding) {
    fail(fmt::format("stands still at its time {:.6f} s", *last_s_));
  }
  if (round.gone_back && ++gone_back_ > kMostGoneBack) {
    fail(fmt::format("has gone back in time, from {:.6f} s to {:.6f} s: it was reset or restarted",
                     *last_s_, old_s_));
  }
}

bool JsonAdapter::go_to(TimeUs time) {
  if (!socket_) fail("is not connected");
  while (now_ < time) {
    const TimeUs before = now_;
    const double before_s = *last_s_;
    // One that always answers at once never makes us wait, where this is checked, too.
    if (interrupted_ || !exchange(Deadline::after({}))) return false;
    check_arrival(before, time);
    short_ = *last_s_ - before_s < 0.5 * own_step_s_ ? short_ + 1 : 0;
    if (short_ <= kMostStanding) continue;
    fail(fmt::format(
        "hardly goes on: its last step was {:.3g} s, at its time {:.6f} s; its step was "
        "{:.6f} s",
        *last_s_ - before_s, *last_s_, own_step_s_));
  }
  return true;
}

/// One step of its own, or more if it has lost some, but never beyond the target.
void JsonAdapter::check_arrival(TimeUs from, TimeUs target) {
  const double step_s = to_seconds(now_ - from);
  if (now_ > target) {
    fail(
        fmt::format("has jumped from {} to {} after the start, by {:.6f} s, beyond {}; its step "
                    "was {:.6f} s",
                    to_text(from), to_text(now_), step_s, to_text(target), own_step_s_));
  }
  if (step_s > 1.5 * own_step_s_) ++counts_.jumps;
}

// ---- what it says

void JsonAdapter::take_time(double stamp_s) {
  last_s_ = stamp_s;
  if (!epoch_s_) return;
  if (!(stamp_s - *epoch_s_ < kMaxSeconds)) {
    fail(fmt::format("has jumped to its time {:.6g} s", stamp_s));
  }
  const double flown_us = math::round((stamp_s - *epoch_s_) * 1e6);
  now_ = start() + DurationUs(static_cast<std::uint64_t>(flown_us));
}

void JsonAdapter::take(const PhysicsReply& reply) {
  ImuReading& imu = readings_.imu[0];
  imu = {now_, imu.rate_count + 1, imu.force_count + 1, reply.rate_B_rad_s,
         reply.specific_force_B_m_s2};
  if (reply.range_m[0]) {
    now_holds(Signal::kRangeFinder);
    RangeReading& range = readings_.range_finder[0];
    range = {now_, range.count + 1, true, *reply.range_m[0]};
  }
  if (reply.airspeed_m_s) {
    now_holds(Signal::kAirspeed);
    AirspeedReading& speed = readings_.airspeed[0];
    speed.measured_at = now_;
    ++speed.count;
    const double v = *reply.airspeed_m_s;
    speed.differential_pressure_pa = 0.5 * kSeaLevelDensity_kg_m3 * v * v;
  }
  if (reply.battery_v || reply.battery_a) now_holds(Signal::kBattery);
  if (reply.battery_v) readings_.battery[0].voltage_v = *reply.battery_v;
  if (reply.battery_a) readings_.battery[0].current_a = *reply.battery_a;
  tracker_.take({now_, position(reply), reply.velocity_W_m_s, reply.attitude, reply.rate_B_rad_s});
}

Vec3 JsonAdapter::position(const PhysicsReply& reply) {
  if (!reply.place) return reply.position_W_m;
  const Geodetic& place = *reply.place;
  if (!has_origin_) tracker_.count_from({place.lat_deg, place.lon_deg, place.alt_m});
  has_origin_ = true;
  return position_of(tracker_.world(), place);
}

}  // namespace tactus
