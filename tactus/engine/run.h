// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A run: everything of one flight as a value (contract C9). Copy it at a boundary and both continue
// with the same bits.
//
//   Run run(std::move(setup));
//   fly(run, observers);             to the end; engine.cpp holds the loop
// or by hand, for a bridge or a debugger:
//   open(run, observers);
//   while (!run.finished()) {
//     if (proceed(run, observers) == Progress::kNeedsCommand) give_command(run, command);
//   }
//   close(run, observers);           also after an error
//
// One boundary, in the order of contract C3:
//   begin      time, validator, the plant publishes its state
//   scenario → wind → outputs → sensors → telemetry → autopilot → discontinuities → log → digest
//   integrate  to the next boundary, or to an event found before it
// Failure leaves the run at the boundary where it happened; every observer is closed. Recorders get
// what the autopilot reported in a step that failed, and nothing else of that boundary.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/source.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/schedule.h"
#include "tactus/vehicle/plant.h"

namespace tactus {

/// Who writes the command.
enum class CommandFrom : std::uint8_t { kSource, kCaller };

struct RunSetup {
  std::unique_ptr<Plant> plant;
  std::vector<std::unique_ptr<Source>> sources;
  Schedule schedule{TimeUs{}};
  DurationUs log_period;          ///< 0: no rows
  bool log_interpolates = false;  ///< rows from dense output instead of boundaries
  CommandFrom command_from = CommandFrom::kSource;
  InstrumentCounts instruments{};  ///< that the vehicle carries
};

/// Boundaries by kind; one boundary may count for several.
struct BoundaryCounts {
  std::uint64_t total = 0;
  std::uint64_t axis[kAxes] = {};  ///< by Axis; kEveryBoundary is unused
  std::uint64_t instants = 0;      ///< scheduled by a source
  std::uint64_t found = 0;         ///< found while integrating
  std::uint64_t log_only = 0;      ///< there only for the log

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("total", "", self.total);
    visit("axis", "", self.axis, "by axis");
    visit("instants", "", self.instants, "scheduled by a source");
    visit("found", "", self.found, "found while integrating");
    visit("log_only", "", self.log_only, "there only for the log");
  }
};
static_assert(lists_every_field<BoundaryCounts>());

enum class Progress : std::uint8_t { kBoundary, kNeedsCommand, kFinished };

class Run {
 public:
  /// Checks the sources against each other, their axes and the rules of who may read what. Throws
  /// Error(kBadInput).
  explicit Run(RunSetup setup);
  /// Throws Error if a source cannot be copied, naming it.
  Run(const Run& other);
  Run& operator=(const Run& other);
  Run(Run&&) noexcept = default;
  Run& operator=(Run&&) noexcept = default;
  ~Run() = default;

  [[nodiscard]] TimeUs now() const { return schedule_.current().time; }
  [[nodiscard]] const Bus& bus() const { return bus_; }
  /// Of the plant, and the instruments.
  [[nodiscard]] const VehicleCounts& counts() const { return counts_; }
  [[nodiscard]] const Plant& plant() const { return *plant_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Source>>& sources() const { return sources_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] CommandFrom command_from() const { return command_from_; }
  [[nodiscard]] DurationUs log_period() const { return log_period_; }
  [[nodiscard]] bool log_interpolates() const { return log_interpolates_; }
  /// Some source acts before the outputs stage, yet reads outputs of the plant.
  [[nodiscard]] bool wants_outputs() const { return early_outputs_; }
  [[nodiscard]] const BoundaryCounts& boundaries() const { return boundaries_; }
  [[nodiscard]] bool finished() const { return finished_; }
  /// Flight digest up to here (contract C4).
  [[nodiscard]] Digest128 digest() const { return digest_.result(); }

 private:
  friend class Engine;
  friend class RunState;

  std::unique_ptr<Plant> plant_;
  std::vector<std::unique_ptr<Source>> sources_;  ///< by stage, then in the order they were added
  std::vector<SourceInfo> infos_;
  std::size_t first_source_[kStages + 1] = {};  ///< of each stage; the next stage's is the end
  Schedule schedule_;
  DurationUs log_period_;
  bool log_interpolates_;
  CommandFrom command_from_;
  VehicleCounts counts_;
  bool early_outputs_ = false;  ///< some source wants outputs before their stage
  Bus bus_;
  BusDigest bus_digest_;
  Digest digest_;
  BoundaryCounts boundaries_;
  Stage stage_ = Stage::kScenario;  ///< with which the work at this boundary goes on
  SignalSet written_;               ///< at this boundary
  bool needs_command_ = false;      ///< paused until give_command()
  bool found_ = false;              ///< this boundary was found
  bool finished_ = false;
  bool usable_ = true;  ///< false: loading failed midway, or another run has taken over
};

/// Works at the present boundary and integrates to the next one. Stops before the autopilot stage
/// if the command comes from the caller.
Progress proceed(Run& run, Observers& observers);

/// The answer to Progress::kNeedsCommand. Throws Error(kRunStopped) if a command is out of range.
void give_command(Run& run, const Command& command, const AutopilotStatus& status = {});

/// Opens and closes the observers of a run that is flown by hand. Every one is closed, whatever
/// another throws; the first error goes on afterwards.
void open(Run& run, Observers& observers);
void close(Run& run, Observers& observers);

/// To the end, or until `interrupted` says so (called once per boundary). Opens and closes the
/// observers, also when an error passes through.
void fly(Run& run, Observers& observers, const std::function<bool()>& interrupted = {});

/// fly() that checks at every boundary that a saved copy continues with the same bits, and that
/// what the plant remembers (Plant::check_caches) is what a recomputation gives. Throws
/// Error(kRunStopped) at the first difference.
void fly_validated(Run& run, Observers& observers, const std::function<bool()>& interrupted = {});

}  // namespace tactus
