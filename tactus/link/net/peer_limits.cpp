// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/peer_limits.h"

#include <fmt/format.h>

namespace tactus {

std::string wrong_value_text(std::string_view field, std::string_view value,
                             const ValueLimits& limits) {
  return fmt::format("{} = {}: must be {} to {}{}{}", field, value, limits.least, limits.most,
                     *limits.unit == '\0' ? "" : " ", limits.unit);
}

}  // namespace tactus
