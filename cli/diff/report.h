// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How `tactus diff` reports what it found.

#include <string>

#include "tactus/replay/diff/diff_json.h"

namespace tactus::cli {

std::string diff_text(const DiffedFlights& flights, const DiffReport& report);

}  // namespace tactus::cli
