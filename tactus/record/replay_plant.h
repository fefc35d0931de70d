// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A recording (tier 1) in place of the plant: what the plant published comes back at every recorded
// boundary, nothing is integrated. So a single component can run live on its recorded inputs.
//
// A boundary that the recording does not have stops the run (kDifferent): a live component
// asked for it, and the plant's answer there is not known.

#include <memory>

#include "tactus/record/recording.h"
#include "tactus/vehicle/plant.h"

namespace tactus {

/// Throws Error(kBadInput) if the recording does not hold the plant.
std::unique_ptr<Plant> make_replay_plant(std::shared_ptr<const Recording> recording);

}  // namespace tactus
