// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "tactus/scenario/spec.h"

namespace tactus {

/// A commented spec to start from. It loads, and it flies or drives as it is.
std::string starter_spec(VehicleKind kind);

}  // namespace tactus
