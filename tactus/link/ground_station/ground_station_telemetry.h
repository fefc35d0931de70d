// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a vehicle sends to its ground station, at rates of simulated time. Numbers are those
// that the autopilot estimates; heights above sea level are those of a flat world, as in missions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tactus/autopilot/autopilot.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/link/mavlink/mavlink_transfer.h"
#include "tactus/world/geodesy.h"

namespace tactus {

/// What does not change in a flight.
struct StationVehicle {
  std::uint8_t type = 2;  ///< MAV_TYPE: 2 quadrotor, 10 rover
  bool flies = true;
  int pack_count = 0;
  WorldOrigin origin;
};

/// A tick, as telemetry sees it.
struct StationView {
  const AutopilotInput& input;
  const AutopilotStatus& status;
  FlightMode mode = FlightMode::kHold;  ///< to be shown; also while disarmed
  std::optional<Vec3> home_W_m;
  int item = -1;  ///< of the mission: being flown, or next
  int item_count = 0;
};

/// MAV_SEVERITY
enum class Severity : std::uint8_t { kCritical = 2, kError = 3, kWarning = 4, kInfo = 6 };

class StationTelemetry {
 public:
  explicit StationTelemetry(const StationVehicle& vehicle);

  /// Sends what is due.
  void act(const StationView& view, Outbox& outbox);
  /// Sends one message now; false: there is no such message.
  bool send(std::uint32_t message, const StationView& view, Outbox& outbox) const;
  /// Zero: as at first; none: never. False: there is no such message.
  bool set_period(std::uint32_t message, std::optional<DurationUs> period);

  /// In parts if it is long; cut if it is very long.
  void send_text(Severity severity, std::string_view text, Outbox& outbox);

  /// Above sea level, of a place in the world.
  [[nodiscard]] double altitude_msl_m(Vec3 place_W_m) const {
    return tactus::altitude_msl_m(vehicle_.origin, place_W_m);
  }

 private:
  static constexpr std::size_t kStreams = 12;
  struct Stream {
    std::optional<DurationUs> period;
    Repeater repeat;
  };

  [[nodiscard]] mavlink::Heartbeat heartbeat(const StationView& view) const;
  [[nodiscard]] mavlink::SysStatus system_status(const StationView& view) const;
  [[nodiscard]] mavlink::GpsRawInt gps(const StationView& view) const;
  [[nodiscard]] mavlink::GlobalPositionInt global_position(const StationView& view) const;
  [[nodiscard]] mavlink::VfrHud head_up(const StationView& view) const;
  [[nodiscard]] mavlink::HomePosition home_position(const StationView& view) const;
  [[nodiscard]] Geodetic place_of(Vec3 place_W_m) const;

  StationVehicle vehicle_;
  LocalFrame frame_;
  std::array<Stream, kStreams> streams_;
  std::uint16_t texts_ = 0;
};

}  // namespace tactus
