// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Range checks of parameters. Each throws Error(kBadInput) with one message:
// "airframe.mass_kg = -1: must be positive (…)". Everything outside is checked once, here, so that
// inside the types carry the guarantee.

#include <string_view>

namespace tactus {

/// Always throws: `where.key = value: reason`.
[[noreturn]] void refuse(std::string_view where, std::string_view key, double value,
                         std::string_view reason);

void require_finite(std::string_view where, std::string_view key, double value);
void require_positive(std::string_view where, std::string_view key, double value);
void require_not_negative(std::string_view where, std::string_view key, double value);
void require_within(std::string_view where, std::string_view key, double value, double lowest,
                    double highest);

}  // namespace tactus
