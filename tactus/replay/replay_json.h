// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What came of a replay, for programs.

#include <string>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/replay/component/component_replay.h"
#include "tactus/replay/replay.h"

namespace tactus {

/// What was replayed.
struct Replayed {
  std::string file;
  const Recording* recording = nullptr;
  std::string what;               ///< "full", "plant", "component wind" …
  std::string recorded;           ///< the file that holds the replay; empty: none
  std::vector<std::string> sets;  ///< KEY=VALUE, changes of the recorded spec
};

/// A JSON document without a line break at its end.
std::string replay_json(const Replayed& replayed, const ReplayOutcome& outcome);

/// For a component of the plant.
std::string replay_json(const Replayed& replayed, const ComponentOutcome& outcome);

}  // namespace tactus
