// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is asked of multirotors alone: parameters for external autopilots, components that are
// replayed, integrators that take the place of the solvers.

#include <memory>
#include <string_view>

#include "tactus/spec/model/spec.h"
#include "tactus/spec/vehicle/vehicle_type.h"
#include "tactus/vehicle/multirotor_plant.h"

namespace tactus {

/// Throws Error(kBadInput), "NAME is a rover; WHY", if the spec holds another vehicle.
void require_multirotor(const Spec& spec, std::string_view why);

/// The multirotor of a spec in its world. The spec must hold one.
Multirotor make_multirotor(const Spec& spec);

/// The state it starts in: on its gear with the heading of the spec, or as the spec says. `vehicle`
/// is that of the spec.
MultirotorState starting_state(const Spec& spec, const Multirotor& vehicle);

/// Its plant, integrated by `instead` where that is given.
std::unique_ptr<Plant> make_multirotor_plant(const Spec& spec, IntegrateMultirotor instead);

/// What is not plausible about it; `vehicle` is that of the spec. plausibility.cpp
SpecWarnings multirotor_warnings(const Spec& spec, const Multirotor& vehicle);

/// multirotor_keys.cpp
std::unique_ptr<VehicleDraft> make_multirotor_draft(const TomlNode* root);

/// multirotor_starter.cpp
const char* multirotor_starter();

}  // namespace tactus
