// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tactus/signal/instrument_kinds.h"

namespace tactus {

/// When work is done: each axis has a period of its own (schedule.h). The order is part of
/// recordings: a new one goes to the end.
enum class Axis : std::uint8_t {
  kEveryBoundary,  ///< not periodic: due at every boundary
  kWind,
  kSensors,
  kAutopilot,
  kLog,
  kPhysics,
#define TACTUS_ENUMERATOR(Kind, ...) k##Kind,
  TACTUS_INSTRUMENT_KINDS(TACTUS_ENUMERATOR)
#undef TACTUS_ENUMERATOR
};

// clang-format off
#define TACTUS_NAME(Kind, Kinds, member, members, Reading, most, one, many, axis, ...) axis,
inline constexpr const char* kAxisNames[] = {
    "every boundary", "wind", "sensors", "autopilot", "log", "physics",
    TACTUS_INSTRUMENT_KINDS(TACTUS_NAME)
};
#undef TACTUS_NAME
// clang-format on
inline constexpr int kAxes = static_cast<int>(std::size(kAxisNames));

constexpr const char* to_text(Axis axis) { return kAxisNames[static_cast<std::size_t>(axis)]; }

static_assert(kAxes <= 16, "a bit for each axis");
constexpr std::uint16_t axis_bit(Axis axis) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(axis));
}

}  // namespace tactus
