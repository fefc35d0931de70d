// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/signal/instrument_kinds.h"

namespace tactus {

// Capacities of the plant's fixed arrays. A vehicle uses the first n entries; n is a run-time
// count, so one compiled plant flies everything from a tricopter to a dodecacopter.
inline constexpr int kMaxMotors = 12;
inline constexpr int kMaxServos = 8;
inline constexpr int kMaxPacks = 4;
inline constexpr int kMaxBuses = 4;
inline constexpr int kMaxRcPairs = 4;
inline constexpr int kMaxGearPoints = 8;

// Instruments of each kind: kMaxImus, kMaxGps …
#define TACTUS_LIMIT(Kind, Kinds, member, members, Reading, most, ...) \
  inline constexpr int kMax##Kinds = most;
TACTUS_INSTRUMENT_KINDS(TACTUS_LIMIT)
#undef TACTUS_LIMIT

}  // namespace tactus
