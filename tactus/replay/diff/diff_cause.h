// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Cause or consequence. What differs first was written by some part of the simulation. If all that
// this part had read until then was equal to the bit, the difference began in it. For a source that
// is what it declares to read; for the plant its inputs and its own state. A recording of tier 0
// lacks most of that.
//
// The parts of the plant act on each other within an interval, so a boundary alone does not show
// which began. Evaluations of the right-hand side (tier 2) do, and so do the specs if they differ
// in the parameters of one part only.

#include <vector>

#include "tactus/replay/diff/diff.h"
#include "tactus/replay/diff/diff_align.h"

namespace tactus {

Cause find_cause(const Recording& a, const Recording& b, const Divergence& divergence,
                 const std::vector<SpecDifference>& spec);

/// The first evaluation before `until` that differs; none if they are equal or not recorded.
std::optional<EvaluationDifference> first_differing_evaluation(const Recording& a,
                                                               const Recording& b, TimeUs until);

}  // namespace tactus
