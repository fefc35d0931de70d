// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// PX4 in this process: the shared library libpx4_lockstep, stepped once per tick of the autopilot's
// axis. PX4's navigator, flight modes, position, attitude and rate control and allocator are the
// real ones; estimate, land detector and battery are ours, and px4_commander.h stands in for its
// commander. The library's clock is the time of the run + 1 s (0 is a special value for it) and
// moves by exactly the period at every step: anything else is an error before PX4 is called.
//
// Also done here, because it is not in the library: the output stage. Motors stand still while
// disarmed and where PX4 says NaN, and PX4's thrust curve (THR_MDL_FAC) turns thrust into drive.
//
// The constructor reads files and checks; PX4 is loaded in the first step. Each object loads a
// private copy of the library, so that several fly in one process, and a restart begins afresh.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/mission/flight_plan.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/autopilot/parameters/px4_library_parameters.h"
#include "tactus/files/disk_files.h"
#include "tactus/link/px4/px4_abi.h"
#include "tactus/link/px4/px4_commander.h"
#include "tactus/link/px4/px4_console.h"
#include "tactus/link/px4/px4_projection.h"
#include "tactus/link/px4/px4_topics.h"
#include "tactus/link/px4/uorb_messages.h"

namespace tactus {

/// What a Px4Library needs to know besides its own settings.
struct Px4LibraryFlight {
  std::vector<EmittedParameter> parameters;  ///< set before the first step; sitl_only ones are not
  std::vector<std::string> changeable;       ///< ParameterChange::index counts these names
  std::optional<Mission> mission;
  PlanContext context;  ///< the origin is PX4's reference
  int motor_count = 4;
  int servo_count = 0;
  DurationUs period;
  FlightClocks clocks;
};

struct Px4LibraryStatistics {
  std::uint64_t steps = 0;
  std::uint64_t inside_ns = 0;   ///< within px4_lockstep_step_uorb, by FlightClocks::now_ns
  std::uint64_t outside_ns = 0;  ///< between two steps, by the same clock
};

class Px4Library final : public Autopilot {
 public:
  /// Throws Error: kBadInput for settings and missions that do not go, kEnvironment for files.
  Px4Library(Px4LibraryParameters parameters, Px4LibraryFlight flight);

  [[nodiscard]] const char* name() const override { return "px4-lib"; }
  /// Throws Error: kPeer if the library is not what it should be or a call fails, kBadInput if PX4
  /// rejects the mission or a parameter, kRunStopped if time does not move by the period.
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  /// A new copy of the library at the next step. Parameters changed in flight stay changed.
  void restart() override;
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }
  void save(StateWriter& to) const override;

  /// Rates that are not kept, what else PX4 takes from where it should not, and the time it took.
  [[nodiscard]] std::vector<std::string> warnings() const override;
  /// Its console.
  [[nodiscard]] std::vector<std::string> external_peers() const override { return {"px4_console"}; }
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override;
  /// What the library printed so far.
  [[nodiscard]] std::vector<std::string> console() const { return console_.lines(); }
  [[nodiscard]] const Px4LibraryStatistics& statistics() const { return statistics_; }

 private:
  /// All that belongs to one loaded copy.
  struct Live {
    std::shared_ptr<const Px4Copy> copy;
    Px4Handle handle;
    Px4Topics topics;
    TimeUs started;
    TimeUs last;
    std::uint64_t steps = 0;
    bool mission_valid = false;
    bool has_home = false;
    double hover_drive = 0.5;

    Live(std::shared_ptr<const Px4Copy> loaded, const Px4Config& config, const UorbCatalog& catalog,
         const Px4Exchange& exchange, Px4Console& console);
  };

  void start(const AutopilotInput& input);
  void require_parameter(const std::string& name);
  void set_parameter(const EmittedParameter& parameter);
  [[noreturn]] void refuse_parameter(const EmittedParameter& parameter, int result,
                                     double actual) const;
  void apply_parameters();
  void load_mission(const Estimate& estimate);
  void take_parameter(const ParameterChange& change);
  void check_time(TimeUs now) const;
  void publish(Px4In first, Vec3 vector);
  void publish_motion(const Estimate& estimate);
  void publish_position(const Estimate& estimate);
  void publish_home(const Estimate& estimate);
  void publish_status(const AutopilotInput& input);
  void run(TimeUs now, const Estimate& estimate);
  void read_outputs();
  void check_mission(TimeUs now);
  [[nodiscard]] std::string time_taken() const;
  void write_command(Command& command) const;
  void write_status(AutopilotStatus& status) const;

  Px4LibraryParameters parameters_;
  Px4LibraryFlight flight_;
  UorbCatalog catalog_;
  LocalFrame frame_;
  Px4Projection projection_;
  std::vector<std::string> warnings_;
  Px4Console console_;
  Px4Commander commander_;
  Px4Report report_;
  std::vector<double> commands_;  ///< vehicle_commands of the last step
  Px4LibraryStatistics statistics_;
  std::uint64_t last_step_ended_ns_ = 0;
  std::uint64_t cpu_at_start_ns_ = 0;
  std::size_t console_taken_ = 0;
  NamedChanges changes_;
  double thrust_factor_ = 0.0;  ///< THR_MDL_FAC
  Vec3 projected_offset_m_;     ///< published position − estimate
  std::unique_ptr<Live> live_;  ///< last: it prints to the console when it ends
};

}  // namespace tactus
