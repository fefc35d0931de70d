// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Flies a recorded flight again from an instant T on with changes: other parameters, more events.
//
//   before T   the recorded spec, from its start; every row is compared with the recording, and the
//              first difference ends it (kDifferent)
//   at T       the state goes over to a run of the changed spec; its parameters act from here on,
//              and so do new events, at T at the earliest
// The new recording holds the whole flight. Its meta data name the parent, T and the changes; its
// spec is the changed one.
//
// A branch with other parameters has two specs, so nothing flies it again from its start. Its
// recording holds a snapshot at T, from which it can be branched again at any later instant. Its
// observers (expectations, summaries) then see the flight from that snapshot on only.
//
// T is the first recorded boundary at or after the asked instant: one of our own would change the
// flight. Refused, with the reason: what alters the shape of the state (rotors, packs, gear,
// periods of the axes …), what acts at the start of a flight only, events before T, changes of
// events that have begun to act, and commands that came from outside the program: that side cannot
// be brought to where it was at T.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/state_archive.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/assembly.h"

namespace tactus {

struct BranchSetup {
  std::shared_ptr<const Recording> parent;
  std::string parent_name;  ///< its file, without folders
  TimeUs at;
  std::vector<Override> overrides;
  std::vector<std::string> events;  ///< branch_event.h
  std::optional<Tier> tier;         ///< of the new recording; none: the parent's
  DurationUs snapshots;             ///< in the new recording, from T on; 0: none
  bool quick = false;               ///< begin at the last snapshot before T, if there is one
  BuildIdentity build;
};

class Branch {
 public:
  /// Reads the specs and assembles both runs. Throws Error(kBadInput) for whatever is refused.
  explicit Branch(BranchSetup setup);

  [[nodiscard]] const LoadedSpec& changed() const { return changed_; }
  [[nodiscard]] TimeUs at() const { return at_; }
  /// Where flying begins: 0, or the instant of a snapshot. Observers see nothing up to there.
  [[nodiscard]] TimeUs from() const { return from_; }
  /// One per line: "KEY=VALUE", "event ID".
  [[nodiscard]] const std::string& changes() const { return changes_; }
  /// Expectations of the changed spec; to be put among the hooks.
  [[nodiscard]] ExpectationMonitor& monitor() { return *after_.monitor; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return after_.notes; }
  /// Of the changed spec; those about new events name their text.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// After fly(): whether it got to T. False: it was interrupted before.
  [[nodiscard]] bool branched() const { return branched_; }
  /// The run that flew last, at its end after fly(), and its spec.
  [[nodiscard]] const Run& run() const { return branched_ ? after_.run : before_.run; }
  [[nodiscard]] const LoadedSpec& flown() const { return branched_ ? changed_ : recorded_; }
  /// After fly(): where a recorded number differs from the parent first. None: nowhere, as far as
  /// both go.
  [[nodiscard]] std::optional<TimeUs> first_difference() const { return first_difference_; }

  /// Flies it, once. `out` null: records nothing. Observers and recording are closed in any case.
  void fly(Observers observers, RowSink* out, const std::function<bool()>& interrupted = {});

 private:
  LoadedSpec load_changed();
  [[nodiscard]] Assembly assemble_changed() const;
  [[nodiscard]] std::string placed_by_event(std::string_view what) const;
  void refuse_external() const;
  void refuse_fixed_keys() const;
  void refuse_end() const;
  void refuse_events() const;
  void refuse_shapes() const;
  void schedule_events();
  [[nodiscard]] Into into() const;
  void use_snapshot();
  [[noreturn]] void refuse_start() const;
  [[nodiscard]] RecordingMeta meta() const;

  BranchSetup setup_;
  TimeUs at_;
  LoadedSpec recorded_;
  std::string changes_;
  std::vector<std::size_t> event_lines_;  ///< of the changed spec, where each new event begins
  LoadedSpec changed_;
  Assembly before_;
  Assembly after_;
  TimeUs from_;
  bool branched_ = false;
  std::optional<TimeUs> first_difference_;
};

}  // namespace tactus
