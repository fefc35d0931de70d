// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints digests of everything that must have the same bits everywhere, one line per section:
//   NAME DIGEST SUMMARY
// The summary lets a person understand what a changed digest means for a flight. run.sh builds this
// program with every compiler and compares its output with expected.txt.
// usage: probe FOLDER [SECTION...]   (FOLDER: not used; without sections all, and their total)

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"
#include "tests/same_bits/air_flight.h"
#include "tests/same_bits/campaign_section.h"
#include "tests/same_bits/sections.h"

namespace tactus::same_bits {
namespace {

struct DigestSink {
  Digest digest;
  long count = 0;

  void add(double value) {
    digest.add(value);
    ++count;
  }
};

class CountingSink : public PlantEventSink {
 public:
  explicit CountingSink(Digest& digest) : digest_(digest) {}
  void on_event(TimeUs time, PlantEvent event) override {
    digest_.add(time);
    digest_.add(event.kind);
    digest_.add(event.index);
    ++count;
  }
  int count = 0;

 private:
  Digest& digest_;
};

Digest total;

void print(const std::string& name, const Digest& digest, const std::string& summary) {
  const Digest128 result = digest.result();
  total.add(result.high);
  total.add(result.low);
  std::printf("%-14s %s  %s\n", name.c_str(), to_hex(result).c_str(), summary.c_str());
}

template <class Section>
void print_section(const char* name, Section section) {
  DigestSink sink;
  section(sink);
  print(name, sink.digest, std::to_string(sink.count) + " numbers");
}

std::string describe(const Multirotor& vehicle, const double* x) {
  char text[200];
  const MultirotorLayout& at = vehicle.layout;
  std::snprintf(text, sizeof text, "p %.3f %.3f %.3f m, rotor 0 %.3f rad/s, charge %.6f",
                x[at.position], x[at.position + 1], x[at.position + 2], x[at.rotor_speed],
                x[at.charge]);
  return text;
}

template <Method method>
void print_air_flight(const Multirotor& vehicle) {
  struct LastSink : DigestSink {
    double last[64] = {};
    int place = 0;
    int row = 0;
    void add(double value) {
      DigestSink::add(value);
      last[place] = value;
      place = (place + 1) % row;
    }
  } sink;
  const int header = vehicle.counts.rotors + 3;
  sink.row = header + vehicle.layout.size;
  const Status status = air_flight<method>(vehicle, sink);
  print(std::string("air_") + to_text(method), sink.digest,
        status == Status::kOk ? describe(vehicle, sink.last + header) : to_text(status));
}

SolverConfig ground_config(Method method) {
  SolverConfig config = default_config(method);
  config.step_us = method == Method::kEuler ? 250 : 1'000;
  return config;
}

/// From the ground and back, with every event on the way.
void print_flight(const Multirotor& vehicle, Method method) {
  const SolverConfig config = ground_config(method);
  Digest digest;
  CountingSink events(digest);
  MultirotorState state = vehicle.initial;
  state.x[vehicle.layout.position + 2] = -vehicle.gear.position_B_m[0].z;
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, state);
  Pilot pilot;
  Weather weather;
  double highest_m = 0.0;
  while (flight.now < TimeUs(kFlight_us)) {
    weather.blow(flight.now, flight.state.x, vehicle.layout, input);
    pilot.command(vehicle, setpoint_from_ground(to_seconds(flight.now - TimeUs(0))), flight.state.x,
                  input);
    fly(vehicle, config, input, flight.now + DurationUs(kPeriod_us), flight, &events);
    digest.add(flight.now);
    digest.add_fields(input);
    digest.add_fields(flight.modes);
    digest.add(
        std::span<const double>(flight.state.x, static_cast<std::size_t>(vehicle.layout.size)));
    highest_m = math::max(highest_m, -flight.state.x[vehicle.layout.position + 2]);
  }
  digest.add_fields(flight.memory.totals);
  char text[100];
  std::snprintf(text, sizeof text, ", highest %.3f m, %d events, %llu evaluations", highest_m,
                events.count, static_cast<unsigned long long>(flight.memory.totals.evaluations));
  print(std::string("flight_") + to_text(method), digest, describe(vehicle, flight.state.x) + text);
}

using Names = std::span<const char* const>;

bool wanted(Names sections, std::string_view name) {
  return sections.empty() || std::find(sections.begin(), sections.end(), name) != sections.end();
}

template <Method method>
void print_air_flight_if_wanted(Names sections, const Multirotor& vehicle) {
  if (wanted(sections, std::string("air_") + to_text(method))) print_air_flight<method>(vehicle);
}

void run(Names sections) {
  require_same_bits();
  if (wanted(sections, "math")) print_section("math", math_section<DigestSink>);
  if (wanted(sections, "random")) print_section("random", random_section<DigestSink>);
  if (wanted(sections, "wind")) print_section("wind", wind_section<DigestSink>);
  if (wanted(sections, "campaign")) print_section("campaign", campaign_section<DigestSink>);
  const Multirotor quadratic = make_multirotor(iris_quadratic_parameters());
  print_air_flight_if_wanted<Method::kEuler>(sections, quadratic);
  print_air_flight_if_wanted<Method::kRk4>(sections, quadratic);
  print_air_flight_if_wanted<Method::kRk23>(sections, quadratic);
  print_air_flight_if_wanted<Method::kRk45>(sections, quadratic);
  print_air_flight_if_wanted<Method::kLieRk4>(sections, quadratic);
  const Multirotor iris = make_multirotor(iris_parameters());
  for (int i = 0; i < kMethods; ++i) {
    const auto method = static_cast<Method>(i);
    if (wanted(sections, std::string("flight_") + to_text(method))) print_flight(iris, method);
  }
  if (sections.empty()) std::printf("%-14s %s\n", "total", to_hex(total.result()).c_str());
}

}  // namespace
}  // namespace tactus::same_bits

int main(int argc, char** argv) {
  try {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    tactus::same_bits::run(arguments.subspan(std::min<std::size_t>(arguments.size(), 2)));
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
