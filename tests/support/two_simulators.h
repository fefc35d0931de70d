// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A bridge with two simulators and a clock for tests, and what is often asked of it.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/bridge/bridge.h"
#include "tactus/core/error.h"
#include "tests/support/scripted_simulator.h"

namespace tactus::testing {

inline constexpr TimeUs kEnd{2'000'000};

inline std::string error_text(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline const std::vector<TimeUs>& times_of(Bridge& bridge, VehicleId id) {
  return dynamic_cast<const EchoAutopilot&>(bridge.vehicle(id).autopilot()).times;
}

inline LinkParameters quick(LatePolicy policy) {
  LinkParameters link;
  link.exchange_deadline = DurationUs(500'000);
  link.late = policy;
  return link;
}

/// Sleeps by going on.
class TestClock final : public WallClock {
 public:
  [[nodiscard]] std::uint64_t now_ns() const override { return ns; }
  void sleep_until_ns(std::uint64_t instant_ns) override { ns = std::max(ns, instant_ns); }
  std::uint64_t ns = 1'000;
};

/// Two simulators with two vehicles each; "bad" is the one that a test spoils.
struct TwoSimulators {
  explicit TwoSimulators(const LinkParameters& link = {}, BridgeOptions options = {})
      : bridge(std::move(options)) {
    bridge.register_adapter("good", good);
    bridge.register_adapter("bad", bad, link);
    bridge.spawn(echo_vehicle(0), "good");
    bridge.spawn(echo_vehicle(1), "bad");
    bridge.spawn(echo_vehicle(2), "good");
    bridge.spawn(echo_vehicle(3), "bad");
  }
  std::shared_ptr<ScriptedSimulator> good = std::make_shared<ScriptedSimulator>();
  std::shared_ptr<ScriptedSimulator> bad = std::make_shared<ScriptedSimulator>();
  Bridge bridge;
};

}  // namespace tactus::testing
