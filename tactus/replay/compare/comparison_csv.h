// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "tactus/replay/compare/compare.h"

namespace tactus {

/// A row per flight: solver,wall_s,pos_max_m … battI_max_a,pos_rms_m … battI_rms_a,rhs …
std::string comparison_csv(const IntegrationComparison& comparison);

}  // namespace tactus
