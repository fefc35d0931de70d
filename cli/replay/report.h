// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What `tactus replay` says to people.

#include <string>

#include "tactus/replay/replay_json.h"

namespace tactus::cli {

std::string replay_text(const Replayed& replayed, const ReplayOutcome& outcome);

/// For a component of the plant.
std::string replay_text(const Replayed& replayed, const ComponentOutcome& outcome);

}  // namespace tactus::cli
