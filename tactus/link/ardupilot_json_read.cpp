// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The reader of decode_physics_reply(): one pass, no memory of its own, any input.

#include <algorithm>
#include <charconv>

#include "tactus/core/math.h"
#include "tactus/link/ardupilot_json.h"

namespace tactus {

namespace {

constexpr int kMaxDepth = 8;

/// A number (true is 1, false 0), a list of up to four, or something that nobody asks for.
struct Value {
  int count = 0;  ///< of numbers
  bool list = false;
  std::array<double, 4> number{};

  [[nodiscard]] std::optional<double> scalar() const {
    if (list || count != 1 || !math::is_finite(number[0])) return std::nullopt;
    return number[0];
  }
  [[nodiscard]] std::optional<Vec3> vector() const {
    const Vec3 v{number[0], number[1], number[2]};
    if (!list || count != 3 || !is_finite(v)) return std::nullopt;
    return v;
  }
  [[nodiscard]] std::optional<Quat> quaternion() const {
    const Quat q{number[0], number[1], number[2], number[3]};
    if (!list || count != 4 || !is_finite(q) || !(norm_squared(q) > 0.0)) return std::nullopt;
    return q;
  }
};

/// What has been seen of the keys.
struct Collected {
  PhysicsReply reply;
  std::optional<double> timestamp_s;
  std::optional<Vec3> gyro;
  std::optional<Vec3> accel;
  std::optional<Vec3> velocity;
  std::optional<Vec3> position;
  std::optional<Vec3> angles;
  std::optional<Quat> quaternion;
  std::optional<double> latitude_deg;
  std::optional<double> longitude_deg;
  std::optional<double> altitude_m;
};

/// Place of "rng_3" among rng_1 …, from 0; none: another key.
std::optional<std::size_t> numbered(std::string_view key, std::string_view stem,
                                    std::size_t count) {
  if (!key.starts_with(stem)) return std::nullopt;
  key.remove_prefix(stem.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
  if (number < 1 || number > count) return std::nullopt;
  return number - 1;
}

void take_top(std::string_view key, const Value& value, Collected& c) {
  if (key == "timestamp") c.timestamp_s = value.scalar();
  if (key == "velocity") c.velocity = value.vector();
  if (key == "position") c.position = value.vector();
  if (key == "attitude") c.angles = value.vector();
  if (key == "quaternion") c.quaternion = value.quaternion();
  if (key == "latitude") c.latitude_deg = value.scalar();
  if (key == "longitude") c.longitude_deg = value.scalar();
  if (key == "altitude") c.altitude_m = value.scalar();
  if (key == "velocity_wind") c.reply.wind_W_m_s = value.vector();
  if (key == "airspeed") c.reply.airspeed_m_s = value.scalar();
  if (const auto i = numbered(key, "rng_", c.reply.range_m.size())) {
    c.reply.range_m[*i] = value.scalar();
  }
  const bool known = value.scalar().has_value();
  if (key == "no_time_sync" && known) c.reply.no_time_sync = value.number[0] != 0.0;
  if (key == "no_lockstep" && known) c.reply.no_lockstep = value.number[0] != 0.0;
}

void take(std::string_view section, std::string_view key, const Value& value, Collected& c) {
  if (section.empty()) {
    take_top(key, value, c);
  } else if (section == "imu") {
    if (key == "gyro") c.gyro = value.vector();
    if (key == "accel_body") c.accel = value.vector();
  } else if (section == "windvane") {
    if (key == "direction") c.reply.vane_direction_rad = value.scalar();
    if (key == "speed") c.reply.vane_speed_m_s = value.scalar();
  } else if (section == "battery") {
    if (key == "voltage") c.reply.battery_v = value.scalar();
    if (key == "current") c.reply.battery_a = value.scalar();
  } else if (section == "rc") {
    if (const auto i = numbered(key, "rc_", c.reply.rc_us.size())) {
      c.reply.rc_us[*i] = value.scalar();
    }
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// The whole text is one object.
  bool read(Collected& collected) {
    return next('{') && object("", collected, 0) && (skip_space(), at_ == text_.size());
  }
  [[nodiscard]] std::size_t place() const { return at_; }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  bool next(char expected) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  /// Without its quotes; escapes stay as they are, no key of ours has one.
  bool string(std::string_view& content) {
    if (!next('"')) return false;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return false;
    content = text_.substr(begin, at_ - begin);
    ++at_;
    return true;
  }

  /// After its brace. Sections are objects directly below the top.
  bool object(std::string_view section, Collected& collected, int depth) {
    if (next('}')) return true;
    do {
      std::string_view key;
      if (!string(key) || !next(':')) return false;
      if (next('{')) {
        if (depth >= kMaxDepth) return false;
        // What lies deeper belongs to nobody: "?" is no section.
        if (!object(depth == 0 ? key : "?", collected, depth + 1)) return false;
      } else {
        Value value;
        if (!read_value(value, collected, depth)) return false;
        take(section, key, value, collected);
      }
    } while (next(','));
    return next('}');
  }

  bool read_value(Value& value, Collected& collected, int depth) {
    std::string_view ignored;
    skip_space();
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '"') return string(ignored);
    if (depth >= kMaxDepth) return false;
    if (next('{')) return object("?", collected, depth + 1);
    if (!next('[')) return scalar(value);
    value.list = true;
    return list(value, collected, depth + 1);
  }

  /// After its bracket. Lists and objects in it are read past.
  bool list(Value& value, Collected& collected, int depth) {
    if (next(']')) return true;
    do {
      Value element;
      if (!read_value(element, collected, depth)) return false;
      const auto place = static_cast<std::size_t>(value.count);
      if (place < value.number.size()) {
        value.number[place] =
            element.list || element.count != 1 ? math::canonical_nan() : element.number[0];
      }
      // One beyond the last is enough to know that there are too many.
      value.count = std::min(value.count + 1, static_cast<int>(value.number.size()) + 1);
    } while (next(','));
    return next(']');
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool scalar(Value& value) {
    if (word("null")) return true;
    value.count = 1;
    if (word("true")) {
      value.number[0] = 1.0;
      return true;
    }
    if (word("false")) return true;
    const char* const end = text_.data() + text_.size();
    const auto result = std::from_chars(text_.data() + at_, end, value.number[0]);
    if (result.ec != std::errc{}) return false;
    at_ = static_cast<std::size_t>(result.ptr - text_.data());
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The line that ArduPilot would take: the last one that is not empty.
std::string_view last_line(std::string_view datagram) {
  const std::size_t end = datagram.find_last_not_of(std::string_view("\n\r\0", 3));
  if (end == datagram.npos) return {};
  datagram = datagram.substr(0, end + 1);
  const std::size_t begin = datagram.find_last_of('\n');
  return begin == datagram.npos ? datagram : datagram.substr(begin + 1);
}

const char* missing(const Collected& c) {
  if (!c.timestamp_s.has_value()) return "timestamp";
  if (!c.gyro.has_value()) return "imu.gyro";
  if (!c.accel.has_value()) return "imu.accel_body";
  if (!c.velocity.has_value()) return "velocity";
  if (!c.quaternion.has_value() && !c.angles.has_value()) return "quaternion or attitude";
  return nullptr;
}

}  // namespace

std::optional<PhysicsReply> decode_physics_reply(std::string_view datagram, std::string& why) {
  Collected c;
  Reader reader(last_line(datagram));
  if (!reader.read(c)) {
    why = "its text cannot be read beyond character " + std::to_string(reader.place() + 1);
    return std::nullopt;
  }
  if (const char* key = missing(c)) {
    why = std::string("it lacks ") + key + ", or its value is not a finite number";
    return std::nullopt;
  }
  PhysicsReply& reply = c.reply;
  reply.timestamp_s = *c.timestamp_s;
  reply.rate_B_rad_s = *c.gyro;
  reply.specific_force_B_m_s2 = *c.accel;
  reply.velocity_W_m_s = *c.velocity;
  reply.position_W_m = c.position.value_or(Vec3{});
  reply.attitude = c.quaternion.has_value() ? *c.quaternion
                                            : from_euler({c.angles->x, c.angles->y, c.angles->z});
  if (c.latitude_deg.has_value() && c.longitude_deg.has_value() && c.altitude_m.has_value()) {
    reply.place = Geodetic{*c.latitude_deg, *c.longitude_deg, *c.altitude_m};
  }
  return reply;
}

}  // namespace tactus
