// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A vehicle whose external simulator was late has ticks at which its autopilot did not run: its
// last command held. The recording says which; at them a replay of the autopilot leaves it out,
// too.

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/engine/source.h"
#include "tactus/record/recording.h"
#include "tactus/scenario/assembly.h"

namespace tactus {

/// Among the peers of the vehicle's autopilot: a byte at each tick that was not as every other.
inline constexpr std::string_view kHeldTicksPeer = "held_ticks";
inline constexpr std::byte kTickNotRun{0};      ///< no frame had come
inline constexpr std::byte kTickOtherFrame{1};  ///< it ran on frames that were not of this instant

/// Throws Error(kBadInput) if the autopilot ran on frames of other instants: what it saw cannot be
/// shown to it again.
std::vector<TimeUs> held_ticks(const Recording& recording);

/// The autopilot of the spec, which does not run at these ticks. Throws Error(kBadInput) if it is
/// one that cannot be copied.
std::unique_ptr<Source> autopilot_with_gaps(const Spec& spec, const ExternalAutopilots* external,
                                            std::vector<TimeUs> ticks);

}  // namespace tactus
