// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The reader of decode_physics_reply(): one pass, no memory of its own, any input. What is known of
// a key stands once, in kKeys; a key that is not there is read past.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "tactus/core/math.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/link/ardupilot/ardupilot_json.h"

namespace tactus {

namespace {

constexpr int kMaxDepth = 8;
constexpr std::size_t kLongestShown = 60;  // of a value, in messages

using Form = ReplyKey::Form;
using Kind = DecodedReply::Kind;

// Places in kKeys.
enum Key : std::size_t {
  kTimestamp,
  kGyro,
  kAccel,
  kVelocity,
  kPosition,
  kAttitude,
  kQuaternion,
  kLatitude,
  kLongitude,
  kAltitude,
  kWind,
  kAirspeed,
  kVaneDirection,
  kVaneSpeed,
  kVoltage,
  kCurrent,
  kNoTimeSync,
  kNoLockstep,
  kFirstRange,
  kFirstRc = kFirstRange + 6,
  kKeyCount = kFirstRc + 12,
};

constexpr ReplyKey kKeys[] = {
    {"", "timestamp", Form::kNumber, kStampLimits},
    {"imu", "gyro", Form::kVector, kRateLimits},
    {"imu", "accel_body", Form::kVector, kForceLimits},
    {"", "velocity", Form::kVector, kSpeedLimits},
    {"", "position", Form::kVector, kPositionLimits},
    {"", "attitude", Form::kVector, kAngleLimits},
    {"", "quaternion", Form::kQuaternion, kQuaternionLimits},
    {"", "latitude", Form::kNumber, kLatitudeLimits},
    {"", "longitude", Form::kNumber, kLongitudeLimits},
    {"", "altitude", Form::kNumber, kAltitudeLimits},
    {"", "velocity_wind", Form::kVector, kSpeedLimits},
    {"", "airspeed", Form::kNumber, kSpeedLimits},
    {"windvane", "direction", Form::kNumber, kAngleLimits},
    {"windvane", "speed", Form::kNumber, kSpeedLimits},
    {"battery", "voltage", Form::kNumber, kVoltageLimits},
    {"battery", "current", Form::kNumber, kCurrentLimits},
    {"", "no_time_sync", Form::kFlag, {0.0, 1.0, ""}},
    {"", "no_lockstep", Form::kFlag, {0.0, 1.0, ""}},
    {"", "rng_1", Form::kNumber, kDistanceLimits},
    {"", "rng_2", Form::kNumber, kDistanceLimits},
    {"", "rng_3", Form::kNumber, kDistanceLimits},
    {"", "rng_4", Form::kNumber, kDistanceLimits},
    {"", "rng_5", Form::kNumber, kDistanceLimits},
    {"", "rng_6", Form::kNumber, kDistanceLimits},
    {"rc", "rc_1", Form::kNumber, kPulseLimits},
    {"rc", "rc_2", Form::kNumber, kPulseLimits},
    {"rc", "rc_3", Form::kNumber, kPulseLimits},
    {"rc", "rc_4", Form::kNumber, kPulseLimits},
    {"rc", "rc_5", Form::kNumber, kPulseLimits},
    {"rc", "rc_6", Form::kNumber, kPulseLimits},
    {"rc", "rc_7", Form::kNumber, kPulseLimits},
    {"rc", "rc_8", Form::kNumber, kPulseLimits},
    {"rc", "rc_9", Form::kNumber, kPulseLimits},
    {"rc", "rc_10", Form::kNumber, kPulseLimits},
    {"rc", "rc_11", Form::kNumber, kPulseLimits},
    {"rc", "rc_12", Form::kNumber, kPulseLimits},
};
static_assert(std::size(kKeys) == kKeyCount);

bool is_section(std::string_view name) {
  return !name.empty() &&
         std::ranges::any_of(kKeys, [name](const ReplyKey& key) { return key.section == name; });
}

/// A number, a truth value, a list of them, or something else. A list with something else in it is
/// something else.
struct Value {
  enum class Type : std::uint8_t { kOther, kNumber, kFlag, kList };
  Type type = Type::kOther;
  int count = 0;  ///< of numbers
  std::array<double, 4> number{};
  std::string_view text;  ///< as it was written
};

/// Numbers in a value of this form.
int size_of(Form form) {
  switch (form) {
    case Form::kVector: return 3;
    case Form::kQuaternion: return 4;
    case Form::kNumber:
    case Form::kFlag: break;
  }
  return 1;
}

const char* name_of(Form form) {
  switch (form) {
    case Form::kNumber: return "a number";
    case Form::kVector: return "a list of 3 numbers";
    case Form::kQuaternion: return "a list of 4 numbers";
    case Form::kFlag: break;
  }
  return "true or false";
}

bool has_form(const Value& value, Form form) {
  const bool flag = form == Form::kFlag && value.type == Value::Type::kFlag;
  const bool number = size_of(form) == 1 && value.type == Value::Type::kNumber;
  const bool list = size_of(form) > 1 && value.type == Value::Type::kList;
  return flag || ((number || list) && value.count == size_of(form));
}

/// Outside text for a message.
std::string shown(std::string_view text) { return shortened(printable(text), kLongestShown); }

/// What is wrong with it, by name and value; empty: nothing.
std::string problem_of(const ReplyKey& key, const Value& value) {
  const auto says = [&](std::string_view what) {
    return fmt::format("{} = {}: {}", key.text(), shown(value.text), what);
  };
  if (!has_form(value, key.form)) return says(fmt::format("must be {}", name_of(key.form)));
  for (int i = 0; i < value.count; ++i) {
    if (key.limits.holds(value.number[static_cast<std::size_t>(i)])) continue;
    return wrong_value_text(key.text(), shown(value.text), key.limits);
  }
  if (key.form != Form::kQuaternion) return "";
  const Quat q{value.number[0], value.number[1], value.number[2], value.number[3]};
  return kQuaternionLength.holds(norm(q)) ? "" : says("must have the length 1");
}

/// What has been seen of the keys.
class Collected {
 public:
  /// Of all that is wrong the first counts.
  void take(std::string_view section, std::string_view name, const Value& value) {
    if (section.empty() && is_section(name) && wrong_.empty()) {
      wrong_ = fmt::format("{} = {}: must be an object", name, shown(value.text));
    }
    const auto* const key = std::ranges::find_if(
        kKeys, [&](const ReplyKey& one) { return one.section == section && one.name == name; });
    if (key == std::end(kKeys)) return;
    const auto place = static_cast<std::size_t>(key - std::begin(kKeys));
    std::string problem = problem_of(*key, value);
    if (value_[place]) {
      problem = fmt::format("{} = {}: it is there twice", key->text(), shown(value.text));
    }
    value_[place] = value.number;
    std::string& wrong = place == kTimestamp ? wrong_time_ : wrong_;
    if (wrong.empty()) wrong = problem;
  }

  [[nodiscard]] DecodedReply finish() const {
    DecodedReply decoded;
    if (!wrong_time_.empty()) {
      decoded.kind = Kind::kWrongTime;
      decoded.why = wrong_time_;
    } else if (!value_[kTimestamp]) {
      decoded.why = "it lacks timestamp";
    } else {
      decoded.reply.timestamp_s = *scalar(kTimestamp);
      decoded.why = wrong_.empty() ? missing() : wrong_;
      decoded.kind = decoded.why.empty() ? Kind::kGood : Kind::kWrong;
      if (decoded.kind == Kind::kGood) fill(decoded.reply);
    }
    return decoded;
  }

 private:
  [[nodiscard]] std::string missing() const {
    for (const Key key : {kGyro, kAccel, kVelocity}) {
      if (!value_[key]) return "it lacks " + kKeys[key].text();
    }
    if (!value_[kQuaternion] && !value_[kAttitude]) return "it lacks quaternion or attitude";
    const bool placed = value_[kLatitude] || value_[kLongitude] || value_[kAltitude];
    if (!placed) return value_[kPosition] ? "" : "it lacks position";
    for (const Key key : {kLatitude, kLongitude, kAltitude}) {
      if (!value_[key]) return "it lacks " + kKeys[key].text() + ", but has others of the place";
    }
    return "";
  }

  [[nodiscard]] std::optional<double> scalar(std::size_t key) const {
    return value_[key] ? std::optional((*value_[key])[0]) : std::nullopt;
  }
  [[nodiscard]] std::optional<Vec3> vector(Key key) const {
    if (!value_[key]) return std::nullopt;
    const std::array<double, 4>& v = *value_[key];
    return Vec3{v[0], v[1], v[2]};
  }
  [[nodiscard]] std::optional<bool> flag(Key key) const {
    return value_[key] ? std::optional((*value_[key])[0] != 0.0) : std::nullopt;
  }
  [[nodiscard]] Quat attitude() const {
    const std::array<double, 4>& v = *value_[value_[kQuaternion] ? kQuaternion : kAttitude];
    return value_[kQuaternion] ? Quat{v[0], v[1], v[2], v[3]} : from_euler({v[0], v[1], v[2]});
  }

  void fill(PhysicsReply& reply) const {
    reply.rate_B_rad_s = *vector(kGyro);
    reply.specific_force_B_m_s2 = *vector(kAccel);
    reply.velocity_W_m_s = *vector(kVelocity);
    reply.attitude = attitude();
    reply.position_W_m = vector(kPosition).value_or(Vec3{});
    if (value_[kLatitude]) {
      reply.place = Geodetic{*scalar(kLatitude), *scalar(kLongitude), *scalar(kAltitude)};
    }
    reply.wind_W_m_s = vector(kWind);
    reply.airspeed_m_s = scalar(kAirspeed);
    reply.vane_direction_rad = scalar(kVaneDirection);
    reply.vane_speed_m_s = scalar(kVaneSpeed);
    reply.battery_v = scalar(kVoltage);
    reply.battery_a = scalar(kCurrent);
    reply.no_time_sync = flag(kNoTimeSync);
    reply.no_lockstep = flag(kNoLockstep);
    for (std::size_t i = 0; i < reply.range_m.size(); ++i) {
      reply.range_m[i] = scalar(kFirstRange + i);
    }
    for (std::size_t i = 0; i < reply.rc_us.size(); ++i) reply.rc_us[i] = scalar(kFirstRc + i);
  }

  std::array<std::optional<std::array<double, 4>>, kKeyCount> value_;
  std::string wrong_;
  std::string wrong_time_;
};

/// From the letters of a number that a double cannot hold: it is far below 1 or far above.
double beyond_double(std::string_view letters) {
  const std::size_t mantissa_end = std::min(letters.find_first_of("eE"), letters.size());
  const std::string_view mantissa = letters.substr(0, mantissa_end);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first_digit = mantissa.find_first_of("123456789");
  std::int64_t exponent = 0;
  if (mantissa_end < letters.size()) {
    const std::string_view text = letters.substr(mantissa_end + 1);
    const bool negative = text.starts_with('-');
    const char* const digits = text.data() + (negative || text.starts_with('+') ? 1 : 0);
    constexpr std::int64_t kMost = 1'000'000;  // outweighs the digits that a datagram holds
    const auto read = std::from_chars(digits, text.data() + text.size(), exponent);
    if (read.ec != std::errc{} || exponent > kMost) exponent = kMost;
    if (negative) exponent = -exponent;
  }
  const auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first_digit);
  return places + exponent <= 0 ? 0.0 : math::infinity();
}

class Reader {
 public:
  Reader(std::string_view text, Collected& collected) : text_(text), collected_(collected) {}

  /// The whole text is one object.
  bool read() { return next('{') && object("", 0) && (skip_space(), at_ == text_.size()); }
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

  /// After its brace. Sections are objects directly below the top; what lies deeper belongs to
  /// none: "?" is no section.
  bool object(std::string_view section, int depth) {
    if (depth > kMaxDepth) return false;
    if (next('}')) return true;
    do {
      std::string_view key;
      if (!string(key) || !next(':')) return false;
      skip_space();
      const bool opens = at_ < text_.size() && text_[at_] == '{';
      if (opens && depth == 0 && is_section(key)) {
        ++at_;
        if (!object(key, depth + 1)) return false;
      } else {
        Value value;
        const std::size_t begin = at_;
        if (!read_value(value, depth)) return false;
        value.text = text_.substr(begin, at_ - begin);
        collected_.take(section, key, value);
      }
    } while (next(','));
    return next('}');
  }

  bool read_value(Value& value, int depth) {
    std::string_view ignored;
    skip_space();
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '"') return string(ignored);
    if (next('{')) return object("?", depth + 1);
    return next('[') ? list(value, depth + 1) : scalar(value);
  }

  /// After its bracket.
  bool list(Value& value, int depth) {
    if (depth > kMaxDepth) return false;
    value.type = Value::Type::kList;
    if (next(']')) return true;
    do {
      Value element;
      if (!read_value(element, depth)) return false;
      if (element.type != Value::Type::kNumber) value.type = Value::Type::kOther;
      const auto place = static_cast<std::size_t>(value.count);
      if (place < value.number.size()) value.number[place] = element.number[0];
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
    const bool is_true = word("true");
    value.count = 1;
    if (is_true || word("false")) {
      value.type = Value::Type::kFlag;
      value.number[0] = is_true ? 1.0 : 0.0;
      return true;
    }
    value.type = Value::Type::kNumber;
    const char* const begin = text_.data() + at_;
    const auto result = std::from_chars(begin, text_.data() + text_.size(), value.number[0]);
    if (result.ec == std::errc::invalid_argument) return false;
    const auto size = static_cast<std::size_t>(result.ptr - begin);
    if (result.ec != std::errc{}) value.number[0] = beyond_double(text_.substr(at_, size));
    at_ += size;
    return true;
  }

  std::string_view text_;
  Collected& collected_;
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

}  // namespace

std::string ReplyKey::text() const {
  return section.empty() ? std::string(name) : fmt::format("{}.{}", section, name);
}

std::span<const ReplyKey> reply_keys() { return kKeys; }

DecodedReply decode_physics_reply(std::string_view datagram) {
  Collected collected;
  Reader reader(last_line(datagram), collected);
  if (reader.read()) return collected.finish();
  DecodedReply unreadable;
  unreadable.why = fmt::format("its text cannot be read beyond character {}", reader.place() + 1);
  return unreadable;
}

}  // namespace tactus
