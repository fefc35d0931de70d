// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What came of a flight, in one sentence.

#include <string>

#include "tactus/flight/flight.h"

namespace tactus {

/// "default: passed: mission complete, landed 0.10 m from home".
std::string sentence_of(const Flight& flight);

}  // namespace tactus
