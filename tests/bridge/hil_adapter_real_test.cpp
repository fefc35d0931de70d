// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in autopilot flies in the real jMAVSim. TACTUS_JMAVSIM is a program that starts it,
// headless and in lockstep, on the TCP port that is its argument (docs/bridge_adapters.md).

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tactus/bridge/adapter/hil_adapter.h"
#include "tests/support/external_flight.h"

namespace tactus {
namespace {

using testing::ExternalFlight;
using testing::wall_seconds;

std::uint16_t free_port() {
  const TcpListener once(0, "a test");
  return once.port();
}

TEST(HilAdapterReal, JmavsimTakesOffHoversAndLands) {
  const char* program = std::getenv("TACTUS_JMAVSIM");
  if (program == nullptr) GTEST_SKIP() << "TACTUS_JMAVSIM is not set";
  HilOptions options;
  options.port = free_port();
  options.quirks = {HilQuirk::kAltitudeIsDown};
  ProcessParameters parameters;
  parameters.name = "jMAVSim";
  parameters.command = {program, std::to_string(options.port)};
  parameters.environment = {{"PX4_SIM_SPEED_FACTOR", "20"}};
  ChildProcess simulator(parameters);
  HilAdapter adapter(options);
  ExternalFlight flight(adapter);
  const double start_s = wall_seconds();
  flight.connect();
  EXPECT_EQ(adapter.capabilities().own_step, DurationUs(4'000));
  flight.run(2.0);
  EXPECT_TRUE(flight.frame.land.landed);
  flight.want(FlightMode::kTakeoff);
  flight.run(15.0);
  EXPECT_NEAR(flight.frame.truth.height_m, 2.5, 0.3);
  EXPECT_LT(norm(flight.frame.estimate.velocity_W_m_s), 0.5);
  EXPECT_LT(flight.frame.truth.tilt_rad, 0.2);
  EXPECT_GE(flight.frame.gps[0].count, 100U);
  std::printf("hover: height %.3f m, tilt %.3f rad, hover thrust %.3f\n",
              flight.frame.truth.height_m, flight.frame.truth.tilt_rad,
              flight.output.status.hover_thrust);
  flight.want(FlightMode::kLand);
  flight.run(20.0);
  EXPECT_TRUE(flight.frame.land.landed);
  EXPECT_FALSE(flight.output.status.armed);
  for (const std::string& words : adapter.warnings()) std::printf("%s\n", words.c_str());
  std::printf("37 s simulated in %.1f s\n", wall_seconds() - start_s);
}

}  // namespace
}  // namespace tactus
