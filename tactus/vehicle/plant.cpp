// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/plant.h"

#include "tactus/core/error.h"

namespace tactus {

void Plant::save(StateWriter& /*to*/) const {
  throw Error(ExitCode::kBadInput, "this plant cannot be saved, so the run can have no snapshots");
}
void Plant::load(StateReader& /*from*/) {
  throw Error(ExitCode::kBadInput, "this plant cannot be loaded from a saved state");
}

}  // namespace tactus
