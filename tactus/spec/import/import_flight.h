// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The part of import_spec.h that is not the vehicle: estimator, solver, autopilot, events.

#include "tactus/spec/import/import_writer.h"

namespace tactus {

void import_flight(ImportWriter& w, double autopilot_s);

}  // namespace tactus
