// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the verb `bridge` shows: a live table, and the outcome for people.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "tactus/fleet/fleet_flight.h"

namespace tactus::cli {

std::string fleet_text(const FleetPlan& plan, FleetFlight& fleet, double wall_s);

/// Vehicles and simulators as they are now, redrawn a few times a second on stderr; wiped at the
/// end. Only if stderr is a terminal.
class LiveTable {
 public:
  LiveTable(const FleetPlan& plan, bool quiet);
  ~LiveTable();
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;

  void show(Bridge& bridge);
  /// Nothing is left of it on the screen.
  void end();

 private:
  const FleetPlan* plan_;
  bool shown_;
  std::size_t lines_ = 0;  ///< on the screen
  std::chrono::steady_clock::time_point next_;
};

}  // namespace tactus::cli
