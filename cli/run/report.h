// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <vector>

#include "tactus/flight/flight.h"

namespace tactus::cli {

/// The outcome of one flight for people. `files`: what was written besides.
std::string summary_text(const Flight& flight, const std::vector<std::string>& files);

}  // namespace tactus::cli
