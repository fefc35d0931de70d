// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A branch flown to its end, and what came of it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/files/output_file.h"
#include "tactus/flight/flight.h"
#include "tactus/replay/branch/branch.h"

namespace tactus {

/// The report of a branch besides its flight.
struct BranchOrigin {
  std::string parent;  ///< its file, as the user names it
  TimeUs asked;        ///< where it was to be branched
  TimeUs at;           ///< where it was: the first boundary at or after that
  TimeUs from;         ///< where flying began: 0, or a snapshot
  TimeUs end;
  bool branched = false;  ///< false: interrupted before
  std::string changes;    ///< one per line
  RecordingEnd parent_end;
  bool same = false;                       ///< digest of the flight, as of the parent
  std::optional<TimeUs> first_difference;  ///< from the parent
  TimeUs apart_at;                         ///< the last instant of the log that both have
  std::optional<double> apart_m;           ///< from where the parent was then

  /// The file of a program that was killed has none.
  [[nodiscard]] bool knows_digest() const { return parent_end.flight_digest != Digest128{}; }
  /// The last boundary of the parent says that it is the last; here the flight went on.
  [[nodiscard]] bool equal_as_far_as_the_parent() const {
    return !first_difference ||
           (*first_difference == parent_end.time && parent_end.complete && end > parent_end.time);
  }
};

struct BranchFlight {
  Flight flight;  ///< file_error: of the log, else of the recording
  BranchOrigin origin;
};

struct BranchFlightOptions {
  std::string parent;                  ///< its file, as the user names it
  std::unique_ptr<OutputFile> record;  ///< null: none
  std::unique_ptr<OutputFile> log;     ///< as CSV; null: none, as it must be if from() is not 0
  std::vector<StageHook*> hooks;       ///< more observers
  std::function<bool()> interrupted;
};

/// Flies `branch`, which was made of `setup`, once. Throws Error; the files are closed by then.
BranchFlight fly_branch(const BranchSetup& setup, Branch& branch, BranchFlightOptions options);

/// As flight_json(), with a member "branch". `files`: what was written besides.
std::string branch_json(const BranchFlight& flown, const std::vector<std::string>& files = {});

}  // namespace tactus
