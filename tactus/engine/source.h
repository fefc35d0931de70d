// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A source is anything that writes the bus at boundaries: scenario, wind, estimator, autopilot, or
// the replay of one of them. It says beforehand when it acts, what it reads and what it writes; the
// engine checks that before the run and while it runs.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/plant/watch.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/note.h"
#include "tactus/signal/schedule.h"
#include "tactus/signal/stage.h"

namespace tactus {

enum class SourceMode : std::uint8_t {
  kLive,
  kReplay,
  kCaller,  ///< stepped by the caller of the run; its command comes by give_command()
};

struct SourceInfo {
  const char* name = "";
  Stage stage = Stage::kScenario;
  Axis axis = Axis::kEveryBoundary;  ///< when it acts
  SignalSet reads{};
  SignalSet writes{};
  SourceMode mode = SourceMode::kLive;
  DurationUs period{};         ///< what it was built for; must be the period of its axis. 0: any
  bool wants_outputs = false;  ///< acts before the outputs stage, yet reads outputs of the plant
  bool sees_truth = false;     ///< an autopilot that makes its own instruments from the truth
};

/// What a source may ask of the engine.
class Requests {
 public:
  explicit Requests(Schedule& schedule) : schedule_(&schedule) {}

  /// A boundary at that instant, which must not be in the past. At the present one it does nothing.
  void boundary_at(TimeUs instant) { schedule_->insert(instant); }
  /// The run ends at this boundary.
  void end_run() { end_ = true; }
  [[nodiscard]] bool ends() const { return end_; }

 private:
  Schedule* schedule_;
  bool end_ = false;
};

struct SourceContext {
  BusPort bus;
  TimeUs now;
  std::uint64_t boundary = 0;  ///< number of this boundary, from 0
  Requests& requests;
};

class Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual SourceInfo info() const = 0;
  virtual void update(SourceContext& context) = 0;

  /// Guards that it wants on the plant over the next interval. The span stays valid until the next
  /// update.
  [[nodiscard]] virtual WatchList watches() const { return {}; }

  /// Appends what it did since the last call, for logs and reports.
  virtual void take_notes(std::vector<Note>& notes) { (void)notes; }

  /// Names of the links over which bytes come from external programs.
  [[nodiscard]] virtual std::span<const std::string> external_peers() const { return {}; }
  /// Appends what came over them since the last call.
  virtual void take_external_bytes(std::vector<ExternalBytes>& bytes) { (void)bytes; }

  /// A copy that continues identically (contract C9); null if it cannot be copied.
  [[nodiscard]] virtual std::unique_ptr<Source> clone() const = 0;

  /// Its state; load() takes it into a source that was built alike. Throw Error(kBadInput) that
  /// names it if it cannot be saved.
  virtual void save(StateWriter& to) const;
  virtual void load(StateReader& from);
};

}  // namespace tactus
