// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

namespace tactus {

// Capacities of the plant's fixed arrays. A vehicle uses the first n entries; n is a run-time
// count, so one compiled plant flies everything from a tricopter to a dodecacopter.
inline constexpr int kMaxMotors = 12;
inline constexpr int kMaxServos = 8;
inline constexpr int kMaxPacks = 4;
inline constexpr int kMaxBuses = 4;
inline constexpr int kMaxRcPairs = 4;
inline constexpr int kMaxGearPoints = 8;

// Instruments of each kind.
inline constexpr int kMaxImus = 3;
inline constexpr int kMaxMagnetometers = 2;
inline constexpr int kMaxBarometers = 2;
inline constexpr int kMaxGps = 2;
inline constexpr int kMaxAirspeeds = 1;
inline constexpr int kMaxRangeFinders = 1;

}  // namespace tactus
