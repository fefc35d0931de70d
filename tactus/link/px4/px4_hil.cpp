// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_hil.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/core/math.h"
#include "tactus/link/mavlink/mavlink_limits.h"

namespace tactus {
namespace {

using Hil = mavlink::HilSensor;

constexpr std::uint16_t kUnknownCourse = 65535;
constexpr double kCourseSpeed_m_s = 0.1;  // below it the course is noise
constexpr std::uint8_t kLooksDown = 25;   // MAV_SENSOR_ROTATION_PITCH_270
constexpr std::uint8_t kGoodSignal = 100, kNoSignal = 1;
constexpr double kPaPerHpa = 100.0;
constexpr double kCmPerM = 100.0;
constexpr std::uint8_t kArmedBit = 128;
constexpr std::size_t kMaxUnsent = std::size_t{1} << 20U;
constexpr std::size_t kMaxReceived = std::size_t{1} << 18U;  // of one step; an answer has 93 bytes
constexpr int kLooksAfterEnd = 32;                           // at what has come when a wait is over

float narrow(double value) { return static_cast<float>(value); }

std::uint16_t course(const Vec3& velocity) {
  const double degrees = math::atan2(velocity.y, velocity.x) * math::kRadToDeg;
  return mavlink::nearest<std::uint16_t>(100.0 * (degrees < 0.0 ? degrees + 360.0 : degrees));
}

mavlink::HilGps gps_message(const GpsReading& reading, int id, std::uint64_t px4_time_us) {
  const Vec3& v = reading.velocity_W_m_s;
  const double speed = math::sqrt(v.x * v.x + v.y * v.y);
  mavlink::HilGps message;
  message.time_usec = px4_time_us;
  message.id = static_cast<std::uint8_t>(id);
  message.fix_type = static_cast<std::uint8_t>(reading.fix);
  message.lat = mavlink::nearest<std::int32_t>(reading.latitude_deg * 1e7);
  message.lon = mavlink::nearest<std::int32_t>(reading.longitude_deg * 1e7);
  message.alt = mavlink::nearest<std::int32_t>(reading.altitude_msl_m * 1e3);
  // PX4 reads accuracies here, in centimetres, where the protocol says dilution of precision.
  message.eph = mavlink::nearest<std::uint16_t>(reading.horizontal_accuracy_m * 100.0);
  message.epv = mavlink::nearest<std::uint16_t>(reading.vertical_accuracy_m * 100.0);
  message.vel = mavlink::nearest<std::uint16_t>(speed * 100.0);
  message.vn = mavlink::nearest<std::int16_t>(v.x * 100.0);
  message.ve = mavlink::nearest<std::int16_t>(v.y * 100.0);
  message.vd = mavlink::nearest<std::int16_t>(v.z * 100.0);
  message.cog = speed < kCourseSpeed_m_s ? kUnknownCourse : course(v);
  message.satellites_visible = reading.satellites;
  return message;
}

mavlink::DistanceSensor range_message(const RangeReading& reading,
                                      const RangeFinderParameters& finder,
                                      std::uint64_t px4_time_us) {
  mavlink::DistanceSensor message;
  message.time_boot_ms = static_cast<std::uint32_t>(px4_time_us / 1000);
  const double noise_cm =
      kCmPerM * (finder.noise_sigma_m + finder.noise_relative * reading.distance_m);
  message.min_distance = mavlink::nearest<std::uint16_t>(finder.lowest_m * kCmPerM);
  message.max_distance = mavlink::nearest<std::uint16_t>(finder.highest_m * kCmPerM);
  message.current_distance = mavlink::nearest<std::uint16_t>(reading.distance_m * kCmPerM);
  message.orientation = kLooksDown;
  message.covariance = mavlink::nearest<std::uint8_t>(noise_cm * noise_cm);
  message.signal_quality = reading.in_range ? kGoodSignal : kNoSignal;
  return message;
}

mavlink::HilOpticalFlow flow_message(const OpticalFlowReading& reading, std::uint64_t px4_time_us) {
  mavlink::HilOpticalFlow message;
  message.time_usec = px4_time_us;
  message.integration_time_us =
      mavlink::nearest<std::uint32_t>(static_cast<double>(reading.integration.us));
  message.integrated_x = narrow(reading.flow_x_rad);
  message.integrated_y = narrow(reading.flow_y_rad);
  message.integrated_xgyro = narrow(reading.turn_S_rad.x);
  message.integrated_ygyro = narrow(reading.turn_S_rad.y);
  message.integrated_zgyro = narrow(reading.turn_S_rad.z);
  message.temperature = mavlink::nearest<std::int16_t>(reading.temperature_c * 100.0);
  message.quality = reading.quality;
  message.distance = narrow(reading.distance_m);
  return message;
}

void put_imu(const ImuReading& imu, mavlink::HilSensor& message) {
  message.xacc = narrow(imu.specific_force_B_m_s2.x);
  message.yacc = narrow(imu.specific_force_B_m_s2.y);
  message.zacc = narrow(imu.specific_force_B_m_s2.z);
  message.xgyro = narrow(imu.rate_B_rad_s.x);
  message.ygyro = narrow(imu.rate_B_rad_s.y);
  message.zgyro = narrow(imu.rate_B_rad_s.z);
}

void put_field(const MagnetometerReading& reading, mavlink::HilSensor& message) {
  message.xmag = narrow(reading.field_B_gauss.x);
  message.ymag = narrow(reading.field_B_gauss.y);
  message.zmag = narrow(reading.field_B_gauss.z);
}

void put_pressure(const BarometerReading& reading, mavlink::HilSensor& message) {
  message.abs_pressure = narrow(reading.pressure_pa / kPaPerHpa);
  message.pressure_alt = narrow(reading.altitude_m);
  message.temperature = narrow(reading.temperature_c);
}

}  // namespace

// ---- to PX4

template <class M>
void Px4HilEncoder::append(const M& message, std::vector<std::byte>& bytes) {
  const mavlink::EncodedFrame frame = mavlink::encode(message, sender_);
  bytes.insert(bytes.end(), frame.bytes().begin(), frame.bytes().end());
}

bool Px4HilEncoder::is_new(Instrument first, int index, std::uint32_t count) {
  return std::exchange(sent_[static_cast<int>(first) + index], count) != count;
}

mavlink::HilSensor Px4HilEncoder::sensor(const AutopilotInput& input, int id) {
  mavlink::HilSensor message;
  message.id = static_cast<std::uint8_t>(id);
  const ImuReading& imu = input.imu[id];
  put_imu(imu, message);
  if (is_new(Instrument::kAccelerometer0, id, imu.force_count)) {
    message.fields_updated |= Hil::kAccelerometer;
  }
  if (is_new(Instrument::kGyroscope0, id, imu.rate_count)) {
    message.fields_updated |= Hil::kGyroscope;
  }
  if (id < kMaxMagnetometers &&
      is_new(Instrument::kMagnetometer0, id, input.magnetometer[id].count)) {
    put_field(input.magnetometer[id], message);
    message.fields_updated |= Hil::kMagnetometer;
  }
  if (id < kMaxBarometers && is_new(Instrument::kBarometer0, id, input.barometer[id].count)) {
    put_pressure(input.barometer[id], message);
    message.fields_updated |= Hil::kBarometer;
  }
  if (id == 0 && is_new(Instrument::kAirspeed, 0, input.airspeed[0].count)) {
    message.diff_pressure = narrow(input.airspeed[0].differential_pressure_pa / kPaPerHpa);
    message.fields_updated |= Hil::kDifferentialPressure;
  }
  return message;
}

GyroNews Px4HilEncoder::encode(const AutopilotInput& input, std::uint64_t px4_time_us,
                               std::vector<std::byte>& bytes) {
  GyroNews news = GyroNews::kNone;
  for (int id = 0; id < kMaxImus; ++id) {
    mavlink::HilSensor message = sensor(input, id);
    message.time_usec = px4_time_us;
    // The first goes even if it is empty: it moves the clock.
    if (id == 0 || message.fields_updated != 0) append(message, bytes);
    if ((message.fields_updated & Hil::kGyroscope) == 0) continue;
    if (id == 0) news = GyroNews::kPrimary;
    if (news == GyroNews::kNone) news = GyroNews::kOther;
  }
  for (int id = 0; id < kMaxGps; ++id) {
    if (!is_new(Instrument::kGps0, id, input.gps[id].count)) continue;
    append(gps_message(input.gps[id], id, px4_time_us), bytes);
  }
  const RangeReading& range = input.range_finder[0];
  if (is_new(Instrument::kRangeFinder, 0, range.count)) {
    append(range_message(range, sensors_.range_finder.parameters, px4_time_us), bytes);
  }
  // The first has no interval, and PX4 divides by it.
  const OpticalFlowReading& flow = input.optical_flow[0];
  if (is_new(Instrument::kOpticalFlow, 0, flow.count) && flow.integration.us > 0) {
    append(flow_message(flow, px4_time_us), bytes);
  }
  return news;
}

// ---- the connection

Px4HilLink::Px4HilLink(std::unique_ptr<ByteStream> stream, Interrupted interrupted)
    : stream_(std::move(stream)), interrupted_(std::move(interrupted)) {}

void Px4HilLink::send(std::span<const std::byte> messages) {
  if (unsent_.size() < kMaxUnsent) {
    unsent_.insert(unsent_.end(), messages.begin(), messages.end());
  }
  std::span<const std::byte> rest(unsent_);
  if (stream_->send_some(rest) == ReceiveResult::kClosed) closed_ = true;
  unsent_.erase(unsent_.begin(), unsent_.end() - static_cast<std::ptrdiff_t>(rest.size()));
}

HilAnswer Px4HilLink::wait(std::uint64_t px4_time_us, Deadline deadline) {
  flooded_ = false;
  const std::size_t first = received_.size();
  int looks_after_end = 0;
  while (controls_.time_usec != px4_time_us || answers_ == 0) {
    if (closed_) return HilAnswer::kClosed;
    if (interrupted_ && interrupted_()) return HilAnswer::kInterrupted;
    const std::size_t before = received_.size();
    flooded_ = before - first >= kMaxReceived;
    if (flooded_ || (deadline.passed() && ++looks_after_end > kLooksAfterEnd)) {
      return HilAnswer::kLate;
    }
    switch (stream_->receive(received_, deadline, interrupted_)) {
      case ReceiveResult::kData: break;
      case ReceiveResult::kIdle: return HilAnswer::kNone;
      case ReceiveResult::kTimeout: return HilAnswer::kLate;
      case ReceiveResult::kInterrupted: return HilAnswer::kInterrupted;
      case ReceiveResult::kClosed: closed_ = true; break;
    }
    parser_.feed(std::span<const std::byte>(received_).subspan(before),
                 [&](const mavlink::Frame& frame) {
                   mavlink::HilActuatorControls controls;
                   if (mavlink::decode(frame, controls)) take(controls, px4_time_us);
                 });
  }
  return HilAnswer::kAnswered;
}

void Px4HilLink::take(const mavlink::HilActuatorControls& controls, std::uint64_t px4_time_us) {
  if (controls.time_usec > px4_time_us || controls.time_usec < controls_.time_usec) {
    ++wrong_times_;
    return;
  }
  ++answers_;
  controls_ = controls;
}

std::vector<std::byte> Px4HilLink::take_bytes() { return std::exchange(received_, {}); }

// ---- from PX4

bool is_armed(const mavlink::HilActuatorControls& controls) {
  return (controls.mode & kArmedBit) != 0;
}

std::string wrong_control(const mavlink::HilActuatorControls& controls, int motor_count) {
  return is_armed(controls) ? mavlink::wrong_value(controls, motor_count) : std::string();
}

Command motor_command(const mavlink::HilActuatorControls& controls, int motor_count) {
  Command command;
  if (!is_armed(controls)) return command;
  for (int i = 0; i < motor_count; ++i) {
    const double drive = static_cast<double>(controls.controls[i]);
    command.motor[i] = math::is_nan(drive) ? 0.0 : math::clamp(drive, 0.0, 1.0);
  }
  return command;
}

}  // namespace tactus
