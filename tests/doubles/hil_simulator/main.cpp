// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A simulator for PX4, small and ours: speaks MAVLink HIL over TCP, flies an Iris, and misbehaves
// on demand. It prints "port N" when it listens. Steps count from the first HIL_SENSOR.
//
//   --port n          listens there (default: any free port)
//   --connect n       connects to this port instead
//   --connections n   ends after so many (default 1)
//   --flies-on        all of them are of the same flight
//   --step-us n       its step (default 4000)
//   --start-us n      its first stamp
//   --state-every n   sends HIL_STATE_QUATERNION with every n-th step only
//   --no-state        never sends it
//   --down            its altitude is the position down
//   --second-imu      sends HIL_SENSOR 1, too
//   --cut             hands its bytes over one by one
//   --free            goes on without replies
//   --patient         asks for nothing, and waits for a reply from its first step on
//   --mute            sends nothing
//   --drop-state-at n sends no state from step n on
//   --die-at n        ends with status 7
//   --close-at n      closes the connection
//   --hang-at n       sends nothing more but stays
//   --slow-at n       sleeps for 700 ms
//   --garbage-at n    sends 1000 senseless bytes before
//   --noise-at n      sends nothing but senseless bytes from then on
//   --flood-at n      sends nothing but HEARTBEATs from then on
//   --twice-at n      sends HIL_SENSOR twice
//   --stand-at n      stays at this time from then on
//   --back-at n       its clock is set back by a second
//   --ahead-at n      makes one step without a reply
//   --jump-at n       its clock is set forward by a second
//   --swap-at n       sends this step after the next one
//   --wrong m.f=v     a value of a field of a message, "HIL_SENSOR.xacc=nan" …
//   --wrong-at n      … that it sends in this step
//   --wrong-from n    … from then on
//   --wrong-until n   … and no longer

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/px4/px4_hil.h"
#include "tactus/world/geodesy.h"
#include "tests/support/external_plant.h"

namespace tactus {
namespace {

using testing::DoubleOptions;
using testing::ExternalPlant;

constexpr DurationUs kWait{60'000'000};
constexpr std::uint32_t kEveryInstrument = 0x1BFF;
constexpr std::uint16_t kSetMessageInterval = 511;

float narrow(double value) { return static_cast<float>(value); }

class Simulator {
 public:
  Simulator(const DoubleOptions& options, TcpStream stream, ExternalPlant& plant)
      : options_(options),
        stream_(std::move(stream)),
        plant_(plant),
        step_us_(static_cast<std::uint64_t>(options.at("step-us", 4000))),
        offset_us_(options.at("start-us", 1'000'000)) {}

  void run() {
    if (options_.has("mute")) {
      std::this_thread::sleep_for(std::chrono::minutes(1));
      return;
    }
    const bool patient = options_.has("patient");
    while (!patient && !(has_heartbeat_ && asked_)) {
      if (!receive_all(Deadline::after(kWait))) return;
    }
    if (patient && !make_instant()) return;
    // Freely until the first reply, as those that we stand in for.
    for (int i = 0; i < 5 && replies_ == 0 && !patient; ++i) {
      if (!make_instant()) return;
      receive_all(Deadline::after(DurationUs(2'000)));
    }
    while (true) {
      while (replies_ == 0 && !options_.has("free")) {
        if (!receive_all(Deadline::after(kWait))) return;
      }
      if (options_.has("free")) receive_all(Deadline::after(DurationUs(1'000)));
      if (closed_) return;
      if (replies_ > 0) --replies_;
      plant_.advance(DurationUs(step_us_));
      ++step_;
      if (!make_instant()) return;
      if (is_now("ahead-at")) ++replies_;
    }
  }

 private:
  bool receive_all(Deadline deadline) {
    bytes_.clear();
    const ReceiveResult result = stream_.receive(bytes_, deadline);
    closed_ = result == ReceiveResult::kClosed;
    if (result != ReceiveResult::kData) return false;
    parser_.feed(bytes_, [this](const mavlink::Frame& frame) {
      mavlink::HilActuatorControls controls;
      mavlink::CommandLong wanted;
      has_heartbeat_ |= frame.id() == mavlink::Heartbeat::kId;
      asked_ |= mavlink::decode(frame, wanted) && wanted.command == kSetMessageInterval &&
                wanted.param1 == 115.0F && wanted.param2 > 0.0F;
      if (!mavlink::decode(frame, controls)) return;
      ++replies_;
      const Command command = motor_command(controls, 4);
      for (int i = 0; i < 4; ++i) plant_.drive(i, command.motor[i]);
    });
    return true;
  }

  [[nodiscard]] bool is_now(const char* what) const { return options_.at(what) == step_; }
  [[nodiscard]] bool since(const char* what) const {
    return options_.has(what) && step_ >= options_.at(what);
  }
  [[nodiscard]] std::uint64_t stamp() const {
    return static_cast<std::uint64_t>(static_cast<long long>(plant_.now().us) + offset_us_);
  }

  /// False: no more of this connection.
  bool make_instant() {
    if (is_now("die-at")) std::_Exit(7);
    if (is_now("close-at")) return false;
    if (since("hang-at")) std::this_thread::sleep_for(std::chrono::minutes(1));
    if (is_now("slow-at")) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    if (is_now("garbage-at")) send_noise();
    while (since("noise-at")) {
      if (!send_noise()) return false;
    }
    while (since("flood-at")) {
      if (!send(mavlink::Heartbeat{})) return false;
    }
    if (is_now("back-at")) offset_us_ -= 1'000'000;
    if (is_now("jump-at")) offset_us_ += 1'000'000;
    if (since("stand-at")) offset_us_ -= static_cast<long long>(step_us_);
    if (is_now("swap-at")) offset_us_ += static_cast<long long>(step_us_);
    if (is_now("twice-at")) send(sensor());
    do {
      if (!send(sensor())) return false;
    } while (since("stand-at"));
    if (is_now("swap-at")) {
      offset_us_ -= static_cast<long long>(step_us_);
      send(sensor());
    }
    send_rest();
    return true;
  }

  void send_rest() {
    if (options_.has("second-imu")) {
      mavlink::HilSensor other = sensor();
      other.id = 1;
      send(other);
    }
    const bool drops = since("drop-state-at") || options_.has("no-state");
    if (!drops && step_ % options_.at("state-every", 1) == 0) send(state());
    if (stamp() % 100'000 < step_us_) send(gps());
  }

  [[nodiscard]] mavlink::HilSensor sensor() const {
    const Truth truth = plant_.truth();
    mavlink::HilSensor message;
    message.time_usec = stamp();
    message.xacc = narrow(truth.specific_force_B_m_s2.x);
    message.yacc = narrow(truth.specific_force_B_m_s2.y);
    message.zacc = narrow(truth.specific_force_B_m_s2.z);
    message.xgyro = narrow(truth.rate_B_rad_s.x);
    message.ygyro = narrow(truth.rate_B_rad_s.y);
    message.zgyro = narrow(truth.rate_B_rad_s.z);
    const Vec3 field = rotate_inverse(truth.attitude, {0.21, 0.01, 0.43});
    message.xmag = narrow(field.x);
    message.ymag = narrow(field.y);
    message.zmag = narrow(field.z);
    message.abs_pressure = 955.0F;
    message.pressure_alt = narrow(altitude_msl_m(plant_.origin(), truth.position_W_m));
    message.temperature = 11.0F;
    message.fields_updated = kEveryInstrument;
    return message;
  }

  [[nodiscard]] Geodetic place() const {
    const Vec3 p = plant_.truth().position_W_m;
    Geodetic place = ned_to_geodetic(make_local_frame(plant_.origin()), {p.x, p.y, 0.0});
    place.alt_m = altitude_msl_m(plant_.origin(), p);
    return place;
  }

  [[nodiscard]] mavlink::HilStateQuaternion state() const {
    const Truth truth = plant_.truth();
    mavlink::HilStateQuaternion message;
    message.time_usec = stamp();
    message.attitude_quaternion[0] = narrow(truth.attitude.w);
    message.attitude_quaternion[1] = narrow(truth.attitude.x);
    message.attitude_quaternion[2] = narrow(truth.attitude.y);
    message.attitude_quaternion[3] = narrow(truth.attitude.z);
    message.rollspeed = narrow(truth.rate_B_rad_s.x);
    message.pitchspeed = narrow(truth.rate_B_rad_s.y);
    message.yawspeed = narrow(truth.rate_B_rad_s.z);
    message.lat = mavlink::nearest<std::int32_t>(place().lat_deg * 1e7);
    message.lon = mavlink::nearest<std::int32_t>(place().lon_deg * 1e7);
    const double alt_m = options_.has("down") ? truth.position_W_m.z : place().alt_m;
    message.alt = mavlink::nearest<std::int32_t>(alt_m * 1e3);
    message.vx = mavlink::nearest<std::int16_t>(truth.velocity_W_m_s.x * 100.0);
    message.vy = mavlink::nearest<std::int16_t>(truth.velocity_W_m_s.y * 100.0);
    message.vz = mavlink::nearest<std::int16_t>(truth.velocity_W_m_s.z * 100.0);
    return message;
  }

  [[nodiscard]] mavlink::HilGps gps() const {
    mavlink::HilGps message;
    message.time_usec = stamp();
    message.fix_type = 3;
    message.satellites_visible = 12;
    message.lat = mavlink::nearest<std::int32_t>(place().lat_deg * 1e7);
    message.lon = mavlink::nearest<std::int32_t>(place().lon_deg * 1e7);
    message.alt = mavlink::nearest<std::int32_t>(place().alt_m * 1e3);
    message.eph = 40;
    message.epv = 60;
    return message;
  }

  bool send_noise() {
    std::vector<std::byte> noise(1000);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = std::byte(i * i * 31 + i * 7 + 0xFD);
    return send_bytes(noise);
  }

  template <class M>
  void spoil(M& message) const {
    const auto wrong = options_.pair("wrong");
    const std::string& field = wrong.first;
    const std::string& value = wrong.second;
    for_each_leaf(message, [&](const LeafPath& path, auto& leaf) {
      if (field != std::string(M::kName) + "." + path.text()) return;
      using Leaf = std::remove_cvref_t<decltype(leaf)>;
      leaf = std::is_floating_point_v<Leaf>
                 ? static_cast<Leaf>(std::strtod(value.c_str(), nullptr))
                 : static_cast<Leaf>(std::strtoull(value.c_str(), nullptr, 10));
    });
  }

  template <class M>
  bool send(M message) {
    if (is_now("wrong-at") || (since("wrong-from") && !since("wrong-until"))) spoil(message);
    return send_bytes(mavlink::encode(message, sender_).bytes());
  }

  bool send_bytes(std::span<const std::byte> bytes) {
    const std::size_t piece = options_.has("cut") ? 1 : bytes.size();
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      const ReceiveResult sent = stream_.send(bytes.subspan(i, piece), Deadline::after(kWait));
      if (sent != ReceiveResult::kData) return false;
    }
    return true;
  }

  const DoubleOptions& options_;
  TcpStream stream_;
  ExternalPlant& plant_;
  mavlink::Sender sender_{.system = 1, .component = 51};
  mavlink::Parser parser_;
  std::vector<std::byte> bytes_;
  std::uint64_t step_us_;
  long long offset_us_;  ///< of its stamps
  long long step_ = 0;
  int replies_ = 0;
  bool has_heartbeat_ = false;
  bool asked_ = false;
  bool closed_ = false;
};

int run(const DoubleOptions& options) {
  auto plant = std::make_unique<ExternalPlant>();
  if (options.has("connect")) {
    auto stream = TcpStream::connect(static_cast<std::uint16_t>(options.at("connect")),
                                     Deadline::after(kWait));
    if (stream) Simulator(options, std::move(*stream), *plant).run();
    return 0;
  }
  TcpListener listener(static_cast<std::uint16_t>(options.at("port", 0)), "the double");
  std::printf("port %d\n", listener.port());
  std::fflush(stdout);
  for (long long i = 0; i < options.at("connections", 1); ++i) {
    auto stream = listener.accept(Deadline::after(kWait));
    if (!stream) return 1;
    if (!options.has("flies-on")) plant = std::make_unique<ExternalPlant>();
    Simulator(options, std::move(*stream), *plant).run();
  }
  return 0;
}

}  // namespace
}  // namespace tactus

int main(int count, char** arguments) {
  ::alarm(120);  // outlives no test
  return tactus::run(tactus::testing::DoubleOptions(count, arguments));
}
