// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_json.h"

#include <charconv>
#include <cmath>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {

namespace {

constexpr std::uint16_t kMagic16 = 18458;
constexpr std::uint16_t kMagic32 = 29569;
constexpr std::size_t kHeadBytes = 8;

std::size_t packet_bytes(int channels) {
  return kHeadBytes + 2 * static_cast<std::size_t>(channels);
}

std::uint16_t read_u16(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[at]) |
                                    (std::to_integer<unsigned>(bytes[at + 1]) << 8U));
}

void add_u16(std::uint32_t value, std::vector<std::byte>& bytes) {
  bytes.push_back(static_cast<std::byte>(value & 0xffU));
  bytes.push_back(static_cast<std::byte>((value >> 8U) & 0xffU));
}

/// Appends keys and numbers. The innermost names are those of the keys, for messages.
class ReplyWriter {
 public:
  explicit ReplyWriter(std::string& text) : text_(text) {}

  void add(std::string_view fixed) { text_ += fixed; }

  void key(std::string_view name) {
    if (text_.back() != '{') text_ += ',';
    text_ += '"';
    text_ += name;
    text_ += "\":";
    name_ = name;
  }

  void number(double value) {
    require_finite(value);
    digits(value);
  }

  /// ArduPilot keeps these in single precision: no more digits than it can hold.
  void single(double value) {
    require_finite(value);
    const auto rounded = static_cast<float>(value);
    if (!std::isfinite(rounded)) refuse(value);
    digits(rounded);
  }

  void singles(std::string_view name, Vec3 v) {
    key(name);
    text_ += '[';
    single(v.x);
    text_ += ',';
    single(v.y);
    text_ += ',';
    single(v.z);
    text_ += ']';
  }

  void single_if(std::string_view name, const std::optional<double>& value) {
    if (!value.has_value()) return;
    key(name);
    single(*value);
  }

  void flag_if(std::string_view name, const std::optional<bool>& value) {
    if (!value.has_value()) return;
    key(name);
    text_ += *value ? "true" : "false";
  }

 private:
  void require_finite(double value) const {
    if (!math::is_finite(value)) refuse(value);
  }

  [[noreturn]] void refuse(double value) const {
    throw Error(ExitCode::kRunStopped, "the motion cannot be sent to ArduPilot: \"" +
                                           std::string(name_) + "\" is " + std::to_string(value) +
                                           "; look at the signals before this instant");
  }

  template <class Number>
  void digits(Number value) {
    std::array<char, 40> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    text_.append(buffer.data(), end);
  }

  std::string& text_;
  std::string_view name_;
};

void write_motion(const PhysicsReply& reply, ReplyWriter& out) {
  out.key("timestamp");
  out.number(reply.timestamp_s);
  out.key("imu");
  out.add("{");
  out.singles("gyro", reply.rate_B_rad_s);
  out.singles("accel_body", reply.specific_force_B_m_s2);
  out.add("}");
  out.key("position");
  out.add("[");
  out.number(reply.position_W_m.x);
  out.add(",");
  out.number(reply.position_W_m.y);
  out.add(",");
  out.number(reply.position_W_m.z);
  out.add("]");
  if (reply.place.has_value()) {
    out.key("latitude");
    out.number(reply.place->lat_deg);
    out.key("longitude");
    out.number(reply.place->lon_deg);
    out.key("altitude");
    out.number(reply.place->alt_m);
  }
  out.key("quaternion");
  out.add("[");
  out.single(reply.attitude.w);
  out.add(",");
  out.single(reply.attitude.x);
  out.add(",");
  out.single(reply.attitude.y);
  out.add(",");
  out.single(reply.attitude.z);
  out.add("]");
  out.singles("velocity", reply.velocity_W_m_s);
  if (reply.wind_W_m_s.has_value()) out.singles("velocity_wind", *reply.wind_W_m_s);
}

constexpr std::array<std::string_view, 6> kRangeKeys{"rng_1", "rng_2", "rng_3",
                                                     "rng_4", "rng_5", "rng_6"};
constexpr std::array<std::string_view, 12> kRcKeys{"rc_1", "rc_2",  "rc_3",  "rc_4",
                                                   "rc_5", "rc_6",  "rc_7",  "rc_8",
                                                   "rc_9", "rc_10", "rc_11", "rc_12"};

void write_extras(const PhysicsReply& reply, ReplyWriter& out) {
  for (std::size_t i = 0; i < kRangeKeys.size(); ++i) {
    out.single_if(kRangeKeys[i], reply.range_m[i]);
  }
  if (reply.vane_direction_rad.has_value() || reply.vane_speed_m_s.has_value()) {
    out.key("windvane");
    out.add("{");
    out.single_if("direction", reply.vane_direction_rad);
    out.single_if("speed", reply.vane_speed_m_s);
    out.add("}");
  }
  out.single_if("airspeed", reply.airspeed_m_s);
  bool rc = false;
  for (const std::optional<double>& channel : reply.rc_us) rc = rc || channel.has_value();
  if (rc) {
    out.key("rc");
    out.add("{");
    for (std::size_t i = 0; i < kRcKeys.size(); ++i) out.single_if(kRcKeys[i], reply.rc_us[i]);
    out.add("}");
  }
  if (reply.battery_v.has_value() || reply.battery_a.has_value()) {
    out.key("battery");
    out.add("{");
    out.single_if("voltage", reply.battery_v);
    out.single_if("current", reply.battery_a);
    out.add("}");
  }
  out.flag_if("no_time_sync", reply.no_time_sync);
  out.flag_if("no_lockstep", reply.no_lockstep);
}

}  // namespace

std::optional<ServoPacket> decode_servo_packet(std::span<const std::byte> datagram) {
  if (datagram.size() < kHeadBytes) return std::nullopt;
  ServoPacket packet;
  const std::uint16_t magic = read_u16(datagram, 0);
  if (magic != kMagic16 && magic != kMagic32) return std::nullopt;
  packet.channels = magic == kMagic16 ? 16 : 32;
  if (datagram.size() != packet_bytes(packet.channels)) return std::nullopt;
  packet.frame_rate_hz = read_u16(datagram, 2);
  packet.frame_count =
      read_u16(datagram, 4) | (static_cast<std::uint32_t>(read_u16(datagram, 6)) << 16U);
  for (std::size_t i = 0; i < static_cast<std::size_t>(packet.channels); ++i) {
    packet.pwm_us[i] = read_u16(datagram, kHeadBytes + 2 * i);
  }
  return packet;
}

std::vector<std::byte> encode_servo_packet(const ServoPacket& packet) {
  TACTUS_ASSERT(packet.channels == 16 || packet.channels == 32, "a servo packet has 16 or 32");
  std::vector<std::byte> bytes;
  bytes.reserve(packet_bytes(packet.channels));
  add_u16(packet.channels == 16 ? kMagic16 : kMagic32, bytes);
  add_u16(packet.frame_rate_hz, bytes);
  add_u16(packet.frame_count & 0xffffU, bytes);
  add_u16(packet.frame_count >> 16U, bytes);
  for (std::size_t i = 0; i < static_cast<std::size_t>(packet.channels); ++i) {
    add_u16(packet.pwm_us[i], bytes);
  }
  return bytes;
}

void encode_physics_reply(const PhysicsReply& reply, std::string& text) {
  text.assign("\n{");
  ReplyWriter out(text);
  write_motion(reply, out);
  write_extras(reply, out);
  out.add("}\n");
}

double JsonClock::stamp_s(TimeUs now) {
  TACTUS_ASSERT(now >= last_, "the time sent to ArduPilot goes back");
  const auto step_us = static_cast<double>((now - last_).us);
  if (step_us == 0.0) return last_s_;
  double stamp_s = math::max(to_seconds(now), last_s_ + step_us * 1e-6);
  // ArduPilot's own arithmetic, so that its rounding is ours.
  while ((stamp_s - last_s_) * 1e6 < step_us) {
    stamp_s = std::nextafter(stamp_s, math::infinity());
  }
  last_ = now;
  last_s_ = stamp_s;
  return stamp_s;
}

}  // namespace tactus
