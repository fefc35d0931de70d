// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The bridge with up to ten vehicles: latency from sensors to actuators, in process and with one
// simulator behind a socket; what it costs over ten single flights; what a second thread gives.
// Wall times need an idle machine. `bench_bridge alone|bridged SECONDS` flies that once, for
// bench/bridge_share.sh.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tactus/bridge/adapter/json_adapter.h"
#include "tactus/bridge/bridge.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/net/socket.h"
#include "tests/support/fleet.h"

namespace tactus {
namespace {

using testing::add_builtin;
using testing::builtin_vehicle;
using testing::fleet_spec;
using testing::FleetFlight;
using testing::fly_alone;
using testing::fly_bridged;

constexpr int kVehicles = 10;
constexpr TimeUs kTenThousandSteps{40'000'000};

double wall_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A physics program on a real socket, on which the vehicle stands still in steps of 4 ms.
class StandingPhysics {
 public:
  StandingPhysics() : thread_([this] { answer(); }) {}
  ~StandingPhysics() {
    over_ = true;
    thread_.join();
  }
  StandingPhysics(const StandingPhysics&) = delete;
  StandingPhysics& operator=(const StandingPhysics&) = delete;
  [[nodiscard]] std::uint16_t port() const { return socket_.port(); }

 private:
  void answer() {
    std::vector<std::byte> datagram;
    while (!over_) {
      UdpPeer from;
      const Deadline soon = Deadline::after(DurationUs(50'000));
      if (socket_.receive(datagram, soon, {}, &from) != ReceiveResult::kData) continue;
      const auto packet = decode_servo_packet(datagram);
      if (!packet) continue;
      const std::string text =
          fmt::format(R"({{"timestamp":{:.6f},"imu":{{"gyro":[0,0,0],"accel_body":[0,0,-9.81]}},)"
                      R"("position":[0,0,0],"velocity":[0,0,0],"quaternion":[1,0,0,0]}})"
                      "\n",
                      0.004 * (packet->frame_count + 1));
      socket_.send_to(from, std::as_bytes(std::span(text)));
    }
  }

  UdpSocket socket_{0, "the benchmark"};
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

void print_percentiles(const char* what, const Histogram& times) {
  const auto ms = [](std::uint64_t ns) { return static_cast<double>(ns) * 1e-6; };
  fmt::print("  {:<32} p50 {:.3f}  p99 {:.3f}  p99.9 {:.3f}  longest {:.3f} ms\n", what,
             ms(times.percentile_ns(0.5)), ms(times.percentile_ns(0.99)),
             ms(times.percentile_ns(0.999)), ms(times.largest_ns()));
}

/// Ten thousand steps; the last vehicle is behind a socket if wanted.
void measure_latency(int vehicles, bool socket) {
  StandingPhysics physics;
  Bridge bridge;
  const auto left = std::make_shared<BuiltinAdapter>();
  const auto right = std::make_shared<BuiltinAdapter>();
  bridge.register_adapter("left", left);
  bridge.register_adapter("right", right);
  if (socket) {
    JsonOptions options;
    options.port = physics.port();
    bridge.register_adapter("external", std::make_shared<JsonAdapter>(options));
  }
  for (int i = 0; i < vehicles; ++i) {
    const auto id = static_cast<VehicleId>(i);
    const Spec spec = fleet_spec(i, "60.0");
    const bool external = socket && i == vehicles - 1;
    if (!external) add_builtin(i % 2 == 0 ? *left : *right, id, spec, {});
    bridge.spawn(builtin_vehicle(id, spec), external ? "external" : i % 2 == 0 ? "left" : "right");
  }
  bridge.run_until(kTenThousandSteps);
  bridge.stop();
  fmt::print("vehicles: {}, 10000 steps, {}:\n", vehicles,
             socket ? "one of them behind a socket" : "two simulators in process");
  print_percentiles("sensors to actuators", bridge.latency());
  print_percentiles("whole step", bridge.step_time());
  for (const AdapterReport& report : bridge.reports()) {
    if (report.wait.count() > 0) print_percentiles("wait for the socket", report.wait);
  }
}

void fly_ten_alone(const std::string& end_s) {
  for (int id = 0; id < kVehicles; ++id) fly_alone(fleet_spec(id, end_s));
}

void fly_ten_bridged(const std::string& end_s, std::size_t threads) {
  FleetFlight flight;
  flight.vehicles = kVehicles;
  flight.threads = threads;
  flight.end_s = end_s;
  fly_bridged(flight);
}

template <class Fly>
double best_of_three_s(Fly fly) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = wall_s();
    fly();
    best = std::min(best, wall_s() - begin);
  }
  return best;
}

void measure_speed() {
  const std::string end_s = "40.0";
  const double alone = best_of_three_s([&] { fly_ten_alone(end_s); });
  const double one = best_of_three_s([&] { fly_ten_bridged(end_s, 1); });
  const double two = best_of_three_s([&] { fly_ten_bridged(end_s, 2); });
  fmt::print("ten flights of 40 s, wall time, best of three:\n");
  fmt::print("  alone, one after the other       {:.3f} s\n", alone);
  fmt::print("  bridged, one thread              {:.3f} s, {:+.1f} %\n", one,
             100.0 * (one / alone - 1.0));
  fmt::print("  bridged, two threads             {:.3f} s, {:.2f} times as fast as one\n", two,
             one / two);
}

}  // namespace
}  // namespace tactus

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const std::string end_s = count > 2 ? arguments[2] : "10.0";
  if (what == "alone") {
    tactus::fly_ten_alone(end_s);
  } else if (what == "bridged") {
    tactus::fly_ten_bridged(end_s, 1);
  } else {
    tactus::measure_latency(1, false);
    tactus::measure_latency(10, false);
    tactus::measure_latency(10, true);
    tactus::measure_speed();
  }
}
