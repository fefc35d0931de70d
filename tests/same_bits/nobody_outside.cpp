// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Autopilots outside are other people's bits: these programs are built without them.

#include "tactus/core/error.h"
#include "tactus/scenario/outside_assembly.h"

namespace tactus {

std::unique_ptr<Autopilot> make_outside_autopilot(const Spec& /*spec*/,
                                                  const Multirotor& /*vehicle*/,
                                                  const OutsideHelp& /*help*/) {
  throw Error(ExitCode::kBadInput, "this program flies the built-in autopilot only");
}

}  // namespace tactus
