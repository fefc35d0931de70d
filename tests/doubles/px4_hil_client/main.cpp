// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A stand-in for PX4 SITL, small and ours: speaks MAVLink HIL over TCP and MAVLink over UDP on
// PX4's ports, holds a height with a simple controller, and misbehaves on demand.
//
// usage: double_px4_hil_client [-d] [-i N] [ROMFS] [--OPTION VALUE]…, and the same options in the
// environment variable PX4_HIL_CLIENT, because Tactus starts it with PX4's arguments.
//   --boot-steps n     does not answer the first n (default 1)
//   --die-at n         ends with status 7 at step n
//   --stop-at n        stops itself (SIGSTOP) at step n
//   --mute-at n        does not answer from step n on …
//   --mute-until m     … until step m
//   --close-at n       closes the connection at step n but goes on running
//   --garbage-at n     sends 1000 bytes of noise before the answer of step n
//   --noise-at n       sends noise instead of answers from step n on
//   --wrong-time-at n  answers of steps from n on carry a time one second ahead
//   --wild-at n        answers of steps from n on ask for 1e30 of a motor …
//   --wild-until m     … until step m
//   --slow-at n        the answer of step n comes 300 ms late
//   --no-connect       runs, but never connects
//   --refuse-arming    denies it

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "tactus/link/net/socket.h"
#include "tests/doubles/px4_hil_client/controller.h"
#include "tests/doubles/px4_hil_client/vehicle_link.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace tactus {
namespace {

constexpr std::uint32_t kGyroscopeBits = 0x38;
constexpr std::uint32_t kBarometerBits = 0x1A00;

struct Options {
  int instance = 0;
  std::map<std::string, long> number;

  [[nodiscard]] long at(const std::string& name, long otherwise = -1) const {
    const auto found = number.find(name);
    return found == number.end() ? otherwise : found->second;
  }
  [[nodiscard]] bool has(const std::string& name) const { return number.count(name) != 0; }
};

void read_words(std::istream& words, Options& options) {
  std::string word;
  while (words >> word) {
    if (word == "-i") words >> options.instance;
    if (word.rfind("--", 0) != 0) continue;
    const bool flag = word == "--no-connect" || word == "--refuse-arming";
    long value = 1;
    if (!flag) words >> value;
    options.number[word.substr(2)] = value;
  }
}

Options read_options(int count, char** arguments) {
  std::stringstream words;
  for (int i = 1; i < count; ++i) words << arguments[i] << ' ';
  if (const char* more = std::getenv("PX4_HIL_CLIENT")) words << more;
  Options options;
  read_words(words, options);
  return options;
}

/// What it was set to, so that a test can read it on the console.
void print_parameters() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string(*entry).rfind("PX4_", 0) == 0) std::printf("%s\n", *entry);
  }
  std::fflush(stdout);
}

class Client {
 public:
  Client(const Options& options, TcpStream stream)
      : options_(options), stream_(std::move(stream)), vehicle_(options.instance) {
    vehicle_.refuse_arming = options.has("refuse-arming");
    mavlink::Heartbeat heartbeat;
    heartbeat.autopilot = 12;
    send(heartbeat);
  }

  int run() {
    std::vector<std::byte> bytes;
    while (true) {
      bytes.clear();
      const ReceiveResult result = stream_.receive(bytes, Deadline::after(DurationUs(5'000)));
      if (result == ReceiveResult::kClosed) return 0;
      parser_.feed(bytes, [this](const mavlink::Frame& frame) {
        mavlink::HilSensor sensor;
        if (mavlink::decode(frame, sensor) && sensor.id == 0) take(sensor);
      });
      vehicle_.receive(time_us_);
    }
  }

 private:
  void take(const mavlink::HilSensor& sensor) {
    time_us_ = sensor.time_usec;
    ++step_;
    if ((sensor.fields_updated & kBarometerBits) == kBarometerBits) {
      controller_.take_height(static_cast<double>(sensor.pressure_alt));
    }
    misbehave();
    vehicle_.send_due(time_us_);
    if ((sensor.fields_updated & kGyroscopeBits) != kGyroscopeBits) return;
    controller_.take_rates({static_cast<double>(sensor.xgyro), static_cast<double>(sensor.ygyro),
                            static_cast<double>(sensor.zgyro)},
                           time_us_);
    if (step_ > options_.at("boot-steps", 1)) answer();
  }

  [[nodiscard]] bool is_now(const char* what) const { return options_.at(what) == step_; }
  [[nodiscard]] bool since(const char* what) const {
    return options_.has(what) && step_ >= options_.at(what);
  }

  void misbehave() {
    if (is_now("die-at")) {
      std::printf("dying as told, at step %ld\n", step_);
      std::fflush(stdout);
      std::_Exit(7);
    }
    if (is_now("stop-at")) std::raise(SIGSTOP);
    if (is_now("slow-at")) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    if (is_now("garbage-at") || since("noise-at")) send_noise();
    if (is_now("close-at")) {
      { const TcpStream closed = std::move(stream_); }
      std::this_thread::sleep_for(std::chrono::minutes(1));
    }
  }

  void send_noise() {
    std::vector<std::byte> noise(1000);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = std::byte(i * i * 31 + i * 7 + 0xFD);
    stream_.send(noise, Deadline::after(DurationUs(1'000'000)));
  }

  void answer() {
    if (since("noise-at")) return;
    if (since("mute-at") && step_ < options_.at("mute-until", step_ + 1)) return;
    mavlink::HilActuatorControls controls;
    controls.time_usec = time_us_ + (since("wrong-time-at") ? 1'000'000 : 0);
    controls.flags = 1;
    controls.mode = vehicle_.armed() ? 129 : 1;
    if (vehicle_.armed()) controller_.drive(vehicle_.flies(), controls.controls);
    if (since("wild-at") && !since("wild-until")) controls.controls[2] = 1e30F;
    send(controls);
  }

  template <class M>
  void send(const M& message) {
    const mavlink::EncodedFrame frame = mavlink::encode(message, sender_);
    stream_.send(frame.bytes(), Deadline::after(DurationUs(1'000'000)));
  }

  Options options_;
  TcpStream stream_;
  mavlink::Sender sender_{.system = 1, .component = 1};
  mavlink::Parser parser_;
  VehicleLink vehicle_;
  Controller controller_;
  std::uint64_t time_us_ = 0;
  long step_ = 0;
};

int run(const Options& options) {
  print_parameters();
  if (options.has("no-connect")) std::this_thread::sleep_for(std::chrono::minutes(1));
  auto stream = TcpStream::connect(static_cast<std::uint16_t>(4560 + options.instance),
                                   Deadline::after(DurationUs(20'000'000)));
  if (!stream) return 1;
  std::printf("connected\n");
  std::fflush(stdout);
  return Client(options, std::move(*stream)).run();
}

}  // namespace
}  // namespace tactus

int main(int count, char** arguments) {
  return tactus::run(tactus::read_options(count, arguments));
}
