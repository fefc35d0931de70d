// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A flight with the stand-in of PX4 (tests/doubles/px4_hil_client), step by step.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/link/px4/px4_sitl.h"
#include "tests/support/hil_quad.h"

namespace tactus::testing {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline std::string double_path() {
  const char* folder = std::getenv("TACTUS_DOUBLES");
  return std::string(folder == nullptr ? "." : folder) + "/double_px4_hil_client";
}

/// An instance whose ports are not in use; tests run side by side.
inline std::int32_t free_instance() {
  for (int i = 0; i < 200; ++i) {
    const int instance = 20 + (static_cast<int>(::getpid()) + i) % 200;
    try {
      const TcpListener tcp(static_cast<std::uint16_t>(4560 + instance), "a test");
      const UdpSocket udp(static_cast<std::uint16_t>(14580 + instance), "a test");
      return instance;
    } catch (const Error&) {
      continue;
    }
  }
  return 20;
}

/// A flight with the stand-in. `how`: its options.
struct Px4Bench {
  explicit Px4Bench(const std::string& how = "", LatePolicy late = LatePolicy::kFail) {
    ::setenv("PX4_HIL_CLIENT", how.c_str(), 1);
    std::filesystem::create_directories(romfs + "/init.d-posix");
    std::ofstream(romfs + "/init.d-posix/rcS") << "\n";
    parameters.binary = double_path();
    parameters.romfs = romfs;
    parameters.instance = free_instance();
    parameters.free = true;
    link.connect_deadline = DurationUs(10'000'000);
    link.exchange_deadline = DurationUs(3'000'000);
    link.late = late;
  }

  Px4Sitl& autopilot() {
    if (!made) made.emplace(parameters, link, flight, interrupted);
    return *made;
  }
  void step() {
    autopilot().step(quad.input(), output);
    autopilot().take_notes(notes);
    autopilot().take_external_bytes(received);
    quad.advance(output.command);
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void take_off() { quad.high_level = {true, FlightMode::kTakeoff, 1}; }
  [[nodiscard]] int count(const std::string& what) const {
    int n = 0;
    for (const Note& note : notes) n += note.what == what ? 1 : 0;
    return n;
  }
  /// The message of the error that stops the flight within so many steps; empty: none did.
  std::string error_within(int count) {
    try {
      steps(count);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kPeer);
      return error.what();
    }
    return {};
  }
  [[nodiscard]] bool motors_off() const {
    for (const double drive : output.command.motor) {
      if (drive != 0.0) return false;
    }
    return true;
  }

  std::string romfs = ::testing::TempDir() + "/tactus_px4_romfs";
  Px4SitlParameters parameters;
  LinkParameters link;
  Px4Flight flight;
  Interrupted interrupted;
  HilQuad quad;
  AutopilotOutput output;
  std::vector<Note> notes;
  std::vector<ExternalBytes> received;
  std::optional<Px4Sitl> made;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Skips, visibly, without the stand-in.
class Px4SitlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(double_path())) {
      GTEST_SKIP() << double_path() << " is not there; set TACTUS_DOUBLES to its folder";
    }
  }
};

}  // namespace tactus::testing
