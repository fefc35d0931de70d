// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/plant/multirotor_model.h"

namespace tactus {

/// The Iris as a real vehicle: 1.5 kg, four APC Slow Flyer 10x4.7, 3S pack. Where each number comes
/// from stands beside it in iris.cpp.
MultirotorParameters iris_parameters();

/// The same with the quadratic propeller matched at hover: for speed, and for batch runs.
MultirotorParameters iris_quadratic_parameters();

}  // namespace tactus
