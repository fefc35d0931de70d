// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <memory>
#include <string>

#include "tactus/record/recording.h"

namespace tactus {

/// What is reported of a recording without rows.
inline constexpr char kNoRows[] =
    "holds no rows: its run ended, or was killed, before the first block was written";

/// A recording that has something to fly again. Throws Error: kBadInput also if it has no rows.
std::shared_ptr<const Recording> read_flight(const std::string& path);

}  // namespace tactus
