// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A physics program for ArduPilot, small and ours: answers servo packets with JSON over UDP, flies
// an Iris, and misbehaves on demand. It prints "port N" when it listens. A packet whose count came
// before gets the answer again, as in ardupilot_gazebo; one that starts from 0 a new flight. Frames
// count from 0.
//
//   --port n             listens there (default: any free port)
//   --step-us n          its step (default 1000)
//   --rate n             steps per second instead, not in whole microseconds
//   --uneven             no two steps are the same
//   --start-ms n         its first stamp
//   --flies-on           one that starts from 0 finds the same flight
//   --angles             sends angles instead of a quaternion
//   --places             sends latitude, longitude and altitude
//   --extras             sends battery, range and airspeed
//   --no-gyro            lacks a key that is needed
//   --no-lockstep        says that it does not wait
//   --lose-every n       every n-th answer is lost …
//   --deaf-every n       … and every n-th question
//   --twice-every n      every n-th answer comes twice
//   --old-every n        before every n-th answer comes an older one
//   --late-every n       every n-th answer comes once more after the next one
//   --garbage-every n    before every n-th answer comes something senseless
//   --other-sender-every n   before every n-th answer another program sends one
//   --burst-every n      before every n-th answer come 50 of the last one
//   --die-at n           ends with status 7
//   --hang-at n          answers no more
//   --slow-at n          sleeps for 700 ms
//   --noise-at n         answers with something senseless from then on
//   --flood-at n         sends without end from then on
//   --stand-at n         stays at this time from then on
//   --creep-at n         hardly goes on from then on: a millionth of its step
//   --back-at n          its clock is set back by a second
//   --jump-at n          its clock is set forward by a second
//   --wrong key=text     a value in the place of a key's, "imu.gyro=[NaN,0,0]" …
//   --wrong-at n         … that it sends in this frame
//   --wrong-from n       … from then on

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/net/socket.h"
#include "tests/support/external_plant.h"

namespace tactus {
namespace {

using testing::DoubleOptions;
using testing::ExternalPlant;

class Physics {
 public:
  explicit Physics(const DoubleOptions& options)
      : options_(options),
        socket_(static_cast<std::uint16_t>(options.at("port", 0)), "the double"),
        step_(static_cast<std::uint64_t>(options.at("step-us", 1000))) {
    std::printf("port %d\n", socket_.port());
    std::fflush(stdout);
  }

  void run() {
    std::vector<std::byte> datagram;
    while (true) {
      const auto got =
          socket_.receive(datagram, Deadline::after(DurationUs(60'000'000)), {}, &peer_);
      if (got != ReceiveResult::kData) return;
      if (const auto packet = decode_servo_packet(datagram)) take(*packet);
    }
  }

 private:
  void take(const ServoPacket& packet) {
    if (is_every("deaf-every") && !std::exchange(deaf_, true)) return;
    deaf_ = false;
    const bool anew = packet.frame_count == 0 && count_ != 0 && !options_.has("flies-on");
    if (plant_ == nullptr || anew) {
      plant_ = std::make_unique<ExternalPlant>();
      steps_ = 0;
      offset_s_ = 1e-3 * static_cast<double>(options_.at("start-ms", 0));
    } else if (packet.frame_count == count_) {
      send(answer_);
      return;
    }
    count_ = packet.frame_count;
    misbehave();
    for (int i = 0; i < 4; ++i) {
      const int pulse = packet.pwm_us[static_cast<std::size_t>(i)];
      plant_->drive(i, std::clamp((pulse - 1000) / 1000.0, 0.0, 1.0));
    }
    ++steps_;
    plant_->advance(TimeUs(static_cast<std::uint64_t>(std::llround(time_s() * 1e6))) -
                    plant_->now());
    answer();
  }

  [[nodiscard]] double time_s() const {
    if (options_.has("uneven")) return 1e-3 * std::pow(static_cast<double>(steps_), 1.1);
    if (!options_.has("rate")) return static_cast<double>(steps_ * step_.us) * 1e-6;
    return static_cast<double>(steps_) / static_cast<double>(options_.at("rate"));
  }
  [[nodiscard]] bool is_now(const char* what) const { return options_.at(what) == count_; }
  [[nodiscard]] bool since(const char* what) const {
    return options_.has(what) && count_ >= options_.at(what);
  }
  [[nodiscard]] bool is_every(const char* what) const {
    return options_.has(what) && count_ > 10 && count_ % options_.at(what) == 0;
  }

  void misbehave() {
    if (is_now("die-at")) std::_Exit(7);
    if (since("hang-at")) std::this_thread::sleep_for(std::chrono::minutes(1));
    if (is_now("slow-at")) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    while (since("flood-at")) send(answer_);
    if (is_now("back-at")) offset_s_ -= 1.0;
    if (is_now("jump-at")) offset_s_ += 1.0;
    if (since("stand-at")) offset_s_ -= to_seconds(step_);
    if (since("creep-at")) offset_s_ -= (1.0 - 1e-6) * to_seconds(step_);
    for (int i = 0; is_every("burst-every") && i < 50; ++i) send(answer_);
    if (is_every("old-every")) send(before_);
    if (is_every("other-sender-every"))
      other_sender_.send_to(peer_, std::as_bytes(std::span(answer_)));
    if (is_every("garbage-every")) send("{\"timestamp\":tomorrow}");
  }

  void answer() {
    before_ = std::exchange(answer_, text());
    if (since("noise-at")) answer_ = "\n{\"timestamp\":}\n";
    if (!is_every("lose-every")) send(answer_);
    if (is_every("twice-every")) send(answer_);
    if (options_.has("late-every") && count_ % options_.at("late-every") == 1) send(before_);
  }

  [[nodiscard]] std::string text() const {
    const Truth truth = plant_->truth();
    PhysicsReply reply;
    reply.timestamp_s = offset_s_ + time_s();
    reply.rate_B_rad_s = truth.rate_B_rad_s;
    reply.specific_force_B_m_s2 = truth.specific_force_B_m_s2;
    reply.velocity_W_m_s = truth.velocity_W_m_s;
    reply.attitude = truth.attitude;
    reply.position_W_m = truth.position_W_m;
    if (options_.has("places")) {
      const Vec3 p = truth.position_W_m;
      reply.place = ned_to_geodetic(make_local_frame(plant_->origin()), {p.x, p.y, 0.0});
      reply.place->alt_m = altitude_msl_m(plant_->origin(), p);
      reply.position_W_m = {};
    }
    if (options_.has("extras")) {
      reply.battery_v = 11.1;
      reply.battery_a = 7.5;
      reply.range_m[0] = 3.5;
      reply.airspeed_m_s = 10.0;
    }
    if (options_.has("no-lockstep")) reply.no_lockstep = true;
    std::string text;
    encode_physics_reply(reply, text);
    if (options_.has("no-gyro")) replace(text, "gyro", "spin");
    if (options_.has("angles")) {
      const EulerAngles e = to_euler(truth.attitude);
      char angles[120];
      std::snprintf(angles, sizeof angles, "\"attitude\":[%.9f,%.9f,%.9f],\"quat\"", e.roll_rad,
                    e.pitch_rad, e.yaw_rad);
      replace(text, "\"quaternion\"", angles);
    }
    if (is_now("wrong-at") || since("wrong-from")) spoil(text);
    return text;
  }

  void spoil(std::string& text) const {
    const auto [key, value] = options_.pair("wrong");
    const std::string name = "\"" + key.substr(key.rfind('.') + 1) + "\":";
    const std::size_t begin = text.find(name) + name.size();
    const bool list = text[begin] == '[';
    const std::size_t end = list ? text.find(']', begin) + 1 : text.find_first_of(",}", begin);
    text.replace(begin, end - begin, value);
  }

  static void replace(std::string& text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  }

  void send(const std::string& text) { socket_.send_to(peer_, std::as_bytes(std::span(text))); }

  const DoubleOptions& options_;
  UdpSocket socket_;
  UdpSocket other_sender_{0, "the double"};
  DurationUs step_;
  UdpPeer peer_;
  std::unique_ptr<ExternalPlant> plant_;
  std::uint32_t count_ = 0;
  std::uint64_t steps_ = 0;
  double offset_s_ = 0.0;
  bool deaf_ = false;
  std::string answer_;
  std::string before_;
};

}  // namespace
}  // namespace tactus

int main(int count, char** arguments) {
  ::alarm(120);  // outlives no test
  const tactus::testing::DoubleOptions options(count, arguments);
  tactus::Physics(options).run();
}
