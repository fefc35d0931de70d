// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// `far_from_events` only saves work: a flight that always searches inside its steps finds the same
// events at the same microseconds and has the same bits.

#include <gtest/gtest.h>

#include <vector>

#include "tactus/plant/iris.h"
#include "tactus/vehicle/multirotor_flight.h"

namespace tactus {
namespace {

/// The multirotor without the shortcut.
struct WatchfulSystem {
  static constexpr int kCapacity = MultirotorSystem::kCapacity;
  static constexpr int kGuardCapacity = MultirotorSystem::kGuardCapacity;
  MultirotorSystem inner;

  [[nodiscard]] int size() const { return inner.size(); }
  [[nodiscard]] const StateGroups& groups() const { return inner.groups(); }
  [[nodiscard]] bool depends_on_time() const { return inner.depends_on_time(); }
  Status derivative(double t_s, const double* x, double* dx) const {
    return inner.derivative(t_s, x, dx);
  }
  int project(double* x) const { return inner.project(x); }
  [[nodiscard]] int guard_count() const { return inner.guard_count(); }
  void guards(double t_s, const double* x, double* g) const { inner.guards(t_s, x, g); }
};

struct Found {
  std::uint64_t at_us;
  int guard;
  bool operator==(const Found&) const = default;
};

struct Flown {
  std::vector<Found> found;
  MultirotorState state;
  std::uint64_t evaluations = 0;
};

struct Case {
  const char* name;
  double height_m;
  double command;       ///< of all motors, from the start
  double late_command;  ///< from half a second on
  double soc;
};

template <class MakeSystem>
Flown fly_case(const Case& given, Method method, MakeSystem make) {
  MultirotorParameters parameters = iris_quadratic_parameters();
  parameters.power.pack[0].soc0 = given.soc;
  const Multirotor vehicle = make_multirotor(parameters);
  MultirotorState start = vehicle.initial;
  start.x[vehicle.layout.position + 2] -= given.height_m;
  if (given.command > 0.0) {
    for (int i = 0; i < 4; ++i) start.x[vehicle.layout.rotor_speed + i] = 480.0;
  }
  SolverConfig config = default_config(method);
  if (!is_adaptive(method)) config.step_us = 1'000;
  MultirotorInput input;
  MultirotorFlight flight = start_flight(vehicle, input, start);
  Flown flown;
  for (std::uint64_t tick_us = 0; tick_us < 3'000'000; tick_us += 20'000) {
    for (double& motor : input.motor_command) {
      motor = tick_us < 500'000 ? given.command : given.late_command;
    }
    flight.memory.invalidate_derivative();
    const TimeUs end(tick_us + 20'000);
    while (flight.now < end) {
      settle(vehicle, input, flight);
      const TimeUs restart = next_restart(flight.modes);
      const AdvanceResult result =
          advance(make(make_system(vehicle, flight.modes, input)), config, flight.memory,
                  flight.now, restart < end ? restart : end, flight.state.x);
      EXPECT_EQ(result.status, Status::kOk) << given.name;
      if (result.status != Status::kOk) return flown;
      flight.now = result.reached;
      if (result.guard >= 0) flown.found.push_back({flight.now.us, result.guard});
    }
  }
  flown.state = flight.state;
  flown.evaluations = flight.memory.totals.evaluations;
  return flown;
}

TEST(FarFromEvents, OnlySavesWork) {
  const Case cases[] = {
      {"dropped on its gear", 0.5, 0.0, 0.0, 1.0},
      {"hover, then motors off", 2.0, 0.55, 0.0, 1.0},
      {"full drive on an almost empty pack", 5.0, 0.55, 1.0, 0.002},
      {"up and away", 0.0, 0.7, 0.7, 1.0},
      {"bounces a little", 0.02, 0.0, 0.0, 1.0},
      {"light on its gear", 0.0, 0.5, 0.0, 1.0},
      {"at rest", 0.0, 0.0, 0.0, 1.0},
  };
  for (const Case& given : cases) {
    for (const Method method : {Method::kRk4, Method::kRk23, Method::kRk45, Method::kLieRk4}) {
      SCOPED_TRACE(::testing::Message() << given.name << ", " << to_text(method));
      const Flown far =
          fly_case(given, method, [](const MultirotorSystem& system) { return system; });
      const Flown watchful = fly_case(
          given, method, [](const MultirotorSystem& system) { return WatchfulSystem{system}; });
      EXPECT_EQ(far.found, watchful.found);
      for (int i = 0; i < kMultirotorCapacity; ++i) {
        EXPECT_EQ(far.state.x[i], watchful.state.x[i]) << i;
      }
      EXPECT_LE(far.evaluations, watchful.evaluations);
    }
  }
}

TEST(FarFromEvents, TheCasesHaveEvents) {
  const auto same = [](const MultirotorSystem& system) { return system; };
  EXPECT_GE(fly_case({"", 0.5, 0.0, 0.0, 1.0}, Method::kRk45, same).found.size(), 4U);
  EXPECT_GE(fly_case({"", 5.0, 0.55, 1.0, 0.002}, Method::kRk45, same).found.size(), 2U);
}

}  // namespace
}  // namespace tactus
