// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What happened in a flight and when, as lines "    20.000 s what" in the order of time.

#include <cstdint>
#include <string>
#include <vector>

#include "tactus/flight/flight.h"

namespace tactus::cli {

/// Of the scenario: by when they acted first; then those that never did.
std::vector<std::string> event_lines(const Flight& flight);

/// What the autopilot did and reported.
std::vector<std::string> autopilot_lines(const Flight& flight);

/// What befell the vehicle. Feet bounce on rough landings, so their contacts are counted together.
std::vector<std::string> note_lines(const Flight& flight);

/// ", 3 times, last at 59.812 s"; empty: once.
std::string repeated(std::uint64_t count, TimeUs last);

}  // namespace tactus::cli
