// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is allowed and most likely not meant: a vehicle that is not plausible (spec/vehicle),
// and parts of a scenario that do nothing, so that a test would pass without testing
// (idle_parts.cpp). Warnings never change a flight; --strict makes them fail a check or a run.

#include <string>
#include <vector>

#include "tactus/scenario/expectations.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/model/spec_warning.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

/// Events, gusts and expectations that cannot come to anything, known before the flight.
SpecWarnings idle_warnings(const Spec& spec);

/// Those that came to nothing in a flight that reached its end, as far as it was not known before.
/// `records`: by event of scenario_events().
SpecWarnings idle_warnings_of_flight(const Spec& spec, const std::vector<EventRecord>& records,
                                     const FlightOutcome& outcome);

/// All warnings that are possible before a flight, as lines "file:line:column: warning: key =
/// value: text".
std::vector<std::string> spec_warnings(const LoadedSpec& loaded);

/// Lines for warnings about a spec that was loaded.
std::vector<std::string> warning_lines(const LoadedSpec& loaded, const SpecWarnings& warnings);

}  // namespace tactus
