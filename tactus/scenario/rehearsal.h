// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is certain of a scenario is played before the flight, on a bus without a vehicle: events at
// times and what follows them. So an event that would have to stop the run later, because too much
// stands or waits by then, is a mistake of the spec with a place.

#include "tactus/core/time.h"
#include "tactus/scenario/scenario_source.h"

namespace tactus {

/// Throws Error(kBadInput) that names the event, where it stands, and when it would stop the run.
/// Of scenarios that repeat very often only the beginning is played.
void rehearse(const ScenarioSetup& setup, TimeUs end);

}  // namespace tactus
