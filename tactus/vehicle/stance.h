// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A vehicle at rest on its gear, so that a flight that begins on the ground begins at rest and its
// accelerometers read gravity.
//
// clang-format off
// Each gear point is pushed with N_k along the ground normal n, and friction turns the sum upright:
//   Σ N_k = −m g·n,     Σ N_k r_k has no horizontal part,     N_k = k δ_k^1.5   (contact.h)
// clang-format on
// r_k from the centre of mass to point k, g gravity. For height and tilt: it is let down parallel
// to the ground and tips as far as it must (pseudo-transient continuation, which ends as Newton's
// method), to a stable pose or not at all.
//
// How friction is shared among the points follows from how it came to stand, not from the balance:
// on a slope the vehicle is left alone for 10 s before the flight begins, motors off. Where
// friction cannot hold it (tan(slope) > µ) it is not, and slides from the start.
//
// Assumptions: no wind, no thrust. A vehicle without weight just touches.

#include "tactus/plant/multirotor_model.h"

namespace tactus {

/// Puts position, attitude and bristles of the state so that it stands at this place with this
/// heading. There must be ground and gear. Throws Error(kBadInput) if it would fall over: its
/// centre of mass is not above its gear.
void stand(const Multirotor& vehicle, double north_m, double east_m, double heading_rad,
           MultirotorState& state);

}  // namespace tactus
