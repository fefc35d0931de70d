// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Turns a run into the rows of a recording: decides which tables there are, fills them, and hands
// each row to a sink (memory or file). What the tables hold, by tier:
//
//   boundary    every boundary as executed: its axes, whether it was found, scheduled, the end
//   start       the plant's state after the first boundary
//   high_level, parameter, marker, faults, disturbance, land      on change
//   wind, command                                                 every tick of their axis
//   log         the whole bus and the solver's totals at every log row
//   chain       digest of the flight so far, of each signal and of the state, once a second
//   events      what happened: notes of plant and scenario, reports of autopilot and land detector
// tier 1 adds
//   estimate, autopilot (its report)                              every tick of their axis
//   boundary    what the plant publishes (/outputs), its state and modes after the boundary
//   scenario_inputs   what a scenario with conditions on outputs sees of them
// tier 2 adds
//   rhs_trace   every evaluation of the right-hand side
// and, if asked for, /snapshots: the whole run, saved every few seconds, to branch from.
//
// A signal that changes off its axis stops the run: a replay could not bring it back. After begin()
// nothing is allocated here.

#include <cstddef>
#include <span>
#include <vector>

#include "tactus/core/state_archive.h"
#include "tactus/engine/observer.h"
#include "tactus/record/digest_chain.h"
#include "tactus/record/recording.h"
#include "tactus/record/status_events.h"
#include "tactus/signal/bus.h"
#include "tactus/vehicle/rhs_tap.h"

namespace tactus {

/// Path of saved runs in a recording (engine/run_state.h).
inline constexpr char kSnapshots[] = "/snapshots";

struct StreamRecorderSetup {
  RecordingMeta meta;  ///< what begin() cannot know: program, spec, tier …
  bool wind_is_linear = false;
  /// Time between snapshots of the run; 0: none. They are taken where boundaries fall on multiples
  /// of it, when the boundary is complete.
  DurationUs snapshot_period{};
};

class StreamRecorder final : public Recorder, private RhsTap {
 public:
  StreamRecorder(StreamRecorderSetup setup, RowSink& sink);

  /// A run that stands at a completed boundary goes on: what was recorded up to there is not
  /// recorded again.
  void begin(const Run& run) override;
  /// Another run takes over, at the boundary before which the first one stands (replay/branch.h).
  void go_on_with(const Run& run, std::vector<std::string> event_ids);
  void seen_by_scenario(const BoundaryView& view) override;
  [[nodiscard]] bool wants_outputs() const override;
  void outputs(const BoundaryView& view) override;
  void boundary(const BoundaryView& view, SignalSet written) override;
  [[nodiscard]] bool wants_rows() const override { return log_.used; }
  void row(const LogRow& row) override;
  void note(const Note& note) override;
  void external_bytes(std::size_t peer, TimeUs time, std::span<const std::byte> bytes) override;
  [[nodiscard]] RhsTap* tap() override;
  void end(Digest128 flight_digest, bool complete) override;

 private:
  /// A table that is being filled: its place in the recording and one row.
  struct Filling {
    std::size_t table = 0;
    bool used = false;
    std::vector<std::byte> row;
  };
  /// How a signal is recorded.
  struct Track {
    Signal signal{};
    Axis axis = Axis::kEveryBoundary;  ///< kEveryBoundary: on change
    RowPart part;
    Filling into;
    std::size_t first = 0;  ///< bytes of the row that are this signal's
    std::size_t size = 0;
    bool any = false;  ///< a row was given
  };

  Filling open_table(TableLayout layout);
  void plan_signals(const Run& run);
  void plan_boundaries(const Run& run, bool scenario_sees_outputs);
  void plan_log(const Run& run);
  void plan_chain(const Run& run);
  void plan_events();
  void plan_rhs_trace(const Run& run);
  void give(Filling& filling, TimeUs time);
  void record_boundary(const BoundaryView& view);
  void record_signal(Track& track, const BoundaryView& view);
  void record_link(const BoundaryView& view);
  void record_snapshot(const Due& due);
  void plan_snapshots(const Run& run);
  void plan_external(const Run& run);
  void take_up(const Run& run);
  void record_event(TimeUs time, const StatusEvent& event);
  void evaluated(const RhsEvaluation& evaluation) override;

  StreamRecorderSetup setup_;
  RowSink* sink_;
  const Run* run_ = nullptr;
  std::size_t snapshots_ = 0;  ///< place in meta.blobs
  StateWriter snapshot_;
  std::size_t first_external_ = 0;  ///< place of the first peer in meta.blobs
  std::vector<TableLayout> layouts_;
  bool begun_ = false;

  std::vector<Track> tracks_;
  std::vector<std::byte> scratch_;

  Filling boundary_;
  RowPart boundary_signals_;
  RowPart boundary_state_;
  Filling start_;
  RowPart start_state_;
  Filling seen_;
  RowPart seen_signals_;
  Filling log_;
  RowPart log_signals_;
  RowPart log_solver_;
  Filling chain_;
  DurationUs autopilot_period_;
  SignalDigests signal_digests_;
  Filling events_;
  StatusEvents status_events_;
  Filling rhs_trace_;
  TimeUs reached_;
};

}  // namespace tactus
