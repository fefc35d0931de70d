// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What happened in a flight, gathered while it is flown: the facts behind the summary that the
// program prints. Reads the bus after the log stage of every boundary; sampled figures (tracking
// error, greatest tilt, lowest voltage) are taken at the ticks of the autopilot and at the end, so
// they do not depend on how the flight is logged. They end at a crash: what a wreck does is no
// flight.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tactus/engine/observer.h"
#include "tactus/scenario/flight_state.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {

struct FlightFacts {
  static constexpr std::size_t kMostNotes = 1000;  ///< a rough landing goes on and on

  /// A value that was reported from this instant on.
  template <class T>
  struct Change {
    TimeUs time;
    T value{};
  };
  /// A greatest or least value and when it was met first.
  struct Extreme {
    TimeUs time;
    double value = 0.0;
  };
  /// The mission went on from one item to the next; items that take no time lie between.
  struct Step {
    TimeUs time;
    std::int32_t from = -1;  ///< done now; −1: the mission began
    std::int32_t to = -1;    ///< flown from now on; mission_count: none, it is finished
  };
  struct FailsafeChange {
    TimeUs time;
    Failsafe value = Failsafe::kNone;
    FlightMode mode = FlightMode::kNone;  ///< that it flies from now on
    double remaining = 0.0;               ///< of the pack with the least charge
  };
  struct Pack {
    double remaining_at_start = 0.0;
    double remaining_at_end = 0.0;  ///< or at the crash
    Extreme lowest_voltage_v;
    [[nodiscard]] double used() const { return remaining_at_start - remaining_at_end; }
  };

  TimeUs begin;  ///< of what was seen; later than 0: the run went on from the middle of a flight
  TimeUs end;
  std::optional<Crash> crash;      ///< of a vehicle that can
  std::optional<TimeUs> departed;  ///< first off the ground; what drives: under way
  std::int32_t mission_count = 0;
  bool mission_ordered = false;  ///< by the scenario or a ground station
  bool takeoff_ordered = false;  ///< by a mission or by itself
  std::vector<Step> steps;
  std::optional<TimeUs> mission_finished;

  /// Distance from the position setpoint, where there is one, in the air in mission mode. Not of
  /// what drives: the setpoint of a rover is its waypoint and not a place on its path.
  double tracking_rms_m = 0.0;
  Extreme tracking_max_m;
  std::uint64_t tracking_samples = 0;

  Extreme max_tilt_rad;
  Extreme max_speed_m_s;
  Extreme max_height_m;
  double impact_speed_m_s = 0.0;
  /// Speed of the air over the ground at the vehicle: mean wind, turbulence, gusts and steps.
  double wind_mean_m_s = 0.0;
  Extreme wind_max_m_s;

  std::vector<Pack> packs;
  std::vector<Extreme> lowest_bus_v;  ///< per bus

  std::vector<Change<bool>> armed;
  FlightMode mode_at_begin = FlightMode::kNone;
  std::vector<Change<FlightMode>> modes;
  std::vector<FailsafeChange> failsafes;
  std::vector<Change<ArmingRefusal>> refusals;
  std::vector<Change<int>> lost_motors;      ///< rotor that the autopilot took for lost
  std::vector<Change<int>> returned_motors;  ///< and that it trusted again
  std::vector<Change<bool>> yaw_given_up;
  std::vector<Note> notes;       ///< touchdown, lift-off, brown-out …, the first kMostNotes
  std::uint64_t note_count = 0;  ///< of all

  std::vector<Note> autopilot_notes;  ///< what an external one reported or failed to do, as many

  double home_distance_m = 0.0;  ///< horizontal, at the end, from where it was at `begin`
  double height_m = 0.0;         ///< at the end, as all that follow
  double speed_m_s = 0.0;
  bool landed = false;
  bool is_armed = false;
  FlightMode mode = FlightMode::kNone;
};

class FlightSummary final : public StageHook {
 public:
  FlightSummary(const VehicleType& type, const VehicleCounts& counts);

  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage stage, const BoundaryView& view) override;
  void note(const Note& note) override;
  /// As after(), for those without a run: what an external simulator reports.
  void see(const Due& due, std::uint64_t boundary, const Bus& bus);

  [[nodiscard]] const FlightFacts& facts() const { return facts_; }

 private:
  void start(TimeUs now, std::uint64_t boundary, const Bus& bus);
  void see_orders(const Bus& bus);
  void see_changes(TimeUs now, const Bus& bus);
  void see_mission(TimeUs now, const AutopilotStatus& status);
  void sample(TimeUs now, const Bus& bus);
  void track(TimeUs now, const Bus& bus);
  void add_wind(TimeUs now, const Bus& bus);
  void finish(TimeUs now, const Bus& bus, bool flew_until_now);

  FlightFacts facts_;
  const VehicleType* type_;
  bool started_ = false;
  Vec3 home_W_m_;
  AutopilotStatus previous_;
  double tracking_sum_m2_ = 0.0;
  double wind_sum_m_s_ = 0.0;
  std::uint64_t wind_samples_ = 0;
};

}  // namespace tactus
