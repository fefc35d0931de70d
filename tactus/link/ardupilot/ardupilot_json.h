// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// ArduPilot's interface to an external physics program, both directions of both ends: servo packets
// (binary) from ArduPilot, motion (text that looks like JSON) to it. docs/autopilots.md describes
// how the exchange goes.
//
// ArduPilot searches the text for its keys instead of reading JSON. So the text begins with a
// newline (else the first one is lost), no key may come before one that is a part of it (velocity,
// velocity_wind; rc_1, rc_10), there is no space around a colon and numbers begin with a digit or a
// minus sign. Our own reader takes any JSON, and reads its known keys only: each must be there
// at most once, of the right form and within the limits of link/net/peer_limits.h. Frames: world
// NED, body FRD; SI units.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/link/net/peer_limits.h"
#include "tactus/world/geodesy.h"

namespace tactus {

inline constexpr int kMaxServoChannels = 32;

/// What ArduPilot sends once per frame.
struct ServoPacket {
  std::uint16_t frame_rate_hz = 0;  ///< a wanted: how many frames per second it would like
  std::uint32_t frame_count = 0;    ///< grows by one with every answer it accepted
  int channels = 16;                ///< 16 or 32 (SERVO_32_ENABLE)
  std::array<std::uint16_t, kMaxServoChannels> pwm_us{};  ///< 0: no signal

  bool operator==(const ServoPacket&) const = default;
};

/// None: not a servo packet of either form.
std::optional<ServoPacket> decode_servo_packet(std::span<const std::byte> datagram);

std::vector<std::byte> encode_servo_packet(const ServoPacket& packet);

/// What it gets for each. What has no value is not sent; ArduPilot then makes it up.
struct PhysicsReply {
  double timestamp_s = 0.0;
  Vec3 rate_B_rad_s;
  Vec3 specific_force_B_m_s2;
  Vec3 velocity_W_m_s;
  Quat attitude;      ///< body to world; read from "attitude" (angles) if there is no quaternion
  Vec3 position_W_m;  ///< from home
  std::optional<Geodetic> place;   ///< replaces the position
  std::optional<Vec3> wind_W_m_s;  ///< "velocity_wind"
  std::optional<double> airspeed_m_s;
  std::array<std::optional<double>, 6> range_m;  ///< rng_1 …
  std::optional<double> vane_direction_rad;
  std::optional<double> vane_speed_m_s;
  std::array<std::optional<double>, 12> rc_us;  ///< rc_1 …
  std::optional<double> battery_v;
  std::optional<double> battery_a;
  std::optional<bool> no_time_sync;
  std::optional<bool> no_lockstep;
};

/// Replaces `text`; does not allocate once it has grown. Throws Error(kRunStopped) that names the
/// key if a number is not finite.
void encode_physics_reply(const PhysicsReply& reply, std::string& text);

/// What a datagram says.
struct DecodedReply {
  enum class Kind : std::uint8_t {
    kGood,
    kWrong,       ///< of the instant `timestamp_s`; what else it says cannot be flown
    kWrongTime,   ///< of no instant
    kUnreadable,  ///< no JSON, or without a time stamp: maybe not an answer at all
  };
  Kind kind = Kind::kUnreadable;
  PhysicsReply reply;  ///< kWrong: its time stamp only
  std::string why;     ///< names the key and its value; empty: kGood
};

/// Reads the last whole line of a datagram.
DecodedReply decode_physics_reply(std::string_view datagram);

/// The key of a number or list of numbers that a reply may have, and its limits.
struct ReplyKey {
  enum class Form : std::uint8_t { kNumber, kVector, kQuaternion, kFlag };
  std::string_view section;  ///< empty: directly below the top
  std::string_view name;
  Form form;
  ValueLimits limits;

  /// "imu.gyro"
  [[nodiscard]] std::string text() const;
};
std::span<const ReplyKey> reply_keys();

/// Time stamps from which ArduPilot's clock gets exactly our steps. It adds the difference of two
/// stamps and cuts the sum to whole microseconds, so a difference that is a rounding error too
/// short loses one: at 1 ms steps 23 % of them. A stamp is our time, or the few units in the last
/// place more that its difference needs.
class JsonClock {
 public:
  /// Never goes back; equal times give equal stamps.
  double stamp_s(TimeUs now);

 private:
  TimeUs last_;
  double last_s_ = 0.0;  ///< as ArduPilot's own starts
};

}  // namespace tactus
