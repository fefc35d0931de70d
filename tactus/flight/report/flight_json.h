// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The outcome of one flight for machines. Wall-clock figures stand apart: all else is the same on
// every machine.

#include <string>
#include <vector>

#include "tactus/flight/flight.h"

namespace tactus {

inline constexpr char kRunSchema[] = "tactus.run/1";

/// `files`: what was written besides.
std::string flight_json(const Flight& flight, const std::vector<std::string>& files = {});

}  // namespace tactus
