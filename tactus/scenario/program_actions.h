// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Actions that a whole PX4 or ArduPilot would never notice. They filter instruments themselves and
// do not read our estimate, so what acts on the estimate alone would change nothing in their
// flight, and the flight would pass as if it had survived the fault.

#include <string>

#include "tactus/spec/model/event.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

/// Acts on the estimate and on nothing else.
bool acts_on_estimate_only(ActionKind kind);

/// What to write in its place for this autopilot, a program.
std::string instead_of(const Action& action, AutopilotKind program);

/// Throws Error(kBadInput) that names the event and where it stands, if the autopilot is a program
/// that the action cannot reach.
void require_reachable(const Spec& spec);

}  // namespace tactus
