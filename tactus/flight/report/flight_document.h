// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Parts of JSON documents about flights. For sources only, as json_text.h is.

#include <string>
#include <vector>

#include "tactus/core/json_text.h"
#include "tactus/flight/flight.h"

namespace tactus {

/// What flight_json() writes.
Json flight_document(const Flight& flight, const std::vector<std::string>& files);

/// Margin and value are null if it never came to that, `passed` if the run was interrupted before
/// it was decided.
Json expectation_document(const ExpectationResult& result, bool interrupted);

}  // namespace tactus
