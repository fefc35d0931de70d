// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Flights whose autopilot is a program of others: which build flew, and from when on it commanded
// something else.

#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/program_facts.h"
#include "tactus/record/recording.h"
#include "tactus/replay/diff/diff.h"

namespace tactus {

/// What a recording says of the program; empty: nothing.
ProgramFacts recorded_program(const Recording& recording);

/// A sentence for each thing about the programs that differs.
std::vector<std::string> program_sentences(const ProgramFacts& a, const ProgramFacts& b);

/// Whether an autopilot flew it that is a program of others.
bool flown_by_program(const RecordingMeta& meta);

/// Up to where both go; none: the commands are equal, or not recorded.
std::optional<MotorDifference> first_differing_motor(const Recording& a, const Recording& b);

}  // namespace tactus
